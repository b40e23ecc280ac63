// SPDX-License-Identifier: Apache-2.0
#include "fogline/request.hpp"

#include <nlohmann/json.hpp>

#include "api/field_values_impl.hpp"
#include "api/ledger_impl.hpp"
#include "api/listening_caller.hpp"
#include "api/request_impl.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "privacy/statement.hpp"
#include "release/json_text.hpp"
#include "release/kinds.hpp"
#include "release/outcome_json.hpp"

namespace fogline {

Request::Impl& Request::impl() const {
  if (!impl_) throw Error("this request was moved to another object");
  return *impl_;
}

Request::Request(std::string_view kind, std::string_view verb)
    : impl_(std::make_unique<Impl>(Impl{.request = release::make_release(kind, verb)})) {}
Request::~Request() = default;
Request::Request(Request&&) noexcept = default;
Request& Request::operator=(Request&&) noexcept = default;

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

Request& Request::passphrase(std::function<std::string()> ask) {
  impl().request->to.output.ask_passphrase = std::move(ask);
  return *this;
}

std::string Request::schema() const {
  const auto fresh = release::make_release(impl().request->kind(), impl().request->verb());
  release::FieldTable table;
  declare_all(*fresh, table);
  return api::schema_for_programs(release::schema(table, fresh->kind(), fresh->verb()));
}

release::Release& Request::filled() {
  const nlohmann::ordered_json& given = fields().impl().values.json();
  if (given.contains("ledger"))
    throw InvalidOption("ledger", "is handed over when the request is run, and is no field then");
  release::FieldTable table;
  declare_all(*impl().request, table);
  release::set_fields(table, given,
                      {"input", "output"});  // which may be in memory; the driver asks for one of each
  return *impl().request;
}

void Request::ask(Ledger& ledger, Listener& listener) {
  release::Release& request = filled();
  request.to.ledger.handle = &ledger.impl().handle;
  if (!fields().impl().values.json().contains("output")) request.to.output.receive = [](std::string_view) {};
  api::ListeningCaller caller(listener);
  on_threads(caller.threads(), [&] { release::ask(request, caller); });
}

Released Request::run(Ledger& ledger, Listener& listener) {
  Impl& held = impl();
  const nlohmann::ordered_json& given = fields().impl().values.json();
  if (given.contains("output") && given["output"] == "-")
    throw InvalidOption("output", "must be a file; what has none goes into memory or to a receiver");
  release::Release& request = filled();
  request.to.ledger.handle = &ledger.impl().handle;
  // Anew each time: fields that were refused may be set again.
  request.to.output.receive = held.receiver;
  if (!held.receiver && !given.contains("output"))
    request.to.output.receive = [&held](std::string_view piece) { held.text += piece; };
  api::ListeningCaller caller(listener);
  release::Outcome done = on_threads(caller.threads(), [&] { return release::release(request, caller); });
  const privacy::Statement& statement = done.released.statement;
  std::map<std::string, std::string> more;
  for (std::size_t i = 0; i < done.released.more_outputs.size(); ++i)
    more.emplace(statement.outputs.at(i + 1).name, std::move(done.released.more_outputs[i]));
  return {.statement = to_json(statement),
          .statement_file = done.released.statement_file,
          .guarantee = to_string(statement.guarantee),
          .records = statement.outputs.front().records * done.answers,
          .entry = done.entry,
          .told = release::json_text(done.told.json.json()),
          .json = release::json_text(release::outcome_json(request, done)),
          .text = std::move(held.text),
          .more = std::move(more)};
}

}  // namespace fogline
