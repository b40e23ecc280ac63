// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "path/public_path.hpp"

namespace fogline::path {

/// The file of a published route: JSON, with one bit for each pair of stops.
///
///     {"format": "fogline path", "version": 1, "form": "one-sided", "epsilon_edges": "1",
///      "vertices": ["a", "b", "c"], "stops": "121", "every_vertex": false, "starts": "low",
///      "candidates": "Bg=="}
///
/// `stops` has a digit for each vertex. `candidates` holds the pairs (0,1), (0,2), ..., (1,2), ... of stops, eight to a byte, the first in the
/// highest bit, the last byte filled with zeros, as base64. `starts` ("low", "high") and `ends` ([from, to]) may be missing. The published
/// form has `layers` (pieces as [stop, layer], edges as [piece, piece]) in place of `candidates`, which follow from them.
/// Layers of the sound forms are not stored: they are a function of the rest (path/layers.hpp).
///
///     std::string text = to_json(shown);
///     assert(parse_public_path(text, "public.json") == shown);
///
/// The text has one spelling for each PublicPath. Limits: 10,000 vertices, 8 stops each, 20,000 stops; names of 1 to 200 bytes of UTF-8, without control characters, in the
/// order of name_before.
std::string to_json(const PublicPath& shown);

/// Throws InvalidOption if a publication with these vertices and up to so many stops each could not be written: before anything is charged.
void require_publishable(const std::vector<std::string>& names, std::uint32_t most_stops_of_vertex);

/// Reads what to_json writes, strictly. Throws DataError naming the field: missing, unknown, twice, of the wrong type or size, names out of order,
/// bits beyond the last pair, layers whose pieces or edges do not exist. Cost: O(bytes).
PublicPath parse_public_path(std::string_view text, const std::string& name);

/// The same from a file, which may be gzipped; "-" is standard input.
PublicPath read_public_path(const std::string& file);

/// The pairs that the layers leave: stops of which no pieces are joined.
graph::BitGraph candidates_of(const PublishedLayers& layers, std::size_t stops);

/// As base64 in the order above; what the size of a publication is measured against.
std::string packed_pairs(const graph::BitGraph& pairs);

}  // namespace fogline::path
