// SPDX-License-Identifier: Apache-2.0
#include "kernel/best_guess.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/error.hpp"

namespace fogline::kernel::best_guess_test {
namespace {

struct Case {
  std::vector<double> prior;
  Table likelihood;
  Table loss;
};

Table table(Eigen::Index rows, Eigen::Index columns, std::initializer_list<double> values) {
  Table result(rows, columns);
  std::copy(values.begin(), values.end(), result.data());
  return result;
}

/// Small whole numbers: every sum is exact, so ties are ties.
Case arbitrary_case(bool metric) {
  const auto inputs = *rc::gen::inRange<Eigen::Index>(1, 9);
  const auto outputs = *rc::gen::inRange<Eigen::Index>(1, 12);
  const auto whole = [](int most) { return static_cast<double>(*rc::gen::inRange(0, most)); };
  Case result{std::vector<double>(static_cast<std::size_t>(inputs)), Table(inputs, outputs),
              Table(inputs, inputs)};
  for (double& share : result.prior) share = whole(6);
  for (Eigen::Index i = 0; i < result.likelihood.size(); ++i) result.likelihood.data()[i] = whole(10);
  std::vector<double> at(result.prior.size());
  for (double& place : at) place = whole(100);
  for (Eigen::Index g = 0; g < inputs; ++g) {
    for (Eigen::Index v = 0; v < inputs; ++v)
      result.loss(g, v) =
          metric ? std::abs(at[static_cast<std::size_t>(g)] - at[static_cast<std::size_t>(v)]) : whole(50);
  }
  return result;
}

double joint(const Case& example, Eigen::Index input, Eigen::Index output) {
  return example.prior[static_cast<std::size_t>(input)] * example.likelihood(input, output);
}

double cost_of(const Case& example, Eigen::Index guess, Eigen::Index output) {
  double sum = 0;
  for (Eigen::Index v = 0; v < example.loss.cols(); ++v)
    sum += joint(example, v, output) * example.loss(guess, v);
  return sum;
}

TEST(BestGuess, TwoVerticesByHand) {
  // Vertices 100 m apart, the truth reported with probability 3/4. From output 0 the guess 0 costs 1/2 * 1/4 * 100.
  const std::vector<double> prior{0.5, 0.5};
  const Table likelihood = table(2, 2, {0.75, 0.25, 0.25, 0.75});
  const Table metres = table(2, 2, {0, 100, 100, 0});
  const BestGuesses attack = best_guesses(prior, likelihood, metres);
  EXPECT_EQ(attack.guess, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_DOUBLE_EQ(attack.loss[0], 12.5);
  EXPECT_DOUBLE_EQ(attack.total_loss(), 25);
  const AttackMeasures all = measure_attacks(prior, likelihood, metres);
  EXPECT_DOUBLE_EQ(all.optimal_loss, 25);
  EXPECT_DOUBLE_EQ(all.optimal_hits, 0.75);
  EXPECT_DOUBLE_EQ(all.posterior_loss, 2 * 0.75 * 0.25 * 100);  // draws 0 where 1 is true, or the other way
  EXPECT_DOUBLE_EQ(all.posterior_hits, 0.75 * 0.75 + 0.25 * 0.25);
  EXPECT_DOUBLE_EQ(all.most_likely_hits, 0.75);
}

TEST(BestGuess, ThreeVerticesByHand) {
  //  0 --100 m-- 1 --200 m-- 2      output 0 comes from the ends, output 1 from the middle
  const std::vector<double> prior{0.4, 0.2, 0.4};
  const Table likelihood = table(3, 2, {1, 0, 0, 1, 1, 0});
  const Table metres = table(3, 3, {0, 100, 300, 100, 0, 200, 300, 200, 0});
  const BestGuesses attack = best_guesses(prior, likelihood, metres);
  // From output 0: guess 0 costs .4 * 300, guess 1 costs .4 * 100 + .4 * 200, guess 2 costs .4 * 300: all 120, so the first.
  EXPECT_EQ(attack.guess, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_DOUBLE_EQ(attack.loss[0], 120);
  EXPECT_DOUBLE_EQ(attack.loss[1], 0);
  const AttackMeasures all = measure_attacks(prior, likelihood, metres);
  EXPECT_DOUBLE_EQ(all.optimal_hits, 0.4 + 0.2);
  EXPECT_DOUBLE_EQ(all.posterior_loss, 0.8 * 0.5 * 300);
  EXPECT_DOUBLE_EQ(all.posterior_hits, 0.8 * 0.5 + 0.2);
}

TEST(BestGuess, MayHaveOtherGuessesThanInputs) {
  // Two ends of a road; a third guess lies in the middle and is worth it when the ends are equally likely.
  const Table metres = table(3, 2, {0, 100, 100, 0, 45, 45});
  const std::vector<double> prior{0.5, 0.5};
  const BestGuesses attack = best_guesses(prior, table(2, 2, {0.5, 0.5, 0.5, 0.5}), metres);
  EXPECT_EQ(attack.guess, (std::vector<std::uint32_t>{2, 2}));
  EXPECT_DOUBLE_EQ(attack.total_loss(), 45);
}

TEST(BestGuess, AgreesWithTryingEveryGuess) {
  EXPECT_TRUE(rc::check("best guesses are those of plain loops", [] {
    const Case example = arbitrary_case(false);
    const BestGuesses attack = best_guesses(example.prior, example.likelihood, example.loss);
    for (Eigen::Index o = 0; o < example.likelihood.cols(); ++o) {
      Eigen::Index best = 0;
      for (Eigen::Index g = 1; g < example.loss.rows(); ++g) {
        if (cost_of(example, g, o) < cost_of(example, best, o)) best = g;
      }
      RC_ASSERT(attack.guess[static_cast<std::size_t>(o)] == static_cast<std::uint32_t>(best));
      RC_ASSERT(attack.loss[static_cast<std::size_t>(o)] == cost_of(example, best, o));
    }
  }));
}

TEST(BestGuess, AllMeasuresAgreeWithPlainLoops) {
  EXPECT_TRUE(rc::check("measures are those of plain loops", [] {
    const Case example = arbitrary_case(true);
    const AttackMeasures all = measure_attacks(example.prior, example.likelihood, example.loss);
    const BestGuesses attack = best_guesses(example.prior, example.likelihood, example.loss);
    const BestGuesses likeliest = most_likely_guesses(example.prior, example.likelihood);
    AttackMeasures expected;
    for (Eigen::Index o = 0; o < example.likelihood.cols(); ++o) {
      const auto best = static_cast<Eigen::Index>(attack.guess[static_cast<std::size_t>(o)]);
      const auto likely = static_cast<Eigen::Index>(likeliest.guess[static_cast<std::size_t>(o)]);
      double mass = 0, largest = 0;
      for (Eigen::Index v = 0; v < example.loss.cols(); ++v) {
        mass += joint(example, v, o);
        largest = std::max(largest, joint(example, v, o));
      }
      RC_ASSERT(joint(example, likely, o) == largest);
      RC_ASSERT(likeliest.loss[static_cast<std::size_t>(o)] == mass - largest);
      if (mass == 0) continue;
      expected.optimal_loss += cost_of(example, best, o);
      expected.optimal_hits += joint(example, best, o);
      expected.most_likely_loss += cost_of(example, likely, o);
      expected.most_likely_hits += largest;
      for (Eigen::Index v = 0; v < example.loss.cols(); ++v) {
        expected.posterior_loss += joint(example, v, o) / mass * cost_of(example, v, o);
        expected.posterior_hits += joint(example, v, o) / mass * joint(example, v, o);
      }
    }
    const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); };
    RC_ASSERT(all.optimal_loss == expected.optimal_loss);
    RC_ASSERT(all.optimal_hits == expected.optimal_hits);
    RC_ASSERT(all.most_likely_loss == expected.most_likely_loss);
    RC_ASSERT(all.most_likely_hits == expected.most_likely_hits);
    RC_ASSERT(near(all.posterior_loss, expected.posterior_loss));
    RC_ASSERT(near(all.posterior_hits, expected.posterior_hits));
    // The best attack loses no more than the others, the likeliest guess is right most often, and drawing loses at most double.
    RC_ASSERT(all.optimal_loss <= all.most_likely_loss);
    RC_ASSERT(all.optimal_loss <= all.posterior_loss * (1 + 1e-12));
    RC_ASSERT(all.posterior_loss <= 2 * all.optimal_loss * (1 + 1e-12));
    RC_ASSERT(all.optimal_hits <= all.most_likely_hits);
    RC_ASSERT(all.posterior_hits <= all.most_likely_hits * (1 + 1e-12));
  }));
}

TEST(BestGuess, DoesNotDependOnTheNamesOfOutputsNorOnEqualOnes) {
  EXPECT_TRUE(rc::check("outputs may be permuted, and split in proportion", [] {
    const Case example = arbitrary_case(true);
    const Eigen::Index outputs = example.likelihood.cols();
    const AttackMeasures plain = measure_attacks(example.prior, example.likelihood, example.loss);
    Table reversed = example.likelihood.rowwise().reverse();
    RC_ASSERT(measure_attacks(example.prior, reversed, example.loss).optimal_loss == plain.optimal_loss);
    // Every output said in two ways, once in four and three times in four: nothing is learnt from the way.
    Table split(example.likelihood.rows(), 2 * outputs);
    split << 0.25 * example.likelihood, 0.75 * example.likelihood;
    const AttackMeasures twice = measure_attacks(example.prior, split, example.loss);
    RC_ASSERT(twice.optimal_loss == plain.optimal_loss);
    RC_ASSERT(twice.optimal_hits == plain.optimal_hits);
    RC_ASSERT(std::abs(twice.posterior_loss - plain.posterior_loss) <= 1e-9 * (1 + plain.posterior_loss));
  }));
}

TEST(BestGuess, BelievingTheOutputIsNoBetter) {
  EXPECT_TRUE(rc::check("AE <= Q_loss", [] {
    const Case example = arbitrary_case(true);
    const Eigen::Index shared = std::min(example.likelihood.rows(), example.likelihood.cols());
    const Table square = example.likelihood.leftCols(shared);
    double q_loss = 0;
    for (Eigen::Index o = 0; o < shared; ++o) q_loss += cost_of(example, o, o);
    RC_ASSERT(best_guesses(example.prior, square, example.loss).total_loss() <= q_loss);
  }));
}

TEST(BestGuess, AConstantMechanismLeavesTheMedianOfThePrior) {
  // Positions on a line at 0, 10, 40 and 100 m; the output says nothing, so the best guess is the median, 10 m.
  const std::vector<double> at{0, 10, 40, 100}, prior{0.3, 0.3, 0.3, 0.1};
  Table metres(4, 4);
  for (Eigen::Index g = 0; g < 4; ++g) {
    for (Eigen::Index v = 0; v < 4; ++v)
      metres(g, v) = std::abs(at[static_cast<std::size_t>(g)] - at[static_cast<std::size_t>(v)]);
  }
  const AttackMeasures all = measure_attacks(prior, Table::Constant(4, 1, 1), metres);
  EXPECT_DOUBLE_EQ(all.optimal_loss, 0.3 * 10 + 0.3 * 30 + 0.1 * 90);
  EXPECT_DOUBLE_EQ(all.optimal_hits, 0.3);
}

TEST(BestGuess, PanelsDoNotShow) {
  // More outputs than a panel holds: output o is an exact report of input o mod 3.
  const Eigen::Index outputs = 700;
  Table likelihood = Table::Zero(3, outputs);
  for (Eigen::Index o = 0; o < outputs; ++o) likelihood(o % 3, o) = 1;
  const Table metres = table(3, 3, {0, 1, 2, 1, 0, 1, 2, 1, 0});
  const std::vector<double> prior{0.5, 0.25, 0.25};
  const BestGuesses attack = best_guesses(prior, likelihood, metres);
  for (Eigen::Index o = 0; o < outputs; ++o)
    EXPECT_EQ(attack.guess[static_cast<std::size_t>(o)], static_cast<std::uint32_t>(o % 3));
  EXPECT_EQ(attack.total_loss(), 0);
  EXPECT_EQ(most_likely_guesses(prior, likelihood).guess, attack.guess);
}

TEST(BestGuess, AnOutputThatNeverOccursCostsNothing) {
  const std::vector<double> prior{0, 1};
  const Table likelihood = table(2, 2, {1, 0, 0, 1}), metres = table(2, 2, {0, 5, 5, 0});
  EXPECT_EQ(best_guesses(prior, likelihood, metres).guess, (std::vector<std::uint32_t>{0, 1}));
  const AttackMeasures all = measure_attacks(prior, likelihood, metres);
  EXPECT_EQ(all.posterior_loss, 0);
  EXPECT_EQ(all.optimal_hits, 1);
}

TEST(BestGuess, RefusesWhatDoesNotFit) {
  const double infinite = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const std::vector<double> prior{0.5, 0.5};
  const Table good = table(2, 2, {1, 0, 0, 1});
  EXPECT_THROW(best_guesses(std::vector<double>{1}, good, good), InvalidOption);
  EXPECT_THROW(best_guesses(std::vector<double>{nan, 1}, good, good), InvalidOption);
  EXPECT_THROW(best_guesses(std::vector<double>{-1, 1}, good, good), InvalidOption);
  EXPECT_THROW(best_guesses(prior, good, table(2, 3, {1, 2, 3, 4, 5, 6})), InvalidOption);
  EXPECT_THROW(best_guesses(prior, good, Table(0, 2)), InvalidOption);
  EXPECT_THROW(best_guesses(prior, good, table(2, 2, {0, infinite, infinite, 0})), InvalidOption);
  EXPECT_THROW(best_guesses(prior, good, table(2, 2, {0, -1, -1, 0})), InvalidOption);
  EXPECT_THROW(best_guesses(prior, table(2, 2, {1, nan, 0, 1}), good), InvalidOption);
  EXPECT_THROW(measure_attacks(prior, good, table(3, 2, {0, 1, 1, 0, 2, 2})), InvalidOption);
  EXPECT_THROW(most_likely_guesses(std::vector<double>{1}, good), InvalidOption);
}

}  // namespace
}  // namespace fogline::kernel::best_guess_test
