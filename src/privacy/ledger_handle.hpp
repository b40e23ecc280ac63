// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/progress.hpp"
#include "privacy/ledger.hpp"

namespace fogline::privacy {

/// A ledger that is opened once, when it is first needed: opening reads and checks every entry.
///
///     LedgerHandle ledger("my.ledger", {});
///     if (Ledger* known = ledger.if_there()) ...      // null if there is none yet
///     ledger.get().charge(request);                   // makes it
///
/// Both throw FileError if another file stands at the path than the one that was opened: an entry in a file that was moved away would
/// be an entry that nobody finds.
class LedgerHandle {
 public:
  LedgerHandle(std::string path, Wanted wanted, FindAnchor anchor = {})
      : path_(std::move(path)), wanted_(std::move(wanted)), anchor_(std::move(anchor)) {}

  const std::string& path() const { return path_; }
  Ledger* if_there();
  Ledger& get();

 private:
  void open(Ledger::Access access);
  void require_same_file() const;

  std::string path_;
  Wanted wanted_;  // asked while it waits for another process
  FindAnchor anchor_;
  std::unique_ptr<Ledger> ledger_;
  std::pair<std::uint64_t, std::uint64_t> opened_;  // device and inode
};

}  // namespace fogline::privacy
