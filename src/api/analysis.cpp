// SPDX-License-Identifier: Apache-2.0
#include "fogline/analysis.hpp"

#include <nlohmann/json.hpp>

#include "api/field_values_impl.hpp"
#include "api/ledger_impl.hpp"
#include "api/listening_caller.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "release/kinds.hpp"

namespace fogline {

Analysis::Analysis(std::string_view kind, std::string_view verb) : kind_(kind), verb_(verb) {
  release::make_analysis(kind_, verb_);  // throws
}

Analysis& Analysis::ask(Ledger& ledger) {
  ledger_ = &ledger;
  return *this;
}

std::string Analysis::schema() const {
  const auto analysis = release::make_analysis(kind_, verb_);
  release::FieldTable table;
  declare_all(*analysis, table);
  return release::schema(table, kind_, verb_).dump(2);
}

Findings Analysis::run(Listener& listener) const {
  const auto analysis = release::make_analysis(kind_, verb_);
  if (ledger_ != nullptr) {
    release::LedgerFields* asked = analysis->ledger();
    if (asked == nullptr) throw InvalidOption("ledger", "is not asked for this");
    if (fields().impl().values.json().contains("ledger"))
      throw InvalidOption("ledger", "is handed over, and is no field then");
    asked->handle = &ledger_->impl().handle;
  }
  release::FieldTable table;
  declare_all(*analysis, table);
  release::set_fields(table, fields().impl().values.json());
  if (const auto* file = analysis->written(); file != nullptr && file->is_standard_output())
    throw InvalidOption("output", "must be a file");  // the library prints nothing
  api::ListeningCaller caller(listener);
  return on_threads(caller.threads(), [&] { return release::finished(release::find(*analysis, caller)); });
}

}  // namespace fogline
