// SPDX-License-Identifier: Apache-2.0
#include "stream/people.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "stream/test_stream.hpp"

namespace fogline::stream::people_test {
namespace {

using testing::HasSubstr;
using testing::Not;

mobility::StateSequences read(const std::string& text) {
  static const mobility::StateModel model = testing_stream::free_walk({{1, 0}, {2, 1}});
  io::TextSource source = io::TextSource::from_memory("walks.csv", text);
  return mobility::read_sequences(source, model.space);
}

std::string problem(const std::string& text, std::uint64_t most) {
  try {
    mobility::StateSequences sequences = read(text);
    bound_sequences(sequences, most, privacy::TooMany::refuse, "walks.csv");
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(People, AreCountedByTheirSequences) {
  const std::string twice = "user_id,sequence,state\nann,1,s1\nann,1,s2\nbob,1,s1\nann,2,s1\n";
  EXPECT_EQ(read(twice).user, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_TRUE(has_repeated_people(read(twice)));
  EXPECT_EQ(problem(twice, 2), "");
  EXPECT_THAT(problem(twice, 1), HasSubstr("sequence 3 is of a person who has more than 1 of them"));
  EXPECT_THAT(problem(twice, 1), Not(HasSubstr("ann")));
}

TEST(People, HaveOneSequenceEachWhereNothingElseTellsSequencesApart) {
  const std::string alone = "user_id,state\nann,s1\nbob,s1\nann,s2\n";
  EXPECT_FALSE(has_repeated_people(read(alone)));
  EXPECT_EQ(problem(alone, 1), "");
}

TEST(People, AreNotGuessed) {
  EXPECT_THAT(problem("sequence,state\n1,s1\n2,s1\n", 5), HasSubstr("does not say whose"));
  EXPECT_FALSE(has_repeated_people(read("sequence,state\n1,s1\n2,s1\n")));
  const std::string blank = "user_id,sequence,state\nann,1,s1\n,1,s1\n ,2,s2\n";
  EXPECT_THAT(problem(blank, 5), HasSubstr("names nobody"));
  mobility::StateSequences sequences = read("user_id,sequence,state\nann,1,s1\nann,2,s1\nbob,1,s2\n");
  sequences.user = {0, mobility::StateSequences::nobody, mobility::StateSequences::nobody};
  EXPECT_TRUE(has_repeated_people(sequences));
  EXPECT_THROW(bound_sequences(sequences, 5, privacy::TooMany::refuse, "walks.csv"), DataError);
  EXPECT_THROW(bound_sequences(sequences, 5, privacy::TooMany::leave_out, "walks.csv"), DataError);
}

TEST(People, LoseWhatIsBeyondIfThatIsDeclared) {
  auto sequences =
      read("user_id,sequence,state\nann,1,s1\nann,1,s2\nbob,1,s2\nann,2,s1\nbob,2,s1\nbob,2,s1\n");
  bound_sequences(sequences, 1, privacy::TooMany::leave_out, "walks.csv");
  EXPECT_EQ(sequences.offset, (std::vector<std::uint64_t>{0, 2, 3}));
  EXPECT_EQ(sequences.state, (std::vector<mobility::StateId>{0, 1, 1}));
  EXPECT_EQ(sequences.user, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_THROW(bound_steps(sequences, 1, privacy::TooMany::refuse, "walks.csv"), InvalidOption);
  bound_steps(sequences, 1, privacy::TooMany::leave_out, "walks.csv");
  EXPECT_EQ(sequences.offset, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_EQ(sequences.state, (std::vector<mobility::StateId>{0, 1}));
  EXPECT_EQ(sequences.warnings.items().size(), 2U);
  bound_steps(sequences, 1, privacy::TooMany::refuse, "walks.csv");
}

TEST(People, WithTwoSpellingsOfANumberAreRefused) {
  EXPECT_THAT(problem("user_id,sequence,state\n7,1,s1\n7.0,2,s1\n", 1), HasSubstr("spelled otherwise"));
  EXPECT_THAT(problem("user_id,sequence,state\n7,1,s1\n70,1,s1\n", 1), "");
  EXPECT_THROW(read("sequence,state\n7,s1\n07,s1\n"), DataError);
}

}  // namespace
}  // namespace fogline::stream::people_test
