// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "stream/tracker.hpp"

namespace fogline::stream {

/// The public state of a stream between two steps, as a file: what everybody believes after the answers so far. A later release goes on from it.
///
///     out.write(to_json(tracker.save(), model_sha256));
///     tracker.restore(read_saved("walker.state.json", model_sha256));
std::string to_json(const Tracker::Saved& saved, std::string_view model_sha256);

/// Throws DataError: not such a file, of another model, states or probabilities that cannot be.
Tracker::Saved read_saved(const std::string& file, std::string_view model_sha256);
Tracker::Saved parse_saved(std::string_view text, const std::string& name, std::string_view model_sha256);

}  // namespace fogline::stream
