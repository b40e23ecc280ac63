// SPDX-License-Identifier: Apache-2.0
#include "kernel/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/log_interval.hpp"
#include "kernel/sparse_table.hpp"

namespace fogline::kernel {
namespace {

constexpr Real infinity = std::numeric_limits<Real>::infinity();

// Why the interval cannot be optimistic. An operation rounds by a factor within 1 +- 2^-64. A weight and its total are each rounded once,
// the total is inverted and the two multiplied: a probability is off by 4 such factors, a quotient of two probabilities by 9, its
// inverse by 10, which moves its logarithm by less than 2^-60. The logarithm of the largest quotient found is therefore within
// 2^-60 of the largest logarithm, although another quotient may be the true largest. Computing it is off by at most two units in the last place,
// 2^-62 of its value. The margin is more than three times the sum of these. Dividing by the distance is off by 2^-64 of the value, which
// the step to the next double outwards covers: at least half of it, 2^-54 of the value, is left after rounding to the nearest one.
double rounded(Real value, double direction) {
  return std::nextafter(static_cast<double>(value), direction);
}

LossBound bound_of(Real ratio, const RelatedPair& at, std::size_t output) {
  constexpr double beyond = std::numeric_limits<double>::infinity();
  if (std::isinf(ratio)) return {beyond, beyond, at, output};
  const Real loss = std::log(ratio), margin = log_margin(loss), distance = static_cast<Real>(at.distance);
  // A loss below 0 is rounding: two distributions cannot have all quotients below 1.
  return {std::max(0.0, rounded((loss - margin) / distance, -beyond)),
          rounded((loss + margin) / distance, beyond), at, output};
}

RelatedPair turned(const RelatedPair& pair) {
  return {pair.to, pair.from, pair.distance};
}

/// The worst of what several threads found; which one comes first does not matter.
class Worst {
 public:
  void take(const LossBound& next) {
    // The upper end is a maximum of its own: a slightly smaller loss on a shorter pair may be widened further.
    const double high = found_ ? std::max(worst_.high, next.high) : next.high;
    if (!found_ || next.low > worst_.low || (next.low == worst_.low && before(next, worst_))) worst_ = next;
    worst_.high = high;
    found_ = true;
  }
  void take(const Worst& other) {
    if (other.found_) take(other.worst_);
  }
  const LossBound& bound() const { return worst_; }

 private:
  static bool before(const LossBound& a, const LossBound& b) {
    return a.at != b.at ? a.at < b.at : a.output < b.output;
  }

  LossBound worst_;
  bool found_ = false;
};

void write_probabilities(const RowFunction& row, InputId input, std::span<Real> result) {
  const WeightRow weights = row(input);
  require_distribution(weights, input);
  if (weights.weights.size() != result.size()) {
    throw InvalidOption("kernel", fmt::format("the row of input {} has {} outputs where others have {}",
                                              input, weights.weights.size(), result.size()));
  }
  const Real one_weight = 1 / to_real(weights.total);
  for (std::size_t o = 0; o < result.size(); ++o) result[o] = to_real(weights.weights[o]) * one_weight;
}

std::size_t outputs_of(const RowFunction& row, InputId input) {
  const WeightRow weights = row(input);
  require_distribution(weights, input);
  return weights.weights.size();
}

/// The largest and the smallest quotient of two rows.
struct Quotients {
  Real most = 0;
  Real least = infinity;
  std::size_t most_at = 0;
  std::size_t least_at = 0;
};

Quotients quotients_of(std::span<const Real> from, std::span<const Real> to) {
  Quotients result;
  for (std::size_t o = 0; o < from.size(); ++o) {
    // Impossible from both: 0/0 is not a number and passes neither comparison.
    const Real quotient = from[o] / to[o];
    if (quotient > result.most) {
      result.most = quotient;
      result.most_at = o;
    }
    if (quotient < result.least) {
      result.least = quotient;
      result.least_at = o;
    }
  }
  return result;
}

/// The losses of a relation's pairs, both ways.
struct PairLosses {
  Worst forth;  // ln P(o|from) - ln P(o|to)
  Worst back;

  void take(const Quotients& q, const RelatedPair& pair) {
    forth.take(bound_of(q.most, pair, q.most_at));
    back.take(bound_of(1 / q.least, turned(pair), q.least_at));
  }
  void take(const PairLosses& other) {
    forth.take(other.forth);
    back.take(other.back);
  }
};

/// Rows of the inputs that pairs name, kept in memory.
class KeptRows {
 public:
  KeptRows(std::span<const InputId> named, std::size_t inputs, std::size_t outputs, const RowFunction& row,
           const CertifyOptions& options)
      : outputs_(outputs), slot_(inputs), table_(named.size() * outputs) {
    for (std::size_t i = 0; i < named.size(); ++i) slot_[named[i]] = static_cast<std::uint32_t>(i);
    ProgressMeter meter(options.progress, "computing rows", named.size());
    parallel_for(named.size(), {.threads = options.threads}, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        write_probabilities(row, named[i], std::span(table_).subspan(i * outputs_, outputs_));
        meter.advance();
      }
    });
    meter.finish();
  }

  /// What one thread reads rows through.
  struct Reader {
    const KeptRows* rows;
    std::span<const Real> from(InputId input) const { return to(input); }
    std::span<const Real> to(InputId input) const {
      return std::span(rows->table_).subspan(rows->slot_[input] * rows->outputs_, rows->outputs_);
    }
  };
  Reader reader() const { return {this}; }

 private:
  std::size_t outputs_;
  std::vector<std::uint32_t> slot_;
  std::vector<Real> table_;
};

/// Rows computed when they are asked for. Pairs are sorted, so the first one is often the last one's first.
struct FreshRows {
  const RowFunction* row;
  std::size_t outputs;

  struct Reader {
    const RowFunction* row;
    std::vector<Real> from_row, to_row;
    std::optional<InputId> held = {};

    std::span<const Real> from(InputId input) {
      if (held != input) write_probabilities(*row, input, from_row);
      held = input;
      return from_row;
    }
    std::span<const Real> to(InputId input) {
      write_probabilities(*row, input, to_row);
      return to_row;
    }
  };
  Reader reader() const { return {row, std::vector<Real>(outputs), std::vector<Real>(outputs)}; }
};

template <class Rows>
PairLosses compare(std::span<const RelatedPair> pairs, const Rows& rows, std::size_t outputs,
                   const CertifyOptions& options) {
  PairLosses all;
  std::mutex merging;
  ProgressMeter meter(options.progress, "comparing", pairs.size());
  constexpr std::size_t weights_a_task = 4096;  // a few microseconds of work
  const std::size_t grain = 1 + weights_a_task / outputs;
  parallel_for(pairs.size(), {.threads = options.threads, .grain = grain},
               [&](std::size_t begin, std::size_t end) {
                 PairLosses mine;
                 auto reader = rows.reader();
                 for (const RelatedPair& pair : pairs.subspan(begin, end - begin)) {
                   const auto from = reader.from(pair.from);
                   mine.take(quotients_of(from, reader.to(pair.to)), pair);
                   meter.advance();
                 }
                 const std::lock_guard lock(merging);
                 all.take(mine);
               });
  meter.finish();
  return all;
}

std::vector<InputId> named_inputs(std::span<const RelatedPair> pairs) {
  std::vector<InputId> named;
  named.reserve(2 * pairs.size());
  for (const RelatedPair& pair : pairs) {
    named.push_back(pair.from);
    named.push_back(pair.to);
  }
  std::sort(named.begin(), named.end());
  named.erase(std::unique(named.begin(), named.end()), named.end());
  return named;
}

PairLosses losses_of_pairs(const Relation& relation, const RowFunction& row, const CertifyOptions& options) {
  const std::vector<InputId> named = named_inputs(relation.pairs());
  const std::size_t outputs = outputs_of(row, named.front());
  if (named.size() <= options.largest_memory_bytes / sizeof(Real) / outputs) {
    const KeptRows kept(named, relation.inputs(), outputs, row, options);
    return compare(relation.pairs(), kept, outputs, options);
  }
  return compare(relation.pairs(), FreshRows{&row, outputs}, outputs, options);
}

/// The largest and the smallest probability of one output, over all inputs.
struct Spread {
  Real most = -1;
  Real least = infinity;
  InputId most_at = 0;
  InputId least_at = 0;

  void take(const Spread& other) {
    if (other.most > most || (other.most == most && other.most_at < most_at)) {
      most = other.most;
      most_at = other.most_at;
    }
    if (other.least < least || (other.least == least && other.least_at < least_at)) {
      least = other.least;
      least_at = other.least_at;
    }
  }
};

/// Writes the probabilities of an input.
using ProbabilityFunction = std::function<void(InputId, std::span<Real>)>;

std::vector<Spread> spreads_of(std::span<const InputId> inputs, std::size_t outputs,
                               const ProbabilityFunction& write, const CertifyOptions& options) {
  std::vector<Spread> all(outputs);
  std::mutex merging;
  ProgressMeter meter(options.progress, "comparing", inputs.size());
  constexpr std::size_t inputs_a_task = 16;  // each reads a whole row
  parallel_for(inputs.size(), {.threads = options.threads, .grain = inputs_a_task},
               [&](std::size_t begin, std::size_t end) {
                 std::vector<Spread> mine(outputs);
                 std::vector<Real> p(outputs);
                 for (const InputId input : inputs.subspan(begin, end - begin)) {
                   write(input, p);
                   for (std::size_t o = 0; o < outputs; ++o) mine[o].take({p[o], p[o], input, input});
                   meter.advance();
                 }
                 const std::lock_guard lock(merging);
                 for (std::size_t o = 0; o < outputs; ++o) all[o].take(mine[o]);
               });
  meter.finish();
  return all;
}

/// Every two of `inputs`: the worst pair of an output is its likeliest and its least likely input.
Worst loss_of_all_pairs(std::span<const InputId> inputs, std::size_t outputs,
                        const ProbabilityFunction& write, const CertifyOptions& options) {
  const auto spreads = spreads_of(inputs, outputs, write, options);
  Real most = 0;
  std::size_t output = 0;
  for (std::size_t o = 0; o < outputs; ++o) {
    // Impossible from all: 0/0 is not a number and passes no comparison.
    const Real quotient = spreads[o].most / spreads[o].least;
    if (quotient > most) {
      most = quotient;
      output = o;
    }
  }
  Worst worst;
  worst.take(bound_of(most, {spreads[output].most_at, spreads[output].least_at, 1}, output));
  return worst;
}

std::vector<InputId> all_inputs(std::size_t inputs) {
  std::vector<InputId> result(inputs);
  std::iota(result.begin(), result.end(), InputId{0});
  return result;
}

void write_probabilities(const SparseTable& table, InputId input, std::span<Real> result) {
  const Real one = 1 / to_real(table.total(input));
  std::fill(result.begin(), result.end(), to_real(SparseTable::floor_weight) * one);
  for (const auto& [output, weight] : table.entries(input)) result[output] = static_cast<Real>(weight) * one;
}

/// The same for two rows of a sparse table, by walking their entries together. Weights are never 0 here.
Quotients quotients_of(const SparseTable& table, InputId from, InputId to) {
  const auto a = table.entries(from), b = table.entries(to);
  const Real one_a = 1 / to_real(table.total(from)), one_b = 1 / to_real(table.total(to));
  const Real floor_a = to_real(SparseTable::floor_weight) * one_a,
             floor_b = to_real(SparseTable::floor_weight) * one_b;
  Quotients result;
  std::size_t unlisted = 0;  // the least output in neither row, once found
  const auto take = [&](Real quotient, std::size_t output) {
    if (quotient > result.most) {
      result.most = quotient;
      result.most_at = output;
    }
    if (quotient < result.least) {
      result.least = quotient;
      result.least_at = output;
    }
  };
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const std::size_t next_a = i < a.size() ? a[i].output : table.outputs();
    const std::size_t next_b = j < b.size() ? b[j].output : table.outputs();
    const std::size_t output = std::min(next_a, next_b);
    if (output == unlisted) ++unlisted;
    const Real p = next_a == output ? static_cast<Real>(a[i++].weight) * one_a : floor_a;
    const Real q = next_b == output ? static_cast<Real>(b[j++].weight) * one_b : floor_b;
    take(p / q, output);
  }
  if (unlisted < table.outputs()) take(floor_a / floor_b, unlisted);
  return result;
}

/// A sparse table as compare() reads rows: it never writes them out.
PairLosses compare(std::span<const RelatedPair> pairs, const SparseTable& table,
                   const CertifyOptions& options) {
  PairLosses all;
  std::mutex merging;
  ProgressMeter meter(options.progress, "comparing", pairs.size());
  constexpr std::size_t pairs_a_task = 16;  // each reads two rows
  parallel_for(pairs.size(), {.threads = options.threads, .grain = pairs_a_task},
               [&](std::size_t begin, std::size_t end) {
                 PairLosses mine;
                 for (const RelatedPair& pair : pairs.subspan(begin, end - begin)) {
                   mine.take(quotients_of(table, pair.from, pair.to), pair);
                   meter.advance();
                 }
                 const std::lock_guard lock(merging);
                 all.take(mine);
               });
  meter.finish();
  return all;
}

}  // namespace

Certificate certify_group(std::span<const InputId> members, const SparseTable& table,
                          const CertifyOptions& options) {
  for (const InputId input : members) {
    if (input >= table.inputs()) throw InvalidOption("members", fmt::format("there is no input {}", input));
  }
  if (members.size() < 2) return {};
  const auto write = [&](InputId input, std::span<Real> result) {
    write_probabilities(table, input, result);
  };
  return {.loss = loss_of_all_pairs(members, table.outputs(), write, options).bound(),
          .pairs = static_cast<std::uint64_t>(members.size()) * (members.size() - 1) / 2};
}

Certificate certify(const Relation& relation, const SparseTable& table, const CertifyOptions& options) {
  if (table.inputs() != relation.inputs()) throw InvalidOption("table", "must have a row for every input");
  if (relation.kind() == Relation::Kind::one_sided)
    throw InvalidOption("relation", "must be a metric, a policy or complete");
  if (relation.kind() == Relation::Kind::complete)
    return certify_group(all_inputs(table.inputs()), table, options);
  Certificate certificate{.pairs = relation.pair_count()};
  if (certificate.pairs == 0) return certificate;
  PairLosses losses = compare(relation.pairs(), table, options);
  losses.forth.take(losses.back);
  certificate.loss = losses.forth.bound();
  return certificate;
}

Certificate certify(const Relation& relation, const RowFunction& row, const CertifyOptions& options) {
  Certificate certificate{.pairs = relation.pair_count()};
  const bool one_sided = relation.kind() == Relation::Kind::one_sided;
  if (certificate.pairs == 0) {
    if (one_sided) certificate.unprotected = LossBound{};
    return certificate;
  }
  if (relation.kind() == Relation::Kind::complete) {
    const auto write = [&](InputId input, std::span<Real> result) {
      write_probabilities(row, input, result);
    };
    certificate.loss =
        loss_of_all_pairs(all_inputs(relation.inputs()), outputs_of(row, 0), write, options).bound();
    return certificate;
  }
  PairLosses losses = losses_of_pairs(relation, row, options);
  if (one_sided) {
    certificate.unprotected = losses.back.bound();
  } else {
    losses.forth.take(losses.back);
  }
  certificate.loss = losses.forth.bound();
  return certificate;
}

bool holds(const Certificate& certificate, const Rational& claimed_per_unit) {
  return at_most(certificate.loss.high, claimed_per_unit);
}

}  // namespace fogline::kernel
