// SPDX-License-Identifier: Apache-2.0
#include "stream/saved_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "io/input_file.hpp"
#include "io/json_columns.hpp"

namespace fogline::stream {
namespace {

constexpr std::string_view format_name = "fogline stream state";
constexpr std::string_view real_words = "operating system", seeded_words = "seeded, not private";
constexpr double largest_step = 9e15;

}  // namespace

std::string to_json(const SavedStream& saved, std::string_view model_sha256) {
  return fmt::format(
      "{{\"format\": \"{}\", \"format_version\": 1, \"model_sha256\": \"{}\", \"randomness\": \"{}\", "
      "\"step\": {},\n\"states\": "
      "[{}],\n"
      "\"probability\": [{}]}}\n",
      format_name, model_sha256, saved.seeded ? seeded_words : real_words, saved.state.step,
      fmt::join(saved.state.states, ","), fmt::join(saved.state.probability, ","));
}

SavedStream parse_saved(std::string_view text, const std::string& name, std::string_view model_sha256) {
  io::JsonColumns fields(text, name);
  if (fields.text("format") != format_name) fields.fail("format", "is not that of a saved stream");
  if (fields.whole_number("format_version", 1) != 1) fields.fail("format_version", "is not 1");
  if (fields.text("model_sha256") != model_sha256)
    fields.fail("model_sha256", "is that of another model",
                "go on with the model that the stream began with");
  const std::string randomness = fields.text("randomness");
  if (randomness != seeded_words && randomness != real_words)
    fields.fail("randomness", fmt::format("is neither \"{}\" nor \"{}\"", real_words, seeded_words));
  Tracker::Saved saved{.step = static_cast<std::uint64_t>(fields.whole_number("step", largest_step))};
  for (const double state : fields.take_numbers("states")) {
    if (!(state >= 0 && state < 4294967295.0) || state != static_cast<double>(static_cast<StateId>(state)))
      fields.fail("states", "holds something that is not the number of a state");
    saved.states.push_back(static_cast<StateId>(state));
  }
  saved.probability = fields.take_numbers("probability");
  fields.require_all_used();
  return {std::move(saved), randomness == seeded_words};
}

SavedStream read_saved(const std::string& file, std::string_view model_sha256) {
  io::TextSource source = io::TextSource::from_file(file);
  return parse_saved(source.read_all(), file, model_sha256);
}

}  // namespace fogline::stream
