// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/stream_released.hpp"
#include "release/kinds.hpp"
#include "stream/measures/attacks.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class StreamAttack : public Analysis {
 public:
  std::string kind() const override { return "stream"; }
  std::string verb() const override { return "attack"; }

  void declare(FieldTable& table) override {
    released_.declare(table, "what was released");
    table.value("states", "FILE", states_, "the private states, to see how right the attackers are")
        .role(FieldRole::private_input);
    columns_.declare_order(table);
  }

  Findings run(Caller& caller) override {
    const ReleasedStream release = released_.read();
    std::vector<stream::AttackedSequence> sequences;
    for (const auto& rows : release.sequences) {
      sequences.emplace_back();
      for (const auto& row : rows) sequences.back().answers.push_back(row.draw);
    }
    if (is_private()) {
      const auto truth = release.read_truth(states_, columns_, caller);
      for (std::size_t i = 0; i < truth.size(); ++i) sequences[i].truth = {truth[i].begin(), truth[i].end()};
    }
    const stream::StreamAttacks attacks =
        stream::attack([&] { return release.tracker(); }, sequences, caller.progress());

    Findings found(as_json(attacks, release));
    if (is_private()) found.add(fmt::format("PRIVATE: {}", warning));
    found.add(release.rows(attacks.steps));
    found.add(guesses(attacks, release));
    found.add(fmt::format("the policy fell into parts at {} steps; the answer alone told the part at {}",
                          grouped(attacks.steps_in_parts), grouped(attacks.parts_told)));
    found.add(leaks(attacks));
    found.add(bounds(attacks));
    return found;
  }

 private:
  static constexpr auto warning = "compared with private states, for the curator alone; do not publish";

  bool is_private() const { return !states_.empty(); }

  static Json numbers(const stream::Guessing& guessing, const std::string& m) {
    return {{"error" + m, guessing.error}, {"hits", guessing.hits}};
  }

  static Json numbers(const stream::GuessingAttack& attack, const std::string& m) {
    Json json = {{"expected", numbers(attack.expected, m)}};
    if (attack.actual) json["actual"] = numbers(*attack.actual, m);
    return json;
  }

  Json as_json(const stream::StreamAttacks& attacks, const ReleasedStream& release) const {
    const std::string m = release.unit();
    Json json = {{"kind", "stream"}, {"private", is_private()}};
    if (is_private()) json["warning"] = warning;
    json["mechanism"] = to_string(release.terms.mechanism);
    json["epsilon"] = release.terms.epsilon.value().to_string();
    json["sequences"] = attacks.sequences;
    json["steps"] = attacks.steps;
    json["without"] = numbers(attacks.without, m);
    json["filter"] = numbers(attacks.filter, m);
    json["smoother"] = numbers(attacks.smoother, m);
    json["viterbi"] = numbers(attacks.viterbi, m);
    json["parts"] = {{"steps", attacks.steps_in_parts}, {"told", attacks.parts_told}};
    Json leaks = Json::array();
    for (const auto& leak : attacks.leaks)
      leaks.push_back({{"answers", leak.answers},
                       {"steps", leak.steps},
                       {"mean", leak.mean},
                       {"largest", leak.largest},
                       {"infinite_steps", leak.infinite_steps}});
    json["leak"] = std::move(leaks);
    json["bounds"] = {{"joined_loss_of_a_step", attacks.largest_joined_loss},
                      {"joined_sequences", attacks.joined_sum},
                      {"any_two_sequences", attacks.any_two_sum},
                      {"separated_steps", attacks.separated_steps}};
    return json;
  }

  static std::vector<std::string> row(const char* who, const stream::GuessingAttack& attack) {
    std::vector<std::string> cells{who};
    const auto add = [&](const stream::Guessing& guessing) {
      cells.push_back(fmt::format("{:.6g}", guessing.error));
      cells.push_back(fmt::format("{:.4f}", guessing.hits));
    };
    add(attack.expected);
    if (attack.actual) add(*attack.actual);
    return cells;
  }

  Findings::Table guesses(const stream::StreamAttacks& attacks, const ReleasedStream& release) const {
    Findings::Table table{
        {{"guessing each state", 38, Findings::Align::left},
         {release.unit().empty() ? "error" : "error, m", 12},
         {"hits", 9}},
        {row("without the release", attacks.without), row("filter: answers up to it", attacks.filter),
         row("smoother: all answers", attacks.smoother),
         row("viterbi: the likeliest path", attacks.viterbi)}};
    if (is_private()) table.columns.insert(table.columns.end(), {{"in truth", 12}, {"hits", 9}});
    return table;
  }

  static Findings::Table leaks(const stream::StreamAttacks& attacks) {
    Findings::Table table{{{"telling joined states of a step apart", 38, Findings::Align::left},
                           {"mean", 12},
                           {"most", 9},
                           {"", 0, Findings::Align::left}},
                          {}};
    for (const auto& leak : attacks.leaks)
      table.rows.push_back({fmt::format("{} answer{}", grouped(leak.answers), leak.answers == 1 ? "" : "s"),
                            fmt::format("{:.4f}", leak.mean), fmt::format("{:.4f}", leak.largest),
                            leak.infinite_steps > 0
                                ? fmt::format("  and for certain at {} of {} steps",
                                              grouped(leak.infinite_steps), grouped(leak.steps))
                                : ""});
    return table;
  }

  static std::string bounds(const stream::StreamAttacks& attacks) {
    return fmt::format(
        "bounds: {:.4f} for a step, {:.4f} for sequences joined at every step, {:.4f} for any two{}",
        attacks.largest_joined_loss, attacks.joined_sum, attacks.any_two_sum,
        attacks.separated_steps > 0 ? fmt::format(" but for {} steps that may tell two apart for certain",
                                                  grouped(attacks.separated_steps))
                                    : "");
  }

  ReleasedStreamFields released_;
  ColumnFields columns_;
  std::string states_;
};

}  // namespace

std::unique_ptr<Analysis> stream_attack() {
  return std::make_unique<StreamAttack>();
}

}  // namespace fogline::release
