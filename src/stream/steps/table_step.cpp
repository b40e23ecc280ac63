// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/table_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/error.hpp"

namespace fogline::stream {

TableStep::TableStep(std::string name, const Situation& situation, const Rational& epsilon,
                     std::vector<Part> parts, std::vector<Row> row_of_state, const Progress& progress)
    : name_(std::move(name)),
      dimension_(situation.points.dimension),
      parts_(std::move(parts)),
      row_of_state_(std::move(row_of_state)) {
  for (const Part& part : parts_) {
    first_output_.push_back(first_output_.back() + part.certified.table.outputs());
    expected_error_ += part.mass * part.certified.loss;
    lower_bound_ += part.mass * part.certified.lower_bound;
    is_fallback_ = is_fallback_ || part.certified.is_fallback;
  }
  certificate_ = certified(situation.policy, epsilon, progress);
}

/// From the tables' integers and the policy as it stands, whatever the tables were made from.
StepCertificate TableStep::certified(const LocalPolicy& policy, const Rational& epsilon,
                                     const Progress& progress) const {
  StepCertificate result{.kept = true};
  std::vector<LocalPolicy> by_part(parts_.size());
  for (std::size_t p = 0; p < parts_.size(); ++p) by_part[p].states = parts_[p].certified.table.inputs();
  const auto part_of = [&](std::uint32_t state) { return row_of_state_[state].part; };
  std::vector<std::uint32_t> rows;
  for (const auto group : policy.groups) {
    rows.clear();
    for (const std::uint32_t s : group) {
      rows.push_back(row_of_state_[s].row);
      if (part_of(s) != part_of(group.front())) result.kept = false;
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.size() > 1) by_part[part_of(group.front())].groups.add(rows);
    result.pairs += static_cast<std::uint64_t>(group.size()) * (group.size() - 1) / 2;
  }
  std::vector<std::set<std::pair<std::uint32_t, std::uint32_t>>> pairs(parts_.size());
  each_pair(policy, progress, [&](std::uint32_t a, std::uint32_t b) {
    const auto [low, high] = std::minmax(row_of_state_[a].row, row_of_state_[b].row);
    if (part_of(a) != part_of(b)) result.kept = false;
    if (low != high) pairs[part_of(a)].emplace(low, high);
    ++result.pairs;
  });
  if (!result.kept) result.joined_loss = std::numeric_limits<double>::infinity();
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    by_part[p].pairs.assign(pairs[p].begin(), pairs[p].end());
    const kernel::Certificate one =
        stream::certify(simplified(by_part[p]), parts_[p].certified.table, progress);
    result.kept = result.kept && kernel::holds(one, epsilon);
    result.joined_loss = std::max(result.joined_loss, one.loss.high);
  }
  result.any_two_loss = std::numeric_limits<double>::infinity();
  if (parts_.size() == 1) {
    const auto& table = parts_.front().certified.table;
    const kernel::Certificate any_two = kernel::certify(kernel::Relation::complete(table.inputs()), table,
                                                        {.threads = 1, .progress = progress});
    result.any_two_loss = any_two.loss.high;
  }
  return result;
}

TableStep::Output TableStep::output_of(const Answer& answer) const {
  if (answer.size() != 1 || answer[0] < 0 || static_cast<std::uint64_t>(answer[0]) >= outputs())
    throw InvalidOption("answer", "is not an answer of this step");
  const auto output = static_cast<std::size_t>(answer[0]);
  const auto after = std::upper_bound(first_output_.begin(), first_output_.end(), output);
  const auto part = static_cast<std::size_t>(after - first_output_.begin()) - 1;
  return {part, output - first_output_[part]};
}

Answer TableStep::draw(std::uint32_t state, random::Stream& noise) const {
  const Row& row = row_of_state_[state];
  const std::size_t output = parts_[row.part].certified.table.draw(row.row, noise);
  return {static_cast<std::int64_t>(first_output_[row.part] + output)};
}

void TableStep::log_weights(const Answer& answer, std::span<double> out) const {
  const auto [part, output] = output_of(answer);
  const kernel::SparseTable& table = parts_[part].certified.table;
  std::vector<double> of_row(table.inputs());
  for (std::uint32_t row = 0; row < of_row.size(); ++row) {
    const random::Odds odds = table.odds(output, row);
    of_row[row] = std::log(static_cast<double>(odds.weight)) - std::log(static_cast<double>(odds.total));
  }
  for (std::size_t s = 0; s < out.size(); ++s) {
    out[s] = row_of_state_[s].part == part ? of_row[row_of_state_[s].row]
                                           : -std::numeric_limits<double>::infinity();
  }
}

std::vector<double> TableStep::raw_point(const Answer& answer) const {
  const auto [part, output] = output_of(answer);
  const auto point = std::span(parts_[part].points).subspan(output * dimension_, dimension_);
  return {point.begin(), point.end()};
}

}  // namespace fogline::stream
