// SPDX-License-Identifier: Apache-2.0
#include "kernel/certificate.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::kernel::certificate_test {
namespace {

using testing::HasSubstr;

using Kernel = std::vector<WeightRow>;
using Pairs = std::vector<RelatedPair>;

WeightRow row_of(std::vector<Uint128> weights) {
  WeightRow row{std::move(weights), 0};
  for (const Uint128 weight : row.weights) row.total += weight;
  return row;
}

RowFunction rows_of(const Kernel& kernel) {
  return [&kernel](InputId input) { return kernel[input]; };
}

Certificate certify_pair(std::uint32_t distance, const Kernel& kernel) {
  return certify(Relation::metric(2, Pairs{{0, 1, distance}}), rows_of(kernel));
}

TEST(Certificate, OfRandomisedResponseIsItsEpsilon) {
  const auto loss = certify(Relation::complete(2), rows_of({row_of({3, 1}), row_of({1, 3})})).loss;
  EXPECT_LT(loss.low, std::log(3.0));
  EXPECT_GT(loss.high, std::log(3.0));
  EXPECT_NEAR(loss.low, loss.high, 1e-15);
}

TEST(Certificate, CountsPerUnitOfDistanceAndNamesTheWorstPlace) {
  const Kernel kernel{row_of({4, 4, 8}), row_of({4, 4, 8}), row_of({4, 8, 4})};
  const auto certificate = certify(Relation::metric(3, Pairs{{0, 1, 10}, {1, 2, 10}}), rows_of(kernel));
  EXPECT_NEAR(certificate.loss.low, std::log(2.0) / 10, 1e-15);
  // Twice as likely: output 1 from input 2, and output 2 from input 1, which comes first.
  EXPECT_EQ(certificate.loss.at, (RelatedPair{1, 2, 10}));
  EXPECT_EQ(certificate.loss.output, 2U);
  EXPECT_EQ(certificate.pairs, 2U);
  EXPECT_FALSE(certificate.unprotected);
}

TEST(Certificate, NamesTheLikelierInputFirst) {
  const auto certificate =
      certify(Relation::policy(2, Pairs{{0, 1}}), rows_of({row_of({1, 9}), row_of({5, 5})}));
  EXPECT_EQ(certificate.loss.at, (RelatedPair{1, 0, 1}));
  EXPECT_EQ(certificate.loss.output, 0U);
  EXPECT_NEAR(certificate.loss.high, std::log(5.0), 1e-14);
}

TEST(Certificate, IsInfiniteWhenAnOutputIsPossibleForOneEndOnly) {
  const Kernel kernel{row_of({1, 1}), row_of({2, 0})};
  for (const Relation& relation : {Relation::metric(2, Pairs{{0, 1, 1000}}), Relation::complete(2),
                                   Relation::policy(2, Pairs{{1, 0}})}) {
    const auto certificate = certify(relation, rows_of(kernel));
    EXPECT_TRUE(std::isinf(certificate.loss.low));
    EXPECT_TRUE(std::isinf(certificate.loss.high));
    EXPECT_EQ(certificate.loss.at.from, 0U);
    EXPECT_EQ(certificate.loss.output, 1U);
    EXPECT_FALSE(holds(certificate, Rational(~std::uint64_t{0})));
  }
}

TEST(Certificate, IgnoresOutputsThatNeverHappen) {
  const Kernel kernel{row_of({1, 0}), row_of({3, 0})};
  EXPECT_LT(certify_pair(1, kernel).loss.high, 1e-16);
  EXPECT_LT(certify(Relation::complete(2), rows_of(kernel)).loss.high, 1e-16);
}

TEST(Certificate, SeesTheTotalToo) {
  // Equal weights under different totals are different probabilities.
  EXPECT_NEAR(certify_pair(1, {row_of({5, 5}), row_of({5, 15})}).loss.high, std::log(2.0), 1e-14);
}

// The label of one pair of a path, at epsilon 1 (docs/soundness.md): on the path it is always in H; off it, it is in H with
// probability p = 1/(1+sqrt(e)), about 378/1000. Towards "it is on the path" the loss is ln(1/p); the other way it is unbounded.
TEST(Certificate, OneSidedBoundsTheProtectedWayAndReportsTheOther) {
  const InputId on_path = 0, off_path = 1;
  const Kernel kernel{row_of({1000, 0}), row_of({378, 622})};
  const auto certificate = certify(Relation::one_sided(2, Pairs{{on_path, off_path}}), rows_of(kernel));
  EXPECT_NEAR(certificate.loss.high, std::log(1000.0 / 378), 1e-14);
  EXPECT_EQ(certificate.loss.at.from, on_path);
  EXPECT_EQ(certificate.loss.output, 0U);
  ASSERT_TRUE(certificate.unprotected);
  EXPECT_TRUE(std::isinf(certificate.unprotected->low));
  EXPECT_EQ(certificate.unprotected->at, (RelatedPair{off_path, on_path, 1}));
  EXPECT_EQ(certificate.unprotected->output, 1U);
  EXPECT_TRUE(holds(certificate, Rational(98, 100)));

  const auto wrong_way = certify(Relation::one_sided(2, Pairs{{off_path, on_path}}), rows_of(kernel));
  EXPECT_TRUE(std::isinf(wrong_way.loss.high));
  EXPECT_NEAR(wrong_way.unprotected->high, std::log(1000.0 / 378), 1e-14);
}

TEST(Certificate, OfNothingToCompareIsZero) {
  const RowFunction never = [](InputId) -> WeightRow { throw std::logic_error("no row is needed"); };
  EXPECT_EQ(certify(Relation::complete(1), never).loss.high, 0);
  EXPECT_EQ(certify(Relation::policy(7, {}), never).pairs, 0U);
  EXPECT_EQ(certify(Relation::one_sided(7, {}), never).unprotected->high, 0);
}

std::string refusal(const Relation& relation, const Kernel& kernel) {
  try {
    certify(relation, rows_of(kernel));
  } catch (const InvalidOption& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Certificate, RefusesRowsThatAreNoDistribution) {
  const Uint128 half = Uint128{1} << 127;
  const WeightRow good = row_of({1, 1});
  for (const Relation& relation : {Relation::metric(2, Pairs{{0, 1, 5}}), Relation::complete(2)}) {
    EXPECT_THAT(refusal(relation, {good, row_of({1})}), HasSubstr("input 1 has 1 outputs"));
    EXPECT_THAT(refusal(relation, {good, {{1, 1}, 3}}), HasSubstr("not the sum"));
    EXPECT_THAT(refusal(relation, {{{1, 1}, 1}, good}), HasSubstr("input 0 has a total"));
    EXPECT_THAT(refusal(relation, {good, row_of({0, 0})}), HasSubstr("no weight above 0"));
    EXPECT_THAT(refusal(relation, {good, {{half, half}, 0}}), HasSubstr("2^128"));
    EXPECT_THAT(refusal(relation, {row_of({}), row_of({})}), HasSubstr("no weight above 0"));
    EXPECT_EQ(refusal(relation, {good, row_of({half, half - 1})}), "accepted");
  }
}

TEST(Certificate, HoldsUpToItsUpperEndExactly) {
  EXPECT_TRUE(holds({.loss = {.low = 0.1, .high = 0.5}}, Rational(1, 2)));
  EXPECT_FALSE(holds({.loss = {.low = 0.1, .high = std::nextafter(0.5, 1)}}, Rational(1, 2)));
}

// ---- Against 100-digit arithmetic ----

using Wide = boost::multiprecision::cpp_bin_float_100;

Wide wide(Uint128 value) {
  return Wide(high_half(value)) * pow(Wide(2), 64) + Wide(low_half(value));
}

/// The largest loss from one row to another; -1 if infinite.
Wide true_loss(const WeightRow& from, const WeightRow& to) {
  Wide most = 0;
  for (std::size_t o = 0; o < from.weights.size(); ++o) {
    if (from.weights[o] == 0) continue;
    if (to.weights[o] == 0) return -1;
    const Wide quotient = wide(from.weights[o]) * wide(to.total) / (wide(to.weights[o]) * wide(from.total));
    most = std::max(most, quotient);
  }
  return log(most);
}

/// Weights of every size, equal ones, neighbours of powers of two, and now and then a 0.
WeightRow any_row(std::size_t outputs, bool with_zeros) {
  std::vector<Uint128> weights;
  for (std::size_t o = 0; o < outputs; ++o) {
    const int kind = *rc::gen::inRange(with_zeros ? 0 : 1, 6);
    const int bits = *rc::gen::inRange(0, 124);
    const Uint128 power = Uint128{1} << bits;
    const Uint128 random = ((static_cast<Uint128>(*rc::gen::arbitrary<std::uint64_t>()) << 64) |
                            *rc::gen::arbitrary<std::uint64_t>()) &
                           (power - 1);
    weights.push_back(kind == 0               ? 0
                      : kind == 1             ? 1
                      : kind == 2             ? power
                      : kind == 3 && bits > 0 ? power - 1
                                              : power + random);
  }
  // Sometimes one weight is as large as can be.
  if (*rc::gen::inRange(0, 4) == 0) weights[0] = Uint128{1} << 127;
  if (*rc::gen::inRange(0, 8) == 0) weights.back() = 1;
  if (std::all_of(weights.begin(), weights.end(), [](Uint128 w) { return w == 0; })) weights[0] = 1;
  return row_of(weights);
}

void expect_encloses(const LossBound& bound, const Wide& truth) {
  if (truth < 0) {
    RC_ASSERT(std::isinf(bound.low) && std::isinf(bound.high));
    return;
  }
  RC_ASSERT(Wide(bound.low) <= truth);
  RC_ASSERT(Wide(bound.high) >= truth);
  RC_ASSERT(bound.high - bound.low <= 0x1p-56 + 0x1p-50 * bound.high);
}

TEST(Certificate, EnclosesTheTruthOfRandomRows) {
  EXPECT_TRUE(rc::check("pairs both ways, per unit of distance, and all pairs", [] {
    const auto outputs = *rc::gen::inRange<std::size_t>(1, 7);
    const bool zeros = *rc::gen::arbitrary<bool>();
    const Kernel kernel{any_row(outputs, zeros), any_row(outputs, zeros), any_row(outputs, zeros)};
    const auto distance = *rc::gen::inRange<std::uint32_t>(1, 100'000);

    const auto one_sided = certify(Relation::one_sided(3, Pairs{{0, 1}}), rows_of(kernel));
    expect_encloses(one_sided.loss, true_loss(kernel[0], kernel[1]));
    expect_encloses(*one_sided.unprotected, true_loss(kernel[1], kernel[0]));

    const auto larger = [&](InputId a, InputId b) {
      const Wide there = true_loss(kernel[a], kernel[b]), back = true_loss(kernel[b], kernel[a]);
      return there < 0 || back < 0 ? Wide(-1) : std::max(there, back);
    };
    const auto metric = certify(Relation::metric(3, Pairs{{0, 1, distance}}), rows_of(kernel));
    const Wide pair = larger(0, 1);
    expect_encloses(metric.loss, pair < 0 ? pair : pair / distance);

    const Wide all[] = {larger(0, 1), larger(0, 2), larger(1, 2)};
    const bool infinite = all[0] < 0 || all[1] < 0 || all[2] < 0;
    const Wide most = std::max(all[0], std::max(all[1], all[2]));
    expect_encloses(certify(Relation::complete(3), rows_of(kernel)).loss, infinite ? Wide(-1) : most);
  }));
}

TEST(Certificate, EnclosesTheTruthOfRowsThatAreNearlyTheSame) {
  // Losses of a few units of rounding, where an optimistic certificate would say 0.
  for (int bits = 1; bits < 126; ++bits) {
    const Uint128 weight = Uint128{1} << bits;
    const Kernel kernel{row_of({weight, weight}), row_of({weight + 1, weight - 1})};
    const Wide truth = std::max(true_loss(kernel[0], kernel[1]), true_loss(kernel[1], kernel[0]));
    const auto loss = certify_pair(1, kernel).loss;
    EXPECT_LE(Wide(loss.low), truth) << bits;
    EXPECT_GE(Wide(loss.high), truth) << bits;
    EXPECT_GT(loss.high, 0) << bits;
  }
}

TEST(Certificate, CompleteAgreesWithAllPairsJoined) {
  EXPECT_TRUE(rc::check("one pass over the rows finds what all pairs find", [] {
    const auto inputs = *rc::gen::inRange<InputId>(2, 9);
    Kernel kernel;
    for (InputId i = 0; i < inputs; ++i) kernel.push_back(any_row(4, false));
    Pairs pairs;
    for (InputId i = 0; i < inputs; ++i) {
      for (InputId j = i + 1; j < inputs; ++j) pairs.push_back({i, j});
    }
    const auto joined = certify(Relation::policy(inputs, pairs), rows_of(kernel)).loss;
    const auto complete = certify(Relation::complete(inputs), rows_of(kernel)).loss;
    RC_ASSERT(complete.low <= joined.high && joined.low <= complete.high);
  }));
}

Kernel wavy_kernel(InputId inputs, std::size_t outputs) {
  Kernel kernel;
  for (InputId i = 0; i < inputs; ++i) {
    std::vector<Uint128> weights;
    for (std::size_t o = 0; o < outputs; ++o) weights.push_back(1000 + (i * 7919 + o * 104'729) % 997);
    kernel.push_back(row_of(weights));
  }
  return kernel;
}

TEST(Certificate, IsTheSameWhateverTheThreadsAndTheMemory) {
  const Kernel kernel = wavy_kernel(60, 40);
  Pairs pairs;
  for (InputId i = 0; i + 1 < 60; ++i) pairs.push_back({i, i + 1, 1 + i % 5});
  for (const Relation& relation : {Relation::metric(60, pairs), Relation::complete(60)}) {
    const auto expected = certify(relation, rows_of(kernel), {.threads = 1}).loss;
    for (const int threads : {1, 2, 5}) {
      for (const int memory : {0, 60 * 40 * 16 - 1, 60 * 40 * 16}) {
        const auto loss =
            certify(relation, rows_of(kernel),
                    {.threads = threads, .largest_memory_bytes = static_cast<std::uint64_t>(memory)})
                .loss;
        EXPECT_EQ(loss.low, expected.low);
        EXPECT_EQ(loss.high, expected.high);
        EXPECT_EQ(loss.at, expected.at);
        EXPECT_EQ(loss.output, expected.output);
      }
    }
  }
}

// ---- Nothing is left out ----

/// Where rows that are all alike have one exception: a weight four times as large, or a quarter.
struct Exception {
  InputId input = 0;
  std::size_t output = 0;
  Uint128 weight = 0;
};
constexpr Uint128 usual_weight = 1000;
constexpr Uint128 unusual_weights[] = {4 * usual_weight, usual_weight / 4};

Kernel alike_but(InputId inputs, std::size_t outputs, const Exception& exception) {
  std::vector<Uint128> usual(outputs, usual_weight), unusual = usual;
  unusual[exception.output] = exception.weight;
  Kernel kernel(inputs, row_of(usual));
  kernel[exception.input] = row_of(unusual);
  return kernel;
}

/// 0 with 1, 2 with 3, and so on: an exception concerns one pair alone.
Pairs disjoint_pairs(InputId count) {
  Pairs pairs;
  for (InputId i = 0; i < count; ++i) pairs.push_back({2 * i, 2 * i + 1});
  return pairs;
}

void expect_found(const LossBound& loss, const Exception& exception) {
  EXPECT_GT(loss.low, std::log(2.0));
  EXPECT_EQ(loss.output, exception.output);
  EXPECT_TRUE(loss.at.from == exception.input || loss.at.to == exception.input);
}

TEST(Certificate, FindsTheOnePairThatBreaksItWhereverItIs) {
  // 2,048 outputs make pieces of three pairs for a thread; 8 make one piece.
  constexpr InputId inputs = 34;
  for (const std::size_t outputs : {std::size_t{8}, std::size_t{2048}}) {
    for (InputId input = 0; input < inputs; ++input) {
      const Exception exception{input, (input * 7919) % outputs, unusual_weights[input / 2 % 2]};
      const Kernel kernel = alike_but(inputs, outputs, exception);
      for (const int threads : {1, 3}) {
        for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{1} << 30}) {
          const CertifyOptions options{.threads = threads, .largest_memory_bytes = memory};
          const Relation policy = Relation::policy(inputs, disjoint_pairs(inputs / 2));
          expect_found(certify(policy, rows_of(kernel), options).loss, exception);
        }
      }
      expect_found(certify(Relation::complete(inputs), rows_of(kernel), {.threads = 3}).loss, exception);
    }
  }
}

TEST(Certificate, FindsTheOneOutputThatBreaksItWhereverItIs) {
  constexpr std::size_t outputs = 9;
  for (const Uint128 weight : unusual_weights) {
    for (std::size_t output = 0; output < outputs; ++output) {
      for (const InputId input : {0U, 1U}) {
        const Exception exception{input, output, weight};
        const Kernel kernel = alike_but(2, outputs, exception);
        expect_found(certify_pair(1, kernel).loss, exception);
        expect_found(certify(Relation::complete(2), rows_of(kernel)).loss, exception);
        const auto one_sided = certify(Relation::one_sided(2, Pairs{{0, 1}}), rows_of(kernel));
        const bool protected_way = (input == 0) == (weight > usual_weight);
        expect_found(protected_way ? one_sided.loss : *one_sided.unprotected, exception);
      }
    }
  }
}

TEST(Certificate, AsksForFewRowsWhenTheyFitAndForTwoAPairOtherwise) {
  const Kernel kernel = wavy_kernel(10, 4);
  // A star: the centre is the first of every pair, and input 9 is in none.
  Pairs star;
  for (InputId leaf = 1; leaf < 9; ++leaf) star.push_back({0, leaf});
  const auto rows_asked = [&](std::uint64_t memory) {
    std::atomic<int> asked = 0;
    certify(Relation::policy(10, star),
            [&](InputId i) {
              ++asked;
              EXPECT_NE(i, 9U);
              return kernel[i];
            },
            {.threads = 1, .largest_memory_bytes = static_cast<std::uint64_t>(memory)});
    return asked - 1;  // one is asked first, for the number of outputs
  };
  EXPECT_EQ(rows_asked(9 * 4 * 16), 9);
  EXPECT_EQ(rows_asked(9 * 4 * 16 - 1), 1 + 8);
}

TEST(Certificate, TellsItsProgressAndCanBeStopped) {
  const Kernel kernel = wavy_kernel(30, 4);
  std::uint64_t last = 0;
  certify(Relation::complete(30), rows_of(kernel),
          {.threads = 1, .progress = [&](const ProgressUpdate& update) {
             last = update.done;
             return update.total == 30;
           }});
  EXPECT_EQ(last, 30U);
  const CertifyOptions stop{.threads = 1, .progress = [](const ProgressUpdate&) { return false; }};
  EXPECT_THROW(certify(Relation::complete(30), rows_of(kernel), stop), Cancelled);
  EXPECT_THROW(certify(Relation::policy(30, Pairs{{1, 2}}), rows_of(kernel), stop), Cancelled);
}

}  // namespace
}  // namespace fogline::kernel::certificate_test
