// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "audit/specimens/specimen.hpp"
#include "release/analyses/scratch_folder.hpp"
#include "release/caller.hpp"

namespace fogline::release {

// Whole releases by every mechanism of a kind, on small public things, for the self-test to replay: what is tested is what is released, through every step of the
// driver. Public files are written to the folder, which must outlive them, as must the caller. Noise on the plane (plm, plmg) cannot be replayed.
std::vector<audit::Specimen> whole_places(const ScratchFolder& folder, Caller& caller);
std::vector<audit::Specimen> whole_streams(const ScratchFolder& folder, Caller& caller);
std::vector<audit::Specimen> whole_paths(const ScratchFolder& folder, Caller& caller);
std::vector<audit::Specimen> whole_weights(const ScratchFolder& folder, Caller& caller);
std::vector<audit::Specimen> whole_traces(const ScratchFolder& folder, Caller& caller);

}  // namespace fogline::release
