// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "release/caller.hpp"

namespace fogline::release {

/// A caller for tests: keeps what it is told.
class TestCaller : public Caller {
 public:
  using Caller::warn;
  void note(std::string_view text) override { notes.emplace_back(text); }
  void detail(std::string_view) override {}
  void warn(std::string_view text) override { warnings.emplace_back(text); }
  int threads() const override { return 2; }
  std::int64_t now() const override { return 1'700'000'000; }
  void enter(Stage stage, std::uint64_t) override { stages.push_back(stage); }

  std::vector<std::string> notes, warnings;
  std::vector<Stage> stages;
};

}  // namespace fogline::release
