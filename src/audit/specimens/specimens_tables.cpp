// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "audit/specimens/specimen.hpp"
#include "kernel/exponential_rule.hpp"
#include "random/noise.hpp"
#include "random/weight_table.hpp"

namespace fogline::audit {
namespace {

using kernel::ExponentialRule;
using kernel::InputId;
using kernel::Relation;
using kernel::WeightRow;
using random::CumulativeTable;
using random::Stream;

using Rows = std::vector<std::vector<Uint128>>;
using Sampler = std::function<std::size_t(const CumulativeTable&, Stream&)>;

/// What all specimens share: a table, its sampler, a claim on a relation, and the two inputs to look at.
struct Table {
  Rows rows;
  Sampler sampler;
  privacy::Guarantee claim;
  Relation relation;
  InputId first = 0, second = 1;
  double claimed_loss = 1;
};

std::size_t right_sampler(const CumulativeTable& table, Stream& noise) {
  return table.draw(noise);
}

WeightRow row_of(const std::vector<Uint128>& weights) {
  WeightRow row{weights, 0};
  for (const Uint128 weight : weights) row.total += weight;
  return row;
}

Specimen make(const std::string& name, std::string words, bool broken, const Table& table) {
  std::vector<CumulativeTable> samplers;
  for (const auto& row : table.rows) samplers.emplace_back(row);
  const auto tables = std::make_shared<const std::vector<CumulativeTable>>(std::move(samplers));
  const auto draw = [tables, sampler = table.sampler](InputId input, Stream& noise) {
    return sampler((*tables)[input], noise);
  };
  const auto numbers = [draw](InputId input) {
    return [draw, input](Stream& noise) { return Numbers{static_cast<double>(draw(input, noise))}; };
  };
  const auto text = [draw, tables](InputId input) {
    return [draw, tables, input](const random::Key& key) {
      Stream noise = key.stream("specimen");
      const auto odds = [&](std::uint64_t output) {
        return random::Odds{(*tables)[input].weight(output), (*tables)[input].total()};
      };
      return fmt::format("{}", random::choose(
                                   "output", noise, [&] { return draw(input, noise); }, odds));
    };
  };
  const std::string pair = fmt::format("inputs {} and {}", table.first, table.second);
  return {.origin = Origin::planted,
          .name = name,
          .words = std::move(words),
          .broken = broken,
          .pairs = {{.words = pair,
                     .first = numbers(table.first),
                     .second = numbers(table.second),
                     .claimed_loss = table.claimed_loss}},
          .replay_case = ReplayCase{.words = pair,
                                    .first = text(table.first),
                                    .second = text(table.second),
                                    .claimed_loss = table.claimed_loss},
          .exact_case = ExactCase{.name = name,
                                  .claim = table.claim,
                                  .relation = table.relation,
                                  .row = [rows = table.rows](InputId input) { return row_of(rows[input]); },
                                  .draw = draw}};
}

constexpr int line_length = 12;
constexpr std::uint64_t step_mm = 100'000;

/// Positions 100 m apart on a line; `weight` gives the weight of a distance in millimetres.
template <class Weight>
Table on_line(const privacy::EpsilonPerMetre& epsilon, const Weight& weight) {
  std::vector<kernel::RelatedPair> edges;
  Rows rows(line_length);
  for (int v = 0; v < line_length; ++v) {
    for (int o = 0; o < line_length; ++o)
      rows[static_cast<std::size_t>(v)].push_back(
          weight(static_cast<std::uint64_t>(std::abs(v - o)) * step_mm));
    if (v > 0) edges.push_back({static_cast<InputId>(v - 1), static_cast<InputId>(v), step_mm});
  }
  return {.rows = rows,
          .sampler = right_sampler,
          .claim = privacy::Guarantee::metric(epsilon, "one position", privacy::Exactness::exact),
          .relation = Relation::metric(line_length, edges),
          .claimed_loss = epsilon.value().to_double() * static_cast<double>(step_mm) / 1000};
}

const privacy::EpsilonPerMetre gentle{1, 100}, steep{1, 2};

/// The rule at a share of epsilon: one half is right, since the total changes by as much as a weight.
ExponentialRule rule(const privacy::EpsilonPerMetre& epsilon, std::uint64_t divided_by) {
  return ExponentialRule(epsilon.value() / (1000 * divided_by));
}

Table right_line(const privacy::EpsilonPerMetre& epsilon) {
  return on_line(epsilon,
                 [r = rule(epsilon, 2)](std::uint64_t distance_mm) { return r.weight(distance_mm); });
}

void add_ball(std::vector<Specimen>& all) {
  const auto cut = [r = rule(gentle, 2)](std::uint64_t distance_mm) {
    return distance_mm > 4 * step_mm ? Uint128{0} : r.weight(distance_mm);
  };
  all.push_back(make("support cut to a ball", "nothing farther than 400 m is ever released", true,
                     on_line(gentle, cut)));
  // The sampler follows its table, and a replay sees only what it happens to draw.
  all.back().blind = {Engine::fit, Engine::replay};
  all.push_back(
      make("support cut to a ball", "far positions share a small weight", false, right_line(gentle)));
}

void add_zeros(std::vector<Specimen>& all) {
  const auto rounded = [](std::uint64_t distance_mm) {
    return static_cast<Uint128>(
        std::ldexp(std::exp(-steep.value().to_double() / 2 * static_cast<double>(distance_mm) / 1000), 53));
  };
  all.push_back(make("floating-point table with zeros", "weights of far positions are rounded to 0", true,
                     on_line(steep, rounded)));
  // What happens once in 10^15 draws is seen by no sampling.
  all.back().blind = {Engine::fit};
  all.back().pairs.clear();
  all.back().replay_case.reset();
  all.push_back(
      make("floating-point table with zeros", "no weight falls below 2^64", false, right_line(steep)));
}

void add_exponent(std::vector<Specimen>& all) {
  const auto full = [r = rule(gentle, 1)](std::uint64_t distance_mm) { return r.weight(distance_mm); };
  all.push_back(make("total forgotten", "exponent epsilon where the total needs half of it", true,
                     on_line(gentle, full)));
  all.back().blind = {Engine::fit};
  all.back().effort = 4;  // 1.21 where 1 is claimed
  all.push_back(make("total forgotten", "exponent epsilon / 2", false, right_line(gentle)));
}

/// Randomised response among k answers, of weight `truth` for the true one and 1 for the others.
Table response(std::size_t answers, std::uint64_t truth, const privacy::Epsilon& epsilon) {
  Rows rows(answers, std::vector<Uint128>(answers, 1));
  for (std::size_t i = 0; i < answers; ++i) rows[i][i] = truth;
  return {.rows = rows,
          .sampler = right_sampler,
          .claim = privacy::Guarantee::pure(epsilon, "one answer", privacy::Exactness::exact),
          .relation = Relation::complete(answers),
          .claimed_loss = epsilon.value().to_double()};
}

const privacy::Epsilon one_point_one{11, 10};  // above ln 3 = 1.0986

void add_samplers(std::vector<Specimen>& all) {
  Table table = response(5, 3, one_point_one);
  all.push_back(make("sampler against table", "draws from the table", false, table));
  table.sampler = [](const CumulativeTable& weights, Stream& noise) {
    // Off by one: the last answer's weight is cut off.
    std::size_t answer = weights.draw(noise);
    while (answer + 1 == weights.size()) answer = weights.draw(noise);
    return answer;
  };
  all.push_back(make("last answer never drawn", "a sampler that stops one short", true, table));
  all.back().blind = {Engine::certificate};
  all.back().pairs.clear();        // no pair tells more than it claims, but the table is not what is drawn
  all.back().replay_case.reset();  // the odds are those of the table
  table.sampler = [](const CumulativeTable& weights, Stream& noise) {
    // Seven weights into eight values: the first ones come up twice as often.
    const std::uint64_t at = noise.next64() % 8 % 7;
    std::uint64_t up_to = 0;
    for (std::size_t answer = 0;; ++answer) {
      up_to += low_half(weights.weight(answer));
      if (at < up_to) return answer;
    }
  };
  all.push_back(make("modulo bias", "a remainder instead of a uniform number", true, table));
  all.back().blind = {Engine::certificate};
  all.back().pairs.clear();
  all.back().replay_case.reset();
}

void add_one_sided(std::vector<Specimen>& all) {
  // Input 0: the pair is on the path, and always in H; input 1: it is not, and in H with probability 1/3.
  Table table = response(2, 1, one_point_one);
  table.rows = {{3, 0}, {1, 2}};
  all.push_back(make("one-sided taken for two-sided", "a label that is never denied", true, table));
  all.back().blind = {Engine::fit};
  table.rows = {{3, 1}, {1, 3}};
  all.push_back(make("one-sided taken for two-sided", "a label that is flipped either way", false, table));
  table.rows = {{3, 0}, {1, 2}};
  table.claim = privacy::Guarantee::one_sided(one_point_one, "one label", privacy::Exactness::exact);
  table.relation = Relation::one_sided(2, {{0, 1}});
  all.push_back(
      make("one-sided label", "the same label, claimed in the protected direction only", false, table));
  all.back().pairs.front().one_sided = true;
  all.back().replay_case->one_sided = true;
}

}  // namespace

std::vector<Specimen> table_specimens() {
  std::vector<Specimen> all;
  for (const auto add : {add_ball, add_zeros, add_exponent, add_samplers, add_one_sided}) add(all);
  return all;
}

}  // namespace fogline::audit
