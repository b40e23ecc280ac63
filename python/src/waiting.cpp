// SPDX-License-Identifier: Apache-2.0
#include "waiting.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include <unistd.h>

namespace fogline::python {
namespace {

/// A signal is heard within a quarter of a second: it waits for the next look, and then for the task to end by itself.
constexpr std::chrono::milliseconds between_looks{50};
constexpr std::chrono::milliseconds patience{100};

/// Calls that were left alone before they were over, by the process that made them. Never destroyed: their threads may outlive this file's.
struct Left {
  std::vector<std::unique_ptr<Call>> calls;
  pid_t process = getpid();
};

Left& left() {
  static auto* all = new Left;
  if (all->process != getpid()) all = new Left;  // the threads are the parent's
  return *all;
}

}  // namespace

bool Mailbox::progress(std::string_view task, std::uint64_t done, std::uint64_t total) {
  const std::lock_guard lock(mutex_);
  step_ = Step{std::string(task), done, total};
  return !is_stopped_;
}

bool Mailbox::charging() {
  const std::lock_guard lock(mutex_);
  is_charging_ = !is_stopped_;
  return is_charging_;
}

bool Mailbox::may_leave() {
  const std::lock_guard lock(mutex_);
  return is_stopped_ && !is_charging_;
}

void Mailbox::say(const char* level, std::string_view text) {
  std::unique_lock lock(mutex_);
  letters_.push_back({level, std::string(text)});
  const std::uint64_t mine = ++said_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return heard_ >= mine || is_stopped_; });
}

void Mailbox::finish() {
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  changed_.notify_all();
}

bool Mailbox::wait(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, at_most, [&] { return is_over_ || !letters_.empty(); });
  return is_over_;
}

std::optional<Mailbox::Letter> Mailbox::next_letter() {
  const std::lock_guard lock(mutex_);
  if (letters_.empty()) return std::nullopt;
  Letter letter = std::move(letters_.front());
  letters_.pop_front();
  return letter;
}

void Mailbox::heard() {
  const std::lock_guard lock(mutex_);
  ++heard_;
  changed_.notify_all();
}

std::optional<Mailbox::Step> Mailbox::latest_step() {
  const std::lock_guard lock(mutex_);
  return std::exchange(step_, std::nullopt);
}

void Mailbox::stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  changed_.notify_all();
}

void Ear::keep(Mailbox& mailbox) {
  if (!raised_) {
    raised_ = std::current_exception();
    mailbox.stop();
    return;
  }
  try {
    throw;
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("fogline, after another exception");
  }
}

void Ear::listen(Mailbox& mailbox) {
  try {
    if (!raised_ && PyErr_CheckSignals() != 0) throw nb::python_error();
    const auto step = mailbox.latest_step();
    if (step && !raised_ && !show_.is_none()) show_(step->task, step->done, step->total);
  } catch (...) {
    keep(mailbox);
  }
  while (const auto letter = mailbox.next_letter()) {
    try {
      if (!hear_.is_none()) hear_(letter->level, letter->text);
    } catch (...) {
      keep(mailbox);
    }
    mailbox.heard();
  }
}

void Ear::raise_if_any() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
}

Call::Call(int threads, nb::object held, Work work) : mailbox_(threads), held_(std::move(held)) {
  worker_ = std::thread([this, work = std::move(work)] {
    try {
      work(mailbox_);
    } catch (...) {
      failure_ = std::current_exception();
    }
    mailbox_.finish();
  });
}

Call::~Call() {
  const nb::gil_scoped_release unlocked;
  worker_.join();
}

void Call::run(std::unique_ptr<Call> call, Ear& ear) {
  take_away_ended();
  std::optional<std::chrono::steady_clock::time_point> raised;
  for (;;) {
    bool is_over = false;
    {
      const nb::gil_scoped_release unlocked;
      is_over = call->mailbox_.wait(between_looks);
    }
    ear.listen(call->mailbox_);
    if (is_over) break;
    if (!ear.has_raised()) continue;
    const auto now = std::chrono::steady_clock::now();
    if (!raised) raised = now;
    if (now - *raised < patience || !call->mailbox_.may_leave()) continue;
    left().calls.push_back(std::move(call));
    ear.raise_if_any();
  }
  ear.raise_if_any();
  if (call->failure_) std::rethrow_exception(call->failure_);
}

// Taken out first: whoever waits for a thread lets go of the lock, and others may come in.

void Call::take_away_ended() {
  auto& calls = left().calls;
  const auto ended =
      std::partition(calls.begin(), calls.end(), [](const auto& call) { return !call->mailbox_.wait({}); });
  const std::vector<std::unique_ptr<Call>> taken(std::make_move_iterator(ended),
                                                 std::make_move_iterator(calls.end()));
  calls.erase(ended, calls.end());
}

void Call::await_left() {
  const std::vector<std::unique_ptr<Call>> taken = std::exchange(left().calls, {});
}

}  // namespace fogline::python
