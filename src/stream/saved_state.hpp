// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "stream/tracker.hpp"

namespace fogline::stream {

/// The public state of a stream between two steps, as a file: what everybody believes after the answers so far. A later release goes on from it.
///
///     out.write(to_json({tracker.save(), false}, model_sha256));
///     tracker.restore(read_saved("walker.state.json", model_sha256).state);
struct SavedStream {
  Tracker::Saved state = {};
  bool seeded =
      false;  ///< the answers came from a fixed seed, so that what it says is not fit to be published
};
std::string to_json(const SavedStream& saved, std::string_view model_sha256);

/// Throws DataError: not such a file, of another model, states or probabilities that cannot be.
SavedStream read_saved(const std::string& file, std::string_view model_sha256);
SavedStream parse_saved(std::string_view text, const std::string& name, std::string_view model_sha256);

}  // namespace fogline::stream
