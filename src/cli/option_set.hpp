// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "release/field_table.hpp"

namespace fogline::cli {

/// What is known of one option; help texts, man pages and shell completion are made from it.
struct OptionInfo {
  std::string flags;                 ///< "-o,--output", or the name of a positional such as "POINTS"
  std::string value;                 ///< what stands for the value in help, such as FILE; empty for a flag
  std::string help;                  ///< one sentence, no full stop
  std::string group;                 ///< heading it stands under
  std::vector<std::string> choices;  ///< allowed values; empty means any
  std::string range;                 ///< "from 1 to 8, in m"; empty means any
  bool required = false;
  bool positional = false;
  bool rare = false;        ///< help names it, and the manual explains it
  std::string unless = {};  ///< "--kernel FILE": required, but not beside this one, which stands in its place
};

/// The options of one command: a table of fields as a shell spells them, parsed by CLI11, which is seen by option_set.cpp alone.
///
///     OptionSet options;
///     request.declare(options);                    // the fields of a request, as release/field_table.hpp declares them
///     options.group("Output");                     // and options of the command line alone
///     options.flag("--json", json, "print JSON");
///     options.parse({"--epsilon", "0.01"});        // throws UsageError
class OptionSet : public release::FieldTable {
 public:
  /// As FieldTable has them, with names as they are typed: "-o,--output", "--epsilon", "-k".
  Refine flag(const std::string& flags, bool& target, const std::string& help);
  template <class Target>
  Refine value(const std::string& flags, const std::string& name, Target& target, const std::string& help) {
    return spelled(flags, FieldTable::value(name_in(flags), name, target, help));
  }
  template <class Target>
  Refine positional(const std::string& name, Target& target, const std::string& help) {
    return FieldTable::positional(name, name, target, help);
  }

  void parse(std::vector<std::string> words);
  bool given(const std::string& flag) const;  ///< after parse(): was this option on the command line?
  std::vector<OptionInfo> options() const;

 private:
  static std::string name_in(const std::string& flags);
  static Refine spelled(const std::string& flags, Refine refine);
  void require_values(const std::vector<std::string>& words) const;
  [[noreturn]] void refuse_unknown(const std::string& flag) const;

  std::vector<std::string> given_;
};

/// "--epsilon", "-k", or "POINTS".
std::string spelled(const release::Field& field);

}  // namespace fogline::cli
