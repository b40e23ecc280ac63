// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "random/key.hpp"
#include "stream/inference/smoothing.hpp"
#include "stream/measures/tally.hpp"
#include "stream/released_file.hpp"
#include "stream/terms.hpp"
#include "stream/tracker.hpp"

namespace fogline::stream {

/// The noise of a sequence by its number, from 0, in the whole release: of a release, and of whatever shows what one does.
random::Stream noise_of_sequence(const random::Key& key, std::uint64_t number);

/// Makes the rows of one sequence's release from its drawn answers: what a release writes, and what whoever checks it computes again.
///
///     RowMaker rows(tracker, terms, "1");
///     tracker.prepare();
///     rows.take(answer);                                    // every step, in order
///     for (const auto& row : rows.finish()) write(row);
///
/// All of it is public. With Finish::smoothed a row is complete only when the sequence is.
class RowMaker {
 public:
  RowMaker(Tracker& tracker, const StreamTerms& terms, std::string sequence);

  /// Observes the answer of the step that was prepared. The row, unless it has to wait for the answers after it.
  std::optional<ReleasedFormat::Row> take(const Answer& answer);
  std::vector<ReleasedFormat::Row> finish();  ///< those that had to wait
  const Tally& tally() const { return tally_; }

 private:
  std::string likeliest(std::span<const StateId> states, std::span<const double> probability) const;

  Tracker& tracker_;
  Finish finish_;
  std::string sequence_;
  Smoother smoother_;
  Tally tally_;
  std::vector<ReleasedFormat::Row> waiting_ = {};
};

}  // namespace fogline::stream
