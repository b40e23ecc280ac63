// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fogline {

/// What every mechanism of every kind promises, what must be public for that, who checks it, and which published
/// promises do not hold: a JSON array with an object for each, those that hold first. The same as `fogline claims
/// --json`; docs/claims.md has it as a page.
///
///     std::cout << fogline::claims();        // [{"kind": "place", "mechanism": "gem", "holds": true, ...}, ...]
///
/// `audit` is what the last recorded audit said, which the project's own checks made and the library was built with.
std::string claims();

}  // namespace fogline
