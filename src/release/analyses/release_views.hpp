// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "release/caller.hpp"
#include "release/column_fields.hpp"
#include "release/common_fields.hpp"
#include "report/release_view.hpp"

namespace fogline::release {

/// Which releases are looked at, and what is at hand for it.
struct ReleasesAtHand {
  std::vector<std::string> releases;                  ///< released files, or their statements
  std::map<std::string, std::string> files = {};      ///< where a public file is that lies elsewhere
  std::map<std::string, std::string> originals = {};  ///< private files, by the release as given or its name
  LedgerFields ledger = {};
  std::vector<std::string> trust = {};  ///< public keys, or folders of them
  std::string roads = {};               ///< public, to lie below maps
  bool attack = true;
  ColumnFields columns = {};  ///< of the originals
};

/// Each release as a report looks at it: its statement is verified against files, ledger and keys and recomputed, as `verify` does, and the book of its dataset opened.
///
///     for (const report::ReleaseView& view : look_at({.releases = {"safe.csv"}}, caller)) ...
///
/// Throws InvalidOption for names that no statement speaks of, FileError and DataError for what is no release.
std::vector<report::ReleaseView> look_at(const ReleasesAtHand& at_hand, Caller& caller);

}  // namespace fogline::release
