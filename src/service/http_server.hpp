// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fogline::service {

/// What came in. Nothing of it is ever logged or told back: it may hold a position or a token.
struct HttpRequest {
  std::string method;           ///< "POST"
  std::string path;             ///< "/v1/place/release", percent signs not decoded, without what follows `?`
  std::string query;            ///< what follows `?`; empty if nothing does
  std::string authorization;    ///< of the header of this name; empty if there is none
  std::string idempotency_key;  ///< likewise
  std::string body;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers = {};  ///< besides type, length and connection
  std::string body = {};
};

/// Gives the one answer to a request. May be called from any thread, at once or later; a second call is a programmer's mistake (assert).
/// If the connection or the server is gone by then, nothing happens. Dropped without a call, the connection is closed.
using Respond = std::function<void(HttpResponse)>;
/// Called from the server's threads, several at once; must return soon, and must not throw.
using HandleRequest = std::function<void(HttpRequest, Respond)>;

/// HTTP/1.1 with keep-alive on a TCP port or a Unix socket, to stand behind a reverse proxy.
///
///     HttpServer server({.listen = "127.0.0.1:8080"}, [](HttpRequest request, Respond respond) { ... });
///     server.port();     // that was given, if 0 was asked for
///     server.stop();     // no new connection; answers those that are under way; returns when all are out, or `drain` is over
///
/// What is malformed, too large or too slow is answered with 400, 408, 413 or 431 as problem+json, and the connection is closed; over
/// `connections`, a new one is closed at once with 503. No request is handed over before it is complete. While one is
/// answered nothing is read and no timeout runs; a client that is gone both ways is noticed, one that has only ended its
/// side is answered. After an answer to HTTP/1.0 the connection is closed.
class HttpServer {
 public:
  struct Options {
    std::string listen;                        ///< "127.0.0.1:8080", "[::1]:8080" or "unix:/run/fogline/http"
    int threads = 1;                           ///< 1 to 64
    std::size_t most_body_bytes = 64 * 1024;   ///< at most 1 GiB; over it: 413
    std::size_t most_header_bytes = 8 * 1024;  ///< with the request line; 256 to 60,000; over it: 431
    std::size_t connections = 1024;            ///< at once; at least 1
    /// For a whole request, and idle between two: 1 ms to 1 hour.
    std::chrono::milliseconds read_timeout{10'000};
    std::chrono::milliseconds write_timeout{10'000};  ///< for a whole answer: 1 ms to 1 hour
    std::chrono::milliseconds drain{5'000};           ///< how long stop() waits for answers: at most 1 hour
  };
  /// Listens at once. Throws InvalidOption, naming `listen`, for an address that is none; FileError where it cannot listen. A Unix socket
  /// that is left over (nobody listens) is replaced, anything else at its path is not. Its group may connect too (mode 0660).
  /// Any other option out of its range: InvalidOption, naming it.
  HttpServer(const Options& options, HandleRequest handle);
  ~HttpServer();  ///< stop()
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::uint16_t port() const;  ///< 0 of a Unix socket
  std::size_t open_connections() const;
  void stop();  ///< once; later calls do nothing. Not from `handle`, which it waits for

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fogline::service
