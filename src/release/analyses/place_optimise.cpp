// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "base/rational.hpp"
#include "place/mechanism.hpp"
#include "place/optimise.hpp"
#include "place/prior_file.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "release/place_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class PlaceOptimise : public Analysis {
 public:
  std::string kind() const override { return "place"; }
  std::string verb() const override { return "optimise"; }
  const WrittenFile* written() const override { return &file_; }

  void declare(FieldTable& table) override {
    network_.declare(table);
    spacing_.declare(table);
    table.group("Mechanism");
    epsilon_.declare(table);
    table
        .value("prior", "FILE", prior_,
               "how likely each vertex is, vertex,probability; PUBLIC; otherwise all alike")
        .role(FieldRole::public_input);
    table
        .value("most-q-loss", "METRES", most_q_loss_m_,
               "limit on Q_loss; otherwise that of GEM with every vertex")
        .range("0", "1000000000")
        .unit("m");
    file_.declare(table, "the vertices kept, one a line; - for standard output");
  }

  Findings run(Caller& caller) override {
    place::OptimiseOptions options{
        .epsilon = epsilon_.value(), .threads = caller.threads(), .progress = caller.progress()};
    place::require_epsilon(options.epsilon);
    if (!most_q_loss_m_.empty()) options.most_q_loss_m = Rational::parse(most_q_loss_m_)->to_double();
    const roads::RoadNetwork map =
        network_.read(caller, spacing_.value_mm({.network = network_.network, .epsilon = options.epsilon}));
    if (!prior_.empty()) options.prior = place::read_prior(prior_, map);
    io::OutputFile out = file_.open();
    const place::OptimisedRange range = place::optimise_range(map, options);
    // A sum in another order may be off in its last digits.
    constexpr double rounding = 1 + 1e-9;
    if (options.most_q_loss_m && range.after.q_loss_m > *options.most_q_loss_m * rounding)
      throw InvalidOption("most-q-loss",
                          "cannot be met here: the least Q_loss found is larger; run without it to see it");
    out.write(place::range_text(map, range.range));
    out.commit();
    Findings found(as_json(map, range));
    found.add(rows(map, range));
    found.add(table_of(range));
    return found;
  }

 private:
  static Json numbers(const place::DistanceMeasures& by) {
    return {{"q_loss_m", by.q_loss_m},
            {"ae_m", by.ae_m},
            {"pc", by.pc},
            {"tp", by.tp},
            {"ae_posterior_m", by.ae_posterior_m},
            {"pc_posterior", by.pc_posterior}};
  }

  std::string prior_name() const { return prior_.empty() ? "uniform" : prior_; }

  Json as_json(const roads::RoadNetwork& map, const place::OptimisedRange& range) const {
    Json json = {{"kind", "place"},
                 {"mechanism", "gem"},
                 {"epsilon", epsilon_.value().value().to_string()},
                 {"network", map.source},
                 {"vertices", map.vertex_count()},
                 {"prior", prior_name()},
                 {"output", file_.output},
                 {"range_vertices", range.range.size()},
                 {"range_vertices_after_q_loss", range.initial_vertices}};
    json.update(numbers(range.after));
    json["before"] = numbers(range.before);
    return json;
  }

  Findings::Rows rows(const roads::RoadNetwork& map, const place::OptimisedRange& range) const {
    return {
        {"network", size_of(map)},
        {"prior", prior_name()},
        {"kept", fmt::format("{} of {} vertices ({} after the stage on Q_loss)", grouped(range.range.size()),
                             grouped(map.vertex_count()), grouped(range.initial_vertices))},
        {"range", file_.output}};
  }

  static Findings::Table table_of(const place::OptimisedRange& range) {
    const auto row = [](const char* name, double before, double after, int digits) {
      return std::vector<std::string>{name, fmt::format("{:.{}f}", before, digits),
                                      fmt::format("{:.{}f}", after, digits)};
    };
    const place::DistanceMeasures &before = range.before, &after = range.after;
    return {{{"", 30, Findings::Align::left}, {"every vertex", 14}, {"the range", 14}},
            {row("Q_loss in metres", before.q_loss_m, after.q_loss_m, 1),
             row("PC, posterior attack", before.pc_posterior, after.pc_posterior, 4),
             row("PC, optimal attack", before.pc, after.pc, 4),
             row("AE in metres, optimal attack", before.ae_m, after.ae_m, 1)}};
  }

  NetworkFields network_;
  SpacingField spacing_;
  EpsilonPerMetreField epsilon_;
  std::string prior_, most_q_loss_m_;
  WrittenFile file_;
};

}  // namespace

std::unique_ptr<Analysis> place_optimise() {
  return std::make_unique<PlaceOptimise>();
}

}  // namespace fogline::release
