// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "io/numbers.hpp"
#include "place/attacks.hpp"
#include "place/measures.hpp"
#include "place/repeated_attack.hpp"
#include "release/place_fields.hpp"

namespace fogline::cli {
namespace {

using Json = nlohmann::ordered_json;

/// "1,2,5" as numbers.
std::vector<std::uint64_t> counts_of(std::string_view text) {
  std::vector<std::uint64_t> counts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto count = io::parse_uint64(text.substr(begin, end - begin));
    if (!count)
      throw InvalidOption("reports", "must be ascending numbers from 1 to 100,000, such as 1,2,5,10");
    counts.push_back(*count);
    begin = end + 1;
  }
  return counts;
}

class PlaceAttack : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"place", "attack"},
        "Attack a place mechanism and say what the attackers learn",
        "Three kinds of attack, all by somebody who knows the mechanism, the network and the prior.\n\n"
        "One report: attackers who look at the prior only, who believe the output, who take the most likely "
        "vertex, who draw "
        "from the posterior, and the optimal one, who takes the vertex of least expected distance. Exact.\n\n"
        "Informed: somebody who knows beforehand that the truth lies within --informed-radius metres of road "
        "of some place, "
        "averaged over places drawn from the prior; with the largest change from prior to posterior and the "
        "bound on it, "
        "epsilon times the widest distance there. Exact.\n\n"
        "Repeated: the same person reports again and again from the same vertex. People are drawn from the "
        "prior and reports "
        "from the mechanism with a fixed public seed, --samples of them. No private record is read, and no "
        "ledger.",
        {{"GEM on the lattice of its paper",
          "fogline place attack --network lattice:20x20:1500 --mechanism gem --epsilon 0.01"},
         {"how ten reports sharpen what is known, as JSON",
          "fogline place attack --network lattice:9x9:800 --epsilon 0.01 --reports 1,10 --samples 500 "
          "--json"}}};
  }

  void declare(OptionSet& options) override {
    place_.declare(options);
    options.group("Attack");
    options.value("--metric", "METRIC", metric_, "how guesses are measured").choices({"road", "euclidean"});
    options.value("--informed-radius", "METRES", informed_radius_m_,
                  "what the informed attacker knows beforehand (200)");
    options.value("--reports", "LIST", reports_, "numbers of repeated reports (1,2,5,10,20,50)");
    options.value("--samples", "N", samples_, "people drawn for the repeated reports (1000)");
    options.group("Output");
    options.flag("--json", json_, "print JSON");
  }

  int run(Session& session) override {
    place_.epsilon.value();  // a bad epsilon is said before a large map is read
    const auto counts = counts_of(reports_);
    const roads::RoadNetwork map = place_.network.read(session);
    const place::MechanismChoice choice = place_.choice(map, place_.terms(), session);
    const auto mechanism = place::make_mechanism(map, choice);
    const Result result = attacked(map, *mechanism, choice, counts, session);
    session.data(json_ ? to_text(as_json(map, *mechanism, result)) : as_text(map, *mechanism, result));
    return 0;
  }

 private:
  struct Result {
    place::DistanceMeasures measures;
    std::vector<place::Attacker> attackers;
    place::InformedAttack informed;
    std::vector<place::AfterReports> repeated;
  };

  Result attacked(const roads::RoadNetwork& map, const place::VertexMechanism& mechanism,
                  const place::MechanismChoice& choice, const std::vector<std::uint64_t>& counts,
                  Session& session) const {
    const place::TableOptions tables{.threads = session.threads(), .progress = session.progress()};
    const std::vector<double> prior = place::prior_or_uniform(choice.prior, map.vertex_count());
    const kernel::Table likelihood = place::likelihood_table(mechanism, tables);
    const kernel::Table road = place::road_table_m(map.graph, tables);
    const kernel::Table straight = metric_ == "road" ? kernel::Table() : place::straight_table_m(map, tables);
    const kernel::Table& metres = metric_ == "road" ? road : straight;
    return {
        .measures = place::measure(prior, likelihood, metres, mechanism.range()),
        .attackers = place::attackers(prior, likelihood, metres, mechanism.range()),
        .informed = place::informed_attack(prior, likelihood, road, epsilon(mechanism),
                                           {.radius_m = informed_radius_m_, .progress = session.progress()}),
        .repeated = place::repeated_attack(mechanism, prior, likelihood, metres,
                                           {.reports = counts,
                                            .samples = samples_,
                                            .threads = session.threads(),
                                            .progress = session.progress()})};
  }

  static double epsilon(const place::VertexMechanism& mechanism) {
    return mechanism.guarantee().epsilon().to_double();
  }

  std::string prior_name() const { return place_.prior.empty() ? "uniform" : place_.prior; }

  static Json one_report_json(const std::vector<place::Attacker>& attackers) {
    Json rows = Json::array();
    for (const auto& attacker : attackers)
      rows.push_back({{"attacker", attacker.name}, {"error_m", attacker.error_m}, {"tp", attacker.tp}});
    return rows;
  }

  Json informed_json(const place::InformedAttack& informed) const {
    return {{"radius_m", informed_radius_m_},
            {"places", informed.centres},
            {"mean_vertices", informed.vertices},
            {"error_before_m", informed.error_before_m},
            {"error_m", informed.error_m},
            {"tp_before", informed.tp_before},
            {"tp", informed.tp},
            {"largest_log_ratio", informed.largest_ratio_log},
            {"bound", informed.bound_there},
            {"largest_share_of_bound", informed.largest_share_of_bound}};
  }

  Json repeated_json(const std::vector<place::AfterReports>& repeated) const {
    Json rows = Json::array();
    for (const auto& row : repeated) {
      rows.push_back({{"reports", row.reports},
                      {"epsilon_per_metre", row.epsilon_per_m},
                      {"error_m", row.error_m},
                      {"error_standard_error_m", row.error_standard_error_m},
                      {"tp", row.tp},
                      {"tp_standard_error", row.tp_standard_error},
                      {"entropy_bits", row.entropy_bits}});
    }
    return rows;
  }

  Json as_json(const roads::RoadNetwork& map, const place::VertexMechanism& mechanism,
               const Result& result) const {
    return {{"kind", "place"},
            {"mechanism", mechanism.name()},
            {"epsilon", mechanism.guarantee().epsilon().to_string()},
            {"network", map.source},
            {"vertices", map.vertex_count()},
            {"range_vertices", mechanism.range().size()},
            {"prior", prior_name()},
            {"remap", place_.remap},
            {"metric", metric_},
            {"q_loss_m", result.measures.q_loss_m},
            {"ae_m", result.measures.ae_m},
            {"pc", result.measures.pc},
            {"tp", result.measures.tp},
            {"one_report", one_report_json(result.attackers)},
            {"informed", informed_json(result.informed)},
            {"samples", samples_},
            {"repeated", repeated_json(result.repeated)}};
  }

  static std::string one_report_text(const std::vector<place::Attacker>& attackers) {
    std::string text = fmt::format("\nOne report\n{:<14}{:>12}{:>10}\n", "attacker", "error", "right");
    for (const auto& attacker : attackers)
      text +=
          fmt::format("{:<14}{:>10.1f} m{:>8.2f} %\n", attacker.name, attacker.error_m, 100 * attacker.tp);
    return text;
  }

  std::string informed_text(const place::InformedAttack& informed) const {
    return fmt::format(
               "\nInformed: knows the truth within {:g} m of a place, {:.1f} vertices on average, {} "
               "places\n",
               informed_radius_m_, informed.vertices, grouped(informed.centres)) +
           fields(
               {{"error", fmt::format("{:.1f} m with the report, {:.1f} m without", informed.error_m,
                                      informed.error_before_m)},
                {"right", fmt::format("{:.2f} % with the report, {:.2f} % without", 100 * informed.tp,
                                      100 * informed.tp_before)},
                {"largest change", fmt::format("e^{:.3f} from prior to posterior; bound there e^{:.3f}",
                                               informed.largest_ratio_log, informed.bound_there)},
                {"share of bound", fmt::format("{:.2f} % at most", 100 * informed.largest_share_of_bound)}});
  }

  std::string repeated_text(const std::vector<place::AfterReports>& repeated) const {
    std::string text = fmt::format(
        "\nRepeated reports from one vertex, {} people drawn with a public "
        "seed\n{:>8}{:>12}{:>18}{:>20}{:>14}\n",
        grouped(samples_), "reports", "epsilon/m", "error", "right", "entropy");
    for (const auto& row : repeated) {
      text += fmt::format("{:>8}{:>12.4g}{:>10.1f} +-{:>3.1f} m{:>11.2f} +-{:>4.2f} %{:>9.2f} bits\n",
                          row.reports, row.epsilon_per_m, row.error_m, row.error_standard_error_m,
                          100 * row.tp, 100 * row.tp_standard_error, row.entropy_bits);
    }
    return text;
  }

  std::string as_text(const roads::RoadNetwork& map, const place::VertexMechanism& mechanism,
                      const Result& result) const {
    return fields({{"network", fmt::format("{}: {} vertices, {} roads", map.source,
                                           grouped(map.vertex_count()), grouped(map.graph.edge_count()))},
                   {"mechanism", fmt::format("{}{}, epsilon {} per metre", mechanism.name(),
                                             place_.remap ? " with remap" : "",
                                             mechanism.guarantee().epsilon().to_string())},
                   {"range", fmt::format("{} of {} vertices", grouped(mechanism.range().size()),
                                         grouped(map.vertex_count()))},
                   {"prior", prior_name()},
                   {"distance", metric_}}) +
           one_report_text(result.attackers) + informed_text(result.informed) +
           repeated_text(result.repeated);
  }

  release::PlaceFields place_;
  std::string metric_ = "road";
  double informed_radius_m_ = 200;
  std::string reports_ = "1,2,5,10,20,50";
  std::uint64_t samples_ = 1000;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> place_attack() {
  return std::make_unique<PlaceAttack>();
}

}  // namespace fogline::cli
