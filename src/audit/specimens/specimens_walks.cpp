// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include "audit/specimens/specimen.hpp"
#include "fogline/version.hpp"
#include "privacy/release.hpp"

namespace fogline::audit {
namespace {

using Draw = std::function<std::string()>;

privacy::Statement statement_of(const WalkFiles& files) {
  return {.kind = "weights",
          .mechanism = "specimen",
          .form = privacy::Form::sound,
          .guarantee = files.cost,
          .public_inputs = {},
          .outputs = {},
          .ledger = privacy::NoLedgerEntry{"not charged yet"},
          .version = std::string(version),
          .randomness = random::Source::operating_system,
          .expected_error = {},
          .not_protected = {"Nothing was released: this is a test of the walk."},
          .promise = {"Nothing was released: this is a test of the walk."}};
}

void charge(const WalkFiles& files) {
  privacy::Ledger(files.ledger, {})
      .charge({files.dataset, "weights", "specimen", files.cost, "out.txt", std::string(version), 0});
}

void write(const WalkFiles& files, const std::string& text) {
  std::ofstream(files.output) << text;
}

/// The walk every release of the project takes.
void right_walk(const WalkFiles& files, const Draw& draw) {
  privacy::release({.draft = statement_of(files),
                    .dataset = files.dataset,
                    .ledger = files.ledger,
                    .output = files.output,
                    .overwrite = true},
                   [&](const random::Key&) {
                     return privacy::Drawn{draw(), 1};
                   });
}

void charges_after(const WalkFiles& files, const Draw& draw) {
  write(files, draw());
  charge(files);
}

void charges_between(const WalkFiles& files, const Draw& draw) {
  const std::string text = draw();
  charge(files);
  write(files, text);
}

/// Tries once more when a draw fails, with fresh noise under the old charge.
void draws_again(const WalkFiles& files, const Draw& draw) {
  charge(files);
  std::string text;
  try {
    text = draw();
  } catch (const Error&) {
    text = draw();
  }
  write(files, text);
}

Specimen make(std::string name, std::string words, bool broken, Walk walk) {
  return {.origin = Origin::planted,
          .name = std::move(name),
          .words = std::move(words),
          .broken = broken,
          .walk = std::move(walk)};
}

}  // namespace

std::vector<Specimen> walk_specimens() {
  return {
      make("charge after release", "the ledger is charged once the output is written", true, charges_after),
      make("charge after draw", "the ledger is charged after the draw, before the output is written", true,
           charges_between),
      make("second draw for one charge", "a failed draw is repeated with fresh noise under the old charge",
           true, draws_again),
      make("charge before draw", "the walk that every release takes", false, right_walk)};
}

}  // namespace fogline::audit
