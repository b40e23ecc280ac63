// SPDX-License-Identifier: Apache-2.0
// Any bytes as the revocation of a key: refused, or read.
#include "fuzz_file.hpp"
#include "privacy/trusted_keys.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fogline::fuzz::run_file(
      data, size, ".revoked", {.form = fogline::fuzz::Form::tree, .unpacks = false},
      [](const std::string& path) { fogline::privacy::TrustedKeys::read({path}); });
}
