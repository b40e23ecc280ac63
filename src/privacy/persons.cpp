// SPDX-License-Identifier: Apache-2.0
#include "privacy/persons.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::privacy {

std::string_view to_string(Persons persons) {
  return persons_names[static_cast<std::size_t>(persons)];
}

Persons persons_from(std::string_view name) {
  const auto found = std::ranges::find(persons_names, name);
  if (found == persons_names.end()) throw InvalidOption("persons", "is unsaid, column, file or declared");
  return static_cast<Persons>(found - persons_names.begin());
}

std::string how_told_apart(Persons persons, std::string_view records) {
  switch (persons) {
    case Persons::column:
      return "Persons are told apart by a column of the records, in which each has one name of their own.";
    case Persons::file:
      return fmt::format("Persons are told apart by a file that names whose each of the {} is.", records);
    case Persons::declared:
      return fmt::format(
          "That nobody has more {} was declared: the promise stands on that, and not on names in the "
          "records.",
          records);
    case Persons::unsaid:
      break;
  }
  return "Persons are not told apart.";
}

std::string what_nobody_counted(std::string_view records) {
  return fmt::format("A person with more {} than declared: nobody counted them.", records);
}

std::string_view to_string(TooMany rule) {
  return too_many_names[static_cast<std::size_t>(rule)];
}

TooMany too_many_from(std::string_view name) {
  const auto found = std::ranges::find(too_many_names, name);
  if (found == too_many_names.end()) throw InvalidOption("too-many", "is refuse or leave-out");
  return static_cast<TooMany>(found - too_many_names.begin());
}

}  // namespace fogline::privacy
