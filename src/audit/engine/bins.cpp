// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/bins.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace fogline::audit {
namespace {

constexpr std::size_t most_bins = 4000;
constexpr std::size_t middle_bins = 300;  // if all values differ and none lies near an end
constexpr std::size_t tail_fineness = 8;  // a bin r values from an end holds about r / 8 of them
constexpr std::size_t single_bins =
    1500;  // a value seen in more than this share of the samples has a bin of its own
constexpr std::size_t least_frequent = 3;  // and in at least so many

}  // namespace

Bins::Bins(std::vector<double> values, bool ordered) : ordered_(ordered) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  std::sort(values.begin(), values.end());
  const std::size_t share = values.size() / middle_bins + 1;
  std::size_t begin = 0;  // of the bin that is open
  for (std::size_t i = 0, end = 0; i < values.size(); i = end) {
    end = static_cast<std::size_t>(
        std::upper_bound(values.begin() + static_cast<std::ptrdiff_t>(i), values.end(), values[i]) -
        values.begin());
    const std::size_t from_end = std::min(end, values.size() - i);
    if (end - i >= std::max(least_frequent, values.size() / single_bins)) {
      if (ordered && i > begin) close(values[i - 1], false);
      close(values[i], true);
      begin = end;
    } else if (ordered && end - begin >= std::clamp<std::size_t>(from_end / tail_fineness, 1, share)) {
      close(values[end - 1], false);
      begin = end;
    }
  }
  if (ordered && begin < values.size()) close(values.back(), false);
}

void Bins::close(double upper, bool single) {
  if (upper_.size() + 2 > most_bins) return;
  const double below = std::nextafter(upper, -std::numeric_limits<double>::infinity());
  // What lies between the bin before and a single value is a bin too, though nothing was seen there.
  if (single && ordered_ && (upper_.empty() || upper_.back() < below)) {
    upper_.push_back(below);
    single_.push_back(0);
  }
  upper_.push_back(upper);
  single_.push_back(single ? 1 : 0);
}

std::uint16_t Bins::of(double value) const {
  if (std::isnan(value)) return static_cast<std::uint16_t>(not_a_number());
  const auto found = std::lower_bound(upper_.begin(), upper_.end(), value);
  if (!ordered_ && (found == upper_.end() || *found != value)) return static_cast<std::uint16_t>(beyond());
  return static_cast<std::uint16_t>(found - upper_.begin());
}

bool Bins::ends_before_single(std::size_t bin) const {
  return bin + 1 < upper_.size() && single_[bin + 1] != 0 &&
         upper_[bin] == std::nextafter(upper_[bin + 1], -std::numeric_limits<double>::infinity());
}

std::string Bins::words(std::size_t bin, const std::string& feature) const {
  if (bin == not_a_number()) return feature + " is missing or not a number";
  if (!ordered_) return bin == beyond() ? feature + " is a rare one" : feature + " is one certain value";
  if (bin == beyond()) return threshold_words(beyond() - 1, true, feature);
  if (single_[bin] != 0) return fmt::format("{} = {:.6g}", feature, upper_[bin]);
  if (bin == 0) return threshold_words(0, false, feature);
  return fmt::format("{:.6g} < {}", upper_[bin - 1], threshold_words(bin, false, feature));
}

std::string Bins::threshold_words(std::size_t bin, bool above, const std::string& feature) const {
  if (upper_.empty()) return feature + " is a number";
  const std::size_t at = std::min(bin, upper_.size() - 1);
  if (ends_before_single(at)) return fmt::format("{} {} {:.6g}", feature, above ? ">=" : "<", upper_[at + 1]);
  return fmt::format("{} {} {:.6g}", feature, above ? ">" : "<=", upper_[at]);
}

}  // namespace fogline::audit
