// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace fogline::traces {

/// Bounds of 99 % confidence.
struct Interval {
  double low = 0, high = 0;
};

/// Scores of records of one sort, such as distances, and who each belongs to: records of one person are not independent, and widen an interval.
struct Scores {
  std::vector<double> score;
  std::vector<std::uint32_t> group;  ///< per score, numbered alike in both sorts; or empty: each stands alone
};

/// How well a score tells members from others: smaller means member.
///
///     Separation told = separation(members, others, 1);        // told.auc, told.auc_interval, ...
///
/// auc        the chance that a member scores below another record, ties counted half: 0.5 if the score tells nothing.
/// advantage  share of members minus share of others at or below a threshold; the threshold is chosen on one half of the groups, drawn with `seed`,
///            and tried on the other, so that it is 0 on average, not above, where nothing can be told.
/// Intervals  Newcombe's score intervals (2006; 1998 for the difference), which hold at 0 and 1 too; widened by the part of the variance that groups add
///            (Obuchowski 1997).
struct Separation {
  double auc = 0;
  Interval auc_interval;
  double advantage = 0;
  Interval advantage_interval;
};

/// Throws InvalidOption if either has fewer than two scores. Cost: sorting.
Separation separation(const Scores& members, const Scores& others, std::uint64_t seed);

/// A share of `n` that were asked, `groups` as in Scores.
struct Share {
  double share = 0;
  Interval interval;
};
Share share_of(std::span<const char> yes, std::span<const std::uint32_t> group);

}  // namespace fogline::traces
