// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "base/figure_kind.hpp"
#include "privacy/guarantee.hpp"
#include "random/key.hpp"
#include "traces/frame/frame.hpp"
#include "traces/frame/trip_set.hpp"

namespace fogline::traces {

/// A mechanism to be shown beside the paper's: trips in a frame, an epsilon, a key; synthetic trips.
using TripSynthesis =
    std::function<TripSet(const TripSet&, const Frame&, const privacy::Epsilon&, const random::Key&)>;

/// Figure 2: the paper's three measures against epsilon, for its mechanism, for `sound` if there is one, and for trips drawn again from the true ones.
Figure utility_figure(const FigureOptions& options, const TripSynthesis& sound);

}  // namespace fogline::traces
