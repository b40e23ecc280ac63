// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace fogline::report {

/// The page of web/ as the build made it, with markers where title and document go; empty if it was built without.
std::string_view page_template();

}  // namespace fogline::report
