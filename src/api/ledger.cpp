// SPDX-License-Identifier: Apache-2.0
#include "fogline/ledger.hpp"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "api/ledger_impl.hpp"
#include "base/error.hpp"
#include "fogline/listener.hpp"

namespace fogline {
namespace {

privacy::EpsilonMeasure measure_of(Measure measure) {
  return measure == Measure::plain ? privacy::EpsilonMeasure::plain : privacy::EpsilonMeasure::per_metre;
}

std::string text_of(const std::optional<Rational>& value) {
  return value ? value->to_string() : "";
}

LedgerLine line_of(const privacy::LedgerEntry& entry) {
  LedgerLine line{.number = entry.number,
                  .time_unix_s = entry.time_unix_s,
                  .event = std::string(to_string(entry.type)),
                  .dataset = entry.dataset,
                  .kind = entry.kind,
                  .mechanism = entry.mechanism,
                  .output = entry.output,
                  .guarantee = {},
                  .settles = 0,
                  .output_sha256 = {},
                  .statement_sha256 = {},
                  .hash = entry.hash};
  if (entry.guarantee) line.guarantee = to_string(*entry.guarantee);
  if (entry.cap)
    line.guarantee = fmt::format("epsilon {} {}{}", entry.cap->epsilon.to_string(),
                                 to_string(entry.cap->measure), entry.cap->of_person ? " per person" : "");
  if (entry.type == privacy::EntryType::dataset)
    line.guarantee = entry.is_uncapped ? "without a cap" : "with a cap";
  if (entry.type == privacy::EntryType::acceptance) line.guarantee = entry.accepted_because;
  if (entry.settlement) {
    line.settles = entry.settlement->entry;
    line.output_sha256 = entry.settlement->output_sha256;
    line.statement_sha256 = entry.settlement->statement_sha256;
  }
  return line;
}

/// Seconds since 1970; 0 asks the machine's clock.
std::int64_t clock_of(std::int64_t now) {
  return now != 0 ? now : Listener().now();
}

std::unique_ptr<Ledger::Impl> unopened(const std::string& path, const std::string& anchor) {
  if (path.empty()) throw InvalidOption("ledger", "needs the name of a file");
  privacy::FindAnchor found;
  if (!anchor.empty()) found = [anchor = privacy::make_anchor(anchor)](const std::string&) { return anchor; };
  // It stays the same file wherever the process goes.
  return std::make_unique<Ledger::Impl>(std::filesystem::absolute(path).string(), std::move(found));
}

}  // namespace

Ledger::Ledger(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Ledger::Ledger(const std::string& path, const std::string& anchor) : Ledger(unopened(path, anchor)) {
  privacy::Ledger& opened = impl().handle.get();  // made, or opened and checked
  if (!anchor.empty() && !opened.is_anchored()) opened.add_anchor(Listener().now());
}

Ledger Ledger::accept(const std::string& path, const std::string& anchor, const std::string& reason,
                      std::int64_t now) {
  if (anchor.empty()) throw InvalidOption("anchor", "is needed: where the head is kept from now on");
  Ledger accepted(unopened(path, anchor));
  privacy::Ledger* opened = accepted.impl().handle.if_there();
  if (opened == nullptr) throw FileError(path, "does not exist", "check the name");
  opened->accept(reason, clock_of(now));
  if (!opened->is_anchored()) opened->add_anchor(clock_of(now));
  return accepted;
}

Ledger::~Ledger() = default;
Ledger::Ledger(Ledger&&) noexcept = default;
Ledger& Ledger::operator=(Ledger&&) noexcept = default;

Ledger::Impl& Ledger::impl() const {
  if (!impl_) throw Error("this ledger was moved to another object");
  return *impl_;
}

const std::string& Ledger::path() const {
  return impl().handle.path();
}

void Ledger::add_dataset(const std::string& dataset, const std::vector<std::string>& caps, std::int64_t now) {
  privacy::DatasetRequest request{.dataset = dataset, .time_unix_s = clock_of(now)};
  for (const std::string& cap : caps) request.caps.push_back(privacy::Cap::parse(cap));
  impl().handle.get().add_dataset(request);
}

void Ledger::add_uncapped_dataset(const std::string& dataset, std::int64_t now) {
  impl().handle.get().add_dataset({.dataset = dataset, .is_uncapped = true, .time_unix_s = clock_of(now)});
}

void Ledger::set_cap(const std::string& dataset, const std::string& epsilon, Measure measure,
                     std::int64_t now) {
  const auto most = Rational::parse(epsilon);
  if (!most) throw InvalidOption("epsilon", "must be a number such as 0.5 or 1/2");
  impl().handle.get().set_cap({dataset, {measure_of(measure), *most}, clock_of(now)});
}

void Ledger::set_cap(const std::string& dataset, const std::string& cap, std::int64_t now) {
  impl().handle.get().set_cap({dataset, privacy::Cap::parse(cap), clock_of(now)});
}

void Ledger::set_refusals(const std::string& dataset, std::uint64_t most, std::int64_t now) {
  impl().handle.get().set_refusals(dataset, most, clock_of(now));
}

Budget Ledger::budget(const std::string& dataset, Measure measure) const {
  const privacy::DatasetBook book = impl().handle.get().books().dataset(dataset);
  const privacy::MeasureTotal& total = book.total(measure_of(measure));
  return {
      .spent = total.spent.to_string(), .cap = text_of(total.cap), .remaining = text_of(total.remaining())};
}

PersonLoss Ledger::person_loss(const std::string& dataset, Measure measure) const {
  const privacy::DatasetBook book = impl().handle.get().books().dataset(dataset);
  const privacy::MeasureTotal& total = book.person(measure_of(measure));
  return {.most = {.spent = total.spent.to_string(),
                   .cap = text_of(total.cap),
                   .remaining = text_of(total.remaining())},
          .unbounded_releases = book.releases_of_parts};
}

std::vector<std::string> Ledger::datasets() const {
  std::vector<std::string> names;
  const privacy::Books books = impl().handle.get().books();
  for (const auto& [name, book] : books.datasets()) names.push_back(name);
  return names;
}

std::vector<LedgerLine> Ledger::lines() const {
  std::vector<LedgerLine> lines;
  for (const privacy::LedgerEntry& entry : impl().handle.get().entries()) lines.push_back(line_of(entry));
  return lines;
}

std::string Ledger::head() const {
  return impl().handle.get().head().hash;
}

}  // namespace fogline
