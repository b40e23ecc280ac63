// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef FOGLINE_SEES_THREADS  // the build's word for the thread sanitizer
#include <sanitizer/tsan_interface.h>
#endif

namespace fogline {

/// Tells the thread sanitizer of an order between threads that it cannot see: what was done before give() is seen by whoever
/// calls take() afterwards. In other builds it is nothing at all.
///
///     Handover begun, ended;
///     const Handover::Around call(begun, ended);  // on the thread that starts the others, and waits for them
///     ... { const Handover::Within piece(begun, ended); work(); } ...  // on each of them
///
/// oneTBB promises these orders, but comes from the distribution without the sanitizer's marks, so the two sources that use it
/// are compiled without them too (src/CMakeLists.txt), and say here what it promises and nothing more: two pieces of one loop
/// stay unordered, so a race between them is found.
class Handover {
 public:
#ifdef FOGLINE_SEES_THREADS
  void give() { __tsan_release(this); }
  void take() { __tsan_acquire(this); }
#else
  void give() {}
  void take() {}
#endif

  class Around {
   public:
    Around(Handover& begun, Handover& ended) : ended_(ended) { begun.give(); }
    ~Around() { ended_.take(); }
    Around(const Around&) = delete;
    Around& operator=(const Around&) = delete;

   private:
    Handover& ended_;
  };

  class Within {
   public:
    Within(Handover& begun, Handover& ended) : ended_(ended) { begun.take(); }
    ~Within() { ended_.give(); }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

   private:
    Handover& ended_;
  };

 private:
  [[maybe_unused]] char address_ = 0;  // of its own, by which the sanitizer knows it
};

}  // namespace fogline
