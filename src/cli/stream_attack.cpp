// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/stream_released.hpp"
#include "cli/verbs.hpp"
#include "release/column_fields.hpp"
#include "stream/attacks.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;
using stream::GuessingAttack;
using stream::StreamAttacks;

constexpr auto stream_attack_warning = "compared with private states, for the curator alone; do not publish";

class StreamAttack : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"stream", "attack"},
        "Attack a release of a stream and say what the attackers learn",
        "The attackers know the model, the policy, the mechanism and all answers. filter guesses each state "
        "from the answers up to it, smoother from all answers, viterbi takes the likeliest path; without "
        "knows "
        "the model alone. For each stand the expected distance of its best point and the share of states "
        "that "
        "it names rightly, by its own reckoning; with --states also against the true states, which makes the "
        "output private.\n\n"
        "The policy may fall into parts within the possible states; told counts the steps at which an answer "
        "alone tells the part. The leak of a step is the largest log-ratio with which the answers tell two "
        "joined states of that step apart: within epsilon for its own answer, more with answers before and "
        "after, because they speak of the same walk. Beside it stand the sums that bound whole sequences: "
        "for "
        "two whose states are joined at every step, and for any two possible ones.",
        {{"what a release leaves to an attacker",
          "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
          "--grid "
          "340 -o model.json -q && fogline stream release --model model.json --policy util:1000 --epsilon 1 "
          "states.csv -o safe.csv --ledger my.ledger -q && fogline stream attack --model model.json "
          "safe.csv"},
         {"and how right they are, as JSON",
          "printf 'from,to,probability\\na,a,.5\\na,b,.5\\nb,a,.5\\nb,b,.5\\n' > model.csv && printf "
          "'state\\na\\nb\\n' > rooms.csv && fogline stream release --model model.csv --policy complete "
          "--epsilon 1 rooms.csv -o safe.csv --ledger my.ledger -q && fogline stream attack --model "
          "model.csv "
          "safe.csv --states rooms.csv --json"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("RELEASED", released_.released, "what was released").required();
    released_.declare(options);
    options.value("--states", "FILE", states_, "the private states, to see how right the attackers are");
    columns_.declare_order(options);
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    const ReleasedStream release = released_.read();
    std::vector<stream::AttackedSequence> sequences;
    for (const auto& rows : release.sequences) {
      sequences.emplace_back();
      for (const auto& row : rows) sequences.back().answers.push_back(row.draw);
    }
    if (!states_.empty()) {
      const auto truth = mobility::read_sequences(
          states_, release.stream.model().space,
          {.columns = columns_.map(), .times = columns_.times(), .sort = columns_.sort});
      tell_odd_columns(session, states_, truth.columns);
      session.warn(truth.warnings);
      release.require_truth(truth, states_);
      for (std::size_t i = 0; i < truth.size(); ++i) sequences[i].truth = {truth[i].begin(), truth[i].end()};
    }
    const StreamAttacks found =
        stream::attack([&] { return release.tracker(); }, sequences, session.progress());
    session.data(json_ ? to_text(as_json(found, release)) : as_text(found, release));
    return 0;
  }

 private:
  static Json numbers(const stream::Guessing& guessing, const std::string& m) {
    return {{"error" + m, guessing.error}, {"hits", guessing.hits}};
  }

  static Json numbers(const GuessingAttack& attack, const std::string& m) {
    Json json = {{"expected", numbers(attack.expected, m)}};
    if (attack.actual) json["actual"] = numbers(*attack.actual, m);
    return json;
  }

  Json as_json(const StreamAttacks& found, const ReleasedStream& release) const {
    const std::string m = release.unit();
    Json json = {{"kind", "stream"}, {"private", !states_.empty()}};
    if (!states_.empty()) json["warning"] = stream_attack_warning;
    json["mechanism"] = to_string(release.terms.mechanism);
    json["epsilon"] = release.terms.epsilon.value().to_string();
    json["sequences"] = found.sequences;
    json["steps"] = found.steps;
    json["without"] = numbers(found.without, m);
    json["filter"] = numbers(found.filter, m);
    json["smoother"] = numbers(found.smoother, m);
    json["viterbi"] = numbers(found.viterbi, m);
    json["parts"] = {{"steps", found.steps_in_parts}, {"told", found.parts_told}};
    Json leaks = Json::array();
    for (const auto& leak : found.leaks)
      leaks.push_back({{"answers", leak.answers},
                       {"steps", leak.steps},
                       {"mean", leak.mean},
                       {"largest", leak.largest},
                       {"infinite_steps", leak.infinite_steps}});
    json["leak"] = std::move(leaks);
    json["bounds"] = {{"joined_loss_of_a_step", found.largest_joined_loss},
                      {"joined_sequences", found.joined_sum},
                      {"any_two_sequences", found.any_two_sum},
                      {"separated_steps", found.separated_steps}};
    return json;
  }

  static std::string line(const char* who, const GuessingAttack& attack) {
    std::string text =
        fmt::format("{:<38}{:>12.6g}{:>9.4f}", who, attack.expected.error, attack.expected.hits);
    if (attack.actual) text += fmt::format("{:>12.6g}{:>9.4f}", attack.actual->error, attack.actual->hits);
    return text + "\n";
  }

  std::string as_text(const StreamAttacks& found, const ReleasedStream& release) const {
    std::string text = states_.empty() ? "" : fmt::format("PRIVATE: {}\n", stream_attack_warning);
    text +=
        fields({{"release", fmt::format("{} steps of {} sequence{}, {} epsilon {} a step, policy {}",
                                        grouped(found.steps), grouped(found.sequences),
                                        found.sequences == 1 ? "" : "s", to_string(release.terms.mechanism),
                                        release.terms.epsilon.value().to_string(), release.terms.policy)}});
    text += fmt::format("{:<38}{:>12}{:>9}{}\n", "guessing each state",
                        release.unit().empty() ? "error" : "error, m", "hits",
                        states_.empty() ? "" : "  in truth     hits");
    text += line("without the release", found.without);
    text += line("filter: answers up to it", found.filter);
    text += line("smoother: all answers", found.smoother);
    text += line("viterbi: the likeliest path", found.viterbi);
    text += fmt::format("the policy fell into parts at {} steps; the answer alone told the part at {}\n",
                        grouped(found.steps_in_parts), grouped(found.parts_told));
    text += fmt::format("{:<38}{:>12}{:>9}\n", "telling joined states of a step apart", "mean", "most");
    for (const auto& leak : found.leaks) {
      text += fmt::format("{:<38}{:>12.4f}{:>9.4f}",
                          fmt::format("{} answer{}", grouped(leak.answers), leak.answers == 1 ? "" : "s"),
                          leak.mean, leak.largest);
      text += leak.infinite_steps > 0 ? fmt::format("  and for certain at {} of {} steps\n",
                                                    grouped(leak.infinite_steps), grouped(leak.steps))
                                      : "\n";
    }
    text += fmt::format(
        "bounds: {:.4f} for a step, {:.4f} for sequences joined at every step, {:.4f} for any two",
        found.largest_joined_loss, found.joined_sum, found.any_two_sum);
    return text + (found.separated_steps > 0
                       ? fmt::format(" but for {} steps that may tell two apart for certain\n",
                                     grouped(found.separated_steps))
                       : "\n");
  }

  ReleasedBlock released_;
  release::ColumnFields columns_;
  std::string states_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> stream_attack() {
  return std::make_unique<StreamAttack>();
}

}  // namespace fogline::cli
