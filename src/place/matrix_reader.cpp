// SPDX-License-Identifier: Apache-2.0
#include "place/matrix_reader.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/csv.hpp"
#include "io/limits.hpp"
#include "io/npz.hpp"
#include "place/vertex_lookup.hpp"

namespace fogline::place {
namespace {

using graph::VertexId;

constexpr double probability_one = 0x1p100;  // as the weights of our own tables (kernel/sparse_table.hpp)
/// Priors and tables come with as many digits as somebody wrote.
constexpr double most_off_one = 1e-6;

/// Sparse tables of ours list what stands out in a row and say what each other output has. Beyond so many entries
/// probabilities of these stay 0, as docs/formats.md says, and integers, which are to be exact, are refused.
constexpr std::size_t most_filled = 10'000'000;

constexpr auto what_spacing =
    "give a row and a column for each vertex of the network, in its order; if the table was made with other "
    "vertices, say which: `spacing` METRES, or `spacing` none for those of the map";

/// Nothing for what is no integer, or too large a one.
std::optional<Uint128> weight_in(std::string_view digits) {
  if (digits.empty()) return std::nullopt;
  Uint128 number = 0;
  for (const char digit : digits) {
    if (digit < '0' || digit > '9' || number > most_matrix_total / 10) return std::nullopt;
    number = 10 * number + static_cast<Uint128>(digit - '0');
  }
  return number;
}

Uint128 weight_of(double probability, const std::string& file) {
  if (!(probability >= 0 && probability <= 1))
    throw DataError({file}, "holds a number that is no probability", "rows are probabilities of outputs");
  return static_cast<Uint128>(probability * probability_one);
}

/// The numbers of an array as integers: probabilities, if they are floating-point; or integers, also in two halves.
class MatrixNumbers {
 public:
  MatrixNumbers(const io::NpzFile& file, const std::string& name) : file_(file.path()) {
    if (is_halved(file, name)) {
      high_ = file.unsigned_integers(name + "_high");
      low_ = file.unsigned_integers(name + "_low");
      if (file.shape(name + "_high") != file.shape(name + "_low"))
        throw DataError({file_}, "holds halves of integers that do not fit each other", "write it again");
    } else if (file.array(name).type.find('f') == std::string::npos) {
      low_ = file.unsigned_integers(name);
    } else {
      probability_.emplace(file.numbers(name));
    }
  }

  static bool is_halved(const io::NpzFile& file, const std::string& name) {
    if (file.has(name + "_low") != file.has(name + "_high"))
      throw DataError({file.path()}, "holds one half of its integers", "write it again");
    return file.has(name + "_low");
  }

  bool are_probabilities() const { return probability_.has_value(); }
  std::size_t size() const { return probability_ ? probability_->size() : low_.size(); }
  Uint128 operator[](std::size_t i) const {
    if (probability_) return weight_of((*probability_)[i], file_);
    return (high_.empty() ? Uint128{0} : Uint128{high_[i]} << 64) | low_[i];
  }

 private:
  std::string file_;
  std::optional<std::vector<double>> probability_;
  std::vector<std::uint64_t> high_, low_;  // no high ones: all are 0
};

class MatrixReader {
 public:
  MatrixReader(const std::string& path, const roads::RoadNetwork& map, const std::string& vertices)
      : path_(path),
        map_(map),
        n_(map.vertex_count()),
        what_vertices_(vertices.empty() ? "vertices as the map has them" : "vertices " + vertices) {}

  std::vector<MatrixEntry> read() {
    if (path_.ends_with(".csv")) {
      add_csv();
    } else {
      add_npz();
    }
    const auto place = [](const MatrixEntry& entry) { return std::pair(entry.input, entry.output); };
    std::ranges::sort(entries_, {}, place);
    if (std::ranges::adjacent_find(entries_, {}, place) != entries_.end())
      throw DataError({path_}, "names an entry twice", "leave one out");
    require_totals();
    std::erase_if(entries_, [](const MatrixEntry& entry) { return entry.weight == 0; });
    return std::move(entries_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw DataError({path_}, why, "write it again"); }

  /// A table of other vertices is most often one that was made with another spacing, or none.
  [[noreturn]] void refuse_size(const std::string& size) const {
    throw DataError({path_},
                    fmt::format("holds {}, and the network has {} {}", size, grouped(n_), what_vertices_),
                    what_spacing);
  }

  template <class Shape>
  void require_shape(const Shape& shape, std::size_t columns) const {
    if (shape.size() != 2) refuse_size("no table of rows and columns");
    if (std::ranges::any_of(shape, [](auto size) { return std::cmp_less(size, 0); }))
      refuse("has less than no rows or columns");
    const auto rows_given = static_cast<std::uint64_t>(shape[0]);
    const auto columns_given = static_cast<std::uint64_t>(shape[1]);
    if (columns != n_ && columns_given != columns)
      refuse(fmt::format("has {} columns, and its range names {} outputs", grouped(columns_given),
                         grouped(columns)));
    if (rows_given != n_ || columns_given != columns)
      refuse_size(fmt::format("{} rows and {} columns", grouped(rows_given), grouped(columns_given)));
  }

  void add(std::size_t input, VertexId output, Uint128 weight) {
    if (entries_.size() >= most_entries_) io::refuse_over(&io::ReadLimits::memory, limits_.memory, {path_});
    entries_.push_back({static_cast<VertexId>(input), output, weight});
  }

  void add_npz() {
    const io::NpzFile file(path_);
    if (MatrixNumbers::is_halved(file, "weight") && (file.has("probability") || file.has("data")))
      refuse("holds integers, and probabilities as well");
    if (file.has("indptr")) {
      add_csr(file);
    } else if (file.has("probability")) {
      add_dense(file, "probability");
    } else if (MatrixNumbers::is_halved(file, "weight")) {
      add_dense(file, "weight");
    } else if (file.names().size() == 1) {
      add_dense(file, file.names().front());
    } else {
      throw DataError({path_}, "holds several arrays, and none is called probability",
                      "call the table so; a sparse one is written with scipy.sparse.save_npz, as csr");
    }
    if (MatrixNumbers::is_halved(file, "total")) said_total_.emplace(file, "total");
  }

  /// The outputs that a file names; without, every vertex.
  std::vector<VertexId> range_in(const io::NpzFile& file) const {
    std::vector<VertexId> range;
    if (!file.has("range")) {
      range.resize(n_);
      std::iota(range.begin(), range.end(), VertexId{0});
      return range;
    }
    for (const std::int64_t output : file.integers("range")) {
      if (output < 0 || output >= static_cast<std::int64_t>(n_))
        refuse("has outputs in its range that are no vertices");
      range.push_back(static_cast<VertexId>(output));
    }
    return range;
  }

  void add_dense(const io::NpzFile& file, const std::string& name) {
    const std::vector<VertexId> range = range_in(file);
    const auto shape = file.shape(MatrixNumbers::is_halved(file, name) ? name + "_low" : name);
    require_shape(shape, range.size());
    const MatrixNumbers numbers(file, name);
    are_probabilities_ = numbers.are_probabilities();
    for (std::size_t at = 0; at < numbers.size(); ++at) {
      if (const Uint128 weight = numbers[at]; weight != 0)
        add(at / range.size(), range[at % range.size()], weight);
    }
  }

  /// As scipy.sparse.save_npz writes it.
  void add_csr(const io::NpzFile& file) {
    const auto refuse_form = [&](const char* why) {
      throw DataError({path_}, why, "write it with scipy.sparse.save_npz, as csr");
    };
    if (file.text("format") != "csr") refuse_form("is a sparse table in another format than csr");
    const auto shape = file.integers("shape");
    if (shape.size() != 2) refuse_form("holds no table of rows and columns");
    require_shape(shape, n_);
    const auto begin = file.integers("indptr"), column = file.integers("indices");
    const MatrixNumbers data(file, MatrixNumbers::is_halved(file, "weight") ? "weight" : "data");
    are_probabilities_ = data.are_probabilities();
    if (begin.size() != n_ + 1 || column.size() != data.size() || begin.front() != 0 ||
        begin.back() != static_cast<std::int64_t>(data.size()) || !std::is_sorted(begin.begin(), begin.end()))
      refuse_form("has rows that do not fit its entries");
    for (std::size_t v = 0; v < n_; ++v) {
      for (auto at = static_cast<std::size_t>(begin[v]); at < static_cast<std::size_t>(begin[v + 1]); ++at) {
        if (column[at] < 0 || column[at] >= static_cast<std::int64_t>(n_))
          refuse_form("has a column that it does not have");
        add(v, static_cast<VertexId>(column[at]), data[at]);
      }
    }
    add_others(file);
  }

  void add_others(const io::NpzFile& file) {
    constexpr auto name = "of_each_other";
    if (!file.has("range") || !(file.has(name) || MatrixNumbers::is_halved(file, name))) return;
    const MatrixNumbers other(file, name);
    const std::vector<VertexId> range = range_in(file);
    std::vector<char> may_come_out(n_, 0);
    for (const VertexId output : range) may_come_out[output] = 1;
    if (std::ranges::any_of(entries_,
                            [&](const MatrixEntry& entry) { return may_come_out[entry.output] == 0; }))
      refuse("lists outputs that are not in its range");
    if (other.size() != n_ || other.are_probabilities() != are_probabilities_)
      refuse("says of outputs that are not listed what does not fit those that are");
    if (range.size() > most_filled / n_) {
      if (are_probabilities_) return;
      throw DataError(
          {path_},
          fmt::format("lists the integers that stand out, and has more than {} in all", grouped(most_filled)),
          "write it with `dense`");
    }
    std::vector<std::uint32_t> listed_by(n_, 0);  // the row that lists it last, from 1
    const std::size_t end = entries_.size();
    std::size_t at = 0;
    for (std::size_t v = 0; v < n_; ++v) {
      const auto row = static_cast<std::uint32_t>(v + 1);
      for (; at < end && entries_[at].input == v; ++at) listed_by[entries_[at].output] = row;
      const Uint128 weight = other[v];
      if (weight == 0) continue;
      for (const VertexId output : range)
        if (listed_by[output] != row) add(v, output, weight);
    }
  }

  void add_csv() {
    constexpr std::string_view inputs[] = {"input", "from", "truth"},
                               outputs[] = {"output", "to", "released"},
                               numbers[] = {"probability", "p", "weight"}, weights[] = {"weight"};
    constexpr std::string_view header = "input,output,probability";
    io::TextSource source = io::TextSource::from_file(path_, {});
    io::CsvReader csv(source, {});
    const std::size_t input = csv.require_column("input", inputs, header),
                      output = csv.require_column("output", outputs, header),
                      number = csv.require_column("probability", numbers, header);
    are_probabilities_ = !csv.find_column(weights).has_value();
    const io::VertexLookup find = vertex_lookup(map_);
    const auto vertex = [&](std::size_t column) {
      const auto found = find(csv.trimmed(column));
      if (!found)
        csv.fail(column, fmt::format("is no vertex of the network, which has {}", what_vertices_),
                 what_spacing);
      return *found;
    };
    while (csv.next()) {
      if (are_probabilities_) {
        add(vertex(input), vertex(output), weight_of(csv.number(number), path_));
        continue;
      }
      const auto weight = weight_in(csv.trimmed(number));
      if (!weight)
        csv.fail(number, "is no integer from 0 to 2^126",
                 "call the column probability if that is what it holds");
      add(vertex(input), vertex(output), *weight);
    }
  }

  void require_totals() const {
    std::vector<Uint128> total(n_, 0);
    for (const MatrixEntry& entry : entries_) {
      if (entry.weight > most_matrix_total - total[entry.input])
        throw DataError({path_}, "has a row that sums to more than 2^126", "divide its integers");
      total[entry.input] += entry.weight;
    }
    if (said_total_ && said_total_->size() != n_) refuse("has another number of totals than rows");
    for (std::size_t v = 0; v < n_; ++v) {
      const double sum = static_cast<double>(total[v]) / probability_one;
      if (are_probabilities_ && !(std::abs(sum - 1) <= most_off_one))
        throw DataError({path_}, fmt::format("has a row that sums to {:.6g}", sum),
                        "each vertex of the network needs a row of probabilities that sum to 1");
      if (total[v] == 0)
        throw DataError({path_}, "has a row without an integer above 0",
                        "each vertex of the network needs a row");
      if (said_total_ && (*said_total_)[v] != total[v])
        refuse("has a row whose integers do not sum to its total");
    }
  }

  const std::string& path_;
  const roads::RoadNetwork& map_;
  std::size_t n_;
  std::string what_vertices_;
  std::vector<MatrixEntry> entries_;
  bool are_probabilities_ = true;
  std::optional<MatrixNumbers> said_total_;
  io::ReadLimits limits_ = io::current_limits();
  std::size_t most_entries_ = limits_.memory / sizeof(MatrixEntry);
};

}  // namespace

std::vector<MatrixEntry> read_matrix(const std::string& path, const roads::RoadNetwork& map,
                                     const std::string& vertices) {
  return MatrixReader(path, map, vertices).read();
}

}  // namespace fogline::place
