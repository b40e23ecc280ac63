// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "fogline/ledger.hpp"
#include "privacy/ledger_handle.hpp"

namespace fogline {

struct Ledger::Impl {
  Impl(std::string path, privacy::FindAnchor anchor) : handle(std::move(path), {}, std::move(anchor)) {}
  privacy::LedgerHandle handle;
};

}  // namespace fogline
