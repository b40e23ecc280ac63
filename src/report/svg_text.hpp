// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fogline::report {

/// Text for an attribute or an element of SVG: the five characters XML reserves are escaped, control characters become spaces.
///
///     svg += "<title>" + escaped("A & B") + "</title>";
std::string escaped(std::string_view text);

}  // namespace fogline::report
