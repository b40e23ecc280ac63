// SPDX-License-Identifier: Apache-2.0
#include "stream/policy/policy_text.hpp"

#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "io/numbers.hpp"

namespace fogline::stream {
namespace {

constexpr std::string_view forms =
    "complete, util:DISTANCE, transition, category:FILE, file:FILE, or several of them joined by +";

std::optional<double> distance_of(std::string_view text) {
  const auto value = io::parse_double(text);
  return value && std::isfinite(*value) && *value > 0 ? value : std::nullopt;
}

StateId state_in(const io::CsvReader& csv, std::size_t column, const mobility::StateSpace& space) {
  const auto state = space.names.find(csv.trimmed(column));
  if (!state) csv.fail(column, "names a state that the model does not have");
  return *state;
}

/// Two columns by their place: state and something.
class PairFile {
 public:
  PairFile(io::TextSource& source, std::span<const std::string_view> second_names, std::string_view example)
      : csv_(source, {}) {
    constexpr std::array<std::string_view, 4> first_names{"state", "from", "source", "a"};
    first = csv_.require_column("state", first_names, example);
    second = csv_.require_column(second_names.front(), second_names, example);
  }
  bool next() { return csv_.next(); }
  const io::CsvReader& csv() const { return csv_; }
  std::size_t first = 0, second = 0;

 private:
  io::CsvReader csv_;
};

}  // namespace

PolicyGraph read_categories(io::TextSource& source, const mobility::StateSpace& space) {
  constexpr std::array<std::string_view, 2> names{"category", "group"};
  PairFile rows(source, names, "state,category");
  io::NameTable categories;
  // States without a category get one of their own.
  std::vector<std::optional<std::uint32_t>> given(space.states());
  while (rows.next()) {
    const StateId state = state_in(rows.csv(), rows.first, space);
    if (given[state]) rows.csv().fail(rows.first, "names a state that has a category already");
    given[state] = categories.intern(rows.csv().trimmed(rows.second));
  }
  std::vector<std::uint32_t> category;
  auto next = static_cast<std::uint32_t>(categories.size());
  for (const auto& own : given) category.push_back(own ? *own : next++);
  return PolicyGraph::categories(category);
}

PolicyGraph read_pairs(io::TextSource& source, const mobility::StateSpace& space) {
  constexpr std::array<std::string_view, 5> names{"other", "to", "target", "b", "neighbour"};
  PairFile rows(source, names, "state,other");
  std::vector<std::pair<StateId, StateId>> pairs;
  while (rows.next()) {
    const StateId a = state_in(rows.csv(), rows.first, space);
    const StateId b = state_in(rows.csv(), rows.second, space);
    if (a == b) rows.csv().fail(rows.second, "joins a state with itself");
    pairs.emplace_back(a, b);
  }
  return PolicyGraph::pairs(space.states(), std::move(pairs));
}

PolicyText PolicyText::parse(std::string_view text) {
  PolicyText policy;
  while (true) {
    const std::size_t plus = text.find('+');
    const std::string_view word = text.substr(0, plus);
    const std::size_t colon = word.find(':');
    Part part{.kind = std::string(word.substr(0, colon)),
              .argument = colon == std::string_view::npos ? "" : std::string(word.substr(colon + 1))};
    const bool alone =
        (part.kind == "complete" || part.kind == "transition") && colon == std::string_view::npos;
    const bool near = part.kind == "util" && distance_of(part.argument);
    const bool listed = (part.kind == "category" || part.kind == "file") && !part.argument.empty();
    if (!alone && !near && !listed) throw InvalidOption("policy", fmt::format("must be {}", forms));
    if (!policy.text_.empty()) policy.text_ += '+';
    policy.text_ += part.kind;
    if (near) policy.text_ += fmt::format(":{}", *distance_of(part.argument));
    if (listed) policy.text_ += ":" + std::filesystem::path(part.argument).filename().string();
    policy.parts_.push_back(std::move(part));
    if (plus == std::string_view::npos) return policy;
    text.remove_prefix(plus + 1);
  }
}

PolicyGraph PolicyText::build(const mobility::StateModel& model) const {
  const auto build_part = [&](const Part& part) {
    if (part.kind == "complete") return PolicyGraph::complete(model.chain.states());
    if (part.kind == "transition") return PolicyGraph::transition(model.chain);
    if (part.kind == "util") return PolicyGraph::within(model.space, *distance_of(part.argument));
    io::TextSource source = io::TextSource::from_file(part.argument);
    return part.kind == "category" ? read_categories(source, model.space) : read_pairs(source, model.space);
  };
  PolicyGraph policy = build_part(parts_.front());
  for (std::size_t i = 1; i < parts_.size(); ++i) policy = policy.joined_with(build_part(parts_[i]));
  return policy;
}

std::vector<std::string> PolicyText::files() const {
  std::vector<std::string> files;
  for (const Part& part : parts_) {
    if (part.kind == "category" || part.kind == "file") files.push_back(part.argument);
  }
  return files;
}

PolicyText PolicyText::with_files(const std::vector<std::string>& paths) const {
  PolicyText moved = *this;
  std::size_t next = 0;
  for (Part& part : moved.parts_) {
    if (part.kind == "category" || part.kind == "file") part.argument = paths.at(next++);
  }
  return moved;
}

std::vector<StateId> read_partners(const std::string& file, const mobility::StateSpace& space) {
  io::TextSource source = io::TextSource::from_file(file);
  return read_partners(source, space);
}

std::vector<StateId> read_partners(io::TextSource& source, const mobility::StateSpace& space) {
  constexpr std::array<std::string_view, 2> names{"partner", "other"};
  PairFile rows(source, names, "state,partner");
  std::vector<StateId> partner(space.states());
  std::iota(partner.begin(), partner.end(), StateId{0});
  while (rows.next()) {
    const StateId state = state_in(rows.csv(), rows.first, space);
    if (partner[state] != state) rows.csv().fail(rows.first, "names a state that has a partner already");
    partner[state] = state_in(rows.csv(), rows.second, space);
    if (partner[state] == state) rows.csv().fail(rows.second, "makes a state its own partner");
  }
  return partner;
}

}  // namespace fogline::stream
