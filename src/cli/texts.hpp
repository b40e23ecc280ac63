// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/command.hpp"

namespace fogline::cli {

/// What is said of a verb of the library (release/kinds.hpp), by its kind and name: all that the command line adds to it. Throws Error for a verb of which nothing is said: it
/// needs a file of its name here, and a line below and in texts.cpp.
CommandInfo text_of(const std::string& kind, const std::string& verb);

// Each in the file of its name.
CommandInfo place_plan_text();
CommandInfo place_prepare_text();
CommandInfo place_kernel_text();
CommandInfo place_release_text();
CommandInfo place_audit_text();
CommandInfo place_measure_text();
CommandInfo place_attack_text();
CommandInfo place_optimise_text();
CommandInfo stream_learn_text();
CommandInfo stream_plan_text();
CommandInfo stream_release_text();
CommandInfo stream_audit_text();
CommandInfo stream_measure_text();
CommandInfo stream_attack_text();
CommandInfo path_plan_text();
CommandInfo path_release_text();
CommandInfo path_recover_text();
CommandInfo path_audit_text();
CommandInfo path_measure_text();
CommandInfo path_attack_text();
CommandInfo path_draw_text();
CommandInfo weights_plan_text();
CommandInfo weights_release_text();
CommandInfo weights_audit_text();
CommandInfo weights_measure_text();
CommandInfo weights_attack_text();
CommandInfo weights_distances_text();
CommandInfo traces_plan_text();
CommandInfo traces_release_text();
CommandInfo traces_audit_text();
CommandInfo traces_measure_text();
CommandInfo traces_attack_text();
CommandInfo network_info_text();
CommandInfo network_cut_text();
CommandInfo ledger_show_text();
CommandInfo ledger_verify_text();
CommandInfo verify_text();
CommandInfo report_text();
CommandInfo selftest_text();
CommandInfo sample_city_text();
CommandInfo sample_path_text();
CommandInfo sample_place_text();
CommandInfo sample_stream_text();
CommandInfo sample_traces_text();
CommandInfo sample_weights_text();

}  // namespace fogline::cli
