// SPDX-License-Identifier: Apache-2.0
#include "fuzz_reader.hpp"
#include "mobility/model_file.hpp"

/// The first byte chooses which of the two tables beside a model is read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  if (size == 0) return 0;
  auto walk = io::TextSource::from_memory("walk.csv", "from,to,probability\na,b,1\nb,a,1\n");
  mobility::StateModel model = mobility::read_model_csv(walk);
  return fuzz::run(data + 1, size - 1, "fuzz.csv", fuzz::Form::table, [&](io::TextSource& source) {
    if (data[0] == 'i') {
      mobility::read_initial(source, model);
    } else {
      mobility::read_query(source, model);
      fuzz::require(model.space.values.size() == 2 * model.space.dimension());
    }
  });
}
