// SPDX-License-Identifier: Apache-2.0
#include "privacy/guarantee.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "privacy/plain_text.hpp"

namespace fogline::privacy {
namespace {

constexpr std::uint64_t largest_epsilon = 1000;
constexpr std::uint64_t finest_epsilon = 1'000'000'000;
constexpr std::size_t longest_unit = 200;
constexpr std::size_t longest_reason = 2000;

template <class Measure>
constexpr std::string_view option_name =
    std::is_same_v<Measure, PlainMeasure> ? "epsilon" : "epsilon per metre";

template <class Value>
struct Named {
  Value value;
  std::string_view name;
};

constexpr auto notions = std::to_array<Named<Notion>>({{Notion::pure_dp, "pure DP"},
                                                       {Notion::metric_dp, "metric DP"},
                                                       {Notion::policy_dp, "policy DP"},
                                                       {Notion::one_sided_dp, "one-sided DP"},
                                                       {Notion::none, "none"}});
constexpr auto measures = std::to_array<Named<EpsilonMeasure>>(
    {{EpsilonMeasure::plain, "plain"}, {EpsilonMeasure::per_metre, "per metre"}});
constexpr auto exactnesses = std::to_array<Named<Exactness>>({{Exactness::exact, "exact"},
                                                              {Exactness::grid_rounded, "grid-rounded"},
                                                              {Exactness::approximate, "approximate"}});

constexpr auto covers = std::to_array<Named<PersonCover>>(
    {{PersonCover::part, "part"}, {PersonCover::records, "records"}, {PersonCover::presence, "presence"}});

template <class Value, std::size_t count>
std::string_view name_of(const std::array<Named<Value>, count>& table, Value value) {
  return std::ranges::find(table, value, &Named<Value>::value)->name;
}

template <class Value, std::size_t count>
Value value_of(const std::array<Named<Value>, count>& table, std::string_view option, std::string_view text) {
  const auto found = std::ranges::find(table, text, &Named<Value>::name);
  if (found != table.end()) return found->value;
  std::string choices;
  for (const auto& [value, name] : table) choices += fmt::format("{}{}", choices.empty() ? "" : ", ", name);
  throw InvalidOption(option, fmt::format("is none of: {}", choices));
}

void require_consistent(const Guarantee::Parts& parts) {
  require_plain_text("unit", parts.unit, longest_unit);
  // A promise one way leaves the other unbounded, whatever the unit.
  if (parts.cover != PersonCover::part &&
      (parts.notion == Notion::none || parts.notion == Notion::one_sided_dp))
    throw InvalidOption("covers_person", "needs a promise that bounds what a person can lose");
  if (!parts.delta.is_zero()) throw InvalidOption("delta", "must be 0 for every notion known here");
  if (parts.notion == Notion::none) {
    require_plain_text("reason", parts.reason, longest_reason);
    if (!parts.epsilon.is_zero()) throw InvalidOption("epsilon", "must be 0 where nothing is promised");
    if (parts.exactness != Exactness::approximate) {
      throw InvalidOption("exactness", "must be approximate where nothing is promised");
    }
    return;
  }
  if (!parts.reason.empty()) throw InvalidOption("reason", "is given only where nothing is promised");
  if (parts.epsilon.is_zero()) throw InvalidOption("epsilon", "must be above 0 where something is promised");
  if (parts.exactness == Exactness::approximate) {
    throw InvalidOption("exactness",
                        "an approximate sampler keeps no promise; it must be exact or grid-rounded");
  }
}

std::string joined(const std::string& all, const std::string& next) {
  return all.find(next) != std::string::npos ? all : all + "; " + next;
}

/// Of two releases together: what both cover.
PersonCover weaker(PersonCover a, PersonCover b) {
  if (a == PersonCover::part || b == PersonCover::part) return PersonCover::part;
  return a == PersonCover::presence ? a : b;
}

Guarantee compose_with_none(const Guarantee& a, const Guarantee& b) {
  if (a.notion() != Notion::none) return b;
  if (b.notion() != Notion::none) return a;
  // The first text stays when both together would grow beyond what is kept.
  std::string unit = joined(a.unit(), b.unit());
  std::string reason = joined(a.reason(), b.reason());
  if (unit.size() > longest_unit) unit = a.unit();
  if (reason.size() > longest_reason) reason = a.reason();
  return Guarantee::none(std::move(unit), std::move(reason));
}

}  // namespace

template <class Measure>
BasicEpsilon<Measure>::BasicEpsilon(const Rational& value) : value_(value) {
  if (value.is_zero() || value > Rational(largest_epsilon)) {
    throw InvalidOption(option_name<Measure>, fmt::format("is {}; it must be above 0 and at most {}",
                                                          value.to_string(), largest_epsilon));
  }
  if (value.denominator() > finest_epsilon) {
    throw InvalidOption(option_name<Measure>,
                        "is too fine a fraction; its denominator must be at most 1,000,000,000, such as "
                        "0.333333333 or 1/3");
  }
}

template <class Measure>
BasicEpsilon<Measure> BasicEpsilon<Measure>::parse(std::string_view text) {
  const auto value = Rational::parse(text);
  if (!value) {
    throw InvalidOption(
        option_name<Measure>,
        fmt::format("is not a number above 0 and at most {}, such as 0.5 or 1/3", largest_epsilon));
  }
  return BasicEpsilon(*value);
}

template class BasicEpsilon<PlainMeasure>;
template class BasicEpsilon<PerMetreMeasure>;

Guarantee::Guarantee(Parts parts)
    : notion_(parts.notion),
      epsilon_(parts.epsilon),
      delta_(parts.delta),
      unit_(std::move(parts.unit)),
      exactness_(parts.exactness),
      reason_(std::move(parts.reason)),
      cover_(parts.cover) {}

Guarantee Guarantee::from_parts(Parts parts) {
  require_consistent(parts);
  return Guarantee(std::move(parts));
}

Rational Guarantee::person_epsilon() const {
  return cover_ == PersonCover::presence ? epsilon_ * 2 : epsilon_;
}

Guarantee Guarantee::for_person(PersonCover cover) const {
  return from_parts({.notion = notion_,
                     .epsilon = epsilon_,
                     .delta = delta_,
                     .unit = unit_,
                     .exactness = exactness_,
                     .reason = reason_,
                     .cover = cover});
}

Guarantee Guarantee::pure(const Epsilon& epsilon, std::string unit, Exactness exactness) {
  return from_parts({Notion::pure_dp, epsilon.value(), {}, std::move(unit), exactness, {}});
}

Guarantee Guarantee::metric(const EpsilonPerMetre& epsilon, std::string unit, Exactness exactness) {
  return from_parts({Notion::metric_dp, epsilon.value(), {}, std::move(unit), exactness, {}});
}

Guarantee Guarantee::policy(const Epsilon& epsilon, std::string unit, Exactness exactness) {
  return from_parts({Notion::policy_dp, epsilon.value(), {}, std::move(unit), exactness, {}});
}

Guarantee Guarantee::one_sided(const Epsilon& epsilon, std::string unit, Exactness exactness) {
  return from_parts({Notion::one_sided_dp, epsilon.value(), {}, std::move(unit), exactness, {}});
}

Guarantee Guarantee::none(std::string unit, std::string reason) {
  return from_parts({Notion::none, {}, {}, std::move(unit), Exactness::approximate, std::move(reason)});
}

IncompatibleGuarantees::IncompatibleGuarantees(const Guarantee& a, const Guarantee& b)
    : Error(fmt::format("guarantees that do not add up: ({}) and ({})", to_string(a), to_string(b))) {}

Guarantee compose(const Guarantee& a, const Guarantee& b) {
  if (a.notion() == Notion::none || b.notion() == Notion::none) return compose_with_none(a, b);
  if (a.notion() != b.notion() || a.unit() != b.unit()) throw IncompatibleGuarantees(a, b);
  return Guarantee::from_parts({a.notion(),
                                a.epsilon() + b.epsilon(),
                                a.delta() + b.delta(),
                                a.unit(),
                                std::max(a.exactness(), b.exactness()),
                                {},
                                weaker(a.cover(), b.cover())});
}

std::string_view to_string(Notion notion) {
  return name_of(notions, notion);
}

std::string_view to_string(EpsilonMeasure measure) {
  return name_of(measures, measure);
}

std::string_view to_string(Exactness exactness) {
  return name_of(exactnesses, exactness);
}

std::string_view to_string(PersonCover cover) {
  return name_of(covers, cover);
}

PersonCover cover_from(std::string_view text) {
  return value_of(covers, "covers_person", text);
}

Notion notion_from(std::string_view text) {
  return value_of(notions, "notion", text);
}

EpsilonMeasure measure_from(std::string_view text) {
  return value_of(measures, "measure", text);
}

Exactness exactness_from(std::string_view text) {
  return value_of(exactnesses, "exactness", text);
}

std::string to_string(const Guarantee& guarantee) {
  if (guarantee.notion() == Notion::none) {
    return fmt::format("no guarantee for {}: {}", guarantee.unit(), guarantee.reason());
  }
  const bool per_metre = guarantee.measure() == EpsilonMeasure::per_metre;
  return fmt::format("{}, epsilon {}{}, protecting {}, {}", to_string(guarantee.notion()),
                     guarantee.epsilon().to_string(), per_metre ? " per metre" : "", guarantee.unit(),
                     to_string(guarantee.exactness()));
}

}  // namespace fogline::privacy
