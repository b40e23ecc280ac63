// SPDX-License-Identifier: Apache-2.0
#include "fogline/request.hpp"

#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "api/ledger_impl.hpp"
#include "api/listening_caller.hpp"
#include "base/error.hpp"
#include "privacy/statement.hpp"
#include "release/kinds.hpp"

namespace fogline {
namespace {

using Json = nlohmann::ordered_json;

std::unique_ptr<release::Release> request_of(std::string_view kind, std::string_view verb) {
  std::set<std::string> kinds, verbs;
  for (auto& request : release::all_releases()) {
    kinds.insert(request->kind());
    if (request->kind() != kind) continue;
    if (request->verb() == verb) return std::move(request);
    verbs.insert(request->verb());
  }
  if (verbs.empty()) throw InvalidOption("kind", fmt::format("must be one of {}", fmt::join(kinds, ", ")));
  throw InvalidOption("verb", fmt::format("must be one of {}", fmt::join(verbs, ", ")));
}

}  // namespace

struct Request::Impl {
  std::unique_ptr<release::Release> request;
  Json fields = Json::object();
};

Request::Request(std::string_view kind, std::string_view verb)
    : impl_(std::make_unique<Impl>(Impl{.request = request_of(kind, verb)})) {}
Request::~Request() = default;
Request::Request(Request&&) noexcept = default;
Request& Request::operator=(Request&&) noexcept = default;

Request& Request::set(std::string_view field, std::string_view value) {
  impl_->fields[std::string(field)] = std::string(value);
  return *this;
}

Request& Request::set(std::string_view field, bool value) {
  impl_->fields[std::string(field)] = value;
  return *this;
}

Request& Request::set(std::string_view field, std::int64_t value) {
  impl_->fields[std::string(field)] = value;
  return *this;
}

Request& Request::set(std::string_view field, double value) {
  impl_->fields[std::string(field)] = value;
  return *this;
}

Request& Request::set(std::string_view field, const std::vector<std::string>& values) {
  impl_->fields[std::string(field)] = values;
  return *this;
}

Request& Request::set_json(std::string_view object) {
  const Json given = Json::parse(object, nullptr, false);
  if (!given.is_object()) throw InvalidOption("request", "must be a JSON object of fields and their values");
  impl_->fields.update(given);
  return *this;
}

Request& Request::input(ColumnSet columns) {
  impl_->request->from.columns = std::move(columns);
  return *this;
}

Request& Request::input(std::function<std::string()> more) {
  impl_->request->from.more = std::move(more);
  return *this;
}

Request& Request::receive(std::function<void(std::string_view)> piece) {
  impl_->request->to.output.receive = std::move(piece);
  return *this;
}

std::string Request::schema() const {
  const auto fresh = request_of(impl_->request->kind(), impl_->request->verb());
  release::FieldTable table;
  fresh->declare(table);
  return release::schema(table, fresh->kind(), fresh->verb()).dump(2);
}

Released Request::run(Ledger& ledger, Listener& listener) {
  release::Release& request = *impl_->request;
  if (impl_->fields.contains("ledger"))
    throw InvalidOption("ledger", "is handed over when the request is run, and is no field then");
  request.to.ledger.handle = &ledger.impl().handle;
  std::string text;
  if (!request.to.output.receive && !impl_->fields.contains("output"))
    request.to.output.receive = [&text](std::string_view piece) { text += piece; };
  release::FieldTable table;
  request.declare(table);
  release::set_fields(table, impl_->fields);
  api::ListeningCaller caller(listener);
  const release::Outcome done = release::release(request, caller);
  const privacy::Statement& statement = done.released.statement;
  return {.statement = to_json(statement),
          .statement_file = done.released.statement_file,
          .guarantee = to_string(statement.guarantee),
          .records = statement.outputs.front().records,
          .entry = done.entry,
          .told = done.told.json.json().dump(),
          .text = std::move(text)};
}

}  // namespace fogline
