// SPDX-License-Identifier: Apache-2.0
// Releases as the command line does, from a request in JSON: charged to a ledger, with a statement beside the output.
//
//     fogline schema place release                    # the fields of a request
//     fogline ledger add --ledger my.ledger --dataset riders --cap 'epsilon 1 per metre'
//     release place request.json my.ledger
#include <fstream>
#include <iostream>
#include <iterator>

#include <fogline/fogline.hpp>

/// Where the library's notes and warnings go.
struct Terminal : fogline::Listener {
  void note(std::string_view text) override { std::cerr << text << "\n"; }
  void warn(std::string_view text) override { std::cerr << "warning: " << text << "\n"; }
};

int main(int argc, char** argv) try {
  if (argc != 4) throw fogline::Error("usage: release KIND REQUEST.json LEDGER");
  std::ifstream file(argv[2]);
  fogline::Request request(argv[1]);
  request.set_json(std::string(std::istreambuf_iterator<char>(file), {}));
  fogline::Ledger ledger(argv[3]);
  Terminal terminal;
  const fogline::Released done = request.run(ledger, terminal);
  std::cout << done.records << " records, charged as entry " << done.entry << ": " << done.guarantee << "\n";
} catch (const std::exception& error) {
  std::cerr << "error: " << error.what() << "\n";
  return 1;
}
