// SPDX-License-Identifier: Apache-2.0
#include "traces/paper/dpe_terms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "traces/paper/generated_trips.hpp"

namespace fogline::traces::dpe_terms_test {
namespace {

const Frame city_frame = Frame::parse("116.15,39.75,116.6,40.1", Frame::Unit::degrees);

DpeTerms every_term() {
  return {.epsilon = {1, 2},
          .frame = city_frame,
          .time_span_s = 86'400,
          .steps = 7,
          .learning_rate = {1, 3},
          .dimensions = 150,
          .ends = TripEnds::kept};
}

TEST(DpeTerms, ReadBackWhatTheyWrote) {
  for (const DpeTerms& terms : {every_term(), DpeTerms{.epsilon = {1, 1}}}) {
    const DpeTerms again = dpe_terms_from(dpe_draft(terms));
    EXPECT_EQ(again.parameters(), terms.parameters());
    EXPECT_EQ(again.frame, terms.frame);
    EXPECT_EQ(again.ends, terms.ends);
  }
}

TEST(DpeTerms, PromiseNothingAndSayWhy) {
  const privacy::Statement draft = dpe_draft(every_term());
  EXPECT_EQ(draft.guarantee.notion(), privacy::Notion::none);
  EXPECT_EQ(draft.form, privacy::Form::published);
  ASSERT_EQ(draft.promise.size(), 1U);
  EXPECT_NE(draft.promise[0].find("epsilon 0.5"), std::string::npos);
  EXPECT_EQ(draft.not_protected.size(), 2U);
  EXPECT_EQ(dpe_draft({.epsilon = {1, 1}}).not_protected.size(), 4U);
}

TEST(DpeTerms, GiveTheOptionsOfARelease) {
  TripSet trips = generated_trips({.trips = 3, .points = 2}, random::SeededKey(1));
  const Frame square = Frame::parse("0,0,3000,4000", Frame::Unit::metres);
  EXPECT_DOUBLE_EQ(every_term().options(trips, square).diameter_m, 5000);
  EXPECT_DOUBLE_EQ(every_term().options(trips, square).time_span_s, 86'400);
  EXPECT_EQ(every_term().options(trips, square).steps, 7);
  EXPECT_EQ((DpeTerms{.epsilon = {1, 1}}.options(trips, square).time_span_s), 0);
  trips.t = {100, 160, 130, 200, 90, 91};
  EXPECT_DOUBLE_EQ((DpeTerms{.epsilon = {1, 1}}.options(trips, square).time_span_s), 110);
}

TEST(DpeTerms, RefuseOtherSpellingsAndRanges) {
  const auto with = [](const char* name, const nlohmann::ordered_json& value) {
    privacy::Statement draft = dpe_draft(every_term());
    nlohmann::ordered_json parameters = draft.parameters.json();
    parameters[name] = value;
    draft.parameters = std::move(parameters);
    return draft;
  };
  EXPECT_NO_THROW(dpe_terms_from(with("steps", 8U)));
  EXPECT_THROW(dpe_terms_from(with("steps", 0U)), InvalidOption);
  EXPECT_THROW(dpe_terms_from(with("steps", 100'001U)), InvalidOption);
  EXPECT_THROW(dpe_terms_from(with("learning_rate", "0.50")), InvalidOption);
  EXPECT_THROW(dpe_terms_from(with("learning_rate", "11")), InvalidOption);
  EXPECT_THROW(dpe_terms_from(with("ends", "cut")), InvalidOption);
  EXPECT_THROW(dpe_terms_from(with("area", "nowhere")), InvalidOption);
  EXPECT_THROW(dpe_terms_from(with("time_span_s", 2'000'000'000'000U)), InvalidOption);
  EXPECT_THROW(dpe_terms_from(with("unknown", 1U)), InvalidOption);
  privacy::Statement other = dpe_draft(every_term());
  other.mechanism = "synthesis";
  EXPECT_THROW(dpe_terms_from(other), InvalidOption);
}

TEST(DpeTerms, AFrameAroundTripsHoldsThemAll) {
  mobility::Trips trips;
  EXPECT_THROW(frame_around(trips), DataError);
  trips.offset = {0, 3};
  trips.lon = {116.2000041, 116.5, 116.3};
  trips.lat = {39.9, 39.80000123, 40};
  const Frame around = frame_around(trips);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(around.contains(trips.lon[i], trips.lat[i]));
  }
  EXPECT_EQ(around.text(), "116.2,39.8,116.5,40");
  trips.plane = true;
  trips.lon = {5, 5, 5};
  trips.lat = {7.5, 7.5, 7.5};
  EXPECT_EQ(frame_around(trips).text(), "5,7,6,8");
}

}  // namespace
}  // namespace fogline::traces::dpe_terms_test
