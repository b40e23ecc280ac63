// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fogline::io {

/// Names numbered 0, 1, 2, ... in the order they first appear, so that columns hold small integers.
///
///     NameTable users;
///     std::uint32_t a = users.intern("ada");   // 0
///     users.intern("ada") == a;                // the same number again
///     users.name(a);                           // "ada"
///
/// Limits: 2^32 - 2 names. Cost: one hash and one comparison per call, less when a name follows itself.
class NameTable {
 public:
  std::uint32_t intern(std::string_view name);
  std::optional<std::uint32_t> find(std::string_view name) const;
  const std::string& name(std::uint32_t index) const { return names_[index]; }
  const std::vector<std::string>& names() const { return names_; }
  std::size_t size() const { return names_.size(); }

 private:
  std::size_t slot_of(std::string_view name) const;
  void grow();

  std::vector<std::string> names_;
  std::vector<std::uint32_t> slots_;  // open addressing; index + 1, 0 for a free slot
  std::uint32_t last_ = 0;
};

/// Turns what a file calls a vertex into its number, or nothing if there is no such vertex.
using VertexLookup = std::function<std::optional<std::uint32_t>(std::string_view)>;

/// Vertices are called by their numbers, 0 to count - 1.
VertexLookup numbered_vertices(std::uint32_t count);

/// Vertices are called by their names in the table, which must outlive the lookup.
VertexLookup named_vertices(const NameTable& names);

}  // namespace fogline::io
