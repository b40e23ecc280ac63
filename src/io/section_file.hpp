// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/file_stamp.hpp"

namespace fogline::io {

/// Named arrays of plain numbers in one file, for what is prepared once and read often.
///
///     SectionWriter writer("fogline kernel 1");
///     writer.add("length", std::span<const std::uint32_t>(lengths));
///     writer.write("city.kernel", {.overwrite = false});
///
///     const SectionFile file("city.kernel", "fogline kernel 1");          // throws: not such a file, damaged, cut
///     std::span<const std::uint32_t> lengths = file.numbers<std::uint32_t>("length");
///
/// The file is mapped into memory: what nobody looks at is not read from the disk, and what is looked at is not copied.
/// Little-endian, each section at a multiple of 64 bytes, so that numbers lie as a processor wants them. Spaces between
/// sections are zero and names are in order, so that the same content is always the same file.
///
/// Whoever opens a file from elsewhere asks for require_whole(): it compares the check sums in the table of sections,
/// which finds damage, though no forgery. What the numbers mean is for the reader to doubt. A file that is cut short by
/// another program while it is mapped ends the process (SIGBUS), as it does with every mapped file.
class SectionFile {
 public:
  /// Throws FileError; DataError for a file that is not of that form, or whose table of sections does not fit it.
  SectionFile(const std::string& path, std::string_view form);

  const std::string& path() const { return path_; }
  const FileStamp& stamp() const { return stamp_; }
  std::uint64_t size() const;

  /// Reads all of it. Throws DataError if it is not what was written.
  void require_whole() const;

  bool has(std::string_view name) const { return find(name) != nullptr; }

  /// Throws DataError if there is no section of that name, or of other numbers. Lives as long as the mapping().
  template <class Number>
  std::span<const Number> numbers(std::string_view name) const {
    static_assert(std::is_trivially_copyable_v<Number> && std::endian::native == std::endian::little);
    const std::span<const std::byte> found = bytes(name, sizeof(Number));
    return {reinterpret_cast<const Number*>(found.data()), found.size() / sizeof(Number)};
  }
  std::string_view text(std::string_view name) const;
  std::uint64_t size_of(std::string_view name) const;  ///< in bytes; 0 if there is no such section

  /// Keeps what numbers() gave out where it is.
  std::shared_ptr<const void> mapping() const { return mapping_; }

 private:
  struct Section {
    std::string name;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint32_t element = 1;
    std::uint32_t check_sum = 0;
  };
  class Mapping;

  const Section* find(std::string_view name) const;
  std::span<const std::byte> bytes(std::string_view name, std::size_t element) const;
  void read_table(std::string_view form);
  [[noreturn]] void refuse(const std::string& why) const;

  std::string path_;
  FileStamp stamp_ = {};
  std::shared_ptr<const Mapping> mapping_;
  std::vector<Section> sections_;
};

class SectionWriter {
 public:
  explicit SectionWriter(std::string form);  ///< at most 32 characters

  /// Names of at most 40 characters, each once. What is added must stay where it is until write().
  template <class Number>
  void add(const std::string& name, std::span<const Number> numbers) {
    static_assert(std::is_trivially_copyable_v<Number> && std::endian::native == std::endian::little);
    add_bytes(name, std::as_bytes(numbers), sizeof(Number));
  }
  /// Keeps a copy, for what does not stay.
  template <class Number>
  void add(const std::string& name, const std::vector<Number>& numbers) {
    auto kept = std::make_shared<std::vector<Number>>(numbers);
    add(name, std::span<const Number>(*kept));
    kept_.push_back(std::move(kept));
  }
  void add_text(const std::string& name, std::string_view text);

  struct Options {
    bool overwrite = false;
    bool owner_only = false;
  };
  /// The file appears whole or not at all. Throws FileError.
  void write(const std::string& path, const Options& options) const;

 private:
  struct Section {
    std::string name;
    std::span<const std::byte> bytes;
    std::uint32_t element = 1;
  };
  void add_bytes(const std::string& name, std::span<const std::byte> bytes, std::size_t element);

  std::string form_;
  std::vector<Section> sections_;  // by name
  std::vector<std::shared_ptr<void>> kept_;
};

}  // namespace fogline::io
