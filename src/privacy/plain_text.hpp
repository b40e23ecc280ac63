// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace fogline::privacy {

/// True for well-formed UTF-8 without control or invisible characters: text that a terminal, a JSON file and a hash all
/// read alike. The empty text is plain.
bool is_plain_text(std::string_view text);

/// Throws InvalidOption, naming `option`, unless `text` is plain, has 1 to `max_bytes` bytes and no blank at
/// either end.
///
///     require_plain_text("dataset", request.dataset, 200);
void require_plain_text(std::string_view option, std::string_view text, std::size_t max_bytes);

/// The same for a file name without its folder: no slash, not "." and not "..". Statements and ledgers name
/// files so that they say nothing about the machine they were made on.
void require_file_name(std::string_view option, std::string_view name);

}  // namespace fogline::privacy
