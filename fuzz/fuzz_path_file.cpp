// SPDX-License-Identifier: Apache-2.0
#include "fuzz_reader.hpp"
#include "io/path_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fogline;
  return fuzz::run(data, size, "fuzz.txt", fuzz::Form::lines, [](io::TextSource& source) {
    const io::PathFile path = io::read_path(source);
    fuzz::require(!path.vertex.empty() && path.vertex.size() == path.line.size());
    io::vertices_of(path, io::numbered_vertices(1000));
    return path.vertex.size();
  });
}
