// SPDX-License-Identifier: Apache-2.0
#include "stream/steps/optimal.hpp"

#include "stream/steps/table_points.hpp"

namespace fogline::stream {
namespace {

TableStep::Part solved_part(const Situation& situation, PolicyPart part, const Rational& epsilon,
                            const OptimalStepOptions& options) {
  std::vector<double> points = answer_points(situation, part.members);
  const std::size_t dimension = situation.points.dimension;
  TableProgram program{.policy = std::move(part.policy), .outputs = points.size() / dimension};
  const double mass = mass_of(situation, part.members);
  for (const std::uint32_t s : part.members) program.prior.push_back(situation.prior[s] / mass);
  for (std::size_t o = 0; o < program.outputs; ++o) {
    for (const std::uint32_t s : part.members) {
      program.loss.push_back(distance_to(situation, s, std::span(points).subspan(o * dimension, dimension)));
    }
  }
  return {
      certified_table(program, epsilon,
                      {.gap = options.gap, .iterations = options.iterations, .progress = options.progress}),
      std::move(points), mass};
}

}  // namespace

std::unique_ptr<TableStep> make_optimal(const Situation& situation, const Rational& epsilon,
                                        const OptimalStepOptions& options) {
  std::vector<TableStep::Part> parts;
  std::vector<TableStep::Row> rows(situation.states.size());
  for (PolicyPart& part : connected_parts(situation.policy, options.progress)) {
    for (std::uint32_t i = 0; i < part.members.size(); ++i)
      rows[part.members[i]] = {static_cast<std::uint32_t>(parts.size()), i};
    parts.push_back(solved_part(situation, std::move(part), epsilon, options));
  }
  return std::make_unique<TableStep>("optimal", situation, epsilon, std::move(parts), std::move(rows),
                                     options.progress);
}

}  // namespace fogline::stream
