// SPDX-License-Identifier: Apache-2.0
#include "cli/option_set.hpp"

#include <charconv>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/help.hpp"
#include "cli/usage_error.hpp"
#include "io/numbers.hpp"

namespace fogline::cli {

struct OptionSet::Parser {
  CLI::App app;
  CLI::Option* last = nullptr;
};

OptionSet::OptionSet() : parser_(std::make_unique<Parser>()) {
  parser_->app.set_help_flag();  // --help is answered before parsing, so that it works beside any mistake
  parser_->app.option_defaults()->always_capture_default(false);
}

OptionSet::~OptionSet() = default;

OptionSet::Refine& OptionSet::Refine::required() {
  set_.options_.back().required = true;
  set_.parser_->last->required();
  return *this;
}

OptionSet::Refine& OptionSet::Refine::choices(std::vector<std::string> allowed) {
  set_.parser_->last->check(CLI::IsMember(allowed));
  set_.options_.back().choices = std::move(allowed);
  return *this;
}

OptionSet::Refine& OptionSet::Refine::nonzero() {
  set_.parser_->last->check([](const std::string& text) -> std::string {
    return io::parse_double(text) == 0.0 ? "must be above 0" : "";
  });
  return *this;
}

OptionSet::Refine OptionSet::flag(const std::string& flags, bool& target, const std::string& help) {
  parser_->last = parser_->app.add_flag(flags, target, help);
  options_.push_back({flags, "", help, group_, {}, false, false});
  return Refine(*this);
}

template <class Target>
OptionSet::Refine OptionSet::add(const std::string& flags, const std::string& name, Target& target,
                                 const std::string& help, bool positional) {
  parser_->last = parser_->app.add_option(flags, target, help);
  options_.push_back({flags, name, help, positional ? "Arguments" : group_, {}, false, positional});
  return Refine(*this);
}

OptionSet::Refine OptionSet::value(const std::string& flags, const std::string& name, std::string& target,
                                   const std::string& help) {
  return add(flags, name, target, help, false);
}

OptionSet::Refine OptionSet::value(const std::string& flags, const std::string& name,
                                   std::vector<std::string>& target, const std::string& help) {
  const Refine refine = add(flags, name, target, help, false);
  parser_->last->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
  return refine;
}

OptionSet::Refine OptionSet::value(const std::string& flags, const std::string& name, std::uint64_t& target,
                                   const std::string& help) {
  const Refine refine = add(flags, name, target, help, false);
  // CLI11 would wrap a sign and cut what is too large.
  parser_->last->check([](const std::string& text) -> std::string {
    std::uint64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = problem == std::errc() && end == text.data() + text.size();
    return whole ? "" : "must be a whole number from 0 to 18446744073709551615";
  });
  return refine;
}

OptionSet::Refine OptionSet::value(const std::string& flags, const std::string& name, int& target,
                                   const std::string& help) {
  return add(flags, name, target, help, false);
}

OptionSet::Refine OptionSet::value(const std::string& flags, const std::string& name, double& target,
                                   const std::string& help) {
  return add(flags, name, target, help, false);
}

OptionSet::Refine OptionSet::positional(const std::string& name, std::string& target,
                                        const std::string& help) {
  return add(name, name, target, help, true);
}

OptionSet::Refine OptionSet::positional(const std::string& name, std::vector<std::string>& target,
                                        const std::string& help) {
  return add(name, name, target, help, true);
}

/// An empty value, or another option in its place, is what a script passes whose variable was empty. Taking the next word
/// would charge some other dataset.
void OptionSet::require_values(const std::vector<std::string>& words) const {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    if (words[i] == "--") return;
    const OptionInfo* option = find(words[i].substr(0, equals));
    if (option == nullptr && words[i].starts_with("--")) refuse_unknown(words[i].substr(0, equals));
    if (option == nullptr || option->value.empty()) continue;
    const bool joined = equals != std::string::npos;
    const std::string value = joined ? words[i].substr(equals + 1) : i + 1 < words.size() ? words[i + 1] : "";
    if (value.empty() || (!joined && find(value) != nullptr)) {
      throw UsageError(words[i].substr(0, equals) + " needs a value");
    }
    if (!joined) ++i;
  }
}

void OptionSet::refuse_unknown(const std::string& flag) const {
  std::vector<std::string> known;
  for (const OptionInfo& option : options_) {
    if (!option.positional) known.push_back(option.flags.substr(option.flags.find(',') + 1));
  }
  const std::string near = suggestion(flag, known);
  throw UsageError(near.empty() ? "unknown option " + flag
                                : fmt::format("unknown option {}; did you mean {}?", flag, near));
}

const OptionInfo* OptionSet::find(const std::string& flag) const {
  for (const OptionInfo& option : options_) {
    if (option.positional) continue;
    const auto comma = option.flags.find(',');
    if (flag == option.flags.substr(0, comma)) return &option;
    if (comma != std::string::npos && flag == option.flags.substr(comma + 1)) return &option;
  }
  return nullptr;
}

void OptionSet::parse(std::vector<std::string> words) {
  require_values(words);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    parser_->app.parse(words);
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
}

bool OptionSet::given(const std::string& flag) const {
  return parser_->app.count(flag) > 0;
}

}  // namespace fogline::cli
