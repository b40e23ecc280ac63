// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "io/points_write.hpp"
#include "mobility/sample_day.hpp"
#include "roads/city.hpp"

namespace fogline::cli {
namespace {

class SampleTraces : public Command {
 public:
  CommandInfo info() const override {
    return {{"sample", "traces"},
            "Make a day of car trips in the sample city, to try releases on",
            "Writes the trips of a day as CSV with traj_id, user_id, t, lon and lat: a point every 15 "
            "seconds. People drive to work and home, to shops and out in the evening; they take the quickest "
            "way and respect one-way streets. They are the trips.csv of `fogline sample city`, without the "
            "city: its roads are city:SEED, wherever a network is asked for. Invented data: the same seed "
            "makes the same file.",
            {{"the trips of 2,000 people", "fogline sample traces -o trips.csv"},
             {"of 20, to the screen", "fogline sample traces --people 20 -o -"}}};
  }

  void declare(OptionSet& options) override {
    options.group("Sample");
    options.value("--people", "N", people_, "people who drive that day (2000)");
    options.value("--interval", "S", interval_s_, "seconds between the points of a trip (15)");
    options.value("--seed", "N", seed_, "another city and day for another number (1)");
    options.group("Output");
    options.value("-o,--output", "FILE", output_, "CSV file; - for standard output").required();
    options.flag("--overwrite", overwrite_, "replace an existing file");
  }

  int run(Session& session) override {
    if (people_ < 1 || people_ > 1'000'000) throw InvalidOption("people", "must lie between 1 and 1,000,000");
    if (interval_s_ < 1 || interval_s_ > 3600)
      throw InvalidOption("interval", "must lie between 1 and 3,600");
    io::OutputFile out(output_, {.overwrite = overwrite_});
    const auto day = mobility::make_sample_day(roads::make_city(seed_),
                                               {.seed = seed_,
                                                .users = static_cast<std::uint32_t>(people_),
                                                .interval_s = static_cast<std::uint32_t>(interval_s_),
                                                .parallel = {.threads = session.threads()}});
    io::write_points_csv(day.points, out);
    out.commit();
    if (output_ != "-")
      session.note(fmt::format("{} trips of {} people, {} points in {}",
                               grouped(day.points.traj_names.size()), grouped(people_),
                               grouped(day.points.size()), output_));
    return 0;
  }

 private:
  std::uint64_t people_ = 2000, interval_s_ = 15, seed_ = 1;
  std::string output_;
  bool overwrite_ = false;
};

}  // namespace

std::unique_ptr<Command> sample_traces() {
  return std::make_unique<SampleTraces>();
}

}  // namespace fogline::cli
