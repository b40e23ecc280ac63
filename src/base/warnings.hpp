// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace fogline {

/// What a reader noticed and carried on from: counted, with the first place it was seen. Nothing is dropped
/// or mended without an entry here; the command line prints them.
///
///     warnings.add("duplicate point left out", {file, line});
///     // trips.csv, line 7: duplicate point left out (and 12 more)
class Warnings {
 public:
  struct Item {
    std::string what;
    FileSpot first;
    std::uint64_t count = 0;
  };

  void add(std::string_view what, const FileSpot& where, std::uint64_t count = 1);
  void append(const Warnings& other);
  const std::vector<Item>& items() const { return items_; }
  std::uint64_t count(std::string_view what) const;

 private:
  std::vector<Item> items_;
};

std::string to_string(const Warnings::Item& item);

}  // namespace fogline
