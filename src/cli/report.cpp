// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/blocks.hpp"
#include "cli/run.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "privacy/statement_check.hpp"
#include "release/analyses/named_files.hpp"
#include "release/analyses/statement_files.hpp"
#include "release/column_fields.hpp"
#include "release/kinds.hpp"
#include "report/page_html.hpp"
#include "report/release_view.hpp"

namespace fogline::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view statement_ending = ".statement.json";
constexpr std::string_view private_ending = ".private.html";

class Report : public Command {
 public:
  CommandInfo info() const override {
    return {{"report"},
            "Write a page of pictures about releases: what they promise, cost, show and leave to attackers",
            "One HTML file that opens in any browser without a network: for each release what is promised in "
            "plain words, "
            "the budget, the checks of fogline verify, the attacks that need public things alone, and the "
            "pictures of its "
            "kind. Give released files, with their statements beside them, or the statements.\n\n"
            "Maps need the public files that the statement names; they are looked for beside it, and --file "
            "says where one "
            "lies that is elsewhere. --network lays public roads below maps that have none of their own, and "
            "gives the "
            "vertices of paths and weights their places.\n\n"
            "No private value goes into a report, unless --curator asks for it: then --original names the "
            "private file "
            "of a release (for a path: the network of its insiders), its error is measured, every page "
            "carries a mark, and "
            "the name of the report must end in .private.html. Such a report is for the curator alone.",
            {{"a release of positions",
              "fogline sample place --network lattice:9x9:800 -o points.csv -q && fogline ledger add "
              "--ledger my.ledger --cap 'epsilon 1 per metre' -q && fogline place release "
              "--network "
              "lattice:9x9:800 --epsilon 0.01 points.csv -o safe.csv --ledger my.ledger -q && fogline report "
              "safe.csv -o "
              "report.html --ledger my.ledger"},
             {"the same for its curator",
              "fogline sample place --network line:9:800 -o few.csv -q && fogline ledger add --ledger "
              "my.ledger --cap 'epsilon 1 per metre' -q && fogline place release --network "
              "line:9:800 "
              "--epsilon 0.02 few.csv -o few_safe.csv --ledger my.ledger -q && fogline report few_safe.csv "
              "--curator "
              "--original few_safe.csv=few.csv -o report.private.html --ledger my.ledger"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("RELEASE", releases_, "released files or their statements").required();
    options.group("Files");
    options.value("--file", "NAME=PATH", files_,
                  "where a public file is that lies elsewhere; may be repeated");
    options.value("--ledger", "FILE", ledger_.ledger,
                  "the ledger that was charged; otherwise yours, if it was that one");
    options.value("--network", "NET", network_, "public roads to lie below maps, and to place vertices by");
    options.group("Curator");
    options.value("--trust", "KEYS", trust_, "a public key, or a folder of them, whose signatures count");
    options.flag("--curator", curator_, "for the curator alone: show private values, and mark every page");
    options.value("--original", "RELEASE=FILE", originals_,
                  "the private file of a release, by its name or as typed; may be repeated");
    columns_.declare_order(options);
    options.group("Output");
    options.value("-o,--output", "FILE", output_, "the report, .html").required();
    options.flag("--overwrite", overwrite_, "replace an existing file");
    options.value("--title", "TEXT", title_, "above all pages");
    options.flag("--no-attacks", no_attacks_, "leave the attacks out, which can take long");
    options.flag("--json", json_, "print what was written as JSON");
  }

  int run(Session& session) override {
    require_sense();
    const std::vector<privacy::Statement> statements = read_statements();
    const auto files = release::named_files(files_), originals = release::named_files(originals_, "original");
    release::refuse_unknown_names(files, statements);
    refuse_unknown_originals(originals, statements);
    std::vector<std::string> inputs = releases_;
    for (const auto& [name, path] : files) inputs.push_back(path);
    for (const auto& [name, path] : originals) inputs.push_back(path);
    for (const std::string& other : {ledger_.ledger, network_})
      if (!other.empty()) inputs.push_back(other);
    require_other_file(output_, inputs);
    ledger_.is_optional = true;
    fill_in(ledger_);
    io::OutputFile out(output_, {.overwrite = overwrite_, .owner_only = curator_});
    report::Document document{.title = title(statements), .curator = curator_};
    // One for all: a session shows the progress of one task at a time, and a second call would end the first.
    const Progress progress = session.progress();
    std::vector<report::ReleaseView> views;
    for (std::size_t i = 0; i < statements.size(); ++i)
      views.push_back(view(i, statements,
                           {.folder = release::folder_of(releases_[i]),
                            .files = files,
                            .threads = session.threads(),
                            .progress = progress},
                           originals));
    if (views.size() > 1) document.pages.push_back(overview(views));
    for (const report::ReleaseView& view : views) {
      const release::Kind* kind = release::find_kind(view.statement.kind);
      document.pages.push_back(
          report::release_page(view, kind == nullptr ? nullptr : &kind->pages, document));
    }
    for (const report::ReleaseView& view : views)
      if (const auto failed =
              std::ranges::count(view.checks, privacy::Outcome::failed, &privacy::Check::outcome))
        session.warn(
            fmt::format("{}: {} check{} FAILED; the page says which",
                        view.statement.outputs.empty() ? view.id : view.statement.outputs.front().name,
                        failed, failed == 1 ? "" : "s"));
    for (const report::ReleaseView& view : views)
      if (const auto open =
              std::ranges::count(view.checks, privacy::Outcome::not_checked, &privacy::Check::outcome))
        session.note(
            fmt::format("{}: {} check{} could not be made here; the page says which, and what is missing",
                        view.id, open, open == 1 ? "" : "s"));
    const std::string html = report::page_html(document);
    out.write(html);
    out.commit();
    tell(session, document, html.size());
    return 0;
  }

 private:
  void require_sense() const {
    report::require_page();
    if (output_ != "-" && !output_.ends_with(".html")) throw InvalidOption("output", "must end in .html");
    if (curator_ && !output_.ends_with(private_ending))
      throw InvalidOption("output",
                          "must end in .private.html: with --curator the report holds private values");
    if (!curator_ && !originals_.empty())
      throw InvalidOption("original", "names a private file, which goes into a report only with --curator");
    if (output_ == "-" && json_)
      throw InvalidOption("json", "and the report cannot both go to standard output");
    if (curator_ && originals_.empty())
      throw InvalidOption("curator", "needs --original RELEASE=FILE: which private file to measure against");
  }

  std::vector<privacy::Statement> read_statements() const {
    std::vector<privacy::Statement> statements;
    for (const std::string& release : releases_) {
      if (!fs::exists(statement_of(release)))
        throw FileError(release, "has no statement beside it",
                        "give a released file, with its OUTPUT.statement.json");
      statements.push_back(privacy::read_statement(statement_of(release)));
    }
    return statements;
  }

  /// The statement beside a released file; or the file itself, if there is none beside it and it is one.
  static std::string statement_of(const std::string& release) {
    if (release.ends_with(statement_ending)) return release;
    const std::string beside = privacy::statement_path(release);
    return fs::exists(beside) || !release.ends_with(".json") || !fs::exists(release) ? beside : release;
  }

  /// The original of release i: given by the release as typed, or by the released file's name if only one has it.
  std::string original_of(std::size_t i, const std::vector<privacy::Statement>& statements,
                          const std::map<std::string, std::string>& originals) const {
    const auto typed = originals.find(releases_[i]);
    if (typed != originals.end()) return typed->second;
    const auto named =
        statements[i].outputs.empty() ? originals.end() : originals.find(statements[i].outputs.front().name);
    return named == originals.end() ? "" : named->second;
  }

  void refuse_unknown_originals(const std::map<std::string, std::string>& originals,
                                const std::vector<privacy::Statement>& statements) const {
    for (const auto& [name, path] : originals) {
      if (std::ranges::find(releases_, name) != releases_.end()) continue;
      std::size_t known = 0;
      for (const privacy::Statement& statement : statements)
        for (const auto& output : statement.outputs) known += output.name == name ? 1U : 0U;
      if (known == 0)
        throw InvalidOption("original", fmt::format("names {}, which is none of the releases", name));
      if (known > 1)
        throw InvalidOption("original",
                            fmt::format("names {}, and {} releases are called so: give the release as "
                                        "you typed it, with its folder",
                                        name, known));
    }
  }

  std::string title(const std::vector<privacy::Statement>& statements) const {
    if (!title_.empty()) return title_;
    if (statements.size() > 1) return fmt::format("{} releases", statements.size());
    const auto& outputs = statements.front().outputs;
    return fmt::format("A release of {}: {}", statements.front().kind,
                       outputs.empty() ? "" : outputs.front().name);
  }

  report::ReleaseView view(std::size_t i, const std::vector<privacy::Statement>& statements,
                           const audit::RecomputeOptions& files,
                           const std::map<std::string, std::string>& originals) const {
    report::ReleaseView view{.statement = statements[i],
                             .id = fmt::format("{}-{}", statements[i].kind, i + 1),
                             .files = files,
                             .roads = network_,
                             .attack = !no_attacks_};
    // The file that was given is the one to look at, whatever it is called and wherever the statement says it went.
    if (!releases_[i].ends_with(statement_ending) && releases_[i] != statement_of(releases_[i])) {
      std::map<std::string, std::string> given;
      release::name_outputs(view.statement, releases_[i], given);
      for (const auto& [name, path] : given) view.files.files[name] = path;
    }
    auto ledger = release::ledger_at_hand(ledger_, view.statement);
    const auto* reference = std::get_if<privacy::LedgerReference>(&view.statement.ledger);
    if (ledger && (reference == nullptr || reference->ledger_id != ledger->id()))
      ledger = nullptr;  // of other releases
    view.checks = privacy::verify(view.statement, {.folder = view.files.folder,
                                                   .files = view.files.files,
                                                   .ledger = ledger.get(),
                                                   .trusted = privacy::TrustedKeys::read(trust_)});
    // Of a signature that is not there, nothing is missing here.
    if (!view.statement.signature)
      std::erase_if(view.checks, [](const privacy::Check& check) { return check.name == "signature"; });
    for (privacy::Check& check : release::recompute(view.statement, view.files))
      view.checks.push_back(std::move(check));
    if (ledger) view.book = book_of(*ledger, view.statement);
    view.original = original_of(i, statements, originals);
    view.reading = {.columns = columns_.map(), .times = columns_.times(), .sort = columns_.sort};
    return view;
  }

  static std::optional<privacy::DatasetBook> book_of(privacy::Ledger& ledger,
                                                     const privacy::Statement& statement) {
    const auto* reference = std::get_if<privacy::LedgerReference>(&statement.ledger);
    if (reference == nullptr || reference->ledger_id != ledger.id()) return std::nullopt;
    try {
      return ledger.books().dataset(reference->dataset);
    } catch (const DataError&) {
      return std::nullopt;  // an altered ledger; the check of the entry says so
    }
  }

  static report::Page overview(const std::vector<report::ReleaseView>& views) {
    report::Table table{.caption = "The releases of this report",
                        .columns = {"file", "kind", "mechanism", "guarantee", "checks"}};
    for (const report::ReleaseView& view : views) {
      const auto failed = std::ranges::count(view.checks, privacy::Outcome::failed, &privacy::Check::outcome);
      const auto open =
          std::ranges::count(view.checks, privacy::Outcome::not_checked, &privacy::Check::outcome);
      table.rows.push_back({view.statement.outputs.empty() ? "" : view.statement.outputs.front().name,
                            view.statement.kind, view.statement.mechanism,
                            to_string(view.statement.guarantee),
                            failed > 0 ? fmt::format("{} FAILED", failed)
                            : open > 0 ? fmt::format("none failed, {} not made", open)
                                       : "all passed"});
    }
    return {.id = "overview",
            .title = "Overview",
            .kind = "report",
            .lead = fmt::format("{} releases, each on a page of its own.", views.size()),
            .sections = {{.title = "Releases", .blocks = {std::move(table)}}}};
  }

  void tell(Session& session, const report::Document& document, std::size_t bytes) const {
    if (curator_)
      session.warn("PRIVATE: this report holds private values, for the curator alone; do not pass it on");
    nlohmann::ordered_json pages = nlohmann::ordered_json::array();
    for (const report::Page& page : document.pages) pages.push_back(page.id);
    if (json_)
      session.data(to_text({{"report", output_}, {"private", curator_}, {"bytes", bytes}, {"pages", pages}}));
    else if (output_ != "-")
      session.note(fmt::format("wrote {} page{} to {}", document.pages.size(),
                               document.pages.size() == 1 ? "" : "s", output_));
  }

  std::vector<std::string> releases_, files_, originals_;
  release::ColumnFields columns_;
  release::LedgerFields ledger_;
  std::string network_, output_, title_;
  std::vector<std::string> trust_;
  bool curator_ = false, overwrite_ = false, no_attacks_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> report() {
  return std::make_unique<Report>();
}

}  // namespace fogline::cli
