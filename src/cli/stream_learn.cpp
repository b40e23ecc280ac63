// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "io/numbers.hpp"
#include "io/output_file.hpp"
#include "io/points.hpp"
#include "mobility/learn.hpp"
#include "mobility/learn_em.hpp"
#include "mobility/model_file.hpp"
#include "mobility/trip_cuts.hpp"
#include "release/column_fields.hpp"
#include "roads/read_network.hpp"

namespace fogline::cli {
namespace {

using mobility::StateSpace;

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

class StreamLearn : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"stream", "learn"},
        "Learn a model of how states follow each other from public sequences",
        "Counts which state follows which, adds a little to every step to a neighbour, and writes the model "
        "that the other verbs of `stream` take. States are the cells of a grid (--grid METRES) over all "
        "positions, the vertices of a road network (--network), or what a column `state` names. The trips "
        "become public with the model: never learn from the sequence that is to be kept private. A file is "
        "split "
        "into sequences by its columns user_id and sequence (or traj_id), as by every verb of `stream`.\n\n"
        "With --noise-m the positions are taken as noisy, and the model is found by expectation maximisation "
        "over the cells that they may have come from.",
        {{"cells of 340 m in the sample city",
          "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
          "--grid "
          "340 -o model.json"},
         {"rooms by name",
          "printf 'sequence,state\\n1,hall\\n1,study\\n1,hall\\n' > rooms.csv && fogline stream learn "
          "rooms.csv "
          "-o rooms.json --json"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("TRIPS", trips_, "public positions, or CSV sequence,state").required();
    options.group("States");
    options.value("--grid", "METRES", cell_m_, "square cells with this side").nonzero();
    options.value("--network", "NETWORK", network_, "vertices of a road network: file or specification");
    options.value("--within", "W,S,E,N", within_, "use only what lies in this box of degrees");
    options.value("--csv-header", "NAMES", csv_header_, "of a CSV file without one: user_id,t,lon,lat");
    columns_.declare_times(options);
    options.group("Learning");
    options.value("--step-s", "S", step_s_, "take the last position at each step of S seconds").nonzero();
    options.value("--gap-s", "S", gap_s_, "a longer gap begins a new sequence (600 with --step-s)").nonzero();
    options.value("--smoothing", "N", smoothing_, "added to the count of each neighbour (0.1)");
    options.value("--initial", "RULE", initial_, "where sequences begin (counted)")
        .choices({"counted", "uniform", "stationary"});
    options.value("--noise-m", "METRES", noise_m_, "error of the positions: learn by EM; cells only")
        .nonzero();
    options.value("--rounds", "N", rounds_, "of EM, at most (50)");
    options.value("--tolerance", "N", tolerance_, "stop EM when a round gains less a position (0.0001)");
    options.group("Output");
    options.value("-o,--output", "FILE", output_, "model file, .json; - for standard output").required();
    options.flag("--overwrite", overwrite_, "replace an existing file");
    options.flag("--json", json_, "print a summary as JSON");
  }

  int run(Session& session) override {
    check_options();
    if (output_ != "-" && !output_.ends_with(".json"))
      throw InvalidOption("output", "must end in .json, or be -");
    io::OutputFile out(output_, {.overwrite = overwrite_});
    const Learned learned = is_places() ? from_positions(session) : from_names(session);
    out.write(mobility::to_json(learned.model));
    out.commit();
    if (json_) session.data(to_text(as_json(learned)));
    if (!json_ && output_ != "-") session.note(as_text(learned));
    return 0;
  }

 private:
  struct Learned {
    mobility::StateModel model;
    std::uint64_t sequences = 0, steps = 0;
    double log_likelihood = 0;  ///< of a step, or with EM of a position
    std::optional<mobility::EmResult> em = {};
  };

  bool is_places() const { return cell_m_ != 0 || !network_.empty(); }

  void check_options() const {
    if (cell_m_ != 0 && !network_.empty())
      throw InvalidOption("grid", "give either cells or a network, not both");
    if (noise_m_ != 0 && cell_m_ == 0) throw InvalidOption("noise-m", "needs --grid");
    if (!is_places() && (step_s_ != 0 || gap_s_ != 0 || !within_.empty()))
      throw InvalidOption("grid", "is needed, or --network, to make states of positions");
    if (json_ && output_ == "-")
      throw InvalidOption("json", "and the model cannot both go to standard output");
    if (step_s_ > 1'000'000 || gap_s_ > 1'000'000'000)
      throw InvalidOption("step-s", "must be at most 1,000,000 seconds, and --gap-s 1,000,000,000");
  }

  mobility::FirstState first() const {
    if (initial_ == "uniform") return mobility::FirstState::uniform;
    return initial_ == "stationary" ? mobility::FirstState::stationary : mobility::FirstState::counted;
  }

  mobility::Trips read_trips(Session& session) const {
    // Positions that are none lie outside any box as well.
    const auto outside = within_.empty() ? io::OutsidePoints::refuse : io::OutsidePoints::drop;
    const auto points = io::read_points(trips_, {.outside = outside,
                                                 .csv_header = csv_header_,
                                                 .columns = {.map = columns_.map(), .sequences = true},
                                                 .times = columns_.times(),
                                                 .progress = session.progress()});
    tell_odd_columns(session, trips_, points.columns);
    if (points.traj.empty() && points.user.empty())
      session.warn(fmt::format(
          "{}: nothing tells sequences apart (a column traj_id or user_id would); all points are one",
          trips_));
    mobility::Trips trips = mobility::make_trips(points, {.backwards = mobility::TimeBackwards::sort});
    session.warn(trips.warnings);
    if (!within_.empty()) trips = mobility::inside(trips, box_of(within_));
    if (step_s_ == 0 && gap_s_ == 0) return trips;
    const std::uint64_t gap_s = gap_s_ != 0 ? gap_s_ : std::max<std::uint64_t>(600, step_s_);
    return mobility::at_regular_steps(
        trips, {.step_s = static_cast<std::int64_t>(step_s_), .gap_s = static_cast<std::int64_t>(gap_s)});
  }

  Learned from_positions(Session& session) const {
    const mobility::Trips trips = read_trips(session);
    StateSpace space;
    mobility::Neighbourhood around;
    if (cell_m_ != 0) {
      space = mobility::grid_over(trips, cell_m_);
      around = mobility::grid_neighbourhood(*space.grid);
    } else {
      const auto network = roads::read_network(network_);
      session.warn(network.warnings);
      space = mobility::network_space(network);
      around = mobility::graph_neighbourhood(network.graph);
    }
    const auto sequences = mobility::locate(trips, space);
    Learned learned = counted(std::move(space), sequences, around);
    if (noise_m_ != 0) improve(learned, trips, around, session);
    return learned;
  }

  Learned from_names(Session& session) const {
    StateSpace space;
    auto source = io::TextSource::from_file(trips_);
    const auto sequences = mobility::read_named_sequences(
        source, space.names, {.columns = columns_.map(), .times = columns_.times(), .sort = true});
    tell_odd_columns(session, trips_, sequences.columns);
    session.warn(sequences.warnings);
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
               Session& session) const {
    if (rounds_ > 10'000) throw InvalidOption("rounds", "must lie between 1 and 10,000");
    learned.em = mobility::learn_em(trips, learned.model.space, learned.model.chain, around,
                                    {.noise_m = noise_m_,
                                     .rounds = static_cast<std::uint32_t>(rounds_),
                                     .tolerance = tolerance_,
                                     .smoothing = smoothing_,
                                     .learn_first = first() == mobility::FirstState::counted,
                                     .progress = session.progress()});
    learned.model.chain = learned.em->chain;
    if (first() == mobility::FirstState::stationary)
      learned.model.chain = learned.model.chain.starting_from(learned.model.chain.stationary());
    learned.log_likelihood = learned.em->log_likelihood / static_cast<double>(learned.em->positions);
  }

  nlohmann::ordered_json as_json(const Learned& learned) const {
    const StateSpace& space = learned.model.space;
    nlohmann::ordered_json json = {{"model", output_},
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
        output_, grouped(space.states()),
        space.grid ? fmt::format(" ({} x {} cells)", space.grid->columns, space.grid->rows) : "",
        grouped(learned.model.chain.transition_count()), grouped(learned.sequences), grouped(learned.steps),
        learned.log_likelihood, learned.em ? "position" : "step");
    if (learned.em)
      text += fmt::format("; {} rounds of EM, {} breaks", learned.em->objective.size(),
                          grouped(learned.em->breaks));
    return text;
  }

  release::ColumnFields columns_;
  std::string trips_, network_, within_, csv_header_, output_;
  std::string initial_ = "counted";
  double cell_m_ = 0, smoothing_ = 0.1, noise_m_ = 0, tolerance_ = 1e-4;
  std::uint64_t step_s_ = 0, gap_s_ = 0, rounds_ = 50;
  bool overwrite_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> stream_learn() {
  return std::make_unique<StreamLearn>();
}

}  // namespace fogline::cli
