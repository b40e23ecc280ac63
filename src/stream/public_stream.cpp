// SPDX-License-Identifier: Apache-2.0
#include "stream/public_stream.hpp"

#include <utility>

namespace fogline::stream {

PublicStream::PublicStream(const StreamTerms& terms, const StreamFiles& files)
    : model_(mobility::read_model(files.model)),
      policy_(files.policy.build(model_, LatticeQuery(model_.space, terms.setting().lattice_step))),
      setting_(terms.setting()) {
  if (terms.repair == Repair::partners) setting_.partner = read_partners(files.partners, model_.space);
}

PublicStream::PublicStream(mobility::StateModel model, PolicyGraph policy, StreamSetting setting)
    : model_(std::move(model)), policy_(std::move(policy)), setting_(std::move(setting)) {}

}  // namespace fogline::stream
