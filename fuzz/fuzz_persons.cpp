// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file of persons, a name a line: refused, or as many names as there are lines, none of them blank.
#include "fuzz_file.hpp"
#include "io/identity.hpp"
#include "release/person_fields.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fogline::fuzz::run_file(
      data, size, ".txt", {.form = fogline::fuzz::Form::lines}, [](const std::string& path) {
        const std::vector<std::string> persons = fogline::release::read_persons(path);
        for (const std::string& name : persons) fogline::fuzz::require(!fogline::io::is_missing_name(name));
        return persons.size();
      });
}
