// SPDX-License-Identifier: Apache-2.0
#include "fogline/kinds.hpp"

#include <nlohmann/json.hpp>

#include "release/kinds.hpp"

namespace fogline {
namespace {

template <class Made>
std::string schema_of(Made& made) {
  release::FieldTable table;
  declare_all(made, table);
  return release::schema(table, made.kind(), made.verb()).dump(2);
}

}  // namespace

std::vector<Verb> verbs() {
  std::vector<Verb> all;
  for (const auto& request : release::all_releases()) all.push_back({request->kind(), request->verb(), true});
  for (const auto& analysis : release::all_analyses())
    all.push_back({analysis->kind(), analysis->verb(), false});
  return all;
}

std::string schema(std::string_view kind, std::string_view verb) {
  for (const auto& request : release::all_releases())
    if (request->kind() == kind && request->verb() == verb) return schema_of(*request);
  return schema_of(*release::make_analysis(kind, verb));
}

}  // namespace fogline
