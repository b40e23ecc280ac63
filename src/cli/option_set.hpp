// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fogline::cli {

/// What is known of one option; help texts, man pages and shell completion are made from it.
struct OptionInfo {
  std::string flags;                 ///< "-o,--output", or the name of a positional such as "POINTS"
  std::string value;                 ///< what stands for the value in help, such as FILE; empty for a flag
  std::string help;                  ///< one sentence, no full stop
  std::string group;                 ///< heading it stands under
  std::vector<std::string> choices;  ///< allowed values; empty means any
  bool required = false;
  bool positional = false;
};

/// The options of one command: declared once, parsed by CLI11, which is seen by option_set.cpp alone.
///
///     OptionSet options;
///     options.group("Release");
///     options.value("--epsilon", "E", epsilon, "privacy parameter per metre").required();
///     options.flag("--overwrite", overwrite, "replace existing outputs");
///     options.parse({"--epsilon", "0.01"});        // throws UsageError
class OptionSet {
 public:
  OptionSet();
  ~OptionSet();
  OptionSet(const OptionSet&) = delete;
  OptionSet& operator=(const OptionSet&) = delete;

  /// Refines the option just declared.
  class Refine {
   public:
    Refine& required();
    Refine& choices(std::vector<std::string> allowed);
    Refine& nonzero();  ///< refuses 0, for a number whose target holds 0 while it is not given

   private:
    friend class OptionSet;
    explicit Refine(OptionSet& set) : set_(set) {}
    OptionSet& set_;
  };

  void group(std::string heading) { group_ = std::move(heading); }
  Refine flag(const std::string& flags, bool& target, const std::string& help);
  Refine value(const std::string& flags, const std::string& name, std::string& target,
               const std::string& help);
  Refine value(const std::string& flags, const std::string& name, std::vector<std::string>& target,
               const std::string& help);  ///< may be given several times
  Refine value(const std::string& flags, const std::string& name, std::uint64_t& target,
               const std::string& help);
  Refine value(const std::string& flags, const std::string& name, int& target, const std::string& help);
  Refine value(const std::string& flags, const std::string& name, double& target, const std::string& help);
  Refine positional(const std::string& name, std::string& target, const std::string& help);
  Refine positional(const std::string& name, std::vector<std::string>& target, const std::string& help);

  void parse(std::vector<std::string> words);
  bool given(const std::string& flag) const;  ///< after parse(): was this option on the command line?
  const std::vector<OptionInfo>& options() const { return options_; }

 private:
  struct Parser;
  void require_values(const std::vector<std::string>& words) const;
  [[noreturn]] void refuse_unknown(const std::string& flag) const;
  const OptionInfo* find(const std::string& flag) const;
  template <class Target>
  Refine add(const std::string& flags, const std::string& name, Target& target, const std::string& help,
             bool positional);

  std::unique_ptr<Parser> parser_;
  std::vector<OptionInfo> options_;
  std::string group_ = "Options";
};

}  // namespace fogline::cli
