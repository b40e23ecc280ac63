// SPDX-License-Identifier: Apache-2.0
#include "release/driver.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "privacy/test_statement.hpp"
#include "privacy/trusted_keys.hpp"
#include "release/quiet_caller.hpp"
#include "release/test_caller.hpp"

namespace fogline::release::driver_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

/// Keeps in which order the driver called it, and what stood in the ledger then.
class Recorded : public Release {
 public:
  std::string kind() const override { return "place"; }
  void declare(FieldTable&) override {}
  privacy::Statement resolve(Caller&) override { return called("resolve"), draft(); }
  void load(Caller&) override { called("load"); }
  void take(Caller&) override { called("take"); }
  privacy::Statement prepare(Caller&) override { return called("prepare"), draft(); }
  privacy::DrawnInPieces draw(const random::Key& key, const privacy::WriteOutput& write, Caller&) override {
    source = key.source();
    called("draw");
    if (fails) throw std::runtime_error("the disk is gone");
    write("vertex\n7\n");
    return 1;
  }
  Told tell(const privacy::Released&, Caller&) const override { return {.record = "position"}; }
  std::vector<std::string> inputs() const override { return {input}; }

  static privacy::Statement draft() {
    privacy::Statement draft = privacy::sample_statement();
    draft.outputs.clear();
    return draft;
  }
  std::uint64_t entries() const {
    if (!fs::exists(to.ledger.ledger)) return 0;
    privacy::Ledger ledger(to.ledger.ledger, {.access = privacy::Ledger::Access::existing});
    const privacy::DatasetBook book = ledger.books().dataset(to.ledger.dataset);
    return ledger.head().entries - book.settled - book.refusals;
  }
  void called(const std::string& step) {
    EXPECT_TRUE(to.output.output == input || !fs::exists(to.output.output)) << step;
    steps.push_back(step + " " + std::to_string(entries()));
  }

  std::vector<std::string> steps;
  std::string input;
  bool fails = false;
  std::optional<random::Source> source;
};

class Driver : public testing::Test {
 protected:
  Driver() {
    request_.to.ledger = {.ledger = folder_.path("ledger"), .dataset = "riders"};
    request_.to.output.output = folder_.path("safe.csv");
    request_.input = folder_.path("points.csv");
    request_.from.file = folder_.path("private.csv");
    std::ofstream(request_.from.file) << "lon,lat\n1,1\n";
    std::ofstream(request_.input) << "lon,lat\n";
    privacy::declare(request_.to.ledger.ledger);
  }
  void fill(Recorded& request) const {
    request.to = request_.to;
    request.from.file = request_.from.file;
    request.input = request_.input;
  }
  void cap(std::uint64_t thousandths) {
    privacy::Ledger(request_.to.ledger.ledger, {})
        .set_cap({"riders", {privacy::EpsilonMeasure::per_metre, Rational(thousandths, 1000)}, 1});
  }

  privacy::TestFolder folder_;
  Recorded request_;
  TestCaller caller_;
};

/// Records that are read while they are drawn are refused then; a full disk is no refusal, and is told.
TEST_F(Driver, AGuardedReleaseDoesNotSayWhyRecordsAreRefusedLater) {
  class Failing : public Recorded {
   public:
    privacy::DrawnInPieces draw(const random::Key&, const privacy::WriteOutput&, Caller& caller) override {
      caller.warn("three states are impossible");
      if (is_of_records) throw DataError({"private.csv", 7}, "is no state", "correct it");
      throw FileError("safe.csv", "cannot be written", "is the disk full?");
    }
    bool is_of_records = true;
  };
  for (const bool is_of_records : {true, false}) {
    Failing request;
    request.is_of_records = is_of_records;
    fill(request);
    request.to.output.guarded = true;
    TestCaller caller;
    std::string said;
    try {
      release(request, caller);
    } catch (const Error& error) {
      said = error.what();
    }
    EXPECT_THAT(said, HasSubstr(is_of_records ? "does not say why" : "cannot be written"));
    EXPECT_THAT(said, testing::Not(HasSubstr("is no state")));
    EXPECT_THAT(caller.warnings, testing::Not(testing::Contains(HasSubstr("three states"))));
  }
}

/// Whatever is wrong with the records, a guarded release says and costs the same.
TEST_F(Driver, AGuardedRefusalIsPaidForAndTellsNothing) {
  class Refusing : public Recorded {
   public:
    void take(Caller& caller) override {
      called("take");
      caller.warn("three records have no time");
      if (line == 7) throw InvalidOption("resume", "is for one sequence");  // and so the file has two
      throw DataError({"private.csv", line}, "is not a number", "correct it");
    }
    std::uint64_t line = 2;
  };
  std::vector<std::string> said;
  for (const std::uint64_t line : {std::uint64_t{2}, std::uint64_t{7}}) {
    Refusing request;
    request.line = line;
    fill(request);
    request.to.output.guarded = true;
    TestCaller caller;
    try {
      release(request, caller);
    } catch (const DataError& error) {
      said.push_back(error.what());
    }
    EXPECT_THAT(caller.warnings, testing::Not(testing::Contains(HasSubstr("three records"))));
    EXPECT_FALSE(fs::exists(request.to.output.output));
  }
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0], said[1]);
  privacy::Ledger ledger(request_.to.ledger.ledger, {});
  const privacy::DatasetBook book = ledger.books().dataset("riders");
  EXPECT_EQ(book.releases(), 2U);
  EXPECT_EQ(book.refusals, 2U);
}

/// That records are accepted tells of them as well: whoever may not know them pays before they are looked at.
TEST_F(Driver, AGuardedReleaseIsChargedBeforeItsRecordsAreTaken) {
  class Completed : public Recorded {
    std::optional<privacy::Statement> completed(Caller&) override {
      privacy::Statement whole = draft();
      whole.promise.emplace_back("of a graph with three edges");
      return called("completed"), whole;
    }
  } request;
  fill(request);
  request.to.output.guarded = true;
  const Outcome done = release(request, caller_);
  EXPECT_THAT(request.steps,
              ElementsAre("resolve 1", "load 1", "prepare 1", "take 2", "completed 2", "draw 2"));
  EXPECT_THAT(done.released.statement.promise, testing::Contains("of a graph with three edges"));
  EXPECT_EQ(done.released.statement, privacy::read_statement(done.released.statement_file));
  EXPECT_TRUE(privacy::Ledger(request.to.ledger.ledger, {}).entry(2)->is_guarded);
}

/// What was paid for is what is drawn, whatever came with the records.
TEST_F(Driver, AGuardedReleaseOfAnotherPromiseIsNotDrawn) {
  class Other : public Recorded {
    std::optional<privacy::Statement> completed(Caller&) override {
      privacy::Statement other = draft();
      other.mechanism = "other";
      return other;
    }
  } request;
  fill(request);
  request.to.output.guarded = true;
  EXPECT_THROW(release(request, caller_), Error);
  EXPECT_EQ(request.source, std::nullopt);
  EXPECT_FALSE(fs::exists(request.to.output.output));
}

/// Everything public fails before, and so tells nothing of the records.
TEST_F(Driver, AGuardedReleaseThatIsNotWorthItReadsAndCostsNothing) {
  class Worthless : public Recorded {
    privacy::Statement prepare(Caller& caller) override {
      Recorded::prepare(caller);
      throw InvalidOption("anyway", "is needed");
    }
  } request;
  fill(request);
  request.to.output.guarded = true;
  EXPECT_THROW(release(request, caller_), InvalidOption);
  EXPECT_THAT(request.steps, ElementsAre("resolve 1", "load 1", "prepare 1"));
  EXPECT_EQ(request.entries(), 1U);
}

/// How long it took tells of the records too.
TEST_F(Driver, AGuardedReleaseThatIsBrokenOffIsSpent) {
  class Slow : public Recorded {
    void take(Caller&) override { throw Cancelled(); }
  } request;
  fill(request);
  request.to.output.guarded = true;
  EXPECT_THROW(release(request, caller_), Cancelled);
  EXPECT_EQ(request.entries(), 2U);
  EXPECT_THAT(caller_.warnings, testing::Contains(HasSubstr("entry 2 of the ledger is spent")));
  EXPECT_EQ(privacy::Ledger(request.to.ledger.ledger, {}).books().dataset("riders").answers_that_may_tell(),
            1U);
}

/// Each answer may tell one bit: after those that the curator allows, nothing is read.
TEST_F(Driver, GuardedReleasesAreRefusedTooOften) {
  class Refusing : public Recorded {
    void take(Caller& caller) override {
      Recorded::take(caller);
      throw DataError({"private.csv", 2}, "is not a number");
    }
  };
  privacy::Ledger(request_.to.ledger.ledger, {}).set_refusals("riders", 2, 1);
  for (int i = 0; i < 2; ++i) {
    Refusing request;
    fill(request);
    request.to.output.guarded = true;
    EXPECT_THROW(release(request, caller_), DataError);
  }
  Refusing third;
  fill(third);
  third.to.output.guarded = true;
  EXPECT_THROW(release(third, caller_), privacy::BudgetError);
  EXPECT_THAT(third.steps, testing::Each(testing::Not(HasSubstr("take"))));
  release(request_, caller_);  // of the curator, who knows them
}

/// What is built while records are taken is used while they are drawn.
TEST_F(Driver, TheWishToStopOutlivesTheTaking) {
  class Keeping : public Recorded {
   public:
    void take(Caller& caller) override { progress = caller.progress(); }
    privacy::DrawnInPieces draw(const random::Key& key, const privacy::WriteOutput& write,
                                Caller& caller) override {
      EXPECT_TRUE(progress({"drawing", 1, 2}));
      return Recorded::draw(key, write, caller);
    }
    Progress progress;
  } request;
  fill(request);
  request.to.output.guarded = true;
  release(request, caller_);
  Progress kept;
  {
    QuietCaller quiet(caller_);
    kept = quiet.progress();
  }
  EXPECT_TRUE(kept({"drawing", 2, 2}));
}

/// A run that promises nothing hides nothing from whoever may not know the records.
TEST_F(Driver, GuardedFormsPromiseSomething) {
  class Published : public Recorded {
    privacy::Statement resolve(Caller& caller) override {
      privacy::Statement draft = Recorded::resolve(caller);
      draft.guarantee = privacy::Guarantee::none("anything", "the paper's proof does not hold");
      return draft;
    }
  } request;
  fill(request);
  request.to.output.guarded = true;
  EXPECT_THROW(release(request, caller_), InvalidOption);
  EXPECT_THAT(request.steps, ElementsAre("resolve 1"));
}

/// A file of persons is as private as the records.
TEST_F(Driver, OpensNoPrivateInputBeforeTheLedgerIsAsked) {
  class WithPersons : public Recorded {
   public:
    std::vector<std::string> private_inputs() const override { return {persons}; }
    privacy::Statement resolve(Caller& caller) override {
      for (const auto& handle : fs::directory_iterator("/proc/self/fd")) {
        std::error_code gone;  // of the iterator itself
        const std::string file = fs::read_symlink(handle.path(), gone).string();
        EXPECT_FALSE(file.ends_with("persons.txt"));
        is_held = is_held || file.ends_with("points.csv");
      }
      return Recorded::resolve(caller);
    }
    std::string persons;
    bool is_held = false;
  } request;
  fill(request);
  request.persons = folder_.path("persons.txt");
  std::ofstream(request.persons) << "ann\n";
  release(request, caller_);
  EXPECT_TRUE(request.is_held);
}

/// Whatever it is called and wherever it is named, and before anything of it is read.
TEST_F(Driver, AGuardedReleaseTakesNoPrivateFileForAPublicOne) {
  class WithPersons : public Recorded {
   public:
    void declare(FieldTable& table) override {
      from.declare(table, "FILE", "the records");
      table.value("table", "FILE", input, "a table").role(FieldRole::public_input);
      table.value("persons", "FILE", persons, "whose").role(FieldRole::private_input);
    }
    std::vector<std::string> private_inputs() const override { return {persons}; }
    std::string persons;
  };
  const std::string records = request_.from.file, persons = folder_.path("persons.txt");
  std::ofstream(persons) << "ann\n";
  fs::create_symlink(records, folder_.path("link"));
  fs::create_hard_link(persons, folder_.path("other name"));
  for (const std::string& named : {records, persons, folder_.path("link"), folder_.path("other name")}) {
    WithPersons request;
    fill(request);
    request.persons = persons;
    request.input = named;
    request.to.output.guarded = true;
    try {
      release(request, caller_);
      ADD_FAILURE() << named;
    } catch (const InvalidOption& error) {
      EXPECT_EQ(error.option(), "table") << named;
    }
    EXPECT_THAT(request.steps, testing::IsEmpty()) << named;
    EXPECT_EQ(request.entries(), 1U) << "the dataset";
  }
  request_.to.output.guarded = true;
  request_.to.output.sign = records;
  EXPECT_THROW(release(request_, caller_), InvalidOption);
  EXPECT_THAT(request_.steps, testing::IsEmpty());
}

/// A file is private by what it is, and not by a name that another begins with.
TEST_F(Driver, HoldsAPublicFileWhoseNameThePrivateOneBeginsWith) {
  class Changing : public Recorded {
   public:
    void declare(FieldTable& table) override {
      from.declare(table, "FILE", "the records");
      table.value("network", "FILE", network, "roads").role(FieldRole::public_input);
    }
    void load(Caller&) override { std::ofstream(input) << "lon,lat\n2,2\n"; }
    std::string network;
  } request;
  fill(request);
  request.network = folder_.path("m.gr");
  request.input = folder_.path("m.co");  // beside the other, and named by no field
  request.from.file = folder_.path("m.co.csv");
  std::ofstream(request.input) << "lon,lat\n";
  std::ofstream(request.from.file) << "lon,lat\n1,1\n";
  EXPECT_THROW(release(request, caller_), DataError) << "it changed";
}

/// Fields hold words and lists around the names of files.
TEST_F(Driver, NamesTheFieldOfAFileByItsWholeName) {
  class TwoFields : public Recorded {
   public:
    void declare(FieldTable& table) override {
      table.value("first", "FILE", first, "a file").role(FieldRole::public_input);
      table.value("second", "FILE", second, "another").role(FieldRole::public_input);
    }
    std::string first, second;
  };
  const std::string held = request_.from.file;
  for (const auto& [first, second] : std::vector<std::pair<std::string, std::string>>{
           {held + ".old", held},
           {held + ".old", "util:5+category:" + held},
           {"category:" + held + "x+file:" + held + "y", "file:" + held + "+util:5"},
           {"old" + held, "a.csv," + held + ",b.csv"}}) {
    TwoFields request;
    fill(request);
    request.first = first;
    request.second = second;
    request.input = held;
    try {
      release(request, caller_);
      ADD_FAILURE() << second;
    } catch (const InvalidOption& error) {
      EXPECT_EQ(error.option(), "second") << first;
    }
  }
}

/// That a file is the private one tells whoever guessed it.
TEST_F(Driver, RecordsThatAPublicFileWasThePrivateOne) {
  std::ofstream(request_.input) << "lon,lat\n1,1\n";
  EXPECT_THROW(release(request_, caller_), InvalidOption);
  EXPECT_EQ(privacy::Ledger(request_.to.ledger.ledger, {}).books().dataset("riders").refusals, 1U);
}

/// Records that come while they are answered are refused late, and that is a refusal too.
TEST_F(Driver, RecordsWhatIsRefusedWhileItIsAnswered) {
  class Failing : public Recorded {
    privacy::DrawnInPieces draw(const random::Key&, const privacy::WriteOutput&, Caller&) override {
      throw DataError({"private.csv", 7}, "is no state");
    }
  } request;
  fill(request);
  EXPECT_THROW(release(request, caller_), DataError);
  EXPECT_EQ(privacy::Ledger(request_.to.ledger.ledger, {}).books().dataset("riders").refusals, 1U);
}

TEST_F(Driver, TellsOfAClockThatRunsBackwards) {
  class Refusing : public Recorded {
    void take(Caller&) override { throw DataError({"private.csv", 2}, "is not a number"); }
  } request;
  fill(request);
  privacy::Ledger(request_.to.ledger.ledger, {})
      .set_cap({"riders", {privacy::EpsilonMeasure::per_metre, Rational(1)}, 1'700'000'060});
  EXPECT_THROW(release(request, caller_), DataError);
  EXPECT_THAT(caller_.warnings, testing::Contains(HasSubstr("the clock is 60 s behind")));
}

TEST_F(Driver, TakesTheStepsInTheOnlyOrderThatIsSafe) {
  const Outcome done = release(request_, caller_);
  EXPECT_THAT(request_.steps, ElementsAre("resolve 1", "load 1", "prepare 1", "take 1", "draw 2"));
  EXPECT_EQ(request_.source, random::Source::operating_system);
  EXPECT_THAT(caller_.stages,
              ElementsAre(Stage::planning, Stage::charging, Stage::drawing, Stage::writing, Stage::telling));
  EXPECT_EQ(done.entry, 2U);
  EXPECT_EQ(done.book.value().total(privacy::EpsilonMeasure::per_metre).spent.to_string(), "0.01");
  EXPECT_TRUE(fs::exists(request_.to.output.output));
  EXPECT_TRUE(fs::exists(done.released.statement_file));
}

/// What a release is worth is judged from public things, before a record is read.
TEST_F(Driver, ReadsNothingPrivateOfWhatIsNotWorthIt) {
  class Worthless : public Recorded {
    privacy::Statement prepare(Caller& caller) override {
      Recorded::prepare(caller);
      throw InvalidOption("anyway", "is needed");
    }
  } request;
  fill(request);
  EXPECT_THROW(release(request, caller_), InvalidOption);
  EXPECT_THAT(request.steps, ElementsAre("resolve 1", "load 1", "prepare 1"));
}

/// Something public may come in one file with the records: the statement that is charged tells of it.
TEST_F(Driver, ChargesTheDraftThatTheRecordsCompleted) {
  class Completed : public Recorded {
    std::optional<privacy::Statement> completed(Caller&) override {
      privacy::Statement whole = draft();
      whole.promise.emplace_back("of a graph with three edges");
      return called("completed"), whole;
    }
  } request;
  fill(request);
  const Outcome outcome = release(request, caller_);
  EXPECT_THAT(request.steps,
              ElementsAre("resolve 1", "load 1", "prepare 1", "take 1", "completed 1", "draw 2"));
  EXPECT_THAT(outcome.released.statement.promise, testing::Contains("of a graph with three edges"));
}

TEST_F(Driver, ReadsNothingPrivateOverTheCap) {
  cap(5);
  EXPECT_THROW(release(request_, caller_), privacy::BudgetError);
  EXPECT_THAT(request_.steps, ElementsAre("resolve 2"));  // the dataset and its cap are entries
  EXPECT_EQ(request_.entries(), 2U);
}

TEST_F(Driver, ReadsNothingPrivateWhereNothingCanBeWritten) {
  request_.to.output.output = folder_.path("nowhere") + "/safe.csv";
  EXPECT_THROW(release(request_, caller_), FileError);
  EXPECT_THAT(request_.steps, ElementsAre("resolve 1"));
}

TEST_F(Driver, ReplacesNoInput) {
  request_.to.output.output = request_.input;
  request_.to.output.overwrite = true;
  EXPECT_THROW(release(request_, caller_), InvalidOption);
}

TEST_F(Driver, SaysThatTheBudgetIsSpentWhateverIsThrown) {
  request_.fails = true;
  EXPECT_THROW(release(request_, caller_), std::runtime_error);
  EXPECT_THAT(caller_.warnings, testing::Contains(HasSubstr("entry 2 of the ledger is spent all the same")));
  EXPECT_EQ(request_.entries(), 2U);
  EXPECT_FALSE(fs::exists(request_.to.output.output));
}

TEST_F(Driver, ChargesNothingForASeedAndSaysThatItIsNotPrivate) {
  request_.to.seed.seed = "7";
  const Outcome done = release(request_, caller_);
  EXPECT_EQ(request_.source, random::Source::seeded);
  EXPECT_EQ(done.book.value().total(privacy::EpsilonMeasure::per_metre).spent.to_string(), "0");
  EXPECT_EQ(done.released.statement.guarantee.notion(), privacy::Notion::none);
  EXPECT_THAT(caller_.warnings, testing::Contains(HasSubstr("NOT PRIVATE")));
}

TEST_F(Driver, ReadsNothingPrivateOfADatasetThatNobodyDeclared) {
  request_.to.ledger.dataset = "rider";
  EXPECT_THROW(release(request_, caller_), privacy::BudgetError);
  EXPECT_THAT(request_.steps, ElementsAre("resolve 1"));
  EXPECT_EQ(request_.entries(), 1U);
}

TEST_F(Driver, SignsTheStatementWithTheKeyThatIsNamed) {
  privacy::make_key_files({.path = folder_.path("office.key")});
  request_.to.output.sign = folder_.path("office.key");
  const Outcome done = release(request_, caller_);
  const privacy::Statement read = privacy::read_statement(done.released.statement_file);
  ASSERT_TRUE(read.signature);
  const auto judged = privacy::TrustedKeys::read({folder_.path("office.pub")})
                          .judge(privacy::statement_purpose, text_to_sign(read), *read.signature);
  EXPECT_EQ(judged.verdict, privacy::TrustedKeys::Verdict::trusted);
  EXPECT_EQ(privacy::Ledger(request_.to.ledger.ledger, {}).settlement_of(2), settlement_of(read));
}

/// A key that cannot sign is found before anything is read or charged.
TEST_F(Driver, AKeyThatCannotSignCostsNothing) {
  request_.to.output.sign = folder_.path("none.key");
  EXPECT_THROW(release(request_, caller_), FileError);
  EXPECT_TRUE(request_.steps.empty());
  EXPECT_EQ(request_.entries(), 1U);
}

TEST_F(Driver, RefusesALedgerThatIsReplacedMeanwhile) {
  cap(1000);
  struct Replacing : Recorded {
    void take(Caller&) override { fs::rename(to.ledger.ledger, to.ledger.ledger + ".old"); }
  } request;
  request.to = request_.to;
  request.from = request_.from;
  request.input = request_.input;
  EXPECT_THROW(release(request, caller_), FileError);
  EXPECT_FALSE(fs::exists(request.to.output.output));
  EXPECT_EQ(request.source, std::nullopt);
}

TEST_F(Driver, RecordsThatPrivateRecordsWereRefusedAndNotWhy) {
  struct Refusing : Recorded {
    void take(Caller&) override { throw DataError({"private.csv", 7}, "holds the number 42"); }
  } request;
  request.to = request_.to;
  request.from = request_.from;
  request.input = request_.input;
  cap(1000);
  Refusing again;
  again.to = request.to;
  again.from = request.from;
  again.input = request.input;
  EXPECT_THROW(release(again, caller_), DataError);
  const auto entries = privacy::Ledger(request.to.ledger.ledger, {}).entries();
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[2].type, privacy::EntryType::refusal);
  EXPECT_EQ(entries[2].dataset, request.to.ledger.dataset);
  EXPECT_EQ(entries[2].kind, again.kind());
  EXPECT_EQ(to_row(entries[2]).details, "");
}

/// What one release found out must not go into another: a mechanism of a larger epsilon, say.
TEST_F(Driver, TakesARequestOnce) {
  release(request_, caller_);
  request_.to.output.output = folder_.path("again.csv");
  EXPECT_THROW(release(request_, caller_), Error);
  EXPECT_EQ(request_.entries(), 2U);
}

TEST_F(Driver, StandsWhenTheLedgerCannotBeReadAnyMore) {
  struct Moving : Recorded {
    Told tell(const privacy::Released&, Caller&) const override {
      fs::rename(to.ledger.ledger, to.ledger.ledger + ".old");
      return {.record = "position"};
    }
  } request;
  request.to = request_.to;
  request.from = request_.from;
  request.input = request_.input;
  const Outcome done = release(request, caller_);
  EXPECT_FALSE(done.book);
  EXPECT_THAT(caller_.warnings, testing::Contains(HasSubstr("what was released stands")));
}

/// What was hashed for the statement must be what was read.
TEST_F(Driver, RefusesAPublicFileThatChangesMeanwhile) {
  struct Changing : Recorded {
    void load(Caller&) override {
      if (replaces) {
        std::ofstream(input + ".new") << "lon,lat\n";
        fs::rename(input + ".new", input);
      } else {
        std::ofstream(input, std::ios::app) << "1,2\n";
      }
    }
    bool replaces = false;
  };
  for (const bool replaces : {false, true}) {
    Changing request;
    request.to = request_.to;
    request.input = request_.input;
    request.from = request_.from;
    request.replaces = replaces;
    EXPECT_THROW(release(request, caller_), DataError) << replaces;
    EXPECT_EQ(request.entries(), 1U);
    EXPECT_EQ(request.source, std::nullopt);
  }
}

TEST_F(Driver, TakesRecordsAndOutputFromOnePlaceEach) {
  request_.from.columns.emplace();
  EXPECT_THROW(release(request_, caller_), InvalidOption);
  EXPECT_TRUE(request_.steps.empty());
}

/// What goes into memory has no file, and its statement is what comes back.
TEST_F(Driver, ReleasesIntoMemory) {
  request_.to.output.output.clear();
  std::string received;
  request_.to.output.receive = [&](std::string_view piece) { received += piece; };
  const Outcome done = release(request_, caller_);
  EXPECT_EQ(received, "vertex\n7\n");
  EXPECT_EQ(done.released.statement_file, "");
  EXPECT_EQ(done.released.statement.outputs.front().name, "-");
  EXPECT_EQ(request_.entries(), 2U);
}

/// Beside the output; where that has no name, beside the statement.
TEST(OutputFields, SayWhereFurtherOutputsGo) {
  OutputFields to{.output = "out/trips.csv.gz", .statement = "elsewhere.json"};
  EXPECT_EQ(to.beside(".counts.json"), "out/trips.csv.gz.counts.json");
  to.output = "-";
  EXPECT_EQ(to.beside(".counts.json"), "elsewhere.json.counts.json");
  to.statement = "out/trips.csv.statement.json";
  EXPECT_EQ(to.beside(".counts.json"), "out/trips.csv.counts.json");
  to.statement.clear();
  EXPECT_EQ(to.beside(".counts.json"), "release.counts.json");
  to.receive = [](std::string_view) {};
  EXPECT_EQ(to.beside(".counts.json"), "release.counts.json");
}

TEST_F(Driver, NeedsALedger) {
  request_.to.ledger.ledger.clear();
  EXPECT_THROW(release(request_, caller_), InvalidOption);
}

TEST_F(Driver, SaysThatAFileIsMissingBeforeAnythingElseIsRead) {
  fs::remove(request_.input);
  EXPECT_THROW(release(request_, caller_), FileError);
  EXPECT_THAT(request_.steps, ElementsAre("resolve 1"));
}

}  // namespace
}  // namespace fogline::release::driver_test
