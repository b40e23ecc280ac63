// SPDX-License-Identifier: Apache-2.0
#include "privacy/release_files.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <unistd.h>

#include "privacy/folder_sync.hpp"

namespace fogline::privacy {
namespace {

constexpr auto standard_output = "-";

std::string statement_name_for(const std::vector<std::string>& outputs,
                               const ReleaseFiles::Options& options) {
  if (outputs.empty()) throw InvalidOption("outputs", "a release has at least one output");
  if (!options.statement.empty()) return options.statement;
  if (outputs.front() == standard_output) {
    throw InvalidOption("statement", "an output to standard output needs a file name for its statement");
  }
  return statement_path(outputs.front());
}

void remove_old(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) {
    throw FileError(path, std::string("cannot be replaced (") + std::strerror(errno) + ")");
  }
}

}  // namespace

ReleaseFiles::ReleaseFiles(const std::vector<std::string>& outputs, const Options& options)
    : overwrite_(options.overwrite) {
  const io::OutputFile::Options file_options{.overwrite = options.overwrite};
  statement_ = std::make_unique<io::OutputFile>(statement_name_for(outputs, options), file_options);
  for (const std::string& name : outputs) {
    outputs_.push_back({std::make_unique<io::OutputFile>(name, file_options), Sha256(), 0});
  }
}

void ReleaseFiles::write(std::size_t output, std::string_view text) {
  outputs_.at(output).file->write(text);
  outputs_.at(output).hash.add(text);
}

void ReleaseFiles::write_record(std::size_t output, std::string_view text) {
  write(output, text);
  count_records(output, 1);
}

void ReleaseFiles::remove_old_outputs() const {
  for (const Output& output : outputs_) {
    if (output.file->name() == standard_output) continue;
    remove_old(output.file->name());
    sync_folder_of(output.file->name());
  }
}

Statement ReleaseFiles::commit(Statement statement) {
  statement.outputs.clear();
  for (Output& output : outputs_) {
    const std::string name = std::filesystem::path(output.file->name()).filename().string();
    statement.outputs.push_back({name, output.hash.hex(), output.records});
    output.file->sync();
  }
  statement_->write(to_json(statement));
  statement_->sync();
  if (overwrite_) remove_old_outputs();
  statement_->commit();
  sync_folder_of(statement_->name());
  for (const Output& output : outputs_) output.file->commit();
  for (const Output& output : outputs_) {
    if (output.file->name() != standard_output) sync_folder_of(output.file->name());
  }
  return statement;
}

}  // namespace fogline::privacy
