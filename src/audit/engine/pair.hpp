// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "random/stream.hpp"

namespace fogline::audit {

/// An output told as numbers: coordinates, counts, a vertex, bits of a graph. Outputs may differ in length. Of the first 4,096 numbers the 24 that differ
/// most between the inputs are looked at one by one.
using Numbers = std::vector<double>;

/// Every bit of them: hexadecimal floats, one a line.
std::string exact_text(const Numbers& numbers);

/// Runs a mechanism on one fixed input and tells its output as numbers. Called from several threads at once. An exception
/// is an output too, with its message: a mechanism that refuses one input and not its neighbour tells them apart.
using Run = std::function<Numbers(random::Stream&)>;

/// Something worth knowing about an output that only somebody who knows the mechanism would think of.
struct Hint {
  std::string words;  ///< "angle of the answer around the first position"
  std::function<double(const Numbers&)> value;
};

/// Two neighbouring inputs, and how far their outputs may be told apart.
struct Pair {
  std::string words;  ///< "one edge's weight moved from 0 to 100": invented inputs, so they may be named
  Run first, second;
  double claimed_loss =
      0;  ///< epsilon times the distance: ln P(o|first) - ln P(o|second) is claimed to be at most this
  /// One-sided claims: only ln P(E|first) - ln P(E|second) is bounded; the other way is reported, not judged.
  bool one_sided = false;
  std::vector<Hint> hints = {};
};

}  // namespace fogline::audit
