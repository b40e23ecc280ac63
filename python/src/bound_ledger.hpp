// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <fogline/fogline.hpp>
#include <unistd.h>

namespace fogline::python {

/// A ledger of the process that opened it. A child after fork() would hold its parent's locks and connection, and two processes one place in the
/// file: there every use throws, and nothing is closed.
class BoundLedger {
 public:
  BoundLedger(const std::string& path, const std::string& anchor) : BoundLedger(Ledger(path, anchor)) {}
  explicit BoundLedger(Ledger opened)
      : ledger_(std::make_unique<Ledger>(std::move(opened))), process_(getpid()) {}
  BoundLedger(const BoundLedger&) = delete;
  ~BoundLedger() {
    if (getpid() != process_) static_cast<void>(ledger_.release());
  }

  Ledger& get() {
    if (getpid() != process_)
      throw Error(Problem{.code = "forked",
                          .wrong = "this ledger was opened before fork(), by another process",
                          .to_try = "open it anew in this process"});
    return *ledger_;
  }

 private:
  std::unique_ptr<Ledger> ledger_;
  const pid_t process_;
};

}  // namespace fogline::python
