// SPDX-License-Identifier: Apache-2.0
#include "base/portable_math.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace fogline::portable_math_test {
namespace {

using Function = double (*)(double) noexcept;
using Wanted = long double (*)(long double);

struct Case {
  const char* name;
  Function function;
  Wanted wanted;  // the system's, with more digits
  double from, to;
  double most;                 // units in the last place
  double (*in_place)(double);  // as the program calls it
};

#define FOGLINE_CASE(f, from, to, most)                                       \
  Case {                                                                      \
    #f, portable::f, [](long double x) { return std::f(x); }, from, to, most, \
        [](double x) { return std::f(x); }                                    \
  }

const Case cases[] = {
    FOGLINE_CASE(exp, -700, 700, 0.52), FOGLINE_CASE(exp, -2, 2, 0.52),
    FOGLINE_CASE(log, 0, 10, 0.52),     FOGLINE_CASE(log, 0.9, 1.1, 0.52),
    FOGLINE_CASE(log, 0, 1e300, 0.52),  FOGLINE_CASE(exp2, -1000, 1000, 0.51),
    FOGLINE_CASE(expm1, -1, 1, 0.51),   FOGLINE_CASE(expm1, -30, 700, 0.51),
    FOGLINE_CASE(log2, 0, 3, 0.51),     FOGLINE_CASE(log10, 0, 2e3, 0.51),
    FOGLINE_CASE(log1p, -1, 3, 0.51),   FOGLINE_CASE(sin, -10, 10, 0.51),
    FOGLINE_CASE(sin, -1e8, 1e8, 0.51), FOGLINE_CASE(cos, -10, 10, 0.51),
    FOGLINE_CASE(tan, -10, 10, 0.51),   FOGLINE_CASE(asin, -1, 1, 0.51),
    FOGLINE_CASE(acos, -1, 1, 0.51),    FOGLINE_CASE(atan, -5, 5, 0.51),
    FOGLINE_CASE(sinh, -30, 30, 0.51),  FOGLINE_CASE(cosh, -30, 30, 0.51),
    FOGLINE_CASE(tanh, -5, 5, 0.51),
};

/// Numbers spread over an interval, the same in every run.
double spread(std::uint64_t i, double from, double to) {
  return from + (to - from) * std::ldexp(static_cast<double>((i * 0x9e3779b97f4a7c15U) >> 11), -53);
}

double units_off(double got, long double wanted) {
  const double rounded = std::abs(static_cast<double>(wanted));
  const double unit = std::nextafter(rounded, std::numeric_limits<double>::infinity()) - rounded;
  return static_cast<double>(std::abs(got - wanted) / unit);
}

TEST(PortableMath, IsWithinAUnitOfTheSystemsLongerFunctions) {
  for (const Case& c : cases) {
    double worst = 0;
    for (std::uint64_t i = 1; i <= 50'000; ++i) {
      const double x = spread(i, c.from, c.to);
      worst = std::max(worst, units_off(c.function(x), c.wanted(x)));
    }
    EXPECT_LT(worst, c.most) << c.name << " from " << c.from << " to " << c.to;
  }
}

TEST(PortableMath, OfTwoNumbersToo) {
  double worst_power = 0, worst_angle = 0;
  for (std::uint64_t i = 1; i <= 50'000; ++i) {
    const double x = spread(i, 0, 100), y = spread(3 * i + 1, -9, 9);
    worst_power =
        std::max(worst_power, units_off(portable::pow(x, y), std::pow(static_cast<long double>(x), y)));
    worst_angle = std::max(
        worst_angle, units_off(portable::atan2(y, 4 - x), std::atan2(static_cast<long double>(y), 4 - x)));
  }
  EXPECT_LT(worst_power, 0.6);
  EXPECT_LT(worst_angle, 0.51);
}

// The same bits whatever the processor: recorded once. A sum over all bits of all results.
TEST(PortableMath, HasTheBitsOfTheRecord) {
  std::uint64_t sum = 0;
  for (const Case& c : cases) {
    for (std::uint64_t i = 1; i <= 20'000; ++i)
      sum = (sum ^ std::bit_cast<std::uint64_t>(c.function(spread(i, c.from, c.to)))) * 1099511628211U;
  }
  EXPECT_EQ(sum, 16183709347022551925U);
}

// What the program calls std::exp is this: otherwise the system's choice by processor would decide bytes.
TEST(PortableMath, StandsInThePlaceOfTheSystemsFunctions) {
  for (const Case& c : cases) {
    for (std::uint64_t i = 1; i <= 20'000; ++i) {
      volatile double x = spread(i, c.from, c.to);
      ASSERT_EQ(c.function(x), c.in_place(x)) << c.name;
    }
  }
  volatile double x = 3.7, y = -1.3;
  EXPECT_EQ(portable::pow(x, y), std::pow(x, y));
  EXPECT_EQ(portable::atan2(y, x), std::atan2(y, x));
  volatile float narrow = 0.7F;
  EXPECT_EQ(static_cast<float>(portable::cos(narrow)), std::cos(narrow));
}

TEST(PortableMath, IsExactWhereResultsAre) {
  EXPECT_EQ(portable::exp(0), 1);
  EXPECT_EQ(portable::log(1), 0);
  for (int k = -300; k <= 300; k += 7) {
    EXPECT_EQ(portable::exp2(k), std::ldexp(1.0, k));
    EXPECT_EQ(portable::log2(std::ldexp(1.0, k)), k);
    EXPECT_EQ(portable::pow(2, k), std::ldexp(1.0, k));
  }
  double power = 1;
  for (int k = 0; k <= 22; ++k, power *= 10) {
    EXPECT_EQ(portable::pow(10, k), power);
    EXPECT_EQ(portable::log10(power), k);
  }
  EXPECT_EQ(portable::pow(-2, 3), -8);
  EXPECT_EQ(portable::pow(3, 2), 9);
}

TEST(PortableMath, KeepsLimitsSignsAndNaN) {
  constexpr double inf = std::numeric_limits<double>::infinity(),
                   nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(portable::exp(-inf), 0);
  EXPECT_EQ(portable::exp(1000), inf);
  EXPECT_GT(portable::exp(-745), 0);
  EXPECT_EQ(portable::exp(-800), 0);
  EXPECT_EQ(portable::log(0), -inf);
  EXPECT_EQ(portable::log(inf), inf);
  EXPECT_TRUE(std::isnan(portable::log(-1)));
  EXPECT_EQ(portable::log1p(-1), -inf);
  EXPECT_EQ(portable::expm1(-inf), -1);
  EXPECT_EQ(portable::pow(nan, 0), 1);
  EXPECT_EQ(portable::pow(0, -1), inf);
  EXPECT_EQ(portable::pow(-0.0, -1), -inf);
  EXPECT_EQ(portable::pow(0.5, inf), 0);
  EXPECT_TRUE(std::isnan(portable::pow(-2, 0.5)));
  EXPECT_TRUE(std::signbit(portable::sin(-0.0)));
  EXPECT_TRUE(std::isnan(portable::cos(inf)));
  EXPECT_EQ(portable::atan2(-0.0, -1.0), -portable::atan2(0.0, -1.0));
  EXPECT_DOUBLE_EQ(portable::atan2(inf, -inf), 2.356194490192345);
  EXPECT_TRUE(std::isnan(portable::asin(2)));
  EXPECT_EQ(portable::sinh(-800), -inf);
  EXPECT_EQ(portable::cosh(-800), inf);
  EXPECT_EQ(portable::tanh(-30), -1);
  for (const Case& c : cases) EXPECT_TRUE(std::isnan(c.function(nan))) << c.name;
}

}  // namespace
}  // namespace fogline::portable_math_test
