// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "mobility/model_file.hpp"
#include "stream/policy/policy_text.hpp"
#include "stream/terms.hpp"
#include "stream/tracker.hpp"

namespace fogline::stream {

/// Where the files lie that a stream's terms name.
struct StreamFiles {
  mobility::ModelFiles model = {};
  PolicyText policy;
  std::string partners = {};  ///< empty unless terms.repair is `partners`
};

/// The files of a release, by its terms; `path_of` says where each public input lies.
StreamFiles files_of(const StreamTerms& terms,
                     const std::function<std::string(const privacy::PublicInput&)>& path_of);

/// Everything public about a stream, read and built: what trackers are made from.
///
///     PublicStream stream(terms, files);
///     Tracker tracker = stream.tracker();        // one per sequence; the stream outlives it
class PublicStream {
 public:
  PublicStream(const StreamTerms& terms,
               const StreamFiles& files);  ///< throws DataError, FileError, InvalidOption
  PublicStream(mobility::StateModel model, PolicyGraph policy, StreamSetting setting);

  Tracker tracker() const { return Tracker(model_, policy_, setting_, hulls_); }
  const mobility::StateModel& model() const { return model_; }
  const PolicyGraph& policy() const { return policy_; }
  const StreamSetting& setting() const { return setting_; }

 private:
  mobility::StateModel model_;
  PolicyGraph policy_;
  StreamSetting setting_;
  std::shared_ptr<const SensitivityHulls> hulls_;
};

}  // namespace fogline::stream
