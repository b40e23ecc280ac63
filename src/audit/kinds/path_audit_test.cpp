// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/path_audit.hpp"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>

#include "audit/kinds/path_enumeration.hpp"
#include "audit/statements/recompute_path.hpp"
#include "base/error.hpp"
#include "path/public_path_file.hpp"
#include "path/terms.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::audit::path_audit_test {
namespace {

using path::PathForm;
using path::PathLabels;
using path::PathOptions;
using path::Route;
using path::RouteMap;
using testing::HasSubstr;

RouteMap triangle() {
  return path::make_map({"a", "b", "c"}, {{0, 1}, {1, 2}, {0, 2}});
}

RouteMap five() {
  return path::make_map({"a", "b", "c", "d", "e"}, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 3}, {1, 4}});
}

TEST(PathEnumeration, ProbabilitiesAddUpAndMatchTheMechanism) {
  PathOptions options;
  options.most_visits = 2;
  options.epsilon_vertices = privacy::Epsilon{1, 1};
  const PathLabels labels(options);
  const RouteMap map = path::make_map({"a", "b"}, {{0, 1}});
  const graph::BitGraph none(2);
  const std::vector<Route> route{{0, 1}};
  // One or two stops for each of two vertices: 1, 3, 3 and 6 pairs of stops.
  EXPECT_EQ(publications(2, labels, none, 1000), std::uint64_t{2 + 8 + 8 + 64});
  EXPECT_EQ(publications(2, labels, none, 81), std::nullopt);
  const PathDistribution all = distribution_of(map, route, labels, none);
  long double total = 0;
  for (const long double chance : all) total += chance;
  EXPECT_NEAR(static_cast<double>(total), 1, 1e-15);
  // One stop each: the only pair is the step.
  EXPECT_EQ(all[0], 0);
  const auto row = labels.stop_row(1);
  const long double one = static_cast<long double>(row.weights[0]) / static_cast<long double>(row.total);
  EXPECT_NEAR(static_cast<double>(all[1]), static_cast<double>(one * one), 1e-15);
}

TEST(PathAudit, EnumerationMeetsTheStatedEpsilonAndNothingMore) {
  const PathAudit audit = audit_path(five(), PathLabels{PathOptions{}}, {.samples = 4'000});
  EXPECT_TRUE(audit.passed) << audit.sentence;
  EXPECT_TRUE(audit.enumeration.done);
  EXPECT_NEAR(audit.enumeration.towards, std::log1p(std::exp(0.5)), 1e-9);
  EXPECT_TRUE(std::isinf(audit.enumeration.back));
  EXPECT_TRUE(std::isinf(audit.label_back));
  EXPECT_NEAR(audit.paper, 1 + std::log(2), 1e-12);
  EXPECT_LT(audit.finding.loss_at_least, audit.stated);
  EXPECT_GT(audit.finding.other_way_at_least, audit.stated);
}

TEST(PathAudit, StopsAndVisitsCostWhatIsStated) {
  PathOptions options;
  options.most_visits = 2;
  options.epsilon_vertices = privacy::Epsilon{1, 1};
  const PathAudit audit = audit_path(triangle(), PathLabels(options), {.samples = 4'000});
  EXPECT_TRUE(audit.passed) << audit.sentence;
  EXPECT_TRUE(audit.enumeration.done);
  EXPECT_NEAR(audit.enumeration.towards, audit.stated, 1e-8);
  // The paper's bound is below what a road of a route through such stops loses.
  EXPECT_GT(audit.stated, audit.paper);
}

TEST(PathAudit, LabelsThatLieAreBoundedBothWays) {
  PathOptions options;
  options.form = PathForm::two_sided;
  options.epsilon_edges = privacy::Epsilon{2, 1};
  const PathAudit audit = audit_path(five(), PathLabels(options), {.samples = 4'000, .most_routes = 20});
  EXPECT_TRUE(audit.passed) << audit.sentence;
  EXPECT_NEAR(audit.enumeration.towards, 2, 1e-9);
  EXPECT_NEAR(audit.enumeration.back, 2, 1e-9);
}

TEST(PathAudit, LargeNetworksAreNotEnumerated) {
  std::vector<std::string> names;
  std::vector<std::pair<path::VertexId, path::VertexId>> roads;
  for (path::VertexId v = 0; v < 40; ++v) {
    names.push_back(std::to_string(v));
    if (v > 0) roads.emplace_back(v - 1, v);
  }
  const PathAudit audit =
      audit_path(path::make_map(names, roads), PathLabels{PathOptions{}}, {.samples = 2'000});
  EXPECT_FALSE(audit.enumeration.done);
  EXPECT_TRUE(audit.passed) << audit.sentence;
}

TEST(PathAudit, RefusesANetworkWithoutARouteOfTheDeclaredKind) {
  PathOptions options;
  options.every_vertex = true;
  const RouteMap star = path::make_map({"a", "b", "c", "d"}, {{0, 1}, {0, 2}, {0, 3}});
  EXPECT_THROW(audit_path(star, PathLabels(options)), InvalidOption);
  EXPECT_THROW(audit_path(five(), PathLabels{PathOptions{}}, {.samples = 10}), InvalidOption);
}

/// A release and its statement, in a folder of their own.
struct Released {
  privacy::TestFolder folder;
  path::PathTerms terms;
  privacy::Statement statement;

  explicit Released(const path::PathTerms& terms_) : terms(terms_), statement(terms.draft()) {
    const RouteMap map = five();
    random::Stream noise = random::SeededKey(1).stream("path");
    write(path::to_json(PathLabels(terms.options(map)).release({map, {0, 1, 2, 3, 4}}, noise)), 5);
  }
  void write(const std::string& text, std::uint64_t stops) {
    const std::string file = folder.path("public.json");
    std::ofstream(file, std::ios::binary) << text;
    statement.outputs = {{"public.json", privacy::sha256_of_file(file), stops}};
  }
  privacy::Outcome outcome(const std::string& name) const {
    for (const privacy::Check& check : recompute_path(statement, {.folder = folder.name()}))
      if (check.name == name) return check.outcome;
    return privacy::Outcome::not_checked;
  }
};

TEST(RecomputePath, FindsEverythingInOrder) {
  for (const PathForm form : {PathForm::one_sided, PathForm::two_sided}) {
    path::PathTerms terms;
    terms.form = form;
    terms.direction = form == PathForm::one_sided;
    const Released released(terms);
    for (const char* name : {"parameters", "guarantee", "words", "released file", "table", "expected error"})
      EXPECT_EQ(released.outcome(name), privacy::Outcome::passed) << name;
  }
}

TEST(RecomputePath, NoticesForgeries) {
  Released smaller{path::PathTerms{}};
  smaller.statement.guarantee = privacy::Guarantee::one_sided(
      {1, 2}, "one road that the route takes, against no road there", privacy::Exactness::exact);
  EXPECT_EQ(smaller.outcome("guarantee"), privacy::Outcome::failed);

  Released plain{path::PathTerms{}};
  plain.statement.guarantee =
      privacy::Guarantee::pure(privacy::Epsilon(plain.terms.guarantee().epsilon()),
                               plain.terms.guarantee().unit(), privacy::Exactness::exact);
  EXPECT_EQ(plain.outcome("guarantee"), privacy::Outcome::failed);

  Released words{path::PathTerms{}};
  words.statement.not_protected.erase(words.statement.not_protected.begin());
  EXPECT_EQ(words.outcome("words"), privacy::Outcome::failed);

  // The release declares no ends, and the file tells them.
  Released tells{path::PathTerms{}};
  const RouteMap map = five();
  path::PathTerms with_ends;
  with_ends.from = "a";
  with_ends.to = "e";
  random::Stream noise = random::SeededKey(1).stream("path");
  tells.write(path::to_json(PathLabels(with_ends.options(map)).release({map, {0, 1, 2, 3, 4}}, noise)), 5);
  EXPECT_EQ(tells.outcome("released file"), privacy::Outcome::failed);

  Released more{path::PathTerms{}};
  more.write("{\"format\": \"fogline path\"}", 5);
  EXPECT_EQ(more.outcome("released file"), privacy::Outcome::failed);
}

}  // namespace
}  // namespace fogline::audit::path_audit_test
