// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/edge_cells.hpp"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "base/error.hpp"

namespace fogline::audit {
namespace {

using weights::EdgeMechanism;

constexpr double largest_scale_steps = 100'000;
constexpr double tails = 20;  // scales of the noise that the law is looked at on each side
constexpr std::size_t most_cells = 4096;
constexpr std::size_t most_slots = 1024;  // points of a table that are drawn from
constexpr int endless_bits = 31;

class NoiseCells : public EdgeCells {
 public:
  explicit NoiseCells(const EdgeMechanism& mechanism) : mechanism_(mechanism) {
    const std::int64_t reach = reach_of_noise(mechanism);
    const auto outputs = static_cast<std::uint64_t>(2 * reach + 1);
    width_ = (outputs + most_cells - 1) / most_cells;
    inner_ = static_cast<std::size_t>((outputs + width_ - 1) / width_);
    lowest_ = -reach;
    fill_chances();
    fill_classes();
  }

  std::int64_t random_point(random::Stream& choice) const override {
    return audit::random_point(mechanism_.grid(), choice);
  }
  std::size_t slots() const override { return 1; }
  std::size_t slot_of(std::int64_t) const override { return 0; }
  std::size_t cells() const override { return inner_ + 2; }
  std::size_t cell_of(std::size_t, std::int64_t point, std::int64_t drawn) const override {
    const std::int64_t noise = drawn - point;
    if (noise < lowest_) return inner_;
    const auto cell = static_cast<std::uint64_t>(noise - lowest_) / width_;
    return cell < inner_ ? static_cast<std::size_t>(cell) : inner_ + 1;
  }
  std::size_t class_of(std::size_t cell) const override { return class_of_[cell]; }
  const ClassChances& class_chances(std::size_t) const override { return class_chances_; }
  std::vector<double> chances(std::size_t) const override { return chances_; }
  bool of_table() const override { return false; }

 private:
  void fill_chances() {
    chances_.resize(cells());
    double within = 0;
    std::int64_t noise = lowest_;
    for (std::size_t cell = 0; cell < inner_; ++cell) {
      for (std::uint64_t i = 0; i < width_; ++i)
        chances_[cell] += std::exp(mechanism_.log_weight(noise++, 0));
      within += chances_[cell];
    }
    chances_[inner_] = chances_[inner_ + 1] = std::max(0.0, (1 - within) / 2);
  }

  /// A cell belongs to the quarter in which its middle lies, in the order of the noise.
  void fill_classes() {
    class_of_.resize(cells());
    double below = chances_[inner_];
    for (std::size_t cell = 0; cell < inner_; ++cell) {
      const double middle = below + chances_[cell] / 2;
      class_of_[cell] = std::min(static_cast<std::size_t>(middle * classes), classes - 1);
      below += chances_[cell];
    }
    class_of_[inner_ + 1] = classes - 1;
    for (std::size_t cell = 0; cell < cells(); ++cell) class_chances_[class_of_[cell]] += chances_[cell];
  }

  const EdgeMechanism& mechanism_;
  std::int64_t lowest_ = 0;
  std::uint64_t width_ = 1;
  std::size_t inner_ = 0;
  std::vector<double> chances_;
  std::vector<std::size_t> class_of_;
  ClassChances class_chances_{};
};

class TableCells : public EdgeCells {
 public:
  TableCells(const EdgeMechanism& mechanism, random::Stream& choice)
      : mechanism_(mechanism),
        outputs_(mechanism.outputs()),
        points_(chosen_points(mechanism.grid(), choice)) {
    for (const std::int64_t point : points_) {
      const kernel::WeightRow row = mechanism.row(point);
      const auto top = std::max_element(row.weights.begin(), row.weights.end());
      origins_.push_back(static_cast<std::size_t>(top - row.weights.begin()));
      ClassChances sums{};
      const std::vector<double> chances = turned(row, origins_.back());
      for (std::size_t cell = 0; cell < outputs_; ++cell) sums[class_of(cell)] += chances[cell];
      class_chances_.push_back(sums);
    }
  }

  std::int64_t random_point(random::Stream& choice) const override {
    return points_[static_cast<std::size_t>(choice.below(points_.size()))];
  }
  std::size_t slots() const override { return points_.size(); }
  std::size_t slot_of(std::int64_t point) const override {
    return static_cast<std::size_t>(std::lower_bound(points_.begin(), points_.end(), point) -
                                    points_.begin());
  }
  std::size_t cells() const override { return outputs_; }
  std::size_t cell_of(std::size_t slot, std::int64_t, std::int64_t drawn) const override {
    if (drawn < 0 || drawn >= static_cast<std::int64_t>(outputs_)) return outputs_;
    return (static_cast<std::size_t>(drawn) + outputs_ - origins_[slot]) % outputs_;
  }
  std::size_t class_of(std::size_t cell) const override {
    return cell == 0 ? 0 : 1 + (cell - 1) * (classes - 1) / (outputs_ - 1);
  }
  const ClassChances& class_chances(std::size_t slot) const override { return class_chances_[slot]; }
  std::vector<double> chances(std::size_t slot) const override {
    return turned(mechanism_.row(points_[slot]), origins_[slot]);
  }
  std::size_t origin(std::size_t slot) const override { return origins_[slot]; }
  bool of_table() const override { return true; }

 private:
  /// In order; all points where they are few.
  static std::vector<std::int64_t> chosen_points(const weights::WeightGrid& grid, random::Stream& choice) {
    if (!grid.is_finite()) throw InvalidOption("range", "must have both ends for a table");
    std::vector<std::int64_t> points;
    const bool few = grid.points() <= most_slots;
    for (std::size_t i = 0; i < (few ? static_cast<std::size_t>(grid.points()) : most_slots); ++i)
      points.push_back(few ? static_cast<std::int64_t>(i) : audit::random_point(grid, choice));
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    return points;
  }

  std::vector<double> turned(const kernel::WeightRow& row, std::size_t origin) const {
    std::vector<double> chances(outputs_);
    for (std::size_t cell = 0; cell < outputs_; ++cell) {
      chances[cell] = static_cast<double>(static_cast<long double>(row.weights[(cell + origin) % outputs_]) /
                                          static_cast<long double>(row.total));
    }
    return chances;
  }

  const EdgeMechanism& mechanism_;
  std::size_t outputs_;
  std::vector<std::int64_t> points_;
  std::vector<std::size_t> origins_;
  std::vector<ClassChances> class_chances_;
};

}  // namespace

std::unique_ptr<EdgeCells> edge_cells(const EdgeMechanism& mechanism, random::Stream& choice) {
  if (mechanism.outputs() > 0) return std::make_unique<TableCells>(mechanism, choice);
  return std::make_unique<NoiseCells>(mechanism);
}

std::int64_t random_point(const weights::WeightGrid& grid, random::Stream& choice) {
  const bool at_end = choice.below(16) == 0;
  if (grid.is_finite()) {
    if (at_end) return static_cast<std::int64_t>(choice.below(2) * (grid.points() - 1));
    return static_cast<std::int64_t>(choice.below(grid.points()));
  }
  const std::uint64_t bits = choice.below(endless_bits + 1);
  if (at_end || bits == 0) return 0;
  const std::uint64_t lowest = std::uint64_t{1} << (bits - 1);
  return static_cast<std::int64_t>(lowest + choice.below(lowest));
}

std::uint64_t declared_steps(const EdgeMechanism& mechanism) {
  const auto parameters = mechanism.parameters();
  const auto found = parameters.find("sensitivity_steps");
  if (found == parameters.end() || !found->is_number_unsigned() || found->get<std::uint64_t>() == 0)
    throw InvalidOption("mechanism", "has neither a table nor a sensitivity that its noise is made for");
  return found->get<std::uint64_t>();
}

double noise_scale_steps(const EdgeMechanism& mechanism) {
  const double scale =
      static_cast<double>(declared_steps(mechanism)) / mechanism.guarantee().epsilon().to_double();
  if (!(scale <= largest_scale_steps)) {
    throw InvalidOption("step",
                        "is too fine to audit: the noise is wider than 100,000 steps; take a coarser one");
  }
  return scale;
}

std::int64_t reach_of_noise(const EdgeMechanism& mechanism) {
  return static_cast<std::int64_t>(std::ceil(tails * noise_scale_steps(mechanism))) + 20;
}

}  // namespace fogline::audit
