// SPDX-License-Identifier: Apache-2.0
#include "geometry/qhull.hpp"

#include <cstdio>
#include <memory>
#include <string>

#include <libqhull_r/libqhull_r.h>

#include "base/error.hpp"

namespace fogline::geometry {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A run of qhull, whose memory ends with it.
class Run {
 public:
  Run() : errors_(std::fopen("/dev/null", "w")), qhull_(std::make_unique<qhT>()) {
    if (!errors_) throw Error("cannot open /dev/null, where qhull is to write its messages");
    qh_zero(qhull_.get(), errors_.get());
  }
  ~Run() {
    int left = 0, blocks = 0;
    qh_freeqhull(qhull_.get(), qh_ALL);
    qh_memfreeshort(qhull_.get(), &left, &blocks);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void hull(std::vector<double>& coordinates, std::size_t dimension) {
    std::string command = "qhull Qt Pp";
    const int failed = qh_new_qhull(qhull_.get(), static_cast<int>(dimension),
                                    static_cast<int>(coordinates.size() / dimension), coordinates.data(),
                                    False, command.data(), nullptr, errors_.get());
    if (failed != 0)
      throw Error("qhull cannot make a hull of these measurements; try a coarser lattice step");
  }
  qhT* get() { return qhull_.get(); }

 private:
  std::unique_ptr<std::FILE, CloseFile> errors_;
  std::unique_ptr<qhT> qhull_;
};

Simplex corners(qhT* qhull, const facetT* facet, std::size_t dimension) {
  Simplex simplex = {};
  for (std::size_t i = 0; i < dimension; ++i) {
    const auto* vertex = static_cast<const vertexT*>(facet->vertices->e[i].p);
    simplex[i] = static_cast<std::uint32_t>(qh_pointid(qhull, vertex->point));
  }
  return simplex;
}

}  // namespace

std::vector<Simplex> qhull_facets(const LatticePoints& points) {
  std::vector<double> coordinates(points.coordinates.begin(), points.coordinates.end());
  Run run;
  run.hull(coordinates, points.dimension);
  std::vector<Simplex> facets;
  for (const facetT* facet = run.get()->facet_list; facet != nullptr && facet->next != nullptr;
       facet = facet->next)
    facets.push_back(corners(run.get(), facet, points.dimension));
  return facets;
}

}  // namespace fogline::geometry
