// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fogline::audit {

/// Cuts the values of a feature into at most 4,000 bins: of about equal share in the middle, finer and finer towards both ends, where telling
/// events hide; a value that is frequent by itself gets a bin of its own.
///
///     Bins bins(values, true);
///     std::uint16_t bin = bins.of(0.25);
///
/// For a feature without order (a hash) only frequent values have bins, and one more holds everything else. Not-a-number has its own bin.
class Bins {
 public:
  Bins(std::vector<double> values, bool ordered);  ///< values: what was seen, in any order

  std::uint16_t of(double value) const;
  std::size_t count() const { return upper_.size() + 2; }
  bool ordered() const { return ordered_; }

  /// "0.25 < x <= 0.5", "x = 3", "x > 9", "x is missing or not a number", with `x` the feature's words.
  std::string words(std::size_t bin, const std::string& feature) const;
  std::string threshold_words(std::size_t bin, bool above, const std::string& feature) const;  ///< "x <= 0.5"

  std::size_t beyond() const { return upper_.size(); }  ///< above all that was seen, or rare
  std::size_t not_a_number() const { return upper_.size() + 1; }

 private:
  void close(double upper, bool single);
  bool ends_before_single(std::size_t bin) const;

  std::vector<double> upper_;  // a bin holds what lies above the previous bin's bound, up to and with its own
  std::vector<char> single_;   // holds one value only
  bool ordered_;
};

}  // namespace fogline::audit
