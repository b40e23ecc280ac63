// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/document.hpp"

namespace fogline::report {

/// The whole report as one HTML file that asks nobody for anything: the page of web/ with the document in it. Throws InvalidOption as to_json does, and Error if the
/// program was built without its page.
///
///     io::OutputFile out("report.html", {});
///     out.write(page_html(document));
///     out.commit();
std::string page_html(const Document& document);

/// Was the page built into this program? Everything but reports works without it.
bool has_page();

/// Throws Error, which says what is missing and what to do, if it was not.
void require_page();

}  // namespace fogline::report
