// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute_stream.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "audit/statements/recompute_parts.hpp"
#include "audit/statements/work_limits.hpp"
#include "base/error.hpp"
#include "mobility/model_file.hpp"
#include "stream/public_stream.hpp"
#include "stream/released_file.hpp"
#include "stream/run.hpp"
#include "stream/saved_state.hpp"

namespace fogline::audit {
namespace {

using privacy::Check;
using privacy::Outcome;
using stream::ReleasedFormat;
using stream::StreamTerms;

// Another machine's arithmetic may differ in the last digits, which a solver and many steps make larger.
constexpr double stream_tolerance = 1e-3;

bool same_numbers(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b) {
  if (a.is_object() && b.is_object()) {
    return a.size() == b.size() && std::ranges::all_of(a.items(), [&](const auto& item) {
             return b.contains(item.key()) && same_numbers(item.value(), b[item.key()]);
           });
  }
  if (a.is_number_float() || b.is_number_float()) {
    return a.is_number() && b.is_number() && near(a.get<double>(), b.get<double>(), stream_tolerance);
  }
  return a.dump() == b.dump();
}

class StreamRecomputation {
 public:
  StreamRecomputation(const privacy::Statement& statement, const RecomputeOptions& options, StreamTerms terms)
      : statement_(statement), options_(options), terms_(std::move(terms)) {}

  std::vector<Check> run() {
    std::vector<Check> checks{check_guarantee(statement_, [&] { return terms_.guarantee(); }),
                              check_words(statement_, terms_.promise(), terms_.not_protected())};
    checks.push_back(attempt("released file", [&] { return released(); }));
    checks.push_back(attempt("outcome", [&] { return outcome(); }));
    return checks;
  }

 private:
  stream::PublicStream read_stream() const {
    const stream::StreamFiles files = stream::files_of(terms_, [&](const privacy::PublicInput& input) {
      return at_hand(input.name, input.sha256, options_);
    });
    // A policy may join every pair of states, so that their number is looked at before it is built.
    const mobility::StateModel model = mobility::read_model(files.model);
    require_limited(options_, model.space.states(), WorkLimits::stream_states, "states");
    return {terms_, files};
  }

  std::vector<ReleasedFormat::Row> read_rows(const ReleasedFormat& format, std::size_t states) const {
    const ReleasedText text = released_text(statement_, options_);
    io::TextSource source = text.open(options_.progress);
    std::vector<ReleasedFormat::Row> rows = format.read(source);
    if (rows.size() != text.records)
      throw DataError({statement_.outputs.front().name},
                      fmt::format("holds {} steps, and the statement counts {}", rows.size(), text.records));
    require_limited(options_, rows.size(), WorkLimits::stream_steps, "steps");
    require_limited(options_, rows.size() * states, WorkLimits::stream_cells, "steps times states");
    return rows;
  }

  /// The rows of one sequence, made again from their draws.
  std::vector<ReleasedFormat::Row> rows_again(const stream::PublicStream& stream,
                                              std::span<const ReleasedFormat::Row> rows,
                                              ProgressMeter& meter) {
    stream::Tracker tracker = stream.tracker();
    if (terms_.begin_file)
      tracker.restore(
          stream::read_saved(at_hand(terms_.begin_file->name, terms_.begin_file->sha256, options_),
                             terms_.model.sha256)
              .state);
    stream::RowMaker maker(tracker, terms_, rows.front().sequence);
    std::vector<ReleasedFormat::Row> again;
    for (const ReleasedFormat::Row& row : rows) {
      tracker.prepare();
      if (auto made = maker.take(row.draw)) again.push_back(std::move(*made));
      nearby_.push_back(tracker.query().step() +
                        10 * stream_tolerance * tracker.free_distance(tracker.free_estimate()));
      meter.advance();
    }
    for (ReleasedFormat::Row& row : maker.finish()) again.push_back(std::move(row));
    tally_.merge(maker.tally());
    return again;
  }

  /// The first step at which the file does not say what follows from its draws.
  std::optional<std::string> walk(const stream::PublicStream& stream, const ReleasedFormat& format,
                                  std::span<const ReleasedFormat::Row> rows) {
    ProgressMeter meter(options_.progress, "walking through the release", rows.size());
    for (std::size_t begin = 0; begin < rows.size();) {
      std::size_t end = begin + 1;
      while (end < rows.size() && rows[end].sequence == rows[begin].sequence) ++end;
      const auto again = rows_again(stream, rows.subspan(begin, end - begin), meter);
      for (std::size_t i = begin; i < end; ++i) {
        const ReleasedFormat::Row& made = again[i - begin];
        if (made.step != rows[i].step) return fmt::format("row {} is not step {}", i + 1, made.step);
        if (!possible(stream, rows[i].state))
          return fmt::format("row {}: it names a state that the model does not have", i + 1);
        if (distance(made.value, rows[i].value) > nearby_[i])
          return fmt::format("row {}: the answer does not follow from the draws", i + 1);
        if (distance(made.free, rows[i].free) > nearby_[i])
          return fmt::format("row {}: the free baseline does not follow from the draws", i + 1);
        if (format.row(made) != format.row(rows[i])) ++otherwise_;
      }
      begin = end;
    }
    walked_ = true;
    return std::nullopt;
  }

  static bool possible(const stream::PublicStream& stream, const std::string& state) {
    return stream.model().space.names.find(state).has_value();
  }

  static double distance(std::span<const double> a, std::span<const double> b) {
    double squares = 0;
    for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(squares);
  }

  Check released() {
    const std::string name = "released file";
    const stream::PublicStream stream = read_stream();
    const ReleasedFormat format(stream.model().space);
    const auto rows = read_rows(format, stream.model().space.states());
    if (const auto wrong = walk(stream, format, rows)) return {name, Outcome::failed, *wrong};
    if (otherwise_ > 0) {
      const std::string sentence = fmt::format(
          "{} of its {} rows differ from what follows from the draws, by no more than rounding on another "
          "machine "
          "could explain",
          otherwise_, rows.size());
      if (terms_.finish == stream::Finish::raw)
        return {name, Outcome::failed, sentence + "; raw answers have none"};
      throw NotAtHand{sentence};
    }
    return {name, Outcome::passed,
            fmt::format("{} step{}, each certified anew; made again from the draws, every row is the same",
                        rows.size(), rows.size() == 1 ? "" : "s")};
  }

  Check outcome() const {
    if (!walked_) throw NotAtHand{"it follows from the walk through the released file"};
    const nlohmann::ordered_json anew = tally_.outcome(terms_);
    if (terms_.part == stream::ProtectedPart::sequence &&
        anew["longest_sequence"].get<std::uint64_t>() > terms_.steps)
      return {"outcome", Outcome::failed, "a sequence has more steps than were charged for"};
    if (statement_.outcome.json().empty())
      return {"outcome", Outcome::not_checked,
              "the statement has none, as that of a release that was cut short or drawn in parts"};
    for (const auto& item : anew.items()) {
      const auto& said = statement_.outcome.json();
      const std::string differs = difference_in_words(
          item.key(), item.value(),
          said.contains(item.key()) ? said[item.key()] : nlohmann::ordered_json(nullptr), same_numbers);
      if (!differs.empty()) return {"outcome", Outcome::failed, differs};
    }
    if (anew.size() != statement_.outcome.json().size())
      return {"outcome", Outcome::failed, "it says more than the steps add up to"};
    return {"outcome", Outcome::passed, "computed anew from the draws"};
  }

  const privacy::Statement& statement_;
  const RecomputeOptions& options_;
  StreamTerms terms_;
  stream::Tally tally_;
  std::vector<double> nearby_;  // per row: how far two answers may lie apart that differ by rounding alone
  std::size_t otherwise_ = 0;   // rows that are not the same to the last digit
  bool walked_ = false;
};

}  // namespace

std::vector<Check> recompute_stream(const privacy::Statement& statement, const RecomputeOptions& options) {
  return with_parameters(
      [&] { return StreamRecomputation(statement, options, stream::terms_from(statement)).run(); });
}

}  // namespace fogline::audit
