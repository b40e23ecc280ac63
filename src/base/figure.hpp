// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fogline {

/// A number of an experiment's result that has a name, for words and JSON.
using NamedNumber = std::pair<std::string, double>;

/// One measured point. `part` says which picture it belongs to where there are several; empty otherwise.
struct FigureRow {
  std::string part = {};
  std::string series = {};
  std::vector<double> values = {};  ///< one per column
};

struct FigureAxis {
  std::string column = {};  ///< whose values
  std::string label = {};   ///< what they are, with the unit
  bool log = false;         ///< orders of magnitude side by side
  bool from_zero = false;   ///< 0 belongs to what is shown
};

/// One way to look at the rows.
struct FigureView {
  std::string title = {};
  std::string part = {};  ///< rows of this part only; empty: all
  FigureAxis x = {}, y = {};
  std::string size =
      {};  ///< column of the size of each point; then points are a map, drawn to scale and without lines
};

/// A colour that a series must have because readers know it by it.
enum class FigureColour { yellow, green };

/// What an experiment found: numbers, how to look at them, and what they say of a published claim. Every kind makes its figures in this
/// form; nothing here draws (report/ does).
///
///     Figure figure{.name = "place-fig4", .columns = {"length_m", "tp"}};
///     figure.rows.push_back({.series = "GEM", .values = {100, 0.62}});
///     figure.views = {{.x = {"length_m", "road between them [m]"}, .y = {"tp", "TP"}}};
///     std::string text = to_csv(figure);
struct Figure {
  std::string name = {};
  std::string title = {};
  std::string data = {};    ///< what it was computed on: a rule, a map, the generated city
  std::string claim = {};   ///< "the paper says ..."
  std::string result = {};  ///< the same of our numbers, computed from them
  bool confirmed = false;   ///< do our numbers say what the paper says?
  std::vector<NamedNumber> numbers = {};
  std::vector<std::string> columns = {};
  std::vector<FigureRow> rows = {};
  std::vector<FigureView> views = {};
  std::vector<std::pair<std::string, FigureColour>> colours = {};  ///< by series; the others are told apart

  std::size_t column(std::string_view column_name) const;  ///< throws InvalidOption if there is none
  /// The values of one column in the rows of one series, all parts or one.
  std::vector<double> values(std::string_view series, std::string_view column_name,
                             std::string_view part = {}) const;
};

/// What a paper says of a figure, claim by claim, and which of it our numbers say too.
///
///     claims.ask("more with more vertices", is_sorted(steps));
///     claims.tell(figure);                 // adds "; 3 of 4 claims hold, not: ..." to the result, and sets `confirmed`
class FigureClaims {
 public:
  void ask(const std::string& what, bool holds);
  void tell(Figure& figure) const;

 private:
  std::size_t asked_ = 0;
  std::vector<std::string> failed_;
};

/// A header and a line per row; names with commas or quotes are quoted. `part` is a column only if a row has one.
std::string to_csv(const Figure& figure);

/// The height at `x` of the line through points given in any order; none to the left or right of all of them.
std::optional<double> height_at(std::span<const double> xs, std::span<const double> ys, double x);

}  // namespace fogline
