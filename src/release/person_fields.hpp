// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/name_table.hpp"
#include "privacy/persons.hpp"
#include "release/field_table.hpp"

namespace fogline::release {

/// `persons` and `per-person`, alike for every kind: how a release knows whose each record is, and how many records of one person its promise covers. Given, the
/// promise is for everything that a person has in the release, and the ledger can count it against a cap per person.
///
///     const auto bound = persons_.bound("reports-per-person", reports_per_person);
///     terms.reports_per_person = bound.most;
struct PersonFields {
  std::string persons;           ///< "column", "declared", or a file of names; empty: not given
  std::uint64_t per_person = 0;  ///< 0: not given
  std::string too_many;          ///< empty: not given

  void declare(FieldTable& table, const std::string& records, const std::string& most,
               const std::string& parameter);
  /// For records that name nobody: `persons` is declared, or not given.
  void declare_declared(FieldTable& table, const std::string& records, const std::string& most,
                        const std::string& parameter, const std::string& why = "weights name nobody");
  void declare_too_many(FieldTable& table, const std::string& records);

  struct Bound {
    privacy::Persons persons = privacy::Persons::unsaid;
    std::uint64_t most = 0;  ///< records of one person; 0 where nothing was said
  };
  /// `old`: a field of one kind alone that said the same before, and what it holds; 0: not given. Throws InvalidOption for half of the pair, or both spellings.
  Bound bound(std::string_view old = "", std::uint64_t old_most = 0) const;

  /// Where nobody said, a guarded release leaves out, and others refuse.
  privacy::TooMany rule(bool is_guarded) const;

  std::string file() const;  ///< of names; empty if there is none
  std::vector<std::string> files() const;

 private:
  void declare_bound(FieldTable& table, const std::string& records, const std::string& most,
                     const std::string& parameter);
};

/// Names, one a line, in the order of the records. Throws DataError if a line names nobody, or none is there.
std::vector<std::string> read_persons(const std::string& file);

/// Gives each record the person that the file names. Throws InvalidOption if the records name persons themselves, DataError if there are more or fewer names than records, or
/// one person has two spellings.
void take_persons(const std::string& file, std::size_t records, std::string_view what, io::NameTable& names,
                  std::vector<std::uint32_t>& of_record);

/// Throws DataError if the records name persons and one of them, in whatever spelling, has more than was declared. Whose the nameless ones are nobody knows. Without
/// `names` they were compared by whoever read them.
void require_as_declared(std::uint64_t most, std::span<const std::uint32_t> of_record,
                         std::span<const std::string> names, const std::string& file);

}  // namespace fogline::release
