// SPDX-License-Identifier: Apache-2.0
// Any bytes as a key, secret or public: refused, or read and then written and read again without a change; and a secret key signs what its public one confirms.
#include "fuzz_file.hpp"
#include "privacy/signing_key.hpp"

namespace {

using namespace fogline;
using namespace fogline::privacy;

void check_public(const std::string& path) {
  const PublicKey key = read_public_key(path);
  const std::string written = to_json(key);
  const fuzz::InputFile again(reinterpret_cast<const std::uint8_t*>(written.data()), written.size(),
                              ".again.pub");
  fuzz::require_accepted([&] { fuzz::require(read_public_key(again.path()) == key); });
}

void check_secret(const std::string& path) {
  const SigningKey key = SigningKey::read(path, [] { return std::string("seven words"); });
  fuzz::require(is_signed(statement_purpose, "text", key.sign(statement_purpose, "text").by));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // To unlock a key takes a second, on purpose.
  const bool is_locked =
      std::string_view(reinterpret_cast<const char*>(data), size).find("encrypted") != std::string_view::npos;
  const fogline::io::testing_limits::Input json{.form = fogline::fuzz::Form::tree, .unpacks = false};
  fogline::fuzz::run_file(data, size, ".pub", json, check_public);
  return is_locked ? 0 : fogline::fuzz::run_file(data, size, ".key", json, check_secret);
}
