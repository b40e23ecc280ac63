// SPDX-License-Identifier: Apache-2.0
#include "fogline/findings.hpp"

#include "release/analyses/analysis.hpp"
#include "release/analyses/findings.hpp"
#include "release/json_text.hpp"

namespace fogline::release {

fogline::Findings finished(Findings found) {
  return {.json = json_text(found.json.json()),
          .pieces = std::move(found.pieces),
          .passed = found.passed,
          .is_shown = found.is_shown};
}

Findings find(Analysis& request, Caller& caller) try {
  FieldTable table;
  request.declare(table);
  require_in_range(table);
  const io::LimitScope scope(request.limits.value(caller));
  return request.run(caller);
} catch (const InvalidOption& error) {
  refuse_with_allowed(request, error);
}

}  // namespace fogline::release
