// SPDX-License-Identifier: Apache-2.0
#include "io/tntp.hpp"

#include <array>

#include <fmt/format.h>

#include "io/graph_builder.hpp"
#include "io/numbers.hpp"
#include "io/words.hpp"

namespace fogline::io {
namespace {

constexpr std::size_t link_words =
    10;  // init_node term_node capacity length free_flow_time b power speed toll type

class TntpReader {
 public:
  TntpReader(TextSource& source, const GraphReadOptions& options)
      : lines_(source), builder_(source.name(), options, true) {}

  GraphTable read() {
    for (std::string_view line; lines_.next(line);) {
      line = trim(line);
      if (line.empty() || line.front() == '~') continue;
      if (line.front() == '<') {
        is_network_ = true;
        read_metadata(line);
      } else if (is_network_) {
        read_link(line);
      } else {
        read_flow(line);
      }
    }
    if (links_expected_ && *links_expected_ != links_) {
      throw DataError({lines_.name()},
                      fmt::format("has {} links where its head says {}", links_, *links_expected_),
                      "check that the file is complete");
    }
    return std::move(builder_).finish();
  }

 private:
  [[noreturn]] void fail(std::string_view problem, std::string_view what_to_try = "") const {
    throw DataError({lines_.name(), lines_.line_number()}, problem, what_to_try);
  }

  void read_metadata(std::string_view line) {
    const std::size_t close = line.find('>');
    if (close == std::string_view::npos) fail("a head line has no >");
    const std::string_view key = line.substr(1, close - 1);
    if (key != "NUMBER OF LINKS" && key != "NUMBER OF NODES") return;
    const auto number = parse_uint64(trim(line.substr(close + 1)));
    if (!number) fail("the head does not give a whole number here");
    (key == "NUMBER OF LINKS" ? links_expected_ : nodes_expected_) = number;
  }

  void read_link(std::string_view line) {
    const std::size_t semicolon = line.find(';');
    if (semicolon == std::string_view::npos)
      fail("the link does not end in ;", "check that the file is complete");
    std::array<std::string_view, link_words> word;
    const std::size_t count = split_words(line.substr(0, semicolon), word);
    if (count < 5) fail("a link needs at least init_node, term_node, capacity, length and free_flow_time");
    if (count > link_words) fail(fmt::format("the link has more than {} values", link_words));
    ++links_;
    const auto length = parse_double(word[3]);
    if (!length || *length < 0) fail("the length is not a number from 0 on");
    builder_.add({.source = node(word[0]),
                  .target = node(word[1]),
                  .weight = weight_or_nan(word[4]),
                  .line = lines_.line_number(),
                  .length = length,
                  .free_flow_time = weight_or_nan(word[4])});
  }

  void read_flow(std::string_view line) {
    std::array<std::string_view, 4> word;
    if (split_words(line, word) != 4) {
      fail("does not hold the four values From, To, Volume and Cost", "check that this is a TNTP file");
    }
    if (!seen_flow_header_) {
      if (parse_double(word[0])) fail("comes before the header", "let the first line be From To Volume Cost");
      seen_flow_header_ = true;
      return;
    }
    const auto cost = parse_double(word[3]);
    if (!cost) fail("the cost is not a finite number");
    builder_.add({.source = node(word[0]),
                  .target = node(word[1]),
                  .weight = weight_or_nan(word[2]),
                  .line = lines_.line_number(),
                  .cost = cost});
  }

  std::string_view node(std::string_view word) const {
    const auto number = parse_uint64(word);
    if (!number || *number == 0) fail("a node is not a whole number from 1 on");
    if (nodes_expected_ && *number > *nodes_expected_) fail("a node exceeds the number of nodes in the head");
    return word;
  }

  LineReader lines_;
  GraphBuilder builder_;
  std::optional<std::uint64_t> links_expected_;
  std::optional<std::uint64_t> nodes_expected_;
  std::uint64_t links_ = 0;
  bool is_network_ = false;
  bool seen_flow_header_ = false;
};

}  // namespace

GraphTable read_tntp(TextSource& source, const GraphReadOptions& options) {
  return TntpReader(source, options).read();
}

}  // namespace fogline::io
