// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/command.hpp"

namespace fogline::cli {

// One maker per verb, each in the file of its name: what only a shell needs, and what keeps ledgers and keys, which for programs are functions (fogline/ledger.hpp, fogline/keys.hpp). All other verbs are
// those of release/kinds.hpp.
std::unique_ptr<Command> demo();
std::unique_ptr<Command> key_make();
std::unique_ptr<Command> key_revoke();
std::unique_ptr<Command> ledger_add();
std::unique_ptr<Command> ledger_accept();
std::unique_ptr<Command> ledger_cap();
std::unique_ptr<Command> statement();
std::unique_ptr<Command> reproduce();
std::unique_ptr<Command> schema();
std::unique_ptr<Command> serve();
std::unique_ptr<Command> claims();
std::unique_ptr<Command> completion();
std::unique_ptr<Command> manual();

}  // namespace fogline::cli
