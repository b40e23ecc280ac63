// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include "fuzz_reader.hpp"

namespace fogline::fuzz {

/// For readers that take the name of a file: the input as one that its owner alone can read, gone at the end.
class InputFile {
 public:
  InputFile(const std::uint8_t* data, std::size_t size, const std::string& ending)
      : path_("/dev/shm/fogline-fuzz-" + std::to_string(getpid()) + ending) {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    chmod(path_.c_str(), 0600);
  }
  ~InputFile() { unlink(path_.c_str()); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// As run() of fuzz_reader.hpp, for a reader of small files: what it accepts within low limits is no longer than these.
template <class Reader>
int run_file(const std::uint8_t* data, std::size_t size, const std::string& ending, Reader reader) {
  const InputFile file(data, size, ending);
  const io::ReadLimits low = low_limits(size);
  const Outcome limited = read_within_limits(low, [&] { return reader(file.path()); });
  require(limited != Outcome::accepted || size <= low.bytes);
  return 0;
}

}  // namespace fogline::fuzz
