// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "audit/engine/pair.hpp"

namespace fogline::audit {

/// One run of a mechanism.
struct Sample {
  Numbers numbers;
  bool refused = false;      ///< it threw an exception instead of giving an output
  std::string message = {};  ///< of the exception
};

/// A number computed from an output, and how to call it. Not-a-number is a value of its own: missing, or really not a number.
struct Feature {
  std::string words;
  std::function<double(const Sample&)> value;
  bool ordered = true;  ///< false: only equality means something (a hash)
};

/// Everything the falsifier looks at, chosen by what the outputs of both inputs look like: of long outputs the numbers that differ most between the
/// inputs and a few others; values, differences, lowest set bits, smallest, largest, their
/// places, number of distinct values, ascents, length, refusal and its message, the whole output as one symbol, and the hints.
std::vector<Feature> features_of(std::span<const Sample> first, std::span<const Sample> second,
                                 std::span<const Hint> hints);

/// The exponent of the lowest set bit: 3 for 8 and 24, 0 for odd integers, -1 for 0.5 and 2.5. Naive floating-point noise shows here: some
/// answers are too fine to have come from one of the inputs. 0 has none: 10,000, and 10,001 for negative 0. Not-a-number
/// stays so.
double lowest_bit(double value);

}  // namespace fogline::audit
