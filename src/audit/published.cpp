// SPDX-License-Identifier: Apache-2.0
#include "audit/published.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "audit/published_dpe.hpp"
#include "audit/published_k_norm.hpp"
#include "weights/published.hpp"

namespace fogline::audit {
namespace {

using weights::consistent_along;
using weights::PublishedWeights;
using weights::WeightRange;
using weights::WeightsStrategy;
using Form = PublishedCase::Form;

constexpr auto weights_paper =
    "Li, Yang, Sun, Zhang: Differential Privacy for Edge Weights in Social Networks (2017)";
constexpr auto stream_paper = "Xiao, Shen, Liu, Xiong, Jin, Xu: DPHMM";
constexpr auto traces_paper =
    "Liu, Song, Wang: A Privacy-Preserving Trajectory Synthesis Method Based on Vector Translation "
    "Invariance";

constexpr auto weights_claim = "epsilon-DP at epsilon 1 for one edge's weight";
constexpr auto stream_claim = "epsilon-DP at epsilon 0.5 for two places of the set";
constexpr auto traces_claim = "epsilon-DP at epsilon 1 for one trajectory";

/// What a case says about itself; the pair gives the rest.
struct Words {
  std::string kind, mechanism, paper, claim, reason;
  Form form = Form::broken;
};

PublishedCase make_case(Words words, Pair pair) {
  const auto text = [](const Run& run) {
    return [run](random::Stream& stream) { return exact_text(run(stream)); };
  };
  PublishedCase made{.kind = std::move(words.kind),
                     .mechanism = std::move(words.mechanism),
                     .paper = std::move(words.paper),
                     .claim = std::move(words.claim),
                     .reason = std::move(words.reason),
                     .form = words.form,
                     .pairs = {},
                     .first_text = text(pair.first),
                     .second_text = text(pair.second)};
  made.pairs.push_back(std::move(pair));
  return made;
}

// Weights.

constexpr WeightRange public_range{100, 600};  // of the paper's first graph

Run weights_run(WeightsStrategy strategy, const std::optional<WeightRange>& range, Numbers weights) {
  // Theorem 6 speaks of the noisy weights themselves; the others end with line 11.
  const auto positive = strategy == WeightsStrategy::lap ? weights::Positive::no : weights::Positive::shift;
  return
      [mechanism =
           PublishedWeights({.strategy = strategy, .epsilon = 1, .range = range, .positive = positive}),
       weights = std::move(weights)](random::Stream& stream) { return mechanism.release(weights, stream); };
}

Pair weights_pair(WeightsStrategy strategy, std::string words, const Numbers& first, const Numbers& second) {
  return {.words = std::move(words),
          .first = weights_run(strategy, public_range, first),
          .second = weights_run(strategy, public_range, second),
          .claimed_loss = 1};
}

PublishedCase lap() {
  return make_case({"weights", "lap", weights_paper, weights_claim,
                    "The noise of each edge is made for the whole public range.", Form::right_twin},
                   weights_pair(WeightsStrategy::lap, "one of three weights moved from 100 to 600",
                                {100, 250, 400}, {600, 250, 400}));
}

PublishedCase lap_own_range() {
  const Numbers narrow = {100, 101, 102, 103}, wide = {100, 101, 102, 600};
  return make_case(
      {"weights", "lap, range of the data", weights_paper, weights_claim,
       "The scale of the noise is the spread of the private weights, so the size of the noise tells it."},
      {.words = "the greatest of four weights moved from 103 to 600",
       .first = weights_run(WeightsStrategy::lap, {}, narrow),
       .second = weights_run(WeightsStrategy::lap, {}, wide),
       .claimed_loss = 1});
}

constexpr std::size_t merged = 8;  // edges in the group that one leaves

/// Edge 1 stands in a group of 8 at 100, or makes a group of 7 at 600 one of 8: the sizes of the groups are the same.
Numbers two_groups(bool moved) {
  Numbers weights(2 * merged - 1, public_range.highest);
  std::fill_n(weights.begin(), merged, public_range.lowest);
  if (moved) weights.front() = public_range.highest;
  return weights;
}

double above_the_others(const Numbers& weights) {
  Numbers others(weights.begin() + 1, weights.begin() + merged);
  std::nth_element(others.begin(), others.begin() + merged / 2, others.end());
  return weights.front() - others[merged / 2];
}

PublishedCase mb() {
  Pair pair = weights_pair(WeightsStrategy::mb, "one edge moved from a group of 8 at 100 to one of 7 at 600",
                           two_groups(false), two_groups(true));
  pair.hints = {{"how far edge 1 lies above the middle of the group it may have left", above_the_others}};
  return make_case({"weights", "mb", weights_paper, weights_claim,
                    "Each of C merged edges gets noise for a C-th of the range, but one edge can still move "
                    "by all of it."},
                   std::move(pair));
}

const Numbers rising = {150, 300, 301, 550}, swapped = {150, 302, 301, 550};
constexpr auto order_words = "one of four weights moved from 300 to 302, past another at 301";
constexpr auto order_reason =
    "The output is sorted by the true order of the private weights, so it tells which of two edges is the "
    "heavier.";

PublishedCase lap_ci() {
  return make_case({"weights", "lap-ci", weights_paper, weights_claim, order_reason},
                   weights_pair(WeightsStrategy::lap_ci, order_words, rising, swapped));
}

PublishedCase mb_ci() {
  return make_case({"weights", "mb-ci", weights_paper, weights_claim, order_reason},
                   weights_pair(WeightsStrategy::mb_ci, order_words, rising, swapped));
}

PublishedCase lap_ci_public_order() {
  const auto run = [](const Numbers& weights) -> Run {
    return [noisy = weights_run(WeightsStrategy::lap, public_range, weights),
            order = std::vector<std::size_t>{0, 1, 2, 3}](random::Stream& stream) {
      return consistent_along(order, noisy(stream));
    };
  };
  PublishedCase made = make_case(
      {"weights", "lap-ci, public order", weights_paper, weights_claim,
       "An order that does not come from the weights makes consistency a work on noisy numbers only.",
       Form::right_twin},
      {.words = "the first of four weights moved from 100 to 600",
       .first = run({100, 250, 400, 550}),
       .second = run({600, 250, 400, 550}),
       .claimed_loss = 1});
  made.pairs.push_back(
      {.words = order_words, .first = run(rising), .second = run(swapped), .claimed_loss = 1});
  return made;
}

// Stream.

using Direction = PublishedKNorm::Direction;
using Radius = PublishedKNorm::Radius;

/// A street eight times as long as wide, of which opposite corners must look alike: their difference is a vertex of the hull.
PublishedCase k_norm(Words words, Direction direction, Radius radius) {
  const std::vector<PlanePoint> corners = {{0, 0}, {8, 0}, {8, 1}, {0, 1}};
  const PublishedKNorm mechanism(
      {.places = corners, .epsilon = 0.5, .direction = direction, .radius = radius});
  const auto run = [&](const PlanePoint& place) -> Run {
    return [mechanism, place](random::Stream& stream) {
      const PlanePoint answer = mechanism.release(place, stream);
      return Numbers{answer.x, answer.y};
    };
  };
  Pair pair{.words = "the place moved from one corner of a street to the opposite one",
            .first = run(corners[0]),
            .second = run(corners[2]),
            .claimed_loss = 0.5};
  for (const auto& [place, whose] : {std::pair(corners[0], "first"), std::pair(corners[2], "second")}) {
    pair.hints.push_back({fmt::format("angle of the answer around the {} place", whose),
                          [place](const Numbers& z) { return std::atan2(z[1] - place.y, z[0] - place.x); }});
    pair.hints.push_back({fmt::format("K-norm distance of the answer from the {} place", whose),
                          [place, body = mechanism.body()](const Numbers& z) {
                            return body.norm({z[0] - place.x, z[1] - place.y});
                          }});
  }
  return make_case(std::move(words), std::move(pair));
}

PublishedCase k_norm_right() {
  return k_norm({"stream", "k-norm", stream_paper, stream_claim,
                 "The density of the answer is exp(-epsilon times its K-norm distance), which is a norm.",
                 Form::right_twin},
                Direction::cone_measure, Radius::full);
}

PublishedCase k_norm_boundary() {
  return k_norm({"stream", "k-norm, boundary by length", stream_paper, stream_claim,
                 "Faces are drawn by their length instead of the area of their cone, so the density jumps "
                 "between cones by the ratio of the "
                 "faces' heights."},
                Direction::boundary_length, Radius::full);
}

PublishedCase k_norm_short() {
  return k_norm(
      {"stream", "k-norm, radius one short", stream_paper, stream_claim,
       "With Gamma(d) instead of Gamma(d + 1) the density has a peak without bound at the true place."},
      Direction::cone_measure, Radius::one_short);
}

// Traces.

const std::vector<Track> four_trips = {{{1, 1, 0}, {2, 1, 1}, {3, 2, 2}, {4, 2, 3}},
                                       {{2, 8, 0}, {2, 7, 1}, {3, 6, 2}, {4, 6, 3}},
                                       {{8, 2, 0}, {7, 3, 1}, {6, 3, 2}},
                                       {{9, 9, 0}, {8, 8, 1}, {8, 7, 2}, {8, 6, 3}}};
const Track other_trip = {{5, 1, 0}, {5, 2, 1}, {6, 2, 2}, {7, 1, 3}};

Numbers flat(const std::vector<Track>& tracks) {
  Numbers numbers;
  for (const Track& track : tracks)
    for (const TrackPoint& p : track) numbers.insert(numbers.end(), {p.x, p.y, p.t});
  return numbers;
}

double nearest_to_replaced_trip(const Numbers& output) {
  const Numbers trip = flat({four_trips.back()});
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t at = 0; at + trip.size() <= output.size(); at += trip.size()) {
    double sum = 0;
    for (std::size_t i = 0; i < trip.size(); ++i)
      sum += (output[at + i] - trip[i]) * (output[at + i] - trip[i]);
    nearest = std::min(nearest, std::sqrt(sum));
  }
  return nearest;
}

double mean_x(const Numbers& output) {
  double sum = 0;
  for (std::size_t i = 0; i < output.size(); i += 3) sum += output[i];
  return 3 * sum / static_cast<double>(output.size());
}

/// The paper's neighbours have one trip more or less, so replacing one is claimed to cost twice epsilon; the twin's noise is made for a replacement.
Pair dpe_pair(std::string words, const PublishedDpe::Options& options, std::vector<Track> trips,
              const Track& other) {
  const auto run = [&](const std::vector<Track>& some) -> Run {
    return [mechanism = PublishedDpe(options), some](random::Stream& stream) {
      return flat(mechanism.release(some, stream));
    };
  };
  const Run first = run(trips);
  trips.back() = other;
  return {.words = std::move(words),
          .first = first,
          .second = run(trips),
          .claimed_loss =
              options.noise == PublishedDpe::Noise::for_one_sum ? 2 * options.epsilon : options.epsilon};
}

PublishedCase dpe() {
  Pair pair = dpe_pair("one of four trips replaced by another",
                       {.epsilon = 1, .diameter = 14.25, .time_span = 3}, four_trips, other_trip);
  pair.hints = {{"distance of the nearest output trip to the replaced one", nearest_to_replaced_trip},
                {"mean east of all points of the output", mean_x}};
  return make_case({"traces", "dpe", traces_paper, traces_claim,
                    "The gradient steps start from the private trips and keep their mean, so the output is "
                    "not a function of the noisy sums."},
                   std::move(pair));
}

/// All trips stay about one corner of the map; one of them moves to the opposite one.
PublishedCase dpe_public_start(Words words, PublishedDpe::Noise noise) {
  const PublishedDpe::Options options{.epsilon = 1,
                                      .diameter = 14.25,
                                      .time_span = 3,
                                      .noise = noise,
                                      .start = {{{1, 5, 0}, {2, 5, 1}, {3, 5, 2}, {4, 5, 3}},
                                                {{5, 1, 0}, {5, 2, 1}, {5, 3, 2}, {5, 4, 3}},
                                                {{9, 4, 0}, {8, 4, 1}, {7, 4, 2}, {6, 4, 3}},
                                                {{6, 9, 0}, {6, 8, 1}, {6, 7, 2}, {6, 6, 3}}}};
  const Track corner = {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 0, 3}};
  const Track opposite = {{10, 10, 0}, {10, 10, 1}, {10, 10, 2}, {10, 10, 3}};
  return make_case(std::move(words),
                   dpe_pair("one of four trips replaced by one at the opposite corner of the map", options,
                            {corner, corner, corner, corner}, opposite));
}

PublishedCase dpe_too_little_noise() {
  return dpe_public_start({"traces", "dpe, public start", traces_paper, traces_claim,
                           "One trajectory changes every one of the m sums, and the noise is made for one."},
                          PublishedDpe::Noise::for_one_sum);
}

PublishedCase dpe_right() {
  return dpe_public_start({"traces", "dpe, public start, noise for all sums", traces_paper, traces_claim,
                           "What follows the noisy sums is a work on noisy numbers and public trips, and the "
                           "noise pays for every sum.",
                           Form::right_twin},
                          PublishedDpe::Noise::for_all_sums);
}

}  // namespace

std::vector<PublishedCase> published_cases() {
  return {lap(),
          lap_own_range(),
          mb(),
          lap_ci(),
          mb_ci(),
          lap_ci_public_order(),
          k_norm_right(),
          k_norm_boundary(),
          k_norm_short(),
          dpe(),
          dpe_too_little_noise(),
          dpe_right()};
}

}  // namespace fogline::audit
