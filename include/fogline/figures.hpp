// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "fogline/listener.hpp"

namespace fogline {

/// A figure of a paper that can be computed anew.
struct FigureName {
  std::string name;  ///< "place-fig6": the kind and the paper's number
  std::string what;  ///< one line
};

/// Those that there are, kind by kind.
std::vector<FigureName> figures();

struct FigureRequest {
  std::string name;    ///< one of figures()
  bool quick = false;  ///< smaller data and fewer points: seconds instead of minutes
  std::string data =
      {};  ///< folder of real data; empty: generated data takes its place, and the result says so
};

struct ComputedFigure {
  std::string json;        ///< numbers, rows, the paper's claim and our result: docs/reproduce.md
  std::string csv;         ///< the rows
  std::string svg;         ///< the plots
  std::string page;        ///< the same as one HTML file; empty if the library was built without its page
  bool confirmed = false;  ///< do our numbers say what the paper says?
};

/// Computes a paper's experiment anew. Reads no private record and charges nothing; what it draws, it draws with
/// seeds of its own.
///
///     const auto figure = fogline::compute_figure({.name = "place-fig4", .quick = true}, silent);
///     if (!figure.confirmed) std::cout << figure.json << "\n";
///
/// Throws InvalidOption for a name that is none, Error for data that are not there or wrong, and what callbacks throw.
ComputedFigure compute_figure(const FigureRequest& wanted, Listener& listener);

}  // namespace fogline
