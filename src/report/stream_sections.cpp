// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "audit/statements/recompute_parts.hpp"
#include "base/error.hpp"
#include "geometry/projection.hpp"
#include "mobility/sequences.hpp"
#include "report/graph_layout.hpp"
#include "report/map_parts.hpp"
#include "report/release_view.hpp"
#include "roads/read_network.hpp"
#include "stream/measures/attacks.hpp"
#include "stream/measures/measures.hpp"
#include "stream/public_stream.hpp"
#include "stream/released_file.hpp"
#include "stream/saved_state.hpp"

namespace fogline::report {
namespace {

using SequenceRows = std::vector<stream::ReleasedFormat::Row>;

constexpr std::size_t most_steps_drawn = 400;
constexpr std::size_t most_numbers = 2'000'000;  ///< probabilities of states at steps
constexpr std::size_t most_steps_attacked = 2'000;
constexpr std::size_t most_for_protection = 2'000;  ///< states: their degrees of protection take their square

std::vector<SequenceRows> by_sequence(SequenceRows rows) {
  std::vector<SequenceRows> sequences;
  for (auto& row : rows) {
    if (sequences.empty() || sequences.back().back().sequence != row.sequence) sequences.emplace_back();
    sequences.back().push_back(std::move(row));
  }
  return sequences;
}

/// What everybody knows after each step, from the drawn answers.
struct PublicStep {
  std::vector<stream::StateId> states = {};
  std::vector<double> posterior = {};
  std::vector<double> released = {};  ///< in the units of the space
  double expected_distance = 0, free_distance = 0;
  double mean_protection = std::numeric_limits<double>::quiet_NaN();  ///< or not known
  double least_protection = std::numeric_limits<double>::quiet_NaN();
  std::size_t exposed = 0;
};

class StreamPictures {
 public:
  StreamPictures(const ReleaseView& view, Document& document)
      : view_(view), document_(document), terms_(stream::terms_from(view.statement)), stream_(read_stream()) {
    if (terms_.begin_file)
      begin_ = stream::read_saved(path_of(*terms_.begin_file), terms_.model.sha256).state;
    io::TextSource source = io::TextSource::from_file(view.released_file());
    SequenceRows rows = stream::ReleasedFormat(space()).read(source);
    if (rows.empty()) throw audit::NotAtHand{"the released file holds no steps"};
    sequences_ = by_sequence(std::move(rows));
    const std::size_t most = std::clamp<std::size_t>(
        most_numbers / std::max<std::size_t>(1, space().states()), 1, most_steps_drawn);
    shown_ = std::min(sequences_.front().size(), most);
    walk();
    place_states();
  }

  std::vector<Section> sections() {
    std::vector<Section> all{map(), over_time()};
    if (view_.attack) all.push_back(attacks());
    if (!view_.original.empty()) all.push_back(measured());
    return all;
  }

 private:
  std::string path_of(const privacy::PublicInput& input) const {
    return audit::at_hand(input.name, input.sha256, view_.files);
  }

  stream::PublicStream read_stream() const {
    return {terms_,
            stream::files_of(terms_, [&](const privacy::PublicInput& input) { return path_of(input); })};
  }

  const mobility::StateSpace& space() const { return stream_.model().space; }
  bool in_metres() const { return space().columns == std::vector<std::string>{"x_m", "y_m"}; }
  bool on_plane() const { return space().dimension() == 2; }
  std::string unit() const { return in_metres() ? " [m]" : ""; }

  stream::Tracker tracker() const {
    stream::Tracker tracker = stream_.tracker();
    if (begin_) tracker.restore(*begin_);
    return tracker;
  }

  void walk() {
    stream::Tracker walker = tracker();
    ProgressMeter meter(view_.files.progress, "walking through the release", shown_);
    for (std::size_t i = 0; i < shown_; ++i) {
      walker.prepare();
      const stream::Situation& situation = walker.situation();
      PublicStep step{.states = situation.states, .released = sequences_.front()[i].value};
      step.exposed = situation.exposed.size();
      if (situation.states.size() <= most_for_protection) add_protection(walker, step);
      walker.observe(sequences_.front()[i].draw);
      step.posterior.assign(walker.posterior().begin(), walker.posterior().end());
      step.expected_distance = walker.expected_distance(walker.estimate());
      step.free_distance = walker.free_distance(walker.free_estimate());
      steps_.push_back(std::move(step));
      meter.advance();
    }
  }

  static void add_protection(const stream::Tracker& walker, PublicStep& step) {
    const stream::Situation& situation = walker.situation();
    step.mean_protection = 0;
    step.least_protection = std::numeric_limits<double>::infinity();
    for (std::uint32_t place = 0; place < situation.states.size(); ++place) {
      const double degree = walker.degree_of_protection(place);
      step.mean_protection += situation.prior[place] * degree;
      step.least_protection = std::min(step.least_protection, degree);
    }
  }

  /// States of the plane lie where they are; others are laid out by where they lead.
  void place_states() {
    for (std::size_t s = 0; on_plane() && s < space().states(); ++s) {
      const auto value = space().value(static_cast<stream::StateId>(s));
      place_.push_back({value[0], value[1]});
    }
    if (on_plane() || space().states() > most_laid_out) return;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t from = 0; from < space().states(); ++from)
      for (const auto& [to, probability] : stream_.model().chain.row(from))
        if (to != from) edges.emplace_back(from, to);
    place_ = graph_layout(space().states(), edges);
  }

  MapControl control() const {
    MapControl control{.id = view_.id + "-step", .label = "Step", .slider = true};
    for (std::size_t i = 0; i < shown_; ++i)
      control.places.push_back(fmt::format("{}", sequences_.front()[i].step));
    return control;
  }

  /// The probability of every state after each step.
  std::vector<float> frames() const {
    std::vector<float> values(space().states() * shown_, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < shown_; ++i)
      for (std::size_t k = 0; k < steps_[i].states.size(); ++k)
        values[i * space().states() + steps_[i].states[k]] = static_cast<float>(steps_[i].posterior[k]);
    return values;
  }

  geometry::PointXY released_at(std::size_t step) const {
    if (on_plane()) return {steps_[step].released[0], steps_[step].released[1]};
    const auto& posterior = steps_[step].posterior;
    return place_[steps_[step].states[static_cast<std::size_t>(std::ranges::max_element(posterior) -
                                                               posterior.begin())]];
  }

  MapLines line_through(const std::vector<geometry::PointXY>& points, const std::string& name, int colour) {
    PlaneColumn lines;
    for (std::size_t i = 0; i < points.size(); ++i) {
      lines.add(points[i == 0 ? 0 : i - 1]);
      lines.add(points[i]);
      lines.end_line();
    }
    return {.name = name,
            .colour = MapColour::of(colour),
            .points = lines.points(document_),
            .starts = lines.starts(document_),
            .width = 3,
            .until_place = true};
  }

  MapLayer states_layer() {
    const MapColour colour = MapColour::by("probability", document_.add(frames()), shown_);
    if (const auto& grid = space().grid; grid && on_plane())
      return MapGrid{.name = "probability of each state",
                     .colour = colour,
                     .box = {grid->west_m, grid->south_m, grid->west_m + grid->cell_m * grid->columns,
                             grid->south_m + grid->cell_m * grid->rows},
                     .columns = grid->columns,
                     .rows = grid->rows};
    PlaneColumn points;
    for (const auto& at : place_) points.add(at);
    MapPoints layer{.name = "probability of each state",
                    .colour = colour,
                    .points = points.points(document_),
                    .radius = place_.size() > 500 ? 4.0 : 9.0};
    if (place_.size() <= 40)
      for (std::size_t s = 0; s < place_.size(); ++s)
        layer.labels.push_back(space().names.name(static_cast<std::uint32_t>(s)));
    return layer;
  }

  std::vector<MapLayer> ground() {
    if (view_.roads.empty() || !space().centre) return {};
    const roads::RoadNetwork network = roads::read_network(view_.roads, {});
    const geometry::LocalProjection projection(*space().centre);
    const PlaneColumn lines =
        road_lines(network, [&](const geometry::LonLat& position) { return projection.forward(position); });
    return {ground_of(lines, document_)};
  }

  std::array<double, 4> box() const {
    PlaneColumn all;
    for (const auto& at : place_) all.add(at);
    return all.box();
  }

  Section map() {
    Section section{.title = "Where it may be, step by step"};
    if (place_.empty())
      return missing_section(
          section.title, fmt::format("{} states without places are too many to be drawn", space().states()));
    std::vector<geometry::PointXY> released;
    for (std::size_t i = 0; i < shown_; ++i) released.push_back(released_at(i));
    PlaneColumn points;
    for (const auto& at : released) points.add(at);
    MapBlock block{.title = "The released answers, and how likely each state is",
                   .description = fmt::format(
                       "{} states, with the probability of each after every one of {} steps, and the line "
                       "of released answers. The slider moves through the steps.",
                       space().states(), shown_),
                   .note = shown_ < sequences_.front().size() || sequences_.size() > 1
                               ? fmt::format("The first {} steps of the first of {} sequence{}.", shown_,
                                             sequences_.size(), sequences_.size() == 1 ? "" : "s")
                               : "",
                   .metres = in_metres(),
                   .box = box(),
                   .control = control(),
                   .scales = {{.id = "probability",
                               .label = "probability",
                               .kind = MapScale::Kind::log,
                               .low = 1e-4,
                               .high = 1}}};
    MapView view{.title = ""};
    view.layers = ground();
    view.layers.push_back(states_layer());
    view.layers.push_back(line_through(released, on_plane() ? "released answers" : "likeliest states", 0));
    view.layers.push_back(
        MapPoints{.name = on_plane() ? "answer of this step" : "likeliest state of this step",
                  .colour = MapColour::of(1),
                  .points = points.points(document_),
                  .radius = 7,
                  .at_place = true});
    block.views.push_back(std::move(view));
    section.note = "From the released answers and public things alone: what any reader can work out.";
    section.blocks.push_back(std::move(block));
    return section;
  }

  PlotBlock plot(std::string title, std::string note, std::string y) const {
    return {.title = std::move(title),
            .note = std::move(note),
            .x = {.label = "step (from the first shown)"},
            .y = {.label = std::move(y), .log = false, .from_zero = true},
            .follows = place_.empty() ? "" : view_.id + "-step"};
  }

  template <class Value>
  PlotBlock::Series series(std::string name, const Value& value) const {
    PlotBlock::Series series{.name = std::move(name)};
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      series.x.push_back(static_cast<double>(i));
      series.y.push_back(static_cast<double>(value(steps_[i])));
    }
    return series;
  }

  Section over_time() {
    PlotBlock error = plot("How uncertain the true state is",
                           "Expected distance of the true state from the best estimate that the answers so "
                           "far allow, by the posterior; and from "
                           "the best guess without this step's answer.",
                           "expected distance" + unit());
    error.series = {
        series("with the release", [](const PublicStep& s) { return s.expected_distance; }),
        series("without this step's answer", [](const PublicStep& s) { return s.free_distance; })};
    PlotBlock protection =
        plot("Degree of protection",
             "Among how many possible states the sensitivity hull hides a state, itself counted: mean "
             "over the possible states by their prior, and the least.",
             "states");
    protection.series = {series("mean", [](const PublicStep& s) { return s.mean_protection; }),
                         series("least", [](const PublicStep& s) { return s.least_protection; }),
                         series("possible states", [](const PublicStep& s) { return s.states.size(); })};
    Section section{.title = "Over time", .blocks = {std::move(error), std::move(protection)}};
    const auto exposed = std::ranges::count_if(steps_, [](const PublicStep& s) { return s.exposed > 0; });
    Words words;
    if (exposed == 0) {
      words.paragraphs = {
          "No step was exposed: at each, the policy joined every possible state with another."};
    } else {
      PlotBlock plot_of =
          plot("Exposed states", "Possible states that the policy as given joined with no other.",
               "exposed states");
      plot_of.series = {series("exposed", [](const PublicStep& s) { return s.exposed; })};
      section.blocks.push_back(std::move(plot_of));
      words.tone = Words::Tone::warning;
      words.paragraphs = {fmt::format(
          "At {} of {} steps the policy as given left some possible state exposed; the statement says "
          "what was done about it (repair), which may be nothing.",
          exposed, steps_.size())};
    }
    section.blocks.push_back(std::move(words));
    return section;
  }

  std::vector<stream::AttackedSequence> to_attack() const {
    std::vector<stream::AttackedSequence> found;
    std::size_t steps = 0;
    for (const SequenceRows& rows : sequences_) {
      if (!found.empty() && steps + rows.size() > most_steps_attacked) break;
      found.emplace_back();
      for (const auto& row : rows) found.back().answers.push_back(row.draw);
      steps += rows.size();
    }
    return found;
  }

  Section attacks() const {
    const auto sequences = to_attack();
    const stream::StreamAttacks found =
        stream::attack([&] { return tracker(); }, sequences, view_.files.progress);
    Table guesses{.caption = "Guessing each state, by the attackers' own reckoning",
                  .columns = {"attacker", "expected error" + unit(), "names the state rightly"}};
    const auto add = [&](const char* who, const stream::GuessingAttack& attack) {
      guesses.rows.push_back(
          {std::string(who), attack.expected.error, fmt::format("{:.1f} %", 100 * attack.expected.hits)});
    };
    add("without the release", found.without);
    add("filter: answers up to the step", found.filter);
    add("smoother: all answers", found.smoother);
    add("Viterbi: the likeliest path", found.viterbi);
    PlotBlock leak{
        .title = "What answers around a step add",
        .note =
            "Largest log-ratio with which so many answers tell two joined states of a step apart. The "
            "promise is about a step's own answer alone.",
        .x = {.label = "answers", .log = true},
        .y = {.label = "log-ratio", .log = false, .from_zero = true}};
    PlotBlock::Series mean{.name = "mean over steps"}, largest{.name = "largest"};
    for (const stream::TemporalLeak& one : found.leaks) {
      for (auto* column : {&mean.x, &largest.x}) column->push_back(static_cast<double>(one.answers));
      mean.y.push_back(one.mean);
      largest.y.push_back(one.largest);
    }
    leak.series = {std::move(mean), std::move(largest)};
    return {
        .title = "Attacks",
        .note = sequences.size() == 1
                    ? std::string("On the first sequence, with public things alone.")
                    : fmt::format("On the first {} sequences, with public things alone.", sequences.size()),
        .blocks = {std::move(guesses), std::move(leak)}};
  }

  Section measured() {
    const mobility::StateSequences truth = mobility::read_sequences(view_.original, space(), view_.reading);
    if (truth.size() != sequences_.size() || truth[0].size() != sequences_.front().size())
      throw DataError({view_.original}, "does not fit the release", "give the states that were released");
    const auto steps = stream::measure(tracker(), truth[0], sequences_.front());
    const stream::StreamMeasures found = stream::summarise(steps);
    PlotBlock error = plot("Measured error", "Of the first sequence.", "distance" + unit());
    PlotBlock::Series released{.name = "released"}, free{.name = "for free"};
    for (std::size_t i = 0; i < shown_; ++i) {
      for (auto* column : {&released.x, &free.x}) column->push_back(static_cast<double>(i));
      released.y.push_back(steps[i].error);
      free.y.push_back(steps[i].free_error);
    }
    error.series = {std::move(released), std::move(free)};
    Fields fields{
        {{"mean error", fmt::format("{:.4g}", found.error)},
         {"for free", fmt::format("{:.4g}", found.free_error)},
         {"raw answer", fmt::format("{:.4g}", found.raw_error)},
         {"degree of protection of the true states", fmt::format("{:.2f}", found.dop)},
         {"steps at which the true state was exposed", fmt::format("{}", found.truth_exposed_steps)},
         {"steps at which it was none of the possible ones", fmt::format("{}", found.drift_steps)}}};
    Section section{.title = "Measured error",
                    .note = sequences_.size() > 1
                                ? "Exact figures of the private states of the first sequence."
                                : "Exact figures of private states.",
                    .is_private = true,
                    .blocks = {std::move(fields), std::move(error)}};
    if (!place_.empty()) section.blocks.push_back(true_path(truth[0]));
    return section;
  }

  MapBlock true_path(std::span<const stream::StateId> truth) {
    std::vector<geometry::PointXY> points;
    for (std::size_t i = 0; i < shown_; ++i) points.push_back(place_[truth[i]]);
    MapControl steps = control();
    steps.id += "-true";
    MapBlock block{.title = "The true states",
                   .description = fmt::format("The line of {} true states.", shown_),
                   .metres = in_metres(),
                   .box = box(),
                   .control = std::move(steps)};
    MapView view{.title = "", .is_private = true};
    view.layers = ground();
    view.layers.push_back(line_through(points, "true states", 1));
    block.views.push_back(std::move(view));
    return block;
  }

  const ReleaseView& view_;
  Document& document_;
  stream::StreamTerms terms_;
  stream::PublicStream stream_;
  std::optional<stream::Tracker::Saved> begin_ = {};
  std::vector<SequenceRows> sequences_ = {};
  std::size_t shown_ = 0;
  std::vector<PublicStep> steps_ = {};
  std::vector<geometry::PointXY> place_ = {};
};

}  // namespace

std::vector<Section> stream_sections(const ReleaseView& view, Document& document) {
  return StreamPictures(view, document).sections();
}

}  // namespace fogline::report
