// SPDX-License-Identifier: Apache-2.0
#include "fuzz_reader.hpp"
#include "mobility/model_file.hpp"
#include "stream/policy/policy_text.hpp"
#include "stream/released_file.hpp"
#include "stream/saved_state.hpp"

/// The first byte chooses which public file beside a model is read: categories, pairs, partners, a released file or a saved state.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  if (size == 0) return 0;
  auto walk = io::TextSource::from_memory("walk.csv", "from,to,probability\na,b,1\nb,a,1\n");
  const mobility::StateModel model = mobility::read_model_csv(walk);
  return fuzz::run(data + 1, size - 1, "fuzz.csv", data[0] == 's' ? fuzz::Form::tree : fuzz::Form::table,
                   [&](io::TextSource& source) {
                     switch (data[0]) {
                       case 'c':
                         fuzz::require(stream::read_categories(source, model.space).states() == 2);
                         break;
                       case 'p':
                         fuzz::require(stream::read_pairs(source, model.space).states() == 2);
                         break;
                       case 'r':
                         fuzz::require(stream::read_partners(source, model.space).size() == 2);
                         break;
                       case 's':
                         stream::parse_saved(source.read_all(), "fuzz.json", "0");
                         break;
                       default:
                         for (const auto& row : stream::ReleasedFormat(model.space).read(source))
                           fuzz::require(!row.draw.empty());
                     }
                   });
}
