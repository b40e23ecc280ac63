// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/input_file.hpp"

namespace fogline::io {

/// Arrays by name from a file that NumPy wrote (.npz, a zip archive of .npy files), or that NpzWriter did.
///
///     const NpzFile file("chances.npz");               // of numpy.savez, savez_compressed, scipy's save_npz
///     if (file.text("format") != "csr") return;
///     const std::vector<double> chances = file.numbers("data");          // any numbers, as double
///     const std::vector<std::int64_t> columns = file.integers("indices");
///     const std::int64_t rows = file.integers("shape").at(0);
///
/// A bare .npy file is taken for an archive of one array, "arr_0". Arrays of any shape come row by row (C
/// order); of the types <f8, <f4, <i4, <u4, <i8, <u8 and |b1 as numbers, |S as text. Two-dimensional ones
/// that lie column by column (Fortran order) are turned around. Arrays of other types do not disturb, as long
/// as nobody asks for them.
///
/// A file may be a stranger's. Opening it checks that its members have plain names, each once, and lie in it
/// side by side. Reading an array compares its size, its shape and, in an archive, its check sum (which finds
/// damage, though no forgery) before anything is given out. Whether numbers are finite, and what they mean,
/// is for the caller to doubt. Every refusal is a DataError with the file's name. The limits are those that
/// hold when the file is opened: `bytes` for all arrays together, unpacked; `memory` and `records` for each
/// that is read; `ratio` and `seconds` as everywhere.
///
/// Cost: a file is not held in memory. An array is read when it is asked for, and again when it is again.
class NpzFile {
 public:
  /// "-" is standard input, which is held whole. Throws FileError; DataError for what is not such a file.
  explicit NpzFile(const std::string& path);
  /// Holds all that is left of the source, so that it takes `memory` at most.
  explicit NpzFile(TextSource& source);

  const std::string& path() const;
  bool has(std::string_view name) const;
  std::vector<std::string> names() const;  ///< without .npy, in order of the alphabet; 65,535 at most

  /// What the head of an array says. It is the array's own word until the array is read.
  struct Array {
    std::vector<std::uint64_t>
        shape;                ///< empty for a single value; the product of what is not 0 is below 2^63
    std::string type;         ///< as NumPy writes it: <f8, |S3
    bool is_fortran = false;  ///< lies column by column in the file

    std::uint64_t count() const;  ///< how many values
  };
  /// These throw DataError: no such array, damaged, of another type.
  Array array(std::string_view name) const;
  std::vector<std::uint64_t> shape(std::string_view name) const { return array(name).shape; }

  std::vector<double> numbers(std::string_view name) const;  ///< no integers beyond 2^53, which round
  std::vector<std::int64_t> integers(
      std::string_view name) const;  ///< no floating point, nothing above 2^63 - 1
  std::vector<std::uint64_t> unsigned_integers(std::string_view name) const;  ///< nor anything below 0
  std::string text(std::string_view name) const;  ///< one |S, without the zeros that NumPy fills it up with

 private:
  class Archive;
  std::shared_ptr<const Archive> archive_;
};

/// Writes arrays so that numpy.load(), scipy.sparse.load_npz() and NpzFile read them.
///
///     NpzWriter writer;
///     writer.add("data", {2, 3}, std::span<const double>(rows));          // rows.size() is 6
///     writer.add_text("format", "csr");
///     writer.write("chances.npz", {.overwrite = false});
///
/// Not packed, and the same arrays are the same file on every machine: members in the order in which they
/// were added, all of 1 January 1980. What is 4 GiB or larger gets the 64-bit fields of zip64. Cost: two
/// passes over the arrays, which are written in pieces and never copied whole.
class NpzWriter {
 public:
  /// They must stay where they are until write(). Throws InvalidOption: a name that is empty, longer than 200
  /// characters, not printable ASCII, with / or \ in it, or there twice; a shape that is not that of the
  /// numbers.
  template <class Number>
  void add(const std::string& name, const std::vector<std::uint64_t>& shape,
           std::span<const Number> numbers) {
    static_assert(std::endian::native == std::endian::little);
    add_array(name, type_of<Number>(), shape, numbers.size(), std::as_bytes(numbers));
  }
  /// A single value of bytes (|S3); keeps a copy. It must not end in a NUL, which NumPy would take away.
  void add_text(const std::string& name, std::string_view text);

  struct Options {
    bool overwrite = false;
    bool owner_only = false;
  };
  /// The file appears whole or not at all. Throws FileError.
  void write(const std::string& path, const Options& options) const;
  std::string bytes() const;  ///< the same file, in memory

 private:
  struct Member {
    std::string name;  // with .npy
    std::string head;
    std::span<const std::byte> values;
    std::shared_ptr<const std::string> kept;  // what `values` are of, if it is a text
  };
  using Sink = std::function<void(std::string_view)>;

  template <class Number>
  static constexpr std::string_view type_of() {
    if constexpr (std::is_same_v<Number, double>) return "<f8";
    constexpr bool is_wide = sizeof(Number) == sizeof(std::uint64_t);
    static_assert(std::is_same_v<Number, double> ||
                  (std::is_integral_v<Number> && (is_wide || sizeof(Number) == sizeof(std::uint32_t))));
    if (std::is_signed_v<Number>) return is_wide ? "<i8" : "<i4";
    return is_wide ? "<u8" : "<u4";
  }
  void add_array(const std::string& name, std::string_view type, const std::vector<std::uint64_t>& shape,
                 std::uint64_t count, std::span<const std::byte> values);
  void write_to(const Sink& sink) const;

  std::vector<Member> members_;
};

}  // namespace fogline::io
