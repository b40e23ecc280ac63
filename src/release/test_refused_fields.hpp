// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"

namespace fogline::release {

/// The table tests/refused_fields.json: requests of every kind and verb with one field at, below and above its range, and which field is refused.
/// Every front end is held to it: this room, api/, and the command line (tests/refused_fields.py).
///
///     {"kind": "place", "verb": "plan", "fields": {... a request that is fine ...},
///      "cases": [{"with": {"epsilon": "1001"}, "refused": "epsilon"},
///                {"with": {"samples": 100000000}, "refused": null, "run": false}]}      // fine, but it would take hours
class RefusedFields {
 public:
  using Json = nlohmann::ordered_json;

  struct Case {
    std::string kind, verb;
    Json with, refused;
    bool is_run = true;
    Json fields;  ///< of the whole request; files by their names in the table

    std::string words() const { return kind + " " + verb + " " + with.dump(); }
  };

  /// Empty if nobody says where the sources are; ctest does.
  static std::optional<RefusedFields> read() {
    const char* source = std::getenv("FOGLINE_SOURCE");
    if (source == nullptr) return std::nullopt;
    std::ifstream file(std::filesystem::path(source) / "tests/refused_fields.json");
    return RefusedFields(Json::parse(file));
  }

  const std::vector<Case>& cases() const { return cases_; }

  /// Puts the table's files into a folder, and makes a ledger there with the dataset "default".
  void write_files(const privacy::TestFolder& folder) const {
    for (const auto& [name, text] : files_.items())
      std::ofstream(folder.path(name)) << text.get<std::string>();
    privacy::declare(folder.path("ledger"), "default");
  }
  /// The request's fields, with the files of the table and what is written in the folder.
  Json in_folder(const Case& one, const privacy::TestFolder& folder) const {
    Json fields = one.fields;
    for (auto& [name, value] : fields.items()) {
      const bool is_output = (name == "output" || name == "statement") && value != "-";
      if (value.is_string() && (is_output || files_.contains(value.get<std::string>())))
        value = folder.path(value.get<std::string>());
    }
    return fields;
  }

 private:
  explicit RefusedFields(const Json& table) : files_(table["files"]) {
    for (const Json& verb : table["verbs"]) {
      for (const Json& one : verb["cases"]) {
        Json fields = verb["fields"];
        fields.update(one["with"]);
        cases_.push_back({.kind = verb["kind"],
                          .verb = verb["verb"],
                          .with = one["with"],
                          .refused = one["refused"],
                          .is_run = one.value("run", true),
                          .fields = std::move(fields)});
      }
    }
  }

  Json files_;
  std::vector<Case> cases_;
};

}  // namespace fogline::release
