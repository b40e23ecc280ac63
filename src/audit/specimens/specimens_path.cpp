// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <numbers>

#include <fmt/format.h>

#include "audit/kinds/path_audit.hpp"
#include "audit/specimens/specimen.hpp"
#include "path/public_path_file.hpp"
#include "path/published.hpp"

namespace fogline::audit {
namespace {

using path::PathForm;
using path::PathLabels;
using path::PublicPath;
using path::Route;
using path::RouteMap;
using random::Stream;

/// A route through five vertices that comes back to one of them, and the same without the road of its last step but one. In the two-sided form, which
/// visits no vertex twice, a route that does not come back.
struct Tour {
  RouteMap with = path::make_map({"a", "b", "c", "d", "e"}, {{0, 1}, {1, 2}, {2, 3}, {3, 1}, {1, 4}, {0, 4}});
  RouteMap without = with;
  std::vector<Route> whole{{0, 1, 2, 3, 1, 4}}, pieces{{0, 1, 2, 3}, {1, 4}};
  PathLabels labels;

  explicit Tour(const path::PathOptions& options) : labels(options) {
    if (options.form == PathForm::one_sided) {
      without.roads.part(1, 3);
    } else {
      // What the two-sided form protects is a label: the road stays.
      whole = {{4, 0, 1, 2, 3}};
      pieces = {{4, 0}, {1, 2, 3}};
    }
  }
  PublicPath publish(bool first, Stream& noise) const {
    return first ? labels.release_pieces(with, whole, noise) : labels.release_pieces(without, pieces, noise);
  }
};

Numbers labels_of(const PublicPath& shown) {
  Numbers numbers;
  for (path::StopId a = 0; a < shown.stops.size(); ++a)
    for (path::StopId b = a + 1; b < shown.stops.size(); ++b)
      numbers.push_back(shown.candidates.joined(a, b) ? 1 : 0);
  return numbers;
}

Specimen labels_specimen(PathForm form) {
  path::PathOptions options{.form = form, .epsilon_edges = {1, 1}};
  if (form == PathForm::one_sided) {
    options.most_visits = 2;
    options.epsilon_vertices = privacy::Epsilon{1, 1};
  }
  const auto tour = std::make_shared<const Tour>(options);
  const double claimed = tour->labels.guarantee().epsilon().to_double();
  const bool one_sided = form == PathForm::one_sided;
  const auto numbers = [tour](bool first) {
    return [tour, first](Stream& noise) { return labels_of(tour->publish(first, noise)); };
  };
  const auto text = [tour](bool first) {
    return [tour, first](const random::Key& key) {
      Stream noise = key.stream("path");
      return path::to_json(tour->publish(first, noise));
    };
  };
  Specimen specimen{.origin = Origin::released,
                    .name = fmt::format("path {}", to_string(form)),
                    .words = one_sided
                                 ? "a route through five vertices, one of them twice, epsilon 1 for edges"
                                 : "a route through five vertices, epsilon 1 for each label",
                    .broken = false};
  const std::string words = one_sided ? "a road of the route taken away" : "a step of the route taken away";
  specimen.pairs.push_back({.words = words,
                            .first = numbers(true),
                            .second = numbers(false),
                            .claimed_loss = claimed,
                            .one_sided = one_sided});
  specimen.replay_case = ReplayCase{.words = words,
                                    .first = text(true),
                                    .second = text(false),
                                    .claimed_loss = claimed,
                                    .one_sided = one_sided};
  specimen.exact_case = label_case(tour->labels);
  return specimen;
}

/// The paper's neighbours: one road of the route, its last, more or less.
Specimen layered_specimen() {
  struct Two {
    RouteMap with = path::make_map({"a", "b", "c"}, {{0, 1}, {1, 2}});
    RouteMap without = path::make_map({"a", "b", "c"}, {{0, 1}});
    path::PublishedPath paper{path::PublishedOptions{.epsilon_edges = privacy::Epsilon{1, 1}}};
  };
  const auto two = std::make_shared<const Two>();
  const auto numbers = [two](bool first) {
    return [two, first](Stream& noise) {
      const PublicPath shown = first ? two->paper.release(two->with, {0, 1, 2}, noise)
                                     : two->paper.release(two->without, {0, 1}, noise);
      Numbers all = labels_of(shown);
      for (const path::LayerPiece& piece : shown.layers->pieces) all.push_back(piece.layer);
      return all;
    };
  };
  Specimen specimen{.origin = Origin::published,
                    .name = "path layered",
                    .words = "a pair that is ruled out is certainly no step of the route",
                    .broken = true};
  specimen.pairs.push_back({.words = "the last road of the route taken away",
                            .first = numbers(false),
                            .second = numbers(true),
                            .claimed_loss = 1 + std::numbers::ln2});
  return specimen;
}

}  // namespace

std::vector<Specimen> path_specimens() {
  return {labels_specimen(PathForm::one_sided), labels_specimen(PathForm::two_sided), layered_specimen()};
}

}  // namespace fogline::audit
