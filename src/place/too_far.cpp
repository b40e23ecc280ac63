// SPDX-License-Identifier: Apache-2.0
#include "place/too_far.hpp"

#include <algorithm>
#include <iterator>

#include "base/error.hpp"

namespace fogline::place {

std::string_view to_string(TooFar rule) {
  return too_far_names.at(static_cast<std::size_t>(rule));
}

TooFar too_far_from(std::string_view name) {
  const auto found = std::ranges::find(too_far_names, name);
  if (found == too_far_names.end()) throw InvalidOption("too-far", "is one of refuse, leave-out, nearest");
  return static_cast<TooFar>(std::distance(too_far_names.begin(), found));
}

}  // namespace fogline::place
