// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <nlohmann/json.hpp>

#include "fuzz_reader.hpp"
#include "io/json.hpp"

namespace {

std::size_t depth_of(const nlohmann::json& value) {
  std::size_t inner = 0;
  for (const auto& one : value) inner = std::max(inner, one.is_structured() ? depth_of(one) : 0);
  return value.is_structured() ? inner + 1 : 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.json", fuzz::Form::tree, [](io::TextSource& source) {
    const auto value = io::parse_json(source.read_all(), source.name());
    fuzz::require(depth_of(value) <= io::current_limits().depth);
    fuzz::require_accepted([&] { fuzz::require(io::parse_json(value.dump(), "again.json") == value); });
    io::get_double(value, "epsilon", {source.name()});
  });
}
