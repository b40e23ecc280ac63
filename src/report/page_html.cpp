// SPDX-License-Identifier: Apache-2.0
#include "report/page_html.hpp"

#include <string_view>

#include "base/error.hpp"
#include "report/page_template.hpp"
#include "report/svg_text.hpp"

namespace fogline::report {
namespace {

constexpr std::string_view title_marker = "<!--FOGLINE-TITLE-->";
constexpr std::string_view document_marker = "<!--FOGLINE-DOCUMENT-->";

/// `text` with what stands at the marker, and the rest after it left in `text`.
std::string up_to(std::string_view& text, std::string_view marker) {
  const std::size_t at = text.find(marker);
  if (at == std::string_view::npos) throw Error("the page of the report has lost a marker; build it again");
  std::string before(text.substr(0, at));
  text.remove_prefix(at + marker.size());
  return before;
}

}  // namespace

bool has_page() {
  return !page_template().empty();
}

void require_page() {
  if (!has_page())
    throw Error(
        "this Fogline was built without its report page, for want of node and npm; install both (in the "
        "sources: "
        "tools/setup build), configure and build again");
}

std::string page_html(const Document& document) {
  require_page();
  const std::string json = to_json(document);
  std::string_view rest = page_template();
  std::string html = up_to(rest, title_marker);
  html += escaped((document.curator ? "PRIVATE: " : "") + document.title);
  html += up_to(rest, document_marker);
  html += "<script type=\"application/json\" id=\"document\">";
  html += json;
  html += "</script>";
  return html.append(rest);
}

}  // namespace fogline::report
