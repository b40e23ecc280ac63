// SPDX-License-Identifier: Apache-2.0
#include "service/service.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "privacy/books.hpp"
#include "release/kinds.hpp"
#include "service/questions.hpp"

namespace fogline::service {
namespace {

using Json = nlohmann::ordered_json;
using Outcome = privacy::SubjectDecision::Outcome;

constexpr std::string_view release_route = "/v1/place/release", plan_route = "/v1/place/plan";
constexpr std::string_view subjects_route = "/v1/subjects/", budget_end = "/budget";
constexpr std::string_view statements_route = "/v1/statements/", answers_route = "/v1/answers/";

/// Why a request is not answered: what the library says where it refused, and an HTTP status.
struct Refusal {
  int status;
  Problem problem;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

Problem problem_of(std::string code, std::string wrong, std::string to_try = "") {
  return {.code = std::move(code), .wrong = std::move(wrong), .to_try = std::move(to_try)};
}

HttpResponse response_of(const Refusal& refusal) {
  const Problem& problem = refusal.problem;
  Json json{{"type", "urn:fogline:problem:" + problem.code},
            {"title", problem.code},
            {"status", refusal.status},
            {"code", problem.code},
            {"detail", problem.wrong}};
  if (!problem.field.empty()) json["field"] = problem.field;
  if (!problem.allowed.empty()) json["allowed"] = problem.allowed;
  if (!problem.to_try.empty()) json["to_try"] = problem.to_try;
  return {.status = refusal.status,
          .content_type = "application/problem+json",
          .headers = refusal.headers,
          .body = json.dump() + "\n"};
}

HttpResponse json_response(const Json& json) {
  return {.body = json.dump() + "\n"};
}

Refusal not_found() {
  return {404, problem_of("not-found", "there is nothing of this name", "look at /openapi.json")};
}

Refusal no_such_answer() {
  return {404,
          problem_of("not-found",
                     "there is no such answer, or it was charged for something else than is promised now",
                     "take an id like 3-1 from an answer")};
}

Refusal not_this_method(const std::string& allowed) {
  return {405, problem_of("wrong-method", "is asked otherwise", "use " + allowed), {{"Allow", allowed}}};
}

/// For metrics: never what somebody sent.
std::string route_of(const std::string& path) {
  constexpr std::array fixed{release_route,
                             plan_route,
                             std::string_view("/livez"),
                             std::string_view("/readyz"),
                             std::string_view("/metrics"),
                             std::string_view("/openapi.json")};
  for (const std::string_view route : fixed)
    if (path == route) return std::string(route);
  for (const std::string_view route : {subjects_route, statements_route, answers_route})
    if (path.starts_with(route)) return std::string(route) + "...";
  return "other";
}

std::string token_in(const HttpRequest& request) {
  return request.authorization.substr(request.authorization.find(' ') + 1);
}

Refusal no_answer() {
  return {503, problem_of("no-answer", "no answer could be made or kept; if it was charged, it stays charged",
                          "send the same request again, with its Idempotency-Key")};
}

Refusal refusal_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Refusal& refusal) {
    return refusal;
  } catch (const InvalidOption& error) {
    return {400, error.problem()};
  } catch (const DataError& error) {
    Problem problem = error.problem();
    problem.wrong = "the body is not what is asked for: " + problem.wrong;
    return {400, problem};
  } catch (const privacy::BudgetError&) {
    return {503, problem_of("ledger-refuses", "the ledger refuses every charge of this service",
                            "whoever runs it: look at the ledger")};
  } catch (const Error&) {
    return no_answer();
  } catch (...) {  // a mistake of ours: nothing of it is told
    return {500, problem_of("error", "something went wrong in the service")};
  }
}

}  // namespace

Service::Service(Settings settings, privacy::LedgerHandle& ledger, release::Caller& caller)
    : settings_(std::move(settings)), ledger_(ledger), caller_(caller) {}

Service::~Service() {
  stop();
}

HttpServer::Options Service::server_options() const {
  using std::chrono::seconds;
  constexpr std::size_t bytes_of_kib = 1'024;
  return {.listen = settings_.listen,
          .threads = static_cast<int>(settings_.threads),
          .most_body_bytes = settings_.most_body_kib * bytes_of_kib,
          .connections = settings_.connections,
          .read_timeout = seconds(settings_.read_timeout_s),
          .drain = seconds(settings_.drain_s)};
}

void Service::prepare() {
  const privacy::Cap cap = privacy::Cap::parse(settings_.cap);
  privacy::Ledger& ledger = ledger_.get();
  if (!ledger.books().dataset(settings_.dataset).is_declared()) {
    ledger.add_dataset({.dataset = settings_.dataset, .caps = {cap}, .time_unix_s = caller_.now()});
    caller_.note(fmt::format("dataset '{}' is declared with {}", settings_.dataset, settings_.cap));
  }
  const auto of_ledger = ledger.books().dataset(settings_.dataset).subject_cap;
  if (!of_ledger || *of_ledger != cap)
    throw InvalidOption(
        "cap",
        fmt::format("is not that of dataset '{}' in the ledger, which is {}: change one of the two",
                    settings_.dataset, of_ledger ? "'" + to_string(*of_ledger) + "'" : "none per subject"));
  auto request = release::make_release("place", "release");
  release::FieldTable table;
  release::declare_all(*request, table);
  release::set_fields(table, Json::parse(settings_.place), {"input", "output"});
  places_ = std::make_unique<release::Serving>(
      std::move(request), ledger_,
      privacy::SubjectPolicy{.refresh_s = static_cast<std::int64_t>(settings_.refresh_s),
                             .gives_latest = settings_.gives_latest()},
      caller_);
  batches_ = std::make_unique<Batches>(
      *places_, Batches::Options{.tick = std::chrono::milliseconds(settings_.tick_ms)});
  lookups_ = std::make_unique<Worker>();
  if (settings_.tokens.empty()) caller_.warn("the settings hold no [[token]]: every request will be refused");
  if (places_->guarantee().epsilon() > cap.epsilon)
    caller_.warn("one answer costs more than the cap: nobody will ever have one");
  is_ready_ = true;
}

void Service::stop() {
  is_stopping_ = true;
  if (batches_) batches_->stop();
  if (lookups_) lookups_->stop();
}

void Service::require_ready() const {
  if (!is_ready_ || is_stopping_)
    throw Refusal{503,
                  problem_of("not-ready",
                             is_stopping_ ? "the service is about to end" : "the service is about to begin",
                             "ask again soon"),
                  {{"Retry-After", "1"}}};
}

const Token& Service::require_token(const HttpRequest& request, Scope scope) const {
  const Token* token = find_token(settings_.tokens, request.authorization);
  if (token == nullptr)
    throw Refusal{
        401,
        problem_of("no-token", "a token that this service knows is needed", "Authorization: Bearer TOKEN"),
        {{"WWW-Authenticate", "Bearer"}}};
  if (std::ranges::find(token->scopes, scope) == token->scopes.end())
    throw Refusal{403, problem_of("wrong-scope", fmt::format("the token is not for '{}'", to_string(scope)))};
  return *token;
}

void Service::handle(const HttpRequest& request, Respond respond) {
  const auto told = [this,
                     asked = HttpRequest{.method = request.method,
                                         .path = request.path,
                                         .query = {},
                                         .authorization = {},
                                         .idempotency_key = {},
                                         .body = {}},
                     respond = std::move(respond)](HttpResponse response) {
    count(asked, response.status);
    respond(std::move(response));
  };
  Respond later = told;
  HttpResponse now;
  try {
    now = dispatch(request, later);
  } catch (...) {  // whatever it is, it has an answer
    now = response_of(refusal_of(std::current_exception()));
  }
  if (later) later(std::move(now));
}

/// The answer; or takes `respond`, and will answer later.
HttpResponse Service::dispatch(const HttpRequest& request, Respond& respond) {
  const std::string& path = request.path;
  const bool is_get = request.method == "GET" || request.method == "HEAD";
  const auto require_get = [&] {
    if (!is_get) throw not_this_method("GET");
  };
  if (path == release_route) {
    if (request.method != "POST") throw not_this_method("POST");
    const Token& token = require_token(request, Scope::release);
    require_ready();
    release_places(request, token, std::exchange(respond, {}));
    return {};
  }
  if (path == plan_route) {
    if (request.method != "POST") throw not_this_method("POST");
    require_token(request, Scope::release);
    require_ready();
    return plan(request.body);
  }
  if (path == "/livez") return require_get(), json_response({{"alive", true}});
  if (path == "/readyz") return require_get(), ready();
  if (path == "/openapi.json") return require_get(), HttpResponse{.body = openapi()};
  if (path == "/metrics") {
    require_get();
    require_token(request, Scope::metrics);
    return metrics();
  }
  const std::string_view all = path;
  if (all.starts_with(subjects_route) && all.ends_with(budget_end) &&
      all.size() > subjects_route.size() + budget_end.size()) {
    require_get();
    require_token(request, Scope::budget);
    require_ready();
    const std::string name(
        all.substr(subjects_route.size(), all.size() - subjects_route.size() - budget_end.size()));
    return look_up(std::exchange(respond, {}), [this, name] { return budget(name); });
  }
  for (const std::string_view route : {statements_route, answers_route}) {
    if (!all.starts_with(route)) continue;
    require_get();
    require_token(request, Scope::statements);
    require_ready();
    const std::string id(all.substr(route.size()));
    const bool is_statement = route == statements_route;
    return look_up(std::exchange(respond, {}),
                   [this, id, is_statement] { return is_statement ? statement(id) : kept_answer(id); });
  }
  throw not_found();
}

/// What asks the ledger may wait for it, and nobody else's connection with it.
HttpResponse Service::look_up(const Respond& respond, std::function<HttpResponse()> find) {
  const bool is_taken = lookups_->run([respond, find = std::move(find)] {
    try {
      respond(find());
    } catch (...) {  // whatever it is, it has an answer
      respond(response_of(refusal_of(std::current_exception())));
    }
  });
  if (!is_taken)
    respond(response_of({503, problem_of("too-busy", "too many requests wait"), {{"Retry-After", "1"}}}));
  return {};
}

void Service::release_places(const HttpRequest& request, const Token& /*token*/, const Respond& respond) {
  const auto refuse = [&respond](const std::exception_ptr& thrown) {
    respond(response_of(refusal_of(thrown)));
  };
  try {
    release::Serving::Question question = question_from(request.body);
    question.mark = mark_of(request.idempotency_key, token_in(request), request.body);
    const bool is_list = question.is_list;
    const bool is_taken = batches_->ask(
        std::move(question),
        [this, respond, is_list](const release::Serving::Answer& answer, const std::exception_ptr& failed) {
          try {
            if (failed) std::rethrow_exception(failed);
            respond(answer_to(answer, is_list));
          } catch (const DataError&) {  // of what is kept, not of what was asked
            respond(response_of(no_answer()));
          } catch (...) {  // whatever it is, it has an answer
            respond(response_of(refusal_of(std::current_exception())));
          }
        });
    if (!is_taken)
      throw Refusal{503, problem_of("too-busy", "too many requests wait"), {{"Retry-After", "1"}}};
  } catch (...) {
    refuse(std::current_exception());
  }
}

HttpResponse Service::answer_to(const release::Serving::Answer& answer, bool is_list) const {
  const privacy::SubjectDecision& decision = answer.decision;
  if (decision.outcome == Outcome::other_body)
    throw Refusal{422, problem_of("idempotency-key-reused", "the Idempotency-Key was used with another body",
                                  "use a new key for a new request")};
  const std::int64_t now = places_->now();
  if (decision.outcome == Outcome::lost)
    throw Refusal{409, problem_of("lost-answer",
                                  "it was paid for under other settings of this service, and never answered",
                                  "ask anew, with another key")};
  if (decision.outcome == Outcome::over_budget) {
    Refusal refusal{429,
                    problem_of("over-budget", "the subject's budget is spent",
                               answer.renews_s ? "ask again at " + utc(*answer.renews_s)
                                               : "ask for fewer positions: the cap never allows this many")};
    if (answer.renews_s)
      refusal.headers.emplace_back("Retry-After",
                                   std::to_string(std::max<std::int64_t>(*answer.renews_s - now, 1)));
    throw refusal;
  }
  const std::vector<std::string> rows = release::rows_as_json(answer.text);
  if (rows.empty()) throw Error("an answer without a position");
  std::string places = rows.front();
  if (is_list) places = fmt::format("\"positions\":[{{{}}}]", fmt::join(rows, "},{"));
  HttpResponse response{.body = fmt::format("{{{},\"released_at\":\"{}\",\"statement\":\"{}\"}}\n", places,
                                            utc(decision.time_unix_s), id_of(decision.place))};
  response.headers = {{"Age", std::to_string(std::max<std::int64_t>(now - decision.time_unix_s, 0))},
                      {"Fogline-Charged", decision.outcome == Outcome::charged ? "true" : "false"}};
  return response;
}

/// Of public things alone: what the mechanism promises and how far off it is, and what the cap allows.
HttpResponse Service::plan(const std::string& body) {
  const std::uint64_t positions = positions_planned(body);
  const privacy::Statement& draft = places_->draft();
  const privacy::Cap cap = places_->cap();
  const Rational cost = places_->guarantee().epsilon() * positions;
  Json json{{"mechanism", draft.mechanism},    {"guarantee", to_string(draft.guarantee)},
            {"promise", draft.promise},        {"not_protected", draft.not_protected},
            {"positions", positions},          {"cost", cost.to_string()},
            {"cap", to_string(cap)},           {"within_cap", cost <= cap.epsilon},
            {"refresh_s", settings_.refresh_s}};
  if (draft.expected_error)
    json["expected_error"] = {{"value", draft.expected_error->value}, {"unit", draft.expected_error->unit}};
  return json_response(json);
}

HttpResponse Service::budget(std::string_view subject) {
  const auto name = decoded(subject);
  if (!name) throw not_found();
  const privacy::SubjectBudget budget = places_->budget(*name);
  const Rational one = places_->guarantee().epsilon();
  const Rational left = budget.remaining();
  std::uint64_t positions = 0;
  // As many as can be, by halves: a quotient of fractions has no type of its own.
  for (std::uint64_t step = std::uint64_t{1} << 20; step > 0; step /= 2)
    if (one * (positions + step) <= left) positions += step;
  return json_response({{"cap", to_string(budget.cap)},
                        {"epsilon", budget.cap.epsilon.to_string()},
                        {"per_metre", budget.cap.measure == privacy::EpsilonMeasure::per_metre},
                        {"window_s", budget.cap.subject_window_s},
                        {"spent", budget.spent.to_string()},
                        {"remaining", left.to_string()},
                        {"positions_left", positions},
                        {"renews_at", budget.renews_s ? Json(utc(*budget.renews_s)) : Json()}});
}

HttpResponse Service::statement(std::string_view id) {
  const auto place = place_from(id);
  const auto found = place ? places_->statement(*place) : std::nullopt;
  if (!found) throw no_such_answer();
  return {.body = privacy::to_json(*found)};
}

HttpResponse Service::kept_answer(std::string_view id) {
  const auto place = place_from(id);
  auto found = place ? places_->text(*place) : std::nullopt;
  if (!found) throw no_such_answer();
  return {.content_type = "text/csv", .body = std::move(*found)};
}

HttpResponse Service::ready() const {
  require_ready();
  try {
    ledger_.get();  // another file, or none, where it was
  } catch (const Error&) {
    throw Refusal{503, problem_of("not-ready", "the ledger is not where it was")};
  }
  return json_response({{"ready", true}});
}

void Service::count(const HttpRequest& request, int status) {
  const std::lock_guard lock(counting_);
  ++requests_[{route_of(request.path), status}];
}

HttpResponse Service::metrics() const {
  std::string text =
      "# HELP fogline_requests_total Requests that were answered.\n# TYPE fogline_requests_total counter\n";
  {
    const std::lock_guard lock(counting_);
    for (const auto& [key, count] : requests_)
      text += fmt::format("fogline_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first, key.second,
                          count);
  }
  const Batches::Counts counts = is_ready_ ? batches_->counts() : Batches::Counts{};
  const auto tell = [&text](std::string_view name, std::string_view help, std::string_view type,
                            const auto& value) {
    text += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n{0} {3}\n", name, help, type, value);
  };
  tell("fogline_ready", "1 once ledger and mechanism are verified.", "gauge",
       is_ready_ && !is_stopping_ ? 1 : 0);
  tell("fogline_charged_total", "Requests that were charged.", "counter", counts.charged);
  tell("fogline_batches_total", "Charges that were written to the disk, each of many requests.", "counter",
       counts.batches);
  tell("fogline_batched_requests_total", "Requests in them.", "counter", counts.questions);
  tell("fogline_batch_seconds_total", "Time that they took.", "counter", counts.busy_s);
  return {.content_type = "text/plain; version=0.0.4", .body = std::move(text)};
}

}  // namespace fogline::service
