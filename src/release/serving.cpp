// SPDX-License-Identifier: Apache-2.0
#include "release/serving.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "io/csv.hpp"
#include "release/quiet_caller.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

/// The first: its numbers count records of a file, and programs need none.
constexpr std::string_view number_column = "record";

/// As it is written: reading and writing a number again could change its last digit.
std::string number_or_text(std::string_view column, std::string_view field) {
  const bool is_number = column == "lon" || column == "lat";
  if (is_number && !Json::accept(field)) throw Error("a position that is no number");
  return is_number ? std::string(field) : Json(field).dump();
}

/// What was paid for is drawn, whoever wishes the end of the program meanwhile.
class PaidCaller : public QuietCaller {
 public:
  explicit PaidCaller(Caller& asking) : QuietCaller(asking, 1) {}
  bool is_wanted() const override { return true; }
  Progress progress() override { return {}; }
};

/// The records of all these questions, one after another.
ColumnSet joined(const std::vector<Serving::Question>& questions, const std::vector<std::size_t>& which) {
  ColumnSet all;
  for (const ColumnSet::Column& column : questions[which.front()].records.columns()) {
    std::vector<double> values;
    for (const std::size_t i : which) {
      const ColumnSet::Numbers numbers = questions[i].records.numbers(column.name);
      values.insert(values.end(), numbers.begin(), numbers.end());
    }
    all.hold(column.name, std::move(values));
  }
  return all;
}

ColumnSet all_of(const std::vector<Serving::Question>& questions) {
  std::vector<std::size_t> all(questions.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return joined(questions, all);
}

/// Cuts the CSV of a bulk into those of its parts, whose records count from 1 again.
class RowsInTurn {
 public:
  explicit RowsInTurn(std::string_view csv) : header_(take_line(csv)), rest_(csv) {}

  std::string next(std::size_t records) {
    std::string text(header_);
    for (std::size_t record = 1; record <= records; ++record) {
      const std::string_view row = take_line(rest_);
      text += fmt::format("{}{}", record, row.substr(row.find(',')));
    }
    return text;
  }
  void require_end() const {
    if (!rest_.empty()) throw Error("more was drawn than was asked for");
  }

 private:
  static std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) throw Error("less was drawn than was asked for");
    const std::string_view line = text.substr(0, end + 1);
    text.remove_prefix(end + 1);
    return line;
  }

  std::string_view header_, rest_;
};

std::uint64_t records_in(std::string_view csv) {
  return static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(std::ranges::count(csv, '\n') - 1, 0));
}

}  // namespace

void require_subject(std::string_view name) {
  constexpr std::size_t longest = 128;
  constexpr std::string_view signs = "._-:@+";
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  const bool is_name = !name.empty() && name.size() <= longest && is_letter(name.front()) &&
                       is_letter(name.back()) && std::ranges::all_of(name, [&](char c) {
                         return is_letter(c) || signs.find(c) != std::string_view::npos;
                       });
  if (!is_name)
    throw InvalidOption(
        "subject",
        "is 1 to 128 letters a to z, digits, and the signs . _ - : @ + between them: others look "
        "like these, and would be a budget of their own");
}

std::vector<std::string> rows_as_json(std::string_view csv) {
  io::TextSource source = io::TextSource::from_memory("an answer", std::string(csv));
  io::CsvReader reader(source, {.delimiter = ','});
  std::vector<std::string> rows;
  while (reader.next()) {
    std::string row;
    for (std::size_t column = 0; column < reader.field_count(); ++column) {
      const std::string& name = reader.header()[column];
      if (name == number_column) continue;
      row += fmt::format("{}{}:{}", row.empty() ? "" : ",", Json(name).dump(),
                         number_or_text(name, reader.field(column)));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Serving::Serving(std::unique_ptr<Release> request, privacy::LedgerHandle& ledger,
                 const privacy::SubjectPolicy& policy, Caller& caller)
    : request_(std::move(request)),
      ledger_(ledger),
      policy_(policy),
      caller_(caller),
      plan_(prepare_for_subjects(*request_, ledger, caller)) {
  try {
    // Of the longest list: what cannot be added up later is refused now.
    static_cast<void>(guarantee().epsilon() * privacy::SubjectLine::most_reports);
  } catch (const Rational::Overflow&) {
    throw InvalidOption("epsilon",
                        "is too fine a fraction to be added up for each subject: give it fewer digits");
  }
  ledger_.get().begin_serving();
  const privacy::Cap cap = ledger_.get().books().dataset(plan_.dataset).subject_cap.value();
  if (policy_.refresh_s < 0 || policy_.refresh_s > cap.subject_window_s)
    throw InvalidOption("refresh", "must be from 0 to the window of the cap");
}

std::vector<Serving::Answer> Serving::answer(const std::vector<Question>& questions) {
  std::vector<privacy::SubjectLine> lines;
  const std::string& ledger_id = ledger_.get().id();
  for (const Question& question : questions) {
    require_subject(question.subject);
    const std::size_t records = question.records.records();
    if (records == 0 || records > privacy::SubjectLine::most_reports || (!question.is_list && records != 1))
      throw InvalidOption("records", "must be one, or a list of them");
    lines.push_back({.subject = privacy::subject_of(ledger_id, question.subject),
                     .reports = records,
                     .is_list = question.is_list,
                     .mark = question.mark});
  }
  const std::vector<privacy::SubjectLine> asked = lines;
  if (!questions.empty())
    take(all_of(questions));  // everything that can be wrong with them is found before the charge
  std::vector<privacy::SubjectAnswer> given = privacy::release_to_subjects(
      plan_, policy_, std::move(lines), [&](const random::Key& key, const privacy::SubjectReceipt& receipt) {
        return draw(questions, key, receipt);
      });
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < given.size(); ++i) {
    Answer answer{given[i].decision, std::move(given[i].text), std::nullopt};
    if (answer.decision.outcome == privacy::SubjectDecision::Outcome::over_budget)
      answer.renews_s = ledger_.get().subject_renewal(plan_.dataset, asked[i].subject,
                                                      guarantee().epsilon() * asked[i].reports, now());
    answers.push_back(std::move(answer));
  }
  return answers;
}

/// Which no message tells of.
void Serving::take(ColumnSet records) {
  PaidCaller quiet(caller_);
  request_->from.columns = std::move(records);
  request_->take(quiet);
}

/// All in one bulk, whose records have noise of their own; the rows are then those of releases that each begin at record 1.
std::vector<std::string> Serving::draw(const std::vector<Question>& questions, const random::Key& key,
                                       const privacy::SubjectReceipt& receipt) {
  take(joined(questions, receipt.to_draw()));
  PaidCaller quiet(caller_);
  std::string all;
  request_->draw(
      key, [&all](std::string_view piece) { all += piece; }, quiet);
  RowsInTurn rows(all);
  std::vector<std::string> texts;
  for (const std::size_t i : receipt.to_draw()) texts.push_back(rows.next(questions[i].records.records()));
  rows.require_end();
  return texts;
}

privacy::SubjectBudget Serving::budget(const std::string& subject) {
  require_subject(subject);
  privacy::Ledger& ledger = ledger_.get();
  return ledger.subject_budget(plan_.dataset, privacy::subject_of(ledger.id(), subject), now());
}

std::optional<std::string> Serving::text(const privacy::SubjectPlace& place) {
  const auto reference = ledger_.get().reference_of(place);
  if (!reference || reference->dataset != plan_.dataset) return std::nullopt;
  return ledger_.get().subject_answer(place);
}

std::optional<privacy::Statement> Serving::statement(const privacy::SubjectPlace& place) {
  const auto kept = text(place);
  return kept ? privacy::statement_of_answer(plan_, place, records_in(*kept)) : std::nullopt;
}

}  // namespace fogline::release
