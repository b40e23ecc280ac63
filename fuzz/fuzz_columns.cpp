// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "fuzz_reader.hpp"
#include "io/columns.hpp"
#include "io/points.hpp"

/// The first line is what --columns says, the rest a CSV file of points with days before months.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  const std::string text(data, data + size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string rest = text.substr(std::min(end + 1, text.size()));
  const auto* file = reinterpret_cast<const std::uint8_t*>(rest.data());
  return fuzz::run(file, rest.size(), "fuzz.csv", fuzz::Form::table, [&](io::TextSource& source) {
    const io::ColumnMap map = io::ColumnMap::parse(text.substr(0, end));
    const io::PointTable points = io::read_points(
        source, {.columns = {.map = map, .sequences = true}, .times = io::TimeFormat::day_first});
    fuzz::require(!points.columns.taken.empty());
    for (const io::ColumnReport::Taken& taken : points.columns.taken)
      fuzz::require(taken.is_ours || to_string(points.columns).find('=') != std::string::npos);
    for (const char c : to_string(points.columns)) fuzz::require(static_cast<unsigned char>(c) >= 0x20);
    return points.size();
  });
}
