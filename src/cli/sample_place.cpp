// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "random/key.hpp"

namespace fogline::cli {
namespace {

class SamplePlace : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"sample", "place"},
        "Make positions on a network, to try releases on",
        "Writes positions at vertices chosen evenly from the network, as CSV with user_id, lon and lat. "
        "Invented data: the same seed makes "
        "the same file.",
        {{"100 positions on a lattice", "fogline sample place --network lattice:20x20:1500 -o points.csv"},
         {"10 in the sample city, to the screen", "fogline sample place --network city:1 --count 10 -o -"}}};
  }

  void declare(OptionSet& options) override {
    network_.declare(options);
    options.group("Sample");
    options.value("--count", "N", count_, "how many (100)");
    options.value("--seed", "N", seed_, "another sample for another number (1)");
    options.group("Output");
    options.value("-o,--output", "FILE", output_, "CSV file; - for standard output").required();
    options.flag("--overwrite", overwrite_, "replace an existing file");
  }

  int run(Session& session) override {
    if (count_ < 1 || count_ > 100'000'000)
      throw InvalidOption("count", "must lie between 1 and 100,000,000");
    const roads::RoadNetwork map = network_.read(session);
    io::OutputFile out(output_, {.overwrite = overwrite_});
    random::Stream choice = random::SeededKey(seed_).stream("sample place");
    out.write("user_id,lon,lat\n");
    for (std::uint64_t i = 1; i <= count_; ++i) {
      const geometry::LonLat& at = map.position[choice.below(map.vertex_count())];
      out.write(fmt::format("{},{:.7f},{:.7f}\n", i, at.lon, at.lat));
    }
    out.commit();
    if (output_ != "-") session.note(fmt::format("{} positions in {}", grouped(count_), output_));
    return 0;
  }

 private:
  release::NetworkFields network_;
  std::uint64_t count_ = 100;
  std::uint64_t seed_ = 1;
  std::string output_;
  bool overwrite_ = false;
};

}  // namespace

std::unique_ptr<Command> sample_place() {
  return std::make_unique<SamplePlace>();
}

}  // namespace fogline::cli
