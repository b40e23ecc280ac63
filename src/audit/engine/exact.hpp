// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "kernel/certificate.hpp"
#include "kernel/relation.hpp"
#include "privacy/guarantee.hpp"
#include "random/stream.hpp"

namespace fogline::audit {

/// One draw of a mechanism, as the index of the output in its table.
using DrawFunction = std::function<std::size_t(kernel::InputId, random::Stream&)>;

/// A finite mechanism as an auditor sees it: what it claims, what must look alike, its table and its sampler.
struct ExactCase {
  std::string name;           ///< begins the sentences
  privacy::Guarantee claim;   ///< of a notion that fits the relation, or `none`
  kernel::Relation relation;  ///< what must look alike
  kernel::RowFunction row;    ///< the table; asked from several threads
  DrawFunction draw = {};     ///< the sampler; only audit/engine/fit.hpp needs it, from several threads
};

/// What the table says about the claim. The figures are in the claim's measure: per metre for a metric, plain otherwise.
struct ExactVerdict {
  bool holds = false;                    ///< proved from the table; false where nothing is claimed
  bool broken = false;                   ///< disproved from the table
  double loss_low = 0;                   ///< the largest loss is at least this
  double loss_high = 0;                  ///< and at most this
  std::optional<double> share_of_claim;  ///< loss_high / epsilon; empty where nothing is claimed
  kernel::Certificate certificate;       ///< the same per unit of the relation's distance, and where
  std::string sentence;                  ///< in plain words
};

/// Certifies a case from its integers.
///
///     ExactVerdict verdict = audit_exactly({.name = "blocks", .claim = table.guarantee(),
///                                           .relation = kernel::Relation::complete(501), .row = row});
///     if (!verdict.holds) throw std::runtime_error(verdict.sentence);
///
/// `holds` is about the table; that the sampler follows it is audit/engine/fit.hpp's question. A loss within rounding of the claim
/// (2^-50 of it) is neither proved nor disproved.
///
/// Throws InvalidOption if notion and relation do not fit (metric DP: metric; pure DP: complete; policy DP: policy; one-sided DP:
/// one-sided; none: any), or the claim is not of an exact sampler, about which no table proves anything. Cost: kernel/certificate.hpp.
ExactVerdict audit_exactly(const ExactCase& subject, const kernel::CertifyOptions& options = {});

}  // namespace fogline::audit
