// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace fogline::io {

/// What a reader takes of one file before it refuses it: a stranger's file, or the wrong one, must not keep a program busy or fill its memory. The defaults are far above what
/// people have, and far below what a machine cannot do. docs/formats.md has the table, with the reasons, from all_limits().
///
///     const LimitScope scope(parse_limits("records=1000000,bytes=4G"));
///     TextSource trips = TextSource::from_file("trips.csv");      // and every other file that this thread opens
///
/// Over a limit: DataError with the code "over-limit", which names the limit and never a value of the file.
struct ReadLimits {
  std::uint64_t bytes = std::uint64_t{1} << 40;   ///< of a file, unpacked; 1 TiB
  std::uint64_t memory = std::uint64_t{1} << 31;  ///< bytes of a file that is held whole, as JSON is; 2 GiB
  std::uint64_t line = std::uint64_t{1} << 26;    ///< bytes of a line, or of a record of CSV; 64 MiB
  std::uint64_t columns = 4096;
  std::uint64_t depth = 200;              ///< of lists and objects in JSON, of elements in XML
  std::uint64_t records = 4'000'000'000;  ///< points, edges, rows, nodes, ways, entries of a list
  std::uint64_t ratio = 200;              ///< unpacked bytes for each packed one, beyond `unpacked_for_free`
  std::uint64_t seconds = 0;              ///< from the opening of a file; 0: as long as it takes

  /// Seconds since some moment; nobody keeps time if it is empty. Handed in, since the core has no clock.
  std::function<double()> clock = {};
};

inline constexpr std::uint64_t unpacked_for_free = std::uint64_t{1} << 26;  ///< 64 MiB, read in a moment

/// One of the limits: how it is called, what it may be, and why it is what it is.
struct LimitInfo {
  std::string_view name;
  std::uint64_t ReadLimits::*value;
  std::uint64_t least, most;
  bool is_size;               ///< in bytes: may be written as 64M
  std::string_view refusal;   ///< with {} for the limit
  std::string_view concerns;  ///< which readers
  std::string_view reason;
};
std::span<const LimitInfo> all_limits();

/// "records=1000000,bytes=4G": what is not named is as in `otherwise`. Throws InvalidOption for "limits".
ReadLimits parse_limits(std::string_view text, ReadLimits otherwise = {});

/// While it lives, these limits hold for what this thread opens. They are this thread's alone, so that two releases at once do not see each other's; what is opened keeps them
/// (TextSource::limits), so that it may be read on others. Scopes may be nested; the innermost holds.
class LimitScope {
 public:
  explicit LimitScope(ReadLimits limits);
  ~LimitScope();
  LimitScope(const LimitScope&) = delete;
  LimitScope& operator=(const LimitScope&) = delete;

 private:
  ReadLimits limits_;
  const ReadLimits* before_;
};

/// Those of this thread; the defaults if no scope was opened.
const ReadLimits& current_limits();

/// Throws the DataError of this limit, which is `value`.
[[noreturn]] void refuse_over(std::uint64_t ReadLimits::*limit, std::uint64_t value, const FileSpot& spot);

/// Is it the DataError of this limit?
bool is_over(std::uint64_t ReadLimits::*limit, const DataError& error);

/// Refuses a file of which `unpacked` bytes came out of the first `packed` ones, if that is more than `ratio` allows. Asked while a file is unpacked, so that it stops
/// early.
void require_plausible_unpacking(const ReadLimits& limits, const std::string& file, std::uint64_t packed,
                                 std::uint64_t unpacked);

/// Counts the records of one file.
///
///     RecordCounter counter;
///     while (...) counter.add([&] { return FileSpot{name, line}; });        // asked for the place only to refuse it
class RecordCounter {
 public:
  RecordCounter() : most_(current_limits().records) {}
  explicit RecordCounter(const ReadLimits& limits) : most_(limits.records) {}

  template <class Spot>
  void add(const Spot& spot) {
    if (++count_ > most_) refuse_over(&ReadLimits::records, most_, spot());
  }

 private:
  std::uint64_t most_;
  std::uint64_t count_ = 0;
};

/// The time that one file takes, from here on.
class ReadingTime {
 public:
  explicit ReadingTime(const ReadLimits& limits) : limits_(limits), start_(is_kept() ? limits_.clock() : 0) {}
  void require_left(const std::string& file) const {
    if (is_kept() && limits_.clock() - start_ > static_cast<double>(limits_.seconds))
      refuse_over(&ReadLimits::seconds, limits_.seconds, {file});
  }

  bool is_kept() const { return limits_.seconds > 0 && limits_.clock; }

 private:
  ReadLimits limits_;
  double start_;
};

/// What a file of one format holds at most, however high the limits above: none that this program writes, or can use, comes near.
struct FormatLimit {
  std::string_view file;
  std::string_view what;
  std::uint64_t most;
  std::string_view reason;
};

namespace format_limit {
inline constexpr FormatLimit statement_bytes{"statement", "bytes", std::uint64_t{1} << 24,
                                             "a statement with every public input named takes a few KiB"};
inline constexpr FormatLimit key_bytes{"key", "bytes", std::uint64_t{1} << 16,
                                       "a key with 16 endorsements takes 4 KiB"};
inline constexpr FormatLimit anchors_bytes{"list of anchors", "bytes", std::uint64_t{1} << 24,
                                           "two short texts for each ledger"};
inline constexpr FormatLimit strict_depth{"statement, key, published route, counts", "levels", 32,
                                          "their formats nest six deep"};
inline constexpr FormatLimit strict_values{"statement, key, published route", "values", 20'000,
                                           "the parser's time grows with objects times values"};
inline constexpr FormatLimit counts_bytes{"file of counts", "bytes", std::uint64_t{1} << 22,
                                          "100,000 counts of at most 17 digits"};
inline constexpr FormatLimit counts_values{"file of counts", "values", 150'000,
                                           "three fine grids have 97,200 cells, all else a few thousand"};
inline constexpr FormatLimit route_bytes{"published route", "bytes", std::uint64_t{1} << 26,
                                         "20,000 stops, with a bit for each pair, take 33 MB"};
inline constexpr FormatLimit model_bytes{"JSON model", "bytes", std::uint64_t{1} << 28,
                                         "50,000 states with a hundred ways on from each take half of it"};
inline constexpr FormatLimit model_path{"JSON model, saved stream", "bytes of a field's path", 500,
                                        "the longest of the format has 23; every field keeps its own"};
inline constexpr FormatLimit constraint_features{"constraints", "features", 1'000,
                                                 "each is a rule that every trip is held against"};
inline constexpr FormatLimit constraint_corners{"constraints", "positions", 200'000,
                                                "every leg of a trip is held against the sides of areas"};
}  // namespace format_limit
std::span<const FormatLimit> all_format_limits();

/// DataError if `found` is more than the format's limit.
void require_within(const FormatLimit& limit, std::uint64_t found, const FileSpot& spot);

}  // namespace fogline::io
