// SPDX-License-Identifier: Apache-2.0
#include "stream/run.hpp"

#include <algorithm>
#include <utility>

#include "stream/inference/median.hpp"

namespace fogline::stream {

random::Stream noise_of_sequence(const random::Key& key, std::uint64_t number) {
  return key.stream("stream", number);
}

RowMaker::RowMaker(Tracker& tracker, const StreamTerms& terms, std::string sequence)
    : tracker_(tracker),
      finish_(terms.finish),
      sequence_(std::move(sequence)),
      smoother_(tracker.model().chain) {
  tally_.begin_sequence();
}

std::string RowMaker::likeliest(std::span<const StateId> states, std::span<const double> probability) const {
  const auto best = std::ranges::max_element(probability) - probability.begin();
  return tracker_.model().space.names.name(states[static_cast<std::size_t>(best)]);
}

std::optional<ReleasedFormat::Row> RowMaker::take(const Answer& answer) {
  tracker_.observe(answer);
  ReleasedFormat::Row row{
      .sequence = sequence_, .step = tracker_.step(), .draw = answer, .free = tracker_.free_estimate()};
  row.state = likeliest(tracker_.situation().states, tracker_.posterior());
  row.value = finish_ == Finish::raw ? tracker_.raw() : tracker_.estimate();
  tally_.add(tracker_, row.value);
  if (finish_ != Finish::smoothed) return row;
  smoother_.add(tracker_);
  waiting_.push_back(std::move(row));
  return std::nullopt;
}

std::vector<ReleasedFormat::Row> RowMaker::finish() {
  if (waiting_.empty()) return {};
  const auto beliefs = smoother_.smoothed();
  const LatticeQuery& query = tracker_.query();
  for (std::size_t t = 0; t < waiting_.size(); ++t) {
    std::vector<double> places;
    for (const StateId s : beliefs[t].states) {
      const auto place = query.point(query.at(s));
      places.insert(places.end(), place.begin(), place.end());
    }
    waiting_[t].state = likeliest(beliefs[t].states, beliefs[t].probability);
    waiting_[t].value = geometric_median(places, query.dimension(), beliefs[t].probability);
  }
  return std::exchange(waiting_, {});
}

}  // namespace fogline::stream
