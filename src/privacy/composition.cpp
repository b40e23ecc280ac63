// SPDX-License-Identifier: Apache-2.0
#include "privacy/composition.hpp"

namespace fogline::privacy {

Guarantee sum(std::span<const Guarantee> releases) {
  if (releases.empty()) throw InvalidOption("releases", "there is none to add up; give at least 1");
  Guarantee total = releases.front();
  for (const Guarantee& next : releases.subspan(1)) total = compose(total, next);
  return total;
}

Guarantee times(const Guarantee& guarantee, std::uint64_t releases) {
  if (releases == 0) throw InvalidOption("releases", "is 0; it must be at least 1");
  if (guarantee.notion() == Notion::none) return guarantee;
  return Guarantee::from_parts({guarantee.notion(),
                                guarantee.epsilon() * releases,
                                guarantee.delta() * releases,
                                guarantee.unit(),
                                guarantee.exactness(),
                                {},
                                guarantee.cover()});
}

Guarantee seeded(const Guarantee& guarantee) {
  if (guarantee.notion() == Notion::none) return guarantee;
  return Guarantee::none(guarantee.unit(),
                         "the randomness came from a fixed seed; drawn from the operating "
                         "system it would be: " +
                             to_string(guarantee));
}

}  // namespace fogline::privacy
