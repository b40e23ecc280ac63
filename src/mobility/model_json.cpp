// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include <nlohmann/json.hpp>

#include "mobility/model_file.hpp"

namespace fogline::mobility {
namespace {

/// Writes the lists by hand: through a tree of JSON values a large model would take seconds and gigabytes.
class ModelWriter {
 public:
  void begin(std::string_view field) {
    out_ += out_.empty() ? "{\n" : ",\n";
    quote(field);
    out_ += ": ";
  }
  void quote(std::string_view text) {
    out_ += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  template <class Number>
  void number(Number value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
    out_.append(digits, end);
  }
  void raw(std::string_view text) { out_ += text; }

  /// A list, with `write(i)` for each of `count` entries and a new line now and then.
  template <class Write>
  void list(std::size_t count, Write write) {
    out_ += '[';
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) out_ += i % 20 == 0 ? ",\n" : ",";
      write(i);
    }
    out_ += ']';
  }
  void numbers(std::span<const double> values) {
    list(values.size(), [&](std::size_t i) { number(values[i]); });
  }
  std::string finish() && {
    out_ += "\n}\n";
    return std::move(out_);
  }

 private:
  std::string out_;
};

void write_place(ModelWriter& out, const StateSpace& space) {
  if (space.centre) {
    out.begin("centre");
    out.raw("{\"lon\": ");
    out.number(space.centre->lon);
    out.raw(", \"lat\": ");
    out.number(space.centre->lat);
    out.raw("}");
  }
  if (!space.grid) return;
  out.begin("grid");
  out.raw("{\"cell_m\": ");
  out.number(space.grid->cell_m);
  out.raw(", \"west_m\": ");
  out.number(space.grid->west_m);
  out.raw(", \"south_m\": ");
  out.number(space.grid->south_m);
  out.raw(", \"columns\": ");
  out.number(space.grid->columns);
  out.raw(", \"rows\": ");
  out.number(space.grid->rows);
  out.raw("}");
}

void write_states(ModelWriter& out, const StateSpace& space) {
  const std::optional<StateSpace> plain =
      space.grid ? std::optional(grid_space(*space.grid, space.centre)) : std::nullopt;
  if (!plain || plain->names.names() != space.names.names()) {
    out.begin("states");
    out.list(space.states(), [&](std::size_t i) { out.quote(space.names.names()[i]); });
  }
  if (plain && plain->columns == space.columns && plain->values == space.values) return;
  out.begin("columns");
  out.list(space.dimension(), [&](std::size_t i) { out.quote(space.columns[i]); });
  out.begin("values");
  out.numbers(space.values);
}

void write_chain(ModelWriter& out, const MarkovModel& chain) {
  const auto initial = chain.initial();
  out.begin("initial");
  if (std::all_of(initial.begin(), initial.end(), [&](double p) { return p == initial.front(); })) {
    out.quote("uniform");
  } else {
    out.numbers(initial);
  }
  std::vector<MarkovModel::Transition> all;
  all.reserve(chain.transition_count());
  out.begin("transitions");
  out.raw("{\"successors\": ");
  out.list(chain.states(), [&](std::size_t s) {
    const auto row = chain.row(static_cast<StateId>(s));
    all.insert(all.end(), row.begin(), row.end());
    out.number(row.size());
  });
  out.raw(",\n\"to\": ");
  out.list(all.size(), [&](std::size_t i) { out.number(all[i].to); });
  out.raw(",\n\"probability\": ");
  out.list(all.size(), [&](std::size_t i) { out.number(all[i].probability); });
  out.raw("}");
}

}  // namespace

std::string to_json(const StateModel& model) {
  ModelWriter out;
  out.begin("format");
  out.quote("fogline-model-1");
  write_place(out, model.space);
  write_states(out, model.space);
  write_chain(out, model.chain);
  return std::move(out).finish();
}

}  // namespace fogline::mobility
