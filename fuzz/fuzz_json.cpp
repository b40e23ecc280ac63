// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "fuzz_reader.hpp"
#include "io/json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.json", [](io::TextSource& source) {
    const auto value = io::parse_json(source.read_all(), source.name());
    fuzz::require_accepted([&] { fuzz::require(io::parse_json(value.dump(), "again.json") == value); });
    io::get_double(value, "epsilon", {source.name()});
  });
}
