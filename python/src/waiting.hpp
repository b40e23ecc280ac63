// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fogline/fogline.hpp>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace fogline::python {

namespace nb = nanobind;

/// What a running task says to whoever asked for it. Sentences wait until they were heard, so that a warning that is made an error ends the task where it is
/// said; progress does not wait, and only the latest is kept.
class Mailbox : public Listener {
 public:
  struct Letter {
    const char* level;  ///< "note", "detail", "warning"
    std::string text;
  };
  struct Step {
    std::string task;
    std::uint64_t done = 0, total = 0;
  };

  explicit Mailbox(int threads) : threads_(threads) {}

  // For the task, on any of its threads.
  void note(std::string_view text) override { say("note", text); }
  void detail(std::string_view text) override { say("detail", text); }
  void warn(std::string_view text) override { say("warning", text); }
  bool progress(std::string_view task, std::uint64_t done, std::uint64_t total) override;
  bool is_wanted() const override;
  bool charging() override;
  int threads() const override { return threads_; }
  void finish();

  // For whoever waits.
  /// Until there is a letter, the task is over, or some time has passed. True when it is over.
  bool wait(std::chrono::milliseconds at_most);
  std::optional<Letter> next_letter();
  void heard();  ///< the letter that was taken last
  std::optional<Step> latest_step();
  void stop();  ///< asks the task to end; it does not wait any more until it is heard
  /// Of a task that was asked to end: may it be left alone before it does? True as long as it has charged nothing, and then it never will.
  bool may_leave();

 private:
  void say(const char* level, std::string_view text);

  const int threads_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Letter> letters_;
  std::uint64_t said_ = 0, heard_ = 0;
  std::optional<Step> step_;
  bool is_over_ = false, is_stopped_ = false, is_charging_ = false;
};

/// Threads of Python that wait for tasks, and what becomes of them when the interpreter ends: it takes its lock away for good from all but the one that ends it, and
/// a thread that asks for the lock then is ended where it stands, with frames of C++ above it that must not be left so. So none asks.
class Waiters {
 public:
  /// On the stack of whoever waits, with the lock held.
  class Inside {
   public:
    Inside();
    Inside(const Inside&) = delete;
    ~Inside();
  };
  /// Waits without the interpreter's lock, and takes it again unless the interpreter ends: then the thread stays here.
  template <class Wait>
  static auto without_lock(const Wait& wait) {
    PyThreadState* const state = PyEval_SaveThread();
    const auto result = wait();
    stay_if_ending();
    PyEval_RestoreThread(state);
    return result;
  }
  /// Called when the interpreter is about to end, by the thread that ends it: returns when all others stay where they are.
  static void end();

 private:
  static void stay_if_ending();
};

/// Takes letters and progress to Python, with the interpreter's lock held, and looks for signals. What Python raises is kept, and the task asked to end:
/// no exception passes through the task's own frames.
class Ear {
 public:
  /// `hear(level, text)` and `show(task, done, total)`, or None.
  Ear(nb::object hear, nb::object show) : hear_(std::move(hear)), show_(std::move(show)) {}
  void listen(Mailbox& mailbox);
  bool has_raised() const { return raised_ != nullptr; }
  void raise_if_any();  ///< what Python raised meanwhile

 private:
  void keep(Mailbox& mailbox);  ///< the exception that is being handled

  nb::object hear_, show_;
  std::exception_ptr raised_;
};

/// A task on a thread of its own, with all that it reads and writes. Somebody who interrupts waits for a task that has charged the ledger; any other is left
/// alone if it does not look in time, and ends when it does. Made, left and taken away with the interpreter's lock held.
class Call {
 public:
  using Work = std::function<void(Listener&)>;
  /// `held`: what the work reads, kept until it is over.
  Call(int threads, nb::object held, Work work);
  Call(const Call&) = delete;
  ~Call();

  /// Runs without the lock, while this thread hears what is said and looks for signals: only the thread that asked may do either. Throws what
  /// Python raised meanwhile, else what the work threw.
  static void run(std::unique_ptr<Call> call, Ear& ear);
  /// Before the interpreter ends: until those that were left alone are over.
  static void await_left();
  /// The same, and nobody else waits for any after it: theirs are asked to end, and awaited as well.
  static void end();

 private:
  static void take_away_ended();

  Mailbox mailbox_;
  nb::object held_;
  std::exception_ptr failure_;
  std::thread worker_;
};

/// A call's result.
template <class Task>
auto run_while_listening(Ear& ear, int threads, nb::object held, const Task& task) {
  using Result = decltype(task(std::declval<Listener&>()));
  const auto result = std::make_shared<std::optional<Result>>();
  Call::run(std::make_unique<Call>(threads, std::move(held),
                                   [result, task](Listener& listener) { result->emplace(task(listener)); }),
            ear);
  return std::move(**result);
}

}  // namespace fogline::python
