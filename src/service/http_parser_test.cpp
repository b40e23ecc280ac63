// SPDX-License-Identifier: Apache-2.0
#include "service/http_parser.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fogline::service::http_parser_test {
namespace {

TEST(HttpParser, ReadsTheSameWhereverBytesAreCut) {
  const std::string bytes =
      std::string("POST / HTTP/1.1\r\nAuthorization: Bearer abc\r\nContent-Length: 5\r\n\r\nfirst") +
      "POST /second?q HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
      "6\r\nsecond\r\n4;a=\"b\"\r\nbody\r\n0\r\nAuthorization: late\r\n\r\n" +
      "GET /third HTTP/1.1\r\n\r\n";
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    HttpParser parser({.most_body_bytes = 10, .most_header_bytes = 256});
    std::vector<HttpRequest> requests;
    for (const std::string& part : {bytes.substr(0, cut), bytes.substr(cut)}) {
      parser.feed(part);
      while (parser.state() == HttpParser::State::complete) {
        EXPECT_TRUE(parser.keeps_alive());
        requests.push_back(parser.take());
      }
    }
    ASSERT_EQ(requests.size(), 3U) << cut;
    EXPECT_FALSE(parser.has_begun());
    EXPECT_EQ(requests[0].authorization, "Bearer abc");
    EXPECT_EQ(requests[0].body, "first");
    EXPECT_EQ(requests[1].path, "/second");
    EXPECT_EQ(requests[1].query, "q");
    EXPECT_EQ(requests[1].authorization, "");
    EXPECT_EQ(requests[1].body, "secondbody");
    EXPECT_EQ(requests[2].method, "GET");
  }
}

TEST(HttpParser, TakesAnEmptyChunkedBodyByteByByte) {
  // The library asserts that the last chunk comes with two bytes more.
  HttpParser parser({.most_body_bytes = 10, .most_header_bytes = 256});
  parser.feed("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (const char* part : {"0\r\n", "\r", "\n"}) {
    EXPECT_EQ(parser.state(), HttpParser::State::reading);
    parser.feed(part);
  }
  EXPECT_EQ(parser.state(), HttpParser::State::complete);
  EXPECT_EQ(parser.take().body, "");
}

TEST(HttpParser, LimitsTrailersAndWhatIsBetweenChunks) {
  const std::string begin = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string filler(256, 'x');
  for (const std::string& rest :
       {"1;" + filler + "\r\nx\r\n0\r\n\r\n", "1\r\nx\r\n0\r\nA: " + filler + "\r\n\r\n"}) {
    HttpParser parser({.most_body_bytes = 10, .most_header_bytes = 256});
    parser.feed(begin + rest);
    EXPECT_EQ(parser.state(), HttpParser::State::refused);
    EXPECT_EQ(parser.status(), 431);
  }
}

}  // namespace
}  // namespace fogline::service::http_parser_test
