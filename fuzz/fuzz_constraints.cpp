// SPDX-License-Identifier: Apache-2.0
#include "fuzz_reader.hpp"
#include "random/public_key.hpp"
#include "traces/rules/constraints_file.hpp"
#include "traces/rules/enforce.hpp"

namespace {

using namespace fogline;

/// Trips over all of the frame, one of them standing still.
traces::TripSet some_trips(const traces::Frame& frame) {
  traces::TripSet trips;
  for (int trip = 0; trip < 4; ++trip) {
    for (int i = 0; i < 9; ++i) {
      const double east = trip == 3 ? 0.5 : i / 8.0, north = trip == 3   ? 0.5
                                                             : trip == 1 ? 1 - i / 8.0
                                                                         : (trip + i) % 9 / 8.0;
      trips.point.push_back(
          {static_cast<float>(east * frame.width_m()), static_cast<float>(north * frame.height_m())});
      trips.t.push_back(trip * 20'000 + i * 600);
    }
    trips.end_trip();
  }
  return trips;
}

void check(const std::string& text, const traces::Frame& frame, bool timed) {
  auto source = io::TextSource::from_memory("fuzz.geojson", text);
  Warnings warnings;
  const traces::Constraints rules = traces::read_constraints(source, frame, {.timed = timed}, warnings);
  fuzz::require(rules.open_share() > 0 && rules.open_share() <= 1);
  traces::TripSet trips = some_trips(frame);
  if (!timed) trips.t.clear();
  const std::size_t count = trips.size();
  const traces::EnforcementReport report =
      traces::enforce(trips, rules, random::PublicKey("fuzz"), {.parallel = {.threads = 1}});
  fuzz::require(report.after.hard() == 0 && trips.size() == count);
}

}  // namespace

/// What is accepted can be obeyed, by any trips.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const traces::Frame plane = traces::Frame::parse("0,0,1000,1000", traces::Frame::Unit::metres);
  const traces::Frame earth = traces::Frame::parse("13.0,52.0,13.1,52.1", traces::Frame::Unit::degrees);
  return fuzz::run(data, size, "fuzz.geojson", fuzz::Form::tree, [&](io::TextSource& source) {
    const std::string text = source.read_all();
    const bool timed = size % 2 == 0;
    try {
      check(text, plane, timed);
    } catch (const Error&) {
      // Perhaps it is in degrees.
    }
    check(text, earth, timed);
  });
}
