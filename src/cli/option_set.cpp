// SPDX-License-Identifier: Apache-2.0
#include "cli/option_set.hpp"

#include <algorithm>
#include <charconv>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/help.hpp"
#include "cli/spelling.hpp"
#include "cli/usage_error.hpp"
#include "io/numbers.hpp"

namespace fogline::cli {
namespace {

using release::Field;

/// "-o,--output" or "POINTS"
std::string flags_of(const Field& field) {
  if (field.positional || field.letter == 0) return spelled(field);
  return fmt::format("-{},{}", field.letter, spelled(field));
}

/// "from 1 to 8, in m"; of a number that may be any, its unit alone.
std::string range_of(const Field& field) {
  const std::string range = release::to_string(field.range);
  if (field.unit.empty()) return range;
  return range.empty() ? fmt::format("in {}", field.unit) : fmt::format("{}, in {}", range, field.unit);
}

OptionInfo info_of(const Field& field) {
  return {flags_of(field), field.value,    spelled(field.help), field.group, field.choices,
          range_of(field), field.required, field.positional,    field.rare};
}

CLI::Option* add_to(CLI::App& app, const Field& field, bool* target) {
  return app.add_flag(flags_of(field), *target, field.help);
}

CLI::Option* add_to(CLI::App& app, const Field& field, std::vector<std::string>* target) {
  CLI::Option* option = app.add_option(flags_of(field), *target, field.help);
  if (!field.positional)
    option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
  return option;
}

CLI::Option* add_to(CLI::App& app, const Field& field, std::uint64_t* target) {
  // CLI11 would wrap a sign and cut what is too large.
  return app.add_option(flags_of(field), *target, field.help)
      ->check([](const std::string& text) -> std::string {
        std::uint64_t value = 0;
        const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = problem == std::errc() && end == text.data() + text.size();
        return whole ? "" : "must be a whole number from 0 to 18446744073709551615";
      });
}

template <class Target>
CLI::Option* add_to(CLI::App& app, const Field& field, Target* target) {
  return app.add_option(flags_of(field), *target, field.help);
}

const Field* find_typed(const std::vector<Field>& fields, const std::string& flag) {
  const auto is_meant = [&](const Field& field) {
    return !field.positional &&
           (flag == spelled(field) || (field.letter != 0 && flag == fmt::format("-{}", field.letter)));
  };
  const auto found = std::ranges::find_if(fields, is_meant);
  return found == fields.end() ? nullptr : &*found;
}

}  // namespace

std::string spelled(const Field& field) {
  if (field.positional) return field.value;
  return (field.name.size() == 1 ? "-" : "--") + field.name;
}

std::string OptionSet::name_in(const std::string& flags) {
  return flags.substr(flags.find_first_not_of('-', flags.find(',') + 1));
}

OptionSet::Refine OptionSet::spelled(const std::string& flags, Refine refine) {
  if (flags.find(',') != std::string::npos) refine.letter(flags[1]);
  return refine;
}

OptionSet::Refine OptionSet::flag(const std::string& flags, bool& target, const std::string& help) {
  return spelled(flags, FieldTable::flag(name_in(flags), target, help));
}

std::vector<OptionInfo> OptionSet::options() const {
  std::vector<OptionInfo> all;
  for (const Field& field : fields()) {
    all.push_back(info_of(field));
    if (const Field* other = find(field.unless); other != nullptr)
      all.back().unless = fmt::format("{} {}", cli::spelled(*other), other->value);
  }
  return all;
}

/// An empty value, or another option in its place, is what a script passes whose variable was empty. Taking the next word
/// would charge some other dataset.
void OptionSet::require_values(const std::vector<std::string>& words) const {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto equals = words[i].find('=');
    if (words[i] == "--") return;
    if (words[i].empty()) throw UsageError("an argument is empty");
    if (equals == 2 && words[i][0] == '-' && words[i][1] != '-')
      throw UsageError(fmt::format("write {} VALUE, without =", words[i].substr(0, 2)));
    const Field* field = find_typed(fields(), words[i].substr(0, equals));
    if (field == nullptr && words[i].starts_with("--")) refuse_unknown(words[i].substr(0, equals));
    if (field != nullptr && field->value.empty() && equals != std::string::npos)
      throw UsageError(words[i].substr(0, equals) + " takes no value");
    if (field == nullptr || field->value.empty()) continue;
    const bool joined = equals != std::string::npos;
    const std::string value = joined ? words[i].substr(equals + 1) : i + 1 < words.size() ? words[i + 1] : "";
    if (value.empty() || value == "--" || (!joined && find_typed(fields(), value) != nullptr)) {
      throw UsageError(words[i].substr(0, equals) + " needs a value");
    }
    if (!joined) ++i;
  }
}

void OptionSet::refuse_unknown(const std::string& flag) const {
  std::vector<std::string> known;
  for (const Field& field : fields()) {
    if (!field.positional) known.push_back(cli::spelled(field));
  }
  const std::string near = suggestion(flag, known);
  throw UsageError(near.empty() ? "unknown option " + flag
                                : fmt::format("unknown option {}; did you mean {}?", flag, near));
}

void OptionSet::parse(std::vector<std::string> words) {
  require_values(words);
  CLI::App app;
  app.set_help_flag();  // --help is answered before parsing, so that it works beside any mistake
  app.option_defaults()->always_capture_default(false);
  std::vector<const CLI::Option*> options;
  const auto has_other = [&](const Field& field) {
    return std::ranges::any_of(fields(), [&](const Field& other) { return other.name == field.unless; });
  };
  for (const Field& field : fields()) {
    CLI::Option* option = std::visit([&](auto* target) { return add_to(app, field, target); }, field.target);
    if (field.required && !has_other(field)) option->required();
    if (!field.choices.empty()) option->check(CLI::IsMember(field.choices));
    if (field.nonzero)
      option->check([](const std::string& text) -> std::string {
        return io::parse_double(text) == 0.0 ? "must be above 0" : "";
      });
    options.push_back(option);
  }
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  for (std::size_t i = 0; i < options.size(); ++i)
    if (options[i]->count() > 0) given_.push_back(fields()[i].name);
  for (const Field& field : fields()) {
    if (has_other(field) && !given(field.name) && !given(field.unless))
      throw UsageError(fmt::format("{} is required, or --{}", cli::spelled(field), field.unless));
  }
}

bool OptionSet::given(const std::string& flag) const {
  return std::ranges::find(given_, name_in(flag)) != given_.end();
}

}  // namespace fogline::cli
