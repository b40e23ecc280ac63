// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "place/mechanism.hpp"
#include "random/key.hpp"

namespace fogline::place {
namespace {

using graph::VertexId;

/// Of so many the standard error is known to a fifth; fewer would make it a guess.
constexpr std::size_t fewest_vertices = 12;
/// From so many vertices, spread over the map, it is seen how many a search meets.
constexpr std::size_t tried_vertices = 16;
/// What outputs that are not listed add to the mean is worked out from so many vertices of the sample: it is some thousandths of it.
constexpr std::size_t far_sample = 4;
/// Less than this part of the mean is less than what its last digits are told to.
constexpr double negligible = 1e-6;
/// Vertices of one part of the sum over the sample. Parts are added up in their order, so that threads do not matter.
constexpr std::size_t part_size = 32;
/// How likely releases are to be moved so far, by metres; farther ones stand in the last.
constexpr std::size_t law_metres = 200'000;

/// Of one vertex, or of some, as likely as they are.
struct Moved {
  double mean_m = 0;      // by what is listed
  double rest = 0;        // probability of what is not
  std::size_t met = 0;    // vertices of the searches
  double far_mean_m = 0;  // to outputs that are not listed, if asked for
};

/// Follows rows along the real roads; one thread's.
class Follower {
 public:
  explicit Follower(const VertexMechanism& mechanism)
      : mechanism_(mechanism),
        rows_(mechanism.near_rows()),
        search_(mechanism.graph()),
        probability_(mechanism.graph().vertex_count(), 0.0),
        radius_mm_(static_cast<graph::DistanceMm>(first_reach * 1000 /
                                                  mechanism.guarantee().epsilon().to_double())) {}

  /// Adds `share` times the probability of each distance to `law`.
  Moved follow(VertexId input, double share, std::vector<double>& law) {
    const NearRow& row = rows_->of(input);
    for (std::size_t i = 0; i < row.output.size(); ++i) probability_[row.output[i]] += row.probability[i];
    Moved moved;
    double reached = 0;
    for (const auto& [vertex, distance_mm] : search(input, row, moved.met)) {
      const double p = probability_[vertex];
      if (p == 0) continue;
      const double distance_m = static_cast<double>(distance_mm) / 1000;
      moved.mean_m += p * distance_m;
      reached += p;
      law[std::min(static_cast<std::size_t>(distance_m), law_metres - 1)] += share * p;
    }
    for (const VertexId output : row.output) probability_[output] = 0;
    // What no road leads to counts for nothing.
    if (reached > 0)
      moved.mean_m *= std::accumulate(row.probability.begin(), row.probability.end(), 0.0) / reached;
    moved.rest = row.of_each_other * static_cast<double>(mechanism_.range().size() - row.output.size());
    return moved;
  }

  /// The mean distance to the outputs that the row of `input` does not list.
  double far_mean_m(VertexId input) {
    const NearRow& row = rows_->of(input);
    for (const VertexId output : row.output) probability_[output] = 1;
    double sum_m = 0, count = 0;
    const auto distance = search_.one_to_all(input);
    for (const VertexId output : mechanism_.range()) {
      if (probability_[output] != 0 || distance[output] == graph::unreachable) continue;
      sum_m += static_cast<double>(distance[output]) / 1000;
      ++count;
    }
    for (const VertexId output : row.output) probability_[output] = 0;
    return count > 0 ? sum_m / count : 0;
  }

 private:
  /// In units of 1/epsilon: most rows lie within; the search goes on to twice as far where one does not.
  static constexpr double first_reach = 25;
  static constexpr graph::DistanceMm farthest_mm = graph::DistanceMm{1} << 50;  // no road is longer

  /// As far as every listed output, or as roads lead.
  std::span<const graph::Settled> search(VertexId input, const NearRow& row, std::size_t& met) {
    for (std::size_t before = 0;;) {
      const auto found = search_.within(input, radius_mm_);
      met += found.size();
      std::size_t listed = 0;
      for (const auto& [vertex, distance_mm] : found) listed += probability_[vertex] != 0 ? 1U : 0U;
      if (listed >= row.output.size() || found.size() == before) return found;
      before = found.size();
      radius_mm_ = std::min(2 * radius_mm_, farthest_mm);
    }
  }

  const VertexMechanism& mechanism_;
  std::unique_ptr<VertexMechanism::NearRows> rows_;
  graph::Dijkstra search_;
  std::vector<double> probability_;  // of the row at hand, by vertex
  graph::DistanceMm radius_mm_;
};

/// All that can be the truth.
std::vector<VertexId> possible(std::size_t vertex_count, const std::vector<double>& prior) {
  std::vector<VertexId> vertices;
  for (VertexId v = 0; v < vertex_count; ++v)
    if (prior.empty() || prior[v] > 0) vertices.push_back(v);
  return vertices;
}

/// Over which vertices is averaged, and how much each counts for.
struct Sample {
  std::vector<VertexId> vertex;
  std::vector<double> share;
  std::size_t certain = 0;  ///< so many at the front stand for themselves, the others for all the rest
  std::size_t draws =
      0;  ///< of the others; a vertex that was drawn again counts for more. 0: there are no others
};

/// As many vertices as the work allows; all of them if it allows that.
std::size_t affordable(const std::vector<VertexId>& vertices, const VertexMechanism& mechanism,
                       const ErrorOptions& options) {
  const std::size_t n = vertices.size();
  if (options.exact || n <= fewest_vertices || n * mechanism.graph().vertex_count() <= options.work) return n;
  Follower follower(mechanism);
  std::vector<double> unused(law_metres);
  std::uint64_t met = 0;
  std::size_t tried = 0;
  // Where a search meets a whole city, trying it is most of the work: half of it at most goes into that.
  while (tried < tried_vertices && 2 * met <= options.work)
    met += follower.follow(vertices[tried++ * n / tried_vertices], 0, unused).met;
  return std::clamp<std::uint64_t>(options.work * tried / std::max<std::uint64_t>(met, 1), fewest_vertices,
                                   n);
}

/// Without a prior each vertex is as good as another.
Sample even_sample(std::vector<VertexId> vertices, std::size_t wanted, random::Stream& choice) {
  const std::size_t n = vertices.size();
  for (std::size_t i = 0; i < wanted; ++i) std::swap(vertices[i], vertices[i + choice.below(n - i)]);
  vertices.resize(wanted);
  std::vector<double> share(wanted, 1.0);
  return {.vertex = std::move(vertices), .share = std::move(share), .draws = wanted};
}

/// By the prior: whoever is likelier than a draw counts for stands for himself, and the rest is drawn as likely as it is. To
/// draw all alike and weigh them afterwards would miss a few vertices that most of the probability is at, and not tell.
Sample sample_by_prior(const std::vector<VertexId>& vertices, const std::vector<double>& prior,
                       std::size_t wanted, random::Stream& choice) {
  double total = 0;
  for (const VertexId v : vertices) total += prior[v];
  Sample sample;
  std::vector<VertexId> rest;
  std::vector<double> rest_up_to;
  double sum = 0;
  for (const VertexId v : vertices) {
    if (prior[v] * static_cast<double>(wanted) >= total) {
      sample.vertex.push_back(v);
      sample.share.push_back(prior[v]);
    } else {
      rest.push_back(v);
      rest_up_to.push_back(sum += prior[v]);
    }
  }
  sample.certain = sample.vertex.size();
  if (rest.empty()) return sample;
  sample.draws = std::max(wanted - std::min(wanted, sample.certain), fewest_vertices);
  constexpr std::uint64_t parts = std::uint64_t{1} << 53;
  std::vector<std::size_t> drawn(rest.size(), 0);
  for (std::size_t i = 0; i < sample.draws; ++i) {
    const double at = sum * (static_cast<double>(choice.below(parts)) / static_cast<double>(parts));
    const auto found = std::upper_bound(rest_up_to.begin(), rest_up_to.end() - 1, at);
    ++drawn[static_cast<std::size_t>(found - rest_up_to.begin())];
  }
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (drawn[i] == 0) continue;
    sample.vertex.push_back(rest[i]);
    sample.share.push_back(sum * static_cast<double>(drawn[i]) / static_cast<double>(sample.draws));
  }
  return sample;
}

Sample sample_of(const VertexMechanism& mechanism, const ErrorOptions& options) {
  std::vector<VertexId> vertices = possible(mechanism.graph().vertex_count(), options.prior);
  const std::size_t wanted = affordable(vertices, mechanism, options);
  if (wanted < vertices.size()) {
    random::Stream choice = random::SeededKey(0).stream("place expected error sample");
    return options.prior.empty() ? even_sample(std::move(vertices), wanted, choice)
                                 : sample_by_prior(vertices, options.prior, wanted, choice);
  }
  Sample all{.vertex = std::move(vertices), .share = {}, .certain = wanted};
  for (const VertexId v : all.vertex) all.share.push_back(options.prior.empty() ? 1 : options.prior[v]);
  return all;
}

/// The least number of metres that so large a part of the releases is moved at most.
double quantile_m(const std::vector<double>& law, double part) {
  const double wanted = part * std::accumulate(law.begin(), law.end(), 0.0);
  double sum = 0;
  for (std::size_t i = 0; i < law.size(); ++i) {
    sum += law[i];
    if (sum >= wanted) return static_cast<double>(i + 1);
  }
  return static_cast<double>(law.size());
}

class Averaging {
 public:
  Averaging(const VertexMechanism& mechanism, const ErrorOptions& options)
      : mechanism_(mechanism), options_(options), sample_(sample_of(mechanism, options)) {
    total_ = std::accumulate(share_.begin(), share_.end(), 0.0);
    if (!(total_ > 0)) throw InvalidOption("prior", "is 0 at every vertex it was averaged over");
  }

  ExpectedError run() {
    follow_all();
    add_far();
    const double mean = std::inner_product(value_.begin(), value_.end(), share_.begin(), 0.0) / total_;
    double error = error_of_draws();
    if (far_error_m_ > negligible * mean) error = std::hypot(error, far_error_m_);
    return {.q_loss_m = mean,
            .standard_error_m = error,
            .vertices_used = value_.size(),
            .median_m = quantile_m(law_, 0.5),
            .p95_m = quantile_m(law_, 0.95)};
  }

 private:
  /// Of what was drawn, and not of what stands for itself.
  double error_of_draws() const {
    double rest = 0, sum = 0, squares = 0;
    for (std::size_t i = sample_.certain; i < value_.size(); ++i) {
      rest += share_[i];
      sum += share_[i] * value_[i];
    }
    if (sample_.draws == 0 || rest == 0) return 0;
    for (std::size_t i = sample_.certain; i < value_.size(); ++i)
      squares += share_[i] * (value_[i] - sum / rest) * (value_[i] - sum / rest);
    const auto n = static_cast<double>(sample_.draws);
    return std::sqrt(squares * rest / std::max(1.0, n - 1)) / total_;
  }

  void follow_all() {
    const std::size_t parts = (vertices_.size() + part_size - 1) / part_size;
    std::vector<std::vector<double>> law(parts);
    value_.resize(vertices_.size());
    rest_.resize(vertices_.size());
    ProgressMeter meter(options_.progress, "estimating the error", vertices_.size());
    parallel_for(parts, {.threads = options_.threads}, [&](std::size_t begin, std::size_t end) {
      Follower follower(mechanism_);
      std::vector<double> sum(law_metres);
      for (std::size_t part = begin; part < end; ++part) {
        std::fill(sum.begin(), sum.end(), 0.0);
        for (std::size_t i = part * part_size; i < std::min(vertices_.size(), (part + 1) * part_size); ++i) {
          const Moved moved = follower.follow(vertices_[i], share_[i], sum);
          value_[i] = moved.mean_m;
          rest_[i] = moved.rest;
          meter.advance();
        }
        const auto last = std::find_if(sum.rbegin(), sum.rend(), [](double p) { return p > 0; });
        law[part].assign(sum.begin(), last.base());
      }
    });
    meter.finish();
    law_.assign(law_metres, 0.0);
    for (const std::vector<double>& part : law)
      for (std::size_t i = 0; i < part.size(); ++i) law_[i] += part[i];
  }

  /// What is not listed in a row is far away, and about as far from everywhere.
  void add_far() {
    const double most = *std::max_element(rest_.begin(), rest_.end());
    if (most == 0) return;
    Follower follower(mechanism_);
    const std::size_t count = options_.exact ? vertices_.size() : std::min(far_sample, vertices_.size());
    std::vector<double> far;
    for (std::size_t i = 0; i < count; ++i)
      far.push_back(follower.far_mean_m(vertices_[i * vertices_.size() / count]));
    const double mean = std::accumulate(far.begin(), far.end(), 0.0) / static_cast<double>(count);
    double spread = 0;
    for (const double each : far) spread = std::max(spread, std::abs(each - mean));
    for (std::size_t i = 0; i < value_.size(); ++i) value_[i] += rest_[i] * (options_.exact ? far[i] : mean);
    if (!options_.exact) far_error_m_ = most * spread;
  }

  const VertexMechanism& mechanism_;
  const ErrorOptions& options_;
  Sample sample_;
  const std::vector<VertexId>& vertices_ = sample_.vertex;
  const std::vector<double>& share_ = sample_.share;
  std::vector<double> value_, rest_;
  double total_ = 0;
  std::vector<double> law_;
  double far_error_m_ = 0;
};

/// All outputs, as probabilities() has them.
class WholeRows : public VertexMechanism::NearRows {
 public:
  explicit WholeRows(const VertexMechanism& mechanism) : mechanism_(mechanism) {}
  const NearRow& of(VertexId input) override {
    const auto range = mechanism_.range();
    row_.output.assign(range.begin(), range.end());
    row_.probability.resize(range.size());
    mechanism_.probabilities(input, row_.probability);
    return row_;
  }

 private:
  const VertexMechanism& mechanism_;
  NearRow row_;
};

}  // namespace

std::unique_ptr<VertexMechanism::NearRows> VertexMechanism::near_rows() const {
  return std::make_unique<WholeRows>(*this);
}

ExpectedError VertexMechanism::expected_error(const ErrorOptions& options) const {
  if (!options.prior.empty() && options.prior.size() != graph().vertex_count())
    throw InvalidOption("prior", "must give every vertex a probability");
  return Averaging(*this, options).run();
}

}  // namespace fogline::place
