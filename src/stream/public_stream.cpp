// SPDX-License-Identifier: Apache-2.0
#include "stream/public_stream.hpp"

#include <utility>

namespace fogline::stream {

StreamFiles files_of(const StreamTerms& terms,
                     const std::function<std::string(const privacy::PublicInput&)>& path_of) {
  const auto path_if = [&](const std::optional<privacy::PublicInput>& file) {
    return file ? path_of(*file) : std::string();
  };
  std::vector<std::string> policy;
  for (const privacy::PublicInput& file : terms.policy_files) policy.push_back(path_of(file));
  return {.model = {.model = path_of(terms.model),
                    .query = path_if(terms.query_file),
                    .initial = path_if(terms.initial_file),
                    .start = terms.start},
          .policy = PolicyText::parse(terms.policy).with_files(policy),
          .partners = path_if(terms.partners_file)};
}

PublicStream::PublicStream(const StreamTerms& terms, const StreamFiles& files)
    : model_(mobility::read_model(files.model)),
      policy_(files.policy.build(model_)),
      setting_(terms.setting()) {
  if (terms.repair == Repair::partners) setting_.partner = read_partners(files.partners, model_.space);
  hulls_ =
      std::make_shared<const SensitivityHulls>(policy_, LatticeQuery(model_.space, setting_.lattice_step));
}

PublicStream::PublicStream(mobility::StateModel model, PolicyGraph policy, StreamSetting setting)
    : model_(std::move(model)),
      policy_(std::move(policy)),
      setting_(std::move(setting)),
      hulls_(std::make_shared<const SensitivityHulls>(policy_,
                                                      LatticeQuery(model_.space, setting_.lattice_step))) {}

}  // namespace fogline::stream
