// SPDX-License-Identifier: Apache-2.0
#include "place/repeated_attack.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Dense>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "kernel/dense.hpp"
#include "random/key.hpp"

namespace fogline::place {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using kernel::Table;

constexpr std::size_t panel_people = 256;

void require_options(const RepeatedOptions& options) {
  if (options.reports.empty()) throw InvalidOption("reports", "must name a number of reports");
  std::uint64_t last = 0;
  for (const std::uint64_t count : options.reports) {
    if (count <= last || count > 100'000)
      throw InvalidOption("reports", "must be ascending numbers from 1 to 100,000, such as 1,2,5,10");
    last = count;
  }
  if (options.samples < 10 || options.samples > 10'000'000)
    throw InvalidOption("samples", "must lie between 10 and 10,000,000");
}

/// Draws vertices from a prior. Public: a rounding of the prior does no harm here.
class TruthSampler {
 public:
  explicit TruthSampler(std::span<const double> prior) : cumulative_(prior.size()) {
    std::partial_sum(prior.begin(), prior.end(), cumulative_.begin());
  }
  graph::VertexId draw(random::Stream& stream) const {
    const double at = std::ldexp(static_cast<double>(stream.next64() >> 11), -53) * cumulative_.back();
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), at);
    return static_cast<graph::VertexId>(
        std::min<std::ptrdiff_t>(found - cumulative_.begin(), std::ssize(cumulative_) - 1));
  }

 private:
  std::vector<double> cumulative_;
};

/// A mean and its spread, without the cancellation of a sum of squares.
class Mean {
 public:
  void add(double value) {
    count_ += 1;
    const double step = value - mean_;
    mean_ += step / count_;
    squares_ += step * (value - mean_);
  }
  double value() const { return mean_; }
  std::uint64_t count() const { return static_cast<std::uint64_t>(count_); }
  double standard_error() const { return std::sqrt(squares_ / (count_ * std::max(1.0, count_ - 1))); }

 private:
  double mean_ = 0, squares_ = 0, count_ = 0;
};

struct Means {
  Mean error, hit, entropy;
};

/// Everything that the people of a panel share.
class Watcher {
 public:
  Watcher(const VertexMechanism& mechanism, std::span<const double> prior, const Table& likelihood,
          const Table& metres, const RepeatedOptions& options)
      : mechanism_(mechanism),
        options_(options),
        truths_(prior),
        metres_(metres),
        log_likelihood_(likelihood.array().log()),
        log_prior_(
            Eigen::Map<const Eigen::VectorXd>(prior.data(), static_cast<Index>(prior.size())).array().log()),
        column_(prior.size(), -1),
        key_(options.seed) {
    for (std::size_t o = 0; o < mechanism.range().size(); ++o)
      column_[mechanism.range()[o]] = static_cast<Index>(o);
  }

  /// People first .. first + count: what is known of them after each number of reports.
  void watch(std::uint64_t first, std::size_t count, std::vector<Means>& means, ProgressMeter& meter) const {
    std::vector<graph::VertexId> truth(count);
    std::vector<random::Stream> noise;
    for (std::size_t i = 0; i < count; ++i) {
      random::Stream choice = key_.stream("place attack truth", first + i);
      truth[i] = truths_.draw(choice);
      noise.push_back(key_.stream("place attack", first + i));
    }
    MatrixXd log_posterior = log_prior_.replicate(1, static_cast<Index>(count));
    std::uint64_t reported = 0;
    for (std::size_t step = 0; step < options_.reports.size(); ++step) {
      hear(truth, noise, options_.reports[step] - reported, log_posterior, meter);
      reported = options_.reports[step];
      conclude(log_posterior, means[step]);
    }
  }

  /// What is known of each of these people after as many of their answers.
  void add_up(std::span<const std::vector<graph::VertexId>> answers, std::uint64_t reports,
              Means& means) const {
    MatrixXd log_posterior = log_prior_.replicate(1, std::ssize(answers));
    for (std::size_t i = 0; i < answers.size(); ++i)
      for (std::uint64_t k = 0; k < reports; ++k) {
        const Index column = answers[i][k] < column_.size() ? column_[answers[i][k]] : -1;
        if (column < 0) throw InvalidOption("answers", "hold a vertex that the mechanism never gives");
        log_posterior.col(static_cast<Index>(i)) += log_likelihood_.col(column);
      }
    conclude(log_posterior, means);
  }

 private:
  void hear(std::span<const graph::VertexId> truth, std::span<random::Stream> noise, std::uint64_t reports,
            MatrixXd& log_posterior, ProgressMeter& meter) const {
    parallel_for(truth.size(), {.threads = options_.threads, .grain = 4},
                 [&](std::size_t begin, std::size_t end) {
                   const auto sampler = mechanism_.sampler();
                   for (std::size_t i = begin; i < end; ++i) {
                     for (std::uint64_t k = 0; k < reports; ++k)
                       log_posterior.col(static_cast<Index>(i)) +=
                           log_likelihood_.col(column_[sampler->draw(truth[i], noise[i])]);
                     meter.advance(reports);
                   }
                 });
  }

  /// The best guess's expected distance, the likeliest vertex's probability, and the entropy, by each person's posterior.
  void conclude(const MatrixXd& log_posterior, Means& means) const {
    MatrixXd posterior = (log_posterior.rowwise() - log_posterior.colwise().maxCoeff()).array().exp();
    posterior.array().rowwise() /= posterior.colwise().sum().array().eval();
    MatrixXd cost;
    kernel::set_product(metres_, posterior, cost, {.threads = options_.threads});
    for (Index i = 0; i < posterior.cols(); ++i) {
      means.error.add(cost.col(i).minCoeff());
      means.hit.add(posterior.col(i).maxCoeff());
      double entropy = 0;
      for (const double p : posterior.col(i)) entropy -= p > 0 ? p * std::log2(p) : 0;
      means.entropy.add(entropy);
    }
  }

  const VertexMechanism& mechanism_;
  const RepeatedOptions& options_;
  TruthSampler truths_;
  const Table& metres_;
  MatrixXd log_likelihood_;  // a column per output, so that a report adds one run of memory
  Eigen::VectorXd log_prior_;
  std::vector<Index> column_;  // of each vertex in the range
  random::SeededKey key_;
};

std::vector<AfterReports> told(const VertexMechanism& mechanism, const RepeatedOptions& options,
                               const std::vector<Means>& means) {
  const double epsilon = mechanism.guarantee().epsilon().to_double();
  std::vector<AfterReports> result;
  for (std::size_t step = 0; step < means.size(); ++step) {
    const Means& mean = means[step];
    const std::uint64_t reports = options.reports[step];
    result.push_back({.reports = reports,
                      .people = mean.error.count(),
                      .epsilon_per_m = epsilon * static_cast<double>(reports),
                      .error_m = mean.error.value(),
                      .error_standard_error_m = mean.error.standard_error(),
                      .tp = mean.hit.value(),
                      .tp_standard_error = mean.hit.standard_error(),
                      .entropy_bits = mean.entropy.value()});
  }
  return result;
}

}  // namespace

std::vector<AfterReports> repeated_attack(const VertexMechanism& mechanism, std::span<const double> prior,
                                          const Table& likelihood, const Table& metres,
                                          const RepeatedOptions& options) {
  require_options(options);
  const Watcher watcher(mechanism, prior, likelihood, metres, options);
  std::vector<Means> means(options.reports.size());
  ProgressMeter meter(options.progress, "repeated reports", options.samples * options.reports.back());
  for (std::uint64_t first = 0; first < options.samples; first += panel_people)
    watcher.watch(first, std::min<std::uint64_t>(panel_people, options.samples - first), means, meter);
  meter.finish();
  return told(mechanism, options, means);
}

std::vector<AfterReports> recorded_attack(const VertexMechanism& mechanism, std::span<const double> prior,
                                          const Table& likelihood, const Table& metres,
                                          std::span<const std::vector<graph::VertexId>> answers,
                                          const RepeatedOptions& options) {
  require_options(options);
  const Watcher watcher(mechanism, prior, likelihood, metres, options);
  std::vector<Means> means(options.reports.size());
  for (std::size_t step = 0; step < means.size(); ++step) {
    std::vector<std::vector<graph::VertexId>> panel;
    for (std::size_t person = 0; person <= answers.size(); ++person) {
      const bool is_last = person == answers.size();
      if (!is_last && answers[person].size() >= options.reports[step]) panel.push_back(answers[person]);
      if (panel.empty() || (!is_last && panel.size() < panel_people)) continue;
      watcher.add_up(panel, options.reports[step], means[step]);
      panel.clear();
    }
  }
  return told(mechanism, options, means);
}

}  // namespace fogline::place
