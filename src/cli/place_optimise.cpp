// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "io/numbers.hpp"
#include "io/output_file.hpp"
#include "place/mechanism.hpp"
#include "place/optimise.hpp"
#include "place/prior_file.hpp"
#include "release/place_fields.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;

class PlaceOptimise : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"place", "optimise"},
        "Choose the outputs of GEM so that it serves a public prior better",
        "The greedy algorithm of GEM's paper (Algorithm 2): first drops outputs as long as that lowers "
        "Q_loss, then as long as "
        "that raises PC = AE / Q_loss against an attacker who draws from the posterior, while Q_loss stays "
        "at most that of GEM "
        "with every vertex (or --most-q-loss). Writes the vertices kept, one a line, for --range of the "
        "other verbs.\n\n"
        "GEM keeps its guarantee with any range chosen from public things. So the prior must be PUBLIC: one "
        "counted from the "
        "records to be released would tell of them. Reads no private record and no ledger. Networks of at "
        "most 6,000 vertices.",
        {{"for a person who is equally likely to be anywhere",
          "fogline place optimise --network lattice:20x20:1500 --epsilon 0.01 -o range.csv"},
         {"for one who is mostly in two places",
          "printf 'vertex,probability\\n22,0.6\\n77,0.4\\n' > prior.csv && fogline place optimise --network "
          "lattice:10x10:1000 --epsilon 0.01 --prior prior.csv -o range.csv"}}};
  }

  void declare(OptionSet& options) override {
    network_.declare(options);
    options.group("Mechanism");
    epsilon_.declare(options);
    options.value("--prior", "FILE", prior_,
                  "how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike");
    options.value("--most-q-loss", "METRES", most_q_loss_m_,
                  "limit on Q_loss; otherwise that of GEM with every vertex");
    options.group("Output");
    options.value("-o,--output", "FILE", output_, "the vertices kept, one a line; - for standard output")
        .required();
    options.flag("--overwrite", overwrite_, "replace an existing file");
    options.flag("--json", json_, "print what was done as JSON");
  }

  int run(Session& session) override {
    place::OptimiseOptions options{
        .epsilon = epsilon_.value(), .threads = session.threads(), .progress = session.progress()};
    place::require_epsilon(options.epsilon);
    options.most_q_loss_m = limit();
    const roads::RoadNetwork map = network_.read(session);
    if (!prior_.empty()) options.prior = place::read_prior(prior_, map);
    io::OutputFile out(output_, {.overwrite = overwrite_});
    const place::OptimisedRange found = place::optimise_range(map, options);
    if (options.most_q_loss_m && found.after.q_loss_m > *options.most_q_loss_m * (1 + 1e-9))
      throw InvalidOption("most-q-loss",
                          "cannot be met here: the least Q_loss found is larger; run without it to see it");
    out.write(place::range_text(map, found.range));
    out.commit();
    const std::string report = json_ ? to_text(as_json(map, found)) : as_text(map, found);
    // With the range itself on standard output, the report goes where notes go.
    if (output_ == "-")
      session.note(report);
    else
      session.data(report);
    return 0;
  }

 private:
  std::optional<double> limit() const {
    if (most_q_loss_m_.empty()) return std::nullopt;
    const auto metres = io::parse_double(most_q_loss_m_);
    if (!metres || *metres < 0)
      throw InvalidOption("most-q-loss", "must be a number of metres, not negative");
    return metres;
  }

  static Json numbers(const place::DistanceMeasures& by) {
    return {{"q_loss_m", by.q_loss_m},
            {"ae_m", by.ae_m},
            {"pc", by.pc},
            {"tp", by.tp},
            {"ae_posterior_m", by.ae_posterior_m},
            {"pc_posterior", by.pc_posterior}};
  }

  std::string prior_name() const { return prior_.empty() ? "uniform" : prior_; }

  Json as_json(const roads::RoadNetwork& map, const place::OptimisedRange& found) const {
    Json json = {{"kind", "place"},
                 {"mechanism", "gem"},
                 {"epsilon", epsilon_.value().value().to_string()},
                 {"network", map.source},
                 {"vertices", map.vertex_count()},
                 {"prior", prior_name()},
                 {"output", output_},
                 {"range_vertices", found.range.size()},
                 {"range_vertices_after_q_loss", found.initial_vertices}};
    json.update(numbers(found.after));
    json["before"] = numbers(found.before);
    return json;
  }

  std::string as_text(const roads::RoadNetwork& map, const place::OptimisedRange& found) const {
    std::string text = fields(
        {{"network", release::size_of(map)},
         {"prior", prior_name()},
         {"kept", fmt::format("{} of {} vertices ({} after the stage on Q_loss)", grouped(found.range.size()),
                              grouped(map.vertex_count()), grouped(found.initial_vertices))},
         {"range", output_}});
    const auto row = [&](const char* name, double before, double after, int digits) {
      text += fmt::format("{:<30}{:>14.{}f}{:>14.{}f}\n", name, before, digits, after, digits);
    };
    text += fmt::format("{:<30}{:>14}{:>14}\n", "", "every vertex", "the range");
    row("Q_loss in metres", found.before.q_loss_m, found.after.q_loss_m, 1);
    row("PC, posterior attack", found.before.pc_posterior, found.after.pc_posterior, 4);
    row("PC, optimal attack", found.before.pc, found.after.pc, 4);
    row("AE in metres, optimal attack", found.before.ae_m, found.after.ae_m, 1);
    return text;
  }

  release::NetworkFields network_;
  release::EpsilonPerMetreField epsilon_;
  std::string prior_, most_q_loss_m_, output_;
  bool overwrite_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> place_optimise() {
  return std::make_unique<PlaceOptimise>();
}

}  // namespace fogline::cli
