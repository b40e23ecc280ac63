// SPDX-License-Identifier: Apache-2.0
#include "release/analyses/stream_released.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/statement.hpp"
#include "privacy/statement_check.hpp"
#include "release/analyses/named_files.hpp"
#include "stream/saved_state.hpp"

namespace fogline::release {
namespace {

void require_file_of_statement(const std::string& path, const std::string& sha256) {
  if (!std::filesystem::exists(path))
    throw FileError(path, "does not exist", "say where it is with `file` NAME=PATH");
  if (privacy::sha256_of_file(path) != sha256)
    throw DataError({path}, "is not the file that the statement names", "give the files of this release");
}

std::vector<std::vector<stream::ReleasedFormat::Row>> rows_by_sequence(
    std::vector<stream::ReleasedFormat::Row> rows) {
  std::vector<std::vector<stream::ReleasedFormat::Row>> sequences;
  for (auto& row : rows) {
    if (sequences.empty() || sequences.back().back().sequence != row.sequence) sequences.emplace_back();
    sequences.back().push_back(std::move(row));
  }
  return sequences;
}

}  // namespace

stream::Tracker ReleasedStream::tracker() const {
  stream::Tracker tracker = stream.tracker();
  if (begin) tracker.restore(*begin);
  return tracker;
}

mobility::StateSequences ReleasedStream::read_truth(const std::string& file, const ColumnFields& columns,
                                                    Caller& caller) const {
  auto truth = mobility::read_sequences(
      file, stream.model().space, {.columns = columns.map(), .times = columns.times(), .sort = columns.sort});
  tell_odd_columns(caller, file, truth.columns);
  caller.warn(truth.warnings);
  if (truth.size() != sequences.size())
    throw DataError({file},
                    fmt::format("has {} sequences, and the release {}", truth.size(), sequences.size()),
                    "give the states that were released");
  for (std::size_t i = 0; i < sequences.size(); ++i)
    if (truth[i].size() != sequences[i].size())
      throw DataError({file},
                      fmt::format("sequence {} has {} states, and the release {}", i + 1, truth[i].size(),
                                  sequences[i].size()),
                      "give the states that were released");
  return truth;
}

std::string ReleasedStream::unit() const {
  return stream.model().space.columns == std::vector<std::string>{"x_m", "y_m"} ? "_m" : "";
}

Findings::Rows ReleasedStream::rows(std::uint64_t steps) const {
  return {
      {"release", fmt::format("{} steps of {} sequence{}, {} epsilon {} a step, policy {}", grouped(steps),
                              grouped(sequences.size()), sequences.size() == 1 ? "" : "s",
                              to_string(terms.mechanism), terms.epsilon.value().to_string(), terms.policy)}};
}

void ReleasedStreamFields::declare(FieldTable& table, const std::string& help) {
  table.positional("released", "RELEASED", released, help).role(FieldRole::public_input).required();
  table.group("Release");
  table.value("model", "FILE", model, "the model it was released with")
      .role(FieldRole::public_input)
      .required();
  table.value("statement", "FILE", statement, "its statement, if it is not beside it")
      .role(FieldRole::public_input);
  table.value("file", "NAME=PATH", files, "where another file is that it names; may be repeated")
      .role(FieldRole::public_input);
}

ReleasedStream ReleasedStreamFields::read() const {
  const std::string path = statement.empty() ? privacy::statement_path(released) : statement;
  stream::StreamTerms terms = stream::terms_from(privacy::read_statement(path));
  const auto places = named_files(files);
  const std::string folder = folder_of(path);
  const auto path_of = [&](const privacy::PublicInput& input) {
    const std::string found = input.name == terms.model.name && input.sha256 == terms.model.sha256
                                  ? model
                                  : privacy::place_of(input.name, folder, places);
    require_file_of_statement(found, input.sha256);
    return found;
  };
  stream::PublicStream stream(terms, stream::files_of(terms, path_of));
  std::optional<stream::Tracker::Saved> begin;
  if (terms.begin_file) begin = stream::read_saved(path_of(*terms.begin_file), terms.model.sha256).state;
  io::TextSource source = io::TextSource::from_file(released);
  auto rows = stream::ReleasedFormat(stream.model().space).read(source);
  if (rows.empty()) throw DataError({released}, "holds no steps", "check that the file is complete");
  return {std::move(terms), std::move(stream), std::move(begin), rows_by_sequence(std::move(rows))};
}

}  // namespace fogline::release
