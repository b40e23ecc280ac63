// SPDX-License-Identifier: Apache-2.0
#include "cli/command.hpp"
#include "cli/verbs.hpp"

namespace fogline::cli {

std::vector<std::unique_ptr<Command>> commands() {
  std::vector<std::unique_ptr<Command>> all;
  for (const auto make : {demo,           place_plan,
                          place_release,  place_audit,
                          place_measure,  place_attack,
                          place_optimise, stream_learn,
                          stream_plan,    stream_release,
                          stream_audit,   stream_measure,
                          stream_attack,  path_plan,
                          path_release,   path_recover,
                          path_audit,     path_measure,
                          path_attack,    path_draw,
                          weights_plan,   weights_release,
                          weights_audit,  weights_measure,
                          weights_attack, weights_distances,
                          traces_plan,    traces_release,
                          traces_audit,   traces_measure,
                          traces_attack,  network_info,
                          sample_city,    sample_path,
                          sample_place,   sample_stream,
                          sample_traces,  sample_weights,
                          ledger_add,     ledger_show,
                          ledger_cap,     ledger_accept,
                          ledger_verify,  key_make,
                          key_revoke,     verify,
                          statement,      reproduce,
                          report,         schema,
                          claims,         selftest,
                          completion,     manual}) {
    all.push_back(make());
  }
  return all;
}

}  // namespace fogline::cli
