// SPDX-License-Identifier: Apache-2.0
#include "audit/specimens/specimen.hpp"

#include <iterator>

namespace fogline::audit {

std::string_view to_string(Engine engine) {
  switch (engine) {
    case Engine::certificate:
      return "certificate";
    case Engine::fit:
      return "fit";
    case Engine::falsifier:
      return "falsifier";
    case Engine::replay:
      return "replay";
    case Engine::charge_order:
      break;
  }
  return "charge order";
}

std::string_view to_string(Origin origin) {
  switch (origin) {
    case Origin::planted:
      return "planted";
    case Origin::published:
      return "published";
    case Origin::released:
      break;
  }
  return "released";
}

std::vector<Specimen> general_specimens() {
  std::vector<Specimen> all = number_specimens();
  for (const auto& more : {table_specimens, walk_specimens, published_specimens}) {
    auto found = more();
    all.insert(all.end(), std::make_move_iterator(found.begin()), std::make_move_iterator(found.end()));
  }
  return all;
}

}  // namespace fogline::audit
