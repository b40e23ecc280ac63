// SPDX-License-Identifier: Apache-2.0
#include "place/planar.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/int128.hpp"
#include "base/parallel.hpp"
#include "geometry/bounding_box.hpp"
#include "privacy/mechanism.hpp"

namespace fogline::place {
namespace {

static_assert(privacy::Mechanism<Plm>);
static_assert(privacy::WeightedMechanism<Plmg>);

constexpr double um_per_m = 1e6;
constexpr double edge_of_plane_m = 2e7;  // half round the Earth: points beyond it are moved to its rim

std::vector<random::GridPoint> on_grid(const roads::RoadNetwork& map,
                                       const geometry::LocalProjection& plane) {
  std::vector<random::GridPoint> grid;
  grid.reserve(map.vertex_count());
  for (const geometry::PointXY& point : plane.forward(map.position))
    grid.push_back({std::llround(point.x_m * um_per_m), std::llround(point.y_m * um_per_m)});
  return grid;
}

/// Whether a road's ends lie farther apart for its length than another's, compared in integers.
bool exceeds(const Stretch& a, const Stretch& b) {
  return static_cast<Uint128>(a.apart_um) * b.length_um > static_cast<Uint128>(b.apart_um) * a.length_um;
}

Stretch stretch_of(const graph::Edge& road, std::span<const random::GridPoint> place) {
  return {.apart_um = random::ceil_distance(place[road.tail], place[road.head]),
          .length_um = std::uint64_t{road.length_mm} * 1000,
          .tail = road.tail,
          .head = road.head};
}

Stretch worst_stretch(const graph::Graph& graph, std::span<const random::GridPoint> place) {
  // Without a road there is nothing to tell apart. Roads of length 0 on the plane alone would need no noise; they get that of stretch 1.
  Stretch worst{.apart_um = 0};
  for (const graph::Edge& road : graph.edges()) {
    const Stretch next = stretch_of(road, place);
    if (exceeds(next, worst)) worst = next;
  }
  return worst.apart_um == 0 ? Stretch{} : worst;
}

/// stretch / epsilon in micrometres, rounded up: the noise is at least as wide as it must be.
std::uint64_t efolding_um(const privacy::EpsilonPerMetre& epsilon, const Stretch& stretch) {
  const Rational per_um = epsilon.value() / 1'000'000;
  const Uint128 over = static_cast<Uint128>(stretch.apart_um) * per_um.denominator();
  const Uint128 under = static_cast<Uint128>(stretch.length_um) * per_um.numerator();
  const Uint128 rounded_up = over / under + (over % under == 0 ? 0 : 1);
  if (rounded_up > (Uint128{1} << 40)) {
    throw InvalidOption(
        "epsilon",
        fmt::format("is too small for this network: the ends of a road of {:.3f} m lie {:.3f} m apart",
                    static_cast<double>(stretch.length_um) / um_per_m,
                    static_cast<double>(stretch.apart_um) / um_per_m));
  }
  return static_cast<std::uint64_t>(std::max(rounded_up, Uint128{1}));
}

std::vector<graph::VertexId> checked_range(const roads::RoadNetwork& map,
                                           const std::vector<graph::VertexId>& range) {
  if (range.empty()) {
    std::vector<graph::VertexId> all(map.vertex_count());
    std::iota(all.begin(), all.end(), graph::VertexId{0});
    return all;
  }
  std::vector<graph::VertexId> sorted = range;
  std::sort(sorted.begin(), sorted.end());
  if (sorted.back() >= map.vertex_count())
    throw InvalidOption("range", fmt::format("vertex {} is not on the network, whose vertices are 0 to {}",
                                             sorted.back(), map.vertex_count() - 1));
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) throw InvalidOption("range", fmt::format("vertex {} stands twice", *twice));
  return range;
}

const Plm::Options& checked(const roads::RoadNetwork& map, const Plm::Options& options) {
  require_epsilon(options.epsilon);
  if (map.vertex_count() == 0) throw InvalidOption("network", "has no vertex");
  return options;
}

class NearestSampler : public VertexMechanism::Sampler {
 public:
  NearestSampler(const Plm& plm, const geometry::NearestIndex& index, std::span<const graph::VertexId> range)
      : plm_(plm), index_(index), range_(range) {}
  graph::VertexId draw(graph::VertexId truth, random::Stream& noise) override {
    return range_[index_.nearest(plm_.release_on_plane(truth, noise)).vertex];
  }

 private:
  const Plm& plm_;
  const geometry::NearestIndex& index_;
  std::span<const graph::VertexId> range_;
};

}  // namespace

Plm::Plm(const roads::RoadNetwork& map, const Options& options)
    : PlaceMechanism(map.graph),
      map_(&map),
      epsilon_(checked(map, options).epsilon),
      unit_(options.unit),
      plane_(geometry::bounding_box(map.position).centre()),
      place_(on_grid(map, plane_)),
      stretch_(worst_stretch(map.graph, place_)),
      efolding_um_(efolding_um(epsilon_, stretch_)),
      noise_(Rational(1, efolding_um_)) {}

privacy::Guarantee Plm::guarantee() const {
  return privacy::Guarantee::metric(epsilon_, unit_, privacy::Exactness::exact);
}

geometry::PointXY Plm::position(graph::VertexId vertex) const {
  check_vertex(vertex);
  return {static_cast<double>(place_[vertex].x) / um_per_m, static_cast<double>(place_[vertex].y) / um_per_m};
}

geometry::PointXY Plm::release_on_plane(graph::VertexId truth, random::Stream& noise) const {
  check_vertex(truth);
  const random::GridPoint shift = noise_(noise);
  const geometry::PointXY said{static_cast<double>(place_[truth].x + shift.x) / um_per_m,
                               static_cast<double>(place_[truth].y + shift.y) / um_per_m};
  const double from_centre = std::hypot(said.x_m, said.y_m);
  if (from_centre <= edge_of_plane_m) return said;
  return {said.x_m * (edge_of_plane_m / from_centre), said.y_m * (edge_of_plane_m / from_centre)};
}

geometry::LonLat Plm::release(const Input& truth, random::Stream& noise) const {
  return plane_.inverse(release_on_plane(truth, noise));
}

void Plm::release(std::span<const Input> truth, const random::Key& key, const BulkOptions& options,
                  std::span<Output> output) const {
  check_bulk(truth, output.size());
  ProgressMeter meter(options.progress, "releasing", truth.size());
  const random::StreamFamily streams = key.streams("place");
  parallel_for(truth.size(), {.threads = options.threads, .grain = 256},
               [&](std::size_t begin, std::size_t end) {
                 for (std::size_t i = begin; i < end; ++i) {
                   random::Stream noise = streams.stream(options.first_record + i);
                   output[i] = release(truth[i], noise);
                   meter.advance();
                 }
               });
  meter.finish();
}

SafePlaces Plm::release_all(std::span<const Input> truth, const random::Key& key,
                            const BulkOptions& options) const {
  std::vector<Output> safe(truth.size());
  release(truth, key, options, safe);
  return safe;
}

nlohmann::ordered_json Plm::parameters() const {
  return {{"stretch", std::round(stretch_.value() * 1e6) / 1e6}};
}

ExpectedError Plm::expected_error(const ErrorOptions& /*options*/) const {
  return {.q_loss_m = expected_error_m(), .vertices_used = place_.size(), .straight = true};
}

std::vector<std::string> Plm::remarks() const {
  return {fmt::format(
      "the noise is {:.4f} times as wide as epsilon alone asks: the ends of the worst road, {:.3f} m long, "
      "from vertex {} to {}, lie {:.3f} m apart on the plane",
      stretch_.value(), static_cast<double>(stretch_.length_um) / um_per_m, name_of(*map_, stretch_.tail),
      name_of(*map_, stretch_.head), static_cast<double>(stretch_.apart_um) / um_per_m)};
}

RuleCertificate Plm::certify_rule(const RuleOptions& /*options*/) const {
  const std::vector<graph::Edge> roads = map_->graph.edges();
  const Rational per_um = epsilon_.value() / 1'000'000;
  RuleCertificate certificate{.available = true, .holds = true};
  for (const graph::Edge& road : roads) {
    const Stretch found = stretch_of(road, place_);
    // apart / efolding <= epsilon * length, without division.
    const Uint128 loss = static_cast<Uint128>(found.apart_um) * per_um.denominator();
    const Uint128 allowed = static_cast<Uint128>(found.length_um) * efolding_um_;
    if (loss / per_um.numerator() + (loss % per_um.numerator() == 0 ? 0 : 1) > allowed)
      certificate.holds = false;
    const auto loss_per_m =
        static_cast<double>(static_cast<long double>(found.apart_um) / found.length_um * 1e6L / efolding_um_);
    certificate.loss_high_per_metre =
        std::max(certificate.loss_high_per_metre, std::nextafter(loss_per_m, HUGE_VAL));
  }
  // What integers have shown is not put in doubt by the last digit of a double.
  if (certificate.holds)
    certificate.loss_high_per_metre = std::min(certificate.loss_high_per_metre, epsilon_.value().to_double());
  certificate.rule = fmt::format(
      "on each of the {} roads, the distance of its ends on the grid of micrometres, rounded up, against its "
      "length",
      roads.size());
  return certificate;
}

double Plm::within(double r_m) const {
  const double x = r_m * rate_per_m();
  return 1 - (1 + x) * std::exp(-x);
}

void Plm::cell_probabilities(graph::VertexId input, const geometry::VoronoiCells& cells,
                             const geometry::NearestIndex& index, std::span<double> result) const {
  const geometry::PointXY middle = position(input);
  cells.shares(middle, index.nearest(middle).vertex, {.within = [this](double r_m) { return within(r_m); }},
               result);
}

Plmg::Plmg(const roads::RoadNetwork& map, const Options& options)
    : VertexMechanism(map.graph),
      plm_(map, {.epsilon = options.epsilon, .unit = options.unit}),
      range_(checked_range(map, options.range)),
      index_(range_positions()),
      cells_(range_positions()),
      directions_(options.directions) {
  if (directions_ < 8 || directions_ > 1'000'000)
    throw InvalidOption("directions", "must lie between 8 and 1,000,000");
}

std::vector<geometry::PointXY> Plmg::range_positions() const {
  std::vector<geometry::PointXY> positions;
  positions.reserve(range_.size());
  for (const graph::VertexId vertex : range_) positions.push_back(plm_.position(vertex));
  return positions;
}

std::unique_ptr<VertexMechanism::Sampler> Plmg::sampler() const {
  return std::make_unique<NearestSampler>(plm_, index_, range_);
}

nlohmann::ordered_json Plmg::parameters() const {
  return plm_.parameters();
}

kernel::WeightRow Plmg::row(graph::VertexId input) const {
  check_vertex(input);
  throw InvalidOption("mechanism", "plmg draws from the plane: it has no finite table of weights");
}

void Plmg::probabilities(graph::VertexId input, std::span<double> result) const {
  check_vertex(input);
  const geometry::PointXY middle = plm_.position(input);
  cells_.shares(middle, index_.nearest(middle).vertex,
                {.within = [this](double r_m) { return plm_.within(r_m); }, .directions = directions_},
                result);
}

}  // namespace fogline::place
