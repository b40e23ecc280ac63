// SPDX-License-Identifier: Apache-2.0
#include "release/person_fields.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::release::person_fields_test {
namespace {

using privacy::Persons;

std::string refused(const PersonFields& fields, std::uint64_t old_most = 0) {
  try {
    fields.bound("reports-per-person", old_most);
  } catch (const InvalidOption& error) {
    return error.option();
  }
  return "";
}

PersonFields fields(const std::string& persons, std::uint64_t per_person) {
  PersonFields given;
  given.persons = persons;
  given.per_person = per_person;
  return given;
}

TEST(PersonFields, HaveOneMeaning) {
  const auto bound = [](const std::string& persons, std::uint64_t per_person, std::uint64_t old = 0) {
    const PersonFields::Bound found = fields(persons, per_person).bound("reports-per-person", old);
    return std::pair(found.persons, found.most);
  };
  EXPECT_EQ(bound("", 0), std::pair(Persons::unsaid, std::uint64_t{0}));
  EXPECT_EQ(bound("", 3), std::pair(Persons::column, std::uint64_t{3}));
  EXPECT_EQ(bound("column", 3), std::pair(Persons::column, std::uint64_t{3}));
  EXPECT_EQ(bound("names.txt", 3), std::pair(Persons::file, std::uint64_t{3}));
  EXPECT_EQ(bound("declared", 3), std::pair(Persons::declared, std::uint64_t{3}));
  EXPECT_EQ(bound("declared", 0), std::pair(Persons::declared, std::uint64_t{1}));
  EXPECT_EQ(bound("", 0, 3), bound("column", 3));
  EXPECT_EQ(refused(fields("column", 0)), "per-person");
  EXPECT_EQ(refused(fields("names.txt", 0)), "per-person");
  EXPECT_EQ(refused(fields("declared", 0), 3), "reports-per-person");
  EXPECT_EQ(refused(fields("", 3), 3), "reports-per-person");
}

TEST(PersonFields, LeaveOutOnlyWhereThatIsSaidOrNobodyMayBeTold) {
  PersonFields given;
  EXPECT_EQ(given.rule(false), privacy::TooMany::refuse);
  EXPECT_EQ(given.rule(true), privacy::TooMany::leave_out);
  given.too_many = "refuse";
  EXPECT_EQ(given.rule(false), privacy::TooMany::refuse);
  EXPECT_THROW(given.rule(true), InvalidOption) << "a refusal tells for certain, at any epsilon";
}

TEST(PersonFields, TakeOneNameForEachRecord) {
  const privacy::TestFolder folder;
  const std::string file = folder.path("names.txt");
  const auto take = [&](const std::string& text, std::size_t records) {
    std::ofstream(file) << text;
    io::NameTable names;
    std::vector<std::uint32_t> of_record;
    take_persons(file, records, "positions", names, of_record);
    return of_record;
  };
  EXPECT_EQ(take("ann\nbob\nann\n", 3), (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(take("ann \r\n bob\nann", 3), (std::vector<std::uint32_t>{0, 1, 0}));
  for (const char* bad :
       {"ann\nbob\n", "ann\nbob\nann\nann\n", "ann\n\nann\n", "ann\nNA\nann\n", "", "7\n7.0\nann\n"})
    EXPECT_THROW(take(bad, 3), DataError) << bad;
  io::NameTable names;
  std::vector<std::uint32_t> known{0};
  EXPECT_THROW(take_persons(file, 1, "positions", names, known), InvalidOption);
}

TEST(PersonFields, ADeclarationThatTheRecordsContradictIsRefused) {
  const std::vector<std::uint32_t> of_record{0, 1, 0, 2, 2, 2};
  const std::vector<std::string> last_is_nobody{"ann", "bob", "NA"}, spelled_twice{"7", "7.0", "?"};
  EXPECT_NO_THROW(require_as_declared(2, of_record, last_is_nobody, "p.csv"));
  EXPECT_THROW(require_as_declared(1, of_record, last_is_nobody, "p.csv"), DataError);
  EXPECT_THROW(require_as_declared(2, of_record, spelled_twice, "p.csv"), DataError);
  EXPECT_THROW(require_as_declared(2, of_record, {}, "p.csv"), DataError);
  EXPECT_NO_THROW(require_as_declared(1, std::vector<std::uint32_t>{0, UINT32_MAX, UINT32_MAX}, {}, "p.csv"));
  EXPECT_NO_THROW(require_as_declared(1, {}, last_is_nobody, "p.csv"));
}

}  // namespace
}  // namespace fogline::release::person_fields_test
