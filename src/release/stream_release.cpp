// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/parallel.hpp"
#include "io/output_file.hpp"
#include "mobility/sequences.hpp"
#include "release/column_fields.hpp"
#include "release/kinds.hpp"
#include "release/stream_fields.hpp"
#include "stream/measures/tally.hpp"
#include "stream/people.hpp"
#include "stream/released_file.hpp"
#include "stream/run.hpp"
#include "stream/saved_state.hpp"

namespace fogline::release {
namespace {

using mobility::StateId;

/// The next state, with its step prepared; false at the end, and when asked to stop: what was answered before is then
/// a release of its own, told by its statement like any other.
bool await_state(mobility::SequenceReader& reader, stream::Tracker& walker, const Progress& progress,
                 mobility::StateRecord& record) try {
  if (!reader.next(record)) return false;
  require_wanted(progress, "releasing");
  walker.prepare(progress);
  require_wanted(progress, "releasing");
  return true;
} catch (const Cancelled&) {
  return false;
}

/// Of a file, or live: one state in, one answer out.
class StreamRelease : public Release {
 public:
  std::string kind() const override { return "stream"; }

  void declare(FieldTable& table) override {
    from.declare(table, "STATES", "private: CSV state or lon,lat, and sequence; - for standard input");
    fields_.declare(table);
    columns_.declare_order(table);
    to.ledger.declare(table);
    to.output.declare(table);
    table.value("save", "FILE", save_, "keep the public state, to go on from it").role(FieldRole::output);
    anyway_.declare(table);
    to.seed.declare(table);
    table.states(stream::StreamTerms::listed());
  }

  bool is_live() const override { return from.comes_bit_by_bit() && to.output.name() == "-"; }

  privacy::Statement resolve(Caller&) override {
    check_options();
    terms_ = fields_.terms(from.is_guarded);
    if (is_live() && terms_->sequences_per_person > 1)
      throw InvalidOption(
          "per-person",
          "above 1 is for files: a live release is of one sequence, and each is charged by itself");
    if (is_live() && terms_->sequences_per_person > 0 && terms_->persons != privacy::Persons::declared)
      throw InvalidOption("persons", "must be declared: a live release is of one sequence, of one person");
    return terms_->draft();
  }

  void load(Caller& caller) override {
    public_.emplace(*terms_, fields_.stream.named());
    warn_of_numbers(caller, public_->model().space);
    begin_ = fields_.begin(*terms_, to.seed.value());
  }

  /// What cannot be resumed or drawn, or is not worth its budget, is found before a state is read.
  privacy::Statement prepare(Caller& caller) override {
    tracker().prepare();
    if (!anyway_.anyway) {
      const auto expected = stream::forecast(*public_, {.begin = begin_, .progress = caller.progress()});
      anyway_.require(worth_of(*terms_, *public_, expected));
    }
    return terms_->draft();
  }

  void take(Caller& caller) override { is_live() ? begin_reading(caller) : read_all(caller); }

  privacy::DrawnInPieces draw(const random::Key& key, const privacy::WriteOutput& write,
                              Caller& caller) override {
    return is_live() ? draw_live(key, write, caller) : draw_all(key, write, caller);
  }

  Told tell(const privacy::Released& released, Caller&) const override {
    const std::string unit = public_->model().space.is_places() ? " m" : "";
    const nlohmann::ordered_json& outcome = released.statement.outcome.json();
    Told told{
        .record = "step",
        .rows = {{"expected error", fmt::format("{:.4g}{}, beside {:.4g}{} of the free baseline",
                                                outcome["expected_error"].get<double>(), unit,
                                                outcome["free_baseline_error"].get<double>(), unit)},
                 {"all steps", fmt::format("epsilon {} for sequences that are joined at every step",
                                           outcome["epsilon_of_joined_sequences"].get<std::string>())},
                 {"exposed steps", fmt::format("{} of {}", outcome["exposed_steps"].get<std::uint64_t>(),
                                               outcome["steps"].get<std::uint64_t>())}},
        .json = nlohmann::ordered_json{{"mechanism", released.statement.mechanism}, {"outcome", outcome}}};
    if (is_live() && terms_->part == stream::ProtectedPart::sequence && outcome["steps"] == terms_->steps)
      told.notes.push_back(fmt::format(
          "the release ended with step {}, the last that was declared and charged", grouped(terms_->steps)));
    return told;
  }

  std::uint64_t numbers() const override { return sequences_.size(); }

  /// A part holds whole sequences.
  void require_parts() const override {
    if (fields_.bound().most > 0)
      throw InvalidOption("per-person", "needs all sequences at once, to count those of a person");
    if (fields_.protect != "step")
      throw InvalidOption("protect", "must be step: a sequence that lies in two parts would be told twice");
    if (!save_.empty() || !fields_.resume.empty())
      throw InvalidOption(save_.empty() ? "resume" : "save", "is for one sequence, which is no part");
  }

  std::vector<std::string> inputs() const override { return fields_.files(); }
  std::vector<std::string> private_inputs() const override { return fields_.persons.files(); }

  std::vector<std::string> also_written() const override {
    return save_.empty() ? std::vector<std::string>{} : std::vector{save_};
  }

 private:
  void check_options() const {
    if (to.output.name() != "-" && !to.output.output.ends_with(".csv"))
      throw InvalidOption("output", "must end in .csv, or be -");
    columns_.require(from.is_guarded);
    if (is_live() && columns_.sort)
      throw InvalidOption("sort", "needs the whole sequence; a live release takes states as they come");
    if (is_live() && fields_.answer == "smoothed")
      throw InvalidOption("answer", "smoothed needs the whole sequence; a live release has estimate or raw");
    if (!save_.empty() && (save_ == "-" || save_ == to.output.output))
      throw InvalidOption("save", "needs a file of its own");
    if (!save_.empty() && save_ == fields_.resume)
      throw InvalidOption("save", "would replace what the release goes on from; give it another name");
  }

  stream::Tracker tracker() const {
    stream::Tracker tracker = public_->tracker();
    if (begin_) tracker.restore(*begin_);
    return tracker;
  }

  std::string saved(const stream::Tracker& tracker) const {
    return stream::to_json(stream::SavedStream{tracker.save(), to.seed.value().has_value()},
                           terms_->model.sha256);
  }

  /// Of a live release, whose statement is in place before: it stays whatever happens, for it knows the answers that are out.
  void save(const stream::Tracker& tracker) const {
    if (save_.empty()) return;
    io::OutputFile file(save_, {.overwrite = true});
    file.write(saved(tracker));
    file.commit();
  }

  /// A header that is none costs nothing.
  void begin_reading(Caller& caller) {
    source_.emplace(from.open(caller));
    reader_.emplace(*source_, public_->model().space,
                    mobility::SequenceOptions{.columns = columns_.map(), .times = columns_.times()});
    tell_columns(caller, reader_->columns());
  }

  void read_all(Caller& caller) {
    const mobility::SequenceOptions options{
        .columns = columns_.map(), .times = columns_.times(), .sort = columns_.sort};
    if (from.file.empty()) {
      io::TextSource source = from.open(caller);
      sequences_ = mobility::read_sequences(source, public_->model().space, options);
    } else {
      sequences_ = mobility::read_sequences(from.file, public_->model().space, options);
    }
    tell_columns(caller, sequences_.columns);
    caller.warn(sequences_.warnings);
    sequences_.warnings = {};
    bound_persons(caller);
    check_sequences();
    caller.warn(sequences_.warnings);
  }

  void check_sequences() {
    if (sequences_.size() > 1 && !(fields_.resume.empty() && save_.empty()))
      throw InvalidOption(save_.empty() ? "resume" : "save", "is for one sequence");
    if (terms_->part == stream::ProtectedPart::sequence)
      stream::bound_steps(sequences_, terms_->steps, terms_->too_many, from.name());
  }

  void bound_persons(Caller& caller) {
    if (const std::string file = fields_.persons.file(); !file.empty()) {
      io::NameTable names;
      take_persons(file, sequences_.size(), "sequences", names, sequences_.user);
    }
    if (terms_->persons == privacy::Persons::declared)
      return require_as_declared(terms_->sequences_per_person, sequences_.user, {}, from.name());
    if (terms_->sequences_per_person > 0)
      return stream::bound_sequences(sequences_, terms_->sequences_per_person, terms_->too_many, from.name());
    if (stream::has_repeated_people(sequences_)) {
      caller.warn(
          "some people have several sequences here; the promise is for each sequence alone, and theirs add "
          "up "
          "(`per-person` K promises and charges for all of a person's)");
    } else if (sequences_.user.empty() && sequences_.size() > 1) {
      caller.warn(
          "nothing says whose each sequence is, and those of one person add up (with a column user_id, "
          "`per-person` K promises and charges for all of a person's)");
    }
  }

  privacy::DrawnInPieces draw_all(const random::Key& key, const privacy::WriteOutput& write,
                                  Caller& caller) const {
    const stream::ReleasedFormat format(public_->model().space);
    std::vector<std::string> text(sequences_.size());
    std::vector<stream::Tally> tally(sequences_.size());
    std::vector<std::string> state;
    const Progress progress = caller.progress();
    ProgressMeter meter(progress, "releasing", sequences_.state.size());
    parallel_for(sequences_.size(), {.threads = caller.threads()}, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        random::Stream noise = stream::noise_of_sequence(key, first_record + i);
        stream::Tracker walker = tracker();
        stream::RowMaker rows(walker, *terms_, std::to_string(first_record + i + 1));
        for (const StateId truth : sequences_[i]) {
          walker.prepare();
          if (const auto row = rows.take(walker.draw(truth, noise))) text[i] += format.row(*row);
          meter.advance();
        }
        for (const auto& row : rows.finish()) text[i] += format.row(row);
        tally[i] = rows.tally();
        if (!save_.empty()) state = {saved(walker)};  // then there is one sequence
      }
    });
    meter.finish();
    std::string all = first_record == 0 ? format.header() : "";
    stream::Tally sum;
    for (std::size_t i = 0; i < sequences_.size(); ++i) {
      all += text[i];
      sum.merge(tally[i]);
    }
    write(all);
    return {sequences_.state.size(), sum.outcome(*terms_), std::move(state)};
  }

  privacy::DrawnInPieces draw_live(const random::Key& key, const privacy::WriteOutput& write,
                                   Caller& caller) {
    const Progress progress = caller.progress();
    stream::Tracker walker = tracker();
    const stream::ReleasedFormat format(walker.model().space);
    random::Stream noise = stream::noise_of_sequence(key, 0);
    stream::RowMaker rows(walker, *terms_, "1");
    write(format.header());
    const bool whole = terms_->part == stream::ProtectedPart::sequence;
    // What was charged for is used up with the last declared step: nothing is read after it.
    const auto may_go_on = [&] { return !whole || rows.tally().steps() < terms_->steps; };
    mobility::StateRecord record;
    while (may_go_on() && await_state(*reader_, walker, progress, record)) {
      if (record.sequence > 0)
        throw DataError(reader_->spot(), "begins a second sequence", "a live release is of one sequence");
      const auto row = rows.take(walker.draw(record.state, noise));
      // Saved first: an answer that is out must never be forgotten by who goes on.
      save(walker);
      write(format.row(row.value()));
    }
    // A sequence that never began is none.
    const stream::Tally tally = rows.tally().steps() > 0 ? rows.tally() : stream::Tally();
    return {tally.steps(), tally.outcome(*terms_)};
  }

  StreamReleaseFields fields_;
  AnywayField anyway_;
  ColumnFields columns_;
  std::string save_;

  std::optional<stream::StreamTerms> terms_;
  std::optional<stream::PublicStream> public_;
  std::optional<stream::Tracker::Saved> begin_;     // where the release goes on from
  mobility::StateSequences sequences_;              // of a file
  std::optional<io::TextSource> source_;            // of a live release
  std::optional<mobility::SequenceReader> reader_;  // of source_
};

}  // namespace

std::unique_ptr<Release> stream_release() {
  return std::make_unique<StreamRelease>();
}

}  // namespace fogline::release
