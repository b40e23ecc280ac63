// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/command.hpp"
#include "cli/usage_error.hpp"
#include "cli/verbs.hpp"

namespace fogline::cli {
namespace {

class Schema : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"schema"},
        "Print the JSON schema of a verb's request",
        "A request has the same fields whoever makes it: the options of the command line are those of the "
        "schema. Each has a type, a default if there is one, the values that are allowed, and one sentence. "
        "x-role says, for verbs that release, which fields name private inputs, public inputs and outputs. "
        "The "
        "library takes such requests (docs/library.md).",
        {{"what a release of positions takes", "fogline schema place release"},
         {"the fields of a plan", "fogline schema traces plan"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("KIND", kind_, "place, stream, path, weights, traces").required();
    options.positional("VERB", verb_, "release, plan, measure, attack, audit, ...").required();
  }

  int run(Session& session) override {
    std::vector<std::string> known;
    for (const auto& command : commands()) {
      const std::vector<std::string> words = command->info().words;
      if (words.size() == 2 && words[0] == kind_) known.push_back(words[1]);
      if (words != std::vector{kind_, verb_}) continue;
      OptionSet options;
      command->declare(options);
      nlohmann::ordered_json schema = release::schema(options, kind_, verb_);
      schema["properties"].erase("json");  // how an answer is printed is no part of a request
      session.data(to_text(schema));
      return 0;
    }
    throw UsageError(known.empty()
                         ? fmt::format("'{}' is not a kind: place, stream, path, weights, traces", kind_)
                         : fmt::format("'{}' is not a verb of {}: {}", verb_, kind_, fmt::join(known, ", ")));
  }

 private:
  std::string kind_, verb_;
};

}  // namespace

std::unique_ptr<Command> schema() {
  return std::make_unique<Schema>();
}

}  // namespace fogline::cli
