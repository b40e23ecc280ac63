// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/figure.hpp"
#include "base/progress.hpp"

namespace fogline {

class ColumnSet;
namespace random {
class Key;
}

/// A release of invented records, asked for as by any front end.
struct WholeRequest {
  std::string_view kind = {}, verb = "release";
  const nlohmann::ordered_json& fields;
  const ColumnSet& records;
  /// What is public and comes in files, by field; a name ends as files of its format do.
  struct File {
    std::string field, name, text;
  };
  std::vector<File> files = {};
  std::uint64_t first_record =
      0;  ///< of a part of a release: the number that its first record has in the whole
};
/// What it puts out with a seeded key, to be read as everybody reads it.
using DrawWhole = std::function<std::string(const random::Key& key)>;
/// Figures stand below the driver of releases, and whoever starts them hands it down: what a figure shows is what is released.
using MakeWhole = std::function<DrawWhole(const WholeRequest& wanted)>;

struct FigureOptions {
  bool quick = false;  ///< smaller data and fewer points, for tests: seconds instead of minutes
  std::string data =
      {};  ///< folder of real data; empty: generated data takes its place, and the figure says so
  std::function<double()> seconds = {};  ///< a clock, for figures of times; without it those are 0
  int threads = 0;                       ///< 0 (all cores) to 1,024
  Progress progress = {};                ///< called now and then; may cancel
  MakeWhole whole = {};  ///< releases (release/analyses/whole_releases.hpp); figures that draw need it
};

/// One experiment of a paper, computed anew. Every kind lists its own.
struct FigureKind {
  std::string_view name;  ///< "place-fig2": the kind and the paper's number
  std::string_view what;  ///< one line
  Figure (*compute)(const FigureOptions& options);
};

/// The figure of that name. Throws InvalidOption if there is none.
Figure compute_figure(std::span<const FigureKind> kinds, std::string_view name, const FigureOptions& options);

}  // namespace fogline
