// SPDX-License-Identifier: Apache-2.0
#include "cli/completion_script.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"

namespace fogline::cli {
namespace {

std::vector<std::string> split_flags(const std::string& flags) {
  const auto comma = flags.find(',');
  if (comma == std::string::npos) return {flags};
  return {flags.substr(0, comma), flags.substr(comma + 1)};
}

std::vector<OptionInfo> options_of(Command& command) {
  OptionSet options;
  command.declare(options);
  Session().declare(options);
  return options.options();
}

std::vector<std::string> first_words(Commands all) {
  std::vector<std::string> words;
  for (const auto& command : all) {
    const std::string word = command->info().words.front();
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  return words;
}

std::vector<std::string> second_words(Commands all, const std::string& first) {
  std::vector<std::string> words;
  for (const auto& command : all) {
    const auto mine = command->info().words;
    if (mine.size() > 1 && mine.front() == first) words.push_back(mine[1]);
  }
  return words;
}

/// bash, and zsh through its bash emulation: what may follow, by what stands on the line.
std::string bash(Commands all) {
  std::string text =
      "# Completion of fogline for bash; made by 'fogline completion bash'.\n"
      "_fogline() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command choices\n"
      "  command=\"${COMP_WORDS[1]} ${COMP_WORDS[2]}\"\n"
      "  COMPREPLY=()\n";
  text += fmt::format("  if [ \"$COMP_CWORD\" -eq 1 ]; then choices='{} --help --version'\n",
                      fmt::join(first_words(all), " "));
  for (const std::string& first : first_words(all)) {
    const auto verbs = second_words(all, first);
    if (verbs.empty()) continue;
    text += fmt::format(
        "  elif [ \"$COMP_CWORD\" -eq 2 ] && [ \"${{COMP_WORDS[1]}}\" = {} ]; then choices='{} --help'\n",
        first, fmt::join(verbs, " "));
  }
  text += "  else\n    case \"$command\" in\n";
  for (const auto& command : all) {
    std::vector<std::string> flags{"--help"};
    std::string values;
    for (const OptionInfo& option : options_of(*command)) {
      if (option.positional) {
        flags.insert(flags.end(), option.choices.begin(), option.choices.end());
        continue;
      }
      for (const std::string& flag : split_flags(option.flags)) {
        flags.push_back(flag);
        if (!option.choices.empty())
          values += fmt::format("          {}) choices='{}' ;;\n", flag, fmt::join(option.choices, " "));
      }
    }
    const auto words = command->info().words;
    text += fmt::format("      '{}'{}) choices='{}'\n", fmt::join(words, " "),
                        words.size() == 1 ? "\\ *" : "", fmt::join(flags, " "));
    if (!values.empty()) text += "        case \"$previous\" in\n" + values + "        esac\n";
    text += "        ;;\n";
  }
  return text +
         "    esac\n  fi\n"
         "  COMPREPLY=($(compgen -W \"$choices\" -- \"$word\"))\n"
         "  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- \"$word\"))\n"
         "}\ncomplete -o filenames -F _fogline fogline\n";
}

std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return "'" + text + "'";
}

std::string fish(Commands all) {
  std::string text = "# Completion of fogline for fish; made by 'fogline completion fish'.\n";
  text += fmt::format("complete -c fogline -n __fish_use_subcommand -f -a '{}'\n",
                      fmt::join(first_words(all), " "));
  for (const auto& command : all) {
    const CommandInfo info = command->info();
    std::string when = fmt::format("__fish_seen_subcommand_from {}", info.words.front());
    if (info.words.size() > 1) {
      text += fmt::format(
          "complete -c fogline -n '{}; and not __fish_seen_subcommand_from {}' -f -a {} -d {}\n", when,
          fmt::join(second_words(all, info.words.front()), " "), info.words[1], quoted(info.summary));
      when += fmt::format("; and __fish_seen_subcommand_from {}", info.words[1]);
    }
    for (const OptionInfo& option : options_of(*command)) {
      if (option.positional) continue;
      text += fmt::format("complete -c fogline -n '{}'", when);
      for (const std::string& flag : split_flags(option.flags)) {
        text += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
      }
      if (!option.value.empty()) text += " -r";
      if (!option.choices.empty()) text += fmt::format(" -f -a '{}'", fmt::join(option.choices, " "));
      text += " -d " + quoted(option.help) + "\n";
    }
  }
  return text;
}

}  // namespace

std::string completion_script(const std::string& shell, Commands all) {
  if (shell == "bash") return bash(all);
  if (shell == "fish") return fish(all);
  if (shell == "zsh") return "#compdef fogline\nautoload -U +X bashcompinit && bashcompinit\n" + bash(all);
  throw InvalidOption("SHELL", "must be bash, zsh or fish");
}

}  // namespace fogline::cli
