// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/grouped.hpp"
#include "cli/option_set.hpp"
#include "cli/session.hpp"
#include "release/common_fields.hpp"

namespace fogline::cli {

/// --ledger and --dataset, with the ledger that is meant where none is named.
struct LedgerBlock : release::LedgerFields {
  std::string path() const;              ///< as given, or the default in the user's data folder
  std::string path_for_writing() const;  ///< the same; makes the default's folder
};

/// Fills in the ledger that is meant where none is named, and where the user's anchors are.
void fill_in(release::LedgerFields& ledger);

/// Where the anchors of the user's ledgers are. Throws InvalidOption if nobody can tell.
privacy::AnchorList anchor_list();

/// Says so if the clock is behind an entry that the ledger had before the one that was just written.
void warn_of_clock(Session& session, privacy::Ledger& ledger);

/// "fogline ledger add ...", as the user would type it for a release that was refused.
std::string command_to_declare(const release::LedgerFields& ledger, const privacy::BudgetError& refused);

/// JSON as it is printed: release/json_text.hpp, and the end of its line.
std::string to_text(const nlohmann::ordered_json& json);

/// "NAME  value" lines for people.
std::string fields(const std::vector<std::pair<std::string, std::string>>& rows);

}  // namespace fogline::cli
