// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "audit/engine/bins.hpp"

namespace fogline::audit {

/// How often each bin of a feature was seen, from the first and from the second input.
struct BinCounts {
  std::vector<std::uint64_t> first, second;
};

/// A set of bins of one feature, and which input makes it likelier.
struct Event {
  std::size_t feature = 0;
  std::vector<char> holds;     ///< one per bin
  std::string words;           ///< "number 1 > 0.25"
  bool likelier_first = true;  ///< judged as ln P(E|first) - ln P(E|second), or the other way round
  double promise = 0;          ///< what the bound on the loss would be if it came out as it did in the search
};

/// What the search was made on and what the verdict will be made on.
struct SearchFrame {
  std::uint64_t trials = 0;  ///< of each input, in the verdict
  double deviations = 5;     ///< how far the verdict's bounds lie from what is seen, in standard deviations
};

/// The most telling event among all thresholds, all single bins and all sets of bins in order of their likelihood ratio, for one direction.
/// Sets are put in order by the counts `fit` and judged by the counts `judge`, lest chance decide; thresholds and single bins use both.
/// Adds the number of events it looked at to `searched`.
Event most_telling(const Bins& bins, const std::string& feature, const BinCounts& fit, const BinCounts& judge,
                   bool likelier_first, const SearchFrame& frame, std::uint64_t& searched);

}  // namespace fogline::audit
