// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "io/points_write.hpp"
#include "mobility/sample_day.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "roads/city.hpp"

namespace fogline::release {
namespace {

class SampleTraces : public Analysis {
 public:
  std::string kind() const override { return "sample"; }
  std::string verb() const override { return "traces"; }
  const WrittenFile* written() const override { return &file_; }

  void declare(FieldTable& table) override {
    table.group("Sample");
    table.value("people", "N", people_, "people who drive that day (2000)").range("1", "1000000");
    table.value("interval", "S", interval_s_, "seconds between the points of a trip (15)")
        .range("1", "3600")
        .unit("s");
    table.value("seed", "N", seed_, "another city and day for another number (1)");
    file_.declare(table, "CSV file; - for standard output");
  }

  Findings run(Caller& caller) override {
    io::OutputFile out = file_.open();
    const auto day = mobility::make_sample_day(roads::make_city(seed_),
                                               {.seed = seed_,
                                                .users = static_cast<std::uint32_t>(people_),
                                                .interval_s = static_cast<std::uint32_t>(interval_s_),
                                                .parallel = {.threads = caller.threads()}});
    io::write_points_csv(day.points, out);
    out.commit();
    return found(day.points.traj_names.size(), day.points.size());
  }

 private:
  Findings found(std::size_t trips, std::size_t points) const {
    Findings found(nlohmann::ordered_json{
        {"output", file_.output}, {"trips", trips}, {"people", people_}, {"points", points}});
    if (!file_.is_standard_output())
      found.add(fmt::format("{} trips of {} people, {} points in {}", grouped(trips), grouped(people_),
                            grouped(points), file_.output));
    found.tells_of_file = true;
    return found;
  }

  std::uint64_t people_ = 2000, interval_s_ = 15, seed_ = 1;
  WrittenFile file_;
};

}  // namespace

std::unique_ptr<Analysis> sample_traces() {
  return std::make_unique<SampleTraces>();
}

}  // namespace fogline::release
