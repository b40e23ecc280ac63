// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/parallel.hpp"
#include "cli/columns_block.hpp"
#include "cli/release_talk.hpp"
#include "cli/stream_block.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "mobility/sequences.hpp"
#include "stream/people.hpp"
#include "stream/released_file.hpp"
#include "stream/run.hpp"
#include "stream/saved_state.hpp"
#include "stream/tally.hpp"

namespace fogline::cli {
namespace {

using mobility::StateId;

class StreamRelease : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"stream", "release"},
        "Release a sequence of states, with a statement, charged to the ledger",
        "Reads the true states (CSV with a column state, or positions lon,lat that fall into the model's "
        "places; a column "
        "sequence if there are several), charges epsilon to the dataset in the ledger, and only then "
        "draws an answer for "
        "each step. The output has a row for each step: the answer, the integers that were drawn, and "
        "the free baseline, "
        "which is the best answer without looking at the true state.\n\n"
        "At each step, states that the policy joins must look alike, among those that the model and the "
        "answers before "
        "leave possible. A state with no other to be taken for is joined with a partner (--repair). A "
        "true state that is "
        "not possible by the model, or outside --delta's set, is released as the nearest that is; "
        "fogline stream measure counts these steps.\n\n"
        "Mechanisms: optimal is the table of least expected error; grouped is the same on groups of states, "
        "which "
        "is faster where there are many; both exact, and certified at every step. auto takes them up to "
        "--table-states possible states, and k-norm, the paper's noise drawn exactly, above; laplace is the "
        "paper's first. The answer is the point of least expected distance given all answers so far "
        "(--answer smoothed: those after it too; raw: the drawn one).\n\n"
        "Epsilon is for one state of the sequence, and so is the charge, however many steps there are. With "
        "--protect sequence the whole sequence is protected and charged, epsilon for each of at most --steps "
        "steps; you declare them, so that the charge is known before a state is read. Several sequences of "
        "one person add up: with --sequences-per-person K the promise is for all of them (told apart by "
        "user_id, at most K each) and costs K times as much.\n\n"
        "With - for both input and output it is live: one state in, one answer out. A live release is of one "
        "sequence, charged when it begins: for one state, or for the declared --steps, after which it ends. "
        "--save keeps what everybody knows, public, after each step; --resume goes on from it, and is "
        "charged "
        "again.\n\n"
        "Before the charge, releases of 4 walks of the model of 25 steps are tried out, as fogline stream "
        "plan does, which reads nothing private. If the answers are not nearer to the truth than the best "
        "guess from the model alone, by 1 % of its error at least, nothing is released without --anyway, "
        "which also leaves the trial out.\n\n"
        "If anything is wrong with the input, the options, the output's folder or the budget, nothing is "
        "charged and "
        "nothing is written.",
        {{"one walker, states within 1,000 m",
          "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
          "--grid 340 -o "
          "model.json -q && fogline stream release --model model.json --policy util:1000 --epsilon 1 "
          "states.csv -o "
          "safe.csv --ledger my.ledger --dataset walker"},
         {"live, and to be resumed",
          "fogline sample stream -o states.csv --public trips.csv -q && fogline stream learn trips.csv "
          "--grid 340 -o "
          "model.json -q && fogline stream release --model model.json --policy complete --epsilon 2 - -o "
          "- --statement "
          "live.json --ledger my.ledger --save walker.state.json < states.csv"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("STATES", states_, "private: CSV state or lon,lat, and sequence; - for standard input")
        .required();
    release_.declare(options);
    columns_.declare_order(options);
    ledger_.declare(options);
    output_.declare(options);
    options.value("--save", "FILE", save_, "keep the public state, to go on from it");
    anyway_.declare(options);
    options.flag("--json", json_, "print what was done as JSON");
    seed_.declare(options);
  }

  int run(Session& session) override {
    check_options();
    const stream::StreamTerms terms = release_.terms();
    privacy::require_releasable(plan(terms, session));
    const stream::PublicStream stream(terms, release_.stream.named());
    warn_of_numbers(session, stream.model().space);
    begin_ = release_.begin(terms, seed_.value());
    tracker(stream).prepare();  // what cannot be resumed or drawn is found before the charge
    require_worth(session, terms, stream);
    return is_live() ? run_live(session, terms, stream) : run_file(session, terms, stream);
  }

 private:
  bool is_live() const { return states_ == "-" && output_.output == "-"; }

  void check_options() const {
    output_.statement_path();
    seed_.value();
    if (output_.output != "-" && !output_.output.ends_with(".csv"))
      throw InvalidOption("--output", "must end in .csv, or be -");
    for (const std::string& file : release_.stream.files())
      require_public(file, states_, "--model, --query, --initial, --policy or --repair");
    if (!release_.resume.empty()) require_public(release_.resume, states_, "--resume");
    columns_.map();
    if (is_live() && columns_.sort)
      throw InvalidOption("--sort", "needs the whole sequence; a live release takes states as they come");
    if (is_live() && release_.sequences_per_person != StreamReleaseBlock::not_given)
      throw InvalidOption("--sequences-per-person",
                          "is for files: a live release is of one sequence, and each is charged by itself");
    if (is_live() && release_.answer == "smoothed")
      throw InvalidOption("--answer",
                          "smoothed needs the whole sequence; a live release has estimate or raw");
    if (!save_.empty() && (save_ == "-" || save_ == output_.output))
      throw InvalidOption("--save", "needs a file of its own");
    if (!save_.empty() && save_ == release_.resume)
      throw InvalidOption("--save", "would replace what the release goes on from; give it another name");
  }

  /// Public figures alone decide, and --anyway spares their computation.
  void require_worth(Session& session, const stream::StreamTerms& terms,
                     const stream::PublicStream& stream) const {
    if (anyway_.anyway) return;
    anyway_.require(
        worth_of(terms, stream, stream::forecast(stream, {.begin = begin_, .progress = session.progress()})));
  }

  privacy::ReleasePlan plan(const stream::StreamTerms& terms, Session& session) const {
    std::vector<std::string> inputs = release_.files();
    inputs.push_back(states_);
    return {.draft = terms.draft(),
            .dataset = ledger_.dataset,
            .ledger = ledger_.path_for_writing(),
            .output = output_.output,
            .statement = output_.statement_path(),
            .overwrite = output_.overwrite,
            .inputs = std::move(inputs),
            .also_written = save_.empty() ? std::vector<std::string>{} : std::vector{save_},
            .seed = seed_.value(),
            .time_unix_s = session.now()};
  }

  stream::Tracker tracker(const stream::PublicStream& stream) const {
    stream::Tracker tracker = stream.tracker();
    if (begin_) tracker.restore(*begin_);
    return tracker;
  }

  std::string saved(const stream::Tracker& tracker, const stream::StreamTerms& terms) const {
    return stream::to_json(stream::SavedStream{tracker.save(), seed_.value().has_value()},
                           terms.model.sha256);
  }

  /// Of a live release, whose statement is in place before: it stays whatever happens, for it knows the answers that are out.
  void save(const stream::Tracker& tracker, const stream::StreamTerms& terms) const {
    if (save_.empty()) return;
    io::OutputFile file(save_, {.overwrite = true});
    file.write(saved(tracker, terms));
    file.commit();
  }

  /// One step: the situation is public, the place of the true state is not.
  static stream::Answer draw_step(stream::Tracker& tracker, StateId truth, random::Stream& noise) {
    const stream::StepMechanism& mechanism = tracker.prepare();
    return mechanism.draw(tracker.place_of(truth), noise);
  }

  int run_file(Session& session, const stream::StreamTerms& terms, const stream::PublicStream& stream) {
    const mobility::StateSequences sequences = mobility::read_sequences(
        states_, stream.model().space,
        {.columns = columns_.map(), .times = columns_.times(), .sort = columns_.sort});
    tell_columns(session, sequences.columns);
    session.warn(sequences.warnings);
    check_sequences(sequences, terms);
    check_people(session, sequences, terms);
    const privacy::ReleasePlan plan = this->plan(terms, session);
    const ReleaseTalk talk{.ledger = ledger_, .output = output_, .json = json_};
    talk.before(session, plan);
    const privacy::Released released = talk.watch(session, plan, [&](auto* charged) {
      return privacy::release(
          plan, [&](const random::Key& key) { return draw(session, key, sequences, stream, terms); },
          charged);
    });
    tell(session, talk, released, stream);
    return 0;
  }

  void check_sequences(const mobility::StateSequences& sequences, const stream::StreamTerms& terms) const {
    if (sequences.size() > 1 && !(release_.resume.empty() && save_.empty()))
      throw InvalidOption("--save and --resume", "are for one sequence");
    if (terms.part == stream::ProtectedPart::step) return;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      if (sequences[i].size() > terms.steps)
        throw InvalidOption("--steps", "is less than a sequence of the file has; declare more");
    }
  }

  void check_people(Session& session, const mobility::StateSequences& sequences,
                    const stream::StreamTerms& terms) const {
    if (terms.sequences_per_person > 0)
      return stream::require_sequences_at_most(sequences, terms.sequences_per_person, states_);
    if (stream::has_repeated_people(sequences)) {
      session.warn(
          "some people have several sequences here; the promise is for each sequence alone, and theirs add "
          "up "
          "(--sequences-per-person K promises and charges for all of a person's)");
    } else if (sequences.user.empty() && sequences.size() > 1) {
      session.warn(
          "nothing says whose each sequence is, and those of one person add up (with a column user_id, "
          "--sequences-per-person K promises and charges for all of a person's)");
    }
  }

  privacy::Drawn draw(Session& session, const random::Key& key, const mobility::StateSequences& sequences,
                      const stream::PublicStream& stream, const stream::StreamTerms& terms) const {
    const stream::ReleasedFormat format(stream.model().space);
    std::vector<std::string> text(sequences.size());
    std::vector<stream::Tally> tally(sequences.size());
    std::vector<std::string> state;
    const Progress progress = session.progress();
    ProgressMeter meter(progress, "releasing", sequences.state.size());
    parallel_for(sequences.size(), {.threads = session.threads()}, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        random::Stream noise = key.stream("stream", i);
        stream::Tracker walker = tracker(stream);
        stream::RowMaker rows(walker, terms, std::to_string(i + 1));
        for (const StateId truth : sequences[i]) {
          if (const auto row = rows.take(draw_step(walker, truth, noise))) text[i] += format.row(*row);
          meter.advance();
        }
        for (const auto& row : rows.finish()) text[i] += format.row(row);
        tally[i] = rows.tally();
        if (!save_.empty()) state = {saved(walker, terms)};  // then there is one sequence
      }
    });
    meter.finish();
    std::string all = format.header();
    stream::Tally sum;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      all += text[i];
      sum.merge(tally[i]);
    }
    return {std::move(all), sequences.state.size(), sum.outcome(terms), std::move(state)};
  }

  int run_live(Session& session, const stream::StreamTerms& terms, const stream::PublicStream& stream) {
    stream::Tracker walker = tracker(stream);
    const Progress progress = session.progress();
    io::TextSource source = io::TextSource::from_file(states_, progress);
    mobility::SequenceReader reader(source, stream.model().space,
                                    {.columns = columns_.map(), .times = columns_.times()});
    tell_columns(session, reader.columns());  // a header that is none costs nothing
    const privacy::ReleasePlan plan = this->plan(terms, session);
    const ReleaseTalk talk{.ledger = ledger_, .output = output_, .json = json_, .live = true};
    talk.before(session, plan);
    const privacy::Released released = talk.watch(session, plan, [&](auto* watch) {
      return privacy::release_live(
          plan,
          [&](const random::Key& key, const privacy::WriteOutput& write) {
            return draw_live(key, write, reader, walker, terms, progress);
          },
          watch);
    });
    tell(session, talk, released, stream);
    if (is_interrupted()) {
      session.warn(
          fmt::format("what was answered before is spent, and {} tells of it", released.statement_file));
      throw Cancelled();
    }
    if (terms.part == stream::ProtectedPart::sequence &&
        released.statement.outcome.json()["steps"] == terms.steps)
      session.note(fmt::format("the release ended with step {}, the last that was declared and charged",
                               grouped(terms.steps)));
    return 0;
  }

  privacy::DrawnInPieces draw_live(const random::Key& key, const privacy::WriteOutput& write,
                                   mobility::SequenceReader& reader, stream::Tracker& walker,
                                   const stream::StreamTerms& terms, const Progress& progress) const {
    const stream::ReleasedFormat format(walker.model().space);
    random::Stream noise = key.stream("stream", 0);
    stream::RowMaker rows(walker, terms, "1");
    write(format.header());
    const bool whole = terms.part == stream::ProtectedPart::sequence;
    // What was charged for is used up with the last declared step: nothing is read after it.
    const auto may_go_on = [&] { return !whole || rows.tally().steps() < terms.steps; };
    mobility::StateRecord record;
    while (may_go_on() && await_state(reader, walker, progress, record)) {
      if (record.sequence > 0)
        throw DataError(reader.spot(), "begins a second sequence", "a live release is of one sequence");
      const auto row = rows.take(walker.mechanism().draw(walker.place_of(record.state), noise));
      // Saved first: an answer that is out must never be forgotten by who goes on.
      save(walker, terms);
      write(format.row(row.value()));
    }
    // A sequence that never began is none.
    const stream::Tally tally = rows.tally().steps() > 0 ? rows.tally() : stream::Tally();
    return {tally.steps(), tally.outcome(terms)};
  }

  /// The next state, with its step prepared; false at the end, and when asked to stop: what was answered before is then
  /// a release of its own, told by its statement like any other.
  static bool await_state(mobility::SequenceReader& reader, stream::Tracker& walker, const Progress& progress,
                          mobility::StateRecord& record) try {
    if (!reader.next(record)) return false;
    require_wanted(progress, "releasing");
    walker.prepare(progress);
    require_wanted(progress, "releasing");
    return true;
  } catch (const Cancelled&) {
    return false;
  }

  static void tell(Session& session, const ReleaseTalk& talk, const privacy::Released& released,
                   const stream::PublicStream& stream) {
    const std::string unit = stream.model().space.is_places() ? " m" : "";
    const nlohmann::ordered_json& outcome = released.statement.outcome.json();
    const std::vector<std::pair<std::string, std::string>> more{
        {"expected error", fmt::format("{:.4g}{}, beside {:.4g}{} of the free baseline",
                                       outcome["expected_error"].get<double>(), unit,
                                       outcome["free_baseline_error"].get<double>(), unit)},
        {"all steps", fmt::format("epsilon {} for sequences that are joined at every step",
                                  outcome["epsilon_of_joined_sequences"].get<std::string>())},
        {"exposed steps", fmt::format("{} of {}", outcome["exposed_steps"].get<std::uint64_t>(),
                                      outcome["steps"].get<std::uint64_t>())}};
    talk.after(session, released, "step", more,
               {{"mechanism", released.statement.mechanism}, {"outcome", outcome}});
  }

  std::string states_;
  StreamReleaseBlock release_;
  AnywayBlock anyway_;
  ColumnsBlock columns_;
  LedgerBlock ledger_;
  OutputBlock output_;
  SeedBlock seed_;
  std::string save_;
  std::optional<stream::Tracker::Saved> begin_;  // where the release goes on from
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> stream_release() {
  return std::make_unique<StreamRelease>();
}

}  // namespace fogline::cli
