// SPDX-License-Identifier: Apache-2.0
#include "release/stream_fields.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/grouped.hpp"
#include "stream/saved_state.hpp"

namespace fogline::release {
namespace {

constexpr std::array<std::string_view, 3> repairs{"none", "nearest", "least-area"};

bool is_partners(const std::string& repair) {
  return std::ranges::find(repairs, repair) == repairs.end();
}

}  // namespace

void ModelFields::declare(FieldTable& table) {
  table.group("Model and mechanism");
  table.value("model", "FILE", model, "PUBLIC model: .json of stream learn, or CSV of transitions")
      .role(FieldRole::public_input)
      .required();
  table.value("query", "FILE", query, "PUBLIC measurement of each state: CSV state and 1 to 8 columns")
      .role(FieldRole::public_input)
      .stated("query");
  table
      .value("initial", "FILE", initial,
             "PUBLIC first state: CSV state,probability; or uniform, or stationary")
      .role(FieldRole::public_input)
      .stated("start");
}

bool ModelFields::initial_is_file() const {
  return !initial.empty() && initial != "uniform" && initial != "stationary";
}

mobility::ModelFiles ModelFields::named() const {
  return {.model = model,
          .query = query,
          .initial = initial_is_file() ? initial : std::string(),
          .start =
              initial.empty() || initial_is_file() ? mobility::Start::as_given : stream::start_from(initial)};
}

std::vector<std::string> ModelFields::files() const {
  std::vector<std::string> all{model};
  if (!query.empty()) all.push_back(query);
  if (initial_is_file()) all.push_back(initial);
  return all;
}

void StreamFields::declare(FieldTable& table) {
  model.declare(table);
  table.value("policy", "P", policy, "complete, util:D, transition, category:FILE, file:FILE, A+B")
      .role(FieldRole::public_input)
      .required()
      .stated("policy");
  table.value("epsilon", "E", epsilon, "privacy parameter for each step")
      .required()
      .above("0", "1000")
      .stated("epsilon_per_step");
  std::vector<std::string> names;
  for (const auto name : stream::mechanism_names()) names.emplace_back(name);
  table.value("mechanism", "NAME", mechanism, "how a step is drawn").choices(names);
  table.value("repair", "HOW", repair, "exposed states: none, nearest, least-area (default), a PUBLIC file")
      .role(FieldRole::public_input)
      .stated("repair");
  table.value("delta", "D", delta, "leave out states that together hold this probability")
      .otherwise("0")
      .below("0", "1")
      .stated("delta");
  table.value("lattice-step", "S", lattice_step, "PUBLIC rounding of measurements (1 m for places)")
      .rare()
      .above("0", "")
      .stated("lattice_step");
  table.value("table-states", "N", table_states, "auto: tables up to so many possible states, k-norm above")
      .otherwise("100")
      .rare()
      .nonzero()
      .range("2", "100000")
      .stated("table_states");
  table.value("groups", "N", groups, "auto, grouped: so many groups of states (as many as take milliseconds)")
      .nonzero()
      .range("2", "1000")
      .stated("groups");
}

stream::StreamTerms StreamFields::terms() const {
  stream::StreamTerms terms{.mechanism = stream::mechanism_from(mechanism),
                            .epsilon = epsilon_in<privacy::Epsilon>(epsilon, "epsilon")};
  const auto parsed = stream::PolicyText::parse(policy);
  terms.policy = parsed.text();
  terms.model = public_file(model.model);
  if (!model.query.empty()) terms.query_file = public_file(model.query);
  if (model.initial_is_file()) terms.initial_file = public_file(model.initial);
  terms.start = model.named().start;
  for (const std::string& file : parsed.files()) terms.policy_files.push_back(public_file(file));
  terms.repair = is_partners(repair) ? stream::Repair::partners : stream::repair_from(repair);
  if (is_partners(repair)) terms.partners_file = public_file(repair);
  if (!delta.empty()) terms.delta = *Rational::parse(delta);
  terms.lattice_step = lattice_step;
  const bool automatic = terms.mechanism == stream::MechanismKind::automatic;
  if (table_states > 0 && !automatic) throw InvalidOption("table-states", "belongs to `mechanism` auto");
  if (groups > 0 && !automatic && terms.mechanism != stream::MechanismKind::grouped)
    throw InvalidOption("groups", "belongs to `mechanism` auto or grouped");
  if (table_states > 0) terms.table_states = table_states;
  terms.groups = groups;
  terms.setting();  // throws for what is out of range
  return terms;
}

stream::StreamFiles StreamFields::named() const {
  return {.model = model.named(),
          .policy = stream::PolicyText::parse(policy),
          .partners = is_partners(repair) ? repair : std::string()};
}

std::vector<std::string> StreamFields::files() const {
  std::vector<std::string> all = model.files();
  for (const std::string& file : stream::PolicyText::parse(policy).files()) all.push_back(file);
  if (is_partners(repair)) all.push_back(repair);
  return all;
}

void StreamReleaseFields::declare(FieldTable& table) {
  stream.declare(table);
  table.value("answer", "HOW", answer, "made of the draws; estimate if not given")
      .choices({"estimate", "smoothed", "raw"})
      .stated("answer");
  table.value("protect", "WHAT", protect, "what is charged for without `persons`; step if not given")
      .choices({"step", "sequence"})
      .stated("protects");
  table.value("steps", "N", steps, "PUBLIC: of a sequence at most, for whole sequences; costs N times")
      .nonzero()
      .stated("steps");
  persons.declare(table, "sequences", "1000000", "sequences_per_person");
  persons.declare_too_many(table, "sequences and steps");
  table
      .value("sequences-per-person", "K", sequences_per_person,
             "promise for all of a person's sequences, or one state of each; old: `persons` column "
             "`per-person` K")
      .rare()
      .nonzero()
      .range("1", "1000000")
      .stated("sequences_per_person");
  table.value("resume", "FILE", resume, "go on from a public state that was saved")
      .role(FieldRole::public_input)
      .stated("goes_on_from");
}

PersonFields::Bound StreamReleaseFields::bound() const {
  return persons.bound("sequences-per-person", sequences_per_person);
}

stream::StreamTerms StreamReleaseFields::terms(bool is_guarded) const {
  const PersonFields::Bound of_person = bound();
  // A person is protected with all states of all sequences.
  const bool whole = protect == "sequence" || (of_person.most > 0 && sequences_per_person == 0);
  if (steps > 0 && !whole) throw InvalidOption("steps", "belongs to `persons` and `protect` sequence");
  if (steps == 0 && whole)
    throw InvalidOption(
        "steps",
        "is needed to protect whole sequences: what is charged is settled before a private state "
        "is read; declare the most steps that a sequence may have");
  stream::StreamTerms terms = stream.terms();
  if (is_guarded && !terms.joins_all_states())
    throw InvalidOption("policy",
                        "is complete with `guarded`: states that it does not join would be told apart for "
                        "certain, at any epsilon");
  terms.finish = stream::finish_from(answer);
  terms.part = whole ? stream::ProtectedPart::sequence : stream::ProtectedPart::step;
  terms.steps = steps;
  terms.sequences_per_person = of_person.most;
  terms.persons = of_person.persons;
  if (whole || of_person.most > 0)
    terms.too_many = persons.rule(is_guarded);
  else if (!persons.too_many.empty())
    throw InvalidOption("too-many", "needs `per-person` or `steps` to go beyond");
  if (!resume.empty()) terms.begin_file = public_file(resume);
  terms.guarantee();  // throws for what cannot be promised
  return terms;
}

std::vector<std::string> StreamReleaseFields::files() const {
  std::vector<std::string> all = stream.files();
  if (!resume.empty()) all.push_back(resume);
  return all;
}

std::optional<stream::Tracker::Saved> StreamReleaseFields::begin(const stream::StreamTerms& terms,
                                                                 std::optional<std::uint64_t> seed) const {
  if (resume.empty()) return std::nullopt;
  stream::SavedStream saved = stream::read_saved(resume, terms.model.sha256);
  if (saved.seeded && !seed)
    throw InvalidOption("resume", "was saved by a run with a fixed seed, whose answers are not private");
  return std::move(saved.state);
}

std::string cost_of(const stream::StreamTerms& terms) {
  const bool whole = terms.part == stream::ProtectedPart::sequence;
  if (!whole && terms.sequences_per_person == 0) return "";
  std::string text = terms.epsilon.value().to_string() + " a step";
  if (whole) text += fmt::format(", {} steps", grouped(terms.steps));
  if (terms.sequences_per_person > 0)
    text += fmt::format(", {} sequences a person", grouped(terms.sequences_per_person));
  return text;
}

Worth worth_of(const stream::StreamTerms& terms, const stream::PublicStream& stream,
               const stream::Forecast& expected) {
  return {.error = expected.error_of(terms.finish),
          .free_error = expected.unpaid_error,
          .unit = stream.model().space.is_places() ? " m" : ""};
}

void warn_of_numbers(Caller& caller, const mobility::StateSpace& space) {
  if (space.columns != std::vector<std::string>{"number"}) return;
  caller.warn(
      "the model measures its states by their numbers, and so are errors; `query` gives them measurements "
      "that mean "
      "something");
}

}  // namespace fogline::release
