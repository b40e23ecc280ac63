// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/parallel.hpp"
#include "cli/release_talk.hpp"
#include "cli/stream_block.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "mobility/sequences.hpp"
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
        "Epsilon is for one state of the sequence, and so is the charge. With --protect sequence the "
        "whole sequence is "
        "protected and charged, epsilon for each of at most --steps steps (as many as the file has).\n\n"
        "With - for both input and output it is live: one state in, one answer out. --save keeps what "
        "everybody "
        "knows, public, after each step; --resume goes on from it.\n\n"
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
    stream_.declare(options);
    options.value("--answer", "HOW", answer_, "made of the draws; estimate if not given")
        .choices({"estimate", "smoothed", "raw"});
    options.value("--protect", "WHAT", protect_, "what epsilon is charged for; step if not given")
        .choices({"step", "sequence"});
    options.value("--steps", "N", steps_, "of a sequence at most, for --protect sequence");
    ledger_.declare(options);
    output_.declare(options);
    options.value("--save", "FILE", save_, "keep the public state, to go on from it");
    options.value("--resume", "FILE", resume_, "go on from a public state that was saved");
    options.flag("--json", json_, "print what was done as JSON");
    seed_.declare(options);
  }

  int run(Session& session) override {
    check_options();
    stream::StreamTerms terms = this->terms();
    const stream::PublicStream stream(terms, stream_.named());
    warn_of_numbers(session, stream.model().space);
    return is_live() ? run_live(session, terms, stream) : run_file(session, terms, stream);
  }

 private:
  bool is_live() const { return states_ == "-" && output_.output == "-"; }

  void check_options() const {
    output_.statement_path();
    seed_.value();
    if (output_.output != "-" && !output_.output.ends_with(".csv"))
      throw InvalidOption("--output", "must end in .csv, or be -");
    for (const std::string& file : stream_.files())
      require_public(file, states_, "--model, --query, --initial, --policy or --repair");
    if (!resume_.empty()) require_public(resume_, states_, "--resume");
    if (steps_ > 0 && protect_ != "sequence") throw InvalidOption("--steps", "belongs to --protect sequence");
    if (is_live() && protect_ == "sequence" && steps_ == 0)
      throw InvalidOption("--steps", "is needed: a live sequence has no length yet");
    if (is_live() && answer_ == "smoothed")
      throw InvalidOption("--answer",
                          "smoothed needs the whole sequence; a live release has estimate or raw");
    if (!save_.empty() && (save_ == "-" || save_ == output_.output))
      throw InvalidOption("--save", "needs a file of its own");
    if (!save_.empty() && save_ == resume_)
      throw InvalidOption("--save", "would replace what the release goes on from; give it another name");
    // What cannot be written is found before the charge.
    if (!save_.empty()) io::OutputFile(save_, {.overwrite = output_.overwrite});
  }

  stream::StreamTerms terms() const {
    stream::StreamTerms terms = stream_.terms();
    terms.finish = stream::finish_from(answer_);
    terms.part = protect_ == "sequence" ? stream::ProtectedPart::sequence : stream::ProtectedPart::step;
    terms.steps = steps_;
    if (!resume_.empty()) terms.begin_file = public_file(resume_);
    return terms;
  }

  privacy::ReleasePlan plan(const stream::StreamTerms& terms, Session& session) const {
    std::vector<std::string> inputs = stream_.files();
    inputs.push_back(states_);
    if (!resume_.empty()) inputs.push_back(resume_);
    return {.draft = terms.draft(),
            .dataset = ledger_.dataset,
            .ledger = ledger_.path_for_writing(),
            .output = output_.output,
            .statement = output_.statement,
            .overwrite = output_.overwrite,
            .inputs = std::move(inputs),
            .also_written = save_.empty() ? std::vector<std::string>{} : std::vector{save_},
            .seed = seed_.value(),
            .time_unix_s = session.now()};
  }

  stream::Tracker tracker(const stream::PublicStream& stream, const stream::StreamTerms& terms) const {
    stream::Tracker tracker = stream.tracker();
    if (!resume_.empty()) {
      const stream::SavedStream saved = stream::read_saved(resume_, terms.model.sha256);
      if (saved.seeded && !seed_.value())
        throw InvalidOption("--resume",
                            "was saved by a run with a fixed seed, whose answers are not private");
      tracker.restore(saved.state);
    }
    return tracker;
  }

  void save(const stream::Tracker& tracker, const stream::StreamTerms& terms) const {
    if (save_.empty()) return;
    io::OutputFile file(save_, {.overwrite = true});
    file.write(
        stream::to_json(stream::SavedStream{tracker.save(), seed_.value().has_value()}, terms.model.sha256));
    file.commit();
  }

  /// One step: the situation is public, the place of the true state is not.
  static stream::Answer draw_step(stream::Tracker& tracker, StateId truth, random::Stream& noise) {
    const stream::StepMechanism& mechanism = tracker.prepare();
    return mechanism.draw(tracker.place_of(truth), noise);
  }

  int run_file(Session& session, stream::StreamTerms& terms, const stream::PublicStream& stream) {
    const mobility::StateSequences sequences = mobility::read_sequences(states_, stream.model().space);
    session.warn(sequences.warnings);
    check_sequences(sequences, terms);
    tracker(stream, terms).prepare();  // what cannot be resumed or drawn is found before the charge
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

  void check_sequences(const mobility::StateSequences& sequences, stream::StreamTerms& terms) const {
    if (sequences.size() > 1 && !(resume_.empty() && save_.empty()))
      throw InvalidOption("--save and --resume", "are for one sequence");
    std::uint64_t longest = 0;
    for (std::size_t i = 0; i < sequences.size(); ++i)
      longest = std::max<std::uint64_t>(longest, sequences[i].size());
    if (terms.part == stream::ProtectedPart::sequence) {
      if (terms.steps == 0) terms.steps = longest;
      if (longest > terms.steps)
        throw InvalidOption("--steps",
                            "is less than a sequence of the file has; declare more, or leave it out");
    }
  }

  privacy::Drawn draw(Session& session, const random::Key& key, const mobility::StateSequences& sequences,
                      const stream::PublicStream& stream, const stream::StreamTerms& terms) const {
    const stream::ReleasedFormat format(stream.model().space);
    std::vector<std::string> text(sequences.size());
    std::vector<stream::Tally> tally(sequences.size());
    const Progress progress = session.progress();
    ProgressMeter meter(progress, "releasing", sequences.state.size());
    parallel_for(sequences.size(), {.threads = session.threads()}, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        random::Stream noise = key.stream("stream", i);
        stream::Tracker walker = tracker(stream, terms);
        stream::RowMaker rows(walker, terms, std::to_string(i + 1));
        for (const StateId truth : sequences[i]) {
          if (const auto row = rows.take(draw_step(walker, truth, noise))) text[i] += format.row(*row);
          meter.advance();
        }
        for (const auto& row : rows.finish()) text[i] += format.row(row);
        tally[i] = rows.tally();
        save(walker, terms);
      }
    });
    meter.finish();
    std::string all = format.header();
    stream::Tally sum;
    for (std::size_t i = 0; i < sequences.size(); ++i) {
      all += text[i];
      sum.merge(tally[i]);
    }
    return {std::move(all), sequences.state.size(), sum.outcome(terms)};
  }

  int run_live(Session& session, const stream::StreamTerms& terms, const stream::PublicStream& stream) {
    tracker(stream, terms).prepare();  // what cannot be drawn is found before the charge
    stream::Tracker walker = tracker(stream, terms);
    io::TextSource source = io::TextSource::from_file(states_);
    mobility::SequenceReader reader(source, stream.model().space);  // a header that is none costs nothing
    const privacy::ReleasePlan plan = this->plan(terms, session);
    const ReleaseTalk talk{.ledger = ledger_, .output = output_, .json = json_};
    talk.before(session, plan);
    const privacy::Released released = talk.watch(session, plan, [&](auto* charged) {
      return privacy::release_live(
          plan,
          [&](const random::Key& key, const privacy::WriteOutput& write) {
            return draw_live(key, write, reader, walker, terms);
          },
          charged);
    });
    tell(session, talk, released, stream);
    return 0;
  }

  privacy::DrawnInPieces draw_live(const random::Key& key, const privacy::WriteOutput& write,
                                   mobility::SequenceReader& reader, stream::Tracker& walker,
                                   const stream::StreamTerms& terms) const {
    const stream::ReleasedFormat format(walker.model().space);
    random::Stream noise = key.stream("stream", 0);
    stream::RowMaker rows(walker, terms, "1");
    write(format.header());
    for (mobility::StateRecord record; reader.next(record);) {
      if (record.sequence > 0)
        throw DataError(reader.spot(), "begins a second sequence", "a live release is of one sequence");
      if (terms.part == stream::ProtectedPart::sequence && rows.tally().steps() == terms.steps)
        throw DataError(reader.spot(), "is a step more than --steps, which is what was charged for");
      const auto row = rows.take(draw_step(walker, record.state, noise));
      // Saved first: an answer that is out must never be forgotten by who goes on.
      save(walker, terms);
      write(format.row(row.value()));
    }
    return {rows.tally().steps(), rows.tally().outcome(terms)};
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
  StreamBlock stream_;
  LedgerBlock ledger_;
  OutputBlock output_;
  SeedBlock seed_;
  std::string protect_ = "step", answer_ = "estimate", save_, resume_;
  std::uint64_t steps_ = 0;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> stream_release() {
  return std::make_unique<StreamRelease>();
}

}  // namespace fogline::cli
