// SPDX-License-Identifier: Apache-2.0
#include "audit/selftest.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/blocks.hpp"
#include "cli/run.hpp"
#include "cli/verbs.hpp"
#include "fogline/version.hpp"

namespace fogline::cli {
namespace {

/// An empty folder for the ledgers of the test, gone when it is over.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "fogline-selftest-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw FileError(pattern, "cannot be made", "the test needs a folder for temporary files; set TMPDIR");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;  // what is left behind are invented ledgers
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

nlohmann::ordered_json number_or_unbounded(double loss) {
  return std::isinf(loss) ? nlohmann::ordered_json("unbounded") : nlohmann::ordered_json(loss);
}

class SelfTestCommand : public Command {
 public:
  CommandInfo info() const override {
    return {{"selftest"},
            "Test the auditor: planted bugs must be caught, right mechanisms must not be accused",
            "Runs every part of the audit engine (exact certificates, fit of samplers to tables, falsifier, "
            "record and replay, order of charging and "
            "drawing) on mechanisms with planted bugs, on published mechanisms whose claims do not hold, on "
            "the right twin of each, and on every "
            "mechanism that Fogline releases with. Prints what was caught, by which part, with how many "
            "samples. Reads no private data.\n\n"
            "Exit code 1 if a part misses a bug that it should see, or accuses a right mechanism. Runs with "
            "the same --seed "
            "and --samples find the same; "
            "--repeat R does R runs with the seeds from --seed on, and prints only what went wrong and how "
            "often each bug was caught.",
            {{"everything, as in the project's own checks", "fogline selftest"},
             {"the planted bugs, three times with other random numbers",
              "fogline selftest --only planted --repeat 3 --seed 100"}}};
  }

  void declare(OptionSet& options) override {
    options.group("Test");
    options.value("--samples", "N", samples_,
                  "runs of each mechanism on each input (8000; with fewer, some bugs stay unseen)");
    options.flag("--thorough", thorough_, "use all samples even when a claim is broken, for higher bounds");
    options
        .value("--only", "ORIGIN", only_,
               "mechanisms to test: planted bugs, published ones, or those we release with")
        .choices({"planted", "published", "released"});
    options.value("--seed", "SEED", seed_, "of all random numbers (1)");
    options.value("--repeat", "R", repeat_, "runs, with consecutive seeds (1)");
    options.group("Output");
    options.flag("--details", details_, "print what each part found, with runs and time");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    if (samples_ < 1'000 || samples_ > 1'000'000'000)
      throw InvalidOption("samples", "must lie between 1,000 and 1,000,000,000");
    if (repeat_ < 1 || repeat_ > 1'000'000) throw InvalidOption("repeat", "must lie between 1 and 1,000,000");
    return repeat_ == 1 ? run_once(session) : run_often(session);
  }

 private:
  audit::SelfTest test(Session& session, std::uint64_t seed, const Progress& progress) const {
    const TemporaryFolder folder;
    auto specimens = audit::specimens();
    if (!only_.empty())
      std::erase_if(specimens,
                    [&](const audit::Specimen& specimen) { return to_string(specimen.origin) != only_; });
    return audit::self_test(specimens, {.folder = folder.path(),
                                        .seed = seed,
                                        .most_samples = samples_,
                                        .thorough = thorough_,
                                        .threads = session.threads(),
                                        .progress = progress,
                                        .clock_s = seconds_now});
  }

  int run_once(Session& session) const {
    const audit::SelfTest result = test(session, seed_, session.progress());
    session.data(json_ ? as_json(result) : as_text(result));
    return result.passed() ? exit_code::fine : exit_code::data;
  }

  std::string as_json(const audit::SelfTest& result) const {
    nlohmann::ordered_json trials = nlohmann::ordered_json::array();
    for (const audit::Trial& trial : result.trials) {
      trials.push_back({{"origin", to_string(trial.origin)},
                        {"name", trial.name},
                        {"words", trial.words},
                        {"broken", trial.broken},
                        {"engine", to_string(trial.engine)},
                        {"blind", trial.blind},
                        {"accused", trial.accused},
                        {"claimed_loss", trial.claimed_loss},
                        {"loss_at_least", number_or_unbounded(trial.loss_at_least)},
                        {"evidence", trial.evidence},
                        {"samples", trial.samples},
                        {"seconds", trial.seconds}});
    }
    return to_text({{"passed", result.passed()},
                    {"version", version},
                    {"seed", seed_},
                    {"samples", samples_},
                    {"missed", result.missed},
                    {"wronged", result.wronged},
                    {"trials", trials}});
  }

  static std::string line(const audit::Trial& trial) {
    return fmt::format(
        "  {:10} {:12} {}{}\n",
        trial.accused ? "accused"
        : trial.blind ? "blind"
                      : "passed",
        to_string(trial.engine), trial.evidence,
        trial.samples > 0 ? fmt::format(" ({} runs, {:.2f} s)", grouped(trial.samples), trial.seconds) : "");
  }

  /// The parts that accused a specimen, or that did not.
  static std::string engines(const std::vector<audit::Trial>& trials, bool accused) {
    std::vector<std::string_view> names;
    for (const audit::Trial& trial : trials)
      if (trial.accused == accused && !trial.blind) names.push_back(to_string(trial.engine));
    return fmt::format("{}", fmt::join(names, ", "));
  }

  static std::string verdict(const std::vector<audit::Trial>& trials) {
    const audit::Trial& any = trials.front();
    const std::string accused = engines(trials, true), passed = engines(trials, false);
    std::string text = accused.empty() ? "" : (any.broken ? "caught by " : "WRONGLY ACCUSED by ") + accused;
    if (!passed.empty())
      text += (text.empty() ? "" : "; ") + std::string(any.broken ? "MISSED by " : "passed ") + passed;
    return text;
  }

  std::string as_text(const audit::SelfTest& result) const {
    std::string text;
    for (std::size_t begin = 0; begin < result.trials.size();) {
      std::vector<audit::Trial> same;
      while (begin < result.trials.size() && (same.empty() || (result.trials[begin].name == same[0].name &&
                                                               result.trials[begin].words == same[0].words)))
        same.push_back(result.trials[begin++]);
      text += fmt::format("{:7}{}: {}\n", same[0].broken ? "BROKEN" : "right", same[0].name, same[0].words);
      text += fmt::format("       {}\n", verdict(same));
      if (details_)
        for (const audit::Trial& trial : same) text += line(trial);
    }
    return text + "\n" + summary(result);
  }

  static std::string summary(const audit::SelfTest& result) {
    std::string text;
    for (const std::string& name : result.missed) text += "MISSED: " + name + "\n";
    for (const std::string& name : result.wronged) text += "WRONGLY ACCUSED: " + name + "\n";
    if (!result.missed.empty())
      text +=
          "With fewer samples than usual, or once in many seeds, a part may miss a bug; try more "
          "--samples.\n";
    if (!result.passed()) return text;
    const bool any_broken = std::any_of(result.trials.begin(), result.trials.end(),
                                        [](const audit::Trial& trial) { return trial.broken; });
    if (any_broken) text += "Every broken mechanism was caught by every part that should see it.\n";
    text += "No right mechanism was accused.\n";
    return text;
  }

  /// How often each specimen was accused by each part, over many seeds.
  struct Tally {
    std::string name;
    bool broken = false;
    std::uint64_t accused = 0;
  };

  int run_often(Session& session) const {
    std::map<std::string, Tally> tallies;
    std::uint64_t missed = 0, wronged = 0, trials_of_right = 0;
    const Progress progress = session.progress();
    ProgressMeter meter(progress, "testing the auditor", repeat_);
    for (std::uint64_t i = 0; i < repeat_; ++i) {
      const audit::SelfTest result = test(session, seed_ + i, {});
      missed += result.missed.size();
      wronged += result.wronged.size();
      for (const std::string& name : result.missed)
        session.warn(fmt::format("seed {}: missed {}", seed_ + i, name));
      for (const std::string& name : result.wronged)
        session.warn(fmt::format("seed {}: wrongly accused {}", seed_ + i, name));
      for (const audit::Trial& trial : result.trials) {
        trials_of_right += trial.broken ? 0U : 1U;
        if (trial.blind) continue;
        auto& tally =
            tallies[fmt::format("{} {} {}", trial.broken ? 0 : 1, trial.name, to_string(trial.engine))];
        tally.name = fmt::format("{:36} {}", trial.name, to_string(trial.engine));
        tally.broken = trial.broken;
        tally.accused += trial.accused ? 1U : 0U;
      }
      meter.advance();
    }
    meter.finish();
    session.data(json_ ? tally_json(tallies, missed, wronged, trials_of_right)
                       : tally_text(tallies, missed, wronged, trials_of_right));
    return missed + wronged == 0 ? exit_code::fine : exit_code::data;
  }

  std::string tally_text(const std::map<std::string, Tally>& tallies, std::uint64_t missed,
                         std::uint64_t wronged, std::uint64_t trials_of_right) const {
    std::string text = fmt::format(
        "{} runs, seeds {} to {}, at most {} samples of each input\n\nBroken mechanisms, and in how many "
        "runs each part caught them:\n",
        grouped(repeat_), seed_, seed_ + repeat_ - 1, grouped(samples_));
    for (const auto& [key, tally] : tallies)
      if (tally.broken)
        text += fmt::format("  {:>7} of {}  {}\n", grouped(tally.accused), grouped(repeat_), tally.name);
    return text + fmt::format(
                      "\nBroken mechanisms missed by a part that should have caught them: {}\nAccusations of "
                      "right mechanisms: {}, in "
                      "{} trials\n",
                      missed, wronged, grouped(trials_of_right));
  }

  std::string tally_json(const std::map<std::string, Tally>& tallies, std::uint64_t missed,
                         std::uint64_t wronged, std::uint64_t trials_of_right) const {
    nlohmann::ordered_json caught = nlohmann::ordered_json::array();
    for (const auto& [key, tally] : tallies)
      if (tally.broken) caught.push_back({{"trial", tally.name}, {"caught", tally.accused}});
    return to_text({{"runs", repeat_},
                    {"first_seed", seed_},
                    {"samples", samples_},
                    {"missed", missed},
                    {"wrongly_accused", wronged},
                    {"trials_of_right_mechanisms", trials_of_right},
                    {"caught", caught}});
  }

  std::string only_;
  std::uint64_t samples_ = 8'000;
  std::uint64_t seed_ = 1;
  std::uint64_t repeat_ = 1;
  bool thorough_ = false;
  bool details_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> selftest() {
  return std::make_unique<SelfTestCommand>();
}

}  // namespace fogline::cli
