// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "service/http_server.hpp"

namespace fogline::service {

/// The requests in the bytes of one connection, wherever those are cut. HttpServer reads by it; it knows of no socket.
/// Defined in http_server.cpp, so that no other source sees the library that does the work.
///
///     HttpParser parser({.most_body_bytes = 65'536, .most_header_bytes = 8'192});
///     parser.feed(bytes);
///     while (parser.state() == HttpParser::State::complete) serve(parser.take());
///     if (parser.state() == HttpParser::State::refused) refuse(parser.status());
///
/// Refused are, beyond what is no HTTP/1.0 or 1.1: a target that does not begin with `/`, a second Authorization or
/// Idempotency-Key, and any Transfer-Encoding but `chunked`, about which proxies do not agree. What follows a chunked
/// body as trailer is passed over: a proxy that looks at headers did not see it. Keeps at most the limits, and what it
/// was fed last.
class HttpParser {
 public:
  struct Limits {
    std::size_t most_body_bytes = 0;
    std::size_t most_header_bytes =
        0;  ///< of request line and headers; of what stands between two chunks; of a trailer
  };
  enum class State {
    reading,         ///< more bytes are needed
    wants_continue,  ///< likewise, but the client waits for "100 Continue" before it sends them
    complete,        ///< take() gives a request
    refused,         ///< status() says why; nothing follows
  };

  explicit HttpParser(const Limits& limits);
  ~HttpParser();
  HttpParser(const HttpParser&) = delete;
  HttpParser& operator=(const HttpParser&) = delete;

  void feed(std::string_view bytes);  ///< not once it is refused
  HttpRequest take();                 ///< if complete; goes on with the next one's bytes if they are there

  State state() const { return state_; }
  int status() const { return status_; }  ///< if refused: 400, 413 or 431
  bool has_begun() const;                 ///< some bytes of a request that is not taken yet are here
  bool keeps_alive() const;               ///< if complete: whether the client may send another one after it

 private:
  struct Engine;
  void restart();
  void parse();
  bool parse_step();
  void finish_header();
  void refuse(int status);

  Limits limits_;
  State state_ = State::reading;
  int status_ = 0;
  std::size_t header_bytes_ = 0;
  std::string pending_;
  HttpRequest request_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace fogline::service
