// SPDX-License-Identifier: Apache-2.0
#include "report/layer_layout.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"

namespace fogline::report {
namespace {

constexpr double margin_px = 24, line_gap_px = 13;
constexpr double least_gap_px = 14, most_gap_px = 46;
constexpr double least_width_px = 560, most_width_px = 20'000;
constexpr int sweeps = 24;

// Nodes, and after them the places where lines pass a row.
class Rows {
 public:
  explicit Rows(const LayerLayoutInput& input)
      : nodes_(input.layer.size()), width_(input.width_px), row_(nodes_), beside_(nodes_) {
    number_rows(input.layer);
    for (const auto& [u, v] : input.edges) line_.push_back(way_of(u, v));
    for (std::size_t i = 0; i < row_.size(); ++i) rows_[row_[i]].push_back(i);
    x_.resize(row_.size(), 0);
    choose_gap();
    for (const auto& row : rows_) pack(row);
    for (int sweep = 0; sweep < sweeps; ++sweep) improve(sweep % 2 == 0);
  }

  LayerLayout finish() const {
    double low = 0, high = 0;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      low = i == 0 ? left(i) : std::min(low, left(i));
      high = i == 0 ? right(i) : std::max(high, right(i));
    }
    LayerLayout layout;
    layout.width_px = std::max(high - low + 2 * margin_px, least_width_px);
    if (layout.width_px > most_width_px)
      throw InvalidOption("layers", "are too many to draw side by side; draw the pairs instead");
    // Flat where layers are many; with two, all lines lie between them and need air.
    const double gaps = std::max<double>(1, static_cast<double>(rows_.size()) - 1);
    const double row_px = std::clamp((high - low) * 0.4 / gaps, 64.0, 210.0);
    layout.height_px = 2 * (margin_px + half_band_px) +
                       row_px * (static_cast<double>(rows_.size()) - (rows_.empty() ? 0 : 1));
    const auto spot_of = [&](std::size_t i) {
      return LayerLayout::Spot{
          x_[i] + layout.width_px / 2 - (low + high) / 2,
          margin_px + half_band_px + row_px * static_cast<double>(rows_.size() - 1 - row_[i])};
    };
    for (std::size_t i = 0; i < nodes_; ++i) layout.node.push_back(spot_of(i));
    for (const auto& way : line_) {
      layout.line.emplace_back();
      for (const std::size_t i : way) layout.line.back().push_back(spot_of(i));
    }
    return layout;
  }

 private:
  double left(std::size_t i) const { return x_[i] - width_[i] / 2; }
  double right(std::size_t i) const { return x_[i] + width_[i] / 2; }

  // Layers that nothing is in have no row.
  void number_rows(const std::vector<std::int32_t>& layer) {
    std::vector<std::int32_t> used = layer;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    rows_.resize(used.size());
    for (std::size_t i = 0; i < nodes_; ++i)
      row_[i] = static_cast<std::size_t>(std::lower_bound(used.begin(), used.end(), layer[i]) - used.begin());
    passing_.resize(nodes_);
  }

  // The lines of u share one place in each row above it.
  std::vector<std::size_t> way_of(std::size_t u, std::size_t v) {
    if (row_[u] >= row_[v])
      throw InvalidOption("layers",
                          "join two of one layer, which no layered graph does; draw the pairs instead");
    std::vector<std::size_t> way = {u};
    for (std::size_t row = row_[u] + 1; row < row_[v]; ++row) {
      if (passing_[u].size() < row - row_[u]) {
        passing_[u].push_back(row_.size());
        row_.push_back(row);
        width_.push_back(0);
        beside_.emplace_back();
        link(way.back(), passing_[u].back());
      }
      way.push_back(passing_[u][row - row_[u] - 1]);
    }
    link(way.back(), v);
    way.push_back(v);
    return way;
  }

  void link(std::size_t a, std::size_t b) {
    beside_[a].push_back(b);
    beside_[b].push_back(a);
  }

  void choose_gap() {
    std::size_t widest = 1;
    for (const auto& row : rows_) widest = std::max(widest, row.size());
    gap_px_ = std::clamp(500.0 / static_cast<double>(widest) - 24, least_gap_px, most_gap_px);
  }

  double apart(std::size_t a, std::size_t b) const {
    return (width_[a] + width_[b]) / 2 + (a < nodes_ && b < nodes_ ? gap_px_ : line_gap_px);
  }

  // Side by side around 0.
  void pack(const std::vector<std::size_t>& row) {
    for (std::size_t i = 1; i < row.size(); ++i) x_[row[i]] = x_[row[i - 1]] + apart(row[i - 1], row[i]);
    const double middle = row.empty() ? 0 : x_[row.back()] / 2;
    for (const std::size_t i : row) x_[i] -= middle;
  }

  double wanted(std::size_t i) const {
    if (beside_[i].empty()) return x_[i];
    double sum = 0;
    for (const std::size_t other : beside_[i]) sum += x_[other];
    return sum / static_cast<double>(beside_[i].size());
  }

  void improve(bool upwards) {
    std::vector<double> goal(x_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      auto& row = rows_[upwards ? i : rows_.size() - 1 - i];
      for (const std::size_t one : row) goal[one] = wanted(one);
      std::stable_sort(row.begin(), row.end(),
                       [&](std::size_t a, std::size_t b) { return goal[a] < goal[b]; });
      spread(row, goal);
    }
  }

  // As near to their goals as room allows: the mean of pushing from the left and from the right.
  void spread(const std::vector<std::size_t>& row, const std::vector<double>& goal) {
    std::vector<double> from_left(row.size()), from_right(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      from_left[i] = goal[row[i]];
      if (i > 0) from_left[i] = std::max(from_left[i], from_left[i - 1] + apart(row[i - 1], row[i]));
    }
    for (std::size_t i = row.size(); i-- > 0;) {
      from_right[i] = goal[row[i]];
      if (i + 1 < row.size())
        from_right[i] = std::min(from_right[i], from_right[i + 1] - apart(row[i], row[i + 1]));
    }
    for (std::size_t i = 0; i < row.size(); ++i) x_[row[i]] = (from_left[i] + from_right[i]) / 2;
  }

  std::size_t nodes_;
  std::vector<double> width_, x_;
  std::vector<std::size_t> row_;
  std::vector<std::vector<std::size_t>> beside_, rows_, passing_, line_;
  double gap_px_ = least_gap_px;
};

}  // namespace

LayerLayout lay_out(const LayerLayoutInput& input) {
  return Rows(input).finish();
}

}  // namespace fogline::report
