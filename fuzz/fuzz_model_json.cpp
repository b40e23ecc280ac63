// SPDX-License-Identifier: Apache-2.0
#include "fuzz_reader.hpp"
#include "mobility/model_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.json", fuzz::Form::tree, [](io::TextSource& source) {
    const mobility::StateModel model = mobility::read_model_json(source);
    fuzz::require(model.chain.states() == model.space.states());
    fuzz::require(model.space.values.size() == model.space.states() * model.space.dimension());
    fuzz::require_accepted([&] {
      auto again = io::TextSource::from_memory("again.json", mobility::to_json(model));
      const mobility::StateModel copy = mobility::read_model_json(again);
      fuzz::require(copy.chain.transition_count() == model.chain.transition_count());
      fuzz::require(copy.space.values == model.space.values);
    });
  });
}
