// SPDX-License-Identifier: Apache-2.0
#include "io/section_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.hpp"
#include "io/held_files.hpp"
#include "io/output_file.hpp"

namespace fogline::io {
namespace {

/// Sections begin where a register of 64 bytes may be loaded from.
constexpr std::uint64_t alignment = 64;
constexpr std::size_t longest_form = 32, longest_name = 40;
constexpr std::size_t piece_size = std::size_t{1} << 20;
/// Far above what any format here has, so that a table of sections is read in no time.
constexpr std::uint32_t most_sections = 1024;

struct Header {
  char form[longest_form];
  std::uint64_t file_size;
  std::uint32_t sections;
  std::uint32_t check_sum;  // of the table of sections
  char unused[16];          // 0
};
static_assert(sizeof(Header) == alignment);

struct Row {
  char name[longest_name];
  std::uint64_t offset;
  std::uint64_t size;
  std::uint32_t element;
  std::uint32_t check_sum;
};
static_assert(sizeof(Row) == alignment);

std::uint64_t aligned(std::uint64_t offset) {
  return (offset + alignment - 1) / alignment * alignment;
}

std::uint32_t check_sum_of(std::span<const std::byte> bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<z_size_t>(bytes.size())));
}

/// A text of fixed room, filled up with zeros; empty if it is not that.
template <std::size_t room>
std::string_view text_of(const char (&characters)[room]) {
  const char* end = std::find(characters, characters + room, '\0');
  if (std::any_of(end, characters + room, [](char c) { return c != '\0'; })) return {};
  return {characters, static_cast<std::size_t>(end - characters)};
}

template <std::size_t room>
void put(std::string_view text, char (&characters)[room]) {
  std::memset(characters, 0, room);
  std::memcpy(characters, text.data(), std::min(text.size(), room));
}

std::string_view as_text(const void* data, std::size_t size) {
  return {static_cast<const char*>(data), size};
}

}  // namespace

class SectionFile::Mapping {
 public:
  Mapping(const std::string& path, FileStamp& stamp) {
    const int handle = ::open(place_of_file(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (handle < 0)
      throw FileError(path, fmt::format("cannot be opened ({})", std::generic_category().message(errno)));
    struct stat status {};
    if (::fstat(handle, &status) != 0 || !S_ISREG(status.st_mode)) {
      ::close(handle);
      throw FileError(path, "is not a regular file", "name a file");
    }
    stamp = stamp_of(handle);
    size_ = static_cast<std::size_t>(status.st_size);
    data_ = size_ == 0 ? MAP_FAILED : ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, handle, 0);
    ::close(handle);
    if (data_ == MAP_FAILED && size_ > 0) throw FileError(path, "cannot be mapped into memory");
  }
  ~Mapping() {
    if (data_ != MAP_FAILED) ::munmap(data_, size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  std::span<const std::byte> bytes() const {
    if (data_ == MAP_FAILED) return {};
    return {static_cast<const std::byte*>(data_), size_};
  }

 private:
  void* data_ = MAP_FAILED;
  std::size_t size_ = 0;
};

SectionFile::SectionFile(const std::string& path, std::string_view form)
    : path_(path), mapping_(std::make_shared<const Mapping>(path, stamp_)) {
  read_table(form);
}

void SectionFile::refuse(const std::string& why) const {
  throw DataError({path_}, why, "make it again");
}

std::uint64_t SectionFile::size() const {
  return mapping_->bytes().size();
}

void SectionFile::read_table(std::string_view form) {
  const auto all = mapping_->bytes();
  Header header;
  if (all.size() < sizeof header) refuse("is not a prepared file: it is too short");
  std::memcpy(&header, all.data(), sizeof header);
  if (text_of(header.form) != form)
    refuse(fmt::format("is not a file of the form \"{}\", or of another version of it", form));
  if (header.file_size != all.size()) refuse("is not as long as it says: it was cut, or added to");
  if (header.sections > most_sections || all.size() < sizeof header + header.sections * sizeof(Row))
    refuse("has a damaged table of sections");
  const auto table = all.subspan(sizeof header, header.sections * sizeof(Row));
  const bool is_unused =
      std::all_of(std::begin(header.unused), std::end(header.unused), [](char c) { return c == '\0'; });
  if (check_sum_of(table) != header.check_sum || !is_unused) refuse("has a damaged table of sections");
  std::uint64_t end = sizeof header + table.size();
  for (std::uint32_t i = 0; i < header.sections; ++i) {
    Row row;
    std::memcpy(&row, table.data() + i * sizeof row, sizeof row);
    const std::string_view name = text_of(row.name);
    const bool is_placed =
        row.offset == aligned(end) && row.offset <= all.size() && row.size <= all.size() - row.offset;
    if (name.empty() || !is_placed || row.element == 0 || row.size % row.element != 0 ||
        (i > 0 && !(sections_.back().name < name)))
      refuse("has a damaged table of sections");
    sections_.push_back({std::string(name), row.offset, row.size, row.element, row.check_sum});
    end = row.offset + row.size;
  }
  if (end != all.size()) refuse("holds more than its sections");
}

void SectionFile::require_whole() const {
  const auto all = mapping_->bytes();
  std::uint64_t end = sizeof(Header) + sections_.size() * sizeof(Row);
  for (const Section& section : sections_) {
    const auto between = all.subspan(end, section.offset - end);
    if (std::any_of(between.begin(), between.end(), [](std::byte b) { return b != std::byte{0}; }))
      refuse("holds more than its sections");
    if (check_sum_of(all.subspan(section.offset, section.size)) != section.check_sum)
      refuse(fmt::format("is damaged: its section \"{}\" is not what was written", section.name));
    end = section.offset + section.size;
  }
}

const SectionFile::Section* SectionFile::find(std::string_view name) const {
  const auto found = std::find_if(sections_.begin(), sections_.end(),
                                  [&](const Section& section) { return section.name == name; });
  return found == sections_.end() ? nullptr : &*found;
}

std::span<const std::byte> SectionFile::bytes(std::string_view name, std::size_t element) const {
  const Section* section = find(name);
  if (section == nullptr) refuse(fmt::format("has no section \"{}\"", name));
  if (section->element != element) refuse(fmt::format("has other numbers in section \"{}\"", name));
  return mapping_->bytes().subspan(section->offset, section->size);
}

std::uint64_t SectionFile::size_of(std::string_view name) const {
  const Section* section = find(name);
  return section == nullptr ? 0 : section->size;
}

std::string_view SectionFile::text(std::string_view name) const {
  const auto found = bytes(name, 1);
  return as_text(found.data(), found.size());
}

SectionWriter::SectionWriter(std::string form) : form_(std::move(form)) {
  if (form_.empty() || form_.size() > longest_form)
    throw InvalidOption("form", "must be a text of 1 to 32 characters");
}

void SectionWriter::add_bytes(const std::string& name, std::span<const std::byte> bytes,
                              std::size_t element) {
  if (name.empty() || name.size() > longest_name || sections_.size() >= most_sections)
    throw InvalidOption("section", "must have a name of 1 to 40 characters, and there may be 1,024");
  const auto place = std::lower_bound(
      sections_.begin(), sections_.end(), name,
      [](const Section& section, const std::string& wanted) { return section.name < wanted; });
  if (place != sections_.end() && place->name == name)
    throw InvalidOption("section", fmt::format("\"{}\" stands twice", name));
  sections_.insert(place, {name, bytes, static_cast<std::uint32_t>(element)});
}

void SectionWriter::add_text(const std::string& name, std::string_view text) {
  add(name, std::vector<char>(text.begin(), text.end()));
}

void SectionWriter::write(const std::string& path, const Options& options) const {
  Header header{};
  put(form_, header.form);
  header.sections = static_cast<std::uint32_t>(sections_.size());
  std::vector<Row> rows;
  std::uint64_t end = sizeof(Header) + sections_.size() * sizeof(Row);
  for (const Section& section : sections_) {
    Row row{};
    put(section.name, row.name);
    row.offset = aligned(end);
    row.size = section.bytes.size();
    row.element = section.element;
    row.check_sum = check_sum_of(section.bytes);
    rows.push_back(row);
    end = row.offset + row.size;
  }
  header.file_size = end;
  header.check_sum = check_sum_of(std::as_bytes(std::span(rows)));
  OutputFile file(path, {.overwrite = options.overwrite, .owner_only = options.owner_only});
  file.write(as_text(&header, sizeof header));
  file.write(as_text(rows.data(), rows.size() * sizeof(Row)));
  std::uint64_t written = sizeof(Header) + rows.size() * sizeof(Row);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    file.write(std::string(rows[i].offset - written, '\0'));
    // In pieces, so that no section is copied as a whole.
    for (auto left = sections_[i].bytes; !left.empty();
         left = left.subspan(std::min(piece_size, left.size())))
      file.write(as_text(left.data(), std::min(piece_size, left.size())));
    written = rows[i].offset + rows[i].size;
  }
  file.commit();
}

}  // namespace fogline::io
