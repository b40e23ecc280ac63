// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "privacy/books.hpp"
#include "privacy/guarantee.hpp"

namespace fogline::privacy {

/// A guarantee in sentences for somebody who has never heard of epsilon, from the guarantee alone: nobody's choice of words.
///
///     PlainWords words = plain_words(Guarantee::metric(EpsilonPerMetre{1, 100}, "one report", Exactness::exact));
///     words.promised[0];   // "For two places 100 m apart, the release changes nobody's odds between them by more than a factor 2.72, ..."
///
/// Numbers are bounds and hence rounded up: a factor is e^epsilon; who held one of two possibilities for p likely can hold it for
/// at most p e^epsilon / (p e^epsilon + 1 - p) afterwards. Each list has at least one sentence.
struct PlainWords {
  std::vector<std::string> promised;      ///< what, as numbers
  std::vector<std::string> to_whom;       ///< the unit, and against whom
  std::vector<std::string> not_promised;  ///< what this notion leaves open, and that releases add up
};
PlainWords plain_words(const Guarantee& guarantee);

/// What all releases of a dataset have spent together, of which `release` is one: what a person is exposed to.
std::vector<std::string> total_words(const std::string& dataset, const DatasetBook& book,
                                     const Guarantee& release);

/// An upper bound of e^epsilon: "2.72", "22,027", "10^44".
std::string factor_text(double epsilon);

/// An upper bound, in per cent, of what a probability can become: "73.2 %" from 0.5 at epsilon 1.
std::string belief_text(double before, double epsilon);

}  // namespace fogline::privacy
