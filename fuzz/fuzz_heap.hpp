// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

// Of the sanitizers' run-time library; not there in a program built without one.
extern "C" {
[[gnu::weak]] int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                                            void (*)(const volatile void*));
[[gnu::weak]] std::size_t __sanitizer_get_allocated_size(const volatile void*);
}

namespace fogline::fuzz {

/// Counts the bytes of the heap, of all threads: what an input makes a reader take, whether it is used or not.
///
///     const HeapWatch heap;
///     read(input);
///     require(heap.most() <= ...);        // the most at once since then
class HeapWatch {
 public:
  HeapWatch() {
    [[maybe_unused]] static const bool is_installed =
        __sanitizer_install_malloc_and_free_hooks != nullptr &&
        __sanitizer_install_malloc_and_free_hooks(&took, &gave_back) > 0;
    before_ = now();
    peak() = before_;
  }

  std::int64_t most() const { return peak() - before_; }

 private:
  static std::atomic<std::int64_t>& now() {
    static std::atomic<std::int64_t> bytes{0};
    return bytes;
  }
  static std::atomic<std::int64_t>& peak() {
    static std::atomic<std::int64_t> bytes{0};
    return bytes;
  }
  static void took(const volatile void*, std::size_t size) {
    const std::int64_t bytes = now() += static_cast<std::int64_t>(size);
    for (std::int64_t most = peak(); bytes > most && !peak().compare_exchange_weak(most, bytes);) continue;
  }
  static void gave_back(const volatile void* place) {
    if (place != nullptr) now() -= static_cast<std::int64_t>(__sanitizer_get_allocated_size(place));
  }

  std::int64_t before_ = 0;
};

}  // namespace fogline::fuzz
