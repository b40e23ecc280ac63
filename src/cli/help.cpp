// SPDX-License-Identifier: Apache-2.0
#include "cli/help.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fogline::cli {
namespace {

constexpr std::size_t screen_width = 100;

/// `text` broken at blanks so that no line passes the screen, continued at column `indent`.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::size_t length = end - begin;
    if (column + length + 1 > screen_width && column > indent) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result.append(text, begin, length);
    column += length;
    begin = end + 1;
  }
  return result;
}

std::string explained(const OptionInfo& option) {
  std::string text = option.help;
  if (!option.choices.empty()) text += fmt::format(" ({})", fmt::join(option.choices, ", "));
  // What stands in its place, the usage says.
  if (option.required && !option.positional && option.unless.empty()) text += " (required)";
  return text;
}

std::string rows(const std::vector<OptionInfo>& options, const std::string& group, std::size_t width) {
  std::string text;
  for (const OptionInfo& option : options) {
    if (option.group != group || option.rare) continue;
    const std::string left = spelled(option);
    text += fmt::format("  {:{}}", left, width);
    // A long spelling gets a line of its own.
    if (left.size() > width) text += "\n  " + std::string(width, ' ');
    text += "  " + wrapped(explained(option), width + 4) + "\n";
  }
  return text;
}

/// The options that every command has are explained once, by the overview, so that a command's own fit the screen.
constexpr std::string_view general_group = "General";

std::string names_only(const std::vector<OptionInfo>& options, const std::string& group) {
  std::vector<std::string> names;
  for (const OptionInfo& option : options)
    if (option.group == group) names.push_back(spelled(option));
  return fmt::format("{} (see fogline --help)", fmt::join(names, "; "));
}

/// Old spellings and what few need.
std::string rare_ones(const std::vector<OptionInfo>& options) {
  std::vector<std::string> names;
  for (const OptionInfo& option : options)
    if (option.rare) names.push_back(option.flags);
  if (names.empty()) return "";
  constexpr std::size_t indent = 2;
  return wrapped(fmt::format("Also, in the manual: {}", fmt::join(names, ", ")), indent) + "\n";
}

std::vector<std::string> groups(const std::vector<OptionInfo>& options) {
  std::vector<std::string> result;
  for (const OptionInfo& option : options) {
    if (std::find(result.begin(), result.end(), option.group) == result.end()) result.push_back(option.group);
  }
  return result;
}

std::string listed(Commands all, const std::string& kind) {
  std::string text;
  for (const auto& command : all) {
    const CommandInfo info = command->info();
    if (kind.empty() || info.words.front() == kind)
      text += fmt::format("  {:18}  {}\n", name(info), info.summary);
  }
  return text;
}

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string name(const CommandInfo& info) {
  return fmt::format("{}", fmt::join(info.words, " "));
}

std::string spelled(const OptionInfo& option) {
  std::string text = option.flags;
  if (const auto comma = text.find(','); comma != std::string::npos) text.insert(comma + 1, " ");
  return option.positional || option.value.empty() ? text : text + " " + option.value;
}

std::string usage(const CommandInfo& info, const std::vector<OptionInfo>& options) {
  std::string text = fmt::format("fogline {}", name(info));
  std::map<std::string, std::string> replaced;  // what is required, by what stands in its place
  for (const OptionInfo& option : options) {
    if (!option.required || option.positional) continue;
    const std::string typed =
        fmt::format(" {} {}", option.flags.substr(0, option.flags.find(',')), option.value);
    (option.unless.empty() ? text : replaced[option.unless]) += typed;
  }
  for (const auto& [other, all] : replaced) text += fmt::format(" ({} | {})", all.substr(1), other);
  text += " [OPTIONS]";
  for (const OptionInfo& option : options) {
    if (option.positional) text += option.required ? " " + option.flags : " [" + option.flags + "]";
  }
  return text;
}

std::string help(const CommandInfo& info, const std::vector<OptionInfo>& options) {
  std::size_t width = 0;
  for (const OptionInfo& option : options)
    if (!option.rare) width = std::max(width, spelled(option).size());
  width = std::min<std::size_t>(width, 26);
  std::string text = fmt::format("Usage: {}\n{}.\n", usage(info, options), info.summary);
  for (const std::string& group : groups(options))
    text += group == general_group
                ? fmt::format("\n{}{}: {}\n", rare_ones(options), group, names_only(options, group))
                : fmt::format("\n{}:\n{}", group, rows(options, group, width));
  text += "\nExamples:\n";
  for (const Example& example : info.examples)
    text += fmt::format("  # {}\n  {}\n", example.says, example.line);
  return text;
}

std::string overview(Commands all) {
  return "Usage: fogline KIND VERB [OPTIONS]\n"
         "Release places, streams, paths, weights and traces under differential privacy, with a statement "
         "and a "
         "ledger.\n\nCommands:\n" +
         listed(all, "") +
         "\nGeneral:\n"
         "  --help             this text; after a command, that command's options\n"
         "  --version          the version\n"
         "  -q, --quiet        print warnings, errors and results only\n"
         "  -v, --verbose      print what is read, dropped and assumed\n"
         "  --no-progress      draw no progress bar\n"
         "  --threads N        threads to use; 0 for all cores\n"
         "  --limits LIST      when a file is refused as too large: bytes, memory, line, columns, depth, "
         "records,\n"
         "                     ratio, seconds, such as records=1000000,bytes=4G\n"
         "\nExamples:\n"
         "  # make a sample city and release a commuter's position, end to end\n"
         "  fogline demo\n"
         "  # what would a release cost, and how far off would it be?\n"
         "  fogline place plan --network lattice:20x20:1500 --epsilon 0.01\n";
}

std::string overview_of(const std::string& kind, Commands all) {
  return fmt::format("Usage: fogline {} VERB [OPTIONS]\n\nCommands:\n{}\nEach has its own --help.\n", kind,
                     listed(all, kind));
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  // What was begun and not finished: --eps, or --epsilon where there are several.
  constexpr std::size_t telling = 5;
  const auto begun =
      std::ranges::find_if(known, [&](const std::string& one) { return one.starts_with(word); });
  if (word.size() >= telling && begun != known.end()) return *begun;
  std::string best;
  std::size_t nearest = word.size() / 3 + 2;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < nearest) {
      nearest = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace fogline::cli
