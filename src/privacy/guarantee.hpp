// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/rational.hpp"

namespace fogline::privacy {

/// A privacy parameter, exact, above 0 and at most 1,000, of denominator at most 10^9: the largest change of a log-probability between
/// neighbours. Two different types, so that adding an epsilon per metre to a plain epsilon does not compile.
///
///     Epsilon budget{1, 2};                                  // one half
///     auto per_metre = EpsilonPerMetre::parse("0.01");       // throws InvalidOption naming the range
template <class Measure>
class BasicEpsilon {
 public:
  explicit BasicEpsilon(const Rational& value);
  BasicEpsilon(std::uint64_t numerator, std::uint64_t denominator)
      : BasicEpsilon(Rational(numerator, denominator)) {}
  static BasicEpsilon parse(std::string_view text);

  const Rational& value() const { return value_; }
  friend BasicEpsilon operator+(const BasicEpsilon& a, const BasicEpsilon& b) {
    return BasicEpsilon(a.value_ + b.value_);
  }
  friend bool operator==(const BasicEpsilon&, const BasicEpsilon&) = default;

 private:
  Rational value_;
};

struct PlainMeasure;
struct PerMetreMeasure;
using Epsilon = BasicEpsilon<PlainMeasure>;
using EpsilonPerMetre = BasicEpsilon<PerMetreMeasure>;

/// What kind of promise is made.
enum class Notion {
  pure_dp,       ///< for all neighbours, both ways: P(o|x) <= e^epsilon P(o|x')
  metric_dp,     ///< for all pairs: P(o|x) <= e^(epsilon d(x,x')) P(o|x'), epsilon per metre
  policy_dp,     ///< as pure_dp, for the pairs joined in a public policy graph
  one_sided_dp,  ///< as pure_dp, in one direction only; the other is unbounded
  none           ///< nothing is promised; `reason` says why
};

/// What epsilon is counted in.
enum class EpsilonMeasure { plain, per_metre };

/// How closely the sampler follows the formula.
enum class Exactness {
  exact,         ///< integer weights or an exact integer sampler: the distribution is the claimed one
  grid_rounded,  ///< a continuous sample rounded to a grid, as the statement describes
  approximate    ///< floating point decides probabilities; only for mechanisms that promise nothing
};

/// How much of a person a promise covers.
enum class PersonCover {
  part,     ///< less than everything that a person has in the release
  records,  ///< whatever a person's records are, against whatever else they might be
  presence  ///< a person with all records against none: exchanging them for others takes two such steps
};

/// What a release promises, as a type. Made by the named functions, which keep the parts consistent.
///
///     auto g = Guarantee::metric(EpsilonPerMetre{1, 100}, "one report", Exactness::exact);
///     auto twice = compose(g, g);                            // 0.02 per metre
///     compose(g, Guarantee::pure(Epsilon{1, 1}, "one trip", Exactness::exact));   // throws
///     IncompatibleGuarantees
class Guarantee {
 public:
  /// `unit` names the neighbouring relation in a few plain words: whose, or which part of the data, is
  /// protected; 1 to 200 bytes. A promise needs a sampler that keeps it: Exactness::approximate throws
  /// InvalidOption, and is what `none` always has.
  static Guarantee pure(const Epsilon& epsilon, std::string unit, Exactness exactness);
  static Guarantee metric(const EpsilonPerMetre& epsilon, std::string unit, Exactness exactness);
  static Guarantee policy(const Epsilon& epsilon, std::string unit, Exactness exactness);
  static Guarantee one_sided(const Epsilon& epsilon, std::string unit, Exactness exactness);
  static Guarantee none(std::string unit, std::string reason);

  /// The parts as a statement or a ledger stores them. A total over several releases may exceed the 1,000
  /// that bounds one parameter.
  struct Parts {
    Notion notion;
    Rational epsilon;  ///< 0 exactly when the notion is none
    Rational delta;    ///< 0: no notion here allows another value
    std::string unit;
    Exactness exactness;
    std::string reason;  ///< empty unless the notion is none
    PersonCover cover = PersonCover::part;
  };
  static Guarantee from_parts(Parts parts);  ///< throws InvalidOption naming the part that contradicts

  /// The same, of a unit that is everything one person has in the release. Throws InvalidOption where nothing is promised, or one way only.
  Guarantee for_person(PersonCover cover = PersonCover::records) const;

  Notion notion() const { return notion_; }
  const std::string& unit() const { return unit_; }
  const Rational& epsilon() const { return epsilon_; }  ///< 0 exactly when the notion is none
  EpsilonMeasure measure() const {
    return notion_ == Notion::metric_dp ? EpsilonMeasure::per_metre : EpsilonMeasure::plain;
  }
  const Rational& delta() const { return delta_; }
  Exactness exactness() const { return exactness_; }
  const std::string& reason() const { return reason_; }
  PersonCover cover() const { return cover_; }
  bool covers_person() const { return cover_ != PersonCover::part; }
  /// What a person can lose by the release at most, whatever the records are exchanged for; of a promise that covers a person.
  Rational person_epsilon() const;
  friend bool operator==(const Guarantee&, const Guarantee&) = default;

 private:
  explicit Guarantee(Parts parts);

  Notion notion_;
  Rational epsilon_;
  Rational delta_;
  std::string unit_;
  Exactness exactness_;
  std::string reason_;
  PersonCover cover_;
};

/// Thrown when two guarantees do not add up: another notion or another unit of protection.
class IncompatibleGuarantees : public Error {
 public:
  IncompatibleGuarantees(const Guarantee& a, const Guarantee& b);
};

/// Sequential composition: both releases are of the same data. Epsilons and deltas add; exactness is the
/// weaker one. With `none`, nothing is promised any more. More than two: privacy/composition.hpp.
Guarantee compose(const Guarantee& a, const Guarantee& b);

/// The names used in statements and on the command line: "metric DP", "per metre", "exact".
std::string_view to_string(Notion notion);
std::string_view to_string(EpsilonMeasure measure);
std::string_view to_string(Exactness exactness);
std::string_view to_string(PersonCover cover);
Notion notion_from(std::string_view text);           ///< throws InvalidOption
EpsilonMeasure measure_from(std::string_view text);  ///< throws InvalidOption
Exactness exactness_from(std::string_view text);     ///< throws InvalidOption
PersonCover cover_from(std::string_view text);       ///< throws InvalidOption

/// One sentence: "metric DP, epsilon 0.01 per metre, protecting one report, exact".
std::string to_string(const Guarantee& guarantee);

}  // namespace fogline::privacy
