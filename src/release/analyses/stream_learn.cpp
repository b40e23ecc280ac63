// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/numbers.hpp"
#include "io/points.hpp"
#include "mobility/learn.hpp"
#include "mobility/learn_em.hpp"
#include "mobility/model_file.hpp"
#include "mobility/trip_cuts.hpp"
#include "release/analyses/analysis.hpp"
#include "release/column_fields.hpp"
#include "release/kinds.hpp"
#include "roads/read_network.hpp"

namespace fogline::release {
namespace {

using mobility::StateSpace;

/// A longer gap than this, in seconds, begins a new sequence of regular steps.
constexpr std::uint64_t usual_gap_s = 600;

/// "west,south,east,north" in degrees.
geometry::BoundingBox box_of(const std::string& text) {
  std::vector<double> edges;
  for (std::string_view rest = text; edges.size() < 5;) {
    const std::size_t comma = rest.find(',');
    const auto number = io::parse_double(io::trim(rest.substr(0, comma)));
    if (!number) break;
    edges.push_back(*number);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  const bool is_box = edges.size() == 4 && std::abs(edges[0]) <= 180 && std::abs(edges[2]) <= 180 &&
                      std::abs(edges[1]) <= 90 && std::abs(edges[3]) <= 90 && edges[0] < edges[2] &&
                      edges[1] < edges[3];
  if (!is_box)
    throw InvalidOption("within", "must be WEST,SOUTH,EAST,NORTH in degrees, such as 13.3,52.4,13.5,52.6");
  return {{edges[0], edges[1]}, {edges[2], edges[3]}};
}

class StreamLearn : public Analysis {
 public:
  std::string kind() const override { return "stream"; }
  std::string verb() const override { return "learn"; }
  const WrittenFile* written() const override { return &file_; }

  void declare(FieldTable& table) override {
    table.positional("trips", "TRIPS", trips_, "public positions, or CSV sequence,state")
        .role(FieldRole::public_input)
        .required();
    declare_states(table);
    table.group("Learning");
    table.value("step-s", "S", step_s_, "take the last position at each step of S seconds")
        .nonzero()
        .range("1", "1000000")
        .unit("s");
    table.value("gap-s", "S", gap_s_, "a longer gap begins a new sequence (600 with `step-s`)")
        .nonzero()
        .range("1", "1000000000")
        .unit("s");
    table.value("smoothing", "N", smoothing_, "added to the count of each neighbour (0.1)")
        .range("0", "1000");
    table.value("initial", "RULE", initial_, "where sequences begin (counted)")
        .choices({"counted", "uniform", "stationary"});
    table.value("noise-m", "METRES", noise_m_, "error of the positions: learn by EM; cells only")
        .nonzero()
        .above("0", "10000000")
        .unit("m");
    table.value("rounds", "N", rounds_, "of EM, at most (50)").range("1", "10000");
    table.value("tolerance", "N", tolerance_, "stop EM when a round gains less a position (0.0001)")
        .range("0", "1000000");
    file_.declare(table, "model file, .json; - for standard output");
  }

  Findings run(Caller& caller) override {
    require_sense();
    file_.require_ending(".json");
    io::OutputFile out = file_.open();
    const Learned learned = is_places() ? from_positions(caller) : from_names(caller);
    out.write(mobility::to_json(learned.model));
    out.commit();
    Findings found(as_json(learned));
    if (!file_.is_standard_output()) found.add(as_text(learned));
    found.tells_of_file = true;
    return found;
  }

 private:
  struct Learned {
    mobility::StateModel model;
    std::uint64_t sequences = 0, steps = 0;
    double log_likelihood = 0;  ///< of a step, or with EM of a position
    std::optional<mobility::EmResult> em = {};
  };

  void declare_states(FieldTable& table) {
    table.group("States");
    table.value("grid", "METRES", cell_m_, "square cells with this side")
        .nonzero()
        .above("0", "10000000")
        .unit("m");
    table.value("network", "NETWORK", network_, "vertices of a road network: file or specification")
        .role(FieldRole::public_input);
    table.value("within", "W,S,E,N", within_, "use only what lies in this box of degrees");
    table.value("csv-header", "NAMES", csv_header_, "of a CSV file without one: user_id,t,lon,lat");
    columns_.declare_times(table);
  }

  bool is_places() const { return cell_m_ != 0 || !network_.empty(); }

  void require_sense() const {
    if (cell_m_ != 0 && !network_.empty())
      throw InvalidOption("grid", "give either cells or a network, not both");
    if (noise_m_ != 0 && cell_m_ == 0) throw InvalidOption("noise-m", "needs `grid`");
    if (!is_places() && (step_s_ != 0 || gap_s_ != 0 || !within_.empty()))
      throw InvalidOption("grid", "is needed, or `network`, to make states of positions");
  }

  mobility::FirstState first() const {
    if (initial_ == "uniform") return mobility::FirstState::uniform;
    return initial_ == "stationary" ? mobility::FirstState::stationary : mobility::FirstState::counted;
  }

  mobility::Trips read_trips(Caller& caller) const {
    io::PointReadOptions reading;
    // Positions that are none lie outside any box as well.
    reading.outside = within_.empty() ? io::OutsidePoints::refuse : io::OutsidePoints::drop;
    reading.csv_header = csv_header_;
    reading.columns.map = columns_.map();
    reading.columns.sequences = true;
    reading.times = columns_.times();
    reading.progress = caller.progress();
    const auto points = io::read_points(trips_, reading);
    tell_odd_columns(caller, trips_, points.columns);
    if (points.traj.empty() && points.user.empty())
      caller.warn(fmt::format(
          "{}: nothing tells sequences apart (a column traj_id or user_id would); all points are one",
          trips_));
    mobility::Trips trips = mobility::make_trips(points, {.backwards = mobility::TimeBackwards::sort});
    caller.warn(trips.warnings);
    if (!within_.empty()) trips = mobility::inside(trips, box_of(within_));
    if (step_s_ == 0 && gap_s_ == 0) return trips;
    const std::uint64_t gap_s = gap_s_ != 0 ? gap_s_ : std::max(usual_gap_s, step_s_);
    return mobility::at_regular_steps(
        trips, {.step_s = static_cast<std::int64_t>(step_s_), .gap_s = static_cast<std::int64_t>(gap_s)});
  }

  Learned from_positions(Caller& caller) const {
    const mobility::Trips trips = read_trips(caller);
    StateSpace space;
    mobility::Neighbourhood around;
    if (cell_m_ != 0) {
      space = mobility::grid_over(trips, cell_m_);
      around = mobility::grid_neighbourhood(*space.grid);
    } else {
      const auto network = roads::read_network(network_);
      caller.warn(network.warnings);
      space = mobility::network_space(network);
      around = mobility::graph_neighbourhood(network.graph);
    }
    const auto sequences = mobility::locate(trips, space);
    Learned learned = counted(std::move(space), sequences, around);
    if (noise_m_ != 0) improve(learned, trips, around, caller);
    return learned;
  }

  Learned from_names(Caller& caller) const {
    StateSpace space;
    auto source = io::TextSource::from_file(trips_);
    const auto sequences = mobility::read_named_sequences(
        source, space.names, {.columns = columns_.map(), .times = columns_.times(), .sort = true});
    tell_odd_columns(caller, trips_, sequences.columns);
    caller.warn(sequences.warnings);
    mobility::measure_by_number(space);
    mobility::check(space);
    const std::size_t states = space.states();
    return counted(std::move(space), sequences, mobility::seen_neighbourhood(sequences, states));
  }

  Learned counted(StateSpace space, const mobility::StateSequences& sequences,
                  const mobility::Neighbourhood& around) const {
    auto chain = mobility::learn_counts(sequences, around, {.smoothing = smoothing_, .first = first()});
    const double likelihood = mobility::log_likelihood_of_steps(chain, sequences) /
                              static_cast<double>(std::max<std::uint64_t>(1, sequences.steps()));
    return {.model = {std::move(space), std::move(chain)},
            .sequences = sequences.size(),
            .steps = sequences.steps(),
            .log_likelihood = likelihood};
  }

  void improve(Learned& learned, const mobility::Trips& trips, const mobility::Neighbourhood& around,
               Caller& caller) const {
    learned.em = mobility::learn_em(trips, learned.model.space, learned.model.chain, around,
                                    {.noise_m = noise_m_,
                                     .rounds = static_cast<std::uint32_t>(rounds_),
                                     .tolerance = tolerance_,
                                     .smoothing = smoothing_,
                                     .learn_first = first() == mobility::FirstState::counted,
                                     .progress = caller.progress()});
    learned.model.chain = learned.em->chain;
    if (first() == mobility::FirstState::stationary)
      learned.model.chain = learned.model.chain.starting_from(learned.model.chain.stationary());
    learned.log_likelihood = learned.em->log_likelihood / static_cast<double>(learned.em->positions);
  }

  nlohmann::ordered_json as_json(const Learned& learned) const {
    const StateSpace& space = learned.model.space;
    nlohmann::ordered_json json = {{"model", file_.output},
                                   {"kind_of_states", cell_m_ != 0        ? "cells"
                                                      : !network_.empty() ? "vertices"
                                                                          : "names"},
                                   {"states", space.states()},
                                   {"transitions", learned.model.chain.transition_count()},
                                   {"sequences", learned.sequences},
                                   {"steps", learned.steps},
                                   {"log_likelihood_per_step", learned.log_likelihood}};
    if (space.grid) {
      json["columns"] = space.grid->columns;
      json["rows"] = space.grid->rows;
    }
    if (learned.em) {
      json["em_rounds"] = learned.em->objective.size();
      json["em_breaks"] = learned.em->breaks;
    }
    return json;
  }

  std::string as_text(const Learned& learned) const {
    const StateSpace& space = learned.model.space;
    std::string text = fmt::format(
        "{}: {} states{}, {} transitions, from {} sequences with {} steps; log-likelihood {:.4f} a {}",
        file_.output, grouped(space.states()),
        space.grid ? fmt::format(" ({} x {} cells)", space.grid->columns, space.grid->rows) : "",
        grouped(learned.model.chain.transition_count()), grouped(learned.sequences), grouped(learned.steps),
        learned.log_likelihood, learned.em ? "position" : "step");
    if (learned.em)
      text += fmt::format("; {} rounds of EM, {} breaks", learned.em->objective.size(),
                          grouped(learned.em->breaks));
    return text;
  }

  ColumnFields columns_;
  std::string trips_, network_, within_, csv_header_;
  std::string initial_ = "counted";
  double cell_m_ = 0, smoothing_ = 0.1, noise_m_ = 0, tolerance_ = 1e-4;
  std::uint64_t step_s_ = 0, gap_s_ = 0, rounds_ = 50;
  WrittenFile file_;
};

}  // namespace

std::unique_ptr<Analysis> stream_learn() {
  return std::make_unique<StreamLearn>();
}

}  // namespace fogline::release
