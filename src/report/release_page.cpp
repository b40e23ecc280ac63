// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "audit/statements/recompute_parts.hpp"
#include "base/error.hpp"
#include "privacy/plain_words.hpp"
#include "report/release_view.hpp"

namespace fogline::report {
namespace {

using privacy::Outcome;

std::string text_of(const nlohmann::ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void append(std::vector<Section>& to, std::vector<Section> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::size_t count(const ReleaseView& view, Outcome outcome) {
  return static_cast<std::size_t>(std::ranges::count(view.checks, outcome, &privacy::Check::outcome));
}

/// Steps of a stream at which some possible state was joined with no other, and nothing was done about it: the promise is empty for them.
std::uint64_t steps_left_bare(const privacy::Statement& statement) {
  const auto& parameters = statement.parameters.json();
  const auto& outcome = statement.outcome.json();
  if (statement.kind != "stream" || parameters.value("repair", "") != "none") return 0;
  return outcome.value("exposed_steps", std::uint64_t{0});
}

/// What all steps of a stream add up to, which one step's promise does not say; empty for everything else.
std::string whole_sequence(const privacy::Statement& statement) {
  const auto& outcome = statement.outcome.json();
  if (statement.kind != "stream" || statement.parameters.json().value("protects", "step") == "sequence" ||
      !outcome.contains("epsilon_of_joined_sequences"))
    return "";
  return fmt::format(
      "This is for one step. Steps add up: two whole sequences that are joined at every step are held apart "
      "by "
      "epsilon {} in all.",
      text_of(outcome["epsilon_of_joined_sequences"]));
}

Words verdict(const ReleaseView& view) {
  const auto warning = [](std::string sentence) {
    return Words{.tone = Words::Tone::warning, .paragraphs = {std::move(sentence)}};
  };
  if (count(view, Outcome::failed) > 0) {
    std::vector<std::string> names;
    for (const privacy::Check& check : view.checks)
      if (check.outcome == Outcome::failed) names.push_back(check.name);
    return warning(fmt::format("A check of this release failed: do not rely on it. What failed: {}.",
                               fmt::join(names, ", ")));
  }
  if (view.statement.guarantee.notion() == privacy::Notion::none)
    return warning(fmt::format("Nothing is promised: {}", view.statement.guarantee.reason()));
  if (!view.holds()) return warning("The guarantee was not recomputed here: it is claimed, and not checked.");
  Words words{.tone = Words::Tone::promise,
              .paragraphs = privacy::plain_words(view.statement.guarantee).promised};
  if (const std::uint64_t bare = steps_left_bare(view.statement); bare > 0) {
    words.tone = Words::Tone::warning;
    words.paragraphs.insert(
        words.paragraphs.begin(),
        fmt::format("At {} steps the policy joined some possible state with no other, and nothing was "
                    "done about it: there an answer may tell the state for certain. What is promised "
                    "holds between joined states alone:",
                    bare));
  }
  if (const std::string whole = whole_sequence(view.statement); !whole.empty())
    words.paragraphs.push_back(whole);
  if (const std::size_t open = count(view, Outcome::not_checked); open > 0)
    words.paragraphs.push_back(fmt::format("No check failed; {} could not be made here (see Checks).", open));
  return words;
}

Section budget(const ReleaseView& view) {
  Section section{.title = "Budget"};
  const auto* entry = std::get_if<privacy::LedgerReference>(&view.statement.ledger);
  if (entry == nullptr) {
    section.blocks.push_back(
        Words{.tone = Words::Tone::warning,
              .paragraphs = {fmt::format("This release is in no ledger: {}",
                                         std::get<privacy::NoLedgerEntry>(view.statement.ledger).reason)}});
    return section;
  }
  if (!view.book) {
    section.blocks.push_back(
        Words{.paragraphs = {
                  fmt::format("Charged as entry {} to dataset \"{}\". The ledger is not at hand, so what the "
                              "dataset has spent in all is not shown unless it is named.",
                              entry->entry, entry->dataset)}});
    return section;
  }
  const privacy::Guarantee& guarantee = view.statement.guarantee;
  const privacy::MeasureTotal& total = view.book->total(guarantee.measure());
  BudgetBar bar{.dataset = entry->dataset,
                .measure = guarantee.measure() == privacy::EpsilonMeasure::per_metre ? "per metre" : "",
                .spent = total.spent.to_string(),
                .spent_number = total.spent.to_double(),
                .this_release_number = guarantee.epsilon().to_double()};
  if (total.cap) {
    bar.cap = total.cap->to_string();
    bar.cap_number = total.cap->to_double();
  }
  section.blocks.push_back(bar);
  section.blocks.push_back(
      Words{.list = true, .paragraphs = privacy::total_words(entry->dataset, *view.book, guarantee)});
  return section;
}

Section checks(const ReleaseView& view) {
  Table table{.caption = "What was checked, and with what outcome",
              .columns = {"check", "outcome", "finding"}};
  for (const privacy::Check& check : view.checks)
    table.rows.push_back({check.name, std::string(to_string(check.outcome)), for_page(view, check.sentence)});
  return {
      .title = "Checks",
      .note =
          "As a verification makes them. They cannot show that the output was drawn by the mechanism, nor "
          "that the data were not released elsewhere.",
      .blocks = {std::move(table)}};
}

Section parameters(const ReleaseView& view) {
  const privacy::Statement& statement = view.statement;
  Fields fields;
  const auto add = [&](const std::string& name, const std::string& value) {
    fields.rows.emplace_back(name, value);
  };
  add("mechanism",
      fmt::format("{} {}, {} form", statement.kind, statement.mechanism, to_string(statement.form)));
  add("guarantee", to_string(statement.guarantee));
  for (const auto& item : statement.parameters.json().items()) add(item.key(), text_of(item.value()));
  for (const auto& item : statement.outcome.json().items())
    add("outcome: " + item.key(), text_of(item.value()));
  for (const privacy::PublicInput& input : statement.public_inputs)
    add("public: " + input.name, input.sha256.empty() ? input.specification : "sha256 " + input.sha256);
  for (const privacy::ReleasedFile& output : statement.outputs)
    add("released: " + output.name,
        fmt::format("{} record{}, sha256 {}", output.records, output.records == 1 ? "" : "s", output.sha256));
  add("randomness", std::string(privacy::to_string(statement.randomness)));
  add("version", statement.version);
  return {.title = "The statement", .note = "All of it is public.", .blocks = {std::move(fields)}};
}

}  // namespace

std::string ReleaseView::released_file() const {
  // Trips come with their counts; others are one file, or parts that lie elsewhere.
  const std::size_t expected = statement.kind == "traces" && statement.form == privacy::Form::sound ? 2 : 1;
  if (statement.outputs.empty() || statement.outputs.size() > expected)
    throw audit::NotAtHand{"the statement names not one released file"};
  return audit::at_hand(statement.outputs.front().name, statement.outputs.front().sha256, files);
}

std::string for_page(const ReleaseView& view, std::string sentence) {
  std::vector<std::string> names;
  for (const auto& input : view.statement.public_inputs) names.push_back(input.name);
  for (const auto& output : view.statement.outputs) names.push_back(output.name);
  for (const std::string& name : names) {
    const std::string path = privacy::place_of(name, view.files.folder, view.files.files);
    for (std::size_t at = sentence.find(path); path != name && at != std::string::npos;
         at = sentence.find(path, at + name.size()))
      sentence.replace(at, path.size(), name);
  }
  std::erase(sentence, '`');
  return sentence;
}

bool ReleaseView::passed(const std::string& check) const {
  return std::ranges::any_of(checks, [&](const privacy::Check& made) {
    return made.name == check && made.outcome == Outcome::passed;
  });
}

bool ReleaseView::holds() const {
  return statement.guarantee.notion() != privacy::Notion::none && passed("guarantee") &&
         count(*this, Outcome::failed) == 0;
}

Section missing_section(const std::string& title, const std::string& why) {
  return {.title = title,
          .blocks = {Words{
              .tone = Words::Tone::warning,
              .paragraphs = {fmt::format("Not shown: {}.", why),
                             "Public files that lie elsewhere can be named when the report is made."}}}};
}

Section left_out_section(const std::string& title, const std::string& why) {
  return {.title = title, .blocks = {Words{.paragraphs = {fmt::format("Not shown: {}.", why)}}}};
}

std::vector<Section> promise_sections(const ReleaseView& view) {
  const privacy::PlainWords words = privacy::plain_words(view.statement.guarantee);
  Section promise{.title = view.holds() ? "What is promised" : "What is claimed", .blocks = {verdict(view)}};
  if (view.holds()) promise.blocks.push_back(Words{.list = true, .paragraphs = words.to_whom});
  // The releaser's own sentences are shown only if they are the mechanism's.
  if (view.holds() && view.passed("words"))
    promise.blocks.push_back(Words{
        .paragraphs = {fmt::format("In the releaser's words: {}", fmt::join(view.statement.promise, " "))}});
  Section open{.title = "What is not promised"};
  open.blocks.push_back(Words{.list = true, .paragraphs = words.not_promised});
  if (view.passed("words"))
    open.blocks.push_back(Words{.list = true, .paragraphs = view.statement.not_protected});
  else
    open.blocks.push_back(Words{
        .paragraphs = {"What the releaser says of it could not be checked, and is not repeated here."}});
  std::vector<Section> sections{std::move(promise), std::move(open), budget(view)};
  if (const auto& error = view.statement.expected_error)
    sections.push_back({.title = "Expected error",
                        .blocks = {Words{.paragraphs = {fmt::format("{:.4g} {}: {}.", error->value,
                                                                    error->unit, error->method)}}}});
  return sections;
}

std::vector<Section> record_sections(const ReleaseView& view) {
  return {checks(view), parameters(view)};
}

namespace {

std::vector<Section> pictures_of(const KindPages& kind, const ReleaseView& view, Document& document) {
  try {
    return kind.sections(view, document);
  } catch (const audit::NotAtHand& reason) {
    return {missing_section("Pictures", for_page(view, reason.why))};
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    if (!view.original.empty()) throw;  // whoever gave it should hear of it
    return {left_out_section("Pictures", for_page(view, error.what()))};
  }
}

}  // namespace

Page release_page(const ReleaseView& view, const KindPages* kind, Document& document) {
  const privacy::Statement& statement = view.statement;
  const std::string file = statement.outputs.empty() ? "a release" : statement.outputs.front().name;
  Page page{
      .id = view.id,
      .title = file,
      .kind = statement.kind,
      .lead = fmt::format(
          "{} of {}, by {}.",
          statement.form == privacy::Form::sound ? "A release" : "A release in a paper's form",
          kind == nullptr ? "something this version does not know" : kind->protects, statement.mechanism)};
  // The first picture stands right below the promise; what is not promised, and what it cost, before all others.
  std::vector<Section> words = promise_sections(view);
  std::vector<Section> pictures =
      kind == nullptr ? std::vector<Section>() : pictures_of(*kind, view, document);
  page.sections.push_back(std::move(words.front()));
  words.erase(words.begin());
  if (!pictures.empty()) {
    page.sections.push_back(std::move(pictures.front()));
    pictures.erase(pictures.begin());
  }
  append(page.sections, std::move(words));
  append(page.sections, std::move(pictures));
  append(page.sections, record_sections(view));
  return page;
}

}  // namespace fogline::report
