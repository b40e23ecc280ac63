// SPDX-License-Identifier: Apache-2.0
#include "place/prepared.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/error.hpp"
#include "io/limits.hpp"
#include "place/free_answer.hpp"
#include "place/tight.hpp"
#include "random/key.hpp"
#include "roads/read_network.hpp"

namespace fogline::place::prepared_test {
namespace {

namespace fs = std::filesystem;

class Prepared : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  static PlaceTerms terms(const std::string& mechanism, bool remap = false) {
    return {.mechanism = mechanism,
            .epsilon = {1, 100},
            .network = {.inputs = {{"network", "", "lattice:6x5:600"}}},
            .remap = remap};
  }
  static std::unique_ptr<PreparedPlace> prepared(const std::string& mechanism, bool remap = false) {
    const PlaceTerms promised = terms(mechanism, remap);
    return prepare_place(
        roads::read_network("lattice:6x5:600"),
        {.name = mechanism, .epsilon = promised.epsilon, .unit = promised.unit_of_report(), .remap = remap},
        {});
  }
  std::string written(const std::string& mechanism, bool remap = false) {
    const std::string path = (folder_ / (mechanism + ".kernel")).string();
    write_prepared(path, *prepared(mechanism, remap), terms(mechanism, remap), {.overwrite = true});
    return path;
  }
  static void expect_same_draws(const PlaceMechanism& a, const PlaceMechanism& b) {
    std::vector<graph::VertexId> truth;
    for (graph::VertexId v = 0; v < a.graph().vertex_count(); ++v) truth.insert(truth.end(), 20, v);
    const random::SeededKey key(7);
    EXPECT_EQ(a.release_all(truth, key, {}), b.release_all(truth, key, {}));
  }

  fs::path folder_ = fs::temp_directory_path() / fmt_name();
  static std::string fmt_name() {
    return "prepared_" + std::to_string(::getpid()) + "_" +
           std::to_string(
               reinterpret_cast<std::uintptr_t>(::testing::UnitTest::GetInstance()->current_test_info()));
  }
};

class PreparedOnce : public Prepared {};
INSTANTIATE_TEST_SUITE_P(Optimal, PreparedOnce, ::testing::Values("optimal"));
INSTANTIATE_TEST_SUITE_P(Mechanisms, Prepared, ::testing::Values("gem", "tight", "optimal"));

TEST_P(Prepared, DrawsAsWhatWasWritten) {
  const auto made = prepared(GetParam());
  const PreparedFile file(written(GetParam()));
  EXPECT_EQ(file.terms().mechanism, GetParam());
  EXPECT_EQ(file.terms().network.identity(), "lattice:6x5:600");
  const auto restored = file.restore(file.terms().unit_of_report());
  expect_same_draws(*made->mechanism, *restored->mechanism);
  EXPECT_EQ(restored->mechanism->guarantee(), made->mechanism->guarantee());
  EXPECT_EQ(restored->mechanism->parameters(), made->mechanism->parameters());
  EXPECT_EQ(restored->mechanism->remarks(), made->mechanism->remarks());
  EXPECT_EQ(restored->error.q_loss_m, made->error.q_loss_m);
  EXPECT_EQ(restored->free_error_m, made->free_error_m);
  file.require_sound({});
}

/// Above exact_up_to vertices the error of a table is over all of them, but not to the last digit; who reads it works out the same.
TEST_P(PreparedOnce, OfMoreVerticesThanAreFollowedExactlyIsSound) {
  const std::string rule = "lattice:101x101:20000";
  ASSERT_GT(roads::specified_vertices(rule), ErrorOptions::exact_up_to);
  const PlaceTerms promised{
      .mechanism = "optimal", .epsilon = {1, 100}, .network = {.inputs = {{"network", "", rule}}}};
  const auto made =
      prepare_place(roads::read_network(rule),
                    {.name = "optimal", .epsilon = promised.epsilon, .unit = promised.unit_of_report()}, {});
  EXPECT_FALSE(made->error.is_exact());
  const std::string path = (folder_ / "large.kernel").string();
  write_prepared(path, *made, promised, {.overwrite = true});
  const PreparedFile file(path);
  file.require_sound({});
  const auto restored = file.restore(promised.unit_of_report());
  EXPECT_EQ(restored->mechanism->expected_error({}).q_loss_m, made->error.q_loss_m);
}

/// How many vertices a city or a valley has is not known before it is made.
TEST_P(Prepared, OfACityOrAValleyIsSound) {
  // Three thousand vertices by optimal take half a minute.
  for (const char* const rule : {"valley:3", "city:1"}) {
    if (GetParam() == "optimal" && rule == std::string_view("city:1")) continue;
    PlaceTerms promised = terms(GetParam());
    promised.network.inputs.front().specification = rule;
    const auto made = prepare_place(
        roads::read_network(rule),
        {.name = GetParam(), .epsilon = promised.epsilon, .unit = promised.unit_of_report()}, {});
    const std::string path = (folder_ / "made_up.kernel").string();
    write_prepared(path, *made, promised, {.overwrite = true});
    EXPECT_NO_THROW(PreparedFile(path).require_sound({})) << rule;
  }
}

TEST_P(Prepared, KeepsARemap) {
  const auto made = prepared(GetParam(), true);
  const PreparedFile file(written(GetParam(), true));
  file.require_sound({});
  expect_same_draws(*made->mechanism, *file.restore("one report")->mechanism);
}

TEST_P(Prepared, IsTheSameFileEachTime) {
  const auto bytes = [&] {
    std::ifstream in(written(GetParam()), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(bytes(), bytes());
}

/// Every byte is somebody's: whatever is changed in a file, it is refused, or never drawn from (a section's check sum).
TEST_P(Prepared, RefusesEveryDamage) {
  const std::string path = written(GetParam());
  std::ifstream in(path, std::ios::binary);
  const std::string whole(std::istreambuf_iterator<char>(in), {});
  for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 400) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x11);
    std::ofstream(path, std::ios::binary) << damaged;
    EXPECT_THROW(PreparedFile(path).require_sound({}), Error) << "byte " << at;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{63}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(path, std::ios::binary) << whole.substr(0, size);
    EXPECT_THROW(PreparedFile{path}, Error);
  }
  std::ofstream(path, std::ios::binary) << whole << '\0';
  EXPECT_THROW(PreparedFile{path}, Error);
}

/// A forger writes check sums that are right. Halving lengths of roads for the weights alone breaks the promise.
class Forged : public Prepared {
 protected:
  /// A file whose arrays of 32-bit numbers in `section` were changed by `change`.
  template <class Number, class Change>
  std::string forged(
      const std::string& mechanism, const std::string& changed, const Change& change,
      const std::map<std::string, std::function<std::string(const std::string&)>>& texts = {}) {
    const std::string path = written(mechanism);
    const io::SectionFile file(path, "fogline-kernel 2");
    io::SectionWriter writer("fogline-kernel 2");
    for (const char* name : {"map_position", "plane_centre", "plane_point"})
      copy<geometry::LonLat, Number>(file, name, changed, change, writer);
    for (const char* name : {"map_first_arc", "near_outputs", "range", "tight_handicap", "table_output"})
      copy<std::uint32_t, Number>(file, name, changed, change, writer);
    for (const char* name : {"map_arc", "tight_arc"})
      copy<graph::Arc, Number>(file, name, changed, change, writer);
    for (const char* name : {"prior", "table_weight"})
      copy<double, Number>(file, name, changed, change, writer);
    for (const char* name : {"map_label_end", "table_end"})
      copy<std::uint64_t, Number>(file, name, changed, change, writer);
    copy<std::int64_t, Number>(file, "map_name", changed, change, writer);
    for (const char* name : {"draw_bounds", "table_total"})
      copy<Uint128, Number>(file, name, changed, change, writer);
    for (const char* name : {"about", "map_label", "optimal", "tight"})
      if (file.has(name))
        writer.add_text(name, texts.contains(name) ? texts.at(name)(std::string(file.text(name)))
                                                   : std::string(file.text(name)));
    const std::string other = path + ".forged";
    writer.write(other, {.overwrite = true});
    return other;
  }

  /// The same of gem, with other words about itself.
  static std::string rewritten(const io::SectionFile& file, const std::string& about) {
    io::SectionWriter writer("fogline-kernel 2");
    const auto nothing = [](std::vector<double>&) {};
    for (const char* name : {"map_position", "plane_centre", "plane_point"})
      copy<geometry::LonLat, double>(file, name, "", nothing, writer);
    for (const char* name : {"map_first_arc", "near_outputs", "range"})
      copy<std::uint32_t, double>(file, name, "", nothing, writer);
    copy<graph::Arc, double>(file, "map_arc", "", nothing, writer);
    copy<double, double>(file, "prior", "", nothing, writer);
    copy<std::uint64_t, double>(file, "map_label_end", "", nothing, writer);
    copy<std::int64_t, double>(file, "map_name", "", nothing, writer);
    writer.add_text("map_label", file.text("map_label"));
    writer.add_text("about", about);
    const std::string other = file.path() + ".rewritten";
    writer.write(other, {.overwrite = true});
    return other;
  }

  template <class Held, class Number, class Change>
  static void copy(const io::SectionFile& file, const char* name, const std::string& changed,
                   const Change& change, io::SectionWriter& writer) {
    if (!file.has(name)) return;
    const auto numbers = file.numbers<Held>(name);
    std::vector<Held> copied(numbers.begin(), numbers.end());
    if constexpr (std::is_same_v<Held, Number>) {
      if (name == changed) change(copied);
    }
    writer.add(name, copied);
  }
};

TEST_F(Forged, IsTheFileItselfIfNothingIsChanged) {
  const auto nothing = [](std::vector<double>&) {};
  PreparedFile(forged<double>("tight", "none", nothing)).require_sound({});
  PreparedFile(forged<double>("optimal", "none", nothing)).require_sound({});
}

/// Whoever forges steeper roads can work out everything that follows from them: only the certificate is left to refuse them.
TEST_F(Forged, ACompleteForgeryIsRefusedByItsCertificate) {
  const std::string path = written("tight");
  const auto honest = PreparedFile(path).restore("one report");
  const auto& split = *dynamic_cast<const Tight&>(*honest->mechanism).calibrated().kernel;
  std::vector<graph::LengthMm> steeper;
  for (const graph::Edge& edge : split.shortened().edges()) steeper.push_back(2 * edge.length_mm);
  const auto handicaps = split.kernel().handicaps();
  kernel::SplitExponential other(honest->map.graph, {.epsilon_per_mm = Rational(1, 100'000),
                                                     .units_per_mm = split.units_per_mm(),
                                                     .length = steeper,
                                                     .handicap = {handicaps.begin(), handicaps.end()}});
  other.find_draw_bounds({});

  const io::SectionFile file(path, "fogline-kernel 2");
  io::SectionWriter writer("fogline-kernel 2");
  const auto nothing = [](std::vector<double>&) {};
  for (const char* name : {"map_position", "plane_centre", "plane_point"})
    copy<geometry::LonLat, double>(file, name, "none", nothing, writer);
  for (const char* name : {"map_first_arc", "range", "tight_handicap"})
    copy<std::uint32_t, double>(file, name, "none", nothing, writer);
  copy<graph::Arc, double>(file, "map_arc", "none", nothing, writer);
  copy<double, double>(file, "prior", "none", nothing, writer);
  copy<std::uint64_t, double>(file, "map_label_end", "none", nothing, writer);
  copy<std::int64_t, double>(file, "map_name", "none", nothing, writer);
  for (const char* name : {"about", "map_label", "tight"})
    if (file.has(name)) writer.add_text(name, file.text(name));
  writer.add("tight_arc", other.shortened().rows().arcs);
  writer.add("near_outputs", other.kernel().near_outputs());
  writer.add("draw_bounds", other.kernel().draw_bounds());
  writer.write(path + ".forged", {.overwrite = true});
  try {
    PreparedFile(path + ".forged").require_sound({});
    FAIL() << "is taken";
  } catch (const DataError& error) {
    EXPECT_NE(std::string(error.what()).find("does not keep the promise"), std::string::npos) << error.what();
  }
}

TEST_F(Forged, WeightsThatLeakAreRefused) {
  const auto steeper = [](std::vector<graph::Arc>& arcs) {
    for (graph::Arc& arc : arcs) arc.length_mm *= 2;
  };
  EXPECT_THROW(PreparedFile(forged<graph::Arc>("tight", "tight_arc", steeper)).require_sound({}), DataError);
  const auto heavier = [](std::vector<double>& weights) { weights[weights.size() / 2] *= 1.5; };
  const std::string path = forged<double>("optimal", "table_weight", heavier);
  // On a lattice tight's kernel may be the table, and then there is no weight to change.
  if (PreparedFile(path).sections().has("table_weight")) {
    EXPECT_THROW(PreparedFile(path).require_sound({}), DataError);
  }
}

TEST_F(Forged, BoundsThatBendTheDrawsAreRefused) {
  const auto fewer = [](std::vector<std::uint32_t>& near) { near[3] = 1; };
  for (const char* mechanism : {"gem", "tight"})
    EXPECT_THROW(PreparedFile(forged<std::uint32_t>(mechanism, "near_outputs", fewer)).require_sound({}),
                 DataError);
  // Below the total of the row: what is far away would never be drawn.
  const auto lower = [](std::vector<Uint128>& bounds) { bounds[3] -= bounds[3] / 4; };
  EXPECT_THROW(PreparedFile(forged<Uint128>("tight", "draw_bounds", lower)).require_sound({}), DataError);
  const std::string path = forged<Uint128>("optimal", "table_total", lower);
  if (PreparedFile(path).sections().has("table_total")) {
    EXPECT_THROW(PreparedFile(path).require_sound({}), DataError);
  }
}

TEST_F(Forged, MapsThatDoNotFitAreRefused) {
  const auto one_way = [](std::vector<graph::Arc>& arcs) { arcs.front().length_mm += 1; };
  EXPECT_THROW(PreparedFile(forged<graph::Arc>("gem", "map_arc", one_way)).require_sound({}), DataError);
  const auto nowhere = [](std::vector<graph::Arc>& arcs) { arcs.front().head = 1'000'000; };
  EXPECT_THROW(PreparedFile(forged<graph::Arc>("gem", "map_arc", nowhere)).require_sound({}), DataError);
  const auto backwards = [](std::vector<std::uint32_t>& first) { first[2] = 4'000'000'000U; };
  EXPECT_THROW(PreparedFile(forged<std::uint32_t>("gem", "map_first_arc", backwards)).require_sound({}),
               DataError);
  const auto elsewhere = [](std::vector<geometry::LonLat>& at) { at[4].lon += 0.001; };
  for (const char* section : {"map_position", "plane_point"})
    EXPECT_THROW(PreparedFile(forged<geometry::LonLat>("gem", section, elsewhere)).require_sound({}),
                 DataError);
}

/// Nothing is searched along roads that lead nowhere: without bounds of its own, a kernel would look for them at once.
TEST_F(Forged, RoadsThatLeadNowhereAreNotSearched) {
  const auto nowhere = [](std::vector<graph::Arc>& arcs) {
    for (graph::Arc& arc : arcs) arc.head = 0x7fffffff;
  };
  const auto none = [](std::vector<std::uint32_t>& near) { near.clear(); };
  for (const char* mechanism : {"gem", "tight"}) {
    EXPECT_THROW(PreparedFile(forged<std::uint32_t>(mechanism, "near_outputs", none)).restore("one report"),
                 DataError);
    EXPECT_THROW(PreparedFile(forged<graph::Arc>(mechanism, "map_arc", nowhere)).restore("one report"),
                 DataError);
  }
  EXPECT_THROW(PreparedFile(forged<graph::Arc>("tight", "tight_arc", nowhere)).restore("one report"),
               DataError);
}

/// Sound by itself, and of another map than the one of the network that it names.
TEST_F(Forged, AnotherMapThanTheRuleMakesIsRefused) {
  PlaceTerms wrong = terms("gem");
  const auto honest = prepared("gem");
  const std::string path = (folder_ / "gem.kernel").string();
  for (const char* other :
       {"lattice:6x5:60", "lattice:5x6:600", "lattice:3000x3000:600", "lattice:2x2:600"}) {
    wrong.network.inputs.front().specification = other;
    write_prepared(path, *honest, wrong, {.overwrite = true});
    EXPECT_THROW(PreparedFile(path).require_sound({}), DataError) << other;
  }
  write_prepared(path, *honest, terms("gem"), {.overwrite = true});
  PreparedFile(path).require_sound({});
}

TEST_F(Forged, FiguresThatDoNotFollowFromTheMapAreRefused) {
  const auto said = [&](const std::string& name, double value) {
    const std::string path = written("gem");
    const io::SectionFile file(path, "fogline-kernel 2");
    auto about = nlohmann::ordered_json::parse(file.text("about"));
    (name == "free_error_m" ? about : about["parameters"])[name] = value;
    return rewritten(file, about.dump());
  };
  const PreparedFile honest(written("gem"));
  PreparedFile(said("snap_mean_m", honest.terms().snap.mean_m)).require_sound({});
  EXPECT_THROW(PreparedFile(said("snap_mean_m", 1)).require_sound({}), DataError);
  EXPECT_THROW(PreparedFile(said("snap_max_m", 1)).require_sound({}), DataError);
  EXPECT_THROW(PreparedFile(said("free_error_m", 1e6)).require_sound({}), DataError);
}

/// What a kernel tells of its mechanism, its error and its bound follows from what it holds.
TEST_F(Forged, FiguresThatDoNotFollowFromTheKernelAreRefused) {
  const auto told = [&](const std::string& mechanism, const std::string& section, const char* name,
                        double share) {
    const auto nothing = [](std::vector<double>&) {};
    const auto changed = [&](const std::string& text) {
      auto json = nlohmann::ordered_json::parse(text);
      auto& figure = json.contains(name)                 ? json[name]
                     : json["parameters"].contains(name) ? json["parameters"][name]
                                                         : json["expected_error"][name];
      figure = figure.get<double>() * share;
      return json.dump();
    };
    return forged<double>(mechanism, "none", nothing, {{section, changed}});
  };
  for (const char* name : {"median_m", "p95_m"})
    EXPECT_THROW(PreparedFile(told("gem", "about", name, 0.5)).require_sound({}), DataError) << name;
  for (const char* name : {"range_vertices", "max_snap_m"})
    EXPECT_THROW(PreparedFile(told("gem", "about", name, 2)).require_sound({}), DataError) << name;
  for (const char* name : {"mean_share", "q_loss_m", "half_q_loss_m", "loss_high_per_mm"})
    EXPECT_THROW(PreparedFile(told("tight", "tight", name, 0.9)).require_sound({}), DataError) << name;
  for (const char* name : {"q_loss_m", "lower_bound_m"})
    EXPECT_THROW(PreparedFile(told("optimal", "optimal", name, 1.2)).require_sound({}), DataError) << name;
  // How far a lower bound lies below, only solving anew tells.
  PreparedFile(told("optimal", "optimal", "lower_bound_m", 0.5)).require_sound({});
}

/// Everything about it is right, but that its outputs are moved as another prior would have it.
TEST_F(Forged, ARemapForAnotherPriorIsRefused) {
  std::vector<double> prior(30, 0.02 / 29), other = prior;
  prior[3] = other[26] = 0.98;
  const auto written_as = [&](const std::vector<double>& used) {
    const PlaceTerms promised = terms("gem", true);
    const auto place = prepare_place(roads::read_network("lattice:6x5:600"),
                                     {.name = "gem",
                                      .epsilon = promised.epsilon,
                                      .unit = promised.unit_of_report(),
                                      .prior = used,
                                      .remap = true},
                                     {});
    place->choice.prior = prior;
    place->error = place->mechanism->expected_error({.prior = prior});
    place->free_error_m = free_error_m(place->map, prior, place->error);
    const std::string path = (folder_ / "remapped.kernel").string();
    write_prepared(path, *place, promised, {.overwrite = true});
    return path;
  };
  PreparedFile(written_as(prior)).require_sound({});
  EXPECT_THROW(PreparedFile(written_as(other)).require_sound({}), DataError);
}

TEST_F(Forged, AnotherPlaneThanTheMapsIsRefused) {
  const auto elsewhere = [](std::vector<geometry::LonLat>& centre) { centre.front().lon += 0.1; };
  EXPECT_THROW(PreparedFile(forged<geometry::LonLat>("gem", "plane_centre", elsewhere)).require_sound({}),
               DataError);
}

TEST_F(Forged, LimitsHoldForKernels) {
  const std::string path = written("gem");
  for (const char* limit : {"bytes=1000", "memory=1000", "records=29"}) {
    const io::LimitScope scope(io::parse_limits(limit));
    EXPECT_THROW(PreparedFile{path}, DataError) << limit;
  }
  double now = 0;
  io::ReadLimits slow = io::parse_limits("seconds=5");
  slow.clock = [&now] { return now += 4; };
  const io::LimitScope scope(slow);
  EXPECT_THROW(PreparedFile(path).require_sound({}), DataError);
}

TEST_F(Forged, PointsOfThePlaneNeedNoPreparing) {
  const auto plm =
      prepare_place(roads::read_network("lattice:6x5:600"), {.name = "plm", .epsilon = {1, 100}}, {});
  EXPECT_THROW(write_prepared((folder_ / "plm.kernel").string(), *plm, terms("plm"), {}), InvalidOption);
}

}  // namespace
}  // namespace fogline::place::prepared_test
