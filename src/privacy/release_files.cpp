// SPDX-License-Identifier: Apache-2.0
#include "privacy/release_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "privacy/folder_sync.hpp"
#include "privacy/standard_output.hpp"

namespace fogline::privacy {
namespace {

constexpr auto standard_output = "-";

std::string statement_name_for(const std::vector<std::string>& outputs,
                               const ReleaseFiles::Options& options) {
  if (outputs.empty()) throw InvalidOption("outputs", "a release has at least one output");
  if (!options.statement.empty() || options.receive) return options.statement;
  if (outputs.front() == standard_output) {
    throw InvalidOption("statement", "an output to standard output needs a file name for its statement");
  }
  return statement_path(outputs.front());
}

void remove_old(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) {
    throw FileError(path, std::string("cannot be replaced (") + std::generic_category().message(errno) + ")");
  }
}

}  // namespace

std::uint64_t lines_after_header(std::string_view text) {
  return static_cast<std::uint64_t>(std::max<std::ptrdiff_t>(std::ranges::count(text, '\n'), 1) - 1);
}

ReleaseFiles::ReleaseFiles(const std::vector<std::string>& outputs, const Options& options)
    : options_(options) {
  const io::OutputFile::Options file_options{.overwrite = options.overwrite};
  if (const std::string name = statement_name_for(outputs, options); !name.empty())
    statement_ = std::make_unique<io::OutputFile>(name, file_options);
  for (const std::string& name : outputs) {
    const bool is_file = name != standard_output && statement_;
    auto file = is_file ? std::make_unique<io::OutputFile>(name, file_options) : nullptr;
    outputs_.push_back({.name = name, .file = std::move(file), .held = {}, .hash = {}});
  }
  for (const std::string& name : options.companions)
    companions_.push_back({std::make_unique<io::OutputFile>(name, file_options)});
}

void ReleaseFiles::write(std::size_t output, std::string_view text) {
  Output& to = outputs_.at(output);
  to.hash.add(text);
  if (to.file)
    to.file->write(text);
  else if (to.name != standard_output)
    return;  // its text is with whoever drew it
  else if (options_.receive)
    options_.receive(text);
  else
    to.held += text;
}

void ReleaseFiles::write_record(std::size_t output, std::string_view text) {
  write(output, text);
  count_records(output, 1);
}

void ReleaseFiles::write_companion(std::size_t companion, std::string_view text) {
  companions_.at(companion).file->write(text);
  companions_.at(companion).is_written = true;
}

void ReleaseFiles::remove_old_outputs() const {
  for (const Output& output : outputs_) {
    if (!output.file) continue;
    remove_old(output.name);
    sync_folder_of(output.name);
  }
}

void ReleaseFiles::put_statement_in_place() const {
  if (!statement_) return;
  statement_->commit();
  sync_folder_of(statement_->name());
}

void ReleaseFiles::put_files_in_place() const {
  std::vector<std::string> placed;
  if (statement_) placed.push_back(statement_->name());
  const auto place = [&](io::OutputFile& file) {
    file.commit();
    placed.push_back(file.name());
  };
  try {
    for (const Companion& companion : companions_) {
      if (companion.is_written) place(*companion.file);
    }
    for (const Output& output : outputs_) {
      if (output.file) place(*output.file);
    }
  } catch (...) {
    // The statement goes last here as it comes first there: no output stands without it.
    for (auto name = placed.rbegin(); name != placed.rend(); ++name) unlink(name->c_str());
    throw;
  }
  for (const std::string& name : placed) sync_folder_of(name);
}

void ReleaseFiles::write_standard_output(Statement& statement) {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].name != standard_output || options_.receive) continue;
    const std::string_view text = outputs_[i].held;
    StandardOutput out(options_.wanted);
    try {
      out.write(text);
    } catch (...) {  // whatever it is, it is thrown on, and what is out is told
      statement.outputs[i].sha256 = out.hash();
      statement.outputs[i].records = options_.records_in(text.substr(0, out.bytes()));
      statement.outcome = {};
      replace_statement(statement);
      is_cut_short_ = true;
      throw;
    }
  }
}

void ReleaseFiles::replace_statement(Statement& statement) const {
  sign(statement, options_.signer);
  io::OutputFile file(statement_->name(), {.overwrite = true});
  file.write(to_json(statement));
  file.commit();
  sync_folder_of(file.name());
}

void ReleaseFiles::commit(Statement& statement) {
  statement.outputs.clear();
  for (Output& output : outputs_) {
    const std::string name = std::filesystem::path(output.name).filename().string();
    statement.outputs.push_back({name, output.hash.hex(), output.records});
    if (output.file) output.file->sync();
  }
  for (const Companion& companion : companions_) companion.file->sync();
  sign(statement, options_.signer);
  const std::string text = to_json(statement);
  if (statement_) {
    statement_->write(text);
    statement_->sync();
  }
  if (options_.overwrite) remove_old_outputs();
  put_statement_in_place();
  put_files_in_place();
  write_standard_output(statement);
}

}  // namespace fogline::privacy
