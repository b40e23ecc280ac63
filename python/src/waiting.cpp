// SPDX-License-Identifier: Apache-2.0
#include "waiting.hpp"

#include <algorithm>
#include <iterator>
#include <set>
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

/// Never destroyed: threads that stay here do so until the process is gone.
struct Ending {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<std::thread::id> by;  // the thread that ends the interpreter, once it does
  int inside = 0, staying = 0;
  std::set<Mailbox*> running;  // of calls
  pid_t process = getpid();
};

Ending& ending() {
  static auto* one = new Ending;
  if (one->process != getpid()) one = new Ending;  // the threads are the parent's
  return *one;
}

/// A function of Python that whoever waits has called may never return.
constexpr std::chrono::seconds patience_at_the_end{5};

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

bool Mailbox::is_wanted() const {
  const std::lock_guard lock(mutex_);
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

Waiters::Inside::Inside() {
  Ending& end = ending();
  const std::lock_guard lock(end.mutex);
  ++end.inside;
}

Waiters::Inside::~Inside() {
  Ending& end = ending();
  const std::lock_guard lock(end.mutex);
  --end.inside;
  end.changed.notify_all();
}

void Waiters::stay_if_ending() {
  Ending& end = ending();
  std::unique_lock lock(end.mutex);
  if (!end.by || *end.by == std::this_thread::get_id()) return;
  ++end.staying;
  end.changed.notify_all();
  end.changed.wait(lock, [] { return false; });
}

void Waiters::end() {
  Ending& end = ending();
  const nb::gil_scoped_release unlocked;
  std::unique_lock lock(end.mutex);
  end.by = std::this_thread::get_id();
  for (Mailbox* mailbox : end.running) mailbox->stop();
  end.changed.wait_for(lock, patience_at_the_end, [&] { return end.staying >= end.inside; });
}

Call::Call(int threads, nb::object held, Work work) : mailbox_(threads), held_(std::move(held)) {
  {
    Ending& end = ending();
    const std::lock_guard lock(end.mutex);
    end.running.insert(&mailbox_);
  }
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
  Ending& end = ending();
  const std::lock_guard lock(end.mutex);
  end.running.erase(&mailbox_);
}

void Call::run(std::unique_ptr<Call> call, Ear& ear) {
  take_away_ended();
  const Waiters::Inside inside;
  const pid_t process = getpid();
  std::optional<std::chrono::steady_clock::time_point> raised;
  for (;;) {
    const bool is_over = Waiters::without_lock([&] { return call->mailbox_.wait(between_looks); });
    ear.listen(call->mailbox_);
    if (getpid() != process) {  // a function that was called to listen has forked, and returned in the child
      static_cast<void>(call.release());
      throw Error(Problem{.code = "forked", .wrong = "this call was made before fork(), by another process"});
    }
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

void Call::end() {
  Waiters::end();
  await_left();
  std::vector<Mailbox*> others;  // whose threads stay, and take nothing away any more
  {
    Ending& end = ending();
    const std::lock_guard lock(end.mutex);
    others.assign(end.running.begin(), end.running.end());
  }
  const nb::gil_scoped_release unlocked;
  for (Mailbox* mailbox : others)
    while (!mailbox->wait(between_looks)) {
      while (mailbox->next_letter()) mailbox->heard();
    }
}

void Call::await_left() {
  const std::vector<std::unique_ptr<Call>> taken = std::exchange(left().calls, {});
}

}  // namespace fogline::python
