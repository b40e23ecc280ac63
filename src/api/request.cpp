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
  std::function<void(std::string_view)> receiver = {};
  std::string text = {};  // of what nobody else takes
};

Request::Impl& Request::impl() const {
  if (!impl_) throw Error("this request was moved to another object");
  return *impl_;
}

Request::Request(std::string_view kind, std::string_view verb)
    : impl_(std::make_unique<Impl>(Impl{.request = request_of(kind, verb)})) {}
Request::~Request() = default;
Request::Request(Request&&) noexcept = default;
Request& Request::operator=(Request&&) noexcept = default;

Request& Request::set(std::string_view field, std::string_view value) {
  impl().fields[std::string(field)] = std::string(value);
  return *this;
}

Request& Request::set(std::string_view field, bool value) {
  impl().fields[std::string(field)] = value;
  return *this;
}

Request& Request::set(std::string_view field, std::int64_t value) {
  impl().fields[std::string(field)] = value;
  return *this;
}

Request& Request::set(std::string_view field, double value) {
  impl().fields[std::string(field)] = value;
  return *this;
}

Request& Request::set(std::string_view field, const std::vector<std::string>& values) {
  impl().fields[std::string(field)] = values;
  return *this;
}

Request& Request::set_json(std::string_view object) {
  const Json given = Json::parse(object, nullptr, false);
  if (!given.is_object()) throw InvalidOption("request", "must be a JSON object of fields and their values");
  impl().fields.update(given);
  return *this;
}

Request& Request::input(ColumnSet columns) {
  impl().request->from.columns = std::move(columns);
  return *this;
}

Request& Request::input(std::function<std::string()> more) {
  impl().request->from.more = std::move(more);
  return *this;
}

Request& Request::receive(std::function<void(std::string_view)> piece) {
  impl().receiver = std::move(piece);
  return *this;
}

std::string Request::schema() const {
  const auto fresh = request_of(impl().request->kind(), impl().request->verb());
  release::FieldTable table;
  fresh->declare(table);
  Json schema = release::schema(table, fresh->kind(), fresh->verb());
  schema["properties"].erase("ledger");  // handed over instead
  Json required = Json::array();         // records and output may be in memory
  for (const Json& name : schema["required"])
    if (name != "input" && name != "output") required.push_back(name);
  schema["required"] = std::move(required);
  return schema.dump(2);
}

Released Request::run(Ledger& ledger, Listener& listener) {
  Impl& held = impl();
  release::Release& request = *held.request;
  if (held.fields.contains("ledger"))
    throw InvalidOption("ledger", "is handed over when the request is run, and is no field then");
  if (held.fields.value("output", "") == "-")
    throw InvalidOption("output", "must be a file; what has none goes into memory or to a receiver");
  request.to.ledger.handle = &ledger.impl().handle;
  // Anew each time: fields that were refused may be set again.
  request.to.output.receive = held.receiver;
  if (!held.receiver && !held.fields.contains("output"))
    request.to.output.receive = [&held](std::string_view piece) { held.text += piece; };
  release::FieldTable table;
  request.declare(table);
  release::set_fields(table, held.fields);
  api::ListeningCaller caller(listener);
  const release::Outcome done = release::release(request, caller);
  const privacy::Statement& statement = done.released.statement;
  return {.statement = to_json(statement),
          .statement_file = done.released.statement_file,
          .guarantee = to_string(statement.guarantee),
          .records = statement.outputs.front().records,
          .entry = done.entry,
          .told = done.told.json.json().dump(),
          .text = std::move(held.text)};
}

}  // namespace fogline
