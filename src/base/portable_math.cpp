// SPDX-License-Identifier: Apache-2.0
#include "base/portable_math.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

// Builtins stand for instructions, and for exact functions of the system's library (rounding to whole numbers, scaling by powers of 2).
namespace fogline::portable {
namespace {

using Long = long double;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// ln 2 and pi/2 in parts: a whole number times all but the last part is exact.
constexpr Long ln2_high = 0x1.62e42fefa38p-1L, ln2_low = 0x1.ef35793c7673007e5ed5e81e69p-45L;
constexpr Long half_pi_high = 0x1.921fb544p0L, half_pi_middle = 0x4.2d18469p-36L,
               half_pi_low = 0x8.98cc51701b839a252049c1114cf98ep-68L;
constexpr Long half_pi = 0x1.921fb54442d18469898cc51701b839a252p0L;
constexpr Long log2_of_e = 0x1.71547652b82fe1777d0ffda0d23a7d11d6p0L;
constexpr Long log10_of_e = 0.43429448190325182765112891891660508229L;
constexpr double root_half = 0x1.6a09e667f3bcdp-1;

constexpr int most_terms = 26;
constexpr std::array<Long, most_terms> inverse_factorials() {
  std::array<Long, most_terms> result{1};
  Long factorial = 1;
  for (int n = 1; n < most_terms; ++n) {
    factorial *= n;
    result[static_cast<std::size_t>(n)] = 1 / factorial;
  }
  return result;
}
constexpr std::array<Long, most_terms> per_factorial = inverse_factorials();

constexpr std::size_t most_odd = 15;
constexpr std::array<Long, most_odd + 1> inverse_odds() {
  std::array<Long, most_odd + 1> result{};
  for (std::size_t n = 0; n <= most_odd; ++n) result[n] = 1 / static_cast<Long>(2 * n + 1);
  return result;
}
constexpr std::array<Long, most_odd + 1> per_odd = inverse_odds();

/// sum of x^i / (first + i)! ... the Taylor series of exp from its term `first` on, without x^first, and up to its term `last`.
constexpr Long exp_series(Long x, int first, int last) {
  Long sum = per_factorial[static_cast<std::size_t>(last)];
  for (int n = last - 1; n >= first; --n) sum = sum * x + per_factorial[static_cast<std::size_t>(n)];
  return sum;
}

/// exp for |x| far below what a Long can hold.
Long exp_of(Long x) {
  const Long k = __builtin_rintl(x * log2_of_e);
  const Long rest = (x - k * ln2_high) - k * ln2_low;
  return __builtin_ldexpl(exp_series(rest, 0, 18), static_cast<int>(k));
}

Long expm1_of(Long x) {
  return __builtin_fabsl(x) < 0.5L ? x * exp_series(x, 1, 20) : exp_of(x) - 1;
}

/// 2 artanh(s) for |s| < 0.21: ln((1 + s) / (1 - s)).
constexpr Long log_series(Long s) {
  const Long z = s * s;
  Long sum = 0;
  for (std::size_t n = most_odd; n >= 1; --n) sum = sum * z + per_odd[n];
  return 2 * (s + s * z * sum);
}

struct Parts {
  Long exponent;
  Long logarithm;  // of the rest, which lies between the roots of 1/2 and 2
};
Parts log_parts(Long x) {
  int exponent = 0;
  Long rest = __builtin_frexpl(x, &exponent);
  if (rest < root_half) {
    rest *= 2;
    --exponent;
  }
  return {static_cast<Long>(exponent), log_series((rest - 1) / (rest + 1))};
}

/// ln x for x above 0 and finite.
Long log_of(Long x) {
  const Parts parts = log_parts(x);
  return parts.exponent * ln2_high + (parts.logarithm + parts.exponent * ln2_low);
}

/// What a logarithm has for 0, infinity, NaN and numbers below 0.
bool is_positive_and_finite(double x) {
  return x > 0 && x < infinity;
}
double log_at_the_edge(double x) {
  if (x == 0) return -infinity;
  return x < 0 ? not_a_number : x;
}

constexpr int exp_steps = 128;
struct ExpStep {
  double high, low;  // of 2^(i / exp_steps)
};
constexpr std::array<ExpStep, exp_steps> exp_table() {
  std::array<ExpStep, exp_steps> result{};
  for (int i = 0; i < exp_steps; ++i) {
    const Long value = exp_series(static_cast<Long>(i) / exp_steps * (ln2_high + ln2_low), 0, 22);
    const auto high = static_cast<double>(value);
    result[static_cast<std::size_t>(i)] = {high, static_cast<double>(value - high)};
  }
  return result;
}
constexpr std::array<ExpStep, exp_steps> exp_steps_table = exp_table();

double power_of_two(std::int64_t exponent) {
  return std::bit_cast<double>((exponent + 1023) << 52);
}

/// For log: steps of 1/128 from just below the least m to just above the greatest.
constexpr int log_steps = 128, first_log_step = 90, last_log_step = 181;
constexpr double greatest_log_rest = 0x1.6ap0;  // about the root of 2; its half still lies in the first step
struct LogStep {
  double
      inverse;  // near 1/m, of at most 9 bits; 1 on both sides of 1, where a logarithm has as many digits as m - 1
  double high, low;  // of -ln(inverse); a whole number times ln 2 plus `high` is exact
};
constexpr std::array<LogStep, last_log_step - first_log_step + 1> log_table() {
  std::array<LogStep, last_log_step - first_log_step + 1> result{};
  for (int i = first_log_step; i <= last_log_step; ++i) {
    const bool is_next_to_one = i == log_steps - 1 || i == log_steps;
    const double near = static_cast<int>(2 * log_steps / ((i + 0.5) / log_steps) + 0.5) / (2.0 * log_steps);
    const double inverse = is_next_to_one ? 1 : near;
    const Long logarithm = -log_series((Long{inverse} - 1) / (Long{inverse} + 1));
    const double high = static_cast<double>(static_cast<std::int64_t>(logarithm * 0x1p42L)) * 0x1p-42;
    result[static_cast<std::size_t>(i - first_log_step)] = {inverse, high,
                                                            static_cast<double>(logarithm - high)};
  }
  return result;
}
constexpr auto log_steps_table = log_table();

struct Scaled {
  double exponent, rest;
};
/// x as 2^exponent times a rest in the steps of log, for x above 0 and finite.
Scaled scaled_for_log(double x) {
  const bool is_tiny = x < std::numeric_limits<double>::min();
  const auto bits = std::bit_cast<std::uint64_t>(is_tiny ? x * 0x1p54 : x);
  double exponent = static_cast<double>(static_cast<std::int64_t>(bits >> 52) - 1023 - (is_tiny ? 54 : 0));
  double rest = std::bit_cast<double>((bits & 0x000fffffffffffffU) | 0x3ff0000000000000U);
  if (rest >= greatest_log_rest) {
    rest *= 0.5;
    exponent += 1;
  }
  return {exponent, rest};
}

struct Angle {
  int quarter;  // of turns, 0 to 3
  Long rest;    // at most pi/4 in size
};
constexpr double largest_angle = 1e9;
Angle reduced_angle(double x) {
  const Long n = __builtin_rintl(x / half_pi);
  return {static_cast<int>(static_cast<std::int64_t>(n) & 3),
          ((x - n * half_pi_high) - n * half_pi_middle) - n * half_pi_low};
}

/// The terms of one parity of the series of exp, with alternating signs: cos from 0, sin from 1.
Long turning_series(Long x, int first) {
  const Long z = -x * x;
  Long sum = 0;
  for (int n = 22 + first; n >= first; n -= 2) sum = sum * z + per_factorial[static_cast<std::size_t>(n)];
  return first == 0 ? sum : sum * x;
}

/// sin of x plus `quarters` of a turn. Angles beyond all use are left to the system's function of more digits, which has one form only.
Long sine(double x, int quarters) {
  if (!(__builtin_fabs(x) <= largest_angle)) return quarters == 0 ? __builtin_sinl(x) : __builtin_cosl(x);
  const Angle angle = reduced_angle(x);
  const int quarter = (angle.quarter + quarters) & 3;
  const Long value = turning_series(angle.rest, quarter % 2 == 0 ? 1 : 0);
  return quarter < 2 ? value : -value;
}

/// Twice half the angle, twice over: then a short series is enough.
Long atan_of(Long x) {
  const Long size = __builtin_fabsl(x);
  Long t = size > 1 ? 1 / size : size;
  t = t / (1 + __builtin_sqrtl(1 + t * t));
  t = t / (1 + __builtin_sqrtl(1 + t * t));
  const Long z = -t * t;
  Long sum = 0;
  for (std::size_t n = most_odd; n >= 1; --n) sum = sum * z + per_odd[n];
  const Long angle = 4 * (t + t * z * sum);
  return __builtin_copysignl(size > 1 ? half_pi - angle : angle, x);
}

Long atan2_of(Long y, Long x) {
  if (__builtin_isnan(x) || __builtin_isnan(y)) return not_a_number;
  Long up = __builtin_fabsl(y), along = __builtin_fabsl(x);
  if (__builtin_isinf(up) && __builtin_isinf(along)) up = along = 1;
  const Long angle = up == 0 ? 0 : atan_of(up / along);
  return __builtin_copysignl(__builtin_signbit(x) ? 2 * half_pi - angle : angle, y);
}

}  // namespace

double exp(double x) noexcept {
  constexpr double steps_per_unit = 0x1.71547652b82fep+7;  // exp_steps / ln 2
  constexpr double step_high = 0x1.62e42feep-8, step_low = 0x1.a39ef35793c76p-40;
  if (!(x < 709.8)) return x > 0 ? infinity : x;
  if (x < -745.2) return 0;
  constexpr double rounder = 0x1.8p52;  // added and taken off, it leaves a whole number
  const double k = (x * steps_per_unit + rounder) - rounder;
  const double r = (x - k * step_high) - k * step_low;
  const double more = r + r * r * (0.5 + r * (1.0 / 6 + r * (1.0 / 24 + r * (1.0 / 120))));
  const auto whole = static_cast<std::int64_t>(k);
  const ExpStep& step = exp_steps_table[static_cast<std::size_t>(whole & (exp_steps - 1))];
  const double value = step.high + (step.low + step.high * more);
  const std::int64_t exponent = whole >> 7;
  if (exponent > -1022 && exponent < 1024) return value * power_of_two(exponent);
  const std::int64_t half = exponent / 2;
  return value * power_of_two(half) * power_of_two(exponent - half);
}

/// x = 2^k m, and ln m = ln(m c) - ln c for a short number c near 1/m: the product m c is exact in two parts, what is rounded off
/// each sum is carried along, and ln(1 + r) for |r| < 1/100 is a short series.
double log(double x) noexcept {
  if (!is_positive_and_finite(x)) return log_at_the_edge(x);
  const Scaled scaled = scaled_for_log(x);
  const double m = scaled.rest;
  const LogStep& step =
      log_steps_table[static_cast<std::size_t>(static_cast<int>(m * log_steps) - first_log_step)];
  const double m_high = std::bit_cast<double>(std::bit_cast<std::uint64_t>(m) & 0xffffffff00000000U);
  const double r_high = m_high * step.inverse - 1, r_low = (m - m_high) * step.inverse;
  const double r = r_high + r_low, r_rest = r_low - (r - r_high);
  const double whole = scaled.exponent * static_cast<double>(ln2_high) + step.high;
  const double sum = whole + r, back = sum - whole, sum_rest = (whole - (sum - back)) + (r - back);
  const double tail =
      r * r *
      (0.5 - r * (1.0 / 3 - r * (1.0 / 4 - r * (1.0 / 5 - r * (1.0 / 6 - r * (1.0 / 7 - r * (1.0 / 8)))))));
  return sum + ((sum_rest + r_rest) + (step.low + scaled.exponent * static_cast<double>(ln2_low)) - tail);
}

double exp2(double x) noexcept {
  if (!(x < 1025)) return x > 0 ? infinity : x;
  if (x < -1080) return 0;
  const Long k = __builtin_rintl(x);
  const Long value = exp_series((x - k) * (ln2_high + ln2_low), 0, 18);
  return static_cast<double>(__builtin_ldexpl(value, static_cast<int>(k)));
}

double expm1(double x) noexcept {
  if (!(x < 709.8)) return x > 0 ? infinity : x;
  if (x == 0) return x;
  return x < -50 ? -1 : static_cast<double>(expm1_of(x));
}

double log2(double x) noexcept {
  if (!is_positive_and_finite(x)) return log_at_the_edge(x);
  const Parts parts = log_parts(x);
  return static_cast<double>(parts.exponent + parts.logarithm * log2_of_e);
}

double log10(double x) noexcept {
  return is_positive_and_finite(x) ? static_cast<double>(log_of(x) * log10_of_e) : log_at_the_edge(x);
}

double log1p(double x) noexcept {
  if (x == 0) return x;
  if (x > -0.25 && x < 0.25) return static_cast<double>(log_series(x / (2 + Long{x})));
  return x > -1 && x < infinity ? static_cast<double>(log_of(1 + Long{x})) : log_at_the_edge(1 + x);
}

double pow(double base, double exponent) noexcept {
  if (exponent == 0 || base == 1) return 1;
  if (__builtin_isnan(base) || __builtin_isnan(exponent)) return not_a_number;
  const double size = __builtin_fabs(base), whole = __builtin_rint(exponent);
  const bool is_odd = whole == exponent && __builtin_fabs(exponent) < 0x1p53 &&
                      (static_cast<std::int64_t>(exponent) & 1) != 0;
  if (__builtin_signbit(base) && size > 0 && size < infinity && whole != exponent) return not_a_number;
  const double sign = __builtin_signbit(base) && is_odd ? -1 : 1;
  if (size == 1) return sign;
  if (size == 0 || size == infinity) return (size == 0) == (exponent > 0) ? sign * 0 : sign * infinity;
  const Long wanted = exponent * log_of(size);
  if (wanted > 800) return sign * infinity;
  return wanted < -800 ? sign * 0 : sign * static_cast<double>(exp_of(wanted));
}

double sin(double x) noexcept {
  return x == 0 ? x : static_cast<double>(sine(x, 0));
}
double cos(double x) noexcept {
  return static_cast<double>(sine(x, 1));
}
double tan(double x) noexcept {
  return x == 0 ? x : static_cast<double>(sine(x, 0) / sine(x, 1));
}
double atan(double x) noexcept {
  return static_cast<double>(atan_of(x));
}
double atan2(double y, double x) noexcept {
  return static_cast<double>(atan2_of(y, x));
}
double asin(double x) noexcept {
  return x >= -1 && x <= 1 ? static_cast<double>(atan2_of(x, __builtin_sqrtl((1 - Long{x}) * (1 + Long{x}))))
                           : not_a_number;
}
double acos(double x) noexcept {
  return x >= -1 && x <= 1
             ? static_cast<double>(2 * atan2_of(__builtin_sqrtl(1 - Long{x}), __builtin_sqrtl(1 + Long{x})))
             : not_a_number;
}

double sinh(double x) noexcept {
  if (x == 0 || !(__builtin_fabs(x) < 711)) return x * (x == 0 ? 1 : infinity);
  const Long grown = expm1_of(__builtin_fabsl(x));
  return static_cast<double>(__builtin_copysignl((grown + grown / (grown + 1)) / 2, x));
}
double cosh(double x) noexcept {
  if (!(__builtin_fabs(x) < 711)) return __builtin_fabs(x) * infinity;
  const Long grown = exp_of(__builtin_fabsl(x));
  return static_cast<double>((grown + 1 / grown) / 2);
}
double tanh(double x) noexcept {
  if (x == 0) return x;
  if (!(__builtin_fabs(x) < 25)) return __builtin_isnan(x) ? x : __builtin_copysign(1.0, x);
  const Long grown = expm1_of(2 * __builtin_fabsl(x));
  return static_cast<double>(__builtin_copysignl(grown / (grown + 2), x));
}

}  // namespace fogline::portable
