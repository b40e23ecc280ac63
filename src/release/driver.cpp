// SPDX-License-Identifier: Apache-2.0
#include "release/driver.hpp"

#include <fmt/format.h>

namespace fogline::release {
namespace {

/// Carries a release's progress to the caller.
class StageWatch : public privacy::ReleaseWatch {
 public:
  StageWatch(Caller& caller, bool is_live, bool is_seeded)
      : caller_(caller), once_charged_(is_live ? Stage::live : Stage::drawing), is_seeded_(is_seeded) {}

  void charging() override { caller_.enter(Stage::charging, 0); }
  void charged(const privacy::LedgerReference& entry) override {
    is_charged_ = true;
    if (!is_seeded_) paid_ = entry.entry;
    caller_.enter(once_charged_, paid_);
  }
  void writing() override { caller_.enter(Stage::writing, paid_); }
  bool is_wanted() override { return caller_.is_wanted(); }
  bool is_charged() const { return is_charged_; }
  std::uint64_t paid() const { return paid_; }  ///< the entry that is spent; 0: none

 private:
  Caller& caller_;
  Stage once_charged_;
  bool is_seeded_;
  bool is_charged_ = false;
  std::uint64_t paid_ = 0;
};

privacy::ReleasePlan plan(const Release& request, privacy::Statement draft, privacy::LedgerHandle& ledger,
                          Caller& caller) {
  const Release::Delivery& to = request.to;
  return {.draft = std::move(draft),
          .dataset = to.ledger.dataset,
          .ledger = to.ledger.ledger,
          .output = to.output.output,
          .statement = to.output.statement_path(),
          .overwrite = to.output.overwrite,
          .inputs = request.inputs(),
          .also_written = request.also_written(),
          .records_in = request.records_in(),
          .seed = to.seed.value(),
          .time_unix_s = caller.now(),
          .handle = &ledger};
}

/// Warns of a fixed seed, of an epsilon that hides next to nothing, and of a dataset that the ledger does not know: a slip of the
/// pen would begin a budget of its own.
void warn_before(const privacy::ReleasePlan& plan, Caller& caller) {
  if (plan.seed)
    caller.warn("A FIXED SEED WAS GIVEN: THIS RUN IS NOT PRIVATE AND IS NOT CHARGED AS A RELEASE");
  if (const std::string warning = warning_of_large_epsilon(plan.draft.guarantee); !warning.empty())
    caller.warn(warning);
  privacy::Ledger* known = plan.handle->if_there();
  if (known == nullptr) return;
  const privacy::Books books = known->books();
  if (books.datasets().empty() || books.datasets().contains(plan.dataset)) return;
  caller.warn(fmt::format("dataset '{}' is new in this ledger, and has no cap", plan.dataset));
}

privacy::Released charge_and_draw(Release& request, const privacy::ReleasePlan& plan, Caller& caller) {
  const auto draw = [&](const random::Key& key, const privacy::WriteOutput& write) {
    return request.draw(key, write, caller);
  };
  StageWatch watch(caller, request.is_live(), plan.seed.has_value());
  try {
    return request.is_live() ? privacy::release_live(plan, draw, &watch)
                             : privacy::release_in_pieces(plan, draw, &watch);
  } catch (...) {  // whatever it is, it is thrown on
    if (!caller.is_wanted() && !watch.is_charged()) caller.note("nothing was charged");
    if (watch.paid() > 0) {
      caller.warn(fmt::format("entry {} of the ledger is spent all the same: running again costs again",
                              watch.paid()));
    }
    throw;
  }
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

Outcome release(Release& request, Caller& caller) {
  caller.enter(Stage::planning, 0);
  privacy::LedgerHandle ledger(request.to.ledger.ledger, [&caller] { return caller.is_wanted(); });
  request.to.seed.value();
  privacy::require_releasable(plan(request, request.resolve(caller), ledger, caller));
  request.load(caller);
  request.take(caller);
  const privacy::ReleasePlan settled = plan(request, request.prepare(caller), ledger, caller);
  warn_before(settled, caller);
  privacy::Released released = charge_and_draw(request, settled, caller);
  caller.enter(Stage::telling, 0);
  Told told = request.tell(released, caller);
  const std::uint64_t entry = std::get<privacy::LedgerReference>(released.statement.ledger).entry;
  return {.released = std::move(released),
          .told = std::move(told),
          .book = ledger.get().books().dataset(settled.dataset),
          .entry = entry};
}

}  // namespace fogline::release
