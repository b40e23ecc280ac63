// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "fogline/findings.hpp"
#include "privacy/parameters.hpp"

namespace fogline::release {

/// What an analysis found, while it is put together: as fogline::Findings, but for the JSON, which is no text yet.
///
///     Findings found(Json{{"kind", "place"}, {"q_loss_m", 812.4}});
///     found.add(Findings::Rows{{"network", "city:1"}, {"expected error", "812.4 m"}});
///     found.add(Findings::Table{{{"", 30, Findings::Align::left}, {"road", 12}}, {{"Q_loss: truth to output", "812.4 m"}}});
///     found.add("What is printed tells of private records.");
struct Findings {
  using Align = fogline::Findings::Align;
  using Column = fogline::Findings::Column;
  using Table = fogline::Findings::Table;
  using Rows = fogline::Findings::Rows;
  using Sentence = fogline::Findings::Sentence;
  using Piece = fogline::Findings::Piece;

  Findings() = default;
  explicit Findings(privacy::Parameters found) : json(std::move(found)) {}

  void add(Rows rows) { pieces.emplace_back(std::move(rows)); }
  void add(Table table) { pieces.emplace_back(std::move(table)); }
  void add(Sentence sentence) { pieces.emplace_back(std::move(sentence)); }
  void add(const std::vector<Sentence>& sentences) {
    pieces.insert(pieces.end(), sentences.begin(), sentences.end());
  }

  privacy::Parameters json;
  std::vector<Piece> pieces;
  bool passed = true;
  bool is_shown = true;
  bool tells_of_file = false;  ///< the pieces only tell of a file that was written, which is the answer
};

/// The same with its JSON as a text.
fogline::Findings finished(Findings found);

}  // namespace fogline::release
