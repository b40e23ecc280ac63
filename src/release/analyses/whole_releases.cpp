// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/whole_releases.hpp"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "release/analyses/scratch_folder.hpp"
#include "release/kinds.hpp"
#include "release/quiet_caller.hpp"

namespace fogline::release {

using Json = nlohmann::ordered_json;

MakeRequest with_fields_of(Analysis& audit, std::unique_ptr<Release> (*make)(),
                           std::function<void(const FieldTable&)> change) {
  return [&audit, make, change = std::move(change)] {
    auto request = make();
    FieldTable own, of_release;
    declare_all(audit, own);
    declare_all(*request, of_release);
    copy_fields(own, of_release);
    if (change) change(of_release);
    return request;
  };
}

MakeRequest with_fields(const MakeRequest& make, const Json& fields) {
  return [make, fields] {
    auto request = make();
    FieldTable table;
    request->declare(table);
    set_fields(table, fields, {"input", "output"});
    return request;
  };
}

ColumnSet positions_at(const roads::RoadNetwork& map, const std::vector<graph::VertexId>& vertices) {
  std::vector<double> lon, lat;
  for (const graph::VertexId vertex : vertices) {
    lon.push_back(map.position[vertex].lon);
    lat.push_back(map.position[vertex].lat);
  }
  return ColumnSet().hold("lon", std::move(lon)).hold("lat", std::move(lat));
}

ColumnSet triangle_of(std::vector<double> weights) {
  return ColumnSet()
      .hold("source", std::vector<std::string>{"a", "b", "c"})
      .hold("target", std::vector<std::string>{"b", "c", "a"})
      .hold("weight", std::move(weights));
}

audit::TextRun whole_release(MakeRequest make, ColumnSet records, Caller& caller) {
  return [make = std::move(make), records = std::move(records), &caller](const random::Key& key) {
    const auto request = make();
    request->from.columns = records;
    QuietCaller one_thread(caller, 1);  // streams are heard in the order in which they are opened
    return draw_for_audit(*request, key, one_thread);
  };
}

MakeWhole whole_for_figures(Caller& caller) {
  return [&caller](const WholeRequest& wanted) -> DrawWhole {
    const auto folder = std::make_shared<ScratchFolder>(caller.temporary_folder());
    Json fields = wanted.fields;
    for (const auto& [field, name, text] : wanted.files) fields[field] = folder->write(name, text);
    const MakeRequest make = [kind = std::string(wanted.kind), verb = std::string(wanted.verb)] {
      return make_release(kind, verb);
    };
    return [make = with_fields(make, fields), folder, records = wanted.records, first = wanted.first_record,
            &caller](const random::Key& key) {
      const auto request = make();
      request->from.columns = records;
      request->first_record = first;
      QuietCaller quiet(caller);
      return output_for_figure(*request, key, quiet);
    };
  };
}

std::string ReplayedReleases::row() const {
  if (!finding) return fmt::format("not replayed: {}", why_not);
  if (finding->broken) return finding->reason;
  return fmt::format("{} whole ones replayed, {}: told apart by {:.4f} at most, {:.4f} is allowed",
                     finding->runs, words, finding->largest_loss, finding->claimed_loss);
}

std::string ReplayedReleases::accusation() const {
  return broken() ? fmt::format("The promise is broken, with {}: {}.", words, finding->reason) : "";
}

Json ReplayedReleases::json() const {
  if (!finding) return {{"replayed", false}, {"why_not", why_not}};
  return {{"replayed", true},
          {"neighbours", words},
          {"broken", finding->broken},
          {"reason", finding->reason},
          {"largest_loss", finding->largest_loss},
          {"runs", finding->runs}};
}

namespace {

/// What a run is refused with; empty if it is not.
std::string refusal_of(const audit::TextRun& run, const random::Key& key) try {
  run(key);
  return "";
} catch (const Cancelled&) {
  throw;
} catch (const Error& error) {
  return error.what();
}

}  // namespace

ReplayedReleases replay_releases(const audit::ReplayCase& pair, std::uint64_t meetings) {
  constexpr std::uint64_t public_seed = 1, runs = 3;
  ReplayedReleases replayed{.words = pair.words};
  // A release that is refused whatever the records hold shows nothing; one that is refused for one of them is for the replay to accuse.
  const std::string refused = refusal_of(pair.first, random::SeededKey(public_seed));
  if (!refused.empty() && refused == refusal_of(pair.second, random::SeededKey(public_seed))) {
    replayed.why_not = fmt::format("a release of invented records is refused: {}", refused);
    return replayed;
  }
  replayed.finding = audit::replay(pair, {.key = random::SeededKey(public_seed), .runs = runs});
  audit::ReplayFinding& found = *replayed.finding;
  if (!found.broken && (meetings > 0 ? found.meetings != meetings : found.meetings == 0)) {
    found.broken = true;
    found.reason = fmt::format("a release met noise {} times, and not {}", found.meetings,
                               meetings > 0 ? fmt::format("{} times", meetings) : "at all");
  }
  return replayed;
}

}  // namespace fogline::release
