// SPDX-License-Identifier: Apache-2.0
#include "cli/stream_block.hpp"

#include <algorithm>
#include <array>

namespace fogline::cli {
namespace {

constexpr std::array<std::string_view, 3> repairs{"none", "nearest", "least-area"};

bool is_partners(const std::string& repair) {
  return std::ranges::find(repairs, repair) == repairs.end();
}

}  // namespace

void ModelBlock::declare(OptionSet& options) {
  options.group("Model and mechanism");
  options.value("--model", "FILE", model, "PUBLIC model: .json of stream learn, or CSV from,to,probability")
      .required();
  options.value("--query", "FILE", query, "PUBLIC measurement of each state: CSV state and 1 to 8 columns");
  options.value("--initial", "FILE", initial,
                "PUBLIC first state: CSV state,probability; or uniform, or stationary");
}

bool ModelBlock::initial_is_file() const {
  return !initial.empty() && initial != "uniform" && initial != "stationary";
}

mobility::ModelFiles ModelBlock::named() const {
  return {.model = model,
          .query = query,
          .initial = initial_is_file() ? initial : std::string(),
          .start =
              initial.empty() || initial_is_file() ? mobility::Start::as_given : stream::start_from(initial)};
}

std::vector<std::string> ModelBlock::files() const {
  std::vector<std::string> all{model};
  if (!query.empty()) all.push_back(query);
  if (initial_is_file()) all.push_back(initial);
  return all;
}

void StreamBlock::declare(OptionSet& options) {
  model.declare(options);
  options
      .value("--policy", "P", policy, "complete, util:D, transition, category:FILE, file:FILE, joined by +")
      .required();
  options.value("--epsilon", "E", epsilon, "privacy parameter for each step").required();
  std::vector<std::string> names;
  for (const auto name : stream::mechanism_names()) names.emplace_back(name);
  options.value("--mechanism", "NAME", mechanism, "how a step is drawn").choices(names);
  options.value("--repair", "HOW", repair,
                "partner of exposed states: none, nearest, least-area (default), or a PUBLIC file");
  options.value("--delta", "D", delta, "leave out states that together hold this probability (0)");
  options.value("--lattice-step", "S", lattice_step, "PUBLIC rounding of measurements (1 m for places)");
  options.value("--table-states", "N", table_states,
                "auto: tables up to so many possible states, k-norm above (100)");
  options.value("--groups", "N", groups,
                "auto, grouped: so many groups of states (as many as take milliseconds)");
}

stream::StreamTerms StreamBlock::terms() const {
  stream::StreamTerms terms{.mechanism = stream::mechanism_from(mechanism),
                            .epsilon = privacy::Epsilon::parse(epsilon)};
  const auto parsed = stream::PolicyText::parse(policy);
  terms.policy = parsed.text();
  terms.model = public_file(model.model);
  if (!model.query.empty()) terms.query_file = public_file(model.query);
  if (model.initial_is_file()) terms.initial_file = public_file(model.initial);
  terms.start = model.named().start;
  for (const std::string& file : parsed.files()) terms.policy_files.push_back(public_file(file));
  terms.repair = is_partners(repair) ? stream::Repair::partners : stream::repair_from(repair);
  if (is_partners(repair)) terms.partners_file = public_file(repair);
  if (!delta.empty()) {
    const auto value = Rational::parse(delta);
    if (!value || !(*value < Rational(1)))
      throw InvalidOption("--delta", "must be a number from 0, below 1, such as 0.01");
    terms.delta = *value;
  }
  terms.lattice_step = lattice_step;
  const bool automatic = terms.mechanism == stream::MechanismKind::automatic;
  if (table_states > 0 && !automatic) throw InvalidOption("--table-states", "belongs to --mechanism auto");
  if (groups > 0 && !automatic && terms.mechanism != stream::MechanismKind::grouped)
    throw InvalidOption("--groups", "belongs to --mechanism auto or grouped");
  if (table_states > 0) terms.table_states = table_states;
  terms.groups = groups;
  terms.setting();  // throws for what is out of range
  return terms;
}

stream::StreamFiles StreamBlock::named() const {
  return {.model = model.named(),
          .policy = stream::PolicyText::parse(policy),
          .partners = is_partners(repair) ? repair : std::string()};
}

std::vector<std::string> StreamBlock::files() const {
  std::vector<std::string> all = model.files();
  for (const std::string& file : stream::PolicyText::parse(policy).files()) all.push_back(file);
  if (is_partners(repair)) all.push_back(repair);
  return all;
}

void warn_of_numbers(Session& session, const mobility::StateSpace& space) {
  if (space.columns != std::vector<std::string>{"number"}) return;
  session.warn(
      "the model measures its states by their numbers, and so are errors; --query gives them measurements "
      "that mean "
      "something");
}

}  // namespace fogline::cli
