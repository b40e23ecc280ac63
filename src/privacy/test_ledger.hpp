// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <sqlite3.h>

#include "privacy/ledger.hpp"

namespace fogline::privacy {

/// A report of epsilon 0.01 per metre on the dataset "riders".
inline ReleaseRequest report_request() {
  return {.dataset = "riders",
          .kind = "place",
          .mechanism = "gem",
          .guarantee = Guarantee::metric(EpsilonPerMetre{1, 100}, "one report", Exactness::exact),
          .output = "safe.csv",
          .version = "0.1.0",
          .time_unix_s = 1'700'000'000};
}

inline CapRequest report_cap(const Rational& epsilon) {
  return {.dataset = "riders", .cap = {EpsilonMeasure::per_metre, epsilon}, .time_unix_s = 1'700'000'000};
}

/// Declares a dataset without a cap, as entry 1 of a new ledger.
inline void declare_in(Ledger& ledger, const std::string& dataset = "riders") {
  ledger.add_dataset({.dataset = dataset, .caps = {}, .is_uncapped = true, .time_unix_s = 1});
}
inline void declare(const std::string& path, const std::string& dataset = "riders") {
  Ledger ledger(path, {});
  declare_in(ledger, dataset);
}

/// Runs SQL on the file behind the ledger's back; gives SQLite's error, or nothing.
inline std::string tamper(const std::string& path, const std::string& sql) {
  sqlite3* file = nullptr;
  sqlite3_open(path.c_str(), &file);
  char* message = nullptr;
  sqlite3_exec(file, sql.c_str(), nullptr, nullptr, &message);
  const std::string error = message == nullptr ? "" : message;
  sqlite3_free(message);
  sqlite3_close(file);
  return error;
}

}  // namespace fogline::privacy
