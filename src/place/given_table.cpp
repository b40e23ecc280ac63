// SPDX-License-Identifier: Apache-2.0
#include "place/given_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/error.hpp"
#include "place/matrix_reader.hpp"
#include "privacy/mechanism.hpp"
#include "random/noise.hpp"

namespace fogline::place {
namespace {

using graph::VertexId;

static_assert(privacy::WeightedMechanism<GivenTable>);

}  // namespace

class GivenSampler : public VertexMechanism::Sampler {
 public:
  explicit GivenSampler(const GivenTable& table) : table_(table) {}
  VertexId draw(VertexId truth, random::Stream& noise) override {
    const auto outputs = table_.outputs_of(truth);
    const auto sums = table_.sums_of(truth);
    const auto odds = [&](std::uint64_t output) -> random::Odds {
      const auto at = std::lower_bound(outputs.begin(), outputs.end(), static_cast<VertexId>(output));
      if (at == outputs.end() || *at != output) return {0, sums.back()};
      const auto i = static_cast<std::size_t>(at - outputs.begin());
      return {sums[i] - (i == 0 ? 0 : sums[i - 1]), sums.back()};
    };
    const auto drawn = [&]() -> std::uint64_t {
      const auto at = std::upper_bound(sums.begin(), sums.end(), noise.below128(sums.back()));
      return outputs[static_cast<std::size_t>(at - sums.begin())];
    };
    return static_cast<VertexId>(random::choose("table", noise, drawn, odds));
  }

 private:
  const GivenTable& table_;
};

class GivenRows : public VertexMechanism::NearRows {
 public:
  explicit GivenRows(const GivenTable& table) : table_(table) {}
  const NearRow& of(VertexId input) override {
    const auto outputs = table_.outputs_of(input);
    const auto sums = table_.sums_of(input);
    row_.output.assign(outputs.begin(), outputs.end());
    row_.probability.clear();
    for (std::size_t i = 0; i < sums.size(); ++i)
      row_.probability.push_back(static_cast<double>(sums[i] - (i == 0 ? 0 : sums[i - 1])) /
                                 static_cast<double>(sums.back()));
    return row_;
  }

 private:
  const GivenTable& table_;
  NearRow row_;
};

GivenTable::GivenTable(const roads::RoadNetwork& map, const Options& options)
    : VertexMechanism(map.graph), epsilon_(options.epsilon), unit_(options.unit) {
  require_epsilon(epsilon_);
  if (map.vertex_count() == 0) throw InvalidOption("network", "has no vertex");
  end_.assign(map.vertex_count(), 0);
  Uint128 sum = 0;
  for (const auto& [input, output, weight] : read_matrix(options.file, map, options.vertices)) {
    const bool is_first = end_[input] == 0;
    sum = is_first ? weight : sum + weight;
    output_.push_back(output);
    sum_.push_back(sum);
    end_[input] = output_.size();
  }
  require_sound(options.file);
  find_range();
  if (options.must_hold) require_kept(options);
}

GivenTable::GivenTable(const roads::RoadNetwork& map, const Options& options, const io::SectionFile& found)
    : VertexMechanism(map.graph), epsilon_(options.epsilon), unit_(options.unit) {
  require_epsilon(epsilon_);
  const auto copy = [](auto numbers) { return std::vector(numbers.begin(), numbers.end()); };
  end_ = copy(found.numbers<std::uint64_t>("given_end"));
  output_ = copy(found.numbers<VertexId>("given_output"));
  sum_ = copy(found.numbers<Uint128>("given_sum"));
  require_sound(found.path());
  find_range();
}

/// For what came from a file of a prepared mechanism: every row has outputs in order, and sums that grow.
void GivenTable::require_sound(const std::string& file) const {
  const auto refuse = [&] {
    throw DataError({file}, "holds a table that does not fit its map", "prepare it again");
  };
  const std::size_t n = graph().vertex_count();
  if (end_.size() != n || output_.size() != sum_.size() || end_.back() != output_.size()) refuse();
  for (std::size_t v = 0, begin = 0; v < n; begin = end_[v++]) {
    if (end_[v] <= begin || end_[v] > output_.size()) refuse();
    for (std::size_t at = begin; at < end_[v]; ++at) {
      const bool is_first = at == begin;
      if (output_[at] >= n || sum_[at] == 0 || sum_[at] > most_matrix_total ||
          (!is_first && (output_[at] <= output_[at - 1] || sum_[at] <= sum_[at - 1])))
        refuse();
    }
  }
}

void GivenTable::find_range() {
  std::vector<char> comes_out(graph().vertex_count(), 0);
  for (const VertexId output : output_) comes_out[output] = 1;
  for (VertexId v = 0; v < comes_out.size(); ++v)
    if (comes_out[v] != 0) range_.push_back(v);
}

void GivenTable::require_kept(const Options& options) const {
  const kernel::Certificate found = certificate(options.threads, options.progress);
  if (kernel::holds(found, epsilon_.value() / 1000)) return;
  throw InvalidOption(
      "mechanism",
      fmt::format(
          "is a table that does not keep epsilon {}: on one road of {:.3f} m it loses {:.6g} per metre",
          epsilon_.value().to_string(), found.loss.at.distance / 1000.0, 1000 * found.loss.low));
}

std::span<const VertexId> GivenTable::outputs_of(VertexId input) const {
  const std::size_t begin = input == 0 ? 0 : end_[input - 1];
  return std::span(output_).subspan(begin, end_[input] - begin);
}

std::span<const Uint128> GivenTable::sums_of(VertexId input) const {
  const std::size_t begin = input == 0 ? 0 : end_[input - 1];
  return std::span(sum_).subspan(begin, end_[input] - begin);
}

privacy::Guarantee GivenTable::guarantee() const {
  return privacy::Guarantee::metric(epsilon_, unit_, privacy::Exactness::exact);
}

std::unique_ptr<VertexMechanism::Sampler> GivenTable::sampler() const {
  return std::make_unique<GivenSampler>(*this);
}

std::unique_ptr<VertexMechanism::NearRows> GivenTable::near_rows() const {
  return std::make_unique<GivenRows>(*this);
}

kernel::WeightRow GivenTable::row(VertexId input) const {
  check_vertex(input);
  const auto outputs = outputs_of(input);
  const auto sums = sums_of(input);
  kernel::WeightRow result{std::vector<Uint128>(range_.size(), 0), sums.back()};
  std::size_t column = 0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    while (range_[column] != outputs[i]) ++column;
    result.weights[column] = sums[i] - (i == 0 ? 0 : sums[i - 1]);
  }
  return result;
}

void GivenTable::store(io::SectionWriter& file) const {
  file.add("given_end", std::span<const std::uint64_t>(end_));
  file.add("given_output", std::span<const VertexId>(output_));
  file.add("given_sum", std::span<const Uint128>(sum_));
}

bool GivenTable::is_held_by(const io::SectionFile& file) const {
  return std::ranges::equal(end_, file.numbers<std::uint64_t>("given_end")) &&
         std::ranges::equal(output_, file.numbers<VertexId>("given_output")) &&
         std::ranges::equal(sum_, file.numbers<Uint128>("given_sum"));
}

kernel::Certificate GivenTable::certificate(int threads, const Progress& progress) const {
  return kernel::certify(kernel::Relation::metric(graph()), [this](VertexId v) { return row(v); },
                         {.threads = threads, .progress = progress});
}

RuleCertificate GivenTable::certify_rule(const RuleOptions& options) const {
  const kernel::Certificate found = certificate(options.threads, options.progress);
  return {
      .available = true,
      .holds = kernel::holds(found, epsilon_.value() / 1000),
      .loss_high_per_metre = std::nextafter(1000 * found.loss.high, std::numeric_limits<double>::infinity()),
      .rule = fmt::format("the integers of all {} rows were compared on every road, for every output",
                          graph().vertex_count())};
}

std::vector<std::string> GivenTable::remarks() const {
  return {fmt::format("This is a table from a file, with {} entries.", output_.size())};
}

}  // namespace fogline::place
