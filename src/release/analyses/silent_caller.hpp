// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "release/caller.hpp"

namespace fogline::release {

/// For releases of invented records, many of them: nobody wants to be told about each. One thread, since an auditor hears noise in the order in which it is
/// drawn.
class SilentCaller : public Caller {
 public:
  explicit SilentCaller(Caller& asking) : asking_(asking) {}
  using Caller::warn;
  void note(std::string_view /*text*/) override {}
  void detail(std::string_view /*text*/) override {}
  void warn(std::string_view /*text*/) override {}
  int threads() const override { return 1; }
  std::int64_t now() const override { return asking_.now(); }
  bool is_wanted() const override { return asking_.is_wanted(); }

 private:
  Caller& asking_;
};

}  // namespace fogline::release
