// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "release/analyses/analysis.hpp"
#include "release/analyses/named_files.hpp"
#include "release/analyses/release_views.hpp"
#include "release/kinds.hpp"
#include "report/page_html.hpp"

namespace fogline::release {
namespace {

using report::ReleaseView;

/// A report with private values says so by its name, wherever it is moved to.
constexpr std::string_view private_ending = ".private.html";

std::size_t count(const ReleaseView& view, privacy::Outcome outcome) {
  return static_cast<std::size_t>(std::ranges::count(view.checks, outcome, &privacy::Check::outcome));
}

std::string name_of(const ReleaseView& view) {
  return view.statement.outputs.empty() ? "" : view.statement.outputs.front().name;
}

class WriteReport : public Analysis {
 public:
  WriteReport() { at_hand_.ledger.is_optional = true; }

  std::string kind() const override { return ""; }
  std::string verb() const override { return "report"; }
  LedgerFields* ledger() override { return &at_hand_.ledger; }
  const WrittenFile* written() const override { return &file_; }

  void declare(FieldTable& table) override {
    table.positional("releases", "RELEASE", at_hand_.releases, "released files or their statements")
        .role(FieldRole::public_input)
        .required();
    table.group("Files");
    table.value("file", "NAME=PATH", files_, "where a public file is that lies elsewhere; may be repeated")
        .role(FieldRole::public_input);
    table.value("ledger", "FILE", at_hand_.ledger.ledger,
                "the ledger that was charged; otherwise yours, if it was that one");
    table.value("network", "NET", at_hand_.roads, "public roads to lie below maps, and to place vertices by")
        .role(FieldRole::public_input);
    declare_curator(table);
    file_.declare(table, "the report, .html");
    table.value("title", "TEXT", title_, "above all pages");
    table.flag("no-attacks", no_attacks_, "leave the attacks out, which can take long");
  }

  Findings run(Caller& caller) override {
    require_sense();
    at_hand_.files = named_files(files_);
    at_hand_.originals = named_files(originals_, "original");
    at_hand_.attack = !no_attacks_;
    require_other_file(file_.output, input_files());
    io::OutputFile out(file_.output, {.overwrite = file_.overwrite, .owner_only = curator_});
    const std::vector<ReleaseView> views = look_at(at_hand_, caller);
    const report::Document document = document_of(views);
    tell_checks(views, caller);
    const std::string html = report::page_html(document);
    out.write(html);
    out.commit();
    if (curator_)
      caller.warn("PRIVATE: this report holds private values, for the curator alone; do not pass it on");
    return findings(document, html.size());
  }

 private:
  void declare_curator(FieldTable& table) {
    table.group("Curator");
    table.value("trust", "KEYS", at_hand_.trust, "a public key, or a folder of them, whose signatures count")
        .role(FieldRole::public_input);
    table.flag("curator", curator_, "for the curator alone: show private values, and mark every page");
    table
        .value("original", "RELEASE=FILE", originals_,
               "the private file of a release, by its name or as typed; may be repeated")
        .role(FieldRole::private_input);
    at_hand_.columns.declare_order(table);
  }

  void require_sense() const {
    report::require_page();
    if (!file_.is_standard_output() && !file_.output.ends_with(".html"))
      throw InvalidOption("output", "must end in .html");
    if (curator_ && !file_.output.ends_with(private_ending))
      throw InvalidOption("output",
                          "must end in .private.html: with `curator` the report holds private values");
    if (!curator_ && !originals_.empty())
      throw InvalidOption("original", "names a private file, which goes into a report only with `curator`");
    if (curator_ && originals_.empty())
      throw InvalidOption("curator", "needs `original` RELEASE=FILE: which private file to measure against");
  }

  std::vector<std::string> input_files() const {
    std::vector<std::string> files = at_hand_.releases;
    for (const auto& [name, path] : at_hand_.files) files.push_back(path);
    for (const auto& [name, path] : at_hand_.originals) files.push_back(path);
    for (const std::string& other : {at_hand_.ledger.ledger, at_hand_.roads})
      if (!other.empty()) files.push_back(other);
    return files;
  }

  report::Document document_of(const std::vector<ReleaseView>& views) const {
    report::Document document{.title = title(views), .curator = curator_};
    if (views.size() > 1) document.pages.push_back(overview(views));
    for (const ReleaseView& view : views) {
      const Kind* kind = find_kind(view.statement.kind);
      document.pages.push_back(
          report::release_page(view, kind == nullptr ? nullptr : &kind->pages, document));
    }
    return document;
  }

  std::string title(const std::vector<ReleaseView>& views) const {
    if (!title_.empty()) return title_;
    if (views.size() > 1) return fmt::format("{} releases", views.size());
    return fmt::format("A release of {}: {}", views.front().statement.kind, name_of(views.front()));
  }

  static report::Page overview(const std::vector<ReleaseView>& views) {
    report::Table table{.caption = "The releases of this report",
                        .columns = {"file", "kind", "mechanism", "guarantee", "checks"}};
    for (const ReleaseView& view : views) {
      const std::size_t failed = count(view, privacy::Outcome::failed),
                        open = count(view, privacy::Outcome::not_checked);
      table.rows.push_back({name_of(view), view.statement.kind, view.statement.mechanism,
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

  static void tell_checks(const std::vector<ReleaseView>& views, Caller& caller) {
    for (const ReleaseView& view : views)
      if (const std::size_t failed = count(view, privacy::Outcome::failed); failed > 0)
        caller.warn(fmt::format("{}: {} check{} FAILED; the page says which",
                                name_of(view).empty() ? view.id : name_of(view), failed,
                                failed == 1 ? "" : "s"));
    for (const ReleaseView& view : views)
      if (const std::size_t open = count(view, privacy::Outcome::not_checked); open > 0)
        caller.note(
            fmt::format("{}: {} check{} could not be made here; the page says which, and what is missing",
                        view.id, open, open == 1 ? "" : "s"));
  }

  Findings findings(const report::Document& document, std::size_t bytes) const {
    auto pages = nlohmann::ordered_json::array();
    for (const report::Page& page : document.pages) pages.push_back(page.id);
    Findings found(nlohmann::ordered_json{
        {"report", file_.output}, {"private", curator_}, {"bytes", bytes}, {"pages", pages}});
    if (!file_.is_standard_output())
      found.add(
          fmt::format("wrote {} page{} to {}", pages.size(), pages.size() == 1 ? "" : "s", file_.output));
    found.tells_of_file = true;
    return found;
  }

  ReleasesAtHand at_hand_;
  std::vector<std::string> files_, originals_;
  std::string title_;
  WrittenFile file_;
  bool curator_ = false, no_attacks_ = false;
};

}  // namespace

std::unique_ptr<Analysis> write_report() {
  return std::make_unique<WriteReport>();
}

}  // namespace fogline::release
