// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/lattice_k_norm.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "base/error.hpp"

namespace fogline::stream {
namespace {

using geometry::LatticeBody;
using geometry::LatticePoints;

constexpr std::int64_t farthest = std::int64_t{1} << 61;

}  // namespace

/// How a cone is drawn from: by cells if that is less work, known from the start; else by progressions, found when first needed.
struct LatticeKNorm::Prepared {
  std::optional<ConeCells> cells;
  std::once_flag once;
  std::optional<ConeProgressions> progressions;
};

LatticeKNorm::LatticeKNorm(std::shared_ptr<const LatticeBody> body, const Rational& epsilon)
    : body_(std::move(body)), law_(epsilon), prepared_(std::make_unique<Prepared[]>(body_->cones().size())) {
  Uint128 sum = 0;
  for (std::size_t cone = 0; cone < body_->cones().size(); ++cone) {
    Uint128 share = ConeProgressions::share(body_->cones()[cone].determinant, law_);
    if (law_.parts > 1) {
      ConeCells cells(corners(cone));
      if (const Uint128 less = cells.share(law_); less > 0 && less < share) {
        share = less;
        prepared_[cone].cells.emplace(std::move(cells));
      }
    }
    cumulative_.push_back(sum += share);
  }
}

LatticeKNorm::~LatticeKNorm() = default;

LatticePoints LatticeKNorm::corners(std::size_t cone) const {
  LatticePoints result{.dimension = body_->rank()};
  for (std::size_t i = 0; i < body_->rank(); ++i)
    result.add(body_->own_vertices()[body_->cones()[cone].corner[i]]);
  return result;
}

bool LatticeKNorm::draw_in(std::size_t cone, ConeCoefficients& out, random::Stream& noise) const {
  Prepared& prepared = prepared_[cone];
  const Uint128 determinant = body_->cones()[cone].determinant;
  if (prepared.cells) return prepared.cells->draw(determinant, law_, out, noise);
  std::call_once(prepared.once, [&] { prepared.progressions.emplace(corners(cone), determinant, law_); });
  return prepared.progressions->draw(law_, out, noise);
}

std::vector<std::int64_t> LatticeKNorm::point(std::size_t cone, const ConeCoefficients& coefficients) const {
  const LatticeBody::Cone& chosen = body_->cones()[cone];
  std::vector<std::int64_t> result;
  for (std::size_t j = 0; j < body_->dimension(); ++j) {
    Int128 whole = 0, numerator = 0;
    for (std::size_t i = 0; i < body_->rank(); ++i) {
      const Int128 corner = body_->vertices()[chosen.corner[i]][j];
      whole += static_cast<Int128>(coefficients.whole[i]) * corner;
      numerator += static_cast<Int128>(coefficients.numerator[i]) * corner;
    }
    const Int128 coordinate = whole + numerator / static_cast<Int128>(chosen.determinant);  // exact
    if (coordinate > farthest || coordinate < -farthest) throw Error("noise beyond 2^61 steps");
    result.push_back(static_cast<std::int64_t>(coordinate));
  }
  return result;
}

std::vector<std::int64_t> LatticeKNorm::draw(random::Stream& noise) const {
  if (body_->rank() == 0) return std::vector<std::int64_t>(body_->dimension());
  ConeCoefficients coefficients;
  std::size_t cone = 0;
  do {
    const Uint128 target = noise.below128(cumulative_.back());
    cone = static_cast<std::size_t>(std::ranges::upper_bound(cumulative_, target) - cumulative_.begin());
  } while (!draw_in(cone, coefficients, noise));
  return point(cone, coefficients);
}

double LatticeKNorm::log_weight(std::span<const std::int64_t> v) const {
  return -law_.epsilon.to_double() * body_->norm(v);
}

}  // namespace fogline::stream
