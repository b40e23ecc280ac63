// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "path/attacks.hpp"
#include "path/layer_leak.hpp"
#include "path/recover.hpp"
#include "privacy/guarantee.hpp"
#include "release/analyses/findings.hpp"

namespace fogline::release {

/// What the readers believe about one pair.
struct AttackedPair {
  path::VertexPair pair;
  bool is_step = false;
  path::OneLabel one_label;
  std::optional<path::AllButOne> all_but_one;
  std::optional<path::Belief> every_vertex;
  double standard_error = 0;
};

/// What an attack on a published route found.
struct AttackedPath {
  path::PublicPath shown;
  bool one_pair = false;  ///< one pair was asked for, not every step of the route
  bool has_statement = false;
  privacy::Guarantee guarantee;  ///< of the statement; without one, as far as the file tells
  path::Recovered read;
  std::vector<AttackedPair> attacked;
  std::optional<path::EveryVertex> every_vertex;
  std::string no_every_vertex;  ///< why there is nothing of that reader
  std::optional<path::LayerLeak> leak;
  std::string no_leak;  ///< published form: why there is nothing of the layers

  bool has_promise() const { return guarantee.notion() != privacy::Notion::none; }
  std::string bounds() const;          ///< whose loss the promise bounds
  std::string no_all_but_one() const;  ///< why there is nothing of that reader, where there is nothing

  Findings findings() const;
};

}  // namespace fogline::release
