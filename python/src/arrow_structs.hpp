// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace fogline::python {

// The three structs of the Arrow C data and stream interfaces, as their specification lays them out.

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  ArrowSchema** children;
  ArrowSchema* dictionary;
  void (*release)(ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  ArrowArray** children;
  ArrowArray* dictionary;
  void (*release)(ArrowArray*);
  void* private_data;
};

struct ArrowArrayStream {
  int (*get_schema)(ArrowArrayStream*, ArrowSchema* out);
  int (*get_next)(ArrowArrayStream*, ArrowArray* out);
  const char* (*get_last_error)(ArrowArrayStream*);
  void (*release)(ArrowArrayStream*);
  void* private_data;
};

/// Owns one of them: released once, and not at all before it was filled.
template <class Struct>
class Owned {
 public:
  Owned() = default;
  explicit Owned(const Struct& moved_out) : held_(moved_out) {}
  Owned(Owned&& other) noexcept : held_(other.held_) { other.held_.release = nullptr; }
  Owned& operator=(Owned&&) = delete;
  ~Owned() {
    if (held_.release != nullptr) held_.release(&held_);
  }
  Struct* get() { return &held_; }
  const Struct& operator*() const { return held_; }
  bool is_filled() const { return held_.release != nullptr; }

 private:
  Struct held_ = {};
};

}  // namespace fogline::python
