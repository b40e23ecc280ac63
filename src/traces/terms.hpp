// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "privacy/parameter_table.hpp"
#include "privacy/persons.hpp"
#include "privacy/statement.hpp"
#include "roads/public_network.hpp"
#include "traces/counts/statistics.hpp"

namespace fogline::traces {

inline constexpr std::string_view synthesis_name = "synthesis";  ///< of the sound mechanism

std::string_view to_string(Unit unit);  ///< "trip", "user"
Unit unit_from(std::string_view text);  ///< throws InvalidOption

/// What a release of synthetic trips says about itself. Everything follows from the public things below, so that the reader of a statement can compute what
/// its writer wrote; audit/statements/recompute_traces.hpp does.
///
///     TraceTerms terms{.frame = Frame::parse("0,0,38400,38920", Frame::Unit::metres), .epsilon = {1, 1}};
///     terms.guarantee();      // pure DP, epsilon 1, protecting one trip, exact
///     assert(terms_from(statement).guarantee() == statement.guarantee);
/// What people are told where TraceTerms::is_mostly_noise.
inline constexpr std::string_view what_noise_leaves =
    "expect how many trips there are, about how long they are and where most of them go, and little more. "
    "More trips, "
    "a larger epsilon or fewer trips per user would tell more.";

struct TraceTerms {
  Frame frame;
  privacy::Epsilon epsilon;
  Unit unit = Unit::trip;
  std::uint32_t trips_per_user = 1;                     ///< 1 to 1,000; counts if the unit is a user
  privacy::Persons persons = privacy::Persons::unsaid;  ///< how users are told apart, if the unit is one
  std::optional<std::uint64_t> trips = {};  ///< how many there are, if that is declared to be no secret
  std::uint64_t trips_to_make = 0;          ///< to 10^8; 0: as many as there are, by the noisy count
  bool times = false;                       ///< whether times are released
  std::uint64_t max_length_m = 0;           ///< what lies beyond is cut off; 0: eight times the larger side
  std::uint64_t max_duration_s = 86'400;    ///< likewise, 1 to 10^7; counts if times are released
  std::optional<privacy::PublicInput> constraints = {};  ///< the file of rules that trips obey
  std::optional<roads::PublicNetwork> network = {};      ///< the roads that trips keep to

  TraceStatistics::Options options()
      const;  ///< throws InvalidOption for what is out of range or does not fit together
  TripBounds bounds() const;
  /// How the budget is shared out: known before anything is drawn, but for the fineness of a grid.
  Layout layout(double about_trips) const;
  /// Whether most counts of about so many trips are lost in their noise. Public if that number is, or is noisy.
  bool is_mostly_noise(double about_trips) const;

  privacy::Guarantee guarantee() const;
  void declare(privacy::ParameterTable& table);                  ///< the parameters
  static std::vector<privacy::ParameterTable::Listed> listed();  ///< every parameter there may be
  nlohmann::ordered_json parameters() const;
  std::vector<privacy::PublicInput> public_inputs() const;  ///< the constraints, then the network
  std::vector<std::string> promise() const;
  std::vector<std::string> not_protected() const;

  /// The statement of a release under these terms, complete but for outputs, ledger and randomness.
  privacy::Statement draft() const;
};

/// Reads the terms back from a statement's mechanism, parameters and public inputs. Throws InvalidOption naming the first that is missing, unknown, of the wrong
/// type, out of range or not in the one spelling that TraceTerms::parameters() gives it; so for shares of the budget that do not follow.
TraceTerms terms_from(const privacy::Statement& statement);

}  // namespace fogline::traces
