// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <nanobind/nanobind.h>

#include "bound_ledger.hpp"
#include "waiting.hpp"

namespace fogline::python {

/// A release that answers while it reads. It runs on a thread of its own, and is handed one text at a time: Python code is never called from there. For
/// one thread at a time.
class Live {
 public:
  Live(const std::string& kind, const std::string& fields, BoundLedger& ledger, nb::object hear, int threads,
       const std::optional<std::string>& passphrase);
  ~Live();
  Live(const Live&) = delete;

  /// What is answered to these lines; with the first answer comes the header of all. Throws what ended the release.
  std::string step(const std::string& lines);
  std::string answered();  ///< what nobody has taken, for whoever asked was interrupted
  /// No more comes: what was released. Throws what ended the release.
  Released close();

 private:
  void run(Request& request, Ledger& ledger);
  std::string more();
  void receive(std::string_view piece);
  /// Until more is asked for or the release is over, hearing what it says meanwhile. True when it is over.
  bool wait_for_turn();
  void throw_if_failed();

  Mailbox mailbox_;
  Ear ear_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string given_, answered_;
  bool has_given_ = false, is_asking_ = false, is_closed_ = false, is_over_ = false;
  std::optional<Released> released_;
  std::exception_ptr failure_;
  std::thread worker_;
};

/// One of the process that opened it. In a child after fork() its thread is not there, and what waits for that would wait for ever: every use
/// throws, and nothing is taken down.
class BoundLive {
 public:
  BoundLive(const std::string& kind, const std::string& fields, BoundLedger& ledger, nb::object hear,
            int threads, const std::optional<std::string>& passphrase)
      : live_(std::make_unique<Live>(kind, fields, ledger, std::move(hear), threads, passphrase)),
        process_(getpid()) {}
  BoundLive(const BoundLive&) = delete;
  ~BoundLive() {
    if (getpid() != process_) static_cast<void>(live_.release());
  }

  Live& get() {
    if (getpid() != process_)
      throw Error(
          Problem{.code = "forked", .wrong = "this stream was opened before fork(), by another process"});
    return *live_;
  }

 private:
  std::unique_ptr<Live> live_;
  const pid_t process_;
};

}  // namespace fogline::python
