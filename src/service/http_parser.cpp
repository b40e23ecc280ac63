// SPDX-License-Identifier: Apache-2.0
#include "service/http_parser.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>

namespace fogline::service {

namespace net = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

constexpr unsigned http_1_1 = 11;  // as the library counts

}  // namespace

struct HttpParser::Engine {
  http::request_parser<http::string_body> parser;
};

HttpParser::HttpParser(const Limits& limits) : limits_(limits) {
  restart();
}

HttpParser::~HttpParser() = default;

void HttpParser::restart() {
  state_ = State::reading;
  header_bytes_ = 0;
  request_ = {};
  engine_ = std::make_unique<Engine>();
  engine_->parser.body_limit(limits_.most_body_bytes);
  // It counts request line and headers apart, and neither chunks nor trailers: parse_step() shows it no more at once
  // than we take.
  engine_->parser.header_limit(static_cast<std::uint32_t>(limits_.most_header_bytes + 1));
}

void HttpParser::feed(std::string_view bytes) {
  assert(state_ != State::refused);
  pending_ += bytes;
  if (state_ == State::wants_continue) state_ = State::reading;
  parse();
}

HttpRequest HttpParser::take() {
  assert(state_ == State::complete);
  HttpRequest taken = std::move(request_);
  restart();
  parse();
  return taken;
}

bool HttpParser::has_begun() const {
  return header_bytes_ > 0 || !pending_.empty();
}

bool HttpParser::keeps_alive() const {
  // The old version has it by agreement only, which few ask for and proxies do without.
  return engine_->parser.get().version() == http_1_1 && engine_->parser.keep_alive();
}

void HttpParser::parse() {
  while (state_ == State::reading && !pending_.empty()) {
    if (!parse_step()) return;
  }
}

/// One step of the parser: the header, a piece of a body, what stands between two. False if it needs more bytes.
bool HttpParser::parse_step() {
  // The library asserts that it sees the shortest last chunk as a whole. As much follows in any chunked body that is
  // not at its end.
  constexpr std::size_t shortest_end = std::string_view("0\r\n\r\n").size();
  auto& parser = engine_->parser;
  if (parser.is_header_done() && parser.chunked() && pending_.size() < shortest_end) return false;
  const bool in_header = !parser.is_header_done();
  const std::size_t most = limits_.most_header_bytes - (in_header ? header_bytes_ : 0);
  const std::size_t shown = std::min(pending_.size(), most);
  error_code error;
  const std::size_t used = parser.put(net::const_buffer(pending_.data(), shown), error);
  pending_.erase(0, used);
  if (in_header) header_bytes_ += used;
  if (error == http::error::need_more) {
    if (shown == most) refuse(static_cast<int>(http::status::request_header_fields_too_large));
    return false;
  }
  if (error) {
    refuse(static_cast<int>(error == http::error::body_limit ? http::status::payload_too_large
                                                             : http::status::bad_request));
    return false;
  }
  if (in_header && parser.is_header_done()) finish_header();
  if (state_ == State::refused || !parser.is_done()) return true;
  request_.body = std::move(parser.get().body());
  state_ = State::complete;
  return true;
}

/// What is asked of headers beyond what the parser asks. They are kept now, as it adds those of a trailer to them later.
void HttpParser::finish_header() {
  constexpr const char* idempotency_key = "Idempotency-Key";
  const auto& message = engine_->parser.get();
  const std::string target(message.target());
  const std::size_t encodings = message.count(http::field::transfer_encoding);
  const bool is_chunked = encodings == 1 && message.version() == http_1_1 &&
                          boost::beast::iequals(message[http::field::transfer_encoding], "chunked");
  // An empty key is a mistake of whoever believes that he may send again.
  const bool is_keyless = message.count(idempotency_key) == 1 && message[idempotency_key].empty();
  if (is_keyless || !target.starts_with('/') || message.count(http::field::authorization) > 1 ||
      message.count(idempotency_key) > 1 || (encodings > 0 && !is_chunked)) {
    return refuse(static_cast<int>(http::status::bad_request));
  }
  const std::size_t mark = std::min(target.find('?'), target.size());
  request_.method = std::string(message.method_string());
  request_.path = target.substr(0, mark);
  request_.query = target.substr(std::min(mark + 1, target.size()));
  request_.authorization = std::string(message[http::field::authorization]);
  request_.idempotency_key = std::string(message[idempotency_key]);
  const bool expects =
      message.version() == http_1_1 && boost::beast::iequals(message[http::field::expect], "100-continue");
  // Who sends the body without waiting needs no word.
  if (expects && !engine_->parser.is_done() && pending_.empty()) state_ = State::wants_continue;
}

void HttpParser::refuse(int status) {
  status_ = status;
  state_ = State::refused;
}

}  // namespace fogline::service
