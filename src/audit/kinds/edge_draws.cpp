// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/edge_draws.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "audit/kinds/edge_cells.hpp"
#include "base/error.hpp"

namespace fogline::audit {
namespace {

using weights::EdgeMechanism;
using weights::edges_per_stream;
using weights::WeightGrid;
using ClassChances = EdgeCells::ClassChances;

constexpr std::size_t classes = EdgeCells::classes;
constexpr std::size_t edges_per_round = 128 * edges_per_stream;
constexpr std::uint64_t most_in_short_lists = 1'000'000;
constexpr std::array<std::size_t, 5> distances = {1, 2, 3, 512, edges_per_stream};

/// Probabilities as whole numbers of 2^-60: fine enough for counts of 10^9. What is possible stays possible.
kernel::WeightRow row_of(const std::vector<double>& expected, double samples) {
  kernel::WeightRow row;
  for (const double times : expected) {
    row.weights.push_back(static_cast<Uint128>(std::ceil(std::min(times / samples, 1.0) * 0x1p60)));
    row.total += row.weights.back();
  }
  return row;
}

/// Quarters of the grid, or of the orders of magnitude of one without end.
class Parts {
 public:
  explicit Parts(const WeightGrid& grid) : grid_(grid) {}

  static constexpr std::size_t count = classes;
  std::size_t of(std::int64_t point) const {
    const auto p = static_cast<std::uint64_t>(point);
    if (grid_.is_finite()) return static_cast<std::size_t>(p * count / grid_.points());
    return static_cast<std::size_t>(std::bit_width(p)) / bits_per_part;
  }
  std::string text(std::size_t part) const {
    return grid_.text(first(part)) + ":" + grid_.text(first(part + 1) - 1);
  }

 private:
  static constexpr std::size_t bits_per_part = 8;

  std::int64_t first(std::size_t part) const {
    if (grid_.is_finite()) return static_cast<std::int64_t>((part * grid_.points() + count - 1) / count);
    return part == 0 ? 0 : std::int64_t{1} << (bits_per_part * part - 1);
  }
  const WeightGrid& grid_;
};

/// Draws that are counted together, and from which points they are.
class Group {
 public:
  enum class Counts { cells, outputs };
  Group(std::string words, const EdgeCells& cells, Counts counts = Counts::cells)
      : words_(std::move(words)),
        cells_(cells),
        counts_(counts),
        counts_of_cells_(cells.cells() + 1),
        draws_of_slots_(cells.slots()) {}

  void add(std::size_t slot, std::size_t cell) {
    ++counts_of_cells_[cell < cells_.cells() ? seen(slot, cell) : cells_.cells()];
    ++draws_of_slots_[slot];
    ++samples_;
  }
  bool empty() const { return samples_ == 0; }
  const std::string& words() const { return words_; }

  DrawnCounts counted() const {
    std::vector<double> expected(cells_.cells());
    for (std::size_t slot = 0; slot < draws_of_slots_.size(); ++slot) {
      if (draws_of_slots_[slot] == 0) continue;
      const std::vector<double> chances = cells_.chances(slot);
      for (std::size_t cell = 0; cell < chances.size(); ++cell)
        expected[seen(slot, cell)] += chances[cell] * static_cast<double>(draws_of_slots_[slot]);
    }
    return {.row = row_of(expected, static_cast<double>(samples_)),
            .counts = {counts_of_cells_.begin(), counts_of_cells_.end() - 1},
            .outside = counts_of_cells_.back(),
            .each = counts_ == Counts::cells ? "cell" : "output"};
  }

 private:
  std::size_t seen(std::size_t slot, std::size_t cell) const {
    return counts_ == Counts::cells ? cell : (cell + cells_.origin(slot)) % cells_.cells();
  }

  std::string words_;
  const EdgeCells& cells_;
  Counts counts_;
  std::vector<std::uint64_t> counts_of_cells_;  // the last for what is none
  std::vector<std::uint64_t> draws_of_slots_;
  std::uint64_t samples_ = 0;
};

/// How often two classes met, and how often they should.
struct PairTable {
  std::string words;
  std::vector<std::uint64_t> counts = std::vector<std::uint64_t>(classes * classes);
  std::vector<double> expected = std::vector<double>(classes * classes);
  std::uint64_t pairs = 0;

  void add(std::size_t one, std::size_t other, const ClassChances& of_one, const ClassChances& of_other) {
    ++counts[one * classes + other];
    for (std::size_t a = 0; a < classes; ++a)
      for (std::size_t b = 0; b < classes; ++b) expected[a * classes + b] += of_one[a] * of_other[b];
    ++pairs;
  }
  DrawnCounts counted() const {
    return {.row = row_of(expected, static_cast<double>(pairs)), .counts = counts, .each = "cell"};
  }
};

/// An edge as the pair tables see it.
struct Seen {
  std::size_t part = 0;
  std::size_t slot = 0;
  std::size_t its_class = classes;  // none: an impossible draw, which the fit reports
};

class Witness {
 public:
  Witness(const EdgeMechanism& mechanism, const EdgeDrawsOptions& options)
      : mechanism_(mechanism),
        options_(options),
        key_(EdgeDrawsOptions::public_seed),
        choice_(key_.stream("audit points")),
        cells_(edge_cells(mechanism, choice_)),
        parts_(mechanism.grid()),
        all_(mechanism.grid().range_text(), *cells_, Group::Counts::outputs),
        short_lists_(mechanism.grid().range_text() + " in short lists", *cells_) {
    for (std::size_t part = 0; part < Parts::count; ++part) groups_.emplace_back(parts_.text(part), *cells_);
    for (const std::size_t distance : distances) {
      for (const char* half : {"even", "odd"})
        tables_.push_back({fmt::format("edges {} apart, {} places", distance, half)});
    }
    strangers_ = tables_.size();
    tables_.push_back({"an edge and the weight before it"});
    tables_.push_back({"an edge and the weight after it"});
  }

  EdgeDraws run() {
    draw_long_list();
    draw_short_lists();
    return judged();
  }

 private:
  std::int64_t next_point() {
    if (choice_.below(4) != 0) last_point_ = cells_->random_point(choice_);
    return last_point_;
  }

  /// Draws as many edges, from the next streams.
  void draw(std::size_t edges) {
    draws_ += edges;
    points_.resize(edges);
    drawn_.resize(edges);
    for (std::int64_t& point : points_) point = next_point();
    draw_all(mechanism_, points_, key_,
             {.first_edge = next_stream_ * edges_per_stream,
              .threads = edges > edges_per_stream ? options_.threads : 1},
             drawn_);
    next_stream_ += (edges + edges_per_stream - 1) / edges_per_stream;
  }

  void draw_long_list() {
    const std::uint64_t draws = Parts::count * options_.samples;
    ProgressMeter meter(options_.progress, "drawing", draws);
    for (std::uint64_t done = 0; done < draws; done += points_.size()) {
      draw(static_cast<std::size_t>(std::min<std::uint64_t>(edges_per_round, draws - done)));
      look_at_edges();
      look_at_pairs();
      look_at_strangers();
      meter.advance(points_.size());
    }
    meter.finish();
  }

  void draw_short_lists() {
    const std::uint64_t draws = std::min(options_.samples, most_in_short_lists);
    for (std::uint64_t done = 0; done < draws; done += points_.size()) {
      draw(static_cast<std::size_t>(1 + choice_.below(std::uint64_t{1} << choice_.below(6))));
      for (std::size_t i = 0; i < points_.size(); ++i) {
        const std::size_t slot = cells_->slot_of(points_[i]);
        short_lists_.add(slot, cells_->cell_of(slot, points_[i], drawn_[i]));
      }
    }
  }

  void look_at_edges() {
    seen_.resize(points_.size());
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const std::size_t slot = cells_->slot_of(points_[i]);
      const std::size_t cell = cells_->cell_of(slot, points_[i], drawn_[i]);
      seen_[i] = {parts_.of(points_[i]), slot, cell < cells_->cells() ? cells_->class_of(cell) : classes};
      groups_[seen_[i].part].add(slot, cell);
      if (cells_->of_table()) all_.add(slot, cell);
    }
  }

  /// An edge is in one pair of a table at most: the first of it in every other run of `distance` edges.
  void look_at_pairs() {
    for (std::size_t d = 0; d < distances.size(); ++d) {
      for (std::size_t i = 0; i + distances[d] < seen_.size(); ++i) {
        const Seen &one = seen_[i], &other = seen_[i + distances[d]];
        if (one.its_class == classes || other.its_class == classes) continue;
        tables_[2 * d + i / distances[d] % 2].add(one.its_class, other.its_class,
                                                  cells_->class_chances(one.slot),
                                                  cells_->class_chances(other.slot));
      }
    }
  }

  void look_at_strangers() {
    for (std::size_t i = 0; i + 1 < seen_.size(); ++i) {
      add_stranger(tables_[strangers_], seen_[i + 1], seen_[i]);
      add_stranger(tables_[strangers_ + 1], seen_[i], seen_[i + 1]);
    }
  }

  void add_stranger(PairTable& table, const Seen& edge, const Seen& stranger) const {
    if (edge.its_class == classes) return;
    ClassChances certain{};
    certain[stranger.part] = 1;
    table.add(stranger.part, edge.its_class, certain, cells_->class_chances(edge.slot));
  }

  EdgeDraws judged() {
    EdgeDraws result{.draws = draws_};
    for (std::size_t i = 0; i < strangers_; ++i) result.pairs_of_edges += tables_[i].pairs;
    std::vector<DrawnCounts> drawn;
    groups_.push_back(std::move(short_lists_));
    groups_.push_back(std::move(all_));
    for (const Group& group : groups_) {
      if (group.empty()) continue;
      result.weights.push_back(group.words());
      drawn.push_back(group.counted());
    }
    for (const PairTable& table : tables_) {
      if (table.pairs == 0) continue;
      result.apart.push_back(table.words);
      drawn.push_back(table.counted());
    }
    for (std::size_t i = 0; i < drawn.size(); ++i) drawn[i].input = static_cast<kernel::InputId>(i);
    // Judged together, so that one rate of false alarms holds for all.
    FitVerdict verdict = judge_fit(mechanism_.name(), drawn, options_.false_alarm);
    const auto cut = verdict.inputs.begin() + static_cast<std::ptrdiff_t>(result.weights.size());
    result.fit.inputs = {verdict.inputs.begin(), cut};
    result.pairs.inputs = {cut, verdict.inputs.end()};
    conclude(result.fit, result.weights,
             fmt::format("The draws of {} do not follow its {}: of weights ", mechanism_.name(),
                         cells_->of_table() ? "table" : "law"));
    conclude(result.pairs, result.apart,
             fmt::format("The edges of {} are not drawn independently, each from its own weight: ",
                         mechanism_.name()));
    return result;
  }

  /// The first fault in words, or that there is none.
  void conclude(FitVerdict& verdict, const std::vector<std::string>& words, const std::string& accusation) {
    verdict.false_alarm = options_.false_alarm;
    const auto failing = std::find_if(verdict.inputs.begin(), verdict.inputs.end(),
                                      [](const InputFit& fit) { return !fit.first_failure.empty(); });
    verdict.fits = failing == verdict.inputs.end();
    if (verdict.fits) return;
    const auto which = static_cast<std::size_t>(failing - verdict.inputs.begin());
    verdict.sentence = fmt::format("{}{}, {}.", accusation, words[which], failing->first_failure);
  }

  const EdgeMechanism& mechanism_;
  const EdgeDrawsOptions& options_;
  random::SeededKey key_;
  random::Stream choice_;
  std::unique_ptr<EdgeCells> cells_;
  Parts parts_;
  Group all_, short_lists_;
  std::vector<Group> groups_;
  std::vector<PairTable> tables_;
  std::size_t strangers_ = 0;  // the first table of them
  std::uint64_t next_stream_ = 0;
  std::uint64_t draws_ = 0;
  std::int64_t last_point_ = 0;
  std::vector<std::int64_t> points_, drawn_;
  std::vector<Seen> seen_;
};

}  // namespace

EdgeDraws audit_edge_draws(const EdgeMechanism& mechanism, const EdgeDrawsOptions& options) {
  if (options.samples < 1000 || options.samples > 100'000'000)
    throw InvalidOption("samples", "must lie between 1,000 and 100,000,000");
  return Witness(mechanism, options).run();
}

}  // namespace fogline::audit
