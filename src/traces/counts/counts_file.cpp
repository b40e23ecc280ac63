// SPDX-License-Identifier: Apache-2.0
#include "traces/counts/counts_file.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "io/input_file.hpp"
#include "privacy/plain_text.hpp"
#include "privacy/strict_json.hpp"

namespace fogline::traces {
namespace {

using Json = nlohmann::ordered_json;

/// Whole numbers up to here are told apart as doubles, which the counts become. Noise does not reach it: its scale is 2^40 steps at most.
constexpr std::int64_t largest_count = std::int64_t{1} << 53;
constexpr privacy::JsonLimits limits{.values = io::format_limit::counts_values.most, .objects = 64};

constexpr std::string_view format_name = "fogline-trace-counts";
constexpr std::uint64_t format_version = 1;

/// A count is a number of steps, which its value in trips gives back exactly: both are divided by a power of two.
std::vector<std::int64_t> steps_of(const NoisyTable& table) {
  std::vector<std::int64_t> steps;
  steps.reserve(table.value.size());
  for (const double value : table.value) steps.push_back(std::llround(value * TraceStatistics::per_trip));
  return steps;
}

/// A line each, so that people find their way.
std::string table_line(Statistic statistic, const AnswersSoFar& asked, const NoisyTable& table) {
  return fmt::format(R"("{}":{{"epsilon":"{}","sensitivity":{},"counts":[{}]}})", to_string(statistic),
                     asked.epsilon_of(statistic).to_string(), asked.sensitivity(),
                     fmt::join(steps_of(table), ","));
}

std::string strings_text(const MoveStrings& strings) {
  std::vector<std::string> each;
  for (std::size_t i = 0; i < strings.size(); ++i)
    each.push_back(fmt::format("[{}]", fmt::join(strings[i], ",")));
  return fmt::format("[{}]", fmt::join(each, ","));
}

class CountsReader {
 public:
  CountsReader(std::string_view text, const std::string& name, const TraceStatistics& statistics)
      : spot_{name}, json_(privacy::parse_strict_json(text, spot_, limits)), answers_(statistics) {}

  NoisyStatistics read() && {
    privacy::StrictObject file(json_, spot_);
    privacy::StrictObject tables = file.object("tables");
    for (std::size_t s = 0; s < statistic_count; ++s) {
      const auto statistic = static_cast<Statistic>(s);
      if (!answers_.asks(statistic)) continue;
      const std::string table_name(to_string(statistic));
      privacy::StrictObject table = tables.object(table_name);
      answers_.take(statistic, counts(table, answers_.known().layout.bins_of(statistic)));
    }
    return std::move(answers_).known();
  }

 private:
  static std::vector<std::int64_t> counts(privacy::StrictObject& table, std::size_t bins) {
    const Json& list = table.array("counts");
    if (list.size() != bins)
      table.fail("counts", fmt::format("must hold {} numbers, not {}", bins, list.size()));
    std::vector<std::int64_t> counts;
    counts.reserve(bins);
    for (const Json& count : list) {
      const bool is_small = count.is_number_unsigned()
                                ? count.get<std::uint64_t>() <= std::uint64_t{largest_count}
                                : count.is_number_integer() && count.get<std::int64_t>() >= -largest_count;
      if (!is_small)
        table.fail("counts", fmt::format("must hold whole numbers within 2^53 of 0, unlike that at place {}",
                                         counts.size() + 1));
      counts.push_back(count.get<std::int64_t>());
    }
    return counts;
  }

  FileSpot spot_;
  Json json_;
  AnswersSoFar answers_;
};

/// The first field in which two such files differ; empty if they differ in spelling alone.
std::string first_difference(const Json& given, const Json& anew, const std::string& where = "") {
  if (!given.is_object() || !anew.is_object()) return given == anew ? "" : where;
  const auto inner = [&](const std::string& key) { return where.empty() ? key : where + "." + key; };
  for (const auto& item : anew.items()) {
    if (!given.contains(item.key())) return inner(item.key());
    const std::string found = first_difference(given[item.key()], item.value(), inner(item.key()));
    if (!found.empty()) return found;
  }
  for (const auto& item : given.items())
    if (!anew.contains(item.key()))
      return inner(privacy::is_plain_text(item.key()) ? item.key() : "(unprintable name)");
  return "";
}

}  // namespace

std::string counts_text(const NoisyStatistics& known, const TraceStatistics& statistics) {
  const TraceStatistics::Options& options = statistics.options();
  AnswersSoFar asked(statistics);
  std::vector<std::string> tables;
  for (std::size_t s = 0; s < statistic_count; ++s) {
    const auto statistic = static_cast<Statistic>(s);
    if (!asked.asks(statistic)) continue;
    tables.push_back(table_line(statistic, asked, known.of(statistic)));
    asked.take(statistic, steps_of(known.of(statistic)));
  }
  const bool is_plane = options.frame.unit() == Frame::Unit::metres;
  std::string text = fmt::format("{{\"format\":\"{}\",\"version\":{},\n", format_name, format_version);
  text += fmt::format("\"area\":\"{}\",\"plane\":{},\"max_length_m\":{},\n", options.frame.text(), is_plane,
                      options.max_length_m);
  text += fmt::format("\"unit\":\"{}\",\"epsilon\":\"{}\",\"trips\":{},\"steps_per_trip\":{},\n",
                      options.unit == Unit::trip ? "trip" : "user", options.epsilon.value().to_string(),
                      static_cast<std::uint64_t>(known.trips), TraceStatistics::per_trip);
  text += fmt::format("\"grids\":{{\"coarse\":{},\"medium\":{},\"fine\":{}}},\n", Layout::coarse,
                      Layout::medium, known.layout.fine);
  text += fmt::format("\"tables\":{{\n{}\n}},\n", fmt::join(tables, ",\n"));
  text += fmt::format("\"strings\":{},\n", strings_text(known.strings));
  text += fmt::format("\"favour\":{{\"coarse\":[{}],\"medium\":[{}]}}}}\n",
                      fmt::join(known.coarse_favour, ","), fmt::join(known.favour, ","));
  return text;
}

std::uint64_t count_of_counts(const NoisyStatistics& known) {
  std::uint64_t count = 0;
  for (const NoisyTable& table : known.table) count += table.value.size();
  return count;
}

NoisyStatistics parse_counts(std::string_view text, const std::string& name,
                             const TraceStatistics& statistics) {
  io::require_within(io::format_limit::counts_bytes, text.size(), {name});
  NoisyStatistics known = CountsReader(text, name, statistics).read();
  const std::string anew = counts_text(known, statistics);
  if (anew == text) return known;
  const std::string field = first_difference(Json::parse(text), Json::parse(anew));
  if (field.empty()) throw DataError({name}, "holds these counts in another spelling than the one they have");
  throw DataError(
      {name},
      fmt::format("field \"{}\" is not what follows from the counts and the release's parameters", field));
}

NoisyStatistics read_counts(const std::string& file, const TraceStatistics& statistics) {
  return parse_counts(io::read_small_file(file, io::format_limit::counts_bytes,
                                          "check the name; files of counts end in .counts.json"),
                      file, statistics);
}

}  // namespace fogline::traces
