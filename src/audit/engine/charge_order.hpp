// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "privacy/guarantee.hpp"

namespace fogline::audit {

/// What a walk from plan to output is given.
struct WalkFiles {
  std::string ledger;  ///< exists; the dataset below has a cap
  std::string dataset;
  std::string output;  ///< does not exist yet
  privacy::Guarantee cost = privacy::Guarantee::none("nothing", "nothing is released");  ///< to be charged
};

/// A walk: charges `cost` to the ledger, calls `draw` for what to release, writes it to the output. Throws if it must not or cannot.
using Walk = std::function<void(const WalkFiles&, const std::function<std::string()>& draw)>;

struct ChargeOrderFinding {
  bool broken = false;
  std::string reason = {};  ///< empty if nothing is wrong
};

/// Whether a walk pays before it draws. Runs it four times in `folder` (which must exist and be empty) with a real ledger:
/// with enough budget, over its cap, with a draw that fails, and twice in a row. It is broken if it draws while the ledger has no entry for it, draws more
/// than once for one entry, writes or draws anything over the cap, or leaves an output behind after a failed draw.
ChargeOrderFinding check_charge_order(const Walk& walk, const std::string& folder);

}  // namespace fogline::audit
