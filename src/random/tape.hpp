// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/int128.hpp"
#include "random/stream.hpp"

namespace fogline::random {

/// One place in a run where private data met noise.
struct Meeting {
  enum class Manner {
    added,  ///< noise was added to private numbers
    chosen  ///< an answer was chosen by weights that depend on private data
  };
  /// How the cost of added noise grows with the distance of the private numbers.
  enum class Law {
    laplace,   ///< epsilon / sensitivity for each unit by which a number differs
    staircase  ///< epsilon for each number and each sensitivity by which it differs, rounded up
  };
  std::string name;  ///< from the code, never from data
  Manner manner = Manner::added;
  Law law = Law::laplace;
  double epsilon = 0;                ///< added: what a change of the numbers by `sensitivity` (in sum) costs
  double sensitivity = 0;            ///< added: as declared
  std::vector<long double> values;   ///< added: the private numbers
  std::vector<long double> answers;  ///< what left the meeting: public from here on
  Uint128 weight = 0, total = 0;     ///< chosen: the answer's weight and the sum of all
  std::optional<double> log_share =
      {};  ///< chosen: instead of both, the logarithm of the answer's probability but for a constant that is the same for all inputs
  std::uint64_t words_before = 0;  ///< random words its stream had given before
};

/// Thrown when a replayed run does not meet noise where the recorded one did.
class Diverged : public Error {
 public:
  using Error::Error;
};

/// What an auditor hears of a run. A tape first records a run on one input; rewound, it plays along with a run on a neighbouring
/// input and hands out the recorded *answers* instead of drawing, so that everything after the noise, having seen the same answers, must
/// do the same. audit/engine/replay.hpp compares the two.
///
///     Tape tape;
///     stream.listen(&tape);  mechanism.release(x, stream);       // records
///     tape.rewind();
///     again.listen(&tape);   mechanism.release(y, again);        // plays; throws Diverged
///
/// Mechanisms do not see tapes: they add noise with random/noise.hpp, which does. One thread only. A tape holds private values: for
/// audits, never for releases.
class Tape {
 public:
  void rewind();  ///< from recording to playing; the recorded meetings stay in recorded()
  bool playing() const { return playing_; }

  const std::vector<Meeting>& recorded() const { return recorded_; }
  const std::vector<Meeting>& played() const { return played_; }

  /// Random words given by each stream, in the order in which they were opened: of the recorded and of the played run.
  const std::vector<std::uint64_t>& recorded_words() const { return recorded_words_; }
  const std::vector<std::uint64_t>& played_words() const { return played_words_; }

  /// Whether a run opened one stream twice. The second would repeat the noise of the first, which then can be subtracted.
  bool reopened() const { return reopened_; }

  /// `meeting` comes with everything but its answers. Recording: calls draw, keeps the meeting with the answers it returns. Playing: checks
  /// that the same meeting was recorded here (name, manner, count; not the values), and returns the recorded answers. A meeting within another's draw is
  /// part of that one, and is not heard by itself.
  std::vector<long double> meet(Meeting meeting, Stream& stream,
                                const std::function<std::vector<long double>()>& draw,
                                const std::function<void(Meeting&)>& weigh = {});

  /// Called by streams. `identity` tells streams apart; the result is what stream_ended wants back.
  std::size_t stream_began(const std::string& identity);
  void stream_ended(std::size_t stream, std::uint64_t words);

 private:
  std::vector<long double> record(Meeting meeting, const std::function<std::vector<long double>()>& draw,
                                  const std::function<void(Meeting&)>& weigh);
  std::vector<long double> play(Meeting meeting, Stream& stream, const std::function<void(Meeting&)>& weigh);

  bool playing_ = false;
  bool reopened_ = false;
  bool drawing_ = false;          // within a meeting
  std::set<std::string> opened_;  // in this run
  std::vector<Meeting> recorded_, played_;
  std::vector<Stream::Position> after_;  // of the meeting's stream, for each recorded meeting
  std::vector<std::uint64_t> recorded_words_, played_words_;
};

}  // namespace fogline::random
