// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/grouped.hpp"
#include "io/points_write.hpp"
#include "mobility/sample_walks.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "roads/read_network.hpp"

namespace fogline::release {
namespace {

class SampleStream : public Analysis {
 public:
  std::string kind() const override { return "sample"; }
  std::string verb() const override { return "stream"; }
  const WrittenFile* written() const override { return &file_; }

  void declare(FieldTable& table) override {
    table.group("Sample");
    table.value("network", "NETWORK", network_, "file or specification of the town (city:1)")
        .role(FieldRole::public_input);
    table.value("steps", "N", steps_, "positions of each walk (100)").range("2", "1000000");
    table.value("walkers", "N", walkers_, "walks of the public history (200)").range("1", "1000000");
    table.value("step-s", "S", interval_s_, "seconds between two positions (180)")
        .range("1", "86400")
        .unit("s");
    table.value("seed", "N", seed_, "another sample for another number (1)");
    table.group("Output");
    table.value("output", "FILE", file_.output, "CSV file of the walk; - for standard output")
        .letter('o')
        .role(FieldRole::output)
        .required();
    table.value("public", "FILE", public_, "CSV file of the public history").role(FieldRole::output);
    table.flag("overwrite", file_.overwrite, "replace existing files");
  }

  Findings run(Caller&) override {
    const auto network = roads::read_network(network_);
    const auto walks =
        mobility::make_sample_walks(network, {.seed = seed_,
                                              .walkers = static_cast<std::uint32_t>(walkers_),
                                              .steps = static_cast<std::uint32_t>(steps_),
                                              .interval_s = static_cast<std::uint32_t>(interval_s_)});
    write(file_.output, walks.walker);
    if (!public_.empty()) write(public_, walks.history);
    return found(walks.history.size());
  }

 private:
  void write(const std::string& file, const io::PointTable& points) const {
    io::OutputFile out(file, {.overwrite = file_.overwrite});
    io::write_points_csv(points, out);
    out.commit();
  }

  Findings found(std::size_t of_others) const {
    nlohmann::ordered_json json{{"output", file_.output}, {"positions", steps_}};
    if (!public_.empty())
      json.update({{"public", public_}, {"public_positions", of_others}, {"walkers", walkers_}});
    Findings found(std::move(json));
    found.tells_of_file = true;
    if (file_.is_standard_output()) return found;
    found.add(fmt::format("{} positions of one walker in {}", grouped(steps_), file_.output));
    if (!public_.empty())
      found.add(
          fmt::format("{} positions of {} others in {}", grouped(of_others), grouped(walkers_), public_));
    return found;
  }

  std::string network_ = "city:1", public_;
  std::uint64_t seed_ = 1, walkers_ = 200, steps_ = 100, interval_s_ = 180;
  WrittenFile file_;
};

}  // namespace

std::unique_ptr<Analysis> sample_stream() {
  return std::make_unique<SampleStream>();
}

}  // namespace fogline::release
