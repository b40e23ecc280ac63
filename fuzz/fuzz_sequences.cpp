// SPDX-License-Identifier: Apache-2.0
#include "fuzz_reader.hpp"
#include "mobility/sequences.hpp"

/// The first byte chooses the states: named rooms, or cells.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  if (size == 0) return 0;
  mobility::StateSpace space =
      mobility::grid_space({.cell_m = 1000, .west_m = -1000, .south_m = -500, .columns = 2, .rows = 1},
                           geometry::LonLat{13.4, 52.5});
  if (data[0] == 'n') {
    space = {};
    for (const char* name : {"hall", "study"}) space.names.intern(name);
    mobility::measure_by_number(space);
  }
  return fuzz::run(data + 1, size - 1, "fuzz.csv", fuzz::Form::table, [&](io::TextSource& source) {
    const mobility::StateSequences sequences = mobility::read_sequences(source, space);
    for (const mobility::StateId state : sequences.state) fuzz::require(state < 2);
    fuzz::require(sequences.offset.back() == sequences.state.size() && sequences.size() > 0);
    return sequences.state.size();
  });
}
