// SPDX-License-Identifier: Apache-2.0
#include "privacy/subjects.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "io/numbers.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/key_json.hpp"
#include "privacy/rounded_sums.hpp"

namespace fogline::privacy {
namespace {

constexpr std::size_t id_bytes = 16;  // of the hashes of subjects, keys and bodies
constexpr std::int64_t day_s = 86'400;
constexpr std::string_view one = "one", list = "list", none = "-";

/// A request that is sent again is known for as long as the window, and a day at least: whoever lost an answer asks again soon.
std::int64_t remembered_s(const Cap& cap) {
  return std::max(cap.subject_window_s, day_s);
}

std::string form_of(const SubjectLine& line) {
  if (line.stands_for) return fmt::format("{}/{}", line.stands_for->entry, line.stands_for->line);
  return std::string(line.is_list ? list : one);
}

std::optional<SubjectPlace> place_in(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto entry = io::parse_uint64(text.substr(0, slash)), line = io::parse_uint64(text.substr(slash + 1));
  if (!entry || !line) return std::nullopt;
  return SubjectPlace{*entry, *line};
}

[[noreturn]] void refuse_line() {
  throw InvalidOption("lines", "of subjects are not written as they must be");
}

void require_valid(const SubjectLine& line) {
  const bool is_marked =
      !line.mark || (is_hex(line.mark->key, id_bytes) && is_hex(line.mark->body, id_bytes));
  const bool is_counted = line.stands_for ? line.reports == 0 && !line.is_list && line.mark.has_value()
                                          : line.reports >= 1 && line.reports <= SubjectLine::most_reports &&
                                                (line.is_list || line.reports == 1);
  if (!is_hex(line.subject, id_bytes) || !is_marked || !is_counted) refuse_line();
}

std::string to_text(const SubjectLine& line) {
  require_valid(line);
  return fmt::format("{} {} {} {} {}\n", line.subject, line.reports, form_of(line),
                     line.mark ? line.mark->key : none, line.mark ? line.mark->body : none);
}

/// The text up to the next blank, and takes both off.
std::string_view take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

SubjectLine subject_line_from(std::string_view text) {
  std::string_view rest = text;
  SubjectLine line;
  line.subject = take_word(rest);
  const auto reports = io::parse_uint64(take_word(rest));
  if (!reports) refuse_line();
  line.reports = *reports;
  const std::string_view form = take_word(rest);
  line.is_list = form == list;
  line.stands_for = place_in(form);
  const std::string_view key = take_word(rest), body = take_word(rest);
  if (key != none) line.mark = RequestMark{std::string(key), std::string(body)};
  // One line has one text: nothing can stand in it that nobody reads.
  const std::string again = to_text(line);
  if (std::string_view(again).substr(0, again.size() - 1) != text) refuse_line();
  return line;
}

}  // namespace

std::string subject_of(std::string_view ledger_id, std::string_view name) {
  return sha256_of_text(fmt::format("fogline subject 1\n{}\n{}", ledger_id, name)).substr(0, 2 * id_bytes);
}

std::string to_text(std::span<const SubjectLine> lines) {
  std::string text;
  for (const SubjectLine& line : lines) text += to_text(line);
  return text;
}

std::vector<SubjectLine> subject_lines_from(std::string_view text) {
  std::vector<SubjectLine> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) refuse_line();
    lines.push_back(subject_line_from(text.substr(0, end)));
    text.remove_prefix(end + 1);
  }
  return lines;
}

SubjectDecision SubjectAccounts::decide(const SubjectLine& line, const Rational& epsilon,
                                        const SubjectPolicy& policy, std::int64_t now_s) const {
  using enum SubjectDecision::Outcome;
  if (line.mark) {
    const auto known = requests_.find(line.mark->key);
    if (known != requests_.end() && known->second.body != line.mark->body) return {.outcome = other_body};
    if (known != requests_.end()) return {repeated, known->second.place, known->second.time_s};
  }
  const Charges* charges = charges_of(line.subject);
  const Charge* last = nullptr;
  if (charges != nullptr && !line.is_list)
    for (const Charge& charge : *charges)
      if (!charge.is_list) last = &charge;
  const bool stands =
      last != nullptr && policy.refresh_s > 0 && last->time_s / policy.refresh_s == now_s / policy.refresh_s;
  if (stands) return {current, last->place, last->time_s};
  const Rational spent_now = charges == nullptr ? Rational() : spent(*charges, now_s);
  if (sum_rounded_up(spent_now, epsilon * line.reports) <= cap_.epsilon) return {.outcome = charged};
  if (last == nullptr || !policy.gives_latest) return {.outcome = over_budget};
  return {latest, last->place, last->time_s};
}

void SubjectAccounts::add(const SubjectLine& line, const Rational& epsilon, SubjectPlace place,
                          std::int64_t time_unix_s) {
  if (!line.stands_for) {
    charges_[line.subject].push_back({time_unix_s, epsilon * line.reports, place, line.is_list});
    charged_.emplace_back(time_unix_s, line.subject);
  }
  if (line.mark) {
    // An answer that stood is as old as it is, whoever asks for it again.
    std::int64_t answered_s = time_unix_s;
    if (const Charges* charges = charges_of(line.subject); charges != nullptr && line.stands_for)
      for (const Charge& charge : *charges)
        if (charge.place == *line.stands_for) answered_s = charge.time_s;
    requests_[line.mark->key] = {line.stands_for.value_or(place), answered_s, line.mark->body};
    marked_.emplace_back(time_unix_s, line.mark->key);
  }
  forget(time_unix_s);
}

/// What is older than any question that can be asked.
void SubjectAccounts::forget(std::int64_t now_s) {
  const std::int64_t charges_from = now_s - cap_.subject_window_s, requests_from = now_s - remembered_s(cap_);
  for (; !charged_.empty() && charged_.front().first < charges_from; charged_.pop_front()) {
    const auto account = charges_.find(charged_.front().second);
    if (account == charges_.end()) continue;
    std::erase_if(account->second, [&](const Charge& charge) { return charge.time_s < charges_from; });
    if (account->second.empty()) charges_.erase(account);
  }
  for (; !marked_.empty() && marked_.front().first <= requests_from; marked_.pop_front()) {
    const auto request = requests_.find(marked_.front().second);
    if (request != requests_.end() && request->second.time_s <= requests_from) requests_.erase(request);
  }
}

SubjectAccounts SubjectAccounts::of(std::span<const SubjectLine> lines) const {
  SubjectAccounts some(cap_);
  for (const SubjectLine& line : lines) {
    if (const Charges* charges = charges_of(line.subject)) some.charges_.emplace(line.subject, *charges);
    if (!line.mark) continue;
    const auto known = requests_.find(line.mark->key);
    if (known != requests_.end()) some.requests_.insert(*known);
  }
  return some;
}

Rational SubjectBudget::remaining() const {
  return spent < cap.epsilon ? difference_rounded_down(cap.epsilon, spent) : Rational();
}

SubjectBudget SubjectAccounts::budget(const std::string& subject, std::int64_t now_s) const {
  SubjectBudget budget{.cap = cap_, .spent = {}, .renews_s = {}};
  const Charges* charges = charges_of(subject);
  if (charges == nullptr) return budget;
  budget.spent = spent(*charges, now_s);
  for (const Charge& charge : *charges) {
    if (charge.time_s < now_s - cap_.subject_window_s) continue;
    budget.renews_s = charge.time_s + cap_.subject_window_s + 1;
    break;
  }
  return budget;
}

std::optional<std::int64_t> SubjectAccounts::renewal(const std::string& subject, const Rational& cost,
                                                     std::int64_t now_s) const {
  if (cost > cap_.epsilon) return std::nullopt;
  const Charges* charges = charges_of(subject);
  if (charges == nullptr || sum_rounded_up(spent(*charges, now_s), cost) <= cap_.epsilon) return now_s;
  for (const Charge& charge : *charges) {
    const std::int64_t free_s = std::max(now_s, charge.time_s + cap_.subject_window_s + 1);
    if (sum_rounded_up(spent(*charges, free_s), cost) <= cap_.epsilon) return free_s;
  }
  return now_s;
}

/// A charge of second t may have come at its very end, and counts for a whole window from there.
Rational SubjectAccounts::spent(const Charges& charges, std::int64_t now_s) const {
  Rational sum;
  for (const Charge& charge : charges)
    if (charge.time_s >= now_s - cap_.subject_window_s) sum = sum_rounded_up(sum, charge.cost);
  return sum;
}

const SubjectAccounts::Charges* SubjectAccounts::charges_of(const std::string& subject) const {
  const auto found = charges_.find(subject);
  return found == charges_.end() ? nullptr : &found->second;
}

}  // namespace fogline::privacy
