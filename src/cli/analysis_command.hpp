// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "cli/command.hpp"
#include "release/analyses/analysis.hpp"

namespace fogline::cli {

/// A verb that releases nothing: its options are the fields of an analysis, and what that found is printed, as JSON or laid out for
/// people. What does not pass ends with exit code 1. Where a file is the answer, what tells of it goes where notes go, and so does everything if the file
/// goes to standard output.
class AnalysisCommand : public Command {
 public:
  AnalysisCommand(CommandInfo info, std::unique_ptr<release::Analysis> analysis);

  CommandInfo info() const override { return info_; }
  void declare(OptionSet& options) override;
  int run(Session& session) override;

 private:
  void show(Session& session, const release::Findings& found) const;

  CommandInfo info_;
  std::unique_ptr<release::Analysis> analysis_;
  bool json_ = false;
};

/// Findings as text for a terminal, fields spelled as options.
std::string laid_out(const release::Findings& found);

}  // namespace fogline::cli
