// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file of counts: refused, or read and written again without a change. And any numbers as counts: what a stranger's file may hold must
// be read back, and trips made of it or refused, in bounded time and memory.
#include <cstring>

#include "fuzz_reader.hpp"
#include "traces/counts/counts_file.hpp"
#include "traces/make_trips.hpp"

namespace {

using namespace fogline;

constexpr std::int64_t largest = std::int64_t{1} << 53;

/// Counts from the bytes over and over, each a number of as many bits as the byte before it says, so that small ones are as likely as large ones.
class Numbers {
 public:
  Numbers(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  std::int64_t next() {
    const int bits = byte() % 54;
    std::int64_t number = 0;
    for (int i = 0; i < bits; i += 8) number = (number << 8) | byte();
    number %= (std::int64_t{1} << bits) + 1;
    return byte() % 2 == 0 ? number : -number;
  }

 private:
  std::uint8_t byte() { return data_[at_++ % size_]; }

  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

void read_back(const std::uint8_t* data, std::size_t size, const traces::TraceTerms& terms) {
  const traces::TraceStatistics statistics(terms.options());
  traces::AnswersSoFar answers(statistics);
  Numbers numbers(data, size);
  for (std::size_t s = 0; s < traces::statistic_count; ++s) {
    const auto statistic = static_cast<traces::Statistic>(s);
    if (!answers.asks(statistic)) continue;
    std::vector<std::int64_t> counts(answers.known().layout.bins_of(statistic));
    for (std::int64_t& count : counts) count = std::min(numbers.next(), largest);
    answers.take(statistic, counts);
  }
  traces::CountedTrips counted{.known = answers.known(),
                               .text = traces::counts_text(answers.known(), statistics)};
  fuzz::require_accepted([&] {
    const traces::NoisyStatistics again = traces::parse_counts(counted.text, "written", statistics);
    fuzz::require(traces::counts_text(again, statistics) == counted.text);
  });
  const traces::MadeTrips made =
      traces::make_trips(counted, terms, {}, {.most_points = 100'000, .parallel = {.threads = 1}});
  fuzz::require(made.trips.size() == terms.trips_to_make);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  traces::TraceTerms terms{.frame = traces::Frame::parse("0,0,1000,1000", traces::Frame::Unit::metres),
                           .epsilon = {1, 1},
                           .trips_to_make = 3};
  if (size == 0) return 0;
  fuzz::run(data, size, "fuzz.counts.json", fuzz::Form::tree, [&](io::TextSource& source) {
    const std::string text = source.read_all();
    const traces::TraceStatistics statistics(terms.options());
    fuzz::require(traces::counts_text(traces::parse_counts(text, "fuzz", statistics), statistics) == text);
  });
  terms.times = size % 2 == 0;
  if (size % 3 == 0) terms.trips = 20'000;
  fuzz::accept_or_refuse([&] { read_back(data, size, terms); });
  return 0;
}
