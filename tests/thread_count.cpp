// SPDX-License-Identifier: Apache-2.0
// Loaded before a program (LD_PRELOAD), writes to the file $THREAD_COUNT how many threads the program started.
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>
#include <pthread.h>

namespace {

std::atomic<int> started{0};

struct Teller {
  ~Teller() {
    const char* path = std::getenv("THREAD_COUNT");
    std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "w");
    if (file == nullptr) return;
    std::fprintf(file, "%d\n", started.load());
    std::fclose(file);
  }
} at_the_end;

}  // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                              void* argument) {
  ++started;
  const auto next = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return next(thread, attributes, work, argument);
}
