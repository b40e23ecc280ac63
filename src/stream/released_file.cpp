// SPDX-License-Identifier: Apache-2.0
#include "stream/released_file.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/numbers.hpp"

namespace fogline::stream {
namespace {

Answer draw_of(const io::CsvReader& csv, std::size_t column) {
  Answer draw;
  std::string_view rest = csv.trimmed(column);
  while (!rest.empty()) {
    const std::size_t space = rest.find(' ');
    const auto number = io::parse_int64(rest.substr(0, space));
    if (!number || draw.size() == 8) csv.fail(column, "is not a list of at most eight integers");
    draw.push_back(*number);
    rest.remove_prefix(space == std::string_view::npos ? rest.size() : space + 1);
  }
  if (draw.empty()) csv.fail(column, "is empty");
  return draw;
}

std::vector<double> numbers_of(const io::CsvReader& csv, std::size_t first, std::size_t count) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i) numbers.push_back(csv.number(first + i));
  return numbers;
}

}  // namespace

ReleasedFormat::ReleasedFormat(const mobility::StateSpace& space) : names_(space.columns) {
  if (!space.centre) return;
  plane_.emplace(*space.centre);
  names_ = {"lon", "lat"};
}

std::string ReleasedFormat::header() const {
  std::string line = "sequence,step,state";
  for (const std::string& name : names_) {
    line += ',';
    io::append_csv_field(line, name);
  }
  line += ",draw";
  for (const std::string& name : names_) {
    line += ',';
    io::append_csv_field(line, "free_" + name);
  }
  return line + "\n";
}

std::vector<double> ReleasedFormat::outward(std::span<const double> value) const {
  if (!plane_) return {value.begin(), value.end()};
  const geometry::LonLat at = plane_->inverse({value[0], value[1]});
  return {at.lon, at.lat};
}

std::vector<double> ReleasedFormat::inward(std::span<const double> value) const {
  if (!plane_) return {value.begin(), value.end()};
  const geometry::PointXY at = plane_->forward({value[0], value[1]});
  return {at.x_m, at.y_m};
}

std::string ReleasedFormat::row(const Row& row) const {
  std::string line;
  io::append_csv_field(line, row.sequence);
  line += fmt::format(",{},", row.step);
  io::append_csv_field(line, row.state);
  const auto append = [&](std::span<const double> value) {
    for (const double number : outward(value))
      line += plane_ ? fmt::format(",{:.7f}", number) : fmt::format(",{:.10g}", number);
  };
  append(row.value);
  line += ',';
  for (std::size_t i = 0; i < row.draw.size(); ++i)
    line += fmt::format("{}{}", i > 0 ? " " : "", row.draw[i]);
  append(row.free);
  return line + "\n";
}

std::vector<ReleasedFormat::Row> ReleasedFormat::read(io::TextSource& source) const {
  io::CsvReader csv(source, {.delimiter = ','});
  std::string found;
  for (const std::string& name : csv.header()) {
    if (!found.empty()) found += ',';
    io::append_csv_field(found, name);
  }
  if (found + "\n" != header())
    throw DataError({source.name(), 1}, "does not have the columns of a release under this model",
                    "they are " + header().substr(0, header().size() - 1));
  const std::size_t width = names_.size();
  std::vector<Row> rows;
  while (csv.next()) {
    const auto step = io::parse_uint64(csv.trimmed(1));
    if (!step || *step == 0) csv.fail(1, "is not a whole number from 1");
    Row row{.sequence = std::string(csv.field(0)),
            .step = *step,
            .state = std::string(csv.field(2)),
            .value = inward(numbers_of(csv, 3, width)),
            .draw = draw_of(csv, 3 + width),
            .free = inward(numbers_of(csv, 4 + width, width))};
    if (!rows.empty() && rows.back().sequence == row.sequence && row.step != rows.back().step + 1)
      csv.fail(1, "does not follow the one before");
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace fogline::stream
