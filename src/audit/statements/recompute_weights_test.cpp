// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute_weights.hpp"

#include <filesystem>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "privacy/file_hash.hpp"
#include "privacy/release.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "weights/edge_stream.hpp"
#include "weights/mechanisms/catalogue.hpp"
#include "weights/paper/published_terms.hpp"
#include "weights/release.hpp"

namespace fogline::audit::recompute_weights_test {
namespace {

using privacy::Outcome;
using weights::WeightTerms;

/// A folder with a real release of a small graph in it.
const std::vector<Recomputation> known{
    {"weights", weights::mechanism_names(), privacy::Form::sound, recompute_weights},
    {"weights", {"lap", "mb", "lap-ci", "mb-ci"}, privacy::Form::published, recompute_published_weights}};

class RecomputeWeights : public testing::Test {
 protected:
  RecomputeWeights() { write("graph.csv", "source,target,weight\na,b,3\nb,c,7\nc,d,9\nd,a,1\n"); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_.path(name)) << text; }

  static WeightTerms blocks() {
    return {.mechanism = "blocks",
            .epsilon = privacy::Epsilon{2, 1},
            .grid = weights::WeightGrid::parse("1:10", "1")};
  }

  privacy::Statement make(const WeightTerms& terms, std::optional<std::uint64_t> seed = {}) {
    const io::GraphTable graph = io::read_graph(folder_.path("graph.csv"), {});
    const weights::GraphRelease release(graph, terms, {});
    return make(
        terms.draft({}),
        [&](const random::Key& key) { return weights::released_csv(graph, release.draw(key)); }, seed);
  }

  privacy::Statement make(const privacy::Statement& draft,
                          const std::function<std::string(const random::Key&)>& text,
                          std::optional<std::uint64_t> seed = {}) {
    const privacy::ReleasePlan plan{.draft = draft,
                                    .dataset = "trade",
                                    .ledger = folder_.path("my.ledger"),
                                    .output = folder_.path("safe.csv"),
                                    .overwrite = true,
                                    .seed = seed,
                                    .time_unix_s = 1'700'000'000};
    if (!std::filesystem::exists(plan.ledger)) privacy::declare(plan.ledger, plan.dataset);
    privacy::release(plan, [&](const random::Key& key) { return privacy::Drawn{text(key), 4}; });
    return privacy::read_statement(folder_.path("safe.csv.statement.json"));
  }

  /// Replaces the released file, with a statement that names it.
  void forge(privacy::Statement& statement, const std::string& text) {
    write("safe.csv", text);
    statement.outputs.front().sha256 = privacy::sha256_of_text(text);
  }

  Outcome outcome(const privacy::Statement& statement, const std::string& name) const {
    for (const privacy::Check& check : recompute(statement, known, {.folder = folder_.name()}))
      if (check.name == name) return check.outcome;
    return Outcome::not_checked;
  }

  bool all_passed(const privacy::Statement& statement) const {
    const auto checks = recompute(statement, known, {.folder = folder_.name()});
    for (const privacy::Check& check : checks) {
      if (check.outcome != Outcome::passed) return false;
    }
    return checks.size() >= 5;
  }

  privacy::TestFolder folder_;
};

TEST_F(RecomputeWeights, HonestReleasesPass) {
  EXPECT_TRUE(all_passed(make(blocks())));
  WeightTerms change{.mechanism = "geometric",
                     .epsilon = privacy::Epsilon{1, 2},
                     .grid = weights::WeightGrid::parse("0:", "1"),
                     .protection = {.unit = weights::ProtectedUnit::change}};
  EXPECT_TRUE(all_passed(make(change)));
  change.finish = weights::Finish::median;
  change.groups = "degrees";
  EXPECT_TRUE(all_passed(make(change)));
  EXPECT_TRUE(all_passed(make(blocks(), 7)));
}

TEST_F(RecomputeWeights, ANoisyPriorLeavesTheTableUnchecked) {
  WeightTerms noisy = blocks();
  noisy.prior = weights::PriorSource::noisy;
  const privacy::Statement statement = make(noisy);
  EXPECT_EQ(outcome(statement, "table"), Outcome::not_checked);
  EXPECT_EQ(outcome(statement, "released file"), Outcome::passed);
}

TEST_F(RecomputeWeights, ForgeriesFail) {
  const privacy::Statement honest = make(blocks());
  const auto fails = [&](const std::string& check, const std::function<void(privacy::Statement&)>& change) {
    privacy::Statement forged = honest;
    change(forged);
    EXPECT_EQ(outcome(forged, check), Outcome::failed) << check;
  };
  fails("guarantee", [](auto& s) { s.parameters["epsilon"] = "3"; });
  fails("parameters", [](auto& s) { s.parameters["epsilon"] = "2.0"; });
  fails("words", [](auto& s) { s.promise.front() += " Really."; });
  fails("words", [](auto& s) { s.not_protected.pop_back(); });
  fails("expected error", [](auto& s) { s.expected_error->value *= 0.9; });
  fails("expected error", [](auto& s) { s.expected_error.reset(); });
  fails("released file", [&](auto& s) { forge(s, "source,target,weight\na,b,3.5\nb,c,7\nc,d,9\nd,a,1\n"); });
  fails("released file", [&](auto& s) { forge(s, "source,target,weight\na,b,999\nb,c,7\nc,d,9\nd,a,1\n"); });
  fails("released file",
        [&](auto& s) { forge(s, "source,target,weight,true\na,b,3,3\nb,c,7,7\nc,d,9,9\nd,a,1,1\n"); });
  fails("released file", [&](auto& s) { forge(s, "source,target,weight\na,b,3\n"); });
  fails("released file", [&](auto& s) { forge(s, "source,target,weight\na,b,3.0\nb,c,7\nc,d,9\nd,a,1\n"); });
}

TEST_F(RecomputeWeights, PublishedFormsMustSayThatTheyPromiseNothing) {
  const privacy::Statement draft =
      weights::published_draft({.options = {.strategy = weights::WeightsStrategy::mb,
                                            .epsilon = 1,
                                            .range = weights::WeightRange{1, 10}},
                                .range = "1:10",
                                .epsilon = privacy::Epsilon{1, 1}});
  privacy::Statement statement =
      make(draft, [](const random::Key&) { return "source,target,weight\na,b,3.25\nb,c,7\nc,d,9\nd,a,1\n"; });
  EXPECT_EQ(outcome(statement, "guarantee"), Outcome::passed);
  EXPECT_EQ(outcome(statement, "released file"), Outcome::passed);
  statement.guarantee =
      privacy::Guarantee::pure(privacy::Epsilon{1, 1}, "one edge's whole weight", privacy::Exactness::exact);
  EXPECT_EQ(outcome(statement, "guarantee"), Outcome::failed);
}

}  // namespace
}  // namespace fogline::audit::recompute_weights_test
