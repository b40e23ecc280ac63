// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/int128.hpp"
#include "kernel/certificate.hpp"
#include "place/mechanism.hpp"
#include "roads/network.hpp"

namespace fogline::place {

/// A table of probabilities that somebody else made, for the vertices of a network: certified, measured and attacked beside ours, and
/// released from only if it keeps the promise.
///
///     GivenTable theirs(map, {.epsilon = {1, 100}, .file = "theirs.npz"});
///     theirs.certify_rule().holds;                       // does it keep 0.01 per metre on every road?
///
/// Guarantee   metric DP, as certify_rule() finds on every road and for every output; nothing is taken for granted. With `must_hold` the
///             constructor throws unless it does. Unit: one report; exact.
/// Source      the file, of probabilities or integers: a dense array, scipy.sparse's CSR, or CSV, as
///             place/matrix_reader.hpp reads it. docs/formats.md has the forms.
/// Utility     expected_error().
/// Cost        20 bytes an entry that is not 0; a draw is a uniform integer and a binary search.
/// Parameters  epsilon per metre, 1e-5 to 1,000: what is claimed of it.
///
/// A probability p stands for the integer p * 2^100, rounded down, an integer for itself, and P(o|v) is that over the
/// sum of the row: what is certified is what is drawn from.
class GivenTable : public VertexMechanism {
 public:
  struct Options {
    privacy::EpsilonPerMetre epsilon;  ///< that it is said to keep; no default
    std::string file;                  ///< .npz, .npy or .csv
    /// How the network's vertices came to be, for whoever gives a table for others; empty: they are those of the map.
    std::string vertices = {};
    std::string unit = "one report";
    bool must_hold = true;  ///< for releases; measures and attacks take any table
    int threads = 0;        ///< for the certificate; 0 (all cores) to 1,024
    Progress progress = {};
  };
  /// Throws InvalidOption, naming the field; FileError, DataError for a file that holds no such table.
  GivenTable(const roads::RoadNetwork& map, const Options& options);
  GivenTable(const roads::RoadNetwork& map, const Options& options, const io::SectionFile& found);

  std::string_view name() const override { return "table"; }
  privacy::Guarantee guarantee() const override;
  std::span<const graph::VertexId> range() const override { return range_; }
  std::unique_ptr<Sampler> sampler() const override;
  std::unique_ptr<NearRows> near_rows() const override;
  kernel::WeightRow row(graph::VertexId input) const override;
  void store(io::SectionWriter& file) const override;
  /// Does the file of a prepared mechanism hold the same integers?
  bool is_held_by(const io::SectionFile& file) const;
  RuleCertificate certify_rule(const RuleOptions& options = {}) const override;
  std::vector<std::string> remarks() const override;

 private:
  friend class GivenSampler;
  friend class GivenRows;
  void require_sound(const std::string& file) const;
  void find_range();
  void require_kept(const Options& options) const;
  std::span<const graph::VertexId> outputs_of(graph::VertexId input) const;
  std::span<const Uint128> sums_of(graph::VertexId input) const;
  kernel::Certificate certificate(int threads, const Progress& progress) const;

  privacy::EpsilonPerMetre epsilon_;
  std::string unit_;
  std::vector<graph::VertexId> range_;   // what comes out of some row, increasing
  std::vector<std::uint64_t> end_;       // of each row among the entries
  std::vector<graph::VertexId> output_;  // increasing in a row
  std::vector<Uint128> sum_;             // of the weights of a row up to here
};

}  // namespace fogline::place
