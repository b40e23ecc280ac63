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
        "library takes such requests (docs/library.md).\n\n"
        "Without arguments it lists every KIND and VERB that has a schema, one pair a line; a verb of no "
        "kind "
        "stands alone.",
        {{"all that have one", "fogline schema"},
         {"what a release of positions takes", "fogline schema place release"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("KIND", kind_, fmt::format("{}; or a verb of no kind", fmt::join(kind_names(), ", ")));
    options.positional("VERB", verb_, "release, plan, measure, attack, audit, ...");
  }

  int run(Session& session) override {
    if (kind_.empty()) return list_all(session);
    const std::string kind = verb_.empty() ? "" : kind_, verb = verb_.empty() ? kind_ : verb_;
    std::vector<std::string> known;
    for (const release::MakeVerb& make_verb : verbs()) {
      const bool is_meant = std::visit(
          [&](const auto make) {
            const auto request = make();
            if (request->kind() == kind_) known.push_back(request->verb());
            if (request->kind() != kind || request->verb() != verb) return false;
            release::FieldTable table;
            declare_all(*request, table);
            session.data(to_text(release::schema(table, kind, verb)));
            return true;
          },
          make_verb);
      if (is_meant) return 0;
    }
    if (known.empty())
      throw UsageError(fmt::format("'{}' is not a kind: {}", kind_, fmt::join(kind_names(), ", ")));
    if (verb_.empty()) throw UsageError(fmt::format("'{}' needs a verb: {}", kind_, fmt::join(known, ", ")));
    throw UsageError(fmt::format("'{}' is not a verb of {}: {}", verb_, kind_, fmt::join(known, ", ")));
  }

 private:
  static int list_all(Session& session) {
    std::string lines;
    for (const release::MakeVerb& verb : verbs())
      lines += std::visit(
          [](const auto make) {
            const auto request = make();
            return request->kind().empty() ? request->verb() + "\n"
                                           : fmt::format("{} {}\n", request->kind(), request->verb());
          },
          verb);
    session.data(lines);
    return 0;
  }

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
