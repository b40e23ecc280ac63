// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "privacy/parameters.hpp"
#include "privacy/statement.hpp"
#include "report/release_view.hpp"

namespace fogline::report {

/// What a statement cannot know of a release, and whoever publishes it can say. All may be empty.
struct Publication {
  std::string title = {};    ///< "Trips of March"
  std::string curator = {};  ///< "City of Freiburg, traffic office"
  std::string use = {};      ///< "planning of bicycle lanes"
  std::string region = {};   ///< "Germany"
  std::string contact = {};  ///< "privacy@example.org"
};

/// An entry for a public registry of deployments of differential privacy, from the statement: what is protected, by what, with which
/// parameters, how it was accounted for. What nobody said is null, and not left out. `kind`: of the statement's kind, release/kinds.hpp; null: not known here.
privacy::Parameters registry_entry(const privacy::Statement& statement, const KindPages* kind,
                                   const Publication& publication);

/// One page of HTML in plain language, for the people whom the data are about: complete in itself, without scripts.
std::string notice_html(const privacy::Statement& statement, const KindPages* kind,
                        const Publication& publication);

/// What stands in it, for a page of somebody else.
std::string notice_body(const privacy::Statement& statement, const KindPages* kind,
                        const Publication& publication);

}  // namespace fogline::report
