// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "cli/command.hpp"

namespace fogline::cli {

// One maker per verb, each in the file of its name.
std::unique_ptr<Command> demo();
std::unique_ptr<Command> place_plan();
std::unique_ptr<Command> place_release();
std::unique_ptr<Command> place_audit();
std::unique_ptr<Command> place_measure();
std::unique_ptr<Command> place_attack();
std::unique_ptr<Command> place_optimise();
std::unique_ptr<Command> stream_learn();
std::unique_ptr<Command> stream_plan();
std::unique_ptr<Command> stream_release();
std::unique_ptr<Command> stream_audit();
std::unique_ptr<Command> stream_measure();
std::unique_ptr<Command> stream_attack();
std::unique_ptr<Command> path_plan();
std::unique_ptr<Command> path_release();
std::unique_ptr<Command> path_recover();
std::unique_ptr<Command> path_audit();
std::unique_ptr<Command> path_measure();
std::unique_ptr<Command> path_attack();
std::unique_ptr<Command> path_draw();
std::unique_ptr<Command> weights_plan();
std::unique_ptr<Command> weights_release();
std::unique_ptr<Command> weights_audit();
std::unique_ptr<Command> weights_measure();
std::unique_ptr<Command> weights_attack();
std::unique_ptr<Command> weights_distances();
std::unique_ptr<Command> traces_plan();
std::unique_ptr<Command> traces_release();
std::unique_ptr<Command> traces_audit();
std::unique_ptr<Command> traces_measure();
std::unique_ptr<Command> traces_attack();
std::unique_ptr<Command> network_info();
std::unique_ptr<Command> sample_city();
std::unique_ptr<Command> sample_path();
std::unique_ptr<Command> sample_place();
std::unique_ptr<Command> sample_stream();
std::unique_ptr<Command> sample_traces();
std::unique_ptr<Command> sample_weights();
std::unique_ptr<Command> key_make();
std::unique_ptr<Command> key_revoke();
std::unique_ptr<Command> ledger_add();
std::unique_ptr<Command> ledger_accept();
std::unique_ptr<Command> ledger_show();
std::unique_ptr<Command> ledger_cap();
std::unique_ptr<Command> ledger_verify();
std::unique_ptr<Command> statement();
std::unique_ptr<Command> verify();
std::unique_ptr<Command> reproduce();
std::unique_ptr<Command> report();
std::unique_ptr<Command> schema();
std::unique_ptr<Command> claims();
std::unique_ptr<Command> selftest();
std::unique_ptr<Command> completion();
std::unique_ptr<Command> manual();

}  // namespace fogline::cli
