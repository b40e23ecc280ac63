// SPDX-License-Identifier: Apache-2.0
#include "audit/kinds/traces_audit.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/whole_releases.hpp"
#include "release/kinds.hpp"
#include "release/trace_rules.hpp"
#include "release/traces_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;
using traces::TripSet;

/// Trips as a custodian holds them.
ColumnSet columns_of(const TripSet& trips, const traces::Frame& frame) {
  const bool in_degrees = frame.unit() == traces::Frame::Unit::degrees;
  std::vector<std::int64_t> trip, user;
  std::vector<double> lon_or_x, lat_or_y;
  for (std::size_t i = 0; i < trips.size(); ++i) {
    for (const traces::PlanePoint& point : trips.trip(i)) {
      const geometry::LonLat at = frame.outward({point.x, point.y});
      trip.push_back(static_cast<std::int64_t>(i));
      if (!trips.user.empty()) user.push_back(trips.user[i]);
      lon_or_x.push_back(at.lon);
      lat_or_y.push_back(at.lat);
    }
  }
  ColumnSet columns;
  columns.hold("trip_id", std::move(trip));
  if (!trips.user.empty()) columns.hold("user_id", std::move(user));
  columns.hold(in_degrees ? "lon" : "x_m", std::move(lon_or_x));
  columns.hold(in_degrees ? "lat" : "y_m", std::move(lat_or_y));
  if (!trips.t.empty()) columns.hold("time", trips.t);
  return columns;
}

class TracesAuditing : public Analysis {
 public:
  std::string kind() const override { return "traces"; }
  std::string verb() const override { return "audit"; }

  void declare(FieldTable& table) override {
    traces_.declare(table);
    reading_.declare_plane(table);
    rules_.declare(table);
    table.group("Audit");
    table.value("runs", "N", options_.runs, "replays of each pair of neighbours (3)").range("1", "10000");
    table.value("noise-runs", "N", options_.noise_runs, "releases whose noise is looked at (10)")
        .range("1", "10000");
  }

  Findings run(Caller& caller) override {
    const traces::TraceTerms terms = traces_.terms(reading_.unit());
    options_.progress = caller.progress();
    if (traces_.trips_to_make > 0) options_.trips_to_make = traces_.trips_to_make;
    const audit::MakeTraceTextRun release = [&](const traces::TraceTerms& asked) {
      return [&, asked](const TripSet& trips, const random::Key& key) {
        const MakeRequest make = with_fields_of(*this, traces_release, [&](const FieldTable& fields) {
          hold(fields, "trips-to-make", options_.trips_to_make);
          hold(fields, "trips", asked.trips.value_or(0));
          hold(fields, "anyway", true);
        });
        return whole_release(make, columns_of(trips, asked.frame), caller)(key);
      };
    };
    const audit::TracesAudit audit = audit::audit_traces(terms, release, options_);
    Findings found(as_json(terms, audit));
    found.add(rows(terms, audit));
    found.add(audit.sentence);
    found.passed = audit.passed;
    return found;
  }

 private:
  static Findings::Rows rows(const traces::TraceTerms& terms, const audit::TracesAudit& audit) {
    Findings::Rows rows{
        {"claim", to_string(terms.guarantee())},
        {"declared", fmt::format("{:.6f} of epsilon, by {} counts together", audit.declared, audit.meetings)},
        {"noise", fmt::format("{} draws (public seed {}): {}; chi-square {:+.2f} deviations at most",
                              grouped(audit.noise.draws), audit::TracesAuditOptions::public_seed,
                              audit.noise.fits ? "as they should be" : "not as they should be",
                              audit.noise.largest_deviations)}};
    for (const audit::TracesAudit::Trial& trial : audit.trials)
      rows.emplace_back(
          "replayed",
          fmt::format("{}: {}", trial.words,
                      trial.finding.broken ? trial.finding.reason
                                           : fmt::format("costs {:.4f}", trial.finding.largest_loss)));
    return rows;
  }

  static Json as_json(const traces::TraceTerms& terms, const audit::TracesAudit& audit) {
    const auto guarantee = terms.guarantee();
    Json replays = Json::array();
    for (const audit::TracesAudit::Trial& trial : audit.trials)
      replays.push_back({{"neighbours", trial.words},
                         {"broken", trial.finding.broken},
                         {"reason", trial.finding.reason},
                         {"largest_loss", trial.finding.largest_loss},
                         {"runs", trial.finding.runs}});
    return {{"kind", "traces"},
            {"mechanism", traces::synthesis_name},
            {"form", "sound"},
            {"notion", to_string(guarantee.notion())},
            {"unit", guarantee.unit()},
            {"epsilon", guarantee.epsilon().to_string()},
            {"passed", audit.passed},
            {"declared_epsilon", audit.declared},
            {"counts", audit.meetings},
            {"noise",
             {{"fits", audit.noise.fits},
              {"draws", audit.noise.draws},
              {"chi_square_deviations", audit.noise.largest_deviations},
              {"public_seed", audit::TracesAuditOptions::public_seed}}},
            {"replays", replays},
            {"verdict", audit.sentence}};
  }

  TracesFields traces_;
  TripReading reading_;
  TraceRuleFields rules_;
  audit::TracesAuditOptions options_;
};

}  // namespace

std::unique_ptr<Analysis> traces_audit() {
  return std::make_unique<TracesAuditing>();
}

}  // namespace fogline::release
