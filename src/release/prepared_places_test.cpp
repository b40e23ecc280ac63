// SPDX-License-Identifier: Apache-2.0
#include "release/prepared_places.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "io/limits.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/test_folder.hpp"
#include "release/kinds.hpp"
#include "release/place_fields.hpp"
#include "release/test_caller.hpp"

namespace fogline::release::prepared_places_test {
namespace {

namespace fs = std::filesystem;

class CachingCaller : public TestCaller {
 public:
  explicit CachingCaller(std::string folder) : folder_(std::move(folder)) {}
  std::string cache_folder() const override { return folder_; }
  void detail(std::string_view text) override { details.emplace_back(text); }
  std::vector<std::string> details;

 private:
  std::string folder_;
};

class PlacesInACache : public testing::Test {
 protected:
  PlaceFields asked(const std::string& mechanism = "tight") {
    PlaceFields fields;
    fields.network.network = "lattice:6x5:600";
    fields.mechanism = mechanism;
    fields.epsilon.epsilon = "0.01";
    return fields;
  }
  std::vector<fs::path> kept() const {
    std::vector<fs::path> found;
    if (!fs::exists(cache_)) return found;
    for (const auto& entry : fs::directory_iterator(cache_))
      if (entry.path().extension() == ".kernel") found.push_back(entry.path());
    return found;
  }

  privacy::TestFolder folder_;
  std::string cache_ = folder_.path("cache");
  CachingCaller caller_{cache_};
};

TEST_F(PlacesInACache, AreBuiltOnceAndDrawTheSame) {
  const PlaceFields fields = asked();
  const place::PlaceTerms terms = fields.terms(caller_);
  EXPECT_FALSE(fields.is_kept(terms, caller_));
  const auto built = fields.prepare(terms, caller_);
  ASSERT_EQ(kept().size(), 1U);
  EXPECT_TRUE(fields.is_kept(terms, caller_));
  const auto found = fields.prepare(terms, caller_);
  EXPECT_EQ(kept().size(), 1U);
  std::vector<graph::VertexId> truth(200, 7);
  const random::SeededKey key(3);
  EXPECT_EQ(built->mechanism->release_all(truth, key, {}), found->mechanism->release_all(truth, key, {}));
  EXPECT_EQ(found->error.q_loss_m, built->error.q_loss_m);
  EXPECT_EQ(found->mechanism->guarantee(), built->mechanism->guarantee());
}

TEST_F(PlacesInACache, AreFoundByWhatTheyWereBuiltFromAlone) {
  const auto key = [&](const PlaceFields& fields) {
    return PreparedPlaces::key(fields.terms(caller_), fields.exact_error);
  };
  const std::string usual = key(asked());
  PlaceFields other = asked();
  other.epsilon.epsilon = "0.02";
  EXPECT_NE(key(other), usual);
  other = asked("gem");
  EXPECT_NE(key(other), usual);
  other = asked();
  other.network.network = "lattice:6x6:600";
  EXPECT_NE(key(other), usual);
  other = asked();
  other.remap = true;
  EXPECT_NE(key(other), usual);
  other = asked();
  other.exact_error = true;
  EXPECT_NE(key(other), usual);
  // What becomes of records is no part of a mechanism.
  place::PlaceTerms terms = asked().terms(caller_);
  terms.max_snap_m = 7;
  terms.reports_per_person = 3;
  EXPECT_EQ(PreparedPlaces::key(terms, false), usual);
}

TEST_F(PlacesInACache, AreNotKeptIfNobodyWantsThatOrTheyTakeNoTime) {
  PlaceFields fields = asked();
  fields.no_cache = true;
  fields.prepare(fields.terms(caller_), caller_);
  EXPECT_TRUE(kept().empty());
  const PlaceFields quick = asked("gem");
  quick.prepare(quick.terms(caller_), caller_);
  EXPECT_TRUE(kept().empty());
  TestCaller nowhere;
  const PlaceFields usual = asked();
  EXPECT_NE(usual.prepare(usual.terms(nowhere), nowhere), nullptr);
}

TEST_F(PlacesInACache, ThatAreDamagedAreBuiltAgain) {
  const PlaceFields fields = asked();
  const place::PlaceTerms terms = fields.terms(caller_);
  const double error = fields.prepare(terms, caller_)->error.q_loss_m;
  {
    std::fstream file(kept().front(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-3, std::ios::end);
    file.put('\x55');
  }
  EXPECT_EQ(fields.prepare(terms, caller_)->error.q_loss_m, error);
  EXPECT_EQ(kept().size(), 1U);
}

/// Each is sound by itself: what is charged is the epsilon that was asked for, and so must be what is drawn from.
TEST_F(PlacesInACache, AreWhatWasAskedFor) {
  PlaceFields fields = asked();
  const place::PlaceTerms terms = fields.terms(caller_);
  const double error = fields.prepare(terms, caller_)->error.q_loss_m;
  const fs::path of_small_epsilon = kept().front();
  for (const auto& set : std::vector<std::function<void(PlaceFields&)>>{
           [](PlaceFields& f) { f.epsilon.epsilon = "1"; },
           [](PlaceFields& f) { f.network.network = "lattice:6x5:60"; },
           [](PlaceFields& f) { f.remap = true; }, [](PlaceFields& f) { f.mechanism = "optimal"; }}) {
    PlaceFields other = asked();
    set(other);
    const place::PlaceTerms others = other.terms(caller_);
    other.prepare(others, caller_);
    fs::copy_file(cache_ + "/" + PreparedPlaces::key(others, false) + ".kernel", of_small_epsilon,
                  fs::copy_options::overwrite_existing);
    const auto found = fields.prepare(terms, caller_);
    EXPECT_EQ(found->choice.epsilon, terms.epsilon);
    EXPECT_EQ(found->error.q_loss_m, error);
    EXPECT_EQ(found->mechanism->name(), "tight");
  }
}

TEST_F(PlacesInACache, AreBoundByNoLimitOfReading) {
  const PlaceFields fields = asked();
  const place::PlaceTerms terms = fields.terms(caller_);
  const io::LimitScope scope(io::parse_limits("records=2,bytes=40"));
  fields.prepare(terms, caller_);
  EXPECT_TRUE(fields.is_kept(terms, caller_));
  fields.prepare(terms, caller_);
  EXPECT_TRUE(fields.is_kept(terms, caller_));
}

TEST_F(PlacesInACache, ThatOthersMayWriteToAreNotUsed) {
  const PlaceFields fields = asked();
  const place::PlaceTerms terms = fields.terms(caller_);
  fields.prepare(terms, caller_);
  EXPECT_TRUE(caller_.warnings.empty());
  for (const std::string& folder : {cache_, cache_ + "/known"}) {
    fs::permissions(folder, fs::perms::group_write, fs::perm_options::add);
    CachingCaller caller(cache_);
    EXPECT_FALSE(fields.is_kept(terms, caller));
    fields.prepare(terms, caller);
    fields.prepare(terms, caller);
    EXPECT_EQ(caller.warnings.size(), 1U) << "said once";
    fs::permissions(folder, fs::perms::group_write, fs::perm_options::remove);
    EXPECT_TRUE(fields.is_kept(terms, caller_));
  }
  // A file in it that others may write to is made again.
  fs::permissions(kept().front(), fs::perms::others_write, fs::perm_options::add);
  fields.prepare(terms, caller_);
  EXPECT_EQ(fs::status(kept().front()).permissions() & fs::perms::others_write, fs::perms::none);
}

/// A kernel is certified when it is first seen, and again once somebody wrote to it.
TEST_F(PlacesInACache, KnowKernelsByTheirStamp) {
  const PlaceFields fields = asked();
  const place::PlaceTerms terms = fields.terms(caller_);
  const std::string path = folder_.path("city.kernel");
  place::write_prepared(path, *fields.prepare(terms, caller_), terms, {});
  const auto certified = [&] {
    caller_.details.clear();
    const std::string sha256 = PreparedPlaces(cache_).require_sound(place::PreparedFile(path),
                                                                    PreparedPlaces::Map::believed, caller_);
    EXPECT_EQ(sha256, privacy::sha256_of_file(path));
    return !caller_.details.empty();
  };
  EXPECT_TRUE(certified());
  EXPECT_FALSE(certified());
  fs::copy_file(path, path + ".copy");
  fs::rename(path + ".copy", path);
  EXPECT_TRUE(certified());
  fs::last_write_time(path, fs::file_time_type::clock::now());
  EXPECT_TRUE(certified());
  EXPECT_FALSE(certified());
}

TEST_F(PlacesInACache, RefuseAKernelThatSomebodyDamaged) {
  const PlaceFields fields = asked();
  const place::PlaceTerms terms = fields.terms(caller_);
  const std::string path = folder_.path("city.kernel");
  place::write_prepared(path, *fields.prepare(terms, caller_), terms, {});
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-3, std::ios::end);
    file.put('\x55');
  }
  EXPECT_THROW(
      PreparedPlaces(cache_).require_sound(place::PreparedFile(path), PreparedPlaces::Map::believed, caller_),
      DataError);
  PlaceFields with;
  with.kernel = path;
  EXPECT_THROW(with.terms(caller_), DataError);
}

TEST_F(PlacesInACache, StandInPlaceOfNetworkMechanismAndEpsilon) {
  const std::string path = folder_.path("city.kernel");
  const PlaceFields fields = asked();
  const place::PlaceTerms terms = fields.terms(caller_);
  const auto built = fields.prepare(terms, caller_);
  place::write_prepared(path, *built, terms, {});
  PlaceFields with;
  with.kernel = path;
  const place::PlaceTerms found = with.terms(caller_);
  EXPECT_EQ(found.guarantee(), terms.guarantee());
  ASSERT_TRUE(found.kernel.has_value());
  EXPECT_EQ(found.kernel->name, "city.kernel");
  EXPECT_EQ(found.kernel->sha256, privacy::sha256_of_file(path));
  EXPECT_EQ(with.prepare(found, caller_)->error.q_loss_m, built->error.q_loss_m);
  EXPECT_EQ(place::terms_from("tight", found.parameters(), found.public_inputs()).kernel, found.kernel);
  for (const auto& set : std::vector<std::function<void(PlaceFields&)>>{
           [](PlaceFields& f) { f.epsilon.epsilon = "0.01"; }, [](PlaceFields& f) { f.mechanism = "gem"; },
           [](PlaceFields& f) { f.remap = true; }, [](PlaceFields& f) { f.prior = "prior.csv"; }}) {
    PlaceFields both = with;
    set(both);
    EXPECT_THROW(both.require(), InvalidOption);
  }
  EXPECT_THROW(PlaceFields{}.require(), InvalidOption);
}

/// A kernel can say that its map is that of a file, and have been prepared for another: whoever has the file can see.
TEST_F(PlacesInACache, AreComparedWithTheNetworkThatIsGiven) {
  const auto write_map = [&](const std::string& length_m) {
    fs::create_directories(folder_.path("town"));
    std::ofstream(folder_.path("town/nodes.csv")) << "id,lon,lat\n1,0,0\n2,0.01,0\n3,0.02,0\n";
    std::ofstream(folder_.path("town/edges.csv"))
        << "source,target,length_m\n1,2," << length_m << "\n2,3,1200\n";
  };
  const auto town = [&] {
    PlaceFields fields = asked("gem");
    fields.network.network = folder_.path("town");
    return fields;
  };
  write_map("1200");
  const place::PlaceTerms terms = town().terms(caller_);
  const std::string honest = folder_.path("honest.kernel"), forged = folder_.path("forged.kernel");
  place::write_prepared(honest, *town().prepare(terms, caller_), terms, {});
  write_map("9000");
  place::write_prepared(forged, *town().prepare(town().terms(caller_), caller_), terms, {});
  write_map("1200");
  const auto compared = [&](const std::string& kernel, const std::string& network) {
    PlaceFields with;
    with.kernel = kernel;
    with.network.network = network;
    return with.terms(caller_);
  };
  compared(honest, folder_.path("town"));
  EXPECT_TRUE(caller_.warnings.empty());
  EXPECT_THROW(compared(forged, folder_.path("town")), DataError);
  EXPECT_THROW(compared(honest, "line:9:800"), InvalidOption);
  EXPECT_TRUE(caller_.warnings.empty());
  // Without it the map is believed, and that is told when it is first seen.
  fs::last_write_time(honest, fs::file_time_type::clock::now());
  compared(honest, "");
  compared(honest, "");
  ASSERT_EQ(caller_.warnings.size(), 1U);
  EXPECT_NE(caller_.warnings.front().find("its map is believed"), std::string::npos);
}

}  // namespace
}  // namespace fogline::release::prepared_places_test
