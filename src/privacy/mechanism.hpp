// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>

#include "privacy/guarantee.hpp"
#include "random/stream.hpp"

namespace fogline::privacy {

/// The face every mechanism of every room shows. It is constructed from public inputs and validated options, says what it
/// promises, and turns one private input and one stream of noise into one output. Auditors, attacks and reports are
/// written against it.
template <class M>
concept Mechanism = requires(const M& mechanism, const typename M::Input& input, random::Stream& noise) {
  { mechanism.guarantee() } -> std::same_as<Guarantee>;
  { mechanism.release(input, noise) } -> std::same_as<typename M::Output>;
};

/// A mechanism whose probabilities can be computed: log_weight(output, input) is ln P(output | input), minus infinity for
/// what cannot happen. For measures, attacks and Bayesian updates; releases draw from integers and never look at it.
template <class M>
concept WeightedMechanism = Mechanism<M> && requires(const M& mechanism, const typename M::Output& output,
                                                     const typename M::Input& input) {
  { mechanism.log_weight(output, input) } -> std::same_as<double>;
};

}  // namespace fogline::privacy
