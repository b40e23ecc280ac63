// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "privacy/subjects.hpp"
#include "release/field_table.hpp"
#include "release/serving.hpp"

namespace fogline::service {

/// The body of a request for places: a subject, and one position or a list of them.
///
///     {"subject": "anna", "lon": -30.01, "lat": 45.0}
///     {"subject": "anna", "positions": [{"lon": -30.01, "lat": 45.0}, {"lon": -30.02, "lat": 45.0}]}
///
/// Throws DataError for what is no such object, InvalidOption, naming the field, for values out of their range. Never tells a value.
release::Serving::Question question_from(const std::string& body);

/// The body of a question what positions would cost: {"positions": 3}, or {} for one. Throws as question_from() does.
std::uint64_t positions_planned(const std::string& body);

/// The most positions of one request.
inline constexpr std::size_t most_positions = 1'000;

/// How the request is known when it is sent again: by hashes that only who has the token can compute, for the body holds a position. None if there is no key. Throws
/// InvalidOption for a key that is none: 1 to 255 printable characters.
std::optional<privacy::RequestMark> mark_of(const std::string& key, const std::string& token,
                                            const std::string& body);

/// "12-3". None for what is no id.
std::optional<privacy::SubjectPlace> place_from(std::string_view id);
std::string id_of(const privacy::SubjectPlace& place);

/// With percent signs decoded. None for what is not well encoded.
std::optional<std::string> decoded(std::string_view text);

/// "2026-11-19T21:00:00Z"
std::string utc(std::int64_t unix_s);

inline constexpr double most_east = 180, most_north = 90;  ///< degrees, either way

/// What `question_from` takes of one position, for openapi().
void declare_position(release::FieldTable& table, std::string& subject, double& lon, double& lat);

}  // namespace fogline::service
