// SPDX-License-Identifier: Apache-2.0
#include "cli/option_set.hpp"

#include <CLI/CLI.hpp>

#include "cli/usage_error.hpp"

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
  return add(flags, name, target, help, false);
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

void OptionSet::parse(std::vector<std::string> words) {
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
