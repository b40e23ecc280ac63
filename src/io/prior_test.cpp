// SPDX-License-Identifier: Apache-2.0
#include "io/prior.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/test_text.hpp"

namespace fogline::io::prior_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_text::message_of;

Prior read(const std::string& text) {
  auto source = TextSource::from_memory("t.csv", text);
  return read_prior(source, numbered_vertices(10));
}

std::string refusal(const std::string& text) {
  return message_of([&] { read(text); });
}

TEST(Prior, ReadsAndSorts) {
  const Prior prior = read("vertex,probability\n7,0.25\n0,0.75\n3,0\n");
  EXPECT_THAT(prior.vertex, ElementsAre(0, 3, 7));
  EXPECT_THAT(prior.probability, ElementsAre(0.75, 0, 0.25));
}

TEST(Prior, ReadsNamedVertices) {
  NameTable names;
  names.intern("home");
  names.intern("work");
  auto source = TextSource::from_memory("t.csv", "node,p\nwork,0.5\nhome,0.5\n");
  EXPECT_THAT(read_prior(source, named_vertices(names)).vertex, ElementsAre(0, 1));
}

TEST(Prior, TheSumMayBeOffByAMillionth) {
  EXPECT_NO_THROW(read("vertex,probability\n1,0.5\n2,0.4999995\n"));
  EXPECT_THAT(refusal("vertex,probability\n1,0.5\n2,0.499998\n"), HasSubstr("do not sum to 1"));
}

TEST(Prior, BadFilesAreRefused) {
  EXPECT_THAT(refusal(""), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal("vertex,probability\n"), HasSubstr("do not sum to 1"));
  EXPECT_THAT(refusal("1,0.5\n2,0.5\n"), HasSubstr("header such as vertex,probability"));
  EXPECT_THAT(refusal("vertex,probability\n1,0.5\n1,0.5\n"),
              HasSubstr("t.csv, line 3: the vertex was given before"));
  EXPECT_THAT(refusal("vertex,probability\n10,1\n"), HasSubstr("line 2: column \"vertex\" is not a vertex"));
  EXPECT_THAT(refusal("vertex,probability\n1,-0.5\n2,1.5\n"),
              HasSubstr("line 2: column \"probability\" lies outside"));
  EXPECT_THAT(refusal("vertex,probability\n1,nan\n"), HasSubstr("is not a finite number"));
}

}  // namespace
}  // namespace fogline::io::prior_test
