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

/// As run() of fuzz_reader.hpp, for a reader that takes the name of a file.
template <class Reader>
int run_file(const std::uint8_t* data, std::size_t size, const std::string& ending,
             io::testing_limits::Input input, Reader reader) {
  input.files = {std::string(data, data + size)};
  return run_files(input, [&](const Files& files) {
    const InputFile file(reinterpret_cast<const std::uint8_t*>(files[0].data()), files[0].size(), ending);
    return reader(file.path());
  });
}

}  // namespace fogline::fuzz
