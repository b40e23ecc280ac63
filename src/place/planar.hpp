// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "geometry/coordinates.hpp"
#include "geometry/nearest_index.hpp"
#include "geometry/projection.hpp"
#include "geometry/voronoi_cells.hpp"
#include "place/mechanism.hpp"
#include "privacy/guarantee.hpp"
#include "random/planar_laplace.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// The road whose ends lie farthest apart on the plane for its length.
struct Stretch {
  std::uint64_t apart_um = 1;   ///< distance of its ends on the plane, rounded up
  std::uint64_t length_um = 1;  ///< its length
  graph::VertexId tail = 0, head = 0;
  double value() const { return static_cast<double>(apart_um) / static_cast<double>(length_um); }
};

/// Planar Laplace mechanism: releases a point of the plane near the true vertex, with density proportional to exp(-rate r) at
/// distance r, whatever the roads.
///
///     Plm plm(city, {.epsilon = privacy::EpsilonPerMetre{1, 100}});
///     geometry::LonLat safe = plm.release(truth, key.stream("place", record));
///
/// Guarantee   metric DP: the loss between vertices u, v is at most epsilon * d(u, v), d the road distance; unit: one report; exact. The law is
///             discrete, on a grid of micrometres; rate = epsilon / stretch, where the stretch is that of the worst road, so rounding of positions and lengths is
///             paid for (proof in docs/mechanisms/plm.md). Repeated reports add up.
/// Source      Andres et al. 2013; Takagi et al., Section 2.3.1. Their promise is by Euclidean distance, which is at most the road distance.
/// Utility     mean distance on the plane 2 / rate: 200 m at 0.01 per metre if the stretch is 1.
/// Cost        under a microsecond per release, and the way back to longitude and latitude.
/// Parameters  epsilon per metre, 1e-5 to 1,000. Networks whose roads are much shorter than the straight line between their ends work, with
///             less utility: stretch() names the worst.
///
/// The network must outlive it.
class Plm : public PlaceMechanism {
 public:
  using Input = graph::VertexId;
  using Output = geometry::LonLat;

  struct Options {
    privacy::EpsilonPerMetre epsilon;  ///< 1e-5 to 1,000 per metre; no default
    std::string unit = "one report";   ///< named in the guarantee
  };
  Plm(const roads::RoadNetwork& map,
      const Options& options);  ///< throws InvalidOption, naming the field and its range

  std::string_view name() const override { return "plm"; }
  const Plm* on_plane() const override { return this; }
  privacy::Guarantee guarantee() const override;
  Output release(const Input& truth, random::Stream& noise) const;
  geometry::PointXY release_on_plane(graph::VertexId truth, random::Stream& noise) const;

  /// As release_all, into `output`.
  void release(std::span<const Input> truth, const random::Key& key, const BulkOptions& options,
               std::span<Output> output) const;
  SafePlaces release_all(std::span<const Input> truth, const random::Key& key,
                         const BulkOptions& options) const override;

  nlohmann::ordered_json parameters() const override;  ///< stretch: of the worst road
  std::vector<std::string> remarks() const override;   ///< the stretch, and the road it comes from
  RuleCertificate certify_rule(const RuleOptions& options = {})
      const override;  ///< every road's ends on the grid against its length, in integers
  ExpectedError expected_error(
      const ErrorOptions& options = {}) const override;  ///< on the plane: the same from every vertex

  double expected_error_m() const { return 2 / rate_per_m(); }  ///< mean distance on the plane
  double rate_per_m() const { return 1e6 / static_cast<double>(efolding_um_); }
  const Stretch& stretch() const { return stretch_; }

  /// P(a distance of at most r metres from the truth), of the continuous law: the grid is too fine to tell.
  double within(double r_m) const;

  /// P(cell | input) for public places on the plane: what falls nearest to each. For measures and attacks on a grid of cells.
  void cell_probabilities(graph::VertexId input, const geometry::VoronoiCells& cells,
                          const geometry::NearestIndex& index, std::span<double> result) const;

  const geometry::LocalProjection& plane() const { return plane_; }
  geometry::PointXY position(graph::VertexId vertex) const;  ///< of a vertex, on the plane and its grid

 private:
  const roads::RoadNetwork* map_;
  privacy::EpsilonPerMetre epsilon_;
  std::string unit_;
  geometry::LocalProjection plane_;
  std::vector<random::GridPoint> place_;  // of each vertex, micrometres
  Stretch stretch_;
  std::uint64_t efolding_um_;  // 1 / rate, rounded up
  random::PlanarLaplace noise_;
};

/// Planar Laplace mechanism on a graph: the vertex of the range nearest to what Plm releases.
///
/// Guarantee   that of Plm: the nearest vertex is found from the released point and public things alone.
/// Source      Takagi et al., Section 4.2 (PLMG).
/// Utility     expected_error(); 1,024 rays from each vertex, which know Q_loss to a thousandth (docs/mechanisms/plm.md).
/// Cost        about two microseconds per release. probabilities(): some milliseconds a vertex.
/// Parameters  as Plm; range: any set of vertices, within 2,000 km of the map's centre.
class Plmg : public VertexMechanism {
 public:
  struct Options {
    privacy::EpsilonPerMetre epsilon;         ///< 1e-5 to 1,000 per metre; no default
    std::vector<graph::VertexId> range = {};  ///< allowed outputs, each once; empty means every vertex
    std::string unit = "one report";          ///< named in the guarantee
    int directions = 1024;                    ///< rays for probabilities(), 8 to 1,000,000
  };
  Plmg(const roads::RoadNetwork& map,
       const Options& options);  ///< throws InvalidOption, naming the field and its range

  std::string_view name() const override { return "plmg"; }
  privacy::Guarantee guarantee() const override { return plm_.guarantee(); }
  std::span<const graph::VertexId> range() const override { return range_; }
  std::unique_ptr<Sampler> sampler() const override;
  bool has_rows() const override { return false; }
  kernel::WeightRow row(
      graph::VertexId input) const override;  ///< throws InvalidOption: the law has no finite table
  void probabilities(graph::VertexId input, std::span<double> result) const override;

  nlohmann::ordered_json parameters() const override;
  std::vector<std::string> remarks() const override { return plm_.remarks(); }
  RuleCertificate certify_rule(const RuleOptions& options = {}) const override {
    return plm_.certify_rule(options);
  }

  const Plm& plm() const { return plm_; }

 private:
  std::vector<geometry::PointXY> range_positions() const;

  Plm plm_;
  std::vector<graph::VertexId> range_;
  geometry::NearestIndex index_;
  geometry::VoronoiCells cells_;
  int directions_;
};

}  // namespace fogline::place
