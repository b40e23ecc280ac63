// SPDX-License-Identifier: Apache-2.0
#include "release/driver.hpp"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/file_stamp.hpp"
#include "io/held_files.hpp"
#include "privacy/standard_output.hpp"
#include "privacy/statement_log.hpp"
#include "release/quiet_caller.hpp"
#include "release/shards.hpp"

namespace fogline::release {
namespace {

void warn_of_clock(std::int64_t behind_s, Caller& caller) {
  if (behind_s > 0)
    caller.warn(
        fmt::format("the clock is {} s behind the ledger's last entry: one of the two is wrong", behind_s));
}

/// Carries a release's progress to the caller.
class StageWatch : public privacy::ReleaseWatch {
 public:
  using Written = std::function<void(const privacy::Statement&)>;
  StageWatch(Caller& caller, bool is_live, bool is_seeded, Written written = {})
      : caller_(caller),
        once_charged_(is_live ? Stage::live : Stage::drawing),
        is_seeded_(is_seeded),
        written_(std::move(written)) {}

  void charging() override { caller_.enter(Stage::charging, 0); }
  void charged(const privacy::Receipt& receipt) override {
    const privacy::LedgerReference& entry = receipt.reference();
    is_charged_ = true;
    if (!is_seeded_) paid_ = entry.entry;
    caller_.enter(once_charged_, paid_);
  }
  void writing() override {
    is_writing_ = true;
    caller_.enter(Stage::writing, paid_);
  }
  void written(const privacy::Statement& statement) override {
    if (written_) written_(statement);
  }
  void unsettled(std::string_view why) override {
    caller_.warn(fmt::format(
        "what was released stands, with its statement, but the ledger does not know what it is: {}", why));
  }
  void clock_behind(std::int64_t seconds) override {
    if (seconds <= warned_s_) return;
    warned_s_ = seconds;
    warn_of_clock(seconds, caller_);
  }
  bool is_wanted() override { return caller_.is_wanted(); }
  bool is_charged() const { return is_charged_; }
  bool is_writing() const { return is_writing_; }
  std::uint64_t paid() const { return paid_; }  ///< the entry that is spent; 0: none

 private:
  Caller& caller_;
  Stage once_charged_;
  bool is_seeded_;
  Written written_;
  bool is_charged_ = false;
  bool is_writing_ = false;
  std::int64_t warned_s_ = 0;  // charge and settlement of one release are told once
  std::uint64_t paid_ = 0;
};

std::vector<std::string> all_inputs(const Release& request) {
  std::vector<std::string> files = request.inputs();
  for (const std::string& file : request.private_inputs()) files.push_back(file);
  for (const std::string& file : request.from.files()) files.push_back(file);
  if (!request.to.output.sign.empty()) files.push_back(request.to.output.sign);
  return files;
}

privacy::ReleasePlan plan(const Release& request, privacy::Statement draft, privacy::LedgerHandle& ledger,
                          Caller& caller) {
  const Release::Delivery& to = request.to;
  std::vector<std::string> more_outputs;
  for (const std::string& ending : request.more_outputs()) more_outputs.push_back(to.output.beside(ending));
  return {.draft = std::move(draft),
          .dataset = to.ledger.dataset,
          .ledger = ledger.path(),
          .output = to.output.name(),
          .statement = to.output.statement_path(),
          .receive = to.output.receive,
          .overwrite = to.output.overwrite || request.answers_each(),  // whose statements follow those before
          .inputs = all_inputs(request),
          .more_outputs = std::move(more_outputs),
          .also_written = request.also_written(),
          .records_in = request.records_in(),
          .seed = to.seed.value(),
          .time_unix_s = caller.now(),
          .now = [&caller] { return caller.now(); },
          .handle = &ledger,
          .signer = request.to.output.key.get(),
          .is_guarded = request.from.is_guarded,
          .is_of_subjects = request.is_served};
}

/// Warns of a fixed seed, and of an epsilon that hides next to nothing.
void warn_before(const privacy::ReleasePlan& plan, Caller& caller) {
  if (plan.seed)
    caller.warn("A FIXED SEED WAS GIVEN: THIS RUN IS NOT PRIVATE AND IS NOT CHARGED AS A RELEASE");
  if (const std::string warning = warning_of_large_epsilon(plan.draft.guarantee); !warning.empty())
    caller.warn(warning);
}

void make_folder_of(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw FileError(folder.string(), "cannot be made (" + error.message() + ")", "name another ledger");
}

/// Said at once, whatever takes long before a file is opened.
void require_there(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::error_code unknown;  // what cannot be looked up is told when it is opened
    if (file != "-" && !std::filesystem::exists(file, unknown) && !unknown)
      throw FileError(file, "does not exist", "check the name");
  }
}

privacy::LedgerHandle& ledger_of(const Release& request, privacy::LedgerHandle& own) {
  if (request.to.ledger.handle != nullptr) return *request.to.ledger.handle;
  if (own.path().empty()) throw InvalidOption("ledger", "is needed: no release without an entry");
  return own;
}

enum class Records { here, elsewhere };

/// Whoever is refused over what the records hold has learned something of them. A dataset that has no ledger has no cap either: nothing is made for it. `paid`: the
/// entry of a guarded request; 0: nobody paid.
void record_refusal(const Release& request, std::uint64_t paid, privacy::LedgerHandle& ledger,
                    Caller& caller) try {
  privacy::Ledger* known = ledger.if_there();
  if (known == nullptr) return;
  known->record_refusal(request.to.ledger.dataset, request.kind(), caller.now(), paid);
  if (paid == 0) warn_of_clock(known->clock_behind_s(), caller);  // else it was told with the charge
} catch (const Error& error) {
  caller.warn(fmt::format("that the records were refused could not be recorded: {}", error.what()));
}

/// What came with the records completes the draft.
void take(Release& request, privacy::Statement& draft, privacy::LedgerHandle& ledger, Caller& caller) try {
  request.take(caller);
  if (auto completed = request.completed(caller)) draft = std::move(*completed);
} catch (const Cancelled&) {
  throw;
} catch (...) {  // whatever it is, it is thrown on
  record_refusal(request, 0, ledger, caller);
  throw;
}

void require_fields(Release& request) {
  FieldTable table;
  request.declare(table);
  require_in_range(table);
}

/// Does a field name this file, among others (`nodes.csv,edges.csv`) or after a word (`category:FILE+util:500`)?
bool names_file(const std::string& held, const std::string& file) {
  for (std::size_t at = held.find(file); at != std::string::npos; at = held.find(file, at + 1)) {
    const std::size_t end = at + file.size();
    const bool begins = at == 0 || std::string_view(",+:").find(held[at - 1]) != std::string_view::npos;
    const bool ends = end == held.size() || std::string_view(",+").find(held[end]) != std::string_view::npos;
    if (begins && ends) return true;
  }
  return false;
}

/// The field by which a public file was given: what lies beside another follows from that one's name, and is told as the input's fault.
std::string field_of_public_file(Release& request, const std::string& file) {
  FieldTable table;
  request.declare(table);
  for (const Field& field : table.fields())
    if (const auto* held = std::get_if<std::string*>(&field.target);
        field.role == FieldRole::public_input && held != nullptr && names_file(**held, file))
      return field.name;
  return "input";
}

/// Is a part of what a field holds the same file? By name alone: nothing is opened.
bool names_same_file(const std::string& held, const std::string& file) {
  constexpr std::string_view between = ",+:";
  if (io::is_same_file(held, file)) return true;
  for (std::size_t begin = 0; begin <= held.size();) {
    const std::size_t end = std::min(held.find_first_of(between, begin), held.size());
    if (io::is_same_file(held.substr(begin, end - begin), file)) return true;
    begin = end + 1;
  }
  return false;
}

/// Before anything is opened: what a field of public things is may be told by its content, and what a private file holds would decide the answer.
void require_public_names(Release& request) {
  std::vector<std::string> private_files = request.private_inputs();
  for (const std::string& file : request.from.files()) private_files.push_back(file);
  FieldTable table;
  request.declare(table);
  const auto require = [&](const std::string& field, const std::string& held) {
    for (const std::string& file : private_files)
      if (names_same_file(held, file == "-" ? "/dev/stdin" : file))
        throw InvalidOption(
            field, "names the private file, which is not public: what is public stands in a file of its own");
  };
  for (const Field& field : table.fields()) {
    if (field.role != FieldRole::public_input) continue;
    if (const auto* held = std::get_if<std::string*>(&field.target); held != nullptr)
      require(field.name, **held);
    if (const auto* held = std::get_if<std::vector<std::string>*>(&field.target); held != nullptr)
      for (const std::string& one : **held) require(field.name, one);
  }
  require("sign", request.to.output.sign);
  for (const std::string& file : request.inputs()) require(field_of_public_file(request, file), file);
}

/// A public file that is a private one would be published by its hash, and what is made of it would tell of the records.
void require_public_inputs(Release& request) {
  std::vector<std::string> private_files = request.private_inputs();
  for (const std::string& file : request.from.files()) private_files.push_back(file);
  const auto require = [&](const std::string& file, const std::string& field) {
    for (const std::string& other : private_files)
      require_public(file, {.file = other, .is_guarded = request.from.is_guarded}, field);
  };
  for (const std::string& file : request.inputs()) require(file, field_of_public_file(request, file));
  if (!request.to.output.sign.empty()) require(request.to.output.sign, "sign");
}

/// That a public file is the private one tells whoever guessed the records that he did: the ledger was asked, and is told.
void require_public_contents(Release& request, privacy::LedgerHandle& ledger, Caller& caller) try {
  require_public_inputs(request);
} catch (const InvalidOption&) {
  record_refusal(request, 0, ledger, caller);
  throw;
}

[[noreturn]] void refuse_without_a_reason() {
  throw DataError({"the records"}, "are refused; a guarded release does not say why, and is paid for",
                  "ask whoever keeps them");
}

/// After the charge: a refusal tells something of the records, and so does that there is none. Either is paid for by everything that the release costs.
std::optional<privacy::Statement> take_guarded(Release& request, Caller& guarded) {
  try {
    request.take(guarded);
    return request.completed(guarded);
  } catch (const Cancelled&) {
    throw;
  } catch (...) {  // whatever it is: nobody is told
  }
  refuse_without_a_reason();
}

/// Where the statements of answers go that follow each other. Whoever makes it and lets it go has seen that it can be written.
privacy::StatementLog statements_of_answers(const Release& request) {
  return privacy::StatementLog(request.to.output.statement_path(),
                               {.overwrite = request.to.output.overwrite});
}

/// Everything before the charge.
privacy::ReleasePlan check(Release& request, privacy::LedgerHandle& ledger, Records records,
                           std::optional<io::HeldFiles>& read, Caller& caller) try {
  require_fields(request);
  request.from.is_guarded = request.to.output.guarded;
  if (request.from.is_guarded && request.to.seed.value())
    throw InvalidOption("guarded", "is for releases: a run with a `seed` hides nothing");
  if (records == Records::here) request.from.require_one();
  request.to.output.require_one();
  require_public_names(request);
  // By name alone nothing is learned of what a file holds; and of whoever may not know it, nothing is opened as if it were public.
  if (records == Records::here && request.from.is_guarded) require_public_inputs(request);
  request.to.output.key = request.to.output.signer();
  request.to.ledger.require_dataset();
  request.to.seed.value();
  read.emplace(request.inputs());
  privacy::Statement draft = request.resolve(caller);
  if (request.is_served) request.require_served();
  if (request.to.ledger.makes_folder) make_folder_of(request.to.ledger.ledger);
  if (request.from.is_guarded && draft.guarantee.notion() == privacy::Notion::none)
    throw InvalidOption("guarded", "is for releases that promise something: this one hides nothing");
  privacy::require_releasable(plan(request, draft, ledger, caller));
  if (request.answers_each()) statements_of_answers(request);
  require_there(all_inputs(request));
  if (records == Records::here && !request.from.is_guarded) require_public_contents(request, ledger, caller);
  request.load(caller);
  draft = request.prepare(caller);
  // Whoever may not know the records pays before they are looked at: charge_and_draw().
  if (records == Records::here && !request.from.is_guarded && !request.answers_each())
    take(request, draft, ledger, caller);
  privacy::ReleasePlan checked = plan(request, std::move(draft), ledger, caller);
  read->require_unchanged();
  return checked;
} catch (const Cancelled&) {
  caller.note("nothing was charged");
  throw;
}

bool is_about_records(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const DataError&) {
    return true;
  } catch (...) {  // a full disk, the wish to stop
    return false;
  }
}

privacy::Released charge_and_draw(Release& request, privacy::ReleasePlan plan, privacy::LedgerHandle& ledger,
                                  const io::HeldFiles& read, Caller& caller,
                                  const StageWatch::Written& written = {}) {
  QuietCaller guarded(caller);
  if (request.from.is_guarded)
    plan.take = [&] {
      auto completed = take_guarded(request, guarded);
      read.require_unchanged();
      return completed;
    };
  const auto draw = [&](const random::Key& key, const privacy::WriteOutput& write) {
    return request.draw(key, write, request.from.is_guarded ? guarded : caller);
  };
  const bool is_live = request.is_live() && !request.answers_each();
  StageWatch watch(caller, is_live, plan.seed.has_value(), written);
  try {
    return is_live ? privacy::release_live(plan, draw, &watch)
                   : privacy::release_in_pieces(plan, draw, &watch);
  } catch (...) {  // whatever it is, it is thrown on
    if (!caller.is_wanted() && !watch.is_charged()) caller.note("nothing was charged");
    if (watch.paid() > 0) {
      caller.warn(fmt::format("entry {} of the ledger is spent all the same: running again costs again",
                              watch.paid()));
    }
    // Of standard output nothing can be taken back: what went out has its statement.
    const bool is_out = plan.output == "-" && !plan.statement.empty() &&
                        (watch.is_writing() || (watch.is_charged() && is_live));
    if (std::error_code unknown; is_out && std::filesystem::exists(plan.statement, unknown))
      caller.warn(fmt::format("{} tells of what went out before", plan.statement));
    // Records that are read once they are paid for, or while they are answered, are refused here.
    if (watch.is_charged() && is_about_records(std::current_exception())) {
      record_refusal(request, request.from.is_guarded ? watch.paid() : 0, ledger, caller);
      if (request.from.is_guarded) refuse_without_a_reason();
    }
    throw;
  }
}

/// What is left. The release stands whether it can be read or not.
std::optional<privacy::DatasetBook> book_of(privacy::LedgerHandle& ledger, const std::string& dataset,
                                            Caller& caller) try {
  return ledger.get().books().dataset(dataset);
} catch (const Error& error) {
  caller.warn(fmt::format(
      "what was released stands, with its statement; only what is left could not be read: {}", error.what()));
  return std::nullopt;
}

/// Where answers go that follow each other: their statements into a file, and then each out, under one header.
class Answers {
 public:
  Answers(const Release& request, Caller& caller)
      : receive_(request.to.output.receive),
        out_([&caller] { return caller.is_wanted(); }),
        log_(statements_of_answers(request)) {
    if (log_.torn_bytes() > 0)
      caller.warn(fmt::format(
          "the last line of {} was cut short ({} bytes) when an earlier run broke off: its answer did not go "
          "out, what it was charged stays spent, and the next statement takes its place",
          log_.path(), grouped(log_.torn_bytes())));
  }

  void add(const privacy::Statement& statement, std::string_view text) {
    log_.add(statement);
    if (count_ > 0) text.remove_prefix(text.find('\n') + 1);
    receive_ ? receive_(text) : out_.write(text);
    ++count_;
  }
  std::uint64_t count() const { return count_; }
  const std::string& statements() const { return log_.path(); }

 private:
  const std::function<void(std::string_view)>& receive_;
  privacy::StandardOutput out_;
  privacy::StatementLog log_;
  std::uint64_t count_ = 0;
};

/// Whoever stops the walk while it waits has all answers that he paid for.
bool await_record(Release& request, Caller& caller) try {
  caller.enter(Stage::waiting, 0);
  return request.await(caller) && caller.is_wanted();
} catch (const Cancelled&) {
  return false;
}

privacy::Released release_each(Release& request, const privacy::ReleasePlan& checked,
                               privacy::LedgerHandle& ledger, const io::HeldFiles& read, Answers& answers,
                               Caller& caller) {
  std::optional<privacy::Released> last;
  while (await_record(request, caller)) try {
      privacy::Statement draft = checked.draft;
      // Over the cap nothing of it is judged.
      privacy::require_budget(plan(request, draft, ledger, caller));
      if (!request.from.is_guarded) take(request, draft, ledger, caller);
      privacy::ReleasePlan one = plan(request, std::move(draft), ledger, caller);
      read.require_unchanged();
      std::string text;
      one.statement.clear();
      one.receive = [&text](std::string_view piece) { text += piece; };
      last = charge_and_draw(request, std::move(one), ledger, read, caller,
                             [&](const privacy::Statement& statement) { answers.add(statement, text); });
    } catch (...) {  // whatever it is, it is thrown on
      if (answers.count() > 0)
        caller.warn(fmt::format("answers that are out stand, with their statements in {}: {}",
                                answers.statements(), grouped(answers.count())));
      throw;
    }
  if (!last && !caller.is_wanted()) {
    caller.note("nothing was charged");
    throw Cancelled();
  }
  if (!last) throw DataError({request.from.name()}, "has no records", "give one on a line");
  last->statement_file = answers.statements();
  return std::move(*last);
}

}  // namespace

std::string warning_of_large_epsilon(const privacy::Guarantee& guarantee) {
  if (guarantee.notion() == privacy::Notion::none ||
      guarantee.measure() == privacy::EpsilonMeasure::per_metre ||
      guarantee.epsilon() <= Rational(large_epsilon))
    return "";
  return fmt::format(
      "epsilon {} in all hides next to nothing: above {}, what had one chance in 485 million may become as "
      "likely as not",
      guarantee.epsilon().to_string(), large_epsilon);
}

void Release::use_once() {
  if (std::exchange(is_used_, true)) throw Error("a request is released once: make another one");
}

void Release::require_parts() const {
  throw InvalidOption("kind", fmt::format("{} is drawn from all records together, and not in parts", kind()));
}

Ticket charge_for_parts(Release& request, Caller& caller) try {
  caller.enter(Stage::planning, 0);
  request.use_once();
  const io::LimitScope scope(request.limits.value(caller));
  request.to.output.receive = [](std::string_view) {};  // others will have it
  if (request.to.output.guarded)
    throw InvalidOption("guarded", "is not for parts: whoever draws one holds its records");
  privacy::LedgerHandle own(
      request.to.ledger.ledger, [&caller] { return caller.is_wanted(); }, request.to.ledger.anchors);
  privacy::LedgerHandle& ledger = ledger_of(request, own);
  std::optional<io::HeldFiles> read;
  const privacy::ReleasePlan checked = check(request, ledger, Records::elsewhere, read, caller);
  warn_before(checked, caller);
  StageWatch watch(caller, false, checked.seed.has_value());
  privacy::ChargedRelease charged = privacy::charge_only(checked, &watch);
  return {.statement = std::move(charged.statement), .key = charged.key, .signer = request.to.output.key};
} catch (const InvalidOption& error) {
  refuse_with_allowed(request, error);
}

void Release::require_served() const {
  throw InvalidOption("kind", fmt::format("{} is not released one subject at a time", kind()));
}

privacy::ReleasePlan prepare_for_subjects(Release& request, privacy::LedgerHandle& ledger,
                                          Caller& caller) try {
  request.use_once();
  const io::LimitScope scope(request.limits.value(caller));
  request.is_served = true;
  request.to.output.receive = [](std::string_view) {};  // each subject has its own
  if (request.to.output.guarded)
    throw InvalidOption("guarded", "is not for a service: whoever asks for a subject knows where it is");
  if (request.to.seed.value()) throw InvalidOption("seed", "is not for a service, whose answers are private");
  std::optional<io::HeldFiles> read;
  privacy::ReleasePlan checked = check(request, ledger, Records::elsewhere, read, caller);
  warn_before(checked, caller);
  return checked;
} catch (const InvalidOption& error) {
  refuse_with_allowed(request, error);
}

privacy::Statement prepare_part(Release& part, Caller& caller) try {
  part.use_once();
  const io::LimitScope scope(part.limits.value(caller));
  require_fields(part);
  part.from.require_one();
  require_public_names(part);
  part.to.output.receive = [](std::string_view) {};  // its text goes to whoever asked for the part
  const io::HeldFiles read(part.inputs());
  part.resolve(caller);
  require_there(all_inputs(part));
  part.load(caller);
  privacy::Statement draft = part.prepare(caller);
  // Who draws a part may have no ledger; if it names the one that was charged, that knows of refusals.
  privacy::LedgerHandle own(
      part.to.ledger.ledger, [&caller] { return caller.is_wanted(); }, part.to.ledger.anchors);
  if (part.answers_each()) part.await(caller);  // of such a release this is one record
  take(part, draft, part.to.ledger.handle != nullptr ? *part.to.ledger.handle : own, caller);
  read.require_unchanged();
  return draft;
} catch (const InvalidOption& error) {
  refuse_with_allowed(part, error);
}

namespace {

struct SeededDraw {
  std::string output;
  privacy::DrawnInPieces drawn;
};

SeededDraw draw_seeded(Release& request, const random::Key& key, Caller& caller) {
  if (key.source() != random::Source::seeded)
    throw Error("what is drawn with a secret key is a release, and is charged first");
  prepare_part(request, caller);
  const io::LimitScope scope(request.limits.value(caller));
  std::string output;
  privacy::DrawnInPieces drawn = request.draw(
      key, [&output](std::string_view piece) { output += piece; }, caller);
  return {std::move(output), std::move(drawn)};
}

}  // namespace

std::string draw_for_audit(Release& request, const random::Key& key, Caller& caller) {
  auto [text, drawn] = draw_seeded(request, key, caller);
  // All that is published of it: the statement tells the outcome, and files stand beside the output.
  text += fmt::format("{} records\n{}\n", drawn.records, drawn.outcome.json().dump());
  for (const std::string& other : drawn.also_written) text += other;
  for (const privacy::DrawnText& other : drawn.more_outputs)
    text += fmt::format("{} records\n{}", other.records, other.text);
  return text;
}

std::string output_for_figure(Release& request, const random::Key& key, Caller& caller) {
  return draw_seeded(request, key, caller).output;
}

void ask(Release& request, Caller& caller) try {
  request.use_once();
  const io::LimitScope scope(request.limits.value(caller));
  privacy::LedgerHandle own(
      request.to.ledger.ledger, [&caller] { return caller.is_wanted(); }, request.to.ledger.anchors);
  std::optional<io::HeldFiles> read;
  check(request, ledger_of(request, own), Records::elsewhere, read, caller);
} catch (const InvalidOption& error) {
  refuse_with_allowed(request, error);
}

Outcome release(Release& request, Caller& caller) try {
  caller.enter(Stage::planning, 0);
  request.use_once();
  const io::LimitScope scope(request.limits.value(caller));
  privacy::LedgerHandle own(
      request.to.ledger.ledger, [&caller] { return caller.is_wanted(); }, request.to.ledger.anchors);
  privacy::LedgerHandle& ledger = ledger_of(request, own);
  std::optional<io::HeldFiles> read;
  const privacy::ReleasePlan checked = check(request, ledger, Records::here, read, caller);
  warn_before(checked, caller);
  std::optional<Answers> answers;
  if (request.answers_each()) answers.emplace(request, caller);
  privacy::Released released = answers ? release_each(request, checked, ledger, *read, *answers, caller)
                                       : charge_and_draw(request, checked, ledger, *read, caller);
  caller.enter(Stage::telling, 0);
  Told told = request.tell(released, caller);
  const std::uint64_t entry = std::get<privacy::LedgerReference>(released.statement.ledger).entry;
  return {.released = std::move(released),
          .told = std::move(told),
          .book = book_of(ledger, checked.dataset, caller),
          .entry = entry,
          .answers = answers ? answers->count() : 1};
} catch (const InvalidOption& error) {
  refuse_with_allowed(request, error);
}

}  // namespace fogline::release
