// SPDX-License-Identifier: Apache-2.0
#include "report/ticks.hpp"

#include <cmath>

namespace fogline::report {

std::vector<double> ticks(double low, double high, int count, bool log) {
  std::vector<double> result;
  const auto keep = [&](double value) {
    const double slack = 1e-9 * (high - low);
    if (value >= low - slack && value <= high + slack) result.push_back(value);
  };
  if (log) {
    const int first = static_cast<int>(std::floor(std::log10(low))),
              last = static_cast<int>(std::ceil(std::log10(high)));
    const std::vector<double> digits =
        last - first > 3 ? std::vector<double>{1} : std::vector<double>{1, 2, 5};
    for (int power = first; power <= last; ++power) {
      for (const double digit : digits) keep(digit * std::pow(10, power));
    }
    if (result.size() > 1) return result;
    result.clear();  // less than a factor of 5: even steps serve better
  }
  const double power = std::pow(10, std::floor(std::log10((high - low) / count)));
  double step = 10 * power;
  for (const double digit : {5, 2, 1}) {
    if ((high - low) / (digit * power) <= count) step = digit * power;
  }
  for (double number = std::ceil(low / step - 1e-9); number <= std::floor(high / step + 1e-9); ++number)
    keep(number == 0 ? 0 : number * step);
  return result;
}

}  // namespace fogline::report
