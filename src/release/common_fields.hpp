// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "privacy/guarantee.hpp"
#include "privacy/ledger.hpp"
#include "privacy/statement.hpp"
#include "release/caller.hpp"
#include "release/field_table.hpp"
#include "roads/network.hpp"
#include "roads/public_network.hpp"
#include "roads/read_options.hpp"

namespace fogline::release {

/// Fields that several requests share, each written once: a part declares its fields, and turns what was given into what the kinds
/// take.

/// --network and how to read it.
struct NetworkFields {
  std::string network;
  std::string mode = "drivable";
  std::string coordinates;
  std::string edges;
  double length_unit_m = 0.1;
  bool shape_points = false;
  bool all_components = false;

  void declare(FieldTable& table);  ///< with --network, required
  void declare_reading(
      FieldTable& table);  ///< the rest only: for commands that take the network as an argument
  /// Reads it, prints warnings, and with -v what was dropped.
  roads::RoadNetwork read(Caller& caller) const;
  /// As a statement names it; hashes its files.
  roads::PublicNetwork named() const;
  /// Its files; none for a specification.
  std::vector<std::string> files() const;

 private:
  roads::ReadOptions read_options() const;
};

/// A file as a statement names it. Throws FileError if it is not a regular file.
privacy::PublicInput public_file(const std::string& file);

/// Throws InvalidOption if a file that is given as public is the private one, by name or by content: its hash would be published, and what is made of it
/// would tell of it. A changed copy is not recognised.
void require_public(const std::string& file, const std::string& private_file, std::string_view option);

/// Who pays: ledger and dataset.
struct LedgerFields {
  std::string ledger;  ///< the front end knows where one is, if none was given
  std::string dataset = "default";
  bool makes_folder =
      false;  ///< no field: the ledger's folder is made if it is not there, once the request is right

  void declare(FieldTable& table);         ///< both
  void declare_ledger(FieldTable& table);  ///< ledger only
};

/// -o, --overwrite, --statement.
struct OutputFields {
  std::string output;
  std::string statement;
  bool overwrite = false;

  void declare(FieldTable& table);
  /// As given; otherwise beside the output. Standard output has no name: release.statement.json in the current folder.
  std::string statement_path() const;
};

/// --seed: a run that can be repeated, and is therefore not private.
struct SeedField {
  std::string seed;

  void declare(FieldTable& table);
  std::optional<std::uint64_t> value() const;  ///< throws InvalidOption
};

/// --epsilon per metre.
struct EpsilonPerMetreField {
  std::string epsilon;

  void declare(FieldTable& table);
  privacy::EpsilonPerMetre value() const;
};

}  // namespace fogline::release
