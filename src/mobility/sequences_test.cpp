// SPDX-License-Identifier: Apache-2.0
#include "mobility/sequences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "io/test_text.hpp"
#include "mobility/model_file.hpp"

namespace fogline::mobility {
namespace {

using io::testing_text::message_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

StateSpace rooms() {
  StateSpace space;
  for (const char* name : {"hall", "kitchen", "study"}) space.names.intern(name);
  measure_by_number(space);
  return space;
}

/// Two cells of a kilometre, west and east of a point in Berlin.
StateSpace cells() {
  return grid_space({.cell_m = 1000, .west_m = -1000, .south_m = -500, .columns = 2, .rows = 1},
                    geometry::LonLat{13.4, 52.5});
}

StateSequences read(const std::string& text, const StateSpace& space) {
  auto source = io::TextSource::from_memory("states.csv", text);
  return read_sequences(source, space);
}

std::string refusal(const std::string& text, const StateSpace& space) {
  return message_of([&] { read(text, space); });
}

TEST(SequenceReader, ReadsNamesOfStates) {
  const auto sequences = read("state\nhall\nstudy\n\nhall\n", rooms());
  ASSERT_EQ(sequences.size(), 1U);
  EXPECT_THAT(sequences[0], ElementsAre(0, 2, 0));
  EXPECT_EQ(sequences.steps(), 2U);
}

TEST(SequenceReader, TakesOneColumnWithoutHeader) {
  EXPECT_THAT(read("study\nhall\n", rooms())[0], ElementsAre(2, 0));
}

TEST(SequenceReader, KeepsSequencesApart) {
  const auto sequences = read("t,sequence,state\n1,a,hall\n5,b,study\n2,a,kitchen\n5,b,hall\n", rooms());
  ASSERT_EQ(sequences.size(), 2U);
  EXPECT_THAT(sequences[0], ElementsAre(0, 1));
  EXPECT_THAT(sequences[1], ElementsAre(2, 0));
  const auto trips = read("user_id,traj_id,state\nu,1,hall\nv,1,study\nu,1,hall\n", rooms());
  ASSERT_EQ(trips.size(), 2U) << "two users may number their trips alike";
  EXPECT_THAT(trips[0], ElementsAre(0, 0));
}

TEST(SequenceReader, FindsStatesOfPositions) {
  const auto sequences = read("t,lon,lat\n1,13.39,52.5\n2,13.41,52.5\n3,13.2,52.5\n", cells());
  EXPECT_THAT(sequences[0], ElementsAre(0, 1, 0));
  StateSpace plane = cells();
  plane.centre.reset();
  EXPECT_THAT(read("x_m,y_m\n-10,0\n10,0\n", plane)[0], ElementsAre(0, 1));
}

TEST(SequenceReader, GivesTimeLineAndSequence) {
  auto source = io::TextSource::from_memory("states.csv", "traj_id,t,state\nx,1970-01-01T00:01:00,hall\n");
  const StateSpace space = rooms();
  SequenceReader reader(source, space);
  StateRecord record;
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record.t, 60);
  EXPECT_EQ(record.line, 2U);
  EXPECT_TRUE(reader.has_sequences());
  EXPECT_EQ(reader.sequence_names().name(record.sequence), "x");
  EXPECT_EQ(reader.warnings().count("time without zone read as UTC"), 1U);
  EXPECT_FALSE(reader.next(record));
}

TEST(SequenceReader, DoesNotWaitForTheLineAfter) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string name = "/dev/fd/" + std::to_string(ends[0]);
  ASSERT_EQ(write(ends[1], "state\nhall\n", 11), 11);
  auto source = io::TextSource::from_file(name);
  const StateSpace space = rooms();
  SequenceReader reader(source, space);
  StateRecord record;
  ASSERT_TRUE(reader.next(record)) << "would hang here";
  EXPECT_EQ(record.state, 0U);
  ASSERT_EQ(write(ends[1], "study\n", 6), 6);
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record.state, 2U);
  close(ends[1]);
  EXPECT_FALSE(reader.next(record));
  close(ends[0]);
}

TEST(SequenceReader, NamesTheLineAndNeverTheValue) {
  EXPECT_THAT(
      refusal("state\nhall\nattic\n", rooms()),
      AllOf(HasSubstr("states.csv, line 3: column \"state\" names a state"), Not(HasSubstr("attic"))));
  EXPECT_THAT(refusal("hall\nattic\n", rooms()),
              AllOf(HasSubstr("line 2: column 1"), Not(HasSubstr("hall"))));
  EXPECT_THAT(refusal("attic\nhall\n", rooms()),
              AllOf(HasSubstr("no column for the state"), Not(HasSubstr("attic"))));
  EXPECT_THAT(refusal("", rooms()), HasSubstr("empty"));
  EXPECT_THAT(refusal("state\n", rooms()), HasSubstr("holds no states"));
  EXPECT_THAT(refusal("lon,lat\n1,2\n", rooms()), HasSubstr("no places"));
  EXPECT_THAT(refusal("x_m,y_m\n1,2\n", cells()), HasSubstr("gives metres"));
  EXPECT_THAT(refusal("lon\n1\n", cells()), HasSubstr("no column for the latitude"));
  EXPECT_THAT(refusal("lon,lat\n190.5,2\n", cells()),
              AllOf(HasSubstr("line 2: column \"lon\" is out of range"), Not(HasSubstr("190"))));
  EXPECT_THAT(refusal("lon,lat\n1,x7\n", cells()), AllOf(HasSubstr("line 2"), Not(HasSubstr("x7"))));
  EXPECT_THAT(refusal("t,state\n9,hall\n8,hall\n", rooms()),
              HasSubstr("line 3: column \"t\" runs backwards"));
  EXPECT_THAT(refusal("t,state\nsoon,hall\n", rooms()), AllOf(HasSubstr("line 2"), Not(HasSubstr("soon"))));
  EXPECT_THAT(refusal("t,state\n9\n", rooms()), HasSubstr("line 2: has 1 fields"));
}

TEST(NamedSequences, EveryNameBecomesAState) {
  io::NameTable names;
  auto source = io::TextSource::from_memory("paths.csv", "sequence,state\n1,Zebra\n1,Africa\n2,Africa\n");
  const auto sequences = read_named_sequences(source, names);
  EXPECT_THAT(names.names(), ElementsAre("Zebra", "Africa"));
  EXPECT_THAT(sequences[0], ElementsAre(0, 1));
  EXPECT_THAT(sequences[1], ElementsAre(1));
  auto bad = io::TextSource::from_memory("paths.csv", "sequence,state\n1,\n");
  EXPECT_THAT(message_of([&] { read_named_sequences(bad, names); }), HasSubstr("line 2"));
}

}  // namespace
}  // namespace fogline::mobility
