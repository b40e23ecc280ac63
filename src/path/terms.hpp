// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "path/corridor.hpp"
#include "path/labels.hpp"
#include "privacy/parameter_table.hpp"
#include "privacy/persons.hpp"
#include "privacy/statement.hpp"

namespace fogline::path {

std::vector<std::string_view> mechanism_names();  ///< of the sound forms: "one-sided", "two-sided"

/// What a release of a route says about itself. Everything follows from the public things below, so that the reader of a statement can compute what its writer
/// wrote; audit/statements/recompute_path.hpp does. The network is not among them: its roads are what an outsider does not know.
///
///     PathTerms terms{.form = PathForm::one_sided, .epsilon_edges = {1, 1}};
///     terms.guarantee();        // one-sided DP, epsilon 0.974076985, protecting one road that the route takes, against no road there, exact
///     assert(terms_from(statement).guarantee() == statement.guarantee);
struct PathTerms {
  static constexpr std::uint32_t most_visits = 8;

  PathForm form = PathForm::one_sided;  ///< not published: see published_draft
  privacy::Epsilon epsilon_edges{1, 1};
  std::optional<privacy::Epsilon> epsilon_vertices = {};
  std::optional<privacy::Epsilon> epsilon_direction = {};
  std::uint32_t visits = 1;
  bool direction = true;  ///< counts in the one-sided form only
  bool every_vertex = false;
  std::string from = {}, to = {};  ///< the declared ends: both or none
  std::string area = {};           ///< WEST,SOUTH,EAST,NORTH: only vertices in it are published
  std::string stretch = {};        ///< only vertices v with |from v| + |v to| <= stretch |from to|
  privacy::Persons persons = privacy::Persons::unsaid;  ///< declared: the route is one person's

  /// Throws InvalidOption for terms that do not fit together.
  PathOptions options(const RouteMap& map) const;
  PathLabels labels() const;  ///< of a map without its names: for guarantees and audits
  Corridor corridor() const;  ///< throws InvalidOption

  privacy::Guarantee guarantee() const;
  void declare(privacy::ParameterTable& table);                  ///< the parameters, for a form that is known
  static std::vector<privacy::ParameterTable::Listed> listed();  ///< every parameter there may be
  nlohmann::ordered_json parameters() const;
  std::vector<std::string> promise() const;
  std::vector<std::string> not_protected() const;

  /// The statement of a release under these terms, complete but for outputs, ledger and randomness.
  privacy::Statement draft() const;
};

/// Reads the terms back from a statement's mechanism and parameters. Throws InvalidOption naming the first that is missing, unknown, of the wrong type, out of range
/// or not in the one spelling that PathTerms::parameters() gives it.
PathTerms terms_from(const privacy::Statement& statement);

/// What is wrong with a published file under these terms, in plain words; empty if it may come from such a release. Looks at public things alone.
std::string mismatch(const PathTerms& terms, const PublicPath& shown);

/// The paper's form, which promises nothing.
struct PublishedTerms {
  std::optional<privacy::Epsilon> epsilon_vertices = {};
  privacy::Epsilon epsilon_edges{1, 1};
  void declare(privacy::ParameterTable& table);
  nlohmann::ordered_json parameters() const;
};
PublishedTerms published_terms_from(
    const privacy::Statement& statement);  ///< throws InvalidOption, as terms_from
privacy::Guarantee published_guarantee();
privacy::Statement published_draft(const PublishedTerms& terms);

}  // namespace fogline::path
