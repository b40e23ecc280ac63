// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "mobility/trips.hpp"
#include "privacy/parameter_table.hpp"
#include "privacy/statement.hpp"
#include "traces/frame/frame.hpp"
#include "traces/paper/dpe.hpp"

namespace fogline::traces {

inline constexpr std::string_view dpe_name = "dpe";  ///< of the paper's mechanism

std::string_view to_string(TripEnds ends);  ///< "kept", "trimmed"

/// What a release by the paper's mechanism says about itself: that it promises nothing, and why.
///
///     DpeTerms terms{.epsilon = {1, 1}, .frame = frame};
///     DpeOutput released = Dpe(terms.options(trips, frame)).release(trips, stream);
///     privacy::Statement draft = dpe_draft(terms);
struct DpeTerms {
  privacy::Epsilon epsilon;         ///< what the paper claims
  std::optional<Frame> frame = {};  ///< the declared area; none: the box of the trips, read from them
  std::optional<std::uint64_t> time_span_s =
      {};                            ///< the declared time span, to 10^12; none: that of the trips
  std::uint32_t steps = 100;         ///< 1 to 100,000
  Rational learning_rate = {1, 10};  ///< above 0, at most 10
  std::uint32_t dimensions = 0;      ///< the paper's D', to 100,000; 0: as the trips
  TripEnds ends = TripEnds::trimmed;

  /// `around` is the frame the trips are told in. Throws InvalidOption as Dpe does.
  Dpe::Options options(const TripSet& trips, const Frame& around) const;
  void declare(privacy::ParameterTable& table);  ///< the parameters
  nlohmann::ordered_json parameters() const;
};

/// Reads the terms back. Throws InvalidOption naming the first parameter that is missing, unknown, of the wrong type, out of range, or not in its one spelling.
DpeTerms dpe_terms_from(const privacy::Statement& statement);

/// The statement of such a release, complete but for outputs, ledger and randomness.
privacy::Statement dpe_draft(const DpeTerms& terms);

/// The smallest area with sides of 10^-5 degrees (or metres) that holds all points: the paper's "scope" of a data set of which nobody declared one. A function of the
/// private trips, so for the paper's form alone. Throws DataError if there is no point, InvalidOption if the box is wider than a frame may be.
Frame frame_around(const mobility::Trips& trips);

}  // namespace fogline::traces
