// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fogline/ledger.hpp"
#include "privacy/ledger_handle.hpp"

namespace fogline {

struct Ledger::Impl {
  explicit Impl(std::string path) : handle(std::move(path), {}) {}
  privacy::LedgerHandle handle;
};

}  // namespace fogline
