// SPDX-License-Identifier: Apache-2.0
#include "cli/completion_script.hpp"
#include "cli/verbs.hpp"

namespace fogline::cli {
namespace {

class Completion : public Command {
 public:
  CommandInfo info() const override {
    return {{"completion"},
            "Print a script that completes fogline's commands in your shell",
            "Prints a completion script for bash, zsh or fish. The Debian package installs all three; "
            "otherwise load it from "
            "your shell's start-up file.",
            {{"for this bash session", "source <(fogline completion bash)"},
             {"what fish would load", "fogline completion fish"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("SHELL", shell_, "bash, zsh or fish").required().choices({"bash", "zsh", "fish"});
  }

  int run(Session& session) override {
    session.data(completion_script(shell_, commands()));
    return 0;
  }

 private:
  std::string shell_;
};

}  // namespace

std::unique_ptr<Command> completion() {
  return std::make_unique<Completion>();
}

}  // namespace fogline::cli
