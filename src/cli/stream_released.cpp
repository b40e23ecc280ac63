// SPDX-License-Identifier: Apache-2.0
#include "cli/stream_released.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "cli/statement_files.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/statement.hpp"
#include "privacy/statement_check.hpp"
#include "stream/saved_state.hpp"

namespace fogline::cli {
namespace {

namespace fs = std::filesystem;

void require_same(const std::string& path, const std::string& sha256) {
  if (!fs::exists(path)) throw FileError(path, "does not exist", "say where it is with --file NAME=PATH");
  if (privacy::sha256_of_file(path) != sha256)
    throw DataError({path}, "is not the file that the statement names", "give the files of this release");
}

std::vector<std::vector<stream::ReleasedFormat::Row>> by_sequence(
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

void ReleasedStream::require_truth(const mobility::StateSequences& truth, const std::string& file) const {
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
}

std::string ReleasedStream::unit() const {
  return stream.model().space.columns == std::vector<std::string>{"x_m", "y_m"} ? "_m" : "";
}

void ReleasedBlock::declare(OptionSet& options) {
  options.group("Release");
  options.value("--model", "FILE", model, "the model it was released with").required();
  options.value("--statement", "FILE", statement, "its statement, if it is not beside it");
  options.value("--file", "NAME=PATH", files, "where another file is that it names; may be repeated");
}

ReleasedStream ReleasedBlock::read() const {
  const std::string path = statement.empty() ? released + ".statement.json" : statement;
  stream::StreamTerms terms = stream::terms_from(privacy::read_statement(path));
  const auto places = named_files(files);
  const std::string folder = folder_of(path);
  const auto path_of = [&](const privacy::PublicInput& input) {
    const std::string found = input.name == terms.model.name && input.sha256 == terms.model.sha256
                                  ? model
                                  : privacy::place_of(input.name, folder, places);
    require_same(found, input.sha256);
    return found;
  };
  stream::PublicStream stream(terms, stream::files_of(terms, path_of));
  std::optional<stream::Tracker::Saved> begin;
  if (terms.begin_file) begin = stream::read_saved(path_of(*terms.begin_file), terms.model.sha256).state;
  io::TextSource source = io::TextSource::from_file(released);
  auto rows = stream::ReleasedFormat(stream.model().space).read(source);
  if (rows.empty()) throw DataError({released}, "holds no steps", "check that the file is complete");
  return {std::move(terms), std::move(stream), std::move(begin), by_sequence(std::move(rows))};
}

}  // namespace fogline::cli
