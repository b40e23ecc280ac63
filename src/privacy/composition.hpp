// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "privacy/guarantee.hpp"

namespace fogline::privacy {

/// Sequential composition of any number of releases of the same data. The later ones may depend on the
/// outputs of the earlier ones: for all notions here the losses add either way.
///
///     Guarantee day = times(report.guarantee(), 48);          // 48 reports of one user
///     Guarantee all = sum(std::vector{day, home.guarantee()}); // throws IncompatibleGuarantees
///
/// sum throws InvalidOption for no guarantee at all. Both throw Rational::Overflow when the total cannot be
/// kept exactly; they never round.
Guarantee sum(std::span<const Guarantee> releases);

/// `releases` of the same guarantee, 1 or more.
Guarantee times(const Guarantee& guarantee, std::uint64_t releases);

/// What is left of a promise when the noise comes from a fixed seed: nothing, since who knows the seed can
/// take the noise off again. The reason names what the same run promises with randomness of the operating
/// system.
Guarantee seeded(const Guarantee& guarantee);

}  // namespace fogline::privacy
