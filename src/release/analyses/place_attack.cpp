// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "io/csv.hpp"
#include "io/numbers.hpp"
#include "place/attacks.hpp"
#include "place/measures.hpp"
#include "place/repeated_attack.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/place_subject.hpp"
#include "release/kinds.hpp"
#include "release/place_fields.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

class PlaceAttack : public Analysis {
 public:
  std::string kind() const override { return "place"; }
  std::string verb() const override { return "attack"; }

  void declare(FieldTable& table) override {
    place_.takes_any_table = true;
    place_.declare(table);
    table.group("Attack");
    table.value("metric", "METRIC", metric_, "how guesses are measured").choices({"road", "euclidean"});
    table
        .value("informed-radius", "METRES", informed_radius_m_,
               "what the informed attacker knows beforehand (200)")
        .above("0", "10000000")
        .unit("m");
    table.value("reports", "LIST", reports_, "numbers of repeated reports (1,2,5,10,20,50)");
    table
        .value("answers", "FILE", answers_,
               "answers that were recorded, CSV with subject and vertex, to be added up as well")
        .role(FieldRole::public_input);
    table.value("samples", "N", samples_, "people drawn for the repeated reports (1000)")
        .range("10", "10000000");
  }

  Findings run(Caller& caller) override {
    place_.require();  // a bad field is said before a large map is read
    const auto counts = counts_of(reports_);
    const place::PlaceTerms terms = place_.terms(caller);
    const auto prepared = place_.prepare(terms, caller);
    const roads::RoadNetwork& map = prepared->map;
    const place::VertexMechanism* mechanism = prepared->mechanism->on_vertices();
    if (mechanism == nullptr)
      throw InvalidOption("mechanism", fmt::format("{} releases points of the plane, and vertices are needed "
                                                   "here; take plmg",
                                                   prepared->mechanism->name()));
    const auto answers = answers_.empty() ? Answers{} : read_answers(map);
    const Result result = attacked(map, *mechanism, prepared->choice, counts, answers, caller);

    const PlaceSubject subject{terms, map, *mechanism, verdict_on_table(terms, *mechanism, caller)};
    subject.warn(caller);
    Findings found(as_json(subject, result));
    Findings::Rows rows = subject.rows();
    rows.emplace_back("distance", metric_);
    found.add(std::move(rows));
    add_one_report(found, result.attackers);
    add_informed(found, result.informed);
    add_repeated(found, result.repeated,
                 fmt::format("Repeated reports from one vertex, {} people drawn with a public seed",
                             grouped(samples_)));
    if (!answers_.empty())
      add_repeated(found, result.recorded,
                   fmt::format("Recorded answers, each person's taken to be from one vertex: {}",
                               people_of(result.recorded)));
    return found;
  }

 private:
  struct Result {
    place::DistanceMeasures measures;
    std::vector<place::Attacker> attackers;
    place::InformedAttack informed;
    std::vector<place::AfterReports> repeated, recorded;
  };
  using Answers = std::vector<std::vector<graph::VertexId>>;

  /// Each subject's answers, in the order of the file.
  Answers read_answers(const roads::RoadNetwork& map) const {
    io::TextSource source = io::TextSource::from_file(answers_);
    io::CsvReader reader(source, {});
    constexpr std::array<std::string_view, 1> subject_name{"subject"}, vertex_name{"vertex"};
    const std::size_t subject = reader.require_column("the subject", subject_name, "subject,vertex");
    const std::size_t vertex = reader.require_column("the vertex", vertex_name, "subject,vertex");
    std::unordered_map<std::string, graph::VertexId> vertex_of;
    for (graph::VertexId v = 0; v < map.vertex_count(); ++v) vertex_of.emplace(roads::name_of(map, v), v);
    std::map<std::string, std::size_t> known;
    Answers answers;
    while (reader.next()) {
      const auto found = vertex_of.find(std::string(reader.trimmed(vertex)));
      if (found == vertex_of.end()) reader.fail(vertex, "is no vertex of the network");
      const auto [at, is_new] = known.emplace(reader.trimmed(subject), answers.size());
      if (is_new) answers.emplace_back();
      answers[at->second].push_back(found->second);
    }
    return answers;
  }

  /// "1,2,5" as numbers.
  static std::vector<std::uint64_t> counts_of(std::string_view text) {
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

  Result attacked(const roads::RoadNetwork& map, const place::VertexMechanism& mechanism,
                  const place::MechanismChoice& choice, const std::vector<std::uint64_t>& counts,
                  const Answers& answers, Caller& caller) const {
    const place::TableOptions tables{.threads = caller.threads(), .progress = caller.progress()};
    const std::vector<double> prior = place::prior_or_uniform(choice.prior, map.vertex_count());
    const kernel::Table likelihood = place::likelihood_table(mechanism, tables);
    const kernel::Table road = place::road_table_m(map.graph, tables);
    const kernel::Table straight = metric_ == "road" ? kernel::Table() : place::straight_table_m(map, tables);
    const kernel::Table& metres = metric_ == "road" ? road : straight;
    return {.measures = place::measure(prior, likelihood, metres, mechanism.range()),
            .attackers = place::attackers(prior, likelihood, metres, mechanism.range()),
            .informed =
                place::informed_attack(prior, likelihood, road, mechanism.guarantee().epsilon().to_double(),
                                       {.radius_m = informed_radius_m_, .progress = caller.progress()}),
            .repeated = place::repeated_attack(mechanism, prior, likelihood, metres,
                                               {.reports = counts,
                                                .samples = samples_,
                                                .threads = caller.threads(),
                                                .progress = caller.progress()}),
            .recorded = answers.empty()
                            ? std::vector<place::AfterReports>{}
                            : place::recorded_attack(mechanism, prior, likelihood, metres, answers,
                                                     {.reports = counts, .threads = caller.threads()})};
  }

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

  /// "40 people have 1, 12 have 5"
  static std::string people_of(const std::vector<place::AfterReports>& recorded) {
    std::string text;
    for (const auto& row : recorded)
      if (row.people > 0)
        text += fmt::format("{}{} {} {}", text.empty() ? "" : ", ", grouped(row.people),
                            text.empty() ? "people have" : "have", row.reports);
    return text;
  }

  static Json repeated_json(const std::vector<place::AfterReports>& repeated) {
    Json rows = Json::array();
    for (const auto& row : repeated) {
      rows.push_back({{"reports", row.reports},
                      {"people", row.people},
                      {"epsilon_per_metre", row.epsilon_per_m},
                      {"error_m", row.error_m},
                      {"error_standard_error_m", row.error_standard_error_m},
                      {"tp", row.tp},
                      {"tp_standard_error", row.tp_standard_error},
                      {"entropy_bits", row.entropy_bits}});
    }
    return rows;
  }

  Json as_json(const PlaceSubject& subject, const Result& result) const {
    Json json = subject.json();
    json["metric"] = metric_;
    json["q_loss_m"] = result.measures.q_loss_m;
    json["ae_m"] = result.measures.ae_m;
    json["pc"] = result.measures.pc;
    json["tp"] = result.measures.tp;
    json["one_report"] = one_report_json(result.attackers);
    json["informed"] = informed_json(result.informed);
    json["samples"] = samples_;
    json["repeated"] = repeated_json(result.repeated);
    if (!answers_.empty()) json["recorded"] = repeated_json(result.recorded);
    return json;
  }

  static void add_one_report(Findings& found, const std::vector<place::Attacker>& attackers) {
    Findings::Table table{{{"attacker", 14, Findings::Align::left}, {"error", 12}, {"right", 10}}, {}};
    for (const auto& attacker : attackers)
      table.rows.push_back({std::string(attacker.name), fmt::format("{:.1f} m", attacker.error_m),
                            fmt::format("{:.2f} %", 100 * attacker.tp)});
    found.add("");
    found.add("One report");
    found.add(std::move(table));
  }

  void add_informed(Findings& found, const place::InformedAttack& informed) const {
    found.add("");
    found.add(fmt::format(
        "Informed: knows the truth within {:g} m of a place, {:.1f} vertices on average, {} places",
        informed_radius_m_, informed.vertices, grouped(informed.centres)));
    found.add(Findings::Rows{
        {"error", fmt::format("{:.1f} m with the report, {:.1f} m without", informed.error_m,
                              informed.error_before_m)},
        {"right", fmt::format("{:.2f} % with the report, {:.2f} % without", 100 * informed.tp,
                              100 * informed.tp_before)},
        {"largest change", fmt::format("e^{:.3f} from prior to posterior; bound there e^{:.3f}",
                                       informed.largest_ratio_log, informed.bound_there)},
        {"share of bound", fmt::format("{:.2f} % at most", 100 * informed.largest_share_of_bound)}});
  }

  static void add_repeated(Findings& found, const std::vector<place::AfterReports>& repeated,
                           const std::string& heading) {
    Findings::Table table{{{"reports", 8}, {"epsilon/m", 12}, {"error", 18}, {"right", 20}, {"entropy", 14}},
                          {}};
    for (const auto& row : repeated) {
      if (row.people == 0) continue;  // nobody has so many answers
      table.rows.push_back({fmt::format("{}", row.reports), fmt::format("{:.4g}", row.epsilon_per_m),
                            fmt::format("{:.1f} +-{:.1f} m", row.error_m, row.error_standard_error_m),
                            fmt::format("{:.2f} +-{:.2f} %", 100 * row.tp, 100 * row.tp_standard_error),
                            fmt::format("{:.2f} bits", row.entropy_bits)});
    }
    found.add("");
    found.add(heading);
    found.add(std::move(table));
  }

  PlaceFields place_;
  std::string metric_ = "road";
  double informed_radius_m_ = 200;
  std::string reports_ = "1,2,5,10,20,50", answers_;
  std::uint64_t samples_ = 1000;
};

}  // namespace

std::unique_ptr<Analysis> place_attack() {
  return std::make_unique<PlaceAttack>();
}

}  // namespace fogline::release
