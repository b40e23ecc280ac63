// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "path/attacks.hpp"
#include "path/layer_leak.hpp"
#include "path/recover.hpp"
#include "privacy/guarantee.hpp"

namespace fogline::cli {

/// What the readers believe about one pair.
struct AttackedPair {
  path::VertexPair pair;
  bool is_step = false;
  path::OneLabel one_label;
  std::optional<path::AllButOne> all_but_one;
  std::optional<path::Belief> every_vertex;
  double standard_error = 0;
};

/// What `path attack` found, and how it is printed.
struct PathAttackReport {
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

  nlohmann::ordered_json as_json() const;
  std::string as_text() const;
};

}  // namespace fogline::cli
