// SPDX-License-Identifier: Apache-2.0
#include "privacy/plain_words.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

namespace fogline::privacy {
namespace {

/// Room for the rounding of exp and log, so that a bound stays one.
constexpr double slack = 1e-12;

std::string grouped(double whole) {
  std::string digits = fmt::format("{:.0f}", whole);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string rounded_up(double value, int decimals) {
  const double scale = std::pow(10, decimals);
  return fmt::format("{:.{}f}", std::ceil(value * (1 + slack) * scale) / scale, decimals);
}

/// 1, 2 or 5 times a power of ten: the largest at which the factor is at most e.
double telling_distance_m(double epsilon) {
  const double longest = 1 / epsilon * (1 + 1e-9);
  const double power = std::pow(10, std::floor(std::log10(longest)));
  for (const double digit : {5.0, 2.0}) {
    if (digit * power <= longest) return digit * power;
  }
  return power;
}

std::string metres(double distance_m) {
  return distance_m >= 1000 ? grouped(distance_m) + " m" : fmt::format("{:.6g} m", distance_m);
}

std::string of_whom(const Guarantee& guarantee) {
  return fmt::format("What is protected is {}.", guarantee.unit());
}

std::string releases_add_up(const std::string& twice) {
  return fmt::format("Several releases of the same data: they add up. Two like this one make the factor {}.",
                     twice);
}

PlainWords finished(PlainWords words, const Guarantee& guarantee, const std::string& twice) {
  words.to_whom.emplace_back(guarantee.notion() == Notion::one_sided_dp
                                 ? "It compares two cases in which everything else is the same and known. "
                                   "Who does not know the rest, and puts "
                                   "several parts of a release together, can learn more. It rests on random "
                                   "bits that nobody can predict "
                                   "(ChaCha20)."
                                 : "It holds against anybody, whatever else they know, as long as nobody can "
                                   "predict the random bits "
                                   "(ChaCha20).");
  words.not_promised.push_back(releases_add_up(twice));
  if (guarantee.exactness() == Exactness::grid_rounded) {
    words.not_promised.emplace_back("Exactness to the last digit: the noise is rounded to a grid.");
  }
  return words;
}

std::string beliefs(const std::string& what, double epsilon) {
  return fmt::format(
      "Who held {} for 50 % likely can hold it for at most {} likely afterwards; who held it for 10 %, for "
      "at most {}.",
      what, belief_text(0.5, epsilon), belief_text(0.1, epsilon));
}

PlainWords metric_words(const Guarantee& guarantee) {
  const double epsilon = guarantee.epsilon().to_double();
  const double near_m = telling_distance_m(epsilon);
  PlainWords words;
  words.promised = {
      fmt::format(
          "For two possibilities {} from each other, by the distance that is named with what is "
          "protected, the release changes nobody's odds between them by more than a factor {}; at {}, {}.",
          metres(near_m), factor_text(epsilon * near_m), metres(2 * near_m),
          factor_text(epsilon * 2 * near_m)),
      beliefs(fmt::format("one of only two possibilities, {} from each other,", metres(near_m)),
              epsilon * near_m)};
  words.to_whom = {of_whom(guarantee)};
  words.not_promised = {
      fmt::format("Much at long distances: the promise fades. At {} the factor is {}.", metres(10 * near_m),
                  factor_text(epsilon * 10 * near_m)),
      "Anything for closeness by another measure: where distance is by road, places near each other by air "
      "can be far apart.",
      "Anything between the vertices of a network: positions are moved to a vertex first, and two side by "
      "side "
      "can be moved to vertices far apart.",
      "Anything for other reports of the same person than those named as protected."};
  return finished(std::move(words), guarantee,
                  fmt::format("{} at {}", factor_text(2 * epsilon * near_m), metres(near_m)));
}

PlainWords pure_words(const Guarantee& guarantee) {
  const double epsilon = guarantee.epsilon().to_double();
  PlainWords words;
  words.promised = {
      fmt::format(
          "For two possibilities that differ in what is protected and in nothing else, the release changes "
          "nobody's odds between them by more than a factor {}, either way.",
          factor_text(epsilon)),
      beliefs("one of them", epsilon)};
  if (guarantee.cover() == PersonCover::presence)
    words.promised.front() = fmt::format(
        "With what is protected in the data or without it, all else being the same, the release changes "
        "nobody's "
        "odds by more than a factor {}, either way; where it is exchanged for something else, by no more "
        "than {}.",
        factor_text(epsilon), factor_text(2 * epsilon));
  words.to_whom = {of_whom(guarantee)};
  words.not_promised = {"That the data as a whole, or what others contributed, say nothing about somebody."};
  return finished(std::move(words), guarantee, factor_text(2 * epsilon));
}

PlainWords policy_words(const Guarantee& guarantee) {
  const double epsilon = guarantee.epsilon().to_double();
  PlainWords words;
  words.promised = {fmt::format("For two possibilities that the public policy joins, all else being known "
                                "and the same, the release changes "
                                "nobody's odds between them "
                                "by more than a factor {}, either way.",
                                factor_text(epsilon)),
                    beliefs("one of them", epsilon)};
  words.to_whom = {of_whom(guarantee)};
  words.not_promised = {
      "Anything for pairs that the policy does not join: they may be told apart. Over several joins the "
      "factors multiply."};
  return finished(std::move(words), guarantee, factor_text(2 * epsilon));
}

PlainWords one_sided_words(const Guarantee& guarantee) {
  const double epsilon = guarantee.epsilon().to_double();
  PlainWords words;
  words.promised = {fmt::format("For two cases that differ in what is protected and in nothing else, the "
                                "release raises nobody's odds that "
                                "the protected thing is so by more than a factor {}.",
                                factor_text(epsilon)),
                    beliefs("it so, with everything else known,", epsilon)};
  words.to_whom = {of_whom(guarantee)};
  words.not_promised = {
      "The other direction, which has no bound: the release may show for certain that the protected thing is "
      "not so.",
      "A bound for several such things at once: each is bounded alone, with everything else known."};
  return finished(std::move(words), guarantee, factor_text(2 * epsilon));
}

PlainWords no_words(const Guarantee& guarantee) {
  return {.promised = {fmt::format("Nothing, because {}.", guarantee.reason())},
          .to_whom = {fmt::format("Nobody. What is not protected is {}.", guarantee.unit())},
          .not_promised = {"Anything: who reads the release may learn all of the private data."}};
}

std::string counted(std::uint64_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "0.05 per metre", "2", "0.05 per metre and 2".
std::string spent_text(const DatasetBook& book) {
  std::string text;
  if (!book.per_metre.spent.is_zero()) text = book.per_metre.spent.to_string() + " per metre";
  if (!book.plain.spent.is_zero()) {
    text += fmt::format("{}epsilon {}", text.empty() ? "" : " and ", book.plain.spent.to_string());
  }
  return text.empty() ? "nothing" : text;
}

/// At the distance that the words on the release itself speak of.
std::string together_text(const Guarantee& total, const Guarantee& release) {
  const double epsilon = total.epsilon().to_double();
  if (total.notion() != Notion::metric_dp) {
    return fmt::format("All of them together make the factor {}.", factor_text(epsilon));
  }
  const double near_m =
      telling_distance_m(release.notion() == Notion::metric_dp ? release.epsilon().to_double() : epsilon);
  return fmt::format("All of them together make the factor {} at {}.", factor_text(epsilon * near_m),
                     metres(near_m));
}

}  // namespace

std::string factor_text(double epsilon) {
  const double factor = std::exp(epsilon);
  if (!(factor < 1e6)) return fmt::format("10^{:.0f}", std::ceil(epsilon / std::numbers::ln10 - slack));
  if (factor >= 1000) return grouped(std::ceil(factor));
  return rounded_up(factor, factor < 1.1 ? 4 : factor < 10 ? 2 : factor < 100 ? 1 : 0);
}

std::string belief_text(double before, double epsilon) {
  // Written so that a huge epsilon gives 1 and not infinity over infinity.
  const double after = before / (before + (1 - before) * std::exp(-epsilon));
  return (after > 0.999 ? std::string("100") : rounded_up(100 * after, 1)) + " %";
}

PlainWords plain_words(const Guarantee& guarantee) {
  switch (guarantee.notion()) {
    case Notion::pure_dp:
      return pure_words(guarantee);
    case Notion::metric_dp:
      return metric_words(guarantee);
    case Notion::policy_dp:
      return policy_words(guarantee);
    case Notion::one_sided_dp:
      return one_sided_words(guarantee);
    case Notion::none:
      break;
  }
  return no_words(guarantee);
}

std::vector<std::string> total_words(const std::string& dataset, const DatasetBook& book,
                                     const Guarantee& release) {
  if (book.subject_cap)
    return {fmt::format(
        "Dataset '{}' is charged subject by subject, a person or device of a service: each has '{}', "
        "and in n such windows n times that.",
        dataset, to_string(*book.subject_cap))};
  std::uint64_t releases = 0;
  for (const Account& account : book.accounts) releases += account.releases;
  const bool is_alone = releases == 1 && book.releases_without_guarantee == 0;
  std::vector<std::string> sentences;
  if (is_alone && release.notion() != Notion::none) {
    sentences.push_back(fmt::format("This is the only release of dataset '{}' in this ledger.", dataset));
  } else {
    sentences.push_back(fmt::format("Dataset '{}' has spent {} in {} in all.", dataset, spent_text(book),
                                    counted(releases, "release")));
  }
  if (const auto total = book.together(); total && !is_alone && total->notion() != Notion::none) {
    sentences.push_back(together_text(*total, release));
  } else if (book.accounts.size() > 1) {
    sentences.emplace_back("They protect different things and do not add up to one promise.");
  }
  if (const auto count = book.releases_without_guarantee; count > 0) {
    sentences.push_back(fmt::format("{} more of it promise{} nothing, and so do all of them together.",
                                    counted(count, "release"), count == 1 ? "s" : ""));
  }
  if (const auto count = book.seeded_runs; count > 0) {
    sentences.push_back(
        fmt::format("{} with a fixed seed, not counted, promise{} nothing where {} output is known.",
                    counted(count, "run"), count == 1 ? "s" : "", count == 1 ? "its" : "their"));
  }
  return sentences;
}

}  // namespace fogline::privacy
