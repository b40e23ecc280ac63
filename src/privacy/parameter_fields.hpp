// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/rational.hpp"
#include "privacy/statement.hpp"

namespace fogline::privacy {

/// Reading the terms of a release back from its statement: what the kinds have in common.
///
///     Rational delta = fraction_of(parameters, "delta");
///     require_spelling(parameters, terms.parameters());

/// A parameter. Throws InvalidOption, naming it, if it is missing or of another type; a truth value that is missing is false.
std::string text_of(const nlohmann::ordered_json& parameters, const std::string& name);
bool truth_of(const nlohmann::ordered_json& parameters, const std::string& name);
std::uint64_t count_of(const nlohmann::ordered_json& parameters, const std::string& name);
Rational fraction_of(const nlohmann::ordered_json& parameters, const std::string& name);

/// Hands out the public inputs of a statement, which are files in a fixed order.
class InputFiles {
 public:
  explicit InputFiles(const std::vector<PublicInput>& inputs) : inputs_(inputs) {}
  PublicInput next();             ///< throws InvalidOption if there is no other, or if it is no file
  void require_all_used() const;  ///< throws InvalidOption

 private:
  const std::vector<PublicInput>& inputs_;
  std::size_t used_ = 0;
};

/// Throws InvalidOption unless the parameters are those that the terms read from them would write, each in its one spelling.
void require_spelling(const nlohmann::ordered_json& given, const nlohmann::ordered_json& again);

}  // namespace fogline::privacy
