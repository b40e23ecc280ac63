// SPDX-License-Identifier: Apache-2.0
// Any bytes as those of a connection: the requests in them keep the limits and what HttpRequest promises, and are the
// same wherever the bytes are cut. The first byte says where.
#include <algorithm>
#include <string_view>
#include <vector>

#include "fuzz_reader.hpp"
#include "service/http_parser.hpp"

namespace {

using namespace fogline;
using service::HttpParser;
using service::HttpRequest;

constexpr HttpParser::Limits limits{.most_body_bytes = 100, .most_header_bytes = 256};

bool is_plain(const std::string& text) {
  constexpr std::string_view never("\0\r\n", 3);
  return text.find_first_of(never) == std::string::npos;
}

void check(const HttpRequest& request) {
  fuzz::require(!request.method.empty() && is_plain(request.method));
  fuzz::require(request.path.starts_with('/') && request.path.find('?') == std::string::npos);
  fuzz::require(is_plain(request.path) && is_plain(request.query));
  fuzz::require(is_plain(request.authorization) && is_plain(request.idempotency_key));
  fuzz::require(request.body.size() <= limits.most_body_bytes);
  fuzz::require(request.method.size() + request.path.size() + request.query.size() +
                    request.authorization.size() + request.idempotency_key.size() <=
                limits.most_header_bytes);
}

/// What a server would hear if `step` bytes came at a time.
std::vector<HttpRequest> listen(std::string_view bytes, std::size_t step) {
  std::vector<HttpRequest> heard;
  HttpParser parser(limits);
  for (; !bytes.empty(); bytes.remove_prefix(std::min(step, bytes.size()))) {
    parser.feed(bytes.substr(0, step));
    while (parser.state() == HttpParser::State::complete) {
      const bool keeps_alive = parser.keeps_alive();
      heard.push_back(parser.take());
      check(heard.back());
      if (!keeps_alive) return heard;
    }
    if (parser.state() != HttpParser::State::refused) continue;
    fuzz::require(parser.status() == 400 || parser.status() == 413 || parser.status() == 431);
    return heard;
  }
  return heard;
}

bool are_same(const HttpRequest& a, const HttpRequest& b) {
  return a.method == b.method && a.path == b.path && a.query == b.query &&
         a.authorization == b.authorization && a.idempotency_key == b.idempotency_key && a.body == b.body;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  // Which fault is met first may depend on the cut; what is handed over before it may not.
  fuzz::require(std::ranges::equal(listen(bytes, size), listen(bytes, std::size_t{1} + data[0]), are_same));
  return 0;
}
