// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "audit/specimens/specimen.hpp"
#include "base/error.hpp"
#include "random/noise.hpp"

namespace fogline::audit {
namespace {

using random::DiscreteLaplace;
using random::NoisyCounts;
using random::Stream;

using Data = std::vector<double>;  // one number per person, or per edge
using Mechanism = std::function<Numbers(const Data&, Stream&)>;

const Rational one(1), half(1, 2);

/// Both faces of a mechanism on numbers, on two neighbouring data sets, at a claimed epsilon of 1.
Specimen make(std::string name, std::string words, bool broken, const Mechanism& mechanism,
              const std::string& neighbours, const Data& first, const Data& second) {
  const auto numbers = [mechanism](const Data& data) {
    return [mechanism, data](Stream& noise) { return mechanism(data, noise); };
  };
  const auto text = [mechanism](const Data& data) {
    return [mechanism, data](const random::Key& key) {
      Stream noise = key.stream("specimen");
      return exact_text(mechanism(data, noise));
    };
  };
  return {
      .name = std::move(name),
      .words = std::move(words),
      .broken = broken,
      .pairs = {{.words = neighbours, .first = numbers(first), .second = numbers(second), .claimed_loss = 1}},
      .replay_case =
          ReplayCase{.words = neighbours, .first = text(first), .second = text(second), .claimed_loss = 1}};
}

double noisy(double value, const Rational& epsilon, std::uint64_t sensitivity, Stream& noise) {
  const NoisyCounts counts({.name = "numbers", .epsilon = epsilon, .sensitivity = sensitivity});
  return static_cast<double>(counts.answer(static_cast<std::int64_t>(value), noise));
}

double sum_of_all(const Data& data) {
  return std::accumulate(data.begin(), data.end(), 0.0);
}

void add_noise_scale(std::vector<Specimen>& all) {
  const auto with = [](const Rational& epsilon) {
    return [epsilon](const Data& data, Stream& noise) {
      return Numbers{noisy(sum_of_all(data), epsilon, 10, noise)};
    };
  };
  const std::string pair = "one person's number changed by 10";
  all.push_back(make("noise scale", "half the noise that the claim needs", true, with(Rational(2)), pair,
                     {0, 5}, {10, 5}));
  all.push_back(
      make("noise scale", "the noise that the claim needs", false, with(one), pair, {0, 5}, {10, 5}));
}

void add_sensitivity(std::vector<Specimen>& all) {
  const auto with = [](bool from_data) {
    return [from_data](const Data& data, Stream& noise) {
      const double largest = from_data ? *std::max_element(data.begin(), data.end()) : 50;
      return Numbers{noisy(sum_of_all(data), one, static_cast<std::uint64_t>(largest), noise)};
    };
  };
  const std::string pair = "one person's number changed from 1 to 50";
  all.push_back(make("sensitivity from data", "the largest number seen decides the noise", true, with(true),
                     pair, {1, 1, 1}, {1, 1, 50}));
  all.push_back(make("sensitivity from data", "the public bound decides the noise", false, with(false), pair,
                     {1, 1, 1}, {1, 1, 50}));
}

void add_range(std::vector<Specimen>& all) {
  const auto with = [](bool from_data) {
    return [from_data](const Data& data, Stream& noise) {
      const double low = from_data ? *std::min_element(data.begin(), data.end()) : 0;
      const double high = from_data ? *std::max_element(data.begin(), data.end()) : 10;
      Numbers answers;
      for (const double value : data) answers.push_back(std::clamp(noisy(value, one, 10, noise), low, high));
      return answers;
    };
  };
  const std::string pair = "one edge's weight changed from 10 to 9";
  all.push_back(make("range from data", "answers are clamped to the smallest and largest private number",
                     true, with(true), pair, {1, 5, 10}, {1, 5, 9}));
  all.push_back(make("range from data", "answers are clamped to the public range", false, with(false), pair,
                     {1, 5, 10}, {1, 5, 9}));
}

void add_clipping(std::vector<Specimen>& all) {
  const auto with = [](bool before) {
    return [before](const Data& data, Stream& noise) {
      double total = 0;
      for (const double value : data) total += before ? std::min(value, 5.0) : value;
      return Numbers{std::min(noisy(total, one, 5, noise), 5.0 * static_cast<double>(data.size()))};
    };
  };
  const std::string pair = "a person with 40 trips instead of none";
  all.push_back(make("clipping after use", "contributions are added up first and clipped afterwards", true,
                     with(false), pair, {3, 4, 0, 2, 4, 5, 5, 5}, {3, 4, 40, 2, 4, 5, 5, 5}));
  all.push_back(make("clipping after use", "each contribution is clipped before it is added", false,
                     with(true), pair, {3, 4, 0, 2, 4, 5, 5, 5}, {3, 4, 40, 2, 4, 5, 5, 5}));
}

void add_order(std::vector<Specimen>& all) {
  const auto with = [](bool true_order) {
    return [true_order](const Data& data, Stream& noise) {
      Numbers answers;
      for (const double value : data) answers.push_back(noisy(value, half, 1, noise));
      const bool up = !true_order || data[0] <= data[1];
      if ((answers[0] <= answers[1]) != up) std::swap(answers[0], answers[1]);
      return answers;
    };
  };
  const std::string pair = "two weights exchanged";
  all.push_back(make("true order used", "noisy weights are put into the order of the true ones", true,
                     with(true), pair, {10, 11}, {11, 10}));
  all.push_back(make("true order used", "noisy weights are put into a public order", false, with(false), pair,
                     {10, 11}, {11, 10}));
}

void add_budget_split(std::vector<Specimen>& all) {
  const auto with = [](const Rational& each) {
    return [each](const Data& data, Stream& noise) {
      return Numbers{noisy(sum_of_all(data), each, 1, noise), noisy(2 * sum_of_all(data), each, 2, noise)};
    };
  };
  const std::string pair = "one person more";
  all.push_back(make("budget split", "two statistics, each with the whole epsilon", true, with(one), pair,
                     {1, 1, 0}, {1, 1, 1}));
  all.push_back(make("budget split", "two statistics, each with half of epsilon", false, with(half), pair,
                     {1, 1, 0}, {1, 1, 1}));
}

void add_not_a_number(std::vector<Specimen>& all) {
  const auto with = [](bool checked) {
    return [checked](const Data& data, Stream& noise) {
      double total = 0;
      for (const double value : data) {
        // std::clamp compares, and nothing compares with what is not a number: it comes through.
        total += checked && std::isnan(value) ? 0 : std::clamp(value, 0.0, 10.0);
      }
      const DiscreteLaplace laplace({1, 10});
      return Numbers{random::add_noise<double>(
          {.name = "speeds", .epsilon = 1, .sensitivity = 10}, total,
          [&](Stream& s) { return static_cast<double>(laplace(s)); }, noise)};
    };
  };
  const double bad = std::numeric_limits<double>::quiet_NaN();
  const std::string pair = "one person's speed is not a number";
  all.push_back(make("not a number", "clamping lets what is not a number through", true, with(false), pair,
                     {3, 4}, {3, bad}));
  all.push_back(
      make("not a number", "what is not a number counts as 0", false, with(true), pair, {3, 4}, {3, bad}));
}

void add_retry(std::vector<Specimen>& all) {
  const auto with = [](bool retries) {
    return [retries](const Data& data, Stream& noise) {
      double answer = noisy(sum_of_all(data), one, 1, noise);
      while (retries && std::abs(answer - sum_of_all(data)) > 1)
        answer = noisy(sum_of_all(data), one, 1, noise);
      return Numbers{std::max(answer, 0.0)};
    };
  };
  const std::string pair = "one person more";
  all.push_back(make("retry with fresh noise", "answers that miss the truth by more than 1 are drawn again",
                     true, with(true), pair, {20, 0}, {20, 1}));
  all.push_back(make("retry with fresh noise", "the first answer stays, whatever it is", false, with(false),
                     pair, {20, 0}, {20, 1}));
}

/// The textbook's Laplace noise: the inverse distribution function of a uniform double.
double textbook_laplace(Stream& noise) {
  const double u = std::ldexp(static_cast<double>(noise.next64() >> 11) + 0.5, -53) - 0.5;
  return -std::copysign(std::log1p(-2 * std::abs(u)), u);
}

void add_floating_point(std::vector<Specimen>& all) {
  const std::string pair = "one person more";
  const auto textbook = [](const Data& data, Stream& noise) {
    return Numbers{random::add_noise<double>({.name = "count", .epsilon = 1, .sensitivity = 1},
                                             sum_of_all(data), textbook_laplace, noise)};
  };
  const auto grid = [](const Data& data, Stream& noise) {
    return Numbers{noisy(sum_of_all(data), one, 1, noise)};
  };
  all.push_back(make("floating-point noise",
                     "textbook noise in double precision: its low bits tell the truth", true, textbook, pair,
                     {0}, {1}));
  // The arithmetic is the leak, so the noise that was declared looks right: only outputs show it.
  all.back().replay_case.reset();
  all.push_back(make("floating-point noise", "exact noise on the integers", false, grid, pair, {0}, {1}));
}

void add_shared_noise(std::vector<Specimen>& all) {
  const auto shared = [](const Data& data, Stream& noise) {
    const double drawn = noisy(data[0], half, 1, noise) - data[0];
    Numbers answers;
    for (const double value : data) answers.push_back(value + drawn);
    return answers;
  };
  const auto own = [](const Data& data, Stream& noise) {
    Numbers answers;
    for (const double value : data) answers.push_back(noisy(value, half, 1, noise));
    return answers;
  };
  const std::string pair = "one person counted in another cell";
  all.push_back(
      make("same noise twice", "all cells share one draw", true, shared, pair, {7, 3, 5}, {6, 4, 5}));
  all.push_back(
      make("same noise twice", "each cell has its own draw", false, own, pair, {7, 3, 5}, {6, 4, 5}));
}

/// The same stream opened for two questions: replay only, since outputs are numbers drawn from one stream elsewhere.
void add_stream_twice(std::vector<Specimen>& all) {
  const auto run = [](bool own, std::int64_t count) {
    return [own, count](const random::Key& key) {
      const NoisyCounts counts({.name = "counts", .epsilon = half, .sensitivity = 1});
      Stream first = key.stream("count", 0), second = key.stream("count", own ? 1 : 0);
      const std::int64_t secret = counts.answer(count, first), known = counts.answer(10, second);
      return fmt::format("{} {}", secret, known);
    };
  };
  for (const bool broken : {true, false}) {
    all.push_back({.origin = Origin::planted,
                   .name = "same stream twice",
                   .words = broken ? "a known and a private number get noise from one stream, opened twice"
                                   : "each number has a stream of its own",
                   .broken = broken,
                   .replay_case = ReplayCase{.words = "one person more",
                                             .first = run(!broken, 3),
                                             .second = run(!broken, 4),
                                             .claimed_loss = 1}});
  }
}

void add_count_of_records(std::vector<Specimen>& all) {
  const auto with = [](bool keeps) {
    return [keeps](const Data& data, Stream& noise) {
      const double count =
          keeps ? static_cast<double>(data.size()) : noisy(static_cast<double>(data.size()), one, 1, noise);
      return Numbers(static_cast<std::size_t>(std::clamp(count, 0.0, 30.0)), 1.0);
    };
  };
  const std::string pair = "one person left out";
  all.push_back(make("number of records", "one line for each person, however many there are", true,
                     with(true), pair, Data(10, 1), Data(9, 1)));
  all.push_back(make("number of records", "as many lines as a noisy count says", false, with(false), pair,
                     Data(10, 1), Data(9, 1)));
}

void add_refusal(std::vector<Specimen>& all) {
  const auto with = [](bool by_truth) {
    return [by_truth](const Data& data, Stream& noise) {
      if (by_truth && sum_of_all(data) < 10) throw InvalidOption("group", "is too small");
      const double answer = noisy(sum_of_all(data), one, 1, noise);
      return Numbers{answer < 10 ? 0 : answer};
    };
  };
  const std::string pair = "the tenth person left out";
  all.push_back(make("refusal by the truth", "groups of fewer than ten are refused", true, with(true), pair,
                     Data(10, 1), Data(9, 1)));
  all.push_back(make("refusal by the truth", "answers below ten are set to 0", false, with(false), pair,
                     Data(10, 1), Data(9, 1)));
}

void add_sparse_vector(std::vector<Specimen>& all) {
  // Which numbers lie above a threshold: both need noise, the threshold once and the numbers until the first one is above.
  const auto with = [](bool noisy_numbers) {
    return [noisy_numbers](const Data& data, Stream& noise) {
      const DiscreteLaplace threshold_noise({1, 2}), number_noise({1, 4});
      const double threshold = 10 + static_cast<double>(threshold_noise(noise));
      Numbers flags;
      for (const double value : data) {
        const double compared = noisy_numbers ? value + static_cast<double>(number_noise(noise)) : value;
        flags.push_back(compared >= threshold ? 1 : 0);
        if (noisy_numbers && flags.back() == 1) break;
      }
      flags.resize(data.size(), -1);
      return flags;
    };
  };
  const std::string pair = "one person counted elsewhere";
  for (const bool broken : {true, false}) {
    all.push_back(make("sparse vector",
                       broken ? "only the threshold is noisy, and it never stops"
                              : "threshold and numbers are noisy, and it stops at the first above",
                       broken, with(!broken), pair, {10, 11, 10, 11}, {11, 10, 11, 10}));
    // Comparisons are not answers that could be replayed.
    all.back().replay_case.reset();
  }
}

}  // namespace

std::vector<Specimen> number_specimens() {
  std::vector<Specimen> all;
  for (const auto add : {add_noise_scale, add_sensitivity, add_range, add_clipping, add_order,
                         add_budget_split, add_not_a_number, add_retry, add_floating_point, add_shared_noise,
                         add_stream_twice, add_count_of_records, add_refusal, add_sparse_vector}) {
    add(all);
  }
  return all;
}

}  // namespace fogline::audit
