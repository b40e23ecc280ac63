// SPDX-License-Identifier: Apache-2.0
#include "traces/measures/separation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "random/key.hpp"

namespace fogline::traces {
namespace {

constexpr double z = 2.5758293035489004;  // of the normal distribution, for 99 % between -z and z

/// Scores with a group for each, made up where none was given.
struct Grouped {
  const std::vector<double>& score;
  std::vector<std::uint32_t> group;
};

Grouped grouped(const Scores& scores, std::size_t first) {
  Grouped made{scores.score, scores.group};
  for (std::size_t i = made.group.size(); i < made.score.size(); ++i)
    made.group.push_back(static_cast<std::uint32_t>(first + i));
  return made;
}

/// Per score: the share of the others above it, ties half.
std::vector<double> shares_above(const std::vector<double>& scores, std::vector<double> others) {
  std::sort(others.begin(), others.end());
  std::vector<double> shares;
  shares.reserve(scores.size());
  for (const double score : scores) {
    const auto [from, to] = std::equal_range(others.begin(), others.end(), score);
    const double above = static_cast<double>(others.end() - to) + static_cast<double>(to - from) / 2;
    shares.push_back(above / static_cast<double>(others.size()));
  }
  return shares;
}

double mean_score(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// How much larger the variance of the mean is for the groups: 1 if each stands alone.
double inflation(double grouped_variance, double plain_variance, double per_group) {
  // Where all scores agree nothing shows how groups hang together: then each group counts as one record.
  return plain_variance > 0 ? std::max(1.0, grouped_variance / plain_variance) : per_group;
}

double inflation_of_auc(const Grouped& members, const Grouped& others, const std::vector<double>& of_members,
                        const std::vector<double>& of_others, double auc) {
  const auto m = static_cast<double>(of_members.size()), n = static_cast<double>(of_others.size());
  std::map<std::uint32_t, double> off;  // per group: its part of the error of the estimate
  double plain = 0;
  for (std::size_t i = 0; i < of_members.size(); ++i) {
    const double part = (of_members[i] - auc) / m;
    off[members.group[i]] += part;
    plain += part * part;
  }
  for (std::size_t i = 0; i < of_others.size(); ++i) {
    const double part = (of_others[i] - auc) / n;
    off[others.group[i]] += part;
    plain += part * part;
  }
  double by_group = 0;
  for (const auto& [group, part] : off) by_group += part * part;
  return inflation(by_group, plain, (m + n) / static_cast<double>(off.size()));
}

/// Hanley and McNeil's variance of an area, with both sorts as large as their mean (Newcombe's method 5).
double variance_of_area(double area, double m, double n) {
  const double each = (m + n) / 2;
  return area * (1 - area) * (1 + (each - 1) * (1 - area) / (2 - area) + (each - 1) * area / (1 + area)) /
         (m * n);
}

/// The area farthest from `auc`, towards `end`, that is still within z standard errors of it.
double last_area(double auc, double end, double m, double n, double inflated) {
  constexpr int bisections = 60;  // of an interval of at most 1: far below a double's rounding
  double inside = auc, outside = end;
  for (int i = 0; i < bisections; ++i) {
    const double middle = (inside + outside) / 2;
    const bool within = std::abs(middle - auc) <= z * std::sqrt(inflated * variance_of_area(middle, m, n));
    (within ? inside : outside) = middle;
  }
  return inside;
}

Interval wilson(double share, double n) {
  const double middle = share + z * z / (2 * n),
               spread = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return {std::max(0.0, (middle - spread) / (1 + z * z / n)),
          std::min(1.0, (middle + spread) / (1 + z * z / n))};
}

/// The threshold of the largest difference of shares at or below it.
double best_threshold(std::vector<double> members, std::vector<double> others) {
  std::sort(members.begin(), members.end());
  std::sort(others.begin(), others.end());
  double best = 0, threshold = -std::numeric_limits<double>::infinity();
  std::size_t below = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (i + 1 < members.size() && members[i + 1] == members[i]) continue;
    while (below < others.size() && others[below] <= members[i]) ++below;
    const double advantage = static_cast<double>(i + 1) / static_cast<double>(members.size()) -
                             static_cast<double>(below) / static_cast<double>(others.size());
    if (advantage <= best) continue;
    best = advantage;
    threshold = members[i];
  }
  return threshold;
}

/// The scores of one half of the groups, and the other half with its groups.
struct Halves {
  std::vector<double> chosen_on;
  Scores tried_on;
};

Halves halves(const Grouped& scores, std::uint64_t seed) {
  const random::StreamFamily coins = random::SeededKey(seed).streams("traces attack halves");
  Halves made;
  for (std::size_t i = 0; i < scores.score.size(); ++i) {
    if (coins.stream(scores.group[i]).next_bit()) {
      made.chosen_on.push_back(scores.score[i]);
    } else {
      made.tried_on.score.push_back(scores.score[i]);
      made.tried_on.group.push_back(scores.group[i]);
    }
  }
  return made;
}

Share share_below(const Scores& scores, double threshold) {
  std::vector<char> below;
  for (const double score : scores.score) below.push_back(score <= threshold ? 1 : 0);
  return share_of(below, scores.group);
}

void add_advantage(const Grouped& members, const Grouped& others, std::uint64_t seed, Separation& told) {
  const Halves a = halves(members, seed), b = halves(others, seed);
  told.advantage_interval = {-1, 1};
  if (a.chosen_on.empty() || b.chosen_on.empty() || a.tried_on.score.empty() || b.tried_on.score.empty())
    return;
  const double threshold = best_threshold(a.chosen_on, b.chosen_on);
  const Share in = share_below(a.tried_on, threshold), out = share_below(b.tried_on, threshold);
  told.advantage = in.share - out.share;
  told.advantage_interval = {
      told.advantage - std::hypot(in.share - in.interval.low, out.interval.high - out.share),
      told.advantage + std::hypot(in.interval.high - in.share, out.share - out.interval.low)};
}

}  // namespace

Share share_of(std::span<const char> yes, std::span<const std::uint32_t> group) {
  const auto n = static_cast<double>(yes.size());
  if (yes.empty()) return {0, {0, 1}};
  const double share = static_cast<double>(std::count(yes.begin(), yes.end(), 1)) / n;
  std::map<std::uint32_t, double> off;
  for (std::size_t i = 0; i < group.size(); ++i) off[group[i]] += (static_cast<double>(yes[i]) - share) / n;
  double by_group = 0;
  for (const auto& [key, part] : off) by_group += part * part;
  const double inflated =
      group.empty() ? 1 : inflation(by_group, share * (1 - share) / n, n / static_cast<double>(off.size()));
  return {share, wilson(share, n / inflated)};
}

Separation separation(const Scores& members, const Scores& others, std::uint64_t seed) {
  if (members.score.size() < 2 || others.score.size() < 2)
    throw InvalidOption("trips", "an attack needs two members and two others at least");
  const Grouped in = grouped(members, 0), out = grouped(others, members.score.size());
  const std::vector<double> of_members = shares_above(in.score, out.score);
  std::vector<double> of_others = shares_above(out.score, in.score);
  for (double& share : of_others) share = 1 - share;
  Separation told;
  told.auc = mean_score(of_members);
  const auto m = static_cast<double>(of_members.size()), n = static_cast<double>(of_others.size());
  const double inflated = inflation_of_auc(in, out, of_members, of_others, told.auc);
  told.auc_interval = {last_area(told.auc, 0, m, n, inflated), last_area(told.auc, 1, m, n, inflated)};
  add_advantage(in, out, seed, told);
  return told;
}

}  // namespace fogline::traces
