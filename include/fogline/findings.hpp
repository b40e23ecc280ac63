// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace fogline {

/// What an analysis found, twice: as JSON for programs, and for people, as pieces that whoever shows them lays out his own way. Sentences, values and
/// cells name fields of a request in back quotes.
///
///     for (const auto& piece : found.pieces)
///       if (const auto* sentence = std::get_if<fogline::Findings::Sentence>(&piece)) std::cout << *sentence << "\n";
struct Findings {
  enum class Align { left, right };
  /// At least so wide; the next begins where it ends.
  struct Column {
    std::string title;
    std::size_t width;
    Align align = Align::right;
  };
  /// Without any title, the columns have no heading.
  struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;
  };
  using Rows = std::vector<std::pair<std::string, std::string>>;  ///< names and values
  using Sentence = std::string;
  using Piece = std::variant<Rows, Table, Sentence>;

  std::string json = "{}";
  std::vector<Piece> pieces = {};
  bool passed = true;    ///< false: what was checked does not hold
  bool is_shown = true;  ///< false: nothing speaks against it, and nothing shows it either
};

}  // namespace fogline
