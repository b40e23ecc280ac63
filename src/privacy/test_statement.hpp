// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "privacy/file_hash.hpp"
#include "privacy/statement.hpp"

namespace fogline::privacy {

/// A complete statement for tests: one place release, entry 7 of a ledger.
inline Statement sample_statement() {
  return {
      .kind = "place",
      .mechanism = "gem",
      .form = Form::sound,
      .guarantee = Guarantee::metric(EpsilonPerMetre{1, 100}, "one report", Exactness::exact),
      .parameters =
          nlohmann::ordered_json{
              {"range", "all vertices"}, {"epsilon_per_metre", "0.01"}, {"weight_bits", 60}},
      .public_inputs = {{"network", "", "line:101:1000"}, {"prior.csv", sha256_of_text("prior"), ""}},
      .outputs = {{"safe.csv", sha256_of_text("output"), 3}},
      .ledger = LedgerReference{std::string(32, 'a'), 7, sha256_of_text("entry"), "riders"},
      .version = "0.1.0",
      .randomness = random::Source::operating_system,
      .expected_error = ExpectedError{164.25, "m", "exact, from the kernel, over a uniform prior"},
      .not_protected = {"How many reports there are.", "That a report lies on this network."},
      .promise =
          {"Two positions d metres apart give any answer with probabilities within a factor e^(0.01 d)."},
  };
}

}  // namespace fogline::privacy
