// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/option_set.hpp"
#include "cli/session.hpp"
#include "privacy/guarantee.hpp"
#include "privacy/ledger.hpp"
#include "privacy/statement.hpp"
#include "roads/network.hpp"
#include "roads/public_network.hpp"
#include "roads/read_options.hpp"

namespace fogline::cli {

/// Option blocks that several commands share, each written once. A block declares its options, and turns what was given
/// into what the core takes.

/// --network and how to read it.
struct NetworkBlock {
  std::string network;
  std::string mode = "drivable";
  std::string coordinates;
  std::string edges;
  double length_unit_m = 0.1;
  bool shape_points = false;
  bool all_components = false;

  void declare(OptionSet& options);  ///< with --network, required
  void declare_reading(
      OptionSet& options);  ///< the rest only: for commands that take the network as an argument
  /// Reads it, prints warnings, and with -v what was dropped.
  roads::RoadNetwork read(Session& session) const;
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

/// Throws InvalidOption if an output would replace one of the inputs, under whatever name; "-" replaces nothing.
void require_other_file(const std::string& output, const std::vector<std::string>& inputs);

/// --ledger and --dataset.
struct LedgerBlock {
  std::string ledger;
  std::string dataset = "default";

  void declare(OptionSet& options);         ///< both
  void declare_ledger(OptionSet& options);  ///< --ledger only
  std::string path() const;                 ///< as given, or the default in the user's data folder
  std::string path_for_writing() const;     ///< the same; makes the default's folder
};

/// -o, --overwrite, --statement.
struct OutputBlock {
  std::string output;
  std::string statement;
  bool overwrite = false;

  void declare(OptionSet& options);
  /// As given; otherwise beside the output. Standard output has no name: release.statement.json in the current folder.
  std::string statement_path() const;
};

/// --seed: a run that can be repeated, and is therefore not private.
struct SeedBlock {
  std::string seed;

  void declare(OptionSet& options);
  std::optional<std::uint64_t> value() const;  ///< throws InvalidOption
};

/// --epsilon per metre.
struct EpsilonPerMetreBlock {
  std::string epsilon;

  void declare(OptionSet& options);
  privacy::EpsilonPerMetre value() const;
};

/// "NAME  value" lines for people.
/// JSON as text; names that are not UTF-8 get replacement characters instead of an exception.
std::string to_text(const nlohmann::ordered_json& json);

std::string fields(const std::vector<std::pair<std::string, std::string>>& rows);

/// 58066 as "58,066".
std::string grouped(std::uint64_t number);

}  // namespace fogline::cli
