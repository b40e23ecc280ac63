// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fogline/column_set.hpp"
#include "io/input_file.hpp"
#include "io/limits.hpp"
#include "privacy/guarantee.hpp"
#include "privacy/ledger_handle.hpp"
#include "privacy/signing_key.hpp"
#include "privacy/statement.hpp"
#include "release/caller.hpp"
#include "release/field_table.hpp"
#include "roads/draft.hpp"
#include "roads/network.hpp"
#include "roads/public_network.hpp"
#include "roads/read_options.hpp"

namespace fogline::release {

/// Fields that several requests share, each written once: a part declares its fields, and turns what was given into what the kinds
/// take.

/// `limits`: what is read of a file before it is refused (io/limits.hpp). Every request has it.
struct LimitsField {
  std::string limits;

  void declare(FieldTable& table);
  /// Over those that hold here already, so that a request within another keeps its limits. Throws InvalidOption.
  io::ReadLimits value(const Caller& caller) const;
};

/// All fields of a request: those of its kind, and those that every request has.
template <class AnyRequest>
void declare_all(AnyRequest& request, FieldTable& table) {
  request.declare(table);
  request.limits.declare(table);
}

/// Refuses as the error does, and tells what the request's field allows.
template <class AnyRequest>
[[noreturn]] void refuse_with_allowed(AnyRequest& request, const InvalidOption& error) {
  FieldTable table;
  declare_all(request, table);
  throw with_allowed(error, table);
}

/// `network` and how to read it.
struct NetworkFields {
  std::string network;
  std::string mode = "drivable";
  std::string coordinates;
  std::string edges;
  double length_unit_m = 0.1;
  bool shape_points = false;
  bool all_components = false;

  void declare(FieldTable& table);  ///< with `network`, which whoever asks may need
  /// `network` and `mode` alone, for those who can do without roads.
  void declare_optional(FieldTable& table, const std::string& help);
  void declare_reading(
      FieldTable& table);  ///< the rest only: for commands that take the network as an argument
  /// Reads it, prints warnings, and with -v what was dropped. Its roads are cut into pieces of at most `spacing_mm` if that is not 0.
  roads::RoadNetwork read(Caller& caller, graph::LengthMm spacing_mm = 0) const;
  /// Before it is made simple (roads/read_network.hpp).
  roads::Draft read_draft(Caller& caller) const;
  /// As a statement names it; hashes its files.
  roads::PublicNetwork named() const;
  /// Its files; none for a specification.
  std::vector<std::string> files() const;

 private:
  void declare_mode(FieldTable& table);
  roads::ReadOptions read_options() const;
};

/// The private records: a file, standard input, or columns of whoever asks.
///
///     from.columns = ColumnSet().borrow("lon", std::span(lon)).borrow("lat", std::span(lat));
///     io::TextSource source = from.open(caller);
struct InputField {
  std::string file;  ///< "-": standard input
  std::optional<ColumnSet> columns =
      {};  ///< no field: instead of a file; what is borrowed must outlive the release

  /// No field: instead of a file, for a release that answers while it reads. Gives the next bytes of a CSV text, and nothing at its end.
  std::function<std::string()> more = {};

  bool is_guarded =
      false;  ///< no field: it is looked at after the ledger was asked only, and nothing is told of it; set by the driver

  void declare(FieldTable& table, const std::string& value, const std::string& help);
  void require_one() const;  ///< throws InvalidOption unless it is a file, columns, or bytes as they come
  /// Throws InvalidOption for standard input of which nobody said what `format` it has, where that decides what is promised: nothing of the records is looked at before
  /// the ledger was asked.
  void require_format(const std::string& format) const;
  io::TextSource open(Caller& caller) const;
  std::string name() const;  ///< for messages
  std::vector<std::string> files() const {
    return file.empty() ? std::vector<std::string>{} : std::vector{file};
  }
  bool comes_bit_by_bit() const { return file == "-" || more; }
};

/// A file as a statement names it. Throws FileError if it is not a regular file.
privacy::PublicInput public_file(const std::string& file);

/// Throws InvalidOption if a file that is given as public is the private one, by name or by content: its hash would be published, and what is made of it
/// would tell of it. A changed copy is not recognised. By name alone for whoever may not know the content: the answer would tell whether he guessed it.
void require_public(const std::string& file, const InputField& input, std::string_view option);

/// Who pays: ledger and dataset.
struct LedgerFields {
  std::string ledger;  ///< the front end knows where one is, if none was given
  std::string dataset = "default";
  bool makes_folder =
      false;  ///< no field: the ledger's folder is made if it is not there, once the request is right
  bool is_default = false;   ///< no field: nobody named `ledger`; the front end filled it in
  bool is_optional = false;  ///< no field: it may stay empty, if the front end knows of none

  /// No field: where the front end's user keeps heads of ledgers besides.
  privacy::FindAnchor anchors = {};

  /// No field: the ledger, if whoever asks has opened it; `ledger` is empty then. Outlives the release.
  privacy::LedgerHandle* handle = nullptr;

  void declare(FieldTable& table);         ///< both
  void declare_ledger(FieldTable& table);  ///< ledger only
  void require_dataset() const;            ///< throws InvalidOption for a name that no ledger takes
  std::string name() const { return handle != nullptr ? handle->path() : ledger; }
  /// The ledger that is there. Throws InvalidOption if none was named, FileError if there is none.
  std::shared_ptr<privacy::Ledger> open(privacy::Ledger::Access access) const;
};

/// `output`, `overwrite`, `statement`.
struct OutputFields {
  std::string output;
  std::string statement;
  bool overwrite = false;
  bool guarded =
      false;  ///< who asks may not know the records: nothing is told of them, and their refusal is paid for
  std::string sign = {};  ///< file of the key that signs the statement; empty: nobody does
  /// No field: asked for the passphrase of that key, if it is encrypted.
  privacy::AskPassphrase ask_passphrase = {};
  /// No field: instead of an output. Is given each piece of the text as it is drawn; the statement is what the release gives back, and a file only
  /// if one is named.
  std::function<void(std::string_view)> receive = {};

  std::shared_ptr<const privacy::SigningKey> key =
      {};  ///< no field: signer(), read by the driver before anything is charged

  void declare(FieldTable& table);
  void require_one() const;  ///< throws InvalidOption unless it goes to one place
  /// Null if nobody signs. Throws FileError, DataError, InvalidOption.
  std::shared_ptr<const privacy::SigningKey> signer() const;
  /// As given; otherwise beside the output, or none. Standard output has no name: release.statement.json in the current folder.
  std::string statement_path() const;
  /// Where a further output goes whose name ends so: beside the output; for standard output and memory beside the statement. A name alone, without a
  /// file, in memory where no statement is named.
  std::string beside(const std::string& ending) const;
  std::string name() const {
    return receive ? "-" : output;
  }  ///< of the output, as ledger and statement call it
};

/// `seed`: a run that can be repeated, and is therefore not private.
struct SeedField {
  std::string seed;

  void declare(FieldTable& table);
  std::optional<std::uint64_t> value() const;  ///< throws InvalidOption
};

/// The epsilon that a field holds. Throws InvalidOption, naming the field.
template <class AnyEpsilon>
AnyEpsilon epsilon_in(const std::string& text, std::string_view field) {
  try {
    return AnyEpsilon::parse(text);
  } catch (const InvalidOption& error) {
    throw InvalidOption(field, error.problem().wrong);
  }
}

/// `epsilon` per metre.
struct EpsilonPerMetreField {
  std::string epsilon;
  bool takes_several = false;  ///< no field: "0.005,0.01" is two of them

  void declare(FieldTable& table);
  privacy::EpsilonPerMetre value() const;                ///< throws InvalidOption, also if there are several
  std::vector<privacy::EpsilonPerMetre> values() const;  ///< throws InvalidOption; none if none was given
};

}  // namespace fogline::release
