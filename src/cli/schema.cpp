// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/command.hpp"
#include "cli/usage_error.hpp"
#include "cli/verbs.hpp"
#include "release/kinds.hpp"

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
    options.positional("KIND", kind_, fmt::format("{}", fmt::join(kind_names(), ", "))).required();
    options.positional("VERB", verb_, "release, plan, measure, attack, audit, ...").required();
  }

  int run(Session& session) override {
    std::vector<std::string> known;
    for (const release::MakeVerb& verb : verbs()) {
      const bool is_meant = std::visit(
          [&](const auto make) {
            const auto request = make();
            if (request->kind() == kind_) known.push_back(request->verb());
            if (request->kind() != kind_ || request->verb() != verb_) return false;
            release::FieldTable table;
            declare_all(*request, table);
            session.data(to_text(release::schema(table, kind_, verb_)));
            return true;
          },
          verb);
      if (is_meant) return 0;
    }
    throw UsageError(known.empty()
                         ? fmt::format("'{}' is not a kind: {}", kind_, fmt::join(kind_names(), ", "))
                         : fmt::format("'{}' is not a verb of {}: {}", verb_, kind_, fmt::join(known, ", ")));
  }

 private:
  static std::vector<release::MakeVerb> verbs() {
    std::vector<release::MakeVerb> all;
    for (const release::Kind& kind : release::kinds())
      all.insert(all.end(), kind.verbs.begin(), kind.verbs.end());
    all.insert(all.end(), release::other_verbs().begin(), release::other_verbs().end());
    return all;
  }

  static std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for (const release::Kind& kind : release::kinds()) names.push_back(kind.name);
    return names;
  }

  std::string kind_, verb_;
};

}  // namespace

std::unique_ptr<Command> schema() {
  return std::make_unique<Schema>();
}

}  // namespace fogline::cli
