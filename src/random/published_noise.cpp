// SPDX-License-Identifier: Apache-2.0
#include "random/published_noise.hpp"

#include <cmath>

namespace fogline::random::published {

double on_grid(double value) {
  return std::nearbyint(value / noise_grid) * noise_grid;
}

double uniform(Stream& stream) {
  // The middle of one of 2^52 cells: neither 0, whose logarithm is infinite, nor 1.
  return (static_cast<double>(stream.next64() >> 12) + 0.5) * 0x1p-52;
}

double exponential(Stream& stream) {
  return -std::log(uniform(stream));
}

double laplace(double scale, Stream& stream) {
  const double size = scale * exponential(stream);
  return stream.next_bit() ? size : -size;
}

double gamma(int shape, double scale, Stream& stream) {
  double sum = 0;
  for (int i = 0; i < shape; ++i) sum += exponential(stream);
  return scale * sum;
}

}  // namespace fogline::random::published
