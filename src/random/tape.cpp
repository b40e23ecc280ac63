// SPDX-License-Identifier: Apache-2.0
#include "random/tape.hpp"

#include <fmt/format.h>

namespace fogline::random {

void Tape::rewind() {
  playing_ = true;
  opened_.clear();
  played_.clear();
  played_words_.clear();
}

std::size_t Tape::stream_began(const std::string& identity) {
  if (!opened_.insert(identity).second) reopened_ = true;
  auto& words = playing_ ? played_words_ : recorded_words_;
  words.push_back(0);
  return words.size() - 1;
}

void Tape::stream_ended(std::size_t stream, std::uint64_t words) {
  (playing_ ? played_words_ : recorded_words_).at(stream) = words;
}

std::vector<long double> Tape::meet(Meeting meeting, Stream& stream,
                                    const std::function<std::vector<long double>()>& draw,
                                    const std::function<void(Meeting&)>& weigh) {
  if (drawing_) return draw();
  meeting.words_before = stream.words_drawn();
  if (playing_) return play(std::move(meeting), stream, weigh);
  std::vector<long double> answers = record(std::move(meeting), draw, weigh);
  after_.push_back(stream.position());
  return answers;
}

std::vector<long double> Tape::record(Meeting meeting, const std::function<std::vector<long double>()>& draw,
                                      const std::function<void(Meeting&)>& weigh) {
  drawing_ = true;
  try {
    meeting.answers = draw();
  } catch (...) {  // whatever it is, it is thrown on
    drawing_ = false;
    throw;
  }
  drawing_ = false;
  if (weigh) weigh(meeting);
  recorded_.push_back(std::move(meeting));
  return recorded_.back().answers;
}

std::vector<long double> Tape::play(Meeting meeting, Stream& stream,
                                    const std::function<void(Meeting&)>& weigh) {
  const std::size_t at = played_.size();
  if (at >= recorded_.size()) {
    throw Diverged(fmt::format("noise was drawn {} times with one input and again, for '{}', with the other",
                               recorded_.size(), meeting.name));
  }
  const Meeting& before = recorded_[at];
  if (before.name != meeting.name || before.manner != meeting.manner ||
      before.values.size() != meeting.values.size()) {
    throw Diverged(fmt::format(
        "draw {} is for '{}' ({} numbers) with one input and for '{}' ({} numbers) with the other", at + 1,
        before.name, before.values.size(), meeting.name, meeting.values.size()));
  }
  meeting.answers = before.answers;
  if (weigh) weigh(meeting);
  stream.move_to(after_[at]);
  played_.push_back(std::move(meeting));
  return before.answers;
}

}  // namespace fogline::random
