// SPDX-License-Identifier: Apache-2.0
#include "audit/specimens/published.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "audit/specimens/published_dpe.hpp"
#include "audit/specimens/published_k_norm.hpp"
#include "audit/specimens/published_weights_cases.hpp"

namespace fogline::audit {
namespace {

using CaseForm = PublishedCase::Form;

constexpr auto stream_paper = "Xiao, Shen, Liu, Xiong, Jin, Xu: DPHMM";
constexpr auto traces_paper =
    "Liu, Song, Wang: A Privacy-Preserving Trajectory Synthesis Method Based on Vector Translation "
    "Invariance";

constexpr auto stream_claim = "epsilon-DP at epsilon 0.5 for two places of the set";
constexpr auto traces_claim = "epsilon-DP at epsilon 1 for one trajectory";

/// What a case says about itself; the pair gives the rest.
struct Words {
  std::string kind, mechanism, paper, claim, reason;
  CaseForm form = CaseForm::broken;
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
                 CaseForm::right_twin},
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
                           CaseForm::right_twin},
                          PublishedDpe::Noise::for_all_sums);
}

}  // namespace

std::vector<PublishedCase> published_cases() {
  std::vector<PublishedCase> all = published_weights_cases();
  for (const auto make :
       {k_norm_right, k_norm_boundary, k_norm_short, dpe, dpe_too_little_noise, dpe_right}) {
    all.push_back(make());
  }
  return all;
}

}  // namespace fogline::audit
