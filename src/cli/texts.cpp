// SPDX-License-Identifier: Apache-2.0
#include "cli/texts.hpp"

#include <map>

#include "base/error.hpp"

namespace fogline::cli {
namespace {

using Texts = std::map<std::vector<std::string>, CommandInfo>;

Texts all_texts() {
  Texts all;
  for (const auto text :
       {place_plan_text,     place_prepare_text,   place_kernel_text,   network_cut_text,
        place_release_text,  place_audit_text,     place_measure_text,  place_attack_text,
        place_optimise_text, stream_learn_text,    stream_plan_text,    stream_release_text,
        stream_audit_text,   stream_measure_text,  stream_attack_text,  path_plan_text,
        path_release_text,   path_recover_text,    path_audit_text,     path_measure_text,
        path_attack_text,    path_draw_text,       weights_plan_text,   weights_release_text,
        weights_audit_text,  weights_measure_text, weights_attack_text, weights_distances_text,
        traces_plan_text,    traces_release_text,  traces_audit_text,   traces_measure_text,
        traces_attack_text,  network_info_text,    ledger_show_text,    ledger_verify_text,
        verify_text,         report_text,          selftest_text,       sample_city_text,
        sample_path_text,    sample_place_text,    sample_stream_text,  sample_traces_text,
        sample_weights_text}) {
    CommandInfo info = text();
    all.emplace(info.words, std::move(info));
  }
  return all;
}

}  // namespace

CommandInfo text_of(const std::string& kind, const std::string& verb) {
  static const Texts all = all_texts();
  const auto found = all.find(kind.empty() ? std::vector{verb} : std::vector{kind, verb});
  if (found == all.end()) throw Error("nothing is said of " + kind + " " + verb);
  return found->second;
}

}  // namespace fogline::cli
