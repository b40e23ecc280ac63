// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "privacy/ledger_entry.hpp"

namespace fogline::privacy {

/// A request that may be sent again: who asks chose a key for it, and the answer stands for its body. Hashes of both, for a body holds what is protected.
struct RequestMark {
  std::string key;  ///< 32 hex digits
  std::string
      body;  ///< 32 hex digits, of a hash that only who asks can compute: what it is of must not be found by trying
  friend bool operator==(const RequestMark&, const RequestMark&) = default;
};

/// Where a line stands: entry of the ledger, and line of its block, from 1.
struct SubjectPlace {
  std::uint64_t entry = 0;
  std::uint64_t line = 0;
  friend bool operator==(const SubjectPlace&, const SubjectPlace&) = default;
};

/// What is charged to a subject, one person or device of a service, by itself.
struct SubjectLine {
  std::string subject;        ///< subject_of() its name
  std::uint64_t reports = 1;  ///< each costs the epsilon of the entry; to most_reports
  /// The answer is for one request alone, which asks for a list: it is not what the subject's next request is answered with.
  bool is_list = false;
  std::optional<RequestMark> mark = {};
  /// Nothing is charged (no reports): the request has the answer that stands there, and will have it if it is sent again.
  std::optional<SubjectPlace> stands_for = {};
  friend bool operator==(const SubjectLine&, const SubjectLine&) = default;

  static constexpr std::uint64_t most_reports = 100'000;
};

/// Under which a ledger knows a subject: 32 hex digits. Whoever has the ledger and a list of names can try them; nobody reads a name in it.
std::string subject_of(std::string_view ledger_id, std::string_view name);

/// A block of lines as the ledger holds it, a line each. Throws InvalidOption for what is not written as it must be.
std::string to_text(std::span<const SubjectLine> lines);
std::vector<SubjectLine> subject_lines_from(std::string_view text);

/// How long an answer stands, by the clock alone: a subject that asks again in the same stretch of `refresh_s` has the answer of that stretch,
/// wherever it is by then. 0: each request has its own.
struct SubjectPolicy {
  std::int64_t refresh_s = 0;
  bool gives_latest = false;  ///< over its budget a subject has its latest answer again, which costs nothing
  friend bool operator==(const SubjectPolicy&, const SubjectPolicy&) = default;
};

/// What becomes of one line.
struct SubjectDecision {
  enum class Outcome {
    charged,      ///< it is paid for now
    repeated,     ///< the same request as before: paid for then, at `place`
    current,      ///< the answer of this stretch of the clock stands: at `place`
    latest,       ///< over the budget: the latest answer, at `place`, as the policy says
    over_budget,  ///< not charged, and there is no answer
    other_body,   ///< the key of an earlier request, with another body
    lost  ///< paid for, at `place`, under another promise, and never answered: it cannot be drawn under this one
  };
  Outcome outcome = Outcome::charged;
  SubjectPlace place = {};
  std::int64_t time_unix_s = 0;  ///< of the entry at `place`
};

/// What a subject has left.
struct SubjectBudget {
  Cap cap;
  Rational spent;                        ///< in the window that ends now
  std::optional<std::int64_t> renews_s;  ///< when something of it comes back; empty if nothing is spent
  Rational remaining() const;
};

/// The accounts of one dataset's subjects: what each was charged in the window of the cap, and where its answers are.
///
/// The window rolls: at any moment, what a subject was charged since one window ago is within the cap, so any stretch of n windows holds n caps at most. Time is the
/// ledger's, which never runs backwards: a clock that is set back renews nothing.
class SubjectAccounts {
 public:
  explicit SubjectAccounts(const Cap& cap) : cap_(cap) {}

  void set_cap(const Cap& cap) { cap_ = cap; }  ///< of the same window
  const Cap& cap() const { return cap_; }

  /// What becomes of a line that costs `epsilon` a report now.
  SubjectDecision decide(const SubjectLine& line, const Rational& epsilon, const SubjectPolicy& policy,
                         std::int64_t now_s) const;
  /// A line that was charged, in the order of the ledger.
  void add(const SubjectLine& line, const Rational& epsilon, SubjectPlace place, std::int64_t time_unix_s);
  /// These accounts, but of the subjects and requests of these lines alone: to try decisions on that may come to nothing.
  SubjectAccounts of(std::span<const SubjectLine> lines) const;

  SubjectBudget budget(const std::string& subject, std::int64_t now_s) const;
  /// When a charge of `cost` would be within the cap; empty: never.
  std::optional<std::int64_t> renewal(const std::string& subject, const Rational& cost,
                                      std::int64_t now_s) const;

 private:
  struct Charge {
    std::int64_t time_s;
    Rational cost;
    SubjectPlace place;
    bool is_list;
  };
  using Charges = std::vector<Charge>;  // few: as many as a cap allows in its window
  struct Known {
    SubjectPlace place;
    std::int64_t time_s;
    std::string body;
  };
  Rational spent(const Charges& charges, std::int64_t now_s) const;
  const Charges* charges_of(const std::string& subject) const;
  void forget(std::int64_t now_s);

  Cap cap_;
  std::unordered_map<std::string, Charges> charges_;
  std::unordered_map<std::string, Known> requests_;  // by their keys
  using Aged = std::deque<
      std::pair<std::int64_t, std::string>>;  // the oldest first: when, and whose or under which key
  Aged charged_, marked_;
};

}  // namespace fogline::privacy
