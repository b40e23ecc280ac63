// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/blocks.hpp"
#include "cli/traces_block.hpp"
#include "cli/verbs.hpp"
#include "traces/attacks.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;
using traces::Separation;
using traces::TraceAttacks;

constexpr auto traces_attack_warning = "made with private trips, for the curator alone; do not publish";

Json as_json(const traces::Interval& interval) {
  return {interval.low, interval.high};
}

Json as_json(const Separation& told) {
  return {{"auc", told.auc},
          {"auc_interval", as_json(told.auc_interval)},
          {"advantage", told.advantage},
          {"advantage_interval", as_json(told.advantage_interval)}};
}

Json as_json(const traces::Share& share) {
  return {{"share", share.share}, {"interval", as_json(share.interval)}};
}

Json as_json(const traces::Linkage& linkage) {
  return {{"asked", linkage.asked},    {"right", linkage.right},   {"share", linkage.share()},
          {"users", linkage.users},    {"chance", linkage.chance}, {"chance_high", linkage.chance_high},
          {"p_value", linkage.p_value}};
}

std::string verdict(const TraceAttacks& told) {
  if (told.leaks())
    return "leaks, if others were drawn as the members were: these attacks tell the two apart more often "
           "than "
           "chance does";
  if (told.lopsided())
    return "none: held-out trips look more like members than the members do, so they were not drawn alike; "
           "hold out "
           "others";
  return "nothing found by these attacks; that proves nothing, only a guarantee does";
}

std::string as_text(const char* attack, const Separation& told) {
  return fmt::format("{:<32}{:>7.4f} ({:.4f} to {:.4f}) {:>8.4f} ({:.4f} to {:.4f})\n", attack, told.auc,
                     told.auc_interval.low, told.auc_interval.high, told.advantage,
                     told.advantage_interval.low, told.advantage_interval.high);
}

std::string percent(const traces::Share& share) {
  return fmt::format("{:.2f} % ({:.2f} to {:.2f})", 100 * share.share, 100 * share.interval.low,
                     100 * share.interval.high);
}

class TracesAttack : public Command {
 public:
  CommandInfo info() const override {
    return {{"traces", "attack"},
            "Attack synthetic trips: membership, reconstruction, linkage of users",
            "Compares trips that were used with held-out ones that were not, as 32 points at equal distances "
            "along each. "
            "Nearest: is a trip nearer to some synthetic trip if it was used? Calibrated: the same, over its "
            "distance to "
            "the nearest of other held-out trips. auc is the chance that a used trip scores before another, "
            "0.5 for "
            "nothing told; advantage the share of used trips minus that of others below a threshold chosen "
            "on other "
            "trips. Reconstruction: how many trips have a synthetic one within --near metres at all 32 "
            "points. Linkage, "
            "where files name users: synthetic trip i is taken for true trip i, and held-out trips get the "
            "user of the "
            "nearest; chance is the same with the order turned.\n\n"
            "Intervals are of 99 %, and allow for users with several trips. Held-out trips must be drawn as "
            "the true ones "
            "were, such as by setting every second user aside before the release. A leak that is found is "
            "one; that none "
            "is found proves nothing.\n\n"
            "What is printed is made with private trips and charged to no ledger.",
            {{"trips that know nothing of the true ones",
              "fogline sample stream --seed 2 --walkers 300 -o w.csv --public all.csv -q && for i in 0 1 2; "
              "do awk "
              "-F, -v i=$i 'NR == 1 || substr($1, 2) % 3 == i' all.csv > $i.csv; done && fogline traces "
              "attack 0.csv 1.csv --heldout 2.csv"},
             {"a copy, as JSON",
              "fogline sample stream -o w.csv --public all.csv -q && for i in 0 1; do awk -F, -v i=$i 'NR == "
              "1 || substr($1, 2) % 2 == i' all.csv > $i.csv; done && fogline traces attack 0.csv 0.csv "
              "--heldout 1.csv --json"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("TRUE", truth_, "the private trips that were used: CSV, GeoJSON, GPX, .dat")
        .required();
    options.positional("SYNTHETIC", synthetic_, "the synthetic ones").required();
    options.group("Attack");
    options.value("--heldout", "FILE", heldout_, "private trips that were not used").required();
    frame_.declare(options, "area to look at (that of the statement; without one, all trips)");
    options.value("--near", "M", near_m_, "metres within which a trip is reconstructed (100)");
    options.value("--seed", "N", seed_, "of the halves and turns (1)");
    columns_.declare_order(options);
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    if (!(near_m_ > 0)) throw InvalidOption("near", "must be above 0 metres");
    const ComparedTrips trips =
        read_compared(session, frame_, columns_, {.names = {truth_, synthetic_, heldout_}});
    const TraceAttacks told = traces::attack(trips.sets[0], trips.sets[1], trips.sets[2],
                                             {.near_m = near_m_,
                                              .seed = seed_,
                                              .parallel = {.threads = session.threads()},
                                              .progress = session.progress()});
    if (told.shared > 0)
      session.warn(fmt::format("{}: {} trips are in {} too; left out of both", heldout_, grouped(told.shared),
                               truth_));
    session.data(json_ ? to_text(report(trips, told)) : text(trips, told));
    return 0;
  }

 private:
  static Json report(const ComparedTrips& trips, const TraceAttacks& told) {
    const traces::Reconstruction& back = told.reconstruction;
    return {{"kind", "traces"},
            {"private", true},
            {"warning", traces_attack_warning},
            {"members", told.members},
            {"others", told.others},
            {"shared", told.shared},
            {"synthetic", trips.sets[1].size()},
            {"confidence", 0.99},
            {"nearest", as_json(told.nearest)},
            {"calibrated", as_json(told.calibrated)},
            {"references", told.references},
            {"reconstruction",
             {{"near_m", back.near_m},
              {"members", as_json(back.members)},
              {"others", as_json(back.others)},
              {"mean_distance_members_m", back.mean_distance_members},
              {"mean_distance_others_m", back.mean_distance_others}}},
            {"linkage", told.linkage ? as_json(*told.linkage) : Json()},
            {"leaks", told.leaks()},
            {"lopsided", told.lopsided()},
            {"verdict", verdict(told)}};
  }

  static std::string text(const ComparedTrips& trips, const TraceAttacks& told) {
    const traces::Reconstruction& back = told.reconstruction;
    return fmt::format("PRIVATE: {}\n", traces_attack_warning) +
           fields({{"members", grouped(told.members) + " trips that were used"},
                   {"others", grouped(told.others) + " trips that were not"},
                   {"synthetic", grouped(trips.sets[1].size()) + " trips"}}) +
           fmt::format("{:<32}{:>7} {:<20}{:>9} (99 %)\n", "told by", "AUC", "(99 %)", "advantage") +
           as_text("nearest synthetic trip", told.nearest) +
           as_text("the same, calibrated", told.calibrated) +
           fields({{"reconstructed", fmt::format("within {:g} m at all points: {} of members, {} of others",
                                                 back.near_m, percent(back.members), percent(back.others))},
                   {"nearest", fmt::format("{:.0f} m away on average from members, {:.0f} m from others",
                                           back.mean_distance_members, back.mean_distance_others)},
                   {"linkage", linked(told.linkage)},
                   {"verdict", verdict(told)}});
  }

  static std::string linked(const std::optional<traces::Linkage>& linkage) {
    if (!linkage)
      return "not asked: needs users in both private files, some of them in both, and as many synthetic "
             "trips as true";
    return fmt::format(
        "{} of {} trips given to the right one of {} users, {:.2f} %; by chance {:.2f} %, p {:.3f}",
        grouped(linkage->right), grouped(linkage->asked), grouped(linkage->users), 100 * linkage->share(),
        100 * linkage->chance, linkage->p_value);
  }

  std::string truth_, synthetic_, heldout_;
  FrameBlock frame_;
  release::ColumnFields columns_;
  double near_m_ = 100;
  std::uint64_t seed_ = 1;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> traces_attack() {
  return std::make_unique<TracesAttack>();
}

}  // namespace fogline::cli
