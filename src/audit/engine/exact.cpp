// SPDX-License-Identifier: Apache-2.0
#include "audit/engine/exact.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/error.hpp"

namespace fogline::audit {
namespace {

using kernel::Relation;
using privacy::Notion;

constexpr std::uint64_t mm_per_metre = 1000;

bool fits(Notion notion, Relation::Kind kind) {
  switch (notion) {
    case Notion::metric_dp:
      return kind == Relation::Kind::metric;
    case Notion::pure_dp:
      return kind == Relation::Kind::complete;
    case Notion::policy_dp:
      return kind == Relation::Kind::policy;
    case Notion::one_sided_dp:
      return kind == Relation::Kind::one_sided;
    case Notion::none:
      return true;
  }
  return false;
}

void require_auditable(const ExactCase& subject) {
  const Notion notion = subject.claim.notion();
  if (!fits(notion, subject.relation.kind())) {
    throw InvalidOption("relation", fmt::format("is {}, which does not fit a claim of {}",
                                                to_string(subject.relation.kind()), to_string(notion)));
  }
  if (notion != Notion::none && subject.claim.exactness() != privacy::Exactness::exact) {
    throw InvalidOption("claim", fmt::format("is {}; a table proves something of an exact sampler only",
                                             to_string(subject.claim.exactness())));
  }
  if (!subject.row) throw InvalidOption("row", "is missing: without a table there is nothing to certify");
}

bool is_metric(const ExactCase& subject) {
  return subject.relation.kind() == Relation::Kind::metric;
}

/// Into the claim's measure, a step outwards for the rounding of the product.
double in_measure(const ExactCase& subject, double loss_per_unit, double outwards) {
  if (!is_metric(subject) || loss_per_unit == 0 || std::isinf(loss_per_unit)) return loss_per_unit;
  return std::nextafter(loss_per_unit * mm_per_metre, outwards);
}

std::string figure(const ExactCase& subject, double loss) {
  if (std::isinf(loss)) return "unbounded";
  return fmt::format("{:.6g}{}", loss, is_metric(subject) ? " per metre" : "");
}

std::string where(const kernel::LossBound& loss) {
  return fmt::format("at output {} from input {} against input {}", loss.output, loss.at.from, loss.at.to);
}

std::string found(const ExactCase& subject, const ExactVerdict& verdict) {
  std::string text = fmt::format("over {} pair{} of inputs and all outputs its largest loss is {}",
                                 verdict.certificate.pairs, verdict.certificate.pairs == 1 ? "" : "s",
                                 figure(subject, verdict.loss_high));
  if (verdict.share_of_claim && std::isfinite(*verdict.share_of_claim)) {
    text += fmt::format(", {:.4g} % of the epsilon {} claimed", 100 * *verdict.share_of_claim,
                        subject.claim.epsilon().to_string());
  }
  return text + ", " + where(verdict.certificate.loss);
}

std::string judgement(const ExactCase& subject, const ExactVerdict& verdict) {
  if (subject.claim.notion() == Notion::none) return "promises nothing";
  if (verdict.holds) return "keeps its promise";
  return verdict.broken ? "breaks its promise" : "is too close to its claim to tell";
}

std::string sentence_of(const ExactCase& subject, const ExactVerdict& verdict) {
  const std::string begin = subject.name + " " + judgement(subject, verdict) + ": ";
  if (verdict.certificate.pairs == 0) return begin + "no two inputs have to look alike.";
  std::string text = begin + found(subject, verdict) + ".";
  if (const auto& other = verdict.certificate.unprotected) {
    text +=
        fmt::format(" The other way, of which nothing is promised, it is {}.", figure(subject, other->high));
  }
  return text;
}

}  // namespace

ExactVerdict audit_exactly(const ExactCase& subject, const kernel::CertifyOptions& options) {
  require_auditable(subject);
  ExactVerdict verdict;
  verdict.certificate = kernel::certify(subject.relation, subject.row, options);
  const kernel::LossBound& loss = verdict.certificate.loss;
  verdict.loss_low = in_measure(subject, loss.low, 0);
  verdict.loss_high = in_measure(subject, loss.high, std::numeric_limits<double>::infinity());
  if (subject.claim.notion() != Notion::none) {
    const Rational per_unit =
        is_metric(subject) ? subject.claim.epsilon() / mm_per_metre : subject.claim.epsilon();
    verdict.holds = holds(verdict.certificate, per_unit);
    verdict.broken = !at_most(loss.low, per_unit);
    verdict.share_of_claim = verdict.loss_high / subject.claim.epsilon().to_double();
  }
  verdict.sentence = sentence_of(subject, verdict);
  return verdict;
}

}  // namespace fogline::audit
