// SPDX-License-Identifier: Apache-2.0
#include "io/unpacked_size.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::io {

void require_plausible_unpacking(const std::string& file, std::uint64_t packed, std::uint64_t unpacked) {
  if (unpacked <= unpacked_for_free || (unpacked - unpacked_for_free) / most_unpacked_per_byte <= packed)
    return;
  throw DataError({file}, fmt::format("unpacks to more than {} times its size", most_unpacked_per_byte),
                  "check that it is the right file; if it is, unpack it and name the unpacked one");
}

}  // namespace fogline::io
