// SPDX-License-Identifier: Apache-2.0
#include "fuzz_reader.hpp"
#include "mobility/model_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.csv", fuzz::Form::table, [](io::TextSource& source) {
    const mobility::StateModel model = mobility::read_model_csv(source);
    fuzz::require(model.chain.states() == model.space.states());
    fuzz::require_accepted([&] {
      auto again = io::TextSource::from_memory("again.json", mobility::to_json(model));
      mobility::read_model_json(again);
    });
  });
}
