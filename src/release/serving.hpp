// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fogline/column_set.hpp"
#include "privacy/release.hpp"
#include "release/driver.hpp"

namespace fogline::release {

/// A request that is checked and prepared once, and then answers one subject after another: the walk of every release, whose steps up to the records are taken when it is
/// made, and whose others for each batch of questions (privacy::release_to_subjects).
///
///     auto request = place_release();                                  // filled through its fields, as for release()
///     Serving places(std::move(request), ledger, {.refresh_s = 900}, caller);
///     for (const Serving::Answer& answer : places.answer(questions)) ...
///
/// Every question of a batch is charged to its own subject and drawn as a release of its own; what is given out is in the ledger before. Whether there is an answer, and
/// which, never depends on the record but by the mechanism.
///
/// Not for several threads at once. The ledger and the caller must outlive it; of the caller only the clock is asked while questions are answered, and nothing is told.
class Serving {
 public:
  struct Question {
    std::string subject;   ///< require_subject() holds of it
    ColumnSet records;     ///< of numbers, such as columns lon and lat; the same columns for all
    bool is_list = false;  ///< the answer is for this request alone; else there is one record
    std::optional<privacy::RequestMark> mark = {};
  };
  struct Answer {
    privacy::SubjectDecision decision;
    std::string text;                      ///< CSV, as the release writes it; empty where there is none
    std::optional<std::int64_t> renews_s;  ///< over the budget: when the same would be allowed; empty: never
  };

  /// Throws what release() throws before it reads a record; BudgetError for a dataset without a cap per subject.
  Serving(std::unique_ptr<Release> request, privacy::LedgerHandle& ledger,
          const privacy::SubjectPolicy& policy, Caller& caller);

  /// Throws InvalidOption or DataError, with nothing charged, for a question that is none: not a number, no degrees, no subject.
  std::vector<Answer> answer(const std::vector<Question>& questions);

  privacy::SubjectBudget budget(const std::string& subject);
  /// None if there is no such answer.
  std::optional<privacy::Statement> statement(const privacy::SubjectPlace& place);
  std::optional<std::string> text(const privacy::SubjectPlace& place);

  const privacy::Guarantee& guarantee() const { return plan_.draft.guarantee; }  ///< of one record
  const privacy::Statement& draft() const { return plan_.draft; }  ///< what every answer promises; no outputs
  privacy::Cap cap() { return ledger_.get().books().dataset(plan_.dataset).subject_cap.value(); }
  std::int64_t now() const { return caller_.now(); }

 private:
  void take(ColumnSet records);
  std::vector<std::string> draw(const std::vector<Question>& questions, const random::Key& key,
                                const privacy::SubjectReceipt& receipt);

  std::unique_ptr<Release> request_;
  privacy::LedgerHandle& ledger_;
  privacy::SubjectPolicy policy_;
  Caller& caller_;
  privacy::ReleasePlan plan_;
};

/// Throws InvalidOption, naming `subject`, for a name that none must have: 1 to 128 letters a to z in either case, digits, and the signs . _ - : @ + between them. Others look like
/// these, and would be a budget of their own.
void require_subject(std::string_view name);

/// The records of an answer or a release in CSV, as programs read them: the members of an object for each, digit by digit as they stand there, without the numbers that
/// records have in a file.
///
///     rows_as_json("record,vertex,lon,lat\n1,298,-30.5,45\n")      // one: "vertex":"298","lon":-30.5,"lat":45
std::vector<std::string> rows_as_json(std::string_view csv);

}  // namespace fogline::release
