// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stream/steps/step_mechanism.hpp"
#include "stream/steps/table_program.hpp"

namespace fogline::stream {

/// A step drawn from tables of integers, one for each part of the policy: what `optimal` and `grouped` make.
///
///     std::unique_ptr<TableStep> step = make_optimal(situation, Rational(1));
///     step->expected_error();       // under the situation's prior, in steps
///     step->lower_bound();          // no table over the same answers that keeps the promise has less
///
/// An answer is the number of an output. Outputs of different parts differ: the policy allows to tell its parts apart.
class TableStep : public StepMechanism {
 public:
  /// The table of one part, and the points its outputs stand for, `dimension` numbers each.
  struct Part {
    CertifiedTable certified;
    std::vector<double> points = {};
    double mass = 0;  ///< of the prior
  };
  /// Where a state finds its row.
  struct Row {
    std::uint32_t part = 0;
    std::uint32_t row = 0;
  };

  /// Throws Cancelled: the certificate is made here.
  TableStep(std::string name, const Situation& situation, const Rational& epsilon, std::vector<Part> parts,
            std::vector<Row> row_of_state, const Progress& progress = {});

  std::string_view name() const override { return name_; }
  Answer draw(std::uint32_t state, random::Stream& noise) const override;
  void log_weights(const Answer& answer, std::span<double> out) const override;
  std::vector<double> raw_point(const Answer& answer) const override;
  StepCertificate certify() const override { return certificate_; }

  double expected_error() const {
    return expected_error_;
  }                                                    ///< of the raw points, from the integers; in steps
  double lower_bound() const { return lower_bound_; }  ///< 0 where a fallback was taken
  bool is_fallback() const { return is_fallback_; }    ///< in some part
  std::size_t parts() const { return parts_.size(); }
  std::size_t outputs() const { return first_output_.back(); }

 private:
  /// The part of an answer, and its output there. Throws InvalidOption if there is no such output.
  struct Output {
    std::size_t part = 0;
    std::size_t output = 0;
  };
  Output output_of(const Answer& answer) const;
  StepCertificate certified(const LocalPolicy& policy, const Rational& epsilon,
                            const Progress& progress) const;

  std::string name_;
  std::size_t dimension_;
  std::vector<Part> parts_;
  std::vector<Row> row_of_state_;
  std::vector<std::size_t> first_output_ = {0};  // per part, and one more
  double expected_error_ = 0;
  double lower_bound_ = 0;
  bool is_fallback_ = false;
  StepCertificate certificate_;
};

}  // namespace fogline::stream
