// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// Inner loops marked with this run in the widest registers the processor has, chosen when the program starts. Sanitizers cannot follow
// that choice.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define FOGLINE_WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOGLINE_WIDEST
#endif

namespace fogline::kernel {

/// Eight numbers at a time; compilers turn it into whatever registers there are. May be read and written unaligned where it is not bound to a
/// reference: clang then forgets the declared alignment. Eigen's arrays begin at multiples of 64 in this project (cmake/FoglineDependencies.cmake).
using Eight = double __attribute__((vector_size(64), aligned(8)));

/// Of the widest registers there are (AVX-512); the unit in which inner loops go, on every processor alike, so that
/// sums have one order.
constexpr std::size_t widest_bytes = sizeof(Eight), widest_numbers = sizeof(Eight) / sizeof(double);

}  // namespace fogline::kernel
