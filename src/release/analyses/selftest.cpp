// SPDX-License-Identifier: Apache-2.0
#include "audit/specimens/selftest.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "fogline/version.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/scratch_folder.hpp"
#include "release/kinds.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class SelfTestAnalysis : public Analysis {
 public:
  std::string kind() const override { return ""; }
  std::string verb() const override { return "selftest"; }

  void declare(FieldTable& table) override {
    table.group("Test");
    table
        .value("samples", "N", samples_,
               "runs of each mechanism on each input (8000; with fewer, some bugs stay unseen)")
        .range("1000", "1000000000");
    table.flag("thorough", thorough_, "use all samples even when a claim is broken, for higher bounds");
    table
        .value("only", "ORIGIN", only_,
               "mechanisms to test: planted bugs, published ones, or those we release with")
        .choices({"planted", "published", "released"});
    table.value("seed", "SEED", seed_, "of all random numbers (1)");
    table.value("repeat", "R", repeat_, "runs, with consecutive seeds (1)").range("1", "1000000");
    table.group("Output");
    table.flag("details", details_, "print what each part found, with runs and time");
  }

  Findings run(Caller& caller) override { return repeat_ == 1 ? run_once(caller) : run_often(caller); }

 private:
  audit::SelfTest test(Caller& caller, std::uint64_t seed, const Progress& progress) const {
    const ScratchFolder folder(caller.temporary_folder()), public_files(caller.temporary_folder());
    auto specimens = all_specimens(public_files, caller);
    if (!only_.empty())
      std::erase_if(specimens,
                    [&](const audit::Specimen& specimen) { return to_string(specimen.origin) != only_; });
    return audit::self_test(specimens, {.folder = folder.path(),
                                        .seed = seed,
                                        .most_samples = samples_,
                                        .thorough = thorough_,
                                        .threads = caller.threads(),
                                        .progress = progress,
                                        .clock_s = [&] { return caller.seconds(); }});
  }

  Findings run_once(Caller& caller) const {
    const audit::SelfTest result = test(caller, seed_, caller.progress());
    Findings found(as_json(result));
    for (std::size_t begin = 0; begin < result.trials.size();) {
      std::vector<audit::Trial> same;
      while (begin < result.trials.size() && (same.empty() || (result.trials[begin].name == same[0].name &&
                                                               result.trials[begin].words == same[0].words)))
        same.push_back(result.trials[begin++]);
      found.add(fmt::format("{:7}{}: {}", same[0].broken ? "BROKEN" : "right", same[0].name, same[0].words));
      found.add(fmt::format("       {}", verdict(same)));
      if (details_)
        for (const audit::Trial& trial : same) found.add(line(trial));
    }
    found.add("");
    found.add(summary(result));
    found.passed = result.passed();
    return found;
  }

  Json as_json(const audit::SelfTest& result) const {
    Json trials = Json::array();
    for (const audit::Trial& trial : result.trials) {
      trials.push_back(
          {{"origin", to_string(trial.origin)},
           {"name", trial.name},
           {"words", trial.words},
           {"broken", trial.broken},
           {"engine", to_string(trial.engine)},
           {"blind", trial.blind},
           {"accused", trial.accused},
           {"claimed_loss", trial.claimed_loss},
           {"loss_at_least", std::isinf(trial.loss_at_least) ? Json("unbounded") : Json(trial.loss_at_least)},
           {"evidence", trial.evidence},
           {"samples", trial.samples},
           {"seconds", trial.seconds}});
    }
    return {{"passed", result.passed()}, {"version", version},      {"seed", seed_},
            {"samples", samples_},       {"missed", result.missed}, {"wronged", result.wronged},
            {"trials", trials}};
  }

  static std::string line(const audit::Trial& trial) {
    return fmt::format(
        "  {:10} {:12} {}{}",
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

  static std::vector<std::string> summary(const audit::SelfTest& result) {
    std::vector<std::string> all;
    for (const std::string& name : result.missed) all.push_back("MISSED: " + name);
    for (const std::string& name : result.wronged) all.push_back("WRONGLY ACCUSED: " + name);
    if (!result.missed.empty())
      all.emplace_back(
          "With fewer samples than usual, or once in many seeds, a part may miss a bug; try more `samples`.");
    if (!result.passed()) return all;
    if (std::ranges::any_of(result.trials, &audit::Trial::broken))
      all.emplace_back("Every broken mechanism was caught by every part that should see it.");
    all.emplace_back("No right mechanism was accused.");
    return all;
  }

  /// What came of many seeds.
  struct Tally {
    struct Part {
      std::string name;
      std::uint64_t accused = 0;
    };
    std::map<std::string, Part> caught = {};  ///< how often each part accused each broken specimen, in order
    std::uint64_t missed = 0, wronged = 0, trials_of_right = 0;

    void count(const audit::SelfTest& result) {
      missed += result.missed.size();
      wronged += result.wronged.size();
      for (const audit::Trial& trial : result.trials) {
        trials_of_right += trial.broken ? 0U : 1U;
        if (trial.blind || !trial.broken) continue;
        Part& part = caught[fmt::format("{} {}", trial.name, to_string(trial.engine))];
        part.name = fmt::format("{:36} {}", trial.name, to_string(trial.engine));
        part.accused += trial.accused ? 1U : 0U;
      }
    }
  };

  Findings run_often(Caller& caller) const {
    Tally tally;
    const Progress progress = caller.progress();
    ProgressMeter meter(progress, "testing the auditor", repeat_);
    for (std::uint64_t i = 0; i < repeat_; ++i) {
      const audit::SelfTest result = test(caller, seed_ + i, {});
      tally.count(result);
      for (const std::string& name : result.missed)
        caller.warn(fmt::format("seed {}: missed {}", seed_ + i, name));
      for (const std::string& name : result.wronged)
        caller.warn(fmt::format("seed {}: wrongly accused {}", seed_ + i, name));
      meter.advance();
    }
    meter.finish();
    Findings found(as_json(tally));
    add_words(tally, found);
    found.passed = tally.missed + tally.wronged == 0;
    return found;
  }

  Json as_json(const Tally& tally) const {
    Json caught = Json::array();
    for (const auto& [key, part] : tally.caught)
      caught.push_back({{"trial", part.name}, {"caught", part.accused}});
    return {{"runs", repeat_},
            {"first_seed", seed_},
            {"samples", samples_},
            {"missed", tally.missed},
            {"wrongly_accused", tally.wronged},
            {"trials_of_right_mechanisms", tally.trials_of_right},
            {"caught", caught}};
  }

  void add_words(const Tally& tally, Findings& found) const {
    found.add(fmt::format("{} runs, seeds {} to {}, at most {} samples of each input", grouped(repeat_),
                          seed_, seed_ + repeat_ - 1, grouped(samples_)));
    found.add("");
    found.add("Broken mechanisms, and in how many runs each part caught them:");
    for (const auto& [key, part] : tally.caught)
      found.add(fmt::format("  {:>7} of {}  {}", grouped(part.accused), grouped(repeat_), part.name));
    found.add("");
    found.add(
        fmt::format("Broken mechanisms missed by a part that should have caught them: {}", tally.missed));
    found.add(fmt::format("Accusations of right mechanisms: {}, in {} trials", tally.wronged,
                          grouped(tally.trials_of_right)));
  }

  std::string only_;
  std::uint64_t samples_ = 8'000;
  std::uint64_t seed_ = 1;
  std::uint64_t repeat_ = 1;
  bool thorough_ = false;
  bool details_ = false;
};

}  // namespace

std::unique_ptr<Analysis> selftest() {
  return std::make_unique<SelfTestAnalysis>();
}

}  // namespace fogline::release
