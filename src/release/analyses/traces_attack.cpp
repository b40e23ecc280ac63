// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/compared_trips.hpp"
#include "release/kinds.hpp"
#include "traces/measures/attacks.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class TracesAttack : public Analysis {
 public:
  std::string kind() const override { return "traces"; }
  std::string verb() const override { return "attack"; }

  void declare(FieldTable& table) override {
    compared_.declare_files(table, "the private trips that were used: CSV, GeoJSON, GPX, .dat");
    table.group("Attack");
    table.value("heldout", "FILE", heldout_, "private trips that were not used")
        .required()
        .role(FieldRole::private_input);
    compared_.declare_area(table, "area to look at (that of the statement; without one, all trips)");
    table.value("near", "M", near_m_, "metres within which a trip is reconstructed (100)")
        .above("0", "")
        .unit("m");
    table.value("seed", "N", seed_, "of the halves and turns (1)");
    compared_.reading.columns.declare_order(table);
  }

  Findings run(Caller& caller) override {
    const ComparedTrips trips = compared_.read(caller, {heldout_});
    const traces::TraceAttacks told = traces::attack(trips.sets[0], trips.sets[1], trips.sets[2],
                                                     {.near_m = near_m_,
                                                      .seed = seed_,
                                                      .parallel = {.threads = caller.threads()},
                                                      .progress = caller.progress()});
    if (told.shared > 0)
      caller.warn(fmt::format("{}: {} trips are in {} too; left out of both", heldout_, grouped(told.shared),
                              compared_.truth));
    const traces::Reconstruction& back = told.reconstruction;
    const std::size_t synthetic = trips.sets[1].size();
    Findings found(as_json(told, synthetic));
    found.add(fmt::format("PRIVATE: {}", warning));
    found.add(Findings::Rows{{"members", grouped(told.members) + " trips that were used"},
                             {"others", grouped(told.others) + " trips that were not"},
                             {"synthetic", grouped(synthetic) + " trips"}});
    found.add(table_of(told));
    found.add(Findings::Rows{
        {"reconstructed", fmt::format("within {:g} m at all points: {} of members, {} of others", back.near_m,
                                      percent(back.members), percent(back.others))},
        {"nearest", fmt::format("{:.0f} m away on average from members, {:.0f} m from others",
                                back.mean_distance_members, back.mean_distance_others)},
        {"linkage", linked(told.linkage)},
        {"verdict", verdict(told)}});
    return found;
  }

 private:
  static constexpr auto warning = "made with private trips, for the curator alone; do not publish";

  static Json as_json(const traces::TraceAttacks& told, std::size_t synthetic) {
    const traces::Reconstruction& back = told.reconstruction;
    return {{"kind", "traces"},
            {"private", true},
            {"warning", warning},
            {"members", told.members},
            {"others", told.others},
            {"shared", told.shared},
            {"synthetic", synthetic},
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

  static Json as_json(const traces::Interval& interval) { return {interval.low, interval.high}; }

  static Json as_json(const traces::Separation& told) {
    return {{"auc", told.auc},
            {"auc_interval", as_json(told.auc_interval)},
            {"advantage", told.advantage},
            {"advantage_interval", as_json(told.advantage_interval)}};
  }

  static Json as_json(const traces::Share& share) {
    return {{"share", share.share}, {"interval", as_json(share.interval)}};
  }

  static Json as_json(const traces::Linkage& linkage) {
    return {{"asked", linkage.asked},    {"right", linkage.right},   {"share", linkage.share()},
            {"users", linkage.users},    {"chance", linkage.chance}, {"chance_high", linkage.chance_high},
            {"p_value", linkage.p_value}};
  }

  static Findings::Table table_of(const traces::TraceAttacks& told) {
    constexpr auto left = Findings::Align::left;
    const auto with_interval = [](double value, const traces::Interval& interval) {
      return fmt::format("{:>7.4f} ({:.4f} to {:.4f})", value, interval.low, interval.high);
    };
    const auto row = [&](const char* by, const traces::Separation& separation) {
      return std::vector<std::string>{by, with_interval(separation.auc, separation.auc_interval),
                                      with_interval(separation.advantage, separation.advantage_interval)};
    };
    return {{{"told by", 32, left}, {"    AUC (99 %)", 28, left}, {"advantage (99 %)", 0, left}},
            {row("nearest synthetic trip", told.nearest), row("the same, calibrated", told.calibrated)}};
  }

  static std::string percent(const traces::Share& share) {
    return fmt::format("{:.2f} % ({:.2f} to {:.2f})", 100 * share.share, 100 * share.interval.low,
                       100 * share.interval.high);
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

  static std::string verdict(const traces::TraceAttacks& told) {
    if (told.leaks())
      return "leaks, if others were drawn as the members were: these attacks tell the two apart more often "
             "than chance does";
    if (told.lopsided())
      return "none: held-out trips look more like members than the members do, so they were not drawn alike; "
             "hold out others";
    return "nothing found by these attacks; that proves nothing, only a guarantee does";
  }

  ComparedFields compared_;
  std::string heldout_;
  double near_m_ = 100;
  std::uint64_t seed_ = 1;
};

}  // namespace

std::unique_ptr<Analysis> traces_attack() {
  return std::make_unique<TracesAttack>();
}

}  // namespace fogline::release
