// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "privacy/signing_key.hpp"
#include "privacy/strict_json.hpp"

namespace fogline::privacy {

// How signatures and keys are written, in statements and in files of keys. Reading throws DataError, naming the field.

inline constexpr std::size_t longest_key_name = 100;  ///< in bytes
inline constexpr std::size_t ledger_id_bytes = 16;

bool is_hex(std::string_view text, std::size_t bytes);  ///< that many bytes, two lower-case digits each
std::string read_hex(StrictObject& object, const std::string& name, std::size_t bytes);

nlohmann::ordered_json json_of(const KeySignature& by);
nlohmann::ordered_json json_of(const std::vector<KeySignature>& endorsements);
KeySignature read_key_signature(StrictObject& object);
std::vector<KeySignature> read_endorsements(StrictObject& object);  ///< none if there is no such field

std::string read_key_file(const std::string& path);  ///< at most 64 KiB

}  // namespace fogline::privacy
