// SPDX-License-Identifier: Apache-2.0
#include "stream/terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fogline/version.hpp"
#include "io/numbers.hpp"
#include "stream/policy/policy_text.hpp"

namespace fogline::stream {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array mechanisms{std::pair{MechanismKind::automatic, std::string_view("auto")},
                                std::pair{MechanismKind::optimal, std::string_view("optimal")},
                                std::pair{MechanismKind::grouped, std::string_view("grouped")},
                                std::pair{MechanismKind::k_norm, std::string_view("k-norm")},
                                std::pair{MechanismKind::laplace, std::string_view("laplace")}};

using mobility::Start;
constexpr std::array starts{std::pair{Start::as_given, std::string_view("model")},
                            std::pair{Start::uniform, std::string_view("uniform")},
                            std::pair{Start::stationary, std::string_view("stationary")}};

constexpr std::array repairs{std::pair{Repair::none, std::string_view("none")},
                             std::pair{Repair::nearest, std::string_view("nearest")},
                             std::pair{Repair::least_area, std::string_view("least-area")},
                             std::pair{Repair::partners, std::string_view("partners")}};

ProtectedPart part_from(std::string_view text) {
  for (const ProtectedPart part : {ProtectedPart::step, ProtectedPart::sequence})
    if (to_string(part) == text) return part;
  throw InvalidOption("protects", "is step or sequence");
}

/// "2.72 times", a bound and hence rounded up.
std::string times(const Rational& epsilon) {
  const double factor = std::exp(epsilon.to_double());
  if (factor >= 1000) return fmt::format("exp({}) times", epsilon.to_string());
  return fmt::format("{:g} times", std::ceil(factor * 100) / 100);
}

}  // namespace

std::string_view to_string(Finish finish) {
  return finish == Finish::raw ? "raw" : finish == Finish::smoothed ? "smoothed" : "estimate";
}

Finish finish_from(std::string_view text) {
  for (const Finish finish : {Finish::estimate, Finish::smoothed, Finish::raw})
    if (to_string(finish) == text) return finish;
  throw InvalidOption("answer", "is estimate, smoothed or raw");
}

std::string_view to_string(ProtectedPart part) {
  return part == ProtectedPart::sequence ? "sequence" : "step";
}

std::string_view to_string(MechanismKind kind) {
  return std::ranges::find(mechanisms, kind, [](const auto& item) { return item.first; })->second;
}

MechanismKind mechanism_from(std::string_view text) {
  const auto found = std::ranges::find(mechanisms, text, [](const auto& item) { return item.second; });
  if (found == mechanisms.end())
    throw InvalidOption("mechanism", "is auto, optimal, grouped, k-norm or laplace");
  return found->first;
}

std::string_view to_string(mobility::Start start) {
  return std::ranges::find(starts, start, [](const auto& item) { return item.first; })->second;
}

mobility::Start start_from(std::string_view text) {
  const auto found = std::ranges::find(starts, text, [](const auto& item) { return item.second; });
  if (found == starts.end()) throw InvalidOption("start", "is model, uniform or stationary");
  return found->first;
}

std::string_view to_string(Repair repair) {
  return std::ranges::find(repairs, repair, [](const auto& item) { return item.first; })->second;
}

Repair repair_from(std::string_view text) {
  const auto found = std::ranges::find(repairs, text, [](const auto& item) { return item.second; });
  if (found == repairs.end())
    throw InvalidOption("repair", "is none, nearest, least-area or a file of partners");
  return found->first;
}

std::vector<std::string_view> mechanism_names() {
  std::vector<std::string_view> names;
  for (const auto& [kind, name] : mechanisms) names.push_back(name);
  return names;
}

StreamSetting StreamTerms::setting() const {
  StreamSetting setting{.epsilon = epsilon.value(), .mechanism = mechanism, .repair = repair};
  setting.delta = delta.to_double();
  if (!lattice_step.empty()) {
    const auto step = io::parse_double(lattice_step);
    if (!step || !(*step > 0)) throw InvalidOption("lattice-step", "must be a number above 0");
    setting.lattice_step = *step;
  }
  setting.table_states = table_states;
  setting.groups = groups;
  return setting;
}

Rational StreamTerms::epsilon_of_sequence() const {
  return part == ProtectedPart::sequence ? epsilon.value() * steps : epsilon.value();
}

std::string StreamTerms::unit() const {
  const bool whole = part == ProtectedPart::sequence;
  const std::string joined = fmt::format("{} that policy {} joins", whole ? "states" : "among those", policy);
  if (sequences_per_person == 0)
    return whole ? fmt::format("a sequence of at most {} steps, {}", steps, joined)
                 : fmt::format("one state of a sequence, {}", joined);
  return whole ? fmt::format("one person's sequences, at most {} of at most {} steps, {}",
                             sequences_per_person, steps, joined)
               : fmt::format("one state of each of one person's sequences, at most {}, {}",
                             sequences_per_person, joined);
}

privacy::Guarantee StreamTerms::guarantee() const {
  if (policy.size() > 100)
    throw InvalidOption("policy", "is longer than 100 characters; give its files shorter names");
  const bool whole = part == ProtectedPart::sequence;
  if (whole && !delta.is_zero())
    throw InvalidOption("protect", "sequence has no promise with `delta`: a state may fall out of the set");
  if (sequences_per_person > most_sequences_per_person)
    throw InvalidOption("per-person", "must lie between 1 and 1,000,000");
  const Rational total = epsilon_of_sequence() * std::max<std::uint64_t>(1, sequences_per_person);
  if (total > Rational(1000))
    throw InvalidOption(whole ? "steps" : "per-person",
                        whole && sequences_per_person > 0
                            ? "times `per-person` times epsilon is above 1,000, which promises nothing"
                            : "times epsilon is above 1,000, which promises nothing");
  const auto all = privacy::Guarantee::policy(privacy::Epsilon(total), unit(), privacy::Exactness::exact);
  // One state of each sequence is less than a person, and so are states that the policy joins where it does not join all; statements from before say nothing of
  // persons.
  const bool is_all =
      whole && sequences_per_person > 0 && persons != privacy::Persons::unsaid && joins_all_states();
  return is_all ? all.for_person() : all;
}

void StreamTerms::declare(privacy::ParameterTable& table) {
  table.value("epsilon_per_step", epsilon,
              "exact; the guarantee's epsilon is this times `steps` times `sequences_per_person`, where they "
              "are there");
  table.value("policy", policy, "which states must look alike");
  table.word("repair", repair, repair_from, "what is done with states that the policy leaves alone");
  table.word("protects", part, part_from, "`step` or `sequence`");
  table.when(part == ProtectedPart::sequence)
      .value("steps", steps, "the most steps of a protected sequence, which are declared and charged");
  table.optional().value("sequences_per_person", sequences_per_person,
                         "how many sequences of a person the promise covers", {1, most_sequences_per_person});
  table.when(table.lists() || sequences_per_person > 0)
      .word("persons", persons, privacy::persons_from,
            "how persons are told apart: by a `column`, a `file`, or `declared`; not there, not said",
            std::optional(privacy::Persons::unsaid));
  table.when(table.lists() || sequences_per_person > 0 || part == ProtectedPart::sequence)
      .word("too_many", too_many, privacy::too_many_from,
            "`leave-out` where sequences and steps beyond those numbers were left out, and not refused",
            std::optional(privacy::TooMany::refuse));
  table.value("query", query_file, "the measurements, where they replace the model's");
  std::string first(initial_file ? std::string_view("file") : to_string(start));
  table.value("start", first, "the first state: `model`, `uniform`, `stationary` or a `file`");
  if (table.reads() && first == "file")
    initial_file.emplace();
  else if (table.reads())
    start = start_from(first);
  table.value("delta", delta, "probability that the states of a step may leave out");
  table.word("answer", finish, finish_from, "what is released: `estimate`, `smoothed` or `raw`");
  table.when(mechanism == MechanismKind::automatic)
      .value("table_states", table_states, "up to so many states a step is drawn from the best table",
             {2, 100'000});
  table.optional().value("groups", groups, "of the states, where they are drawn by groups", {2, 1000});
  table.optional().value("lattice_step", lattice_step, "of the noise, where it was given");
  table.value("goes_on_from", begin_file,
              "the saved public state, the last public input; that release was charged by itself");
}

std::vector<privacy::ParameterTable::Listed> StreamTerms::listed() {
  StreamTerms any{.epsilon = {1, 1}};
  return privacy::list_parameters(any);
}

nlohmann::ordered_json StreamTerms::parameters() const {
  return privacy::parameters_of(*this);
}

std::vector<privacy::PublicInput> StreamTerms::public_inputs() const {
  std::vector<privacy::PublicInput> inputs{model};
  for (const auto& file : {query_file, initial_file}) {
    if (file) inputs.push_back(*file);
  }
  inputs.insert(inputs.end(), policy_files.begin(), policy_files.end());
  for (const auto& file : {partners_file, begin_file}) {
    if (file) inputs.push_back(*file);
  }
  return inputs;
}

std::vector<std::string> StreamTerms::promise() const {
  const std::string at_step = fmt::format(
      "At each step, whatever is released is at most {} as likely from one state as from another that policy "
      "{} "
      "joins with it, if {}, all other steps being the same.",
      times(epsilon.value()), policy,
      delta.is_zero() ? "the model and the answers before leave both possible"
                      : "both are among the likely states of the step");
  std::vector<std::string> sentences{at_step};
  if (part == ProtectedPart::sequence) {
    sentences.push_back(fmt::format(
        "Two sequences that are both possible by the model, whose states are the same or joined at every one "
        "of at most {} steps: at most {}.",
        steps, times(epsilon_of_sequence())));
  }
  if (sequences_per_person > 0) {
    sentences.push_back(fmt::format(
        "A person has at most {} sequences here: all that is released of them together, {} of each of them "
        "being changed so, is at most {} as likely.",
        sequences_per_person, part == ProtectedPart::sequence ? "all states" : "one state",
        times(guarantee().epsilon())));
    if (persons != privacy::Persons::unsaid)
      sentences.push_back(privacy::how_told_apart(persons, "sequences"));
  }
  if (repair != Repair::none) {
    sentences.push_back(
        "A state that the policy leaves with no other to be taken for is joined with a partner at that step, "
        "as long as "
        "another state is possible at all.");
  }
  sentences.push_back(
      "This holds against anybody, whatever they know, as long as nobody can predict the random bits "
      "(ChaCha20 under a "
      "key of the operating system).");
  if (finish != Finish::raw) {
    sentences.push_back(
        "What was drawn is made into estimates from drawn answers and public things alone, which takes "
        "nothing from the "
        "promise.");
  }
  return sentences;
}

std::vector<std::string> StreamTerms::not_protected() const {
  std::vector<std::string> sentences{
      "States that the policy does not join: an answer may tell them apart for certain, and which connected "
      "part of the "
      "policy a state lies in may be told at every step.",
      part == ProtectedPart::step
          ? "Steps together: the promise and the charge are for one state, however many follow; k of them "
            "add "
            "up to k times epsilon for states that are joined at each, and the outcome gives the sum for any "
            "two sequences that are possible by the model."
          : fmt::format(
                "More than {} steps: the promise and the charge are for so many, whether they are "
                "released or not; the outcome gives the sum for any two sequences that are possible by "
                "the model.",
                steps),
      sequences_per_person == 0
          ? "Several sequences of one person together, the same one given again among them: k of them add up "
            "to k times epsilon."
          : "What else is released of the same person, here under another name or elsewhere: it adds up.",
      "What follows from the movement itself: answers before and after tell about a state too, as the model "
      "links them.",
      "The model, the policy and where the sequence may begin: they are taken to be public, and whatever "
      "they tell of "
      "anybody is told.",
      "How many sequences and steps there are, and in which order."};
  if (persons == privacy::Persons::declared) sentences.push_back(privacy::what_nobody_counted("sequences"));
  if (too_many == privacy::TooMany::leave_out)
    sentences.push_back(
        "Which sequences and steps come after those that were declared, and how many: they are left out.");
  if (delta.is_zero()) {
    sentences.push_back(
        "States that the model calls impossible: they are released as the nearest possible one, and only "
        "protected as that one is.");
  } else {
    sentences.push_back(
        fmt::format("States outside the fewest that hold {} of the probability: they are released as the "
                    "nearest of these, and only protected as that one is.",
                    (Rational(1) - delta).to_string()));
  }
  if (repair == Repair::none)
    sentences.push_back("States that the policy leaves exposed at a step: nothing hides them there.");
  if (begin_file)
    sentences.push_back(
        "The release that this one goes on from: each is charged by itself, and what they tell of one person "
        "adds up.");
  sentences.push_back("How long the release took.");
  return sentences;
}

privacy::Statement StreamTerms::draft() const {
  return {.kind = "stream",
          .mechanism = std::string(to_string(mechanism)),
          .form = privacy::Form::sound,
          .guarantee = guarantee(),
          .parameters = parameters(),
          .outcome = {},
          .public_inputs = public_inputs(),
          .outputs = {},
          .ledger = privacy::NoLedgerEntry{"not charged yet"},
          .version = std::string(version),
          .randomness = random::Source::operating_system,
          .expected_error = std::nullopt,
          .not_protected = not_protected(),
          .promise = promise()};
}

StreamTerms terms_from(const privacy::Statement& statement) {
  if (statement.kind != "stream") throw InvalidOption("kind", "is not stream");
  const Json& parameters = statement.parameters.json();
  StreamTerms terms{.mechanism = mechanism_from(statement.mechanism), .epsilon = {1, 1}};
  privacy::read_parameters(parameters, terms);
  if (!(terms.delta < Rational(1))) throw InvalidOption("delta", "must be below 1");
  privacy::InputFiles files(statement.public_inputs);
  terms.model = files.next();
  files.fill(terms.query_file);
  if (terms.initial_file) terms.initial_file = files.next();
  for (const std::string& name : PolicyText::parse(terms.policy).files()) {
    terms.policy_files.push_back(files.next());
    if (terms.policy_files.back().name != name)
      throw InvalidOption("public_inputs", "lack a file of the policy");
  }
  if (terms.repair == Repair::partners) terms.partners_file = files.next();
  files.fill(terms.begin_file);
  files.require_all_used();
  terms.setting();  // throws for what is out of range
  privacy::require_spelling(parameters, terms.parameters());
  return terms;
}

}  // namespace fogline::stream
