// SPDX-License-Identifier: Apache-2.0
#include "privacy/ledger_entry.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "privacy/file_hash.hpp"
#include "privacy/plain_text.hpp"

namespace fogline::privacy {
namespace {

constexpr std::size_t longest_name = 200, longest_acceptance = 500;
constexpr std::int64_t longest_window_s = 366 * 86'400;
constexpr std::uint64_t largest_cap = 1'000'000, largest_refusals = 1'000'000;
constexpr std::int64_t latest_time = 253'402'300'799;

std::string fraction_text(const Rational& value) {
  return fmt::format("{}/{}", value.numerator(), value.denominator());
}

Rational fraction_from(std::string_view column, const std::string& text) {
  const auto value = Rational::parse(text);
  if (!value || fraction_text(*value) != text) {
    throw InvalidOption(column, "is not a fraction in lowest terms");
  }
  return *value;
}

EntryType type_from(std::string_view text) {
  for (const EntryType type :
       {EntryType::charge, EntryType::seeded_run, EntryType::cap, EntryType::settlement, EntryType::refusal,
        EntryType::dataset, EntryType::anchor, EntryType::acceptance, EntryType::refusals,
        EntryType::subjects}) {
    if (to_string(type) == text) return type;
  }
  throw InvalidOption("event",
                      "is none of: charge, seeded run, cap, settled, refused, dataset, anchor, accepted, "
                      "refusals, subjects");
}

/// What an entry says that is about all of a person, and, of a charge, that who asked may not know the records: nothing else stands there.
std::string cover_details(PersonCover cover, bool is_guarded = false) {
  nlohmann::ordered_json details = nlohmann::ordered_json::object();
  if (cover != PersonCover::part) details["of_person"] = to_string(cover);
  if (is_guarded) details["guarded"] = true;
  return details.empty() ? "" : details.dump();
}

PersonCover cover_in(const EntryRow& row, bool is_guarded = false) {
  for (const PersonCover cover : {PersonCover::part, PersonCover::records, PersonCover::presence})
    if (row.details == cover_details(cover, is_guarded)) return cover;
  throw InvalidOption("details", "are not those of such an entry");
}

/// Whatever else stands there is compared with what cover_details() writes.
bool is_guarded_in(const EntryRow& row) {
  return row.details.ends_with("\"guarded\":true}");
}

Guarantee guarantee_from(const EntryRow& row) {
  Guarantee guarantee = Guarantee::from_parts(
      {notion_from(row.notion), fraction_from("epsilon", row.epsilon), fraction_from("delta", row.delta),
       row.unit, exactness_from(row.exactness), row.reason, cover_in(row, is_guarded_in(row))});
  if (guarantee.measure() != measure_from(row.measure)) {
    throw InvalidOption("measure", "contradicts the notion");
  }
  return guarantee;
}

void require_empty(std::initializer_list<const std::string*> columns, const char* what) {
  for (const auto* column : columns)
    if (!column->empty()) throw InvalidOption("event", what);
}

std::string details_of(const SubjectBlock& block) {
  return nlohmann::ordered_json{
      {"lines", block.lines}, {"sha256", block.sha256}, {"draft_sha256", block.draft_sha256}}
      .dump();
}

std::string details_of(const Settlement& settled) {
  return nlohmann::ordered_json{{"entry", settled.entry},
                                {"output_sha256", settled.output_sha256},
                                {"statement_sha256", settled.statement_sha256}}
      .dump();
}

/// What the JSON of an entry's details says. One entry has one text: nothing can stand in it that nobody reads.
template <class Read>
auto details_from(const EntryRow& row, const char* what, Read read) {
  std::optional<decltype(read(nlohmann::ordered_json()))> found;
  try {
    found = read(nlohmann::ordered_json::parse(row.details));
  } catch (const nlohmann::json::exception&) {
    throw InvalidOption("details", fmt::format("are not those of {}", what));
  }
  if (details_of(*found) != row.details) throw InvalidOption("details", "are not written as they must be");
  return *found;
}

SubjectBlock subjects_from(const EntryRow& row) {
  return details_from(row, "a block of subjects", [](const nlohmann::ordered_json& json) {
    return SubjectBlock{.lines = json.at("lines").get<std::uint64_t>(),
                        .sha256 = json.at("sha256").get<std::string>(),
                        .draft_sha256 = json.at("draft_sha256").get<std::string>()};
  });
}

constexpr auto window_member = "subject_window_s";

std::string details_of_window(std::int64_t window_s) {
  return nlohmann::ordered_json{{window_member, window_s}}.dump();
}

template <class Value>
Value member_from(const EntryRow& row, const char* name);

Cap cap_from(const EntryRow& row) {
  require_empty({&row.kind, &row.mechanism, &row.notion, &row.unit, &row.delta, &row.exactness, &row.reason,
                 &row.output, &row.version},
                "a cap holds a dataset, a measure and an epsilon only");
  if (row.details.find(window_member) != std::string::npos)
    return {.measure = measure_from(row.measure),
            .epsilon = fraction_from("epsilon", row.epsilon),
            .subject_window_s = member_from<std::int64_t>(row, window_member)};
  return {measure_from(row.measure), fraction_from("epsilon", row.epsilon),
          cover_in(row) == PersonCover::records};
}

Settlement settlement_from(const EntryRow& row) {
  return details_from(row, "a settlement", [](const nlohmann::ordered_json& json) {
    return Settlement{.entry = json.at("entry").get<std::uint64_t>(),
                      .output_sha256 = json.at("output_sha256").get<std::string>(),
                      .statement_sha256 = json.at("statement_sha256").get<std::string>()};
  });
}

/// What the JSON of a single member says; throws InvalidOption for any other text of it than details_of() writes.
template <class Value>
Value member_from(const EntryRow& row, const char* name) {
  try {
    const auto value = nlohmann::ordered_json::parse(row.details).at(name).get<Value>();
    if (nlohmann::ordered_json{{name, value}}.dump() == row.details) return value;
  } catch (const nlohmann::json::exception&) {  // as if it were another text
  }
  throw InvalidOption("details", "are not those of such an entry");
}

/// An entry that holds a dataset at most, and its details.
void require_details_only(const EntryRow& row) {
  require_empty({&row.kind, &row.mechanism, &row.notion, &row.unit, &row.epsilon, &row.measure, &row.delta,
                 &row.exactness, &row.reason, &row.output, &row.version},
                "it holds more than its details");
}

bool is_sha256(const std::string& text) {
  return text.size() == 64 && std::ranges::all_of(text, [](char digit) {
           return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
         });
}

void store(const Guarantee& guarantee, EntryRow& row) {
  row.notion = to_string(guarantee.notion());
  row.unit = guarantee.unit();
  row.epsilon = fraction_text(guarantee.epsilon());
  row.measure = to_string(guarantee.measure());
  row.delta = fraction_text(guarantee.delta());
  row.exactness = to_string(guarantee.exactness());
  row.reason = guarantee.reason();
}

}  // namespace

namespace {

constexpr std::string_view per_subject = " per subject in ";
constexpr std::int64_t window_minute_s = 60, window_hour_s = 3'600, window_day_s = 86'400;
constexpr auto window_units = std::to_array<std::pair<std::string_view, std::int64_t>>(
    {{" d", window_day_s}, {" h", window_hour_s}, {" min", window_minute_s}, {" s", 1}});

std::int64_t window_from(std::string_view text) {
  for (const auto& [unit, seconds] : window_units) {
    if (!text.ends_with(unit)) continue;
    const auto count = Rational::parse(text.substr(0, text.size() - unit.size()));
    const bool is_whole = count && count->denominator() == 1 && !count->is_zero();
    if (is_whole && count->numerator() <= static_cast<std::uint64_t>(longest_window_s / seconds))
      return static_cast<std::int64_t>(count->numerator()) * seconds;
  }
  throw InvalidOption("cap", "must name a window like '24 h', '30 min' or '7 d', up to 366 d");
}

/// In the largest unit of which it is a whole number, but a day is 24 h.
std::string window_text(std::int64_t window_s) {
  for (const auto& [unit, seconds] : window_units)
    if (window_s % seconds == 0 && window_s > (seconds == window_day_s ? window_day_s : 0))
      return fmt::format("{}{}", window_s / seconds, unit);
  return fmt::format("{} s", window_s);
}

}  // namespace

Cap Cap::parse(std::string_view text) {
  constexpr std::string_view begin = "epsilon ", per_metre = " per metre", per_person = " per person";
  Cap cap{EpsilonMeasure::plain, {}};
  std::string_view number = text;
  if (const std::size_t at = text.find(per_subject); at != std::string_view::npos) {
    cap.subject_window_s = window_from(text.substr(at + per_subject.size()));
    number = text.substr(0, at);
  }
  if (number.ends_with(per_person) && !cap.is_of_subjects()) {
    cap.of_person = true;
    number.remove_suffix(per_person.size());
  }
  if (number.ends_with(per_metre)) {
    cap.measure = EpsilonMeasure::per_metre;
    number.remove_suffix(per_metre.size());
  }
  const auto value = number.starts_with(begin) ? Rational::parse(number.substr(begin.size())) : std::nullopt;
  if (!value || *value > Rational(largest_cap))
    throw InvalidOption(
        "cap",
        "must be like 'epsilon 2', 'epsilon 0.5 per metre', 'epsilon 2 per person' or 'epsilon 0.1 per "
        "metre per subject in 24 h', with a number from 0 to 1,000,000");
  cap.epsilon = *value;
  return cap;
}

std::string to_string(const Cap& cap) {
  return fmt::format(
      "epsilon {}{}{}{}", cap.epsilon.to_string(),
      cap.measure == EpsilonMeasure::per_metre ? " per metre" : "", cap.of_person ? " per person" : "",
      cap.is_of_subjects() ? fmt::format("{}{}", per_subject, window_text(cap.subject_window_s)) : "");
}

std::string_view to_string(EntryType type) {
  switch (type) {
    case EntryType::charge:
      return "charge";
    case EntryType::seeded_run:
      return "seeded run";
    case EntryType::cap:
      return "cap";
    case EntryType::settlement:
      return "settled";
    case EntryType::refusal:
      return "refused";
    case EntryType::dataset:
      return "dataset";
    case EntryType::anchor:
      return "anchor";
    case EntryType::acceptance:
      return "accepted";
    case EntryType::subjects:
      return "subjects";
    case EntryType::refusals:
      break;
  }
  return "refusals";
}

bool is_of_the_whole_ledger(EntryType type) {
  return type == EntryType::anchor || type == EntryType::acceptance;
}

std::string hash_of(const EntryRow& row) {
  std::string text = fmt::format("{}\nsequence={}\ntime={}\n",
                                 row.details.empty() ? "fogline ledger entry 1" : "fogline ledger entry 2",
                                 row.sequence, row.time_unix_s);
  for (const auto& [name, member] : entry_columns) {
    const std::string& value = row.*member;
    text += fmt::format("{}={}:{}\n", name, value.size(), value);
  }
  if (!row.details.empty()) text += fmt::format("details={}:{}\n", row.details.size(), row.details);
  return sha256_of_text(text);
}

std::string genesis_hash(const std::string& ledger_id) {
  return sha256_of_text("fogline ledger 1\n" + ledger_id + "\n");
}

EntryRow to_row(const LedgerEntry& entry) {
  EntryRow row;
  row.sequence = static_cast<std::int64_t>(entry.number);
  row.time_unix_s = entry.time_unix_s;
  row.event = to_string(entry.type);
  row.dataset = entry.dataset;
  row.kind = entry.kind;
  row.mechanism = entry.mechanism;
  row.output = entry.output;
  row.version = entry.version;
  row.previous_hash = entry.previous_hash;
  row.hash = entry.hash;
  if (entry.guarantee) {
    store(*entry.guarantee, row);
    row.details = cover_details(entry.guarantee->cover(), entry.is_guarded);
  }
  if (entry.cap) {
    row.measure = to_string(entry.cap->measure);
    row.epsilon = fraction_text(entry.cap->epsilon);
    row.details = entry.cap->is_of_subjects()
                      ? details_of_window(entry.cap->subject_window_s)
                      : cover_details(entry.cap->of_person ? PersonCover::records : PersonCover::part);
  }
  if (entry.subjects) row.details = details_of(*entry.subjects);
  if (entry.settlement) row.details = details_of(*entry.settlement);
  if (entry.type == EntryType::dataset)
    row.details = nlohmann::ordered_json{{"uncapped", entry.is_uncapped}}.dump();
  if (entry.type == EntryType::acceptance)
    row.details = nlohmann::ordered_json{{"reason", entry.accepted_because}}.dump();
  if (entry.refused_entry > 0) row.details = nlohmann::ordered_json{{"entry", entry.refused_entry}}.dump();
  if (entry.type == EntryType::refusals)
    row.details = nlohmann::ordered_json{{"most", entry.most_refusals}}.dump();
  return row;
}

LedgerEntry from_row(const EntryRow& row) {
  if (row.sequence < 1) throw InvalidOption("sequence", "is below 1");
  LedgerEntry entry;
  entry.number = static_cast<std::uint64_t>(row.sequence);
  entry.time_unix_s = row.time_unix_s;
  entry.type = type_from(row.event);
  entry.dataset = row.dataset;
  entry.kind = row.kind;
  entry.mechanism = row.mechanism;
  entry.output = row.output;
  entry.version = row.version;
  entry.previous_hash = row.previous_hash;
  entry.hash = row.hash;
  if (entry.type == EntryType::cap) {
    entry.cap = cap_from(row);
  } else if (entry.type == EntryType::settlement) {
    require_details_only(row);
    entry.settlement = settlement_from(row);
  } else if (entry.type == EntryType::dataset) {
    require_details_only(row);
    entry.is_uncapped = member_from<bool>(row, "uncapped");
  } else if (entry.type == EntryType::anchor) {
    require_details_only(row);
    require_empty({&row.details}, "an anchor has no details");
  } else if (entry.type == EntryType::acceptance) {
    require_details_only(row);
    entry.accepted_because = member_from<std::string>(row, "reason");
  } else if (entry.type == EntryType::refusal) {
    require_empty({&row.mechanism, &row.notion, &row.unit, &row.epsilon, &row.measure, &row.delta,
                   &row.exactness, &row.reason, &row.output, &row.version},
                  "a refusal holds a dataset, a kind and what paid for it only");
    if (!row.details.empty()) entry.refused_entry = member_from<std::uint64_t>(row, "entry");
  } else if (entry.type == EntryType::refusals) {
    require_details_only(row);
    entry.most_refusals = member_from<std::uint64_t>(row, "most");
  } else if (entry.type == EntryType::subjects) {
    entry.subjects = subjects_from(row);
    EntryRow of_a_part = row;  // a report is less than its subject
    of_a_part.details.clear();
    entry.guarantee = guarantee_from(of_a_part);
  } else {
    entry.guarantee = guarantee_from(row);
    entry.is_guarded = is_guarded_in(row);
  }
  require_valid(entry);
  return entry;
}

void require_valid(const LedgerEntry& entry) {
  if (entry.time_unix_s < 0 || entry.time_unix_s > latest_time) {
    throw InvalidOption("time", "must lie between the years 1970 and 9999");
  }
  if (is_of_the_whole_ledger(entry.type)) {
    if (!entry.dataset.empty())
      throw InvalidOption("dataset", "is given, but the entry is of the whole ledger");
    if (entry.type == EntryType::acceptance)
      require_plain_text("reason", entry.accepted_because, longest_acceptance);
    return;
  }
  require_plain_text("dataset", entry.dataset, longest_name);
  if (entry.type == EntryType::dataset) return;
  if (entry.type == EntryType::refusals) {
    if (entry.most_refusals > largest_refusals)
      throw InvalidOption("refusals", fmt::format("must be a number from 0 to {}", largest_refusals));
    return;
  }
  if (entry.cap) {
    if (entry.cap->epsilon > Rational(largest_cap)) {
      throw InvalidOption("cap", fmt::format("is above {}", largest_cap));
    }
    if (entry.cap->subject_window_s < 0 || entry.cap->subject_window_s > longest_window_s ||
        (entry.cap->is_of_subjects() && entry.cap->of_person))
      throw InvalidOption("cap", "is of subjects in a window of 1 s to 366 d, or of persons, not of both");
    return;
  }
  if (entry.settlement) {
    // The number of an entry that is not in a ledger yet is 0.
    if (entry.settlement->entry == 0 || (entry.number > 0 && entry.settlement->entry >= entry.number))
      throw InvalidOption("details", "settle no entry before this one");
    if (!is_sha256(entry.settlement->output_sha256) || !is_sha256(entry.settlement->statement_sha256))
      throw InvalidOption("details", "hold no hash of 64 digits");
    return;
  }
  require_plain_text("kind", entry.kind, longest_name);
  if (entry.type == EntryType::refusal) {
    if (entry.number > 0 && entry.refused_entry >= entry.number)
      throw InvalidOption("details", "name no entry before this one");
    return;
  }
  if (entry.subjects) {
    if (entry.subjects->lines == 0 || !is_sha256(entry.subjects->sha256) ||
        !is_sha256(entry.subjects->draft_sha256))
      throw InvalidOption("details", "hold no line, or no hash of 64 digits");
    const Guarantee& report = entry.guarantee.value();
    if (report.notion() == Notion::none || report.cover() != PersonCover::part)
      throw InvalidOption("notion", "is none, or more than that of a report of a subject");
  }
  if (entry.is_guarded && entry.type != EntryType::charge)
    throw InvalidOption("details", "are those of a charge");
  require_plain_text("mechanism", entry.mechanism, longest_name);
  require_plain_text("version", entry.version, longest_name);
  require_file_name("output", entry.output);
}

}  // namespace fogline::privacy
