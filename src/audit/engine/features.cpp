// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/features.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace fogline::audit {
namespace {

constexpr double not_there = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_width = 4'096;       // numbers beyond are seen in sums and symbols only
constexpr std::size_t most_numbers = 24;        // looked at one by one
constexpr std::size_t most_paired_numbers = 8;  // compared each with each; others with the next

double at(const Sample& sample, std::size_t i) {
  return i < sample.numbers.size() ? sample.numbers[i] : not_there;
}

/// How differently a number is distributed: the largest difference of the two distribution functions, what is not a number coming last.
double difference(std::span<const Sample> first, std::span<const Sample> second, std::size_t place) {
  std::vector<std::pair<double, int>> values;
  const auto add = [&](std::span<const Sample> samples, int side) {
    for (const Sample& sample : samples) {
      const double value = at(sample, place);
      values.emplace_back(std::isnan(value) ? std::numeric_limits<double>::infinity() : value, side);
    }
  };
  add(first, 0);
  add(second, 1);
  std::sort(values.begin(), values.end());
  const double shares[] = {1 / static_cast<double>(first.size()), 1 / static_cast<double>(second.size())};
  double apart = 0, largest = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    apart += values[i].second == 0 ? shares[0] : -shares[1];
    if (i + 1 == values.size() || values[i].first != values[i + 1].first)
      largest = std::max(largest, std::abs(apart));
  }
  return largest;
}

/// All places of short outputs; of long ones those that differ most between the inputs.
std::vector<std::size_t> places(std::span<const Sample> first, std::span<const Sample> second,
                                std::size_t width) {
  std::vector<std::size_t> result(width);
  std::iota(result.begin(), result.end(), std::size_t{0});
  if (width <= most_numbers) return result;
  std::vector<double> differences(width);
  for (std::size_t i = 0; i < width; ++i) differences[i] = difference(first, second, i);
  std::stable_sort(result.begin(), result.end(),
                   [&](std::size_t a, std::size_t b) { return differences[a] > differences[b]; });
  result.resize(most_numbers);
  return result;
}

void add_each(std::vector<Feature>& features, const std::vector<std::size_t>& looked_at) {
  for (const std::size_t i : looked_at) {
    features.push_back({fmt::format("number {}", i + 1), [i](const Sample& s) { return at(s, i); }});
    features.push_back({fmt::format("the lowest set bit of number {}", i + 1),
                        [i](const Sample& s) { return lowest_bit(at(s, i)); }});
  }
}

void add_difference(std::vector<Feature>& features, std::size_t i, std::size_t j) {
  features.push_back({fmt::format("number {} minus number {}", i + 1, j + 1),
                      [i, j](const Sample& s) { return at(s, i) - at(s, j); }});
}

void add_differences(std::vector<Feature>& features, const std::vector<std::size_t>& looked_at) {
  const std::size_t paired = std::min(looked_at.size(), most_paired_numbers);
  for (std::size_t a = 0; a < paired; ++a)
    for (std::size_t b = a + 1; b < paired; ++b) add_difference(features, looked_at[a], looked_at[b]);
  for (std::size_t a = paired; a < looked_at.size(); ++a)
    add_difference(features, looked_at[a - 1], looked_at[a]);
}

double ascents(const Numbers& numbers) {
  double count = 0;
  for (std::size_t i = 1; i < numbers.size(); ++i) count += numbers[i - 1] <= numbers[i] ? 1 : 0;
  return count;
}

/// NaN is a value here as well: all of them count as one.
double distinct(Numbers numbers) {
  const auto not_numbers =
      std::stable_partition(numbers.begin(), numbers.end(), [](double x) { return !std::isnan(x); });
  std::sort(numbers.begin(), not_numbers);
  const auto different = std::unique(numbers.begin(), not_numbers) - numbers.begin();
  return static_cast<double>(different + (not_numbers != numbers.end() ? 1 : 0));
}

template <class Pick>
double value_of(const Numbers& numbers, Pick pick) {
  return numbers.empty() ? not_there : *pick(numbers.begin(), numbers.end());
}

template <class Pick>
double place_of(const Numbers& numbers, Pick pick) {
  return numbers.empty() ? not_there
                         : static_cast<double>(pick(numbers.begin(), numbers.end()) - numbers.begin() + 1);
}

double sum(const Numbers& numbers) {
  double total = 0;
  for (const double x : numbers) total += x;
  return total;
}

void add_of_all(std::vector<Feature>& features) {
  const auto least = [](auto begin, auto end) { return std::min_element(begin, end); };
  const auto most = [](auto begin, auto end) { return std::max_element(begin, end); };
  features.push_back({"the sum", [](const Sample& s) { return sum(s.numbers); }});
  features.push_back({"the smallest number", [=](const Sample& s) { return value_of(s.numbers, least); }});
  features.push_back({"the largest number", [=](const Sample& s) { return value_of(s.numbers, most); }});
  features.push_back(
      {"the place of the smallest number", [=](const Sample& s) { return place_of(s.numbers, least); }});
  features.push_back(
      {"the place of the largest number", [=](const Sample& s) { return place_of(s.numbers, most); }});
  features.push_back(
      {"the number of different numbers", [](const Sample& s) { return distinct(s.numbers); }});
  features.push_back({"the number of ascents", [](const Sample& s) { return ascents(s.numbers); }});
}

/// 52 bits of a hash of a refusal's message.
double message_symbol(const Sample& sample) {
  return sample.refused ? static_cast<double>(std::hash<std::string>{}(sample.message) >> 12) : 0;
}

/// 52 bits of a hash of the whole output, so that a double holds them.
double symbol(const Sample& sample) {
  std::uint64_t hash = sample.refused ? 2 : 1;
  for (const double number : sample.numbers) {
    hash = (hash ^ std::bit_cast<std::uint64_t>(number)) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  }
  return static_cast<double>(hash >> 12);
}

}  // namespace

double lowest_bit(double value) {
  if (std::isnan(value)) return value;
  if (value == 0) return std::signbit(value) ? 10'001 : 10'000;
  if (std::isinf(value)) return 10'002;
  int exponent = 0;
  const double mantissa = std::frexp(std::abs(value), &exponent);
  const auto bits = static_cast<std::uint64_t>(std::ldexp(mantissa, 53));
  return exponent - 53 + std::countr_zero(bits);
}

std::vector<Feature> features_of(std::span<const Sample> first, std::span<const Sample> second,
                                 std::span<const Hint> hints) {
  std::size_t width = 0, shortest = std::numeric_limits<std::size_t>::max();
  bool refusals = false;
  for (const auto& samples : {first, second}) {
    for (const Sample& sample : samples) {
      width = std::max(width, sample.numbers.size());
      shortest = std::min(shortest, sample.numbers.size());
      refusals = refusals || sample.refused;
    }
  }
  std::vector<Feature> features;
  if (shortest != width) {
    features.push_back({"how many numbers there are",
                        [](const Sample& s) { return static_cast<double>(s.numbers.size()); }});
  }
  if (refusals) {
    features.push_back({"refusing to answer", [](const Sample& s) { return s.refused ? 1.0 : 0.0; }});
    features.push_back({"the words of a refusal", message_symbol, false});
  }
  const auto looked_at = places(first, second, std::min(width, most_width));
  add_each(features, looked_at);
  add_differences(features, looked_at);
  if (width > 1) add_of_all(features);
  features.push_back({"the whole output", symbol, false});
  for (const Hint& hint : hints)
    features.push_back(
        {hint.words, [hint](const Sample& s) { return s.refused ? not_there : hint.value(s.numbers); }});
  return features;
}

}  // namespace fogline::audit
