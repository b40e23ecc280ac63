// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "fogline/error.hpp"
#include "fogline/listener.hpp"
#include "release/caller.hpp"

namespace fogline::api {

/// A listener as the walk knows whoever asks.
class ListeningCaller : public release::Caller {
 public:
  explicit ListeningCaller(Listener& listener) : listener_(listener) {}
  using Caller::warn;
  void note(std::string_view text) override { listener_.note(text); }
  void detail(std::string_view text) override { listener_.detail(text); }
  void warn(std::string_view text) override { listener_.warn(text); }
  Progress progress() override {
    return [this](const ProgressUpdate& at) { return listener_.progress(at.task, at.done, at.total); };
  }
  void enter(release::Stage stage, std::uint64_t /*entry*/) override {
    if (stage == release::Stage::charging && !listener_.charging()) throw Cancelled();
  }
  bool is_wanted() const override { return listener_.is_wanted(); }
  int threads() const override { return listener_.threads(); }
  std::int64_t now() const override { return listener_.now(); }
  double seconds() const override { return listener_.seconds(); }

 private:
  Listener& listener_;
};

}  // namespace fogline::api
