// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/command.hpp"
#include "release/driver.hpp"

namespace fogline::cli {

/// A verb that releases. Its options are the fields of its request, release/driver.hpp walks, and here the outcome is laid out: what was
/// released, where, under which promise, and what is left.
class ReleaseCommand : public Command {
 public:
  ReleaseCommand(CommandInfo info, std::unique_ptr<release::Release> request);

  CommandInfo info() const override { return info_; }
  void declare(OptionSet& options) override;
  int run(Session& session) override;

 private:
  release::Outcome run_request(Session& session) const;
  void tell(Session& session, const release::Outcome& outcome) const;
  void tell_as_json(Session& session, const release::Outcome& outcome) const;

  CommandInfo info_;
  std::unique_ptr<release::Release> request_;
  bool json_ = false;
};

}  // namespace fogline::cli
