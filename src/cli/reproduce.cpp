// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/blocks.hpp"
#include "cli/usage_error.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "release/analyses/whole_releases.hpp"
#include "release/kinds.hpp"
#include "report/figure_json.hpp"
#include "report/figure_plots.hpp"
#include "report/page_html.hpp"

namespace fogline::cli {
namespace {

namespace fs = std::filesystem;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Reproduce : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"reproduce"},
        "Compute a paper's figure anew: numbers, a plot, and its claim beside our result",
        "Writes FIGURE.csv, FIGURE.svg and FIGURE.html into a folder and says in words what the paper claims "
        "and what our numbers say; the page has the same plots, and saves each as SVG or PNG. Without a "
        "figure, lists them. No private record is read and nothing is charged.\n\n"
        "Figures on real data take maps from FOLDER/maps, graphs from FOLDER/graphs, and sequences from "
        "FOLDER/streams and FOLDER/traces (--data, or the environment variable "
        "FOGLINE_DATA); without one, a generated city or graph takes their place, and the result says so.",
        {{"which figures there are", "fogline reproduce"},
         {"one of them, into the current folder", "fogline reproduce place-fig6 --quick"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("FIGURE", figure_, "which one, such as place-fig6; without it they are listed");
    options.group("Experiment");
    options.flag("--list", list_, "list the figures");
    options.flag("--quick", quick_, "smaller data and fewer points: seconds instead of minutes");
    options.value("--data", "FOLDER", data_,
                  "real data, with maps/, graphs/, ... in it; otherwise FOGLINE_DATA");
    options.group("Output");
    options.value("-o,--output", "FOLDER", folder_, "where the files go, made if missing (.)");
    options.flag("--overwrite", overwrite_, "replace existing files");
    options.flag("--json", json_, "print numbers, claim and result as JSON");
  }

  int run(Session& session) override {
    if (list_ || figure_.empty()) {
      session.data(json_ ? to_text(report::figure_list_json(release::all_figures())) : list_text());
      return 0;
    }
    require_known();
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) throw FileError(folder_, "cannot be made (" + error.message() + ")", "choose another folder");
    // Opened first: hours of work are not thrown away for a file that exists.
    io::OutputFile csv(path(".csv"), {.overwrite = overwrite_}), svg(path(".svg"), {.overwrite = overwrite_});
    std::optional<io::OutputFile> html;
    if (report::has_page()) html.emplace(path(".html"), io::OutputFile::Options{.overwrite = overwrite_});
    const Figure figure = compute_figure(release::all_figures(), figure_,
                                         {.quick = quick_,
                                          .data = data_folder(),
                                          .seconds = steady_seconds,
                                          .threads = session.threads(),
                                          .progress = session.progress(),
                                          .whole = release::whole_for_figures(session)});
    csv.write(to_csv(figure));
    svg.write(report::figure_svg(figure));
    if (html) html->write(report::figure_html(figure));
    csv.commit();
    svg.commit();
    if (html) html->commit();
    session.data(json_ ? to_text(as_json(figure)) : as_text(figure));
    return 0;
  }

 private:
  std::string path(const char* ending) const {
    return (fs::path(folder_) / (figure_ + ending)).lexically_normal().string();
  }

  std::vector<std::string> written() const {
    std::vector<std::string> files{path(".csv"), path(".svg")};
    if (report::has_page()) files.push_back(path(".html"));
    return files;
  }

  std::string data_folder() const {
    if (!data_.empty()) return data_;
    const char* folder = std::getenv("FOGLINE_DATA");
    return folder == nullptr ? "" : folder;
  }

  void require_known() const {
    for (const FigureKind& kind : release::all_figures()) {
      if (kind.name == figure_) return;
    }
    throw UsageError(fmt::format("there is no figure called {}; 'fogline reproduce' lists them", figure_));
  }

  static std::string list_text() {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const FigureKind& kind : release::all_figures()) rows.emplace_back(kind.name, kind.what);
    return fields(rows);
  }

  /// With the files, which are the command line's own.
  nlohmann::ordered_json as_json(const Figure& figure) const {
    auto json = report::figure_json(figure, {.quick = quick_});
    json["files"] = written();
    return json;
  }

  std::string as_text(const Figure& figure) const {
    return fields(
        {{"figure", fmt::format("{}: {}{}", figure.name, figure.title, quick_ ? " (quick)" : "")},
         {"data", figure.data},
         {"claim", figure.claim},
         {"ours", figure.result},
         {"so", figure.confirmed ? "our numbers say the same" : "our numbers do not say all of that"},
         {"files", fmt::format("{}", fmt::join(written(), ", "))}});
  }

  std::string figure_, data_, folder_ = ".";
  bool list_ = false, quick_ = false, overwrite_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> reproduce() {
  return std::make_unique<Reproduce>();
}

}  // namespace fogline::cli
