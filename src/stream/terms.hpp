// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "mobility/model_file.hpp"
#include "privacy/parameter_table.hpp"
#include "privacy/persons.hpp"
#include "privacy/statement.hpp"
#include "stream/tracker.hpp"

namespace fogline::stream {

/// What is released at each step.
enum class Finish {
  estimate,  ///< the point of least expected distance, given all answers so far
  smoothed,  ///< the same, given all answers of the sequence, those after the step too
  raw        ///< the drawn answer as the paper releases it
};
std::string_view to_string(Finish finish);  ///< "estimate", "smoothed", "raw"
Finish finish_from(std::string_view text);  ///< throws InvalidOption

/// What epsilon is charged for.
enum class ProtectedPart {
  step,     ///< one state of the sequence, the others being the same
  sequence  ///< all states of the sequence: epsilon per step times the declared number of steps
};
std::string_view to_string(ProtectedPart part);  ///< "step", "sequence"

std::string_view to_string(MechanismKind kind);       ///< "auto", "optimal", "grouped", "k-norm", "laplace"
MechanismKind mechanism_from(std::string_view text);  ///< throws InvalidOption
std::string_view to_string(mobility::Start start);    ///< "model", "uniform", "stationary"
mobility::Start start_from(std::string_view text);    ///< throws InvalidOption
std::string_view to_string(Repair repair);            ///< "none", "nearest", "least-area", "partners"
Repair repair_from(std::string_view text);            ///< throws InvalidOption
std::vector<std::string_view> mechanism_names();      ///< as to_string gives them

/// What a release of a stream says about itself. Everything follows from the public things below, so that the reader of a statement can
/// compute what its writer wrote.
///
///     StreamTerms terms{.epsilon = {1, 1}, .policy = "util:1000", .model = public_file("model.json")};
///     terms.guarantee();      // policy DP, epsilon 1, protecting one state of a sequence ...
///     assert(terms_from(statement).guarantee() == statement.guarantee);
struct StreamTerms {
  static constexpr std::uint64_t most_sequences_per_person = 1'000'000;

  MechanismKind mechanism = MechanismKind::automatic;
  privacy::Epsilon epsilon;  ///< per step
  std::string policy = {};   ///< as PolicyText::text() gives it
  privacy::PublicInput model = {};
  std::optional<privacy::PublicInput> query_file = {};    ///< measurements in place of the model's
  std::optional<privacy::PublicInput> initial_file = {};  ///< first state in place of the model's
  mobility::Start start = mobility::Start::as_given;
  std::vector<privacy::PublicInput> policy_files = {};
  std::optional<privacy::PublicInput> partners_file = {};  ///< set exactly if repair is `partners`
  std::optional<privacy::PublicInput> begin_file =
      {};  ///< the saved public state that the release goes on from
  Repair repair = Repair::least_area;
  Rational delta = {};             ///< of the delta-location set; 0: all possible states
  std::string lattice_step = {};   ///< as given; empty: chosen
  std::size_t table_states = 100;  ///< StreamSetting::table_states
  std::size_t groups = 0;          ///< StreamSetting::groups
  Finish finish = Finish::estimate;
  ProtectedPart part = ProtectedPart::step;
  std::uint64_t steps = 0;                 ///< at most so many; counts for `sequence`, where it is 1 or more
  std::uint64_t sequences_per_person = 0;  ///< that the promise covers, to 1,000,000; 0: each alone
  privacy::Persons persons = privacy::Persons::unsaid;   ///< how they are told apart, if those are a person's
  privacy::TooMany too_many = privacy::TooMany::refuse;  ///< what became of sequences and steps beyond

  /// Without `partner`, which is read from its file.
  StreamSetting setting() const;

  /// Does the policy join every two states of the model? Of any other, some are told apart for certain, whatever epsilon is: those that it does not join, and those
  /// whose partners are not possible at a step.
  bool joins_all_states() const { return policy == "complete"; }

  Rational epsilon_of_sequence() const;  ///< what one sequence costs: epsilon, or epsilon times steps
  /// Throws InvalidOption if epsilon for all that is protected is above 1,000.
  privacy::Guarantee guarantee() const;
  void declare(privacy::ParameterTable& table);  ///< the parameters, for a mechanism that is known
  static std::vector<privacy::ParameterTable::Listed> listed();  ///< every parameter there may be
  nlohmann::ordered_json parameters() const;
  std::vector<privacy::PublicInput> public_inputs() const;
  std::vector<std::string> promise() const;
  std::vector<std::string> not_protected() const;

  /// The statement of a release under these terms, complete but for outputs, outcome, ledger and randomness.
  privacy::Statement draft() const;

 private:
  std::string unit() const;
};

/// Reads the terms back. Throws InvalidOption naming the first parameter that is missing, unknown, of the wrong type, out of range or not in the
/// one spelling that StreamTerms::parameters() gives it.
StreamTerms terms_from(const privacy::Statement& statement);

}  // namespace fogline::stream
