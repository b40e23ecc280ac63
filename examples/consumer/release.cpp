// SPDX-License-Identifier: Apache-2.0
// Releases positions as the command line does, from a request in JSON: charged to a ledger, with a statement beside the output.
//
//     fogline schema place release                    # the fields of a request
//     release request.json
#include <ctime>
#include <fstream>
#include <iostream>

#include <fogline/release/kinds.hpp>
#include <nlohmann/json.hpp>

/// Where the library's notes and warnings go.
class Terminal : public fogline::release::Caller {
 public:
  using Caller::warn;
  void note(std::string_view text) override { std::cerr << text << "\n"; }
  void detail(std::string_view) override {}
  void warn(std::string_view text) override { std::cerr << "warning: " << text << "\n"; }
  std::int64_t now() const override { return std::time(nullptr); }
};

int main(int argc, char** argv) try {
  std::ifstream file(argc > 1 ? argv[1] : "request.json");
  const auto request = fogline::release::place_release();
  fogline::release::FieldTable fields;
  request->declare(fields);
  set_fields(fields, nlohmann::ordered_json::parse(file));
  Terminal terminal;
  const fogline::release::Outcome done = fogline::release::release(*request, terminal);
  std::cout << done.released.statement.outputs.front().records << " positions, charged as entry "
            << done.entry << ": " << to_string(done.released.statement.guarantee) << "\n";
} catch (const std::exception& error) {
  std::cerr << "error: " << error.what() << "\n";
  return 1;
}
