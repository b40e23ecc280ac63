// SPDX-License-Identifier: Apache-2.0
#include "audit/replay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"
#include "random/tape.hpp"

namespace fogline::audit {
namespace {

using random::Meeting;
using random::Tape;

// Sums of doubles are compared with claims up to this relative difference; integers are exact.
constexpr double rounding = 1e-9;
constexpr double unbounded = std::numeric_limits<double>::infinity();

struct Outcome {
  std::optional<std::string> output;  // empty: refused
};

Outcome run(const TextRun& mechanism, random::Key key, Tape& tape) {
  key.listen(&tape);
  try {
    return {mechanism(key)};
  } catch (const random::Diverged&) {
    throw;
  } catch (const Error&) {
    return {};
  }
}

double distance(const Meeting& a, const Meeting& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.values.size(); ++i) sum += std::abs(a.values[i] - b.values[i]);
  return static_cast<double>(sum);
}

double log_share(const Meeting& meeting) {
  return static_cast<double>(std::log(static_cast<long double>(meeting.weight)) -
                             std::log(static_cast<long double>(meeting.total)));
}

/// What an answer that was chosen tells; the reason if something is wrong.
std::string compare_choice(const Meeting& a, const Meeting& b, double& loss) {
  if (a.weight == 0) return fmt::format("'{}' chose an answer of weight 0", a.name);
  if (b.weight == 0) {
    loss = unbounded;
    return fmt::format("'{}' chose an answer that the other input cannot give", a.name);
  }
  loss += std::abs(log_share(a) - log_share(b));
  return {};
}

std::string compare_noise(const Meeting& a, const Meeting& b, double& loss) {
  if (a.epsilon != b.epsilon) return fmt::format("the epsilon of '{}' depends on the data", a.name);
  if (a.sensitivity != b.sensitivity)
    return fmt::format("the sensitivity of '{}' depends on the data", a.name);
  if (!(a.epsilon > 0 && a.sensitivity > 0))
    return fmt::format("'{}' declares no epsilon or no sensitivity", a.name);
  const double apart = distance(a, b);
  if (std::isnan(apart)) return fmt::format("'{}' adds noise to something that is not a number", a.name);
  if (apart > a.sensitivity * (1 + rounding)) {
    return fmt::format("the private numbers of '{}' differ by {:.6g}, above the declared sensitivity {:.6g}",
                       a.name, apart, a.sensitivity);
  }
  loss += a.epsilon * apart / a.sensitivity;
  return {};
}

std::string compare_meetings(const Tape& tape, double& loss) {
  const auto &recorded = tape.recorded(), &played = tape.played();
  if (recorded.size() != played.size()) {
    return fmt::format("noise was drawn {} times with one input and {} times with the other", recorded.size(),
                       played.size());
  }
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const Meeting &a = recorded[i], &b = played[i];
    if (a.words_before != b.words_before)
      return fmt::format("different numbers of random words were drawn before '{}'", a.name);
    const std::string problem =
        a.manner == Meeting::Manner::chosen ? compare_choice(a, b, loss) : compare_noise(a, b, loss);
    if (!problem.empty()) return problem;
  }
  return {};
}

std::string compare(const Outcome& first, const Outcome& second, const Tape& tape, double claimed_loss,
                    double& loss) {
  if (first.output.has_value() != second.output.has_value())
    return "one input is refused and its neighbour is not";
  if (std::string problem = compare_meetings(tape, loss); !problem.empty()) return problem;
  if (loss > claimed_loss * (1 + rounding))
    return fmt::format("the meetings with noise cost {:.6g} together, above the claimed {:.6g}", loss,
                       claimed_loss);
  if (tape.recorded_words() != tape.played_words()) return "different numbers of random words were drawn";
  if (first.output != second.output)
    return "the outputs differ although all noisy answers were the same: private data went round the noise";
  return {};
}

void replay_once(const TextRun& recorded, const TextRun& played, const random::Key& key,
                 ReplayFinding& finding) {
  Tape tape;
  const Outcome first = run(recorded, key, tape);
  tape.rewind();
  double loss = 0;
  std::string reason;
  try {
    const Outcome second = run(played, key, tape);
    reason = compare(first, second, tape, finding.claimed_loss, loss);
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
  if (options.runs == 0) throw InvalidOption("runs", "must be at least 1");
  ReplayFinding finding{.claimed_loss = pair.claimed_loss};
  while (finding.runs < options.runs && !finding.broken) {
    const auto key = key_of(options.key, finding.runs);
    replay_once(pair.first, pair.second, key, finding);
    replay_once(pair.second, pair.first, key, finding);
    ++finding.runs;
  }
  return finding;
}

}  // namespace fogline::audit
