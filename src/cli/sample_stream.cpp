// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "io/points_write.hpp"
#include "mobility/sample_walks.hpp"
#include "roads/read_network.hpp"

namespace fogline::cli {
namespace {

class SampleStream : public Command {
 public:
  CommandInfo info() const override {
    return {{"sample", "stream"},
            "Make a walk to keep private, and a public history of walks to learn from",
            "Writes the positions of one walker, every three minutes, as CSV with t, lon and lat; and with "
            "--public the walks of other people in the same town, with traj_id, from which `stream learn` "
            "makes a model. People walk between favourite places by the shortest way and rest there. "
            "Invented data: the same seed makes the same files, and the walk does not depend on how many "
            "others there are.",
            {{"a walk of 100 steps and 200 others in the sample city",
              "fogline sample stream -o states.csv --public trips.csv"},
             {"a shorter one on a lattice, to the screen",
              "fogline sample stream --network lattice:20x20:3000 --steps 10 -o -"}}};
  }

  void declare(OptionSet& options) override {
    options.group("Sample");
    options.value("--network", "NETWORK", network_, "file or specification of the town (city:1)");
    options.value("--steps", "N", steps_, "positions of each walk (100)");
    options.value("--walkers", "N", walkers_, "walks of the public history (200)");
    options.value("--step-s", "S", interval_s_, "seconds between two positions (180)");
    options.value("--seed", "N", seed_, "another sample for another number (1)");
    options.group("Output");
    options.value("-o,--output", "FILE", output_, "CSV file of the walk; - for standard output").required();
    options.value("--public", "FILE", public_, "CSV file of the public history");
    options.flag("--overwrite", overwrite_, "replace existing files");
  }

  int run(Session& session) override {
    const auto network = roads::read_network(network_);
    const auto walks = mobility::make_sample_walks(network, {.seed = seed_,
                                                             .walkers = number("--walkers", walkers_),
                                                             .steps = number("--steps", steps_),
                                                             .interval_s = number("--step-s", interval_s_)});
    write(output_, walks.walker);
    if (!public_.empty()) write(public_, walks.history);
    if (output_ == "-") return 0;
    session.note(fmt::format("{} positions of one walker in {}", grouped(steps_), output_));
    if (!public_.empty())
      session.note(fmt::format("{} positions of {} others in {}", grouped(walks.history.size()),
                               grouped(walkers_), public_));
    return 0;
  }

 private:
  static std::uint32_t number(const char* option, std::uint64_t value) {
    if (value > 1'000'000) throw InvalidOption(option, "must be at most 1,000,000");
    return static_cast<std::uint32_t>(value);
  }

  void write(const std::string& file, const io::PointTable& points) const {
    io::OutputFile out(file, {.overwrite = overwrite_});
    io::write_points_csv(points, out);
    out.commit();
  }

  std::string network_ = "city:1", output_, public_;
  std::uint64_t seed_ = 1, walkers_ = 200, steps_ = 100, interval_s_ = 180;
  bool overwrite_ = false;
};

}  // namespace

std::unique_ptr<Command> sample_stream() {
  return std::make_unique<SampleStream>();
}

}  // namespace fogline::cli
