// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rational.hpp"
#include "kernel/sparse_table.hpp"
#include "stream/policy/policy.hpp"

namespace fogline::stream {

/// A part of a policy: states that are joined by chains of groups and pairs, renumbered.
struct PolicyPart {
  std::vector<std::uint32_t> members = {};  ///< increasing
  LocalPolicy policy = {};                  ///< by place in `members`
};

/// The connected parts, in the order of their first members. An answer may tell parts apart: the policy asks for nothing between them. Cost:
/// nearly linear.
std::vector<PolicyPart> connected_parts(const LocalPolicy& policy, const Progress& progress = {});

/// Groups and pairs without those that others cover: the same relation with fewer words. Cost: the square of the number of distinct groups,
/// times states / 64.
LocalPolicy simplified(const LocalPolicy& policy);

/// Which table has the least expected loss on one part of a policy?
struct TableProgram {
  LocalPolicy policy = {};         ///< one part: every two states joined by some chain
  std::vector<double> prior = {};  ///< of each state, above 0, in all 1
  std::size_t outputs = 0;         ///< 1 or more
  std::vector<double> loss = {};   ///< of output o for state s: loss[o * states + s]; 0 or more, finite
};

struct TableOptions {
  double gap = 1e-3;             ///< to the least expected loss, as a share of it; 1e-9 to 1
  std::size_t iterations = 100;  ///< of the solver, at most; 1 to 1,000
  Progress progress = {};        ///< may cancel
};

/// A table of integers that keeps its promise: nothing else is ever returned.
struct CertifiedTable {
  kernel::SparseTable table;
  double loss = 0;           ///< expected, of the integers
  double lower_bound = 0;    ///< no table over these outputs that keeps the promise has less
  bool is_fallback = false;  ///< the solver gave up, or its table was not certified
};

/// Solves the program, makes integers and certifies them on every pair of the policy and every output. If they do not hold at epsilon exactly,
/// solves again for a little less; after four failures takes the better of two tables that need no solver: the best single answer, and
/// exp(-epsilon / 2 * steps in the policy graph).
///
/// Throws InvalidOption for an epsilon of 0. Cost: kernel/optimal.hpp; milliseconds for a hundred states that must all look alike.
CertifiedTable certified_table(const TableProgram& program, const Rational& epsilon,
                               const TableOptions& options = {});

/// The table that certified_table() falls back on.
CertifiedTable fallback_table(const TableProgram& program, const Rational& epsilon);

/// What a table with a row per state loses over all joined pairs.
kernel::Certificate certify(const LocalPolicy& policy, const kernel::SparseTable& table,
                            const Progress& progress = {});

}  // namespace fogline::stream
