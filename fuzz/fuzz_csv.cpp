// SPDX-License-Identifier: Apache-2.0
#include "fuzz_reader.hpp"
#include "io/csv.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.csv", fuzz::Form::table, [](io::TextSource& source) {
    io::CsvReader csv(source, {});
    std::string copy = "h";
    for (std::size_t i = 1; i < csv.header().size(); ++i) copy += ",h";
    copy += '\n';
    std::size_t records = 0;
    while (csv.next()) {
      fuzz::require(csv.field_count() == csv.header().size());
      fuzz::require(csv.field_count() <= io::current_limits().columns);
      // A record of one empty field is an empty line, which readers skip.
      if (csv.field_count() == 1 && csv.field(0).empty()) continue;
      ++records;
      for (std::size_t i = 0; i < csv.field_count(); ++i) {
        if (i > 0) copy += ',';
        io::append_csv_field(copy, csv.field(i));
      }
      copy += '\n';
    }
    fuzz::require_accepted([&] {
      auto again = io::TextSource::from_memory("again.csv", copy);
      io::CsvReader second(again, {.delimiter = ','});
      std::size_t found = 0;
      while (second.next()) ++found;
      fuzz::require(found == records);
    });
    return records;
  });
}
