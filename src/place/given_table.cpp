// SPDX-License-Identifier: Apache-2.0
#include "place/given_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/csv.hpp"
#include "io/npz.hpp"
#include "place/vertex_lookup.hpp"
#include "privacy/mechanism.hpp"
#include "random/noise.hpp"

namespace fogline::place {
namespace {

using graph::VertexId;

static_assert(privacy::WeightedMechanism<GivenTable>);

constexpr double one = 0x1p100;  // as the weights of our own tables (kernel/sparse_table.hpp)
/// Priors and tables come with as many digits as somebody wrote.
constexpr double most_off = 1e-6;

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

namespace {

/// A table of other vertices is most often one that was made with another spacing, or none.
std::string what_vertices(const GivenTable::Options& options) {
  return options.vertices.empty() ? "vertices as the map has them" : "vertices " + options.vertices;
}

constexpr auto what_spacing =
    "give a row and a column for each vertex of the network, in its order; if the table was made with other "
    "vertices, say which: `spacing` METRES, or `spacing` none for those of the map";

[[noreturn]] void refuse_size(const std::string& path, const std::string& size, std::size_t n,
                              const GivenTable::Options& options) {
  throw DataError(
      {path}, fmt::format("holds {}, and the network has {} {}", size, grouped(n), what_vertices(options)),
      what_spacing);
}

template <class Entries>
void add_dense(const io::NpzFile& file, const std::string& name, std::size_t n,
               const GivenTable::Options& options, Entries& entries) {
  const auto shape = file.shape(name);
  if (shape.size() != 2) refuse_size(file.path(), "no table of rows and columns", n, options);
  if (shape[0] != n || shape[1] != n)
    refuse_size(file.path(), fmt::format("{} rows and {} columns", grouped(shape[0]), grouped(shape[1])), n,
                options);
  const std::vector<double> numbers = file.numbers(name);
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    if (numbers[at] != 0)
      entries.push_back({static_cast<VertexId>(at / n), static_cast<VertexId>(at % n), numbers[at]});
  }
}

/// Tables of ours list the near outputs of a row and say how likely each other one is. Beyond so many entries these
/// stay 0, as docs/formats.md says: a row of all outputs takes 36 bytes an entry while it is read.
constexpr std::size_t most_filled = 10'000'000;

template <class Entries>
void add_others(const io::NpzFile& file, std::size_t n, std::size_t first_listed, Entries& entries) {
  if (!file.has("of_each_other") || !file.has("range")) return;
  const std::vector<double> other = file.numbers("of_each_other");
  const auto range = file.integers("range");
  if (other.size() != n || range.size() > most_filled / n) return;
  std::vector<std::uint32_t> listed_by(n, 0);  // the row that lists it last, from 1
  const std::size_t end = entries.size();
  std::size_t at = first_listed;
  for (std::size_t v = 0; v < n; ++v) {
    const auto row = static_cast<std::uint32_t>(v + 1);
    for (; at < end && entries[at].input == v; ++at) listed_by[entries[at].output] = row;
    if (!(other[v] > 0)) continue;
    for (const std::int64_t output : range) {
      if (output < 0 || output >= static_cast<std::int64_t>(n))
        throw DataError({file.path()}, "has outputs in its range that are no vertices", "write it again");
      if (listed_by[static_cast<std::size_t>(output)] != row)
        entries.push_back({static_cast<VertexId>(v), static_cast<VertexId>(output), other[v]});
    }
  }
}

/// As scipy.sparse.save_npz writes it.
template <class Entries>
void add_csr(const io::NpzFile& file, std::size_t n, const GivenTable::Options& options, Entries& entries) {
  const auto refuse = [&](const char* why) {
    throw DataError({file.path()}, why, "write it with scipy.sparse.save_npz, as csr");
  };
  if (file.text("format") != "csr") refuse("is a sparse table in another format than csr");
  const auto shape = file.integers("shape");
  const auto size = static_cast<std::int64_t>(n);
  if (shape.size() != 2) refuse("holds no table of rows and columns");
  if (shape[0] != size || shape[1] != size)
    refuse_size(file.path(),
                fmt::format("{} rows and {} columns", grouped(static_cast<std::uint64_t>(shape[0])),
                            grouped(static_cast<std::uint64_t>(shape[1]))),
                n, options);
  const auto begin = file.integers("indptr"), column = file.integers("indices");
  const std::vector<double> data = file.numbers("data");
  if (begin.size() != n + 1 || column.size() != data.size() || begin.front() != 0 ||
      begin.back() != static_cast<std::int64_t>(data.size()) || !std::is_sorted(begin.begin(), begin.end()))
    refuse("has rows that do not fit its entries");
  const std::size_t first_listed = entries.size();
  for (std::size_t v = 0; v < n; ++v) {
    for (auto at = static_cast<std::size_t>(begin[v]); at < static_cast<std::size_t>(begin[v + 1]); ++at) {
      if (column[at] < 0 || column[at] >= size) refuse("has a column that it does not have");
      entries.push_back({static_cast<VertexId>(v), static_cast<VertexId>(column[at]), data[at]});
    }
  }
  add_others(file, n, first_listed, entries);
}

template <class Entries>
void add_csv(const roads::RoadNetwork& map, const GivenTable::Options& options, Entries& entries) {
  constexpr std::string_view inputs[] = {"input", "from", "truth"}, outputs[] = {"output", "to", "released"},
                             numbers[] = {"probability", "p", "weight"};
  constexpr std::string_view header = "input,output,probability";
  io::TextSource source = io::TextSource::from_file(options.file, {});
  io::CsvReader csv(source, {});
  const std::size_t input = csv.require_column("input", inputs, header),
                    output = csv.require_column("output", outputs, header),
                    probability = csv.require_column("probability", numbers, header);
  const io::VertexLookup find = vertex_lookup(map);
  const auto vertex = [&](std::size_t column) {
    const auto found = find(csv.trimmed(column));
    if (!found)
      csv.fail(column, fmt::format("is no vertex of the network, which has {}", what_vertices(options)),
               what_spacing);
    return *found;
  };
  while (csv.next()) entries.push_back({vertex(input), vertex(output), csv.number(probability)});
}

}  // namespace

GivenTable::GivenTable(const roads::RoadNetwork& map, const Options& options)
    : VertexMechanism(map.graph), epsilon_(options.epsilon), unit_(options.unit) {
  require_epsilon(epsilon_);
  if (map.vertex_count() == 0) throw InvalidOption("network", "has no vertex");
  std::vector<Entry> entries;
  if (options.file.ends_with(".csv")) {
    add_csv(map, options, entries);
  } else {
    const io::NpzFile file(options.file);
    if (file.has("indptr")) {
      add_csr(file, map.vertex_count(), options, entries);
    } else if (file.has("probability")) {
      add_dense(file, "probability", map.vertex_count(), options, entries);
    } else if (file.names().size() == 1) {
      add_dense(file, file.names().front(), map.vertex_count(), options, entries);
    } else {
      throw DataError({options.file}, "holds several arrays, and none is called probability",
                      "call the table so");
    }
  }
  take(std::move(entries), options.file);
  if (options.must_hold) require_kept(options);
}

GivenTable::GivenTable(const roads::RoadNetwork& map, const Options& options, const io::SectionFile& found)
    : VertexMechanism(map.graph), epsilon_(options.epsilon), unit_(options.unit) {
  require_epsilon(epsilon_);
  const auto copy = [](auto numbers) { return std::vector(numbers.begin(), numbers.end()); };
  range_.resize(map.vertex_count());
  std::iota(range_.begin(), range_.end(), VertexId{0});
  end_ = copy(found.numbers<std::uint64_t>("given_end"));
  output_ = copy(found.numbers<VertexId>("given_output"));
  sum_ = copy(found.numbers<Uint128>("given_sum"));
  require_sound(found.path());
}

void GivenTable::take(std::vector<Entry> entries, const std::string& file) {
  const std::size_t n = graph().vertex_count();
  range_.resize(n);
  std::iota(range_.begin(), range_.end(), VertexId{0});
  const auto place = [](const Entry& entry) { return std::pair(entry.input, entry.output); };
  std::ranges::sort(entries, {}, place);
  end_.assign(n, 0);
  std::vector<double> row_sum(n, 0.0);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto& [input, output, probability] = entries[i];
    if (!(probability >= 0 && probability <= 1))
      throw DataError({file}, "holds a number that is no probability", "rows are probabilities of outputs");
    if (i > 0 && place(entries[i - 1]) == place(entries[i]))
      throw DataError({file}, "names an entry twice", "leave one out");
    row_sum[input] += probability;
    const auto weight = static_cast<Uint128>(probability * one);
    if (weight == 0) continue;
    const bool is_first = output_.empty() || end_[input] == 0;
    output_.push_back(output);
    sum_.push_back(weight + (is_first ? 0 : sum_.back()));
    end_[input] = output_.size();
  }
  for (std::size_t v = 0; v < n; ++v) {
    if (!(std::abs(row_sum[v] - 1) <= most_off))
      throw DataError({file}, fmt::format("has a row that sums to {:.6g}", row_sum[v]),
                      "each vertex of the network needs a row of probabilities that sum to 1");
  }
  require_sound(file);
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
      if (output_[at] >= n || sum_[at] == 0 || sum_[at] > (Uint128{1} << 120) ||
          (!is_first && (output_[at] <= output_[at - 1] || sum_[at] <= sum_[at - 1])))
        refuse();
    }
  }
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
  for (std::size_t i = 0; i < outputs.size(); ++i)
    result.weights[outputs[i]] = sums[i] - (i == 0 ? 0 : sums[i - 1]);
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
