// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
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
  int threads() const override { return threads_; }
  void finish();

  // For whoever waits.
  /// Until there is a letter, the task is over, or some time has passed. True when it is over.
  bool wait(std::chrono::milliseconds at_most);
  std::optional<Letter> next_letter();
  void heard();  ///< the letter that was taken last
  std::optional<Step> latest_step();
  void stop();  ///< asks the task to end; it does not wait any more until it is heard

 private:
  void say(const char* level, std::string_view text);

  const int threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Letter> letters_;
  std::uint64_t said_ = 0, heard_ = 0;
  std::optional<Step> step_;
  bool is_over_ = false, is_stopped_ = false;
};

/// Takes letters and progress to Python, with the interpreter's lock held, and looks for signals. What Python raises is kept, and the task asked to end:
/// no exception passes through the task's own frames.
class Ear {
 public:
  /// `hear(level, text)` and `show(task, done, total)`, or None.
  Ear(nb::object hear, nb::object show) : hear_(std::move(hear)), show_(std::move(show)) {}
  void listen(Mailbox& mailbox);
  void raise_if_any();  ///< what Python raised meanwhile

 private:
  void keep(Mailbox& mailbox);  ///< the exception that is being handled

  nb::object hear_, show_;
  std::exception_ptr raised_;
};

/// How long a signal may wait for being heard: five looks in the quarter of a second that is promised.
inline constexpr std::chrono::milliseconds between_looks{50};

/// Runs the task on a thread of its own, without the interpreter's lock, while this one hears what it says and looks for signals: only the thread that
/// asked may do either. Throws what Python raised meanwhile, else what the task threw.
template <class Task>
auto run_while_listening(Ear& ear, int threads, const Task& task) {
  using Result = decltype(task(std::declval<Listener&>()));
  Mailbox mailbox(threads);
  std::optional<Result> result;
  std::exception_ptr failure;
  {
    const nb::gil_scoped_release unlocked;
    std::thread worker([&] {
      try {
        result.emplace(task(static_cast<Listener&>(mailbox)));
      } catch (...) {
        failure = std::current_exception();
      }
      mailbox.finish();
    });
    while (!mailbox.wait(between_looks)) {
      const nb::gil_scoped_acquire locked;
      ear.listen(mailbox);
    }
    worker.join();
  }
  ear.listen(mailbox);
  ear.raise_if_any();
  if (failure) std::rethrow_exception(failure);
  return std::move(*result);
}

}  // namespace fogline::python
