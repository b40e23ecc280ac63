// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/replay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/error.hpp"
#include "random/tape.hpp"

namespace fogline::audit {
namespace {

using random::Meeting;
using random::Tape;

// Sums of doubles are compared with claims up to this relative difference; integers are exact.
constexpr double rounding_of_sums = 1e-9;
constexpr double unbounded = std::numeric_limits<double>::infinity();

/// What a run gave: its output, or the words with which it refused.
struct RunOutcome {
  bool refused = false;
  std::string text;
  friend bool operator==(const RunOutcome&, const RunOutcome&) = default;
};

RunOutcome run(const TextRun& mechanism, random::Key key, Tape& tape) {
  key.listen(&tape);
  try {
    return {false, mechanism(key)};
  } catch (const random::Diverged&) {
    throw;
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    return {true, error.what()};
  }
}

double distance(const Meeting& a, const Meeting& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) sum += std::abs(a.values[i] - b.values[i]);
  return static_cast<double>(sum);
}

/// In sensitivities: how much the answers of a meeting may tell, divided by epsilon.
double steps(const Meeting& a, const Meeting& b) {
  if (a.law == Meeting::Law::laplace) return distance(a, b) / a.sensitivity;
  long double sum = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    sum += std::ceil(std::abs(a.values[i] - b.values[i]) / static_cast<long double>(a.sensitivity));
  return static_cast<double>(sum);
}

double log_share(const Meeting& meeting) {
  if (meeting.log_share) return *meeting.log_share;
  return static_cast<double>(std::log(static_cast<long double>(meeting.weight)) -
                             std::log(static_cast<long double>(meeting.total)));
}

/// What an answer that was chosen tells; the reason if something is wrong.
std::string compare_choice(const Meeting& a, const Meeting& b, const ReplayCase& pair, double& loss) {
  const auto is_impossible = [](const Meeting& met) {
    return met.log_share ? std::isinf(*met.log_share) : met.weight == 0;
  };
  if (is_impossible(a)) return fmt::format("'{}' chose an answer of weight 0", a.name);
  if (is_impossible(b)) {
    loss = unbounded;
    return fmt::format("'{}' chose an answer that the other input cannot give", a.name);
  }
  const double difference = log_share(a) - log_share(b);
  loss += pair.one_sided ? difference : std::abs(difference);
  return {};
}

std::string compare_noise(const Meeting& a, const Meeting& b, const ReplayCase& pair, double& loss) {
  if (a.epsilon != b.epsilon) return fmt::format("the epsilon of '{}' depends on the data", a.name);
  if (a.sensitivity != b.sensitivity)
    return fmt::format("the sensitivity of '{}' depends on the data", a.name);
  if (!(a.epsilon > 0 && a.sensitivity > 0))
    return fmt::format("'{}' declares no epsilon or no sensitivity", a.name);
  const double apart = distance(a, b);
  if (std::isnan(apart)) return fmt::format("'{}' adds noise to something that is not a number", a.name);
  if (apart > a.sensitivity * pair.distance * (1 + rounding_of_sums)) {
    return fmt::format("the private numbers of '{}' differ by {:.6g}, above the declared sensitivity {:.6g}",
                       a.name, apart, a.sensitivity * pair.distance);
  }
  loss += a.epsilon * steps(a, b);
  return {};
}

std::string compare_meetings(const Tape& tape, const ReplayCase& pair, double& loss) {
  const auto &recorded = tape.recorded(), &played = tape.played();
  if (recorded.size() != played.size()) {
    return fmt::format("noise was drawn {} times with one input and {} times with the other", recorded.size(),
                       played.size());
  }
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const Meeting &a = recorded[i], &b = played[i];
    if (a.words_before != b.words_before)
      return fmt::format("different numbers of random words were drawn before '{}'", a.name);
    const std::string problem = a.manner == Meeting::Manner::chosen ? compare_choice(a, b, pair, loss)
                                                                    : compare_noise(a, b, pair, loss);
    if (!problem.empty()) return problem;
  }
  return {};
}

std::string compare(const RunOutcome& first, const RunOutcome& second, const Tape& tape,
                    const ReplayCase& pair, double& loss) {
  if (first.refused != second.refused) return "one input is refused and its neighbour is not";
  if (tape.reopened())
    return "one random stream is opened twice: its noise comes twice, and can be subtracted";
  if (std::string problem = compare_meetings(tape, pair, loss); !problem.empty()) return problem;
  if (loss > pair.claimed_loss * (1 + rounding_of_sums))
    return fmt::format("the meetings with noise cost {:.6g} together, above the claimed {:.6g}", loss,
                       pair.claimed_loss);
  if (tape.recorded_words() != tape.played_words()) return "different numbers of random words were drawn";
  if (first != second) {
    return first.refused ? "the inputs are refused with different messages"
                         : "the outputs differ although all noisy answers were the same: private data went "
                           "round the noise";
  }
  return {};
}

void replay_once(const TextRun& recorded, const TextRun& played, const ReplayCase& pair,
                 const random::Key& key, ReplayFinding& finding) {
  Tape tape;
  const RunOutcome first = run(recorded, key, tape);
  tape.rewind();
  double loss = 0;
  std::string reason;
  try {
    const RunOutcome second = run(played, key, tape);
    reason = compare(first, second, tape, pair, loss);
  } catch (const random::Diverged& diverged) {
    reason = diverged.what();
  }
  finding.meetings = tape.recorded().size();
  finding.largest_loss = std::max(finding.largest_loss, loss);
  if (reason.empty() || finding.broken) return;
  finding.broken = true;
  finding.reason = std::move(reason);
}

/// A key of its own for each run, drawn from the auditor's.
random::SeededKey key_of(const random::Key& key, std::uint64_t run) {
  return random::SeededKey(key.stream("replay", run).next64());
}

}  // namespace

ReplayFinding replay(const ReplayCase& pair, const ReplayOptions& options) {
  if (!pair.first || !pair.second)
    throw InvalidOption("pair", "must say how to run the mechanism on both inputs");
  if (!(pair.claimed_loss >= 0 && std::isfinite(pair.claimed_loss)))
    throw InvalidOption("claimed_loss", "must be a finite number from 0 on");
  if (!(pair.distance > 0 && std::isfinite(pair.distance)))
    throw InvalidOption("distance", "must be above 0");
  if (options.runs == 0) throw InvalidOption("runs", "must be at least 1");
  ReplayFinding finding{.claimed_loss = pair.claimed_loss};
  while (finding.runs < options.runs && !finding.broken) {
    const auto key = key_of(options.key, finding.runs);
    replay_once(pair.first, pair.second, pair, key, finding);
    if (!pair.one_sided) replay_once(pair.second, pair.first, pair, key, finding);
    ++finding.runs;
  }
  return finding;
}

}  // namespace fogline::audit
