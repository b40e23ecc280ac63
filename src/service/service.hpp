// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "privacy/ledger_handle.hpp"
#include "release/caller.hpp"
#include "release/serving.hpp"
#include "service/batches.hpp"
#include "service/http_server.hpp"
#include "service/settings.hpp"
#include "service/worker.hpp"

namespace fogline::service {

/// What is behind the server: who may ask for what, and what he is answered. docs/service.md is its manual, openapi() its interface.
///
///     Service service(settings, ledger, caller);
///     HttpServer server(service.server_options(), [&](HttpRequest request, Respond respond) { service.handle(request, std::move(respond)); });
///     service.prepare();           // until then it is alive and not ready
///     service.stop();              // what was asked before is answered; then server.stop()
class Service {
 public:
  Service(Settings settings, privacy::LedgerHandle& ledger, release::Caller& caller);
  ~Service();
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;

  HttpServer::Options server_options() const;

  /// Declares the dataset if the ledger does not have it, checks the ledger, builds the mechanism. Throws what a release would throw; InvalidOption for a cap that is
  /// not the ledger's.
  void prepare();
  void handle(const HttpRequest& request, Respond respond);  ///< from any thread
  void stop();

 private:
  void release_places(const HttpRequest& request, const Token& token, const Respond& respond);
  HttpResponse answer_to(const release::Serving::Answer& answer, bool is_list) const;
  HttpResponse look_up(const Respond& respond, std::function<HttpResponse()> find);
  HttpResponse plan(const std::string& body);
  HttpResponse budget(std::string_view subject);
  HttpResponse statement(std::string_view id);
  HttpResponse kept_answer(std::string_view id);
  HttpResponse metrics() const;
  HttpResponse ready() const;
  HttpResponse dispatch(const HttpRequest& request, Respond& respond);
  const Token& require_token(const HttpRequest& request, Scope scope) const;
  void require_ready() const;
  void count(const HttpRequest& request, int status);

  Settings settings_;
  privacy::LedgerHandle& ledger_;
  release::Caller& caller_;
  std::unique_ptr<release::Serving> places_;
  std::unique_ptr<Batches> batches_;
  std::unique_ptr<Worker> lookups_;
  std::atomic<bool> is_ready_ = false;
  std::atomic<bool> is_stopping_ = false;
  mutable std::mutex counting_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;  // by route and status
};

/// The interface as OpenAPI 3.1.
std::string openapi();

}  // namespace fogline::service
