// SPDX-License-Identifier: Apache-2.0
// Moves one position on a lattice. A real release is charged to a ledger first: see privacy/ledger.hpp.
#include <iostream>

#include <fogline/place/gem.hpp>
#include <fogline/roads/read_network.hpp>

int main() {
  const auto map = fogline::roads::read_network("lattice:20x20:1500");
  const fogline::place::Gem gem(map.graph, {.epsilon = fogline::privacy::EpsilonPerMetre{1, 100}});
  auto noise = fogline::random::Key::from_operating_system().stream("place");
  std::cout << "released vertex " << gem.release(210, noise) << " of " << map.vertex_count() << ": "
            << to_string(gem.guarantee()) << "\n";
}
