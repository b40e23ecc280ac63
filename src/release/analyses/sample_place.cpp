// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "random/key.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"

namespace fogline::release {
namespace {

class SamplePlace : public Analysis {
 public:
  std::string kind() const override { return "sample"; }
  std::string verb() const override { return "place"; }
  const WrittenFile* written() const override { return &file_; }

  void declare(FieldTable& table) override {
    network_.declare(table);
    table.group("Sample");
    table.value("count", "N", count_, "how many (100)").range("1", "100000000");
    table.value("seed", "N", seed_, "another sample for another number (1)");
    file_.declare(table, "CSV file; - for standard output");
  }

  Findings run(Caller& caller) override {
    const roads::RoadNetwork map = network_.read(caller);
    io::OutputFile out = file_.open();
    random::Stream choice = random::SeededKey(seed_).stream("sample place");
    out.write("user_id,lon,lat\n");
    for (std::uint64_t i = 1; i <= count_; ++i) {
      const geometry::LonLat& at = map.position[choice.below(map.vertex_count())];
      out.write(fmt::format("{},{:.7f},{:.7f}\n", i, at.lon, at.lat));
    }
    out.commit();
    Findings found(nlohmann::ordered_json{{"output", file_.output}, {"positions", count_}});
    if (!file_.is_standard_output())
      found.add(fmt::format("{} positions in {}", grouped(count_), file_.output));
    found.tells_of_file = true;
    return found;
  }

 private:
  NetworkFields network_;
  std::uint64_t count_ = 100;
  std::uint64_t seed_ = 1;
  WrittenFile file_;
};

}  // namespace

std::unique_ptr<Analysis> sample_place() {
  return std::make_unique<SamplePlace>();
}

}  // namespace fogline::release
