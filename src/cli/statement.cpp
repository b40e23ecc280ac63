// SPDX-License-Identifier: Apache-2.0
#include "privacy/statement.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/blocks.hpp"
#include "cli/usage_error.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "release/analyses/statement_files.hpp"
#include "release/analyses/written_file.hpp"
#include "release/kinds.hpp"
#include "report/public_notice.hpp"

namespace fogline::cli {
namespace {

class StatementCommand : public Command {
 public:
  CommandInfo info() const override {
    return {{"statement"},
            "Turn a statement into an entry for a public registry, or into a notice for a web site",
            "Takes a released file or its statement. With --registry it writes an entry (JSON) for a public "
            "registry of "
            "deployments of differential privacy: what is protected, by what, with which parameters, how it "
            "is accounted for; "
            "what a statement cannot know and you do not say is null. With --notice it writes one page of "
            "HTML in plain "
            "language, for the people whom the data are about, complete in itself.\n\n"
            "Neither checks anything: that is what fogline verify is for.",
            {{"for the registry",
              "fogline sample place --network line:101:1000 -o points.csv -q && fogline ledger add --ledger "
              "my.ledger --cap 'epsilon "
              "1 per metre' -q && fogline place release --network line:101:1000 --epsilon 0.02 points.csv -o "
              "safe.csv --ledger "
              "my.ledger -q && fogline statement safe.csv --registry --curator 'traffic office'"},
             {"for a web site",
              "fogline sample place --network line:9:800 -o few.csv -q && fogline ledger add --ledger "
              "few.ledger --cap 'epsilon 1 per "
              "metre' -q && fogline place release --network line:9:800 --epsilon 0.02 few.csv -o "
              "few_safe.csv --ledger few.ledger -q "
              "&& fogline statement few_safe.csv --notice -o notice.html"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("RELEASE", given_, "the released file, or its statement").required();
    options.flag("--registry", registry_, "an entry for a public registry, as JSON");
    options.flag("--notice", notice_, "a page in plain language, as HTML");
    options.group("What a statement cannot know");
    options.value("--title", "TEXT", publication_.title, "what the publication is called");
    options.value("--curator", "TEXT", publication_.curator, "who publishes it");
    options.value("--use", "TEXT", publication_.use, "what it is meant for");
    options.value("--region", "TEXT", publication_.region, "where the people live");
    options.value("--contact", "TEXT", publication_.contact, "whom to ask");
    options.group("Output");
    options.value("-o,--output", "FILE", output_, "where it goes; otherwise standard output");
    options.flag("--overwrite", overwrite_, "replace an existing file");
  }

  int run(Session& session) override {
    if (registry_ == notice_) throw UsageError("give --registry or --notice, one of the two");
    const release::StatementOf found = release::statement_of(given_);
    const privacy::Statement statement = release::only_statement(found.statement);
    const release::Kind* kind = release::find_kind(statement.kind);
    const report::KindPages* pages = kind == nullptr ? nullptr : &kind->pages;
    const std::string text = registry_
                                 ? to_text(report::registry_entry(statement, pages, publication_).json())
                                 : report::notice_html(statement, pages, publication_);
    if (output_.empty() || output_ == "-") {
      session.data(text);
      return 0;
    }
    release::require_other_file(output_, {found.statement, found.released});
    io::OutputFile file(output_, {.overwrite = overwrite_});
    file.write(text);
    file.commit();
    return 0;
  }

 private:
  std::string given_, output_;
  report::Publication publication_;
  bool registry_ = false, notice_ = false, overwrite_ = false;
};

}  // namespace

std::unique_ptr<Command> statement() {
  return std::make_unique<StatementCommand>();
}

}  // namespace fogline::cli
