// SPDX-License-Identifier: Apache-2.0
// One release of positions that lie in memory, asked of the library as a program of C++ would, and the processor time of that call alone.
//
//     library_call POSITIONS REQUEST.json LEDGER      # POSITIONS: all longitudes and then all latitudes, as doubles of this machine
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include <fogline/fogline.hpp>

namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

std::string content_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 4) throw fogline::Error("usage: library_call POSITIONS REQUEST.json LEDGER");
  const std::string bytes = content_of(argv[1]);
  std::vector<double> degrees(bytes.size() / sizeof(double));
  bytes.copy(reinterpret_cast<char*>(degrees.data()), degrees.size() * sizeof(double));
  const std::size_t records = degrees.size() / 2;
  const std::span<const double> all(degrees);
  fogline::Ledger ledger(argv[3]);
  fogline::Listener silent;

  const double begin = processor_seconds();
  fogline::Request request("place");
  request.set_json(content_of(argv[2]));
  request.input(fogline::ColumnSet().borrow("lon", all.first(records)).borrow("lat", all.last(records)));
  const fogline::Released safe = request.run(ledger, silent);
  const fogline::ColumnSet columns = safe.columns();
  std::cout << processor_seconds() - begin << ' ' << columns.records() << '\n';
} catch (const std::exception& error) {
  std::cerr << "error: " << error.what() << "\n";
  return 1;
}
