// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/charge_order.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "privacy/ledger.hpp"

namespace fogline::audit {
namespace {

namespace fs = std::filesystem;
using privacy::EpsilonMeasure;
using privacy::Ledger;

const std::string dataset = "audited";

class Stage {
 public:
  Stage(const fs::path& folder, const std::string& name, const Rational& cap)
      : folder_(folder / name),
        files_{.ledger = (folder_ / "ledger").string(),
               .dataset = dataset,
               .output = (folder_ / "out.txt").string(),
               .cost = privacy::Guarantee::pure(privacy::Epsilon{1, 1}, "one record",
                                                privacy::Exactness::exact)} {
    fs::create_directory(folder_);
    Ledger(files_.ledger, {}).set_cap({dataset, {EpsilonMeasure::plain, cap}, 0});
  }

  /// Runs the walk; `fails`: the draw throws. True if the walk came to its end.
  bool run(const Walk& walk, bool fails) {
    const std::uint64_t paid_before = paid();
    draws_ = 0;
    try {
      walk(files_, [&]() -> std::string {
        ++draws_;
        if (paid() <= paid_before) note("it draws before the ledger is charged");
        if (draws_ > 1) note("it draws again for one charge: a second release that nobody paid for");
        if (fails) throw Error("the draw failed");
        return "answer\n";
      });
      return true;
    } catch (const Error&) {
      return false;
    }
  }

  void expect(bool holds, const std::string& otherwise) {
    if (!holds) note(otherwise);
  }
  std::uint64_t paid() const {
    Ledger ledger(files_.ledger, {.access = Ledger::Access::existing});
    return ledger.books().dataset(dataset).releases();
  }
  /// Whether anything stands in the folder besides the ledger.
  bool wrote() const {
    for (const auto& entry : fs::directory_iterator(folder_))
      if (!entry.path().filename().string().starts_with("ledger")) return true;
    return false;
  }
  int draws() const { return draws_; }
  const std::string& reason() const { return reason_; }
  const WalkFiles& files() const { return files_; }

 private:
  void note(const std::string& reason) {
    if (reason_.empty()) reason_ = reason;
  }

  fs::path folder_;
  WalkFiles files_;
  int draws_ = 0;
  std::string reason_;
};

std::string with_enough(const Walk& walk, const fs::path& folder) {
  Stage stage(folder, "enough", Rational(1));
  const bool done = stage.run(walk, false);
  stage.expect(done && stage.draws() > 0, "it does not release although there is enough budget");
  stage.expect(stage.paid() == 1, "it does not charge exactly once");
  stage.expect(stage.wrote(), "it writes nothing although it was paid");
  return stage.reason();
}

std::string over_the_cap(const Walk& walk, const fs::path& folder) {
  Stage stage(folder, "over", Rational(1, 2));
  const bool done = stage.run(walk, false);
  stage.expect(stage.draws() == 0, "it draws although the budget does not allow it");
  stage.expect(!stage.wrote(), "it writes although the budget does not allow it");
  stage.expect(!done, "it does not say that the budget does not allow it");
  return stage.reason();
}

std::string with_a_failing_draw(const Walk& walk, const fs::path& folder) {
  Stage stage(folder, "fails", Rational(1));
  stage.run(walk, true);
  stage.expect(stage.paid() == 1, "a failed draw is not paid for, so it can be tried until it pleases");
  stage.expect(!stage.wrote(), "it leaves something behind after a failed draw");
  return stage.reason();
}

std::string twice(const Walk& walk, const fs::path& folder) {
  Stage stage(folder, "twice", Rational(2));
  stage.run(walk, false);
  fs::remove(stage.files().output);
  stage.run(walk, false);
  stage.expect(stage.paid() == 2, "a second release is not charged");
  return stage.reason();
}

}  // namespace

ChargeOrderFinding check_charge_order(const Walk& walk, const std::string& folder) {
  if (!fs::is_directory(folder) || !fs::is_empty(folder))
    throw InvalidOption("folder", "must exist and be empty");
  for (const auto& check : {with_enough, over_the_cap, with_a_failing_draw, twice}) {
    if (std::string reason = check(walk, folder); !reason.empty()) return {true, std::move(reason)};
  }
  return {};
}

}  // namespace fogline::audit
