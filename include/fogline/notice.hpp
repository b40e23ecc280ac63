// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fogline {

/// What a statement cannot know of a release, and whoever publishes it can say. All may be empty.
struct Publication {
  std::string title = {};    ///< "Trips of March"
  std::string curator = {};  ///< "City of Freiburg, traffic office"
  std::string use = {};      ///< "planning of bicycle lanes"
  std::string region = {};   ///< "Germany"
  std::string contact = {};  ///< "privacy@example.org"
};

/// From a statement (JSON), an entry for a public registry of deployments of differential privacy, as JSON: what is
/// protected, by what, with which parameters, how it was accounted for. What nobody said is null. Throws DataError
/// for a text that is no statement.
///
///     std::cout << fogline::registry_entry(safe.statement, {.curator = "traffic office"});
///
/// Checks nothing of what the statement says: that is what verify() is for.
std::string registry_entry(const std::string& statement, const Publication& publication);

/// The same in plain language, for the people whom the data are about: one page of HTML, complete in itself, without
/// scripts.
std::string notice(const std::string& statement, const Publication& publication);

/// What stands in that page, from its heading on, to be put into a page of one's own.
std::string notice_body(const std::string& statement, const Publication& publication);

}  // namespace fogline
