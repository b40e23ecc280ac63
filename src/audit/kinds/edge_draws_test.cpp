// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/edge_draws.hpp"

#include <cmath>
#include <cstdlib>
#include <functional>
#include <unordered_map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "weights/mechanisms/blocks.hpp"
#include "weights/mechanisms/noise.hpp"

namespace fogline::audit::edge_draws_test {
namespace {

using testing::HasSubstr;
using weights::Blocks;
using weights::Noise;
using weights::ProtectedUnit;
using weights::WeightGrid;

// False alarm of each audit below: 1e-7, with a fixed seed.
const EdgeDrawsOptions quick{.samples = 10'000};

const Noise::Options endless{.grid = WeightGrid::parse("0:", "1"),
                             .epsilon = privacy::Epsilon{1, 2},
                             .protection = {.unit = ProtectedUnit::change}};
const Blocks::Options hundred{.grid = WeightGrid::parse("1:100", "1"), .epsilon = privacy::Epsilon{3, 1}};

/// A mechanism whose draws go through a test's hands.
template <class Sound>
class Planted : public Sound {
 public:
  using Points = std::span<const std::int64_t>;
  using Drawn = std::span<std::int64_t>;
  using Fault = std::function<void(const Sound&, Points, random::Stream&, Drawn)>;

  Planted(const typename Sound::Options& options, Fault fault) : Sound(options), fault_(std::move(fault)) {}
  void draw(Points points, random::Stream& noise, Drawn drawn) const override {
    Sound::draw(points, noise, drawn);
    fault_(*this, points, noise, drawn);
  }

 private:
  Fault fault_;
};

using Points = Planted<Noise>::Points;
using Drawn = Planted<Noise>::Drawn;

EdgeDraws audit_noise(const Planted<Noise>::Fault& fault) {
  return audit_edge_draws(Planted<Noise>(endless, fault), quick);
}

EdgeDraws audit_blocks(const Planted<Blocks>::Fault& fault) {
  return audit_edge_draws(Planted<Blocks>(hundred, fault), quick);
}

TEST(EdgeDraws, PassesSoundMechanisms) {
  for (const char* range : {"0:", "0:1", "100:600"}) {
    for (const auto law : {weights::NoiseLaw::geometric, weights::NoiseLaw::staircase}) {
      Noise::Options options = endless;
      options.law = law;
      options.grid = WeightGrid::parse(range, "1");
      const EdgeDraws draws = audit_edge_draws(Noise(options), quick);
      EXPECT_TRUE(draws.fit.fits) << draws.fit.sentence;
      EXPECT_TRUE(draws.pairs.fits) << draws.pairs.sentence;
    }
  }
  for (const std::uint64_t epsilon : {1U, 10U, 50U}) {
    for (const char* range : {"0:1", "1:100", "0:3000"}) {
      const EdgeDraws draws = audit_edge_draws(
          Blocks({.grid = WeightGrid::parse(range, "1"), .epsilon = privacy::Epsilon{epsilon, 1}}), quick);
      EXPECT_TRUE(draws.fit.fits) << draws.fit.sentence;
      EXPECT_TRUE(draws.pairs.fits) << draws.pairs.sentence;
    }
  }
}

TEST(EdgeDraws, SaysWhatWasDrawn) {
  const EdgeDraws draws = audit_edge_draws(Blocks(hundred), quick);
  EXPECT_EQ(draws.weights,
            (std::vector<std::string>{"1:25", "26:50", "51:75", "76:100", "1:100 in short lists", "1:100"}));
  EXPECT_GE(draws.draws, 50'000U);
  EXPECT_LT(draws.draws, 50'000U + 32);
  EXPECT_EQ(draws.pairs_of_edges, 5 * 40'000U - (1 + 2 + 3 + 512 + 1024));
  EXPECT_EQ(draws.apart.size(), 12U);
  EXPECT_EQ(draws.apart.front(), "edges 1 apart, even places");
  EXPECT_EQ(audit_edge_draws(Noise(endless), quick).weights,
            (std::vector<std::string>{"0:127", "128:32767", "32768:8388607", "8388608:2147483647",
                                      "0: in short lists"}));
}

TEST(EdgeDraws, DoesNotDependOnThreads) {
  const EdgeDraws one = audit_edge_draws(Blocks(hundred), {.samples = 2000, .threads = 1});
  const EdgeDraws three = audit_edge_draws(Blocks(hundred), {.samples = 2000, .threads = 3});
  EXPECT_EQ(one.fit.largest_deviations(), three.fit.largest_deviations());
  EXPECT_EQ(one.pairs.largest_deviations(), three.pairs.largest_deviations());
}

TEST(EdgeDraws, CatchesNoiseAtAFewPointsOnly) {
  const EdgeDraws draws = audit_noise([](const Noise&, Points points, random::Stream&, Drawn drawn) {
    for (std::size_t i = 0; i < points.size(); ++i)
      if (points[i] != 0 && points[i] != 1000) drawn[i] = points[i];
  });
  EXPECT_FALSE(draws.fit.fits);
}

TEST(EdgeDraws, CatchesATruthfulTableAwayFromTheEnds) {
  const EdgeDraws draws = audit_blocks([](const Blocks& blocks, Points points, random::Stream&, Drawn drawn) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (points[i] == 0 || points[i] == 49 || points[i] == 99) continue;
      for (drawn[i] = 0; blocks.log_weight(drawn[i], points[i]) < std::log(0.5);) ++drawn[i];
    }
  });
  EXPECT_FALSE(draws.fit.fits);
  EXPECT_THAT(draws.fit.sentence, HasSubstr("The draws of blocks do not follow its table: of weights 1:25"));
}

TEST(EdgeDraws, CatchesListsOfOneWithoutNoise) {
  const EdgeDraws draws = audit_noise([](const Noise&, Points points, random::Stream&, Drawn drawn) {
    if (points.size() == 1) drawn[0] = points[0];
  });
  EXPECT_FALSE(draws.fit.fits);
  EXPECT_THAT(draws.fit.sentence, HasSubstr("in short lists"));
}

TEST(EdgeDraws, CatchesNoiseThatIsTakenBackAtTheNextEdge) {
  for (const std::size_t first : {0U, 1U}) {
    const EdgeDraws draws = audit_noise([first](const Noise&, Points points, random::Stream&, Drawn drawn) {
      for (std::size_t i = first + 1; i < points.size(); i += 2)
        drawn[i] = points[i] - (drawn[i - 1] - points[i - 1]);
    });
    EXPECT_TRUE(draws.fit.fits) << "the sums are exact, and no single edge shows it: " << draws.fit.sentence;
    EXPECT_FALSE(draws.pairs.fits);
    EXPECT_THAT(draws.pairs.sentence, HasSubstr(first == 0 ? "edges 1 apart, even" : "edges 1 apart, odd"));
  }
}

TEST(EdgeDraws, CatchesLiesThatComeInPairs) {
  const EdgeDraws draws = audit_blocks([](const Blocks& blocks, Points points, random::Stream& noise,
                                          Drawn drawn) {
    const auto lie = [&](std::size_t i) { return blocks.log_weight(drawn[i], points[i]) < std::log(0.5); };
    for (std::size_t i = 1; i < points.size(); i += 2) {
      while (lie(i) != lie(i - 1)) blocks.Blocks::draw(points.subspan(i, 1), noise, drawn.subspan(i, 1));
    }
  });
  EXPECT_TRUE(draws.fit.fits) << draws.fit.sentence;
  EXPECT_FALSE(draws.pairs.fits);
}

TEST(EdgeDraws, CatchesNoiseThatIsUsedAgainInTheNextStream) {
  const EdgeDraws draws = audit_noise([](const Noise& sound, Points points, random::Stream&, Drawn drawn) {
    random::Stream same = random::SeededKey(7).stream("for every call");
    sound.Noise::draw(points, same, drawn);
  });
  EXPECT_FALSE(draws.pairs.fits);
  std::size_t failing_between_streams = 0;
  for (std::size_t i = 0; i < draws.apart.size(); ++i)
    if (draws.apart[i].starts_with("edges 1024 apart"))
      failing_between_streams += draws.pairs.inputs[i].failures;
  EXPECT_GT(failing_between_streams, 0U);
}

TEST(EdgeDraws, CatchesNoiseThatIsKeptForEqualWeights) {
  const EdgeDraws draws = audit_noise([](const Noise&, Points points, random::Stream&, Drawn drawn) {
    std::unordered_map<std::int64_t, std::int64_t> kept;
    for (std::size_t i = 0; i < points.size(); ++i)
      drawn[i] = kept.try_emplace(points[i], drawn[i]).first->second;
  });
  EXPECT_FALSE(draws.pairs.fits);
}

TEST(EdgeDraws, CatchesNoiseThatKnowsTheWeightBefore) {
  const EdgeDraws draws = audit_noise([](const Noise&, Points points, random::Stream&, Drawn drawn) {
    for (std::size_t i = 1; i < points.size(); ++i) {  // the sign of the noise tells the weight before it
      const std::int64_t size = std::abs(drawn[i] - points[i]);
      drawn[i] = points[i] + (points[i - 1] < 32768 ? size : -size);
    }
  });
  EXPECT_FALSE(draws.pairs.fits);
}

TEST(EdgeDraws, RefusesBadOptions) {
  EXPECT_THROW(audit_edge_draws(Blocks(hundred), {.samples = 999}), InvalidOption);
  EXPECT_THROW(audit_edge_draws(Blocks(hundred), {.samples = 1000, .false_alarm = 1e-5}), InvalidOption);
}

}  // namespace
}  // namespace fogline::audit::edge_draws_test
