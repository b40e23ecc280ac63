// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace fogline::place {

/// What becomes of a position that lies farther than max_snap_m from every vertex of the network. Declared before the release, and
/// part of its statement; docs/soundness.md says what each means for the promise.
enum class TooFar : std::uint8_t {
  refuse,     ///< the whole file is refused
  leave_out,  ///< its record is left out; that it was, is not protected
  nearest     ///< it is moved to the nearest vertex like any other: nothing depends on the distance
};

constexpr std::array<std::string_view, 3> too_far_names{"refuse", "leave-out", "nearest"};

std::string_view to_string(TooFar rule);
TooFar too_far_from(std::string_view name);  ///< throws InvalidOption for anything but too_far_names

}  // namespace fogline::place
