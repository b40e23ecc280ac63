// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "release/field_table.hpp"

namespace fogline::release {

/// What public figures say of a release before it is charged: how far it is expected to err, beside the best guess
/// without it. `plan` prints it, and `release` holds it against `anyway`, both from the same figures.
///
///     const Worth worth{.error = expected.error, .free_error = expected.unpaid_error, .unit = " m"};
///     anyway_.require(worth);                      // throws InvalidOption before anything is charged
struct Worth {
  /// A release is better than a guess if it is nearer to the truth by at least this part of the guess's error: less is
  /// below what a hundred simulated steps can show, and below what anybody would notice.
  static constexpr double least_gain = 0.01;

  double error = 0;
  double free_error = 0;
  std::string unit = {};  ///< behind each figure, such as " m"

  bool is_better() const { return error < (1 - least_gain) * free_error; }
  std::string sentence() const;  ///< "the release is expected to err by 1.205 m, and ...", no full stop
  std::vector<std::string> remarks() const;  ///< a sentence for plans; none if it is better
};

/// `anyway`: a release that is no better than the guess is charged all the same.
struct AnywayField {
  bool anyway = false;

  void declare(FieldTable& table);
  void require(const Worth& worth) const;  ///< throws InvalidOption unless it is better or wanted anyway
  /// The same where no two figures tell it, but a sentence, without full stop.
  void require(bool is_better, const std::string& sentence) const;
};

}  // namespace fogline::release
