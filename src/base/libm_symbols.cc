// SPDX-License-Identifier: Apache-2.0
#include "base/portable_math.hpp"

// The names of the system's mathematical library for the functions of base/portable_math.hpp. A program that links this object calls them for
// std::exp and its like, in our code and in the libraries below it, PROJ among them: the linker takes a program's own definition first. The library
// itself leaves these names alone, so that nobody who links it gets other functions than he asked for.
// NOLINTBEGIN
extern "C" {

#define FOGLINE_ONE(name)                                                       \
  double name(double x) noexcept {                                              \
    return fogline::portable::name(x);                                          \
  }                                                                             \
  float name##f(float x) noexcept {                                             \
    return static_cast<float>(fogline::portable::name(static_cast<double>(x))); \
  }
#define FOGLINE_TWO(name)                                                                               \
  double name(double x, double y) noexcept {                                                            \
    return fogline::portable::name(x, y);                                                               \
  }                                                                                                     \
  float name##f(float x, float y) noexcept {                                                            \
    return static_cast<float>(fogline::portable::name(static_cast<double>(x), static_cast<double>(y))); \
  }

FOGLINE_ONE(exp)
FOGLINE_ONE(exp2)
FOGLINE_ONE(expm1)
FOGLINE_ONE(log)
FOGLINE_ONE(log2)
FOGLINE_ONE(log10)
FOGLINE_ONE(log1p)
FOGLINE_ONE(sin)
FOGLINE_ONE(cos)
FOGLINE_ONE(tan)
FOGLINE_ONE(asin)
FOGLINE_ONE(acos)
FOGLINE_ONE(atan)
FOGLINE_ONE(sinh)
FOGLINE_ONE(cosh)
FOGLINE_ONE(tanh)
FOGLINE_TWO(pow)
FOGLINE_TWO(atan2)

// What compilers make of a sine and a cosine of the same angle.
void sincos(double x, double* sine, double* cosine) noexcept {
  *sine = fogline::portable::sin(x);
  *cosine = fogline::portable::cos(x);
}
void sincosf(float x, float* sine, float* cosine) noexcept {
  *sine = sinf(x);
  *cosine = cosf(x);
}

}  // extern "C"
// NOLINTEND
