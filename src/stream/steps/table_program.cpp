// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/table_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "base/error.hpp"
#include "kernel/optimal.hpp"

namespace fogline::stream {
namespace {

using kernel::InputId;
using kernel::RelatedPair;
using kernel::Relation;
using kernel::SparseTable;

constexpr int attempts = 4;

/// The solver sees no prior below this: a smaller one changes the expected loss by nothing that anybody could measure, and would only cost
/// digits.
constexpr double least_prior = 1e-15;

/// Losses are as good as equal if they differ by less than this share of the largest: a millimetre in ten kilometres.
constexpr double negligible_loss = 1e-7;

/// Integer weights span 36 bits, so that no table can use more.
constexpr double largest_epsilon = 25;

/// What the solver is given for a policy: pairs at distance 2, members of groups at distance 1 from their hub.
struct HubRelation {
  Relation relation;
  std::size_t hubs = 0;
  double units = 1;  ///< of distance, between joined states
};

/// Every two joined states once, the lower first.
std::vector<RelatedPair> all_pairs(const LocalPolicy& policy) {
  std::vector<char> joined(policy.states * policy.states, 0);
  for (const auto group : policy.groups) {
    for (const std::uint32_t a : group) {
      for (const std::uint32_t b : group) joined[a * policy.states + b] = 1;
    }
  }
  for (const auto& [a, b] : policy.pairs) joined[a * policy.states + b] = 1;
  std::vector<RelatedPair> pairs;
  for (std::uint32_t a = 0; a < policy.states; ++a) {
    for (std::uint32_t b = a + 1; b < policy.states; ++b) {
      if (joined[a * policy.states + b]) pairs.push_back({a, b, 2});
    }
  }
  return pairs;
}

/// Whatever gives the solver less to do: a hub costs an unknown per output, and each member as much as a pair.
HubRelation hub_relation(const LocalPolicy& policy) {
  if (policy.groups.size() == 1 && policy.groups[0].size() == policy.states)
    return {Relation::complete(policy.states)};
  std::vector<RelatedPair> pairs = all_pairs(policy), spokes;
  if (pairs.size() == policy.states * (policy.states - 1) / 2) return {Relation::complete(policy.states)};
  for (const auto& [a, b] : policy.pairs) spokes.push_back({a, b, 2});
  for (std::size_t g = 0; g < policy.groups.size(); ++g) {
    for (const std::uint32_t s : policy.groups[g])
      spokes.push_back({s, static_cast<InputId>(policy.states + g), 1});
  }
  const std::size_t hubs = policy.groups.size();
  if (pairs.size() <= spokes.size() + 2 * hubs)
    return {Relation::metric(policy.states, std::move(pairs)), 0, 2};
  return {Relation::metric(policy.states + hubs, std::move(spokes)), hubs, 2};
}

double loss_of(const SparseTable& table, const TableProgram& program) {
  const std::size_t states = program.prior.size();
  double sum = 0;
  std::vector<double> floored(states, 0.0);
  for (InputId s = 0; s < states; ++s) {
    const auto total = static_cast<double>(table.total(s));
    const double floor = static_cast<double>(SparseTable::floor_weight) / total;
    const auto entries = table.entries(s);
    std::size_t next = 0;
    double mean = 0;
    for (std::size_t o = 0; o < program.outputs; ++o) {
      const bool listed = next < entries.size() && entries[next].output == o;
      mean += program.loss[o * states + s] * (listed ? entries[next++].weight / total : floor);
    }
    sum += program.prior[s] * mean;
  }
  return sum;
}

/// The output of least expected loss, if nothing is known of the state.
struct SingleAnswer {
  std::size_t output = 0;
  double loss = std::numeric_limits<double>::infinity();
};
SingleAnswer best_single(const TableProgram& program) {
  SingleAnswer best;
  const std::size_t states = program.prior.size();
  for (std::size_t o = 0; o < program.outputs; ++o) {
    double loss = 0;
    for (std::size_t s = 0; s < states; ++s) loss += program.prior[s] * program.loss[o * states + s];
    if (loss < best.loss) best = {o, loss};
  }
  return best;
}

SparseTable single_table(std::size_t states, std::size_t outputs, std::size_t output) {
  const SparseTable::Entry sure{static_cast<std::uint32_t>(output), 0x1p100};
  return SparseTable(std::vector<std::vector<SparseTable::Entry>>(states, {sure}), outputs);
}

/// Steps in the policy graph from every state to `source`.
std::vector<std::uint32_t> steps_from(std::uint32_t source, const LocalPolicy& policy,
                                      const std::vector<std::vector<std::uint32_t>>& groups_of,
                                      const std::vector<std::vector<std::uint32_t>>& neighbours) {
  constexpr std::uint32_t far = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> steps(policy.states, far);
  std::vector<char> used(policy.groups.size(), 0);
  std::queue<std::uint32_t> queue;
  const auto reach = [&](std::uint32_t state, std::uint32_t count) {
    if (steps[state] != far) return;
    steps[state] = count;
    queue.push(state);
  };
  reach(source, 0);
  for (; !queue.empty(); queue.pop()) {
    const std::uint32_t here = queue.front(), next = steps[here] + 1;
    for (const std::uint32_t other : neighbours[here]) reach(other, next);
    for (const std::uint32_t g : groups_of[here]) {
      if (used[g]++) continue;
      for (const std::uint32_t other : policy.groups[g]) reach(other, next);
    }
  }
  return steps;
}

/// For each output the state it suits best, which the exponential table takes for its centre.
std::uint32_t centre_of(const TableProgram& program, std::size_t output) {
  const auto loss = std::span(program.loss).subspan(output * program.prior.size(), program.prior.size());
  return static_cast<std::uint32_t>(std::min_element(loss.begin(), loss.end()) - loss.begin());
}

SparseTable exponential_table(const TableProgram& program, double epsilon) {
  const std::size_t states = program.prior.size();
  std::vector<std::vector<std::uint32_t>> groups_of(states), neighbours(states);
  for (std::uint32_t g = 0; g < program.policy.groups.size(); ++g) {
    for (const std::uint32_t s : program.policy.groups[g]) groups_of[s].push_back(g);
  }
  for (const auto& [a, b] : program.policy.pairs) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  std::vector<std::vector<SparseTable::Entry>> rows(states);
  for (std::size_t o = 0; o < program.outputs; ++o) {
    const auto steps = steps_from(centre_of(program, o), program.policy, groups_of, neighbours);
    for (std::size_t s = 0; s < states; ++s) {
      const double weight = std::floor(0x1p100 * std::exp(-epsilon / 2 * steps[s]));
      if (weight > 0x1p64) rows[s].push_back({static_cast<std::uint32_t>(o), weight});
    }
  }
  return SparseTable(rows, program.outputs);
}

/// The prior as the solver sees it.
std::vector<double> clamped(std::span<const double> prior) {
  std::vector<double> result;
  double sum = 0;
  for (const double p : prior) sum += result.emplace_back(std::max(p, least_prior));
  for (double& p : result) p /= sum;
  return result;
}

kernel::OptimalTable solved(const TableProgram& program, const HubRelation& hubs,
                            std::span<const double> prior, double epsilon, double bound_epsilon,
                            const TableOptions& options) {
  const auto loss = [&](std::size_t output, std::span<double> result) {
    std::copy_n(program.loss.begin() + static_cast<std::ptrdiff_t>(output * result.size()), result.size(),
                result.begin());
  };
  return kernel::optimal_table(
      {.relation = hubs.relation,
       .epsilon_per_unit = epsilon / hubs.units,
       .bound_epsilon_per_unit = bound_epsilon / hubs.units,
       .prior = prior,
       .outputs = program.outputs,
       .loss = loss,
       .hubs = hubs.hubs},
      {.gap = options.gap,
       .absolute_gap = negligible_loss * *std::max_element(program.loss.begin(), program.loss.end()),
       .iterations = options.iterations,
       .threads = 1,
       .progress = options.progress});
}

bool is_finite(const kernel::OptimalTable& columns) {
  return std::all_of(columns.columns.begin(), columns.columns.end(), [](const kernel::OptimalColumn& column) {
    return std::all_of(column.probability.begin(), column.probability.end(),
                       [](double p) { return p >= 0 && p <= 1; });
  });
}

}  // namespace

kernel::Certificate certify(const LocalPolicy& policy, const kernel::SparseTable& table,
                            const Progress& progress) {
  kernel::Certificate worst;
  const auto take = [&](const kernel::Certificate& next) {
    const std::uint64_t pairs = worst.pairs + next.pairs;
    if (worst.pairs == 0 || next.loss.high > worst.loss.high) worst = next;
    worst.pairs = pairs;
  };
  for (const auto group : policy.groups)
    take(kernel::certify_group(group, table, {.threads = 1, .progress = progress}));
  if (!policy.pairs.empty()) {
    std::vector<RelatedPair> pairs;
    for (const auto& [a, b] : policy.pairs) pairs.push_back({a, b});
    take(kernel::certify(Relation::policy(policy.states, std::move(pairs)), table,
                         {.threads = 1, .progress = progress}));
  }
  return worst;
}

CertifiedTable fallback_table(const TableProgram& program, const Rational& epsilon) {
  const SingleAnswer single = best_single(program);
  // Rounding to integers loses a little more than epsilon; a share less of it is certified.
  SparseTable table = exponential_table(program, epsilon.to_double() * (1 - 0x1p-20));
  const double loss = loss_of(table, program);
  if (loss < single.loss && kernel::holds(certify(program.policy, table), epsilon))
    return {std::move(table), loss, 0, true};
  table = single_table(program.prior.size(), program.outputs, single.output);
  return {table, loss_of(table, program), 0, true};
}

CertifiedTable certified_table(const TableProgram& program, const Rational& epsilon,
                               const TableOptions& options) {
  if (epsilon.is_zero()) throw InvalidOption("epsilon", "must be above 0");
  const std::size_t states = program.prior.size();
  const SingleAnswer single = best_single(program);
  if (states == 1 || program.outputs == 1) {
    SparseTable table = single_table(states, program.outputs, single.output);
    const double loss = loss_of(table, program);
    return {std::move(table), loss, loss * (1 - 1e-9), false};
  }
  const HubRelation hubs = hub_relation(simplified(program.policy));
  const std::vector<double> prior = clamped(program.prior);
  const double whole = std::min(epsilon.to_double(), largest_epsilon);
  // What rounding, the floor of the weights and the last digits of the row sums may cost.
  double spared = whole * 0x1p-20 + static_cast<double>(program.outputs) * 0x1p-35;
  for (int attempt = 0; attempt < attempts && spared < whole / 2; ++attempt) {
    const kernel::OptimalTable columns =
        solved(program, hubs, prior, whole - spared, whole * (1 + 1e-12), options);
    if (!is_finite(columns)) break;
    SparseTable table = kernel::sparse_table(columns, Relation::complete(states), whole,
                                             {.threads = 1, .progress = options.progress});
    const kernel::Certificate certificate = certify(program.policy, table, options.progress);
    if (kernel::holds(certificate, epsilon)) {
      const double loss = loss_of(table, program);
      const double bound = whole < largest_epsilon ? columns.lower_bound * (1 - 1e-9) : 0;
      if (loss <= single.loss) return {std::move(table), loss, bound, false};
      // Within the gap the best single answer is as good; if the solver gave up, it is what is left.
      table = single_table(states, program.outputs, single.output);
      return {table, loss_of(table, program), bound, !columns.converged};
    }
    spared = 2 * spared + 2 * std::max(0.0, certificate.loss.high - whole);
  }
  return fallback_table(program, epsilon);
}

}  // namespace fogline::stream
