// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "fogline/error.hpp"

namespace fogline {

std::string to_json(const Problem& problem) {
  nlohmann::ordered_json json{{"code", problem.code}};
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  };
  const auto add_count = [&](const char* name, std::uint64_t count) {
    if (count > 0) json[name] = count;
  };
  add("field", problem.field);
  add("wrong", problem.wrong);
  add("allowed", problem.allowed);
  add("to_try", problem.to_try);
  add("file", problem.place.file);
  add_count("line", problem.place.line);
  add_count("record", problem.place.record);
  using Handler = nlohmann::ordered_json::error_handler_t;  // names of files need not be UTF-8
  return json.dump(-1, ' ', false, Handler::replace);
}

}  // namespace fogline
