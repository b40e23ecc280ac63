// SPDX-License-Identifier: Apache-2.0
#include "mobility/sequences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "io/test_text.hpp"
#include "mobility/model_file.hpp"

namespace fogline::mobility::sequences_test {
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
  EXPECT_THAT(trips.user, ElementsAre(0, 1));
  EXPECT_THAT(sequences.user, ElementsAre()) << "the file names no users";
}

TEST(SequenceReader, TellsWhoseEachSequenceIs) {
  const auto found = read("user_id,traj_id,state\nu,1,hall\nv,1,study\nu,2,hall\nv,1,hall\n", rooms());
  EXPECT_THAT(found.user, ElementsAre(0, 1, 0));
}

TEST(SequenceReader, OneSequenceUnderTwoSpellingsIsRefused) {
  const StateSpace space = rooms();
  const char* two = "spelled otherwise";
  EXPECT_THAT(refusal("sequence,state\n7,hall\n7.0,study\n", space), HasSubstr(two));
  EXPECT_THAT(refusal("user_id,state\n7,hall\n07,study\n", space), HasSubstr(two));
  EXPECT_THAT(refusal("user_id,sequence,state\n1,7,hall\n1,7.0,study\n", space), HasSubstr(two));
  EXPECT_THAT(refusal("user_id,sequence,state\n1,7,hall\n1.0,8,study\n", space), HasSubstr(two));
  // Two people may number their sequences as they like, also each in another spelling.
  EXPECT_EQ(read("user_id,sequence,state\n1,7,hall\n2,7.0,study\n2,8,hall\n1,7,hall\n", space).size(), 3U);
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
  SequenceReader reader(source, space, {});
  StateRecord record;
  ASSERT_TRUE(reader.next(record));
  EXPECT_EQ(record.t, 60);
  EXPECT_EQ(record.line, 2U);
  EXPECT_TRUE(reader.has_sequences());
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
  SequenceReader reader(source, space, {});
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

TEST(SequenceReader, EveryVerbSplitsAFileAlike) {
  for (const char* text :
       {"user_id,t,state\nu,1,hall\nv,1,study\nu,2,hall\n", "sequence,state\n1,hall\n2,study\n1,hall\n",
        "patient_id,sequence,state\np,1,hall\nq,1,study\np,1,hall\n"}) {
    auto source = io::TextSource::from_memory("states.csv", text);
    io::NameTable names;
    const StateSequences learned = read_named_sequences(source, names);
    const StateSequences released = read(text, rooms());
    EXPECT_EQ(learned.offset, released.offset) << text;
    EXPECT_EQ(learned.user, released.user) << text;
    EXPECT_EQ(learned.size(), 2U) << text;
  }
}

TEST(SequenceReader, CanPutASequenceInOrder) {
  const std::string text = "sequence,t,state\na,5,hall\nb,1,hall\na,2,study\na,5,kitchen\n";
  EXPECT_THAT(refusal(text, rooms()), HasSubstr("line 4: column \"t\" runs backwards"));
  auto source = io::TextSource::from_memory("states.csv", text);
  const auto sequences = read_sequences(source, rooms(), {.sort = true});
  EXPECT_THAT(sequences[0], ElementsAre(2, 0, 1));
  EXPECT_EQ(sequences.warnings.count("sequence with time running backwards put in order of time"), 1U);
}

TEST(SequenceReader, ColumnsThatLookNeededAreRefused) {
  EXPECT_THAT(refusal("patient,state\np,hall\n", rooms()), HasSubstr("\"patient\" for the user"));
  EXPECT_THAT(refusal("lon,lat,room\n13.4,52.5,hall\n", cells()), HasSubstr("\"room\" for the state"));
  auto source = io::TextSource::from_memory("states.csv", "patient,room,when\np,hall,1\nq,study,1\n");
  const auto mapped =
      read_sequences(source, rooms(), {.columns = io::ColumnMap::parse("user=patient,state=room,time=none")});
  EXPECT_EQ(mapped.size(), 2U);
  EXPECT_EQ(to_string(mapped.columns), "user=patient state=room; left: when");
}

TEST(ReadSequences, PositionsOutsideTheGridAreCountedAndAFileOfThemIsRefused) {
  const StateSpace space = grid_space({.cell_m = 100, .columns = 3, .rows = 3}, std::nullopt);
  auto some = io::TextSource::from_memory("walk.csv", "x_m,y_m\n50,50\n9000,50\n");
  const StateSequences sequences = read_sequences(some, space, {});
  EXPECT_EQ(sequences.state, (std::vector<StateId>{0, 2}));
  ASSERT_EQ(sequences.warnings.items().size(), 1U);
  EXPECT_THAT(to_string(sequences.warnings.items()[0]), testing::HasSubstr("line 3: position outside"));
  auto none = io::TextSource::from_memory("walk.csv", "x_m,y_m\n-9000,50\n9000,50\n");
  EXPECT_THROW(read_sequences(none, space, {}), DataError);
}

}  // namespace
}  // namespace fogline::mobility::sequences_test
