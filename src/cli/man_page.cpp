// SPDX-License-Identifier: Apache-2.0
#include "cli/man_page.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fogline::cli {
namespace {

// A fixed date keeps the pages the same from build to build.
constexpr const char* page_date = "November 15, 2026";

constexpr const char* exit_codes =
    ".Sh EXIT STATUS\n"
    ".Bl -tag -width 3n -compact\n"
    ".It 0\nfine\n"
    ".It 1\na file is wrong, missing or not writable, or a check did not pass\n"
    ".It 2\nthe command line is wrong\n"
    ".It 3\nthe ledger refuses: over a cap, a dataset that was not declared, refused too often; nothing was "
    "written\n"
    ".It 4\nno check failed, but what was asked could not be shown either\n"
    ".It 130\ninterrupted\n"
    ".It 141\nwhoever read standard output went away\n"
    ".El\n";

/// Text that the formatter takes literally.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  if (result.starts_with('.') || result.starts_with('\'')) result.insert(0, "\\&");
  return result;
}

/// mdoc wants each sentence on a line of its own.
std::string sentences(std::string text) {
  for (std::size_t at = 0; (at = text.find(". ", at)) != std::string::npos; ++at) {
    text[at + 1] = '\n';
    // At the beginning of a line these two would be taken for a request.
    if (text[at + 2] == '\'' || text[at + 2] == '.') text.insert(at + 2, "\\&");
  }
  return text;
}

std::string paragraphs(const std::string& text) {
  std::string result;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find("\n\n", begin), text.size());
    if (begin > 0) result += ".Pp\n";
    result += sentences(escaped(text.substr(begin, end - begin))) + "\n";
    begin = end + 2;
  }
  return result;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::string head(const std::string& page, const std::string& summary) {
  return fmt::format(".Dd {}\n.Dt {} 1\n.Os Fogline\n.Sh NAME\n.Nm {}\n.Nd {}\n", page_date, upper(page),
                     page, escaped(summary));
}

std::string option_items(const std::vector<OptionInfo>& options) {
  std::string text = ".Bl -tag -width Ds\n";
  for (const OptionInfo& option : options) {
    text += ".It " + escaped(spelled(option)) + "\n" + escaped(option.help);
    if (!option.range.empty()) text += escaped(fmt::format(" (a number {})", option.range));
    if (!option.choices.empty())
      text += escaped(fmt::format(" (one of: {})", fmt::join(option.choices, ", ")));
    if (option.required)
      text +=
          escaped(option.unless.empty() ? " (required)" : fmt::format(" (required, or {})", option.unless));
    text += ".\n";
  }
  return text + ".El\n";
}

std::string example_block(const std::vector<Example>& examples) {
  std::string text = ".Sh EXAMPLES\n";
  for (const Example& example : examples) {
    text += escaped(example.says) + ":\n.Bd -literal -offset indent\n" + escaped(example.line) + "\n.Ed\n";
  }
  return text;
}

}  // namespace

std::string man_file_name(const CommandInfo& info) {
  return fmt::format("fogline-{}.1", fmt::join(info.words, "-"));
}

std::string man_page(const CommandInfo& info, const std::vector<OptionInfo>& options) {
  const std::string page = fmt::format("fogline-{}", fmt::join(info.words, "-"));
  return head(page, info.summary) + ".Sh SYNOPSIS\n" + escaped(usage(info, options)) + "\n.Sh DESCRIPTION\n" +
         paragraphs(info.description) + option_items(options) + exit_codes + example_block(info.examples) +
         ".Sh SEE ALSO\n.Xr fogline 1\n";
}

std::string man_page_of_program(Commands all) {
  std::string text = head("fogline", "release places under differential privacy");
  text += ".Sh SYNOPSIS\nfogline KIND VERB [OPTIONS]\n.Sh DESCRIPTION\n";
  text +=
      "Releases private positions on road networks, sequences of states and weights of graphs with a proved "
      "guarantee, a statement that says what is "
      "promised,\n"
      "and a ledger that records what was spent.\n.Bl -tag -width Ds\n";
  for (const auto& command : all) {
    const CommandInfo info = command->info();
    text += fmt::format(".It {}\n{}.\nSee\n.Xr fogline-{} 1 .\n", escaped(name(info)), escaped(info.summary),
                        fmt::join(info.words, "-"));
  }
  return text +
         ".El\n.Sh ENVIRONMENT\n.Bl -tag -width Ds\n"
         ".It XDG_DATA_HOME\nfolder of the default ledger, fogline/ledger.sqlite below it\n"
         ".It TERM\nthe progress bar is drawn on a capable terminal only\n.El\n" +
         exit_codes;
}

}  // namespace fogline::cli
