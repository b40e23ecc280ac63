// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Elementary functions whose every bit is the same on every processor.
///
/// A system's mathematical library picks its code by processor: with a fused multiply-add where there is one, without elsewhere, and the last bit
/// of one result in some hundreds differs. A table's integers are rounded from such numbers, so the same seed gave other bytes elsewhere.
/// These here are additions, multiplications, divisions and roots, each rounded as IEEE 754 says, in a fixed order.
///
/// base/libm_symbols.cc puts them in the place of std::exp and its like, for the program as a whole and the libraries it calls. They err by less than
/// 1 unit in the last place (exp and log: 0.52), do not set errno, and take the limits, signs and NaNs of the C standard. Where numbers have more digits than
/// `double` (x86-64) most are computed with them.
///
///     fogline::portable::exp(-0.5);    // what std::exp(-0.5) calls in the program
///
/// Cost: exp and log about 5 to 10 ns, the others 50 to 100 ns.
namespace fogline::portable {

double exp(double x) noexcept;
double log(double x) noexcept;

double exp2(double x) noexcept;
double expm1(double x) noexcept;
double log2(double x) noexcept;
double log10(double x) noexcept;
double log1p(double x) noexcept;
double pow(double base, double exponent) noexcept;

double sin(double x) noexcept;
double cos(double x) noexcept;
double tan(double x) noexcept;
double asin(double x) noexcept;
double acos(double x) noexcept;
double atan(double x) noexcept;
double atan2(double y, double x) noexcept;

double sinh(double x) noexcept;
double cosh(double x) noexcept;
double tanh(double x) noexcept;

}  // namespace fogline::portable
