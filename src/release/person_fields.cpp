// SPDX-License-Identifier: Apache-2.0
#include "release/person_fields.hpp"

#include <limits>
#include <unordered_map>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/identity.hpp"
#include "io/input_file.hpp"

namespace fogline::release {
namespace {

/// As readers that have looked at the names themselves number those without one.
constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
constexpr std::string_view by_column = "column", by_declaration = "declared";

}  // namespace

void PersonFields::declare(FieldTable& table, const std::string& records, const std::string& most,
                           const std::string& parameter) {
  table
      .value("persons", "HOW", persons,
             "protect persons, told apart by a column, a FILE of names, or not: declared")
      .role(FieldRole::private_input)
      .stated("persons");
  declare_bound(table, records, most, parameter);
}

void PersonFields::declare_declared(FieldTable& table, const std::string& records, const std::string& most,
                                    const std::string& parameter, const std::string& why) {
  table.value("persons", "HOW", persons, fmt::format("protect persons: declared, for {}", why))
      .stated("persons");
  declare_bound(table, records, most, parameter);
}

void PersonFields::declare_bound(FieldTable& table, const std::string& records, const std::string& most,
                                 const std::string& parameter) {
  table
      .value("per-person", "K", per_person,
             fmt::format("promise for all {} of a person, at most K (declared: 1)", records))
      .nonzero()
      .range("1", most)
      .stated(parameter);
}

void PersonFields::declare_too_many(FieldTable& table, const std::string& records) {
  table.value("too-many", "RULE", too_many, fmt::format("what becomes of {} beyond", records))
      .choices({privacy::too_many_names.begin(), privacy::too_many_names.end()})
      .stated("too_many");
}

PersonFields::Bound PersonFields::bound(std::string_view old, std::uint64_t old_most) const {
  const bool is_given = !persons.empty() || per_person > 0;
  if (is_given && old_most > 0)
    throw InvalidOption(old, "is an old spelling of `per-person`: give one of the two");
  if (old_most > 0) return {privacy::Persons::column, old_most};
  if (!is_given) return {};
  if (persons == by_declaration) return {privacy::Persons::declared, per_person > 0 ? per_person : 1};
  if (per_person == 0)
    throw InvalidOption("per-person", "is needed with `persons`: how many of a person's records are covered");
  return {file().empty() ? privacy::Persons::column : privacy::Persons::file, per_person};
}

privacy::TooMany PersonFields::rule(bool is_guarded) const {
  const auto given = too_many.empty() ? std::nullopt : std::optional(privacy::too_many_from(too_many));
  if (is_guarded && given == privacy::TooMany::refuse)
    throw InvalidOption("too-many",
                        "is leave-out with `guarded`: a refusal would tell of the records at any epsilon");
  if (given) return *given;
  return is_guarded ? privacy::TooMany::leave_out : privacy::TooMany::refuse;
}

std::string PersonFields::file() const {
  return persons == by_column || persons == by_declaration ? "" : persons;
}

std::vector<std::string> PersonFields::files() const {
  return file().empty() ? std::vector<std::string>{} : std::vector{file()};
}

std::vector<std::string> read_persons(const std::string& file) {
  std::vector<std::string> persons;
  io::TextSource source = io::TextSource::from_file(file);
  io::LineReader lines(source);
  io::RecordCounter counter(source.limits());
  std::uint64_t missing = 0, first_missing = 0;
  for (std::string_view line; lines.next(line);) {
    counter.add([&] { return FileSpot{file, lines.line_number()}; });
    persons.emplace_back(io::trim_name(line));
    if (!io::is_missing_name(persons.back())) continue;
    if (missing++ == 0) first_missing = lines.line_number();
  }
  if (missing > 0)
    throw DataError(
        {file, first_missing},
        fmt::format("{} of {} lines name no user (blank, or NA, null and the like)", missing, persons.size()),
        "write one user a line, with a name of its own for each unknown person");
  if (persons.empty()) throw DataError({file}, "names no user", "write one user a line");
  return persons;
}

void take_persons(const std::string& file, std::size_t records, std::string_view what, io::NameTable& names,
                  std::vector<std::uint32_t>& of_record) {
  if (!of_record.empty())
    throw InvalidOption("persons",
                        fmt::format("names a file, but the {} name persons themselves: say column, "
                                    "or leave that column out",
                                    what));
  const std::vector<std::string> persons = read_persons(file);
  if (persons.size() != records)
    throw DataError({file}, fmt::format("does not name as many persons as there are {}", what),
                    fmt::format("write one name a line, in the order of the {}", what));
  of_record.reserve(records);
  for (const std::string& name : persons) of_record.push_back(names.intern(name));
  io::refuse_faults(io::find_faults(names.names(), of_record), {file},
                    {.records = what, .instead = "leave out `persons`"});
}

void require_as_declared(std::uint64_t most, std::span<const std::uint32_t> of_record,
                         std::span<const std::string> names, const std::string& file) {
  const std::vector<std::uint32_t> same = io::same_names(names);
  std::unordered_map<std::uint32_t, std::uint64_t> seen;
  for (const std::uint32_t person : of_record) {
    const bool is_named = names.empty() ? person != nobody : !io::is_missing_name(names[person]);
    if (!is_named || ++seen[names.empty() ? person : same[person]] <= most) continue;
    throw DataError({file},
                    fmt::format("names persons, and one of them has more than the {} that {} declared", most,
                                most == 1 ? "is" : "are"),
                    "tell them apart with `persons` column, or raise `per-person`");
  }
}

}  // namespace fogline::release
