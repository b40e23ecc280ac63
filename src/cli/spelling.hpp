// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fogline::cli {

/// A sentence of the library as a shell spells it. The library has several front ends, and names a field of a request in back quotes: each
/// `name` becomes --name, and `input`, which is an argument and no option, "the input". Whatever else stands in back quotes stays as it is.
///
///     spelled("say `too-far` leave-out")  // "say --too-far leave-out"
std::string spelled(std::string_view sentence);

}  // namespace fogline::cli
