// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "place/mechanism.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// How far the best answer errs, in metres, that looks at no position and costs nothing: one vertex for everybody. A release that errs
/// as far is not worth its budget.
///
///     const ExpectedError error = mechanism->expected_error({.prior = prior});
///     const std::optional<double> free = free_error_m(map, prior, error);      // error.q_loss_m < 0.99 * *free: worth it
///
/// Measured as `error` is, by road or straight. `prior` has a probability for each vertex; empty: all alike. Nothing if the map has parts
/// that no road joins, or no vertex.
///
/// The vertex is looked for from the middle of the map, from neighbour to neighbour as long as that is nearer to everybody, and only
/// until it is clear that `error` is well below: an upper bound of the best, which on a
/// tree it is if 64 searches lead there.
/// Cost: one search over the network if the release is worth it by far, and at most 64 otherwise.
std::optional<double> free_error_m(const roads::RoadNetwork& map, std::span<const double> prior,
                                   const ExpectedError& error);

}  // namespace fogline::place
