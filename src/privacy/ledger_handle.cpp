// SPDX-License-Identifier: Apache-2.0
#include "privacy/ledger_handle.hpp"

#include <filesystem>
#include <system_error>

#include <sys/stat.h>

#include "base/error.hpp"

namespace fogline::privacy {
namespace {

/// Device and inode; both 0 if there is no such file.
std::pair<std::uint64_t, std::uint64_t> identity_of(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return {0, 0};
  return {found.st_dev, found.st_ino};
}

}  // namespace

void LedgerHandle::open(Ledger::Access access) {
  ledger_ = std::make_unique<Ledger>(path_,
                                     Ledger::Options{.access = access, .wanted = wanted_, .anchor = anchor_});
  opened_ = identity_of(path_);
}

void LedgerHandle::require_same_file() const {
  if (identity_of(path_) != opened_)
    throw FileError(path_, "was moved or replaced while it was in use", "put it back, and run again");
}

Ledger* LedgerHandle::if_there() {
  std::error_code unknown;  // what cannot be looked up is told when it is opened to be charged
  if (!ledger_ && !std::filesystem::exists(path_, unknown)) return nullptr;
  if (!ledger_) open(Ledger::Access::existing);
  require_same_file();
  return ledger_.get();
}

Ledger& LedgerHandle::get() {
  if (!ledger_) open(Ledger::Access::create);
  require_same_file();
  return *ledger_;
}

}  // namespace fogline::privacy
