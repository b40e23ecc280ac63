// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "release/caller.hpp"

namespace fogline::release {

/// Stands between a request and whoever asked, and passes on nothing that is said, nor how far it is: only the wish to stop, the clock and the number of threads. For
/// records that whoever asked may not know, and for releases of invented ones, of which nobody wants to be told.
class QuietCaller : public Caller {
 public:
  explicit QuietCaller(Caller& asking) : QuietCaller(asking, asking.threads()) {}
  QuietCaller(Caller& asking, int threads) : asking_(asking), threads_(threads) {}
  using Caller::warn;
  void note(std::string_view /*text*/) override {}
  void detail(std::string_view /*text*/) override {}
  void warn(std::string_view /*text*/) override {}
  int threads() const override { return threads_; }
  std::int64_t now() const override { return asking_.now(); }
  double seconds() const override { return asking_.seconds(); }
  std::string temporary_folder() const override { return asking_.temporary_folder(); }
  std::string cache_folder() const override { return asking_.cache_folder(); }
  bool is_wanted() const override { return asking_.is_wanted(); }
  Progress progress() override {
    // Of whoever asked, who outlives the release; what is built while records are taken keeps it longer than this caller lives.
    return [&asking = asking_](const ProgressUpdate&) { return asking.is_wanted(); };
  }

 private:
  Caller& asking_;
  int threads_;
};

}  // namespace fogline::release
