// SPDX-License-Identifier: Apache-2.0
#include "mobility/chain_builder.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace fogline::mobility {
namespace {

constexpr double sum_tolerance = 1e-6;

bool is_one(double sum) {
  // A third written three times as 0.333333 is just at the tolerance, so leave room for rounding.
  return std::abs(sum - 1) <= sum_tolerance * (1 + 1e-6);
}

}  // namespace

ChainBuilder::ChainBuilder(const io::NameTable& names, std::string file)
    : names_(names), file_(std::move(file)) {}

void ChainBuilder::add(StateId from, StateId to, double probability, std::uint64_t line) {
  if (!(probability >= 0 && probability <= 1))
    throw DataError({file_, line}, fmt::format("the probability from \"{}\" to \"{}\" lies outside 0 to 1",
                                               names_.name(from), names_.name(to)));
  entries_.push_back({from, to, probability, line});
}

void ChainBuilder::divide_row(std::size_t begin, std::size_t end, StateId state) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += entries_[i].probability;
  if (sum == 0)
    throw DataError({file_}, fmt::format("state \"{}\" has no transition", names_.name(state)),
                    "if it is never left, add one from it to itself with probability 1");
  if (!is_one(sum))
    throw DataError(
        {file_}, fmt::format("the transitions of state \"{}\" sum to {}, not to 1", names_.name(state), sum),
        "divide each by their sum");
  for (std::size_t i = begin; i < end; ++i) entries_[i].probability /= sum;
}

MarkovModel ChainBuilder::finish(std::vector<double> initial) && {
  const auto key = [](const Entry& e) { return std::tuple(e.from, e.to, e.line); };
  if (!std::is_sorted(entries_.begin(), entries_.end(),
                      [&](const Entry& a, const Entry& b) { return key(a) < key(b); }))
    std::sort(entries_.begin(), entries_.end(),
              [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
  const auto twice = std::adjacent_find(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.from == b.from && a.to == b.to;
  });
  if (twice != entries_.end())
    throw DataError({file_, std::next(twice)->line},
                    fmt::format("the transition from \"{}\" to \"{}\" is given twice",
                                names_.name(twice->from), names_.name(twice->to)),
                    "remove one of them");
  std::vector<std::uint64_t> offset = {0};
  std::vector<MarkovModel::Transition> transitions;
  transitions.reserve(entries_.size());
  std::size_t next = 0;
  for (StateId s = 0; s < names_.size(); ++s) {
    const std::size_t begin = next;
    while (next < entries_.size() && entries_[next].from == s) ++next;
    divide_row(begin, next, s);
    for (std::size_t i = begin; i < next; ++i)
      if (entries_[i].probability > 0) transitions.push_back({entries_[i].to, entries_[i].probability});
    offset.push_back(transitions.size());
  }
  return MarkovModel(std::move(offset), std::move(transitions), std::move(initial));
}

std::vector<double> checked_distribution(std::vector<double> probability, const io::NameTable& names,
                                         const FileSpot& spot) {
  if (probability.size() != names.size())
    throw DataError(spot, "the first state must have a probability for each state");
  double sum = 0;
  for (StateId s = 0; s < probability.size(); ++s) {
    if (!(probability[s] >= 0 && probability[s] <= 1))
      throw DataError(
          spot, fmt::format("the probability to start in state \"{}\" lies outside 0 to 1", names.name(s)));
    sum += probability[s];
  }
  if (!is_one(sum))
    throw DataError(spot, fmt::format("the probabilities of the first state sum to {}, not to 1", sum),
                    "divide each by their sum");
  for (double& p : probability) p /= sum;
  return probability;
}

}  // namespace fogline::mobility
