// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/statements/recompute.hpp"
#include "mobility/sequences.hpp"
#include "privacy/books.hpp"
#include "privacy/statement.hpp"
#include "privacy/statement_check.hpp"
#include "report/document.hpp"

namespace fogline::report {

/// A release as a report looks at it: its statement, where its files lie, what was found out about it. Public, but for `original`.
struct ReleaseView {
  privacy::Statement statement;
  std::string id;                                 ///< of its page
  audit::RecomputeOptions files = {};             ///< where the files lie that the statement names
  std::vector<privacy::Check> checks = {};        ///< of the statement, as `verify` makes them
  std::optional<privacy::DatasetBook> book = {};  ///< of its dataset, if the ledger is at hand
  std::string original = {};                      ///< the private file, for the curator alone; empty: none
  mobility::SequenceOptions reading = {};         ///< its columns and times
  std::string roads = {};  ///< a public network to lie below maps that have none of their own; empty: none
  bool attack = true;      ///< run the attacks that need public things alone

  /// Is there a promise to rely on: one that was recomputed, with no check failed?
  bool holds() const;
  /// Did this check pass?
  bool passed(const std::string& check) const;

  /// Where the released file lies, if it is the one the statement names; throws audit::NotAtHand otherwise.
  std::string released_file() const;
};

/// What a report knows of a kind: what it protects, what it publishes, for somebody who has never heard of kinds, and its sections in order.
struct KindPages {
  std::string_view protects;
  std::string_view publishes;
  std::vector<Section> (*sections)(const ReleaseView&, Document&) = nullptr;
};

/// The page of a release, whatever its kind: what is promised, budget and checks, and the pictures of its kind. What is not at hand is
/// missing, and the page says what and how to get it. Adds the arrays it needs to the document.
///
///     document.pages.push_back(release_page(view, pages, document));          // `pages`: of its kind, release/kinds.hpp; null: not known here
///
/// Private things are looked at only if `view.original` names them; they go into sections that are marked. Throws DataError or InvalidOption if the original is not of
/// this release, and Cancelled. Whatever else is wrong with the release itself, the page says instead of pictures.
Page release_page(const ReleaseView& view, const KindPages* kind, Document& document);

/// What every release's page begins and ends with.
std::vector<Section> promise_sections(const ReleaseView& view);
std::vector<Section> record_sections(const ReleaseView& view);

/// A sentence with the names of files in place of where they lie: folders are nobody else's business. The marks about names of fields are taken
/// off: they are for front ends, which spell them their own way, and a page has none.
std::string for_page(const ReleaseView& view, std::string sentence);

/// A section that says why something is not shown: because a file is not at hand; or because it would be too much.
Section missing_section(const std::string& title, const std::string& why);
Section left_out_section(const std::string& title, const std::string& why);

// The sections of one kind, in order.
std::vector<Section> place_sections(const ReleaseView& view, Document& document);
std::vector<Section> stream_sections(const ReleaseView& view, Document& document);
std::vector<Section> path_sections(const ReleaseView& view, Document& document);
std::vector<Section> weights_sections(const ReleaseView& view, Document& document);
std::vector<Section> traces_sections(const ReleaseView& view, Document& document);

}  // namespace fogline::report
