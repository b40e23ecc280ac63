// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute_path.hpp"

#include <functional>

#include <fmt/format.h>

#include "audit/kinds/path_audit.hpp"
#include "audit/statements/recompute_parts.hpp"
#include "io/gzip.hpp"
#include "io/input_file.hpp"
#include "path/public_path_file.hpp"
#include "path/terms.hpp"

namespace fogline::audit {
namespace {

using path::PathTerms;
using path::PublicPath;
using privacy::Check;
using privacy::Outcome;

/// A packed file could carry more than its text: names, further members.
bool holds_the_text_alone(const std::string& file, const std::string& name, const std::string& text) {
  const std::string bytes = io::read_small_file(file, io::format_limit::route_bytes, "check the name");
  return name.ends_with(".gz") ? io::is_bare_gzip(bytes) : bytes == text;
}

/// `mismatch` says what is wrong with its content.
Check released_file(const privacy::Statement& statement, const RecomputeOptions& options,
                    const std::function<std::string(const PublicPath&)>& mismatch) {
  const std::string name = "released file";
  if (statement.outputs.size() != 1)
    return {name, Outcome::failed,
            fmt::format("the statement names {} files, not one", statement.outputs.size())};
  const privacy::ReleasedFile& output = statement.outputs.front();
  const std::string file = at_hand(output.name, output.sha256, options);
  io::TextSource source = io::TextSource::from_file(file);
  const std::string text = source.read_all(io::format_limit::route_bytes);
  const PublicPath shown = path::parse_public_path(text, output.name);
  if (!holds_the_text_alone(file, output.name, text))
    return {name, Outcome::failed, "it is packed with something beside the text, or not as its name says"};
  if (path::to_json(shown) != text)
    return {name, Outcome::failed,
            "it is not what is written for its labels: it holds more, or is written otherwise"};
  if (shown.stops.size() != output.records)
    return {
        name, Outcome::failed,
        fmt::format("the statement counts {} stops, and it holds {}", output.records, shown.stops.size())};
  if (const std::string wrong = mismatch(shown); !wrong.empty()) return {name, Outcome::failed, wrong};
  return {
      name, Outcome::passed,
      fmt::format("{} vertices with {} stops and a label for each pair; written anew, the file is the same",
                  shown.names.size(), shown.stops.size())};
}

Check table(const PathTerms& terms) {
  const ExactVerdict verdict = audit_exactly(label_case(terms.labels()), {.threads = 1});
  if (!verdict.holds) return {"table", Outcome::failed, verdict.sentence};
  return {
      "table", Outcome::passed,
      fmt::format("built anew and certified: the label of one pair loses at most {:.9f}", verdict.loss_high)};
}

Check no_expected_error(const privacy::Statement& statement) {
  if (statement.expected_error)
    return {"expected error", Outcome::failed, "the statement gives one, and none is known beforehand"};
  return {"expected error", Outcome::passed, "none is known beforehand, and the statement gives none"};
}

}  // namespace

std::vector<Check> recompute_path(const privacy::Statement& statement, const RecomputeOptions& options) {
  return with_parameters([&]() -> std::vector<Check> {
    const PathTerms terms = path::terms_from(statement);
    return {check_guarantee(statement, [&] { return terms.guarantee(); }),
            check_words(statement, terms.promise(), terms.not_protected()),
            attempt("released file",
                    [&] {
                      return released_file(statement, options, [&](const PublicPath& shown) {
                        return path::mismatch(terms, shown);
                      });
                    }),
            attempt("table", [&] { return table(terms); }), no_expected_error(statement)};
  });
}

std::vector<Check> recompute_published_path(const privacy::Statement& statement,
                                            const RecomputeOptions& options) {
  return with_parameters([&]() -> std::vector<Check> {
    const path::PublishedTerms terms = path::published_terms_from(statement);
    const privacy::Statement anew = path::published_draft(terms);
    return {check_guarantee(statement, [] { return path::published_guarantee(); }),
            check_words(statement, anew.promise, anew.not_protected), attempt("released file", [&] {
              return released_file(statement, options, [&](const PublicPath& shown) -> std::string {
                if (shown.form != path::PathForm::published) return "its form is another";
                if (shown.epsilon_edges != terms.epsilon_edges.value()) return "its epsilon is another";
                return shown.starts_low || shown.ends || shown.every_vertex
                           ? "it declares what the paper's form does not"
                           : "";
              });
            })};
  });
}

}  // namespace fogline::audit
