// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "cli/man_page.hpp"
#include "cli/usage_error.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"

namespace fogline::cli {
namespace {

std::string page_of(Command& command) {
  OptionSet options;
  command.declare(options);
  Session().declare(options);
  return man_page(command.info(), options.options());
}

void write(const std::filesystem::path& file, const std::string& text) {
  io::OutputFile out(file.string(), {.overwrite = true});
  out.write(text);
  out.commit();
}

class Manual : public Command {
 public:
  CommandInfo info() const override {
    return {{"manual"},
            "Print a command's man page, or write them all",
            "Man pages are made from the same text as --help. Without arguments prints fogline(1); with a "
            "command's words, its "
            "page; with --folder, writes every page there.",
            {{"read a page", "fogline manual place release"},
             {"write them all", "fogline manual --folder man --quiet"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("WORDS", words_, "the command, such as: place release");
    options.group("Output");
    options.value("--folder", "FOLDER", folder_, "write every page into this folder");
    options.flag("--examples", examples_, "print every command's examples, one a line");
  }

  int run(Session& session) override {
    const auto all = commands();
    if (examples_) {
      for (const auto& command : all) {
        for (const Example& example : command->info().examples) session.data(example.line + "\n");
      }
      return 0;
    }
    if (!folder_.empty()) return write_all(all, session);
    if (words_.empty()) {
      session.data(man_page_of_program(all));
      return 0;
    }
    for (const auto& command : all) {
      if (command->info().words == words_) {
        session.data(page_of(*command));
        return 0;
      }
    }
    throw UsageError("no such command; 'fogline --help' lists them");
  }

 private:
  int write_all(Commands all, Session& session) {
    std::filesystem::create_directories(folder_);
    const std::filesystem::path folder(folder_);
    write(folder / "fogline.1", man_page_of_program(all));
    for (const auto& command : all) write(folder / man_file_name(command->info()), page_of(*command));
    session.note("man pages in " + folder_);
    return 0;
  }

  std::vector<std::string> words_;
  std::string folder_;
  bool examples_ = false;
};

}  // namespace

std::unique_ptr<Command> manual() {
  return std::make_unique<Manual>();
}

}  // namespace fogline::cli
