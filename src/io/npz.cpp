// SPDX-License-Identifier: Apache-2.0
#include "io/npz.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.hpp"
#include "io/held_files.hpp"
#include "io/limits.hpp"
#include "io/output_file.hpp"

namespace fogline::io {
namespace {

// The zip format (APPNOTE.TXT of PKWARE): each member is a local header, its name, an extra field and the
// data; then come the directory, which repeats it all with the place of each, and the end, which tells where
// that is.
constexpr std::uint32_t zip_local_mark = 0x04034b50, zip_central_mark = 0x02014b50, zip_end_mark = 0x06054b50,
                        zip64_end_mark = 0x06064b50, zip64_locator_mark = 0x07064b50;
constexpr std::uint64_t zip_local_size = 30, zip_end_size = 22, zip64_end_size = 56, zip64_locator_size = 20;
/// What the record of the 64-bit end says of its own length: without its mark and the length itself.
constexpr std::uint64_t zip64_end_rest = zip64_end_size - 12;
/// A 32-bit field that says this, or a 16-bit one, stands in the extra field of zip64 instead.
constexpr std::uint64_t zip_wide = 0xFFFFFFFF;
constexpr std::uint16_t zip_many = 0xFFFF;
constexpr std::uint16_t zip64_extra = 1;
constexpr std::uint16_t zip_stored = 0, zip_deflated = 8;
constexpr std::uint16_t zip_encrypted = 1, zip_described_behind = 8;
/// How hard deflate tried, sizes behind the data (a pipe was written to), a name in UTF-8.
constexpr std::uint16_t zip_flags_known = 0x0006 | zip_described_behind | 0x0800;
constexpr std::uint16_t zip_version = 20, zip64_version = 45;
constexpr std::uint16_t zip_first_day = 1 << 5 | 1;  // 1 January 1980, where its calendar begins
/// As many as zip counts without zip64; a table of them is made in no time.
constexpr std::uint64_t most_members = 65'535;
/// Deflate has nothing shorter than two bits for 258 equal bytes. Whoever claims more lies.
constexpr std::uint64_t most_by_deflate = 1032;

constexpr std::string_view npy_mark = "\x93NUMPY", npy_suffix = ".npy", npy_only_name = "arr_0";
constexpr std::size_t npy_alignment = 64;
/// What version 1.0 can tell. NumPy itself reads no more than 10,000 without being asked to.
constexpr std::size_t longest_npy_head = 65'535;
constexpr std::size_t most_npy_dimensions = 64;  // NumPy's own limit
constexpr std::size_t longest_written_name = 200;
constexpr std::int64_t most_exact_in_double = std::int64_t{1} << 53;
constexpr std::size_t npz_piece = std::size_t{1} << 20;
/// What a source is first given room for; most files that are held are small.
constexpr std::size_t least_held = std::size_t{1} << 14;
constexpr std::string_view save_again = "save it again with numpy.savez";
constexpr std::string_view copy_again = "copy or download it again";

/// The numbers of a record, from its front. Beyond its end all are 0, and it says so.
class ZipFields {
 public:
  explicit ZipFields(std::string_view bytes) : left_(bytes) {}

  template <class Number>
  Number take() {
    Number number{};
    const std::string_view bytes = take_text(sizeof number);
    if (!bytes.empty()) std::memcpy(&number, bytes.data(), sizeof number);
    return number;
  }
  std::string_view take_text(std::size_t size) {
    is_over_ = is_over_ || size > left_.size();
    if (is_over_) return {};
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  bool is_over() const { return is_over_; }
  bool is_empty() const { return left_.empty(); }

 private:
  std::string_view left_;
  bool is_over_ = false;
};

/// Takes from an extra field what a header had no room for, in this order. False if it is damaged.
bool widen(std::string_view extra, std::initializer_list<std::uint64_t*> values) {
  ZipFields fields(extra);
  while (!fields.is_empty()) {
    const auto kind = fields.take<std::uint16_t>();
    const std::string_view body = fields.take_text(fields.take<std::uint16_t>());
    if (fields.is_over()) return false;
    if (kind != zip64_extra) continue;
    ZipFields wide(body);
    for (std::uint64_t* value : values)
      if (*value == zip_wide) *value = wide.take<std::uint64_t>();
    return !wide.is_over();
  }
  return true;
}

struct ZipMember {
  std::uint16_t flags = 0;
  std::uint16_t method = zip_stored;
  std::uint32_t check_sum = 0;
  bool has_check_sum = true;
  std::uint64_t packed = 0;
  std::uint64_t unpacked = 0;
  std::uint64_t place = 0;  // of the local header
  std::uint64_t data = 0;
};

/// Name and member as a header of the directory tells them, or a local one does.
struct ZipHeader {
  std::string_view name;
  ZipMember member;
  bool is_good = false;
};

/// The part that both kinds of header have, from the flags to the sizes.
void take_common(ZipFields& fields, ZipMember& member) {
  member.flags = fields.take<std::uint16_t>();
  member.method = fields.take<std::uint16_t>();
  fields.take<std::uint32_t>();  // time and day
  member.check_sum = fields.take<std::uint32_t>();
  member.packed = fields.take<std::uint32_t>();
  member.unpacked = fields.take<std::uint32_t>();
}

ZipHeader take_central(ZipFields& fields) {
  ZipHeader header;
  const auto mark = fields.take<std::uint32_t>();
  fields.take<std::uint32_t>();  // versions: made by, needed
  take_common(fields, header.member);
  const auto name = fields.take<std::uint16_t>(), extra = fields.take<std::uint16_t>();
  const auto comment = fields.take<std::uint16_t>(), disk = fields.take<std::uint16_t>();
  fields.take_text(sizeof(std::uint16_t) + sizeof(std::uint32_t));  // permissions and the like
  header.member.place = fields.take<std::uint32_t>();
  header.name = fields.take_text(name);
  const std::string_view more = fields.take_text(extra);
  fields.take_text(comment);
  header.is_good = mark == zip_central_mark && disk == 0 && !fields.is_over() &&
                   widen(more, {&header.member.unpacked, &header.member.packed, &header.member.place});
  return header;
}

/// `names` is what lies behind the fixed part, name and extra field.
ZipHeader local_header(std::string_view fixed, std::string_view names) {
  ZipHeader header;
  ZipFields fields(fixed), behind(names);
  const auto mark = fields.take<std::uint32_t>();
  fields.take<std::uint16_t>();  // version needed
  take_common(fields, header.member);
  header.name = behind.take_text(fields.take<std::uint16_t>());
  const std::string_view more = behind.take_text(fields.take<std::uint16_t>());
  header.is_good = mark == zip_local_mark && !fields.is_over() && !behind.is_over() &&
                   widen(more, {&header.member.unpacked, &header.member.packed});
  return header;
}

/// How far the names behind a local header reach.
std::size_t names_size(std::string_view fixed) {
  ZipFields fields(fixed);
  fields.take_text(zip_local_size - 2 * sizeof(std::uint16_t));
  const std::size_t name = fields.take<std::uint16_t>();
  return name + fields.take<std::uint16_t>();
}

/// Where the directory is, and how many members it names.
struct ZipDirectory {
  std::uint64_t place = 0;
  std::uint64_t size = 0;
  std::uint64_t members = 0;
  bool is_wide = false;  // the 64-bit end has it
  bool is_good = false;
};

ZipDirectory directory_of_end(std::string_view end) {
  ZipFields fields(end);
  ZipDirectory found;
  const auto mark = fields.take<std::uint32_t>();
  fields.take<std::uint32_t>();  // disks
  const auto here = fields.take<std::uint16_t>();
  found.members = fields.take<std::uint16_t>();
  found.size = fields.take<std::uint32_t>();
  found.place = fields.take<std::uint32_t>();
  const auto comment = fields.take<std::uint16_t>();
  found.is_wide = found.members == zip_many || found.size == zip_wide || found.place == zip_wide;
  found.is_good = mark == zip_end_mark && here == found.members && comment == 0;
  return found;
}

ZipDirectory directory_of_wide_end(std::string_view end) {
  ZipFields fields(end);
  ZipDirectory found{.is_wide = true};
  const auto mark = fields.take<std::uint32_t>();
  const auto rest = fields.take<std::uint64_t>();
  fields.take<std::uint32_t>();  // versions
  fields.take<std::uint64_t>();  // disks
  const auto here = fields.take<std::uint64_t>();
  found.members = fields.take<std::uint64_t>();
  found.size = fields.take<std::uint64_t>();
  found.place = fields.take<std::uint64_t>();
  found.is_good = mark == zip64_end_mark && rest == zip64_end_rest && here == found.members;
  return found;
}

/// Without a folder and without what a terminal would take for an order; nothing if it is not such a name.
std::optional<std::string> array_name(std::string_view file) {
  const auto is_bad = [](unsigned char c) { return c < ' ' || c == 0x7F || c == '/' || c == '\\'; };
  if (!file.ends_with(npy_suffix) || file.size() == npy_suffix.size()) return std::nullopt;
  if (std::any_of(file.begin(), file.end(), is_bad)) return std::nullopt;
  return std::string(file.substr(0, file.size() - npy_suffix.size()));
}

enum class NpyKind : std::uint8_t { f8, f4, i4, u4, i8, u8, b1, text };

struct NpyType {
  NpyKind kind = NpyKind::f8;
  std::uint64_t size = 0;  // bytes of a value
};

std::optional<NpyType> npy_type_of(std::string_view descr) {
  constexpr std::pair<std::string_view, NpyType> known[] = {
      {"<f8", {NpyKind::f8, 8}}, {"<f4", {NpyKind::f4, 4}}, {"<i4", {NpyKind::i4, 4}},
      {"<u4", {NpyKind::u4, 4}}, {"<i8", {NpyKind::i8, 8}}, {"<u8", {NpyKind::u8, 8}},
      {"|b1", {NpyKind::b1, 1}}};
  for (const auto& [name, type] : known)
    if (name == descr) return type;
  if (!descr.starts_with("|S")) return std::nullopt;
  NpyType text{NpyKind::text, 0};
  const char* end = descr.data() + descr.size();
  const auto read = std::from_chars(descr.data() + 2, end, text.size);
  return read.ec == std::errc{} && read.ptr == end ? std::optional(text) : std::nullopt;
}

/// What to do about a type that is not read.
std::string npy_type_advice(std::string_view descr, std::string_view name) {
  if (descr == "|O") return "it holds Python objects: save each of them as an array of its own";
  if (descr.find('U') != std::string_view::npos)
    return fmt::format("save it as bytes: {}=numpy.array(text.encode())", name);
  return fmt::format(R"(save it as float64 or int64: {0}={0}.astype("<f8"))", name);
}

/// The head of an array is a Python dictionary, written as in a program. This takes the few forms of it that
/// NumPy writes, {'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }, and evaluates nothing.
class NpyHead {
 public:
  explicit NpyHead(std::string_view text) : left_(text) {}

  /// Nothing if it is not such a text.
  std::optional<NpzFile::Array> parse() {
    if (!skip('{')) return std::nullopt;
    while (!skip('}')) {
      const auto key = quoted();
      if (!key || !skip(':') || !field(*key)) return std::nullopt;
      if (is_table_) return NpzFile::Array{.shape = {}, .type = "table"};
      if (!skip(',') && !next_is('}')) return std::nullopt;
    }
    skip_blanks();
    if (!left_.empty() || !type_ || !is_fortran_ || !shape_) return std::nullopt;
    return NpzFile::Array{.shape = *shape_, .type = *type_, .is_fortran = *is_fortran_};
  }

 private:
  void skip_blanks() { left_.remove_prefix(std::min(left_.find_first_not_of(" \n"), left_.size())); }
  bool next_is(char c) {
    skip_blanks();
    return left_.starts_with(c);
  }
  bool skip(char c) {
    if (!next_is(c)) return false;
    left_.remove_prefix(1);
    return true;
  }

  /// A text without escapes; no name of NumPy's has one.
  std::optional<std::string> quoted() {
    const char quote = next_is('"') ? '"' : '\'';
    if (!skip(quote)) return std::nullopt;
    const std::size_t end = left_.find(quote);
    if (end == std::string_view::npos) return std::nullopt;
    std::string text(left_.substr(0, end));
    left_.remove_prefix(end + 1);
    return text.find('\\') == std::string::npos ? std::optional(std::move(text)) : std::nullopt;
  }

  bool field(std::string_view key) {
    if (key == "descr" && !type_) return type();
    if (key == "fortran_order" && !is_fortran_) return order();
    return key == "shape" && !shape_ && tuple();
  }
  bool type() {
    is_table_ = next_is('[');  // a list of fields; what it says does not matter
    if (!is_table_) type_ = quoted();
    return is_table_ || type_;
  }
  bool order() {
    skip_blanks();
    for (const std::string_view word : {"False", "True"}) {
      if (!left_.starts_with(word)) continue;
      left_.remove_prefix(word.size());
      is_fortran_ = word == "True";
    }
    return is_fortran_.has_value();
  }
  bool tuple() {
    shape_.emplace();
    bool may_go_on = skip('(');
    if (!may_go_on) return false;
    while (!skip(')')) {
      if (!may_go_on || shape_->size() == most_npy_dimensions || !length()) return false;
      may_go_on = skip(',');
    }
    return shape_->size() != 1 || may_go_on;  // (3) is no tuple
  }
  bool length() {
    skip_blanks();
    std::uint64_t number = 0;
    const auto read = std::from_chars(left_.data(), left_.data() + left_.size(), number);
    if (read.ec != std::errc{}) return false;
    left_.remove_prefix(static_cast<std::size_t>(read.ptr - left_.data()));
    shape_->push_back(number);
    return true;
  }

  std::string_view left_;
  bool is_table_ = false;
  std::optional<std::string> type_;
  std::optional<bool> is_fortran_;
  std::optional<std::vector<std::uint64_t>> shape_;
};

/// Whoever multiplies the lengths must not leave 63 bits, also if one of them is 0 and stands last.
bool is_countable(const std::vector<std::uint64_t>& shape) {
  std::uint64_t product = 1;
  for (const std::uint64_t length : shape) {
    if (length == 0) continue;
    if (length > std::uint64_t{std::numeric_limits<std::int64_t>::max()} / product) return false;
    product *= length;
  }
  return true;
}

/// False if it cannot be told exactly.
template <class Stored, class Given>
bool convert(Stored stored, Given& given) {
  if constexpr (std::is_integral_v<Stored> && std::is_floating_point_v<Given>)
    if (std::cmp_greater(stored, most_exact_in_double) || std::cmp_less(stored, -most_exact_in_double))
      return false;
  if constexpr (std::is_integral_v<Stored> && std::is_integral_v<Given>)
    if (!std::in_range<Given>(stored)) return false;
  given = static_cast<Given>(stored);
  return true;
}

template <class Stored, class Given>
bool append_as(std::string_view bytes, std::vector<Given>& values) {
  for (; !bytes.empty(); bytes.remove_prefix(sizeof(Stored))) {
    Stored stored;
    std::memcpy(&stored, bytes.data(), sizeof stored);
    if (!convert(stored, values.emplace_back())) return false;
  }
  return true;
}

/// False if a value does not fit. Whoever calls has refused text, and floating point for integers.
template <class Given>
bool append_values(NpyKind kind, std::string_view bytes, std::vector<Given>& values) {
  switch (kind) {
    case NpyKind::f8:
      return append_as<double>(bytes, values);
    case NpyKind::f4:
      return append_as<float>(bytes, values);
    case NpyKind::i4:
      return append_as<std::int32_t>(bytes, values);
    case NpyKind::u4:
      return append_as<std::uint32_t>(bytes, values);
    case NpyKind::i8:
      return append_as<std::int64_t>(bytes, values);
    case NpyKind::u8:
      return append_as<std::uint64_t>(bytes, values);
    case NpyKind::b1:
      return append_as<std::uint8_t>(bytes, values);
    case NpyKind::text:
      break;
  }
  return false;
}

/// From column by column to row by row.
template <class Value>
std::vector<Value> by_rows(const std::vector<Value>& by_columns, std::uint64_t rows, std::uint64_t columns) {
  std::vector<Value> values;
  values.reserve(by_columns.size());
  for (std::uint64_t row = 0; row < rows; ++row)
    for (std::uint64_t column = 0; column < columns; ++column)
      values.push_back(by_columns[column * rows + row]);
  return values;
}

/// Bytes wherever they are asked for: of a file, which need not be held, or of a text that is.
class PlacedBytes {
 public:
  PlacedBytes(std::string name, int file, std::uint64_t size)
      : name_(std::move(name)), file_(file), size_(size) {}
  PlacedBytes(std::string name, std::string held)
      : name_(std::move(name)), held_(std::move(held)), size_(held_.size()) {}
  ~PlacedBytes() {
    if (file_ >= 0) ::close(file_);
  }
  PlacedBytes(const PlacedBytes&) = delete;
  PlacedBytes& operator=(const PlacedBytes&) = delete;

  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  /// All of it must lie within size().
  void read(std::uint64_t place, char* into, std::size_t size) const {
    if (file_ < 0) {
      std::copy_n(held_.data() + place, size, into);
      return;
    }
    while (size > 0) {
      const std::size_t got = read_some(place, into, size);
      place += got;
      into += got;
      size -= got;
    }
  }

 private:
  std::size_t read_some(std::uint64_t place, char* into, std::size_t size) const {
    ssize_t got = -1;
    do {
      got = ::pread(file_, into, size, static_cast<off_t>(place));
    } while (got < 0 && errno == EINTR);
    if (got < 0)
      throw FileError(name_, fmt::format("cannot be read ({})", std::generic_category().message(errno)));
    if (got == 0)
      throw DataError({name_}, "became shorter while it was read", "read it when nobody writes to it");
    return static_cast<std::size_t>(got);
  }

  std::string name_;
  int file_ = -1;
  std::string held_;
  std::uint64_t size_;
};

std::unique_ptr<const PlacedBytes> hold(TextSource& source) {
  std::string held;
  for (std::size_t used = 0;;) {
    held.resize(used + std::max(least_held, used / 2));
    const std::size_t got = source.read(held.data() + used, held.size() - used);
    used += got;
    if (used > source.limits().memory)
      refuse_over(&ReadLimits::memory, source.limits().memory, {source.name()});
    if (got > 0) continue;
    held.resize(used);
    return std::make_unique<const PlacedBytes>(source.name(), std::move(held));
  }
}

std::unique_ptr<const PlacedBytes> open_placed(const std::string& path) {
  if (path == "-") {
    TextSource source = TextSource::from_file(path);
    return hold(source);
  }
  const int file = ::open(place_of_file(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    const int error = errno;
    throw FileError(path, fmt::format("cannot be opened ({})", std::generic_category().message(error)),
                    error == ENOENT ? "check the name" : "check that you may read it");
  }
  struct stat status {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode))
    return std::make_unique<const PlacedBytes>(path, file, static_cast<std::uint64_t>(status.st_size));
  ::close(file);
  throw FileError(path, "is not a regular file", "name a file, or - for standard input");
}

}  // namespace

/// What was found in the file: its members, and how to read them.
class NpzFile::Archive {
 public:
  Archive(std::unique_ptr<const PlacedBytes> bytes, const ReadLimits& limits);

  const std::string& path() const { return bytes_->name(); }
  const std::map<std::string, ZipMember, std::less<>>& members() const { return members_; }

  Array array(std::string_view name) const;
  template <class Value>
  std::vector<Value> values(std::string_view name) const;
  std::string text(std::string_view name) const;

  void read(std::uint64_t place, char* into, std::size_t size) const {
    time_.require_left(path());
    bytes_->read(place, into, size);
  }
  [[noreturn]] void refuse(std::string_view why, std::string_view to_try = copy_again) const {
    throw DataError({path()}, why, to_try);
  }

 private:
  class Reading;

  std::string taken(std::uint64_t place, std::uint64_t size) const {
    std::string bytes(size, '\0');
    read(place, bytes.data(), bytes.size());
    return bytes;
  }
  ZipDirectory find_directory() const;
  ZipDirectory find_wide_directory(std::uint64_t end) const;
  void read_directory();
  void add_member(const ZipHeader& header, std::uint64_t number);
  void require_known(const ZipMember& member, const FileSpot& spot) const;
  void place_members(std::uint64_t end);
  void place_data(const std::string& name, ZipMember& member, std::uint64_t end) const;

  std::unique_ptr<const PlacedBytes> bytes_;
  ReadLimits limits_;
  ReadingTime time_;
  std::map<std::string, ZipMember, std::less<>> members_;
};

/// One array from its head to its end, unpacked on the way.
class NpzFile::Archive::Reading {
 public:
  Reading(const Archive& archive, std::string_view name);
  ~Reading() { inflateEnd(&stream_); }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  Array take_head();
  NpyType type_of(const Array& array) const;
  template <class Value>
  NpyType number_type_of(const Array& array) const;  // and refuses what cannot be given out as such values
  /// Asked before memory is taken for the values.
  void require_room(const Array& array, std::uint64_t value_size, std::uint64_t given_size) const;
  void read(char* into, std::size_t size);
  void require_end();
  [[noreturn]] void refuse(std::string_view why, std::string_view to_try = copy_again) const {
    archive_.refuse(fmt::format("its array \"{}\" {}", name_, why), to_try);
  }

 private:
  bool is_deflated() const { return member_.method == zip_deflated; }
  void fetch();
  void unpack(char* into, std::size_t size);
  void require_packed_end();

  const Archive& archive_;
  std::string name_;
  const ZipMember& member_;
  z_stream stream_{};
  std::string packed_;         // a piece of it
  std::uint64_t fetched_ = 0;  // packed bytes
  std::uint64_t given_ = 0;    // unpacked bytes
  std::uint32_t check_sum_ = 0;
};

NpzFile::Archive::Archive(std::unique_ptr<const PlacedBytes> bytes, const ReadLimits& limits)
    : bytes_(std::move(bytes)), limits_(limits), time_(limits_) {
  if (bytes_->size() > limits_.bytes) refuse_over(&ReadLimits::bytes, limits_.bytes, {path()});
  const std::string start = taken(0, std::min<std::uint64_t>(npy_mark.size(), bytes_->size()));
  if (start == npy_mark) {
    ZipMember only;
    only.has_check_sum = false;
    only.packed = only.unpacked = bytes_->size();
    members_.emplace(npy_only_name, only);
    return;
  }
  // An archive without members is its end alone.
  if (!start.starts_with("PK\x03\x04") && !start.starts_with("PK\x05\x06"))
    refuse("is neither an .npz nor an .npy file of NumPy", save_again);
  read_directory();
}

ZipDirectory NpzFile::Archive::find_directory() const {
  if (bytes_->size() < zip_end_size) refuse("is too short for an .npz file");
  // A comment behind the end would make room for a second one. NumPy writes none, so the end is the file's.
  const std::uint64_t place = bytes_->size() - zip_end_size;
  ZipDirectory found = directory_of_end(taken(place, zip_end_size));
  if (!found.is_good) refuse("does not end as an .npz file does: it was cut, or added to");
  std::uint64_t end = place;
  if (found.is_wide) {
    found = find_wide_directory(place);
    end = place - zip64_locator_size - zip64_end_size;
  }
  if (!found.is_good || found.place > end || found.size != end - found.place)
    refuse("has a damaged directory, or was added to");
  if (found.members > most_members)
    refuse(fmt::format("holds more than {} arrays", most_members), "split it");
  if (found.members > limits_.records) refuse_over(&ReadLimits::records, limits_.records, {path()});
  return found;
}

ZipDirectory NpzFile::Archive::find_wide_directory(std::uint64_t end) const {
  if (end < zip64_locator_size + zip64_end_size) return {};
  const std::string locator = taken(end - zip64_locator_size, zip64_locator_size);
  ZipFields fields(locator);
  const auto mark = fields.take<std::uint32_t>();
  fields.take<std::uint32_t>();  // disk
  const auto place = fields.take<std::uint64_t>();
  if (mark != zip64_locator_mark || place != end - zip64_locator_size - zip64_end_size) return {};
  return directory_of_wide_end(taken(place, zip64_end_size));
}

void NpzFile::Archive::read_directory() {
  const ZipDirectory directory = find_directory();
  // Names, extra fields and comments have up to 64 KiB each, so that even a short list may be long.
  if (directory.size > limits_.memory) refuse_over(&ReadLimits::memory, limits_.memory, {path()});
  const std::string bytes = taken(directory.place, directory.size);
  ZipFields fields(bytes);
  for (std::uint64_t number = 1; number <= directory.members; ++number)
    add_member(take_central(fields), number);
  if (!fields.is_empty()) refuse("has a damaged directory");
  place_members(directory.place);
}

void NpzFile::Archive::add_member(const ZipHeader& header, std::uint64_t number) {
  const FileSpot spot{path(), 0, number};
  if (!header.is_good) refuse("has a damaged directory");
  // The name is a stranger's and may be a private one; its number is enough to find it.
  const auto name = array_name(header.name);
  if (!name)
    throw DataError(spot, "is not an array: its name has no .npy at its end, or a folder", save_again);
  require_known(header.member, spot);
  if (!members_.emplace(*name, header.member).second)
    throw DataError(spot, "has the name of another array", save_again);
}

void NpzFile::Archive::require_known(const ZipMember& member, const FileSpot& spot) const {
  if ((member.flags & zip_encrypted) != 0) throw DataError(spot, "is encrypted", save_again);
  if ((member.flags & ~zip_flags_known) != 0 ||
      (member.method != zip_stored && member.method != zip_deflated))
    throw DataError(spot, "is packed in a way that NumPy does not use", save_again);
  const bool is_likely = member.method == zip_stored ? member.packed == member.unpacked
                                                     : member.unpacked / most_by_deflate <= member.packed;
  if (!is_likely) throw DataError(spot, "cannot have the size that it says", copy_again);
}

/// Members that overlap would let a small file unpack to a large one, and be read in two ways.
void NpzFile::Archive::place_members(std::uint64_t end) {
  std::vector<std::pair<const std::string, ZipMember>*> by_place;
  std::uint64_t unpacked = 0;
  for (auto& entry : members_) {
    by_place.push_back(&entry);
    if (entry.second.unpacked > limits_.bytes - unpacked)
      refuse_over(&ReadLimits::bytes, limits_.bytes, {path()});
    unpacked += entry.second.unpacked;
  }
  std::ranges::sort(by_place, {}, [](const auto* entry) { return entry->second.place; });
  std::uint64_t free_from = 0;
  for (auto* entry : by_place) {
    if (entry->second.place < free_from) refuse("has arrays that overlap");
    place_data(entry->first, entry->second, end);
    free_from = entry->second.data + entry->second.packed;
  }
}

/// A local header may be of another length than the directory says, and must not say anything else.
void NpzFile::Archive::place_data(const std::string& name, ZipMember& member, std::uint64_t end) const {
  constexpr std::string_view wrong = "has a directory that does not fit its arrays";
  if (member.place > end || end - member.place < zip_local_size) refuse(wrong);
  const std::string fixed = taken(member.place, zip_local_size);
  const std::uint64_t names = member.place + zip_local_size;
  const std::size_t size = names_size(fixed);
  if (size > end - names || member.packed > end - names - size) refuse(wrong);
  const std::string behind = taken(names, size);
  const ZipHeader local = local_header(fixed, behind);
  const bool has_sizes = (member.flags & zip_described_behind) == 0;
  const bool is_same_size = local.member.packed == member.packed &&
                            local.member.unpacked == member.unpacked &&
                            local.member.check_sum == member.check_sum;
  if (!local.is_good || array_name(local.name) != name || local.member.flags != member.flags ||
      local.member.method != member.method || (has_sizes && !is_same_size))
    refuse(wrong);
  member.data = names + size;
}

NpzFile::Archive::Reading::Reading(const Archive& archive, std::string_view name)
    : archive_(archive), name_(name), member_([&]() -> const ZipMember& {
        const auto found = archive.members_.find(name);
        if (found == archive.members_.end())
          archive.refuse(fmt::format("has no array \"{}\"", name), "check that it is the right file");
        return found->second;
      }()) {
  require_plausible_unpacking(archive_.limits_, archive_.path(), member_.packed, member_.unpacked);
  // Below 0: deflate as it is in zip, without the header of zlib.
  if (is_deflated() && inflateInit2(&stream_, -MAX_WBITS) != Z_OK)
    throw Error("there is no memory to unpack a file");
}

void NpzFile::Archive::Reading::read(char* into, std::size_t size) {
  if (size > member_.unpacked - given_) refuse("ends too early");
  if (is_deflated()) {
    unpack(into, size);
  } else {
    archive_.read(member_.data + given_, into, size);
  }
  given_ += size;
  check_sum_ = static_cast<std::uint32_t>(crc32_z(check_sum_, reinterpret_cast<const Bytef*>(into), size));
}

void NpzFile::Archive::Reading::fetch() {
  packed_.resize(std::min<std::uint64_t>(npz_piece, member_.packed - fetched_));
  archive_.read(member_.data + fetched_, packed_.data(), packed_.size());
  fetched_ += packed_.size();
  stream_.next_in = reinterpret_cast<Bytef*>(packed_.data());
  stream_.avail_in = static_cast<uInt>(packed_.size());
}

/// At most npz_piece bytes at once, so that zlib can count them.
void NpzFile::Archive::Reading::unpack(char* into, std::size_t size) {
  stream_.next_out = reinterpret_cast<Bytef*>(into);
  stream_.avail_out = static_cast<uInt>(size);
  while (stream_.avail_out > 0) {
    if (stream_.avail_in == 0) fetch();
    const int result = inflate(&stream_, Z_NO_FLUSH);
    // With room for more and bytes at hand it always comes further, unless there are none left.
    if (result != Z_OK && !(result == Z_STREAM_END && stream_.avail_out == 0))
      refuse("is damaged or ends too early");
  }
}

void NpzFile::Archive::Reading::require_packed_end() {
  char more = 0;
  stream_.next_out = reinterpret_cast<Bytef*>(&more);
  stream_.avail_out = 1;
  int result = Z_OK;
  while (result == Z_OK && stream_.avail_out == 1) {
    if (stream_.avail_in == 0) fetch();
    result = inflate(&stream_, Z_NO_FLUSH);
  }
  if (result != Z_STREAM_END || stream_.avail_out == 0 || stream_.avail_in > 0 || fetched_ != member_.packed)
    refuse("is damaged, or longer than it says");
}

void NpzFile::Archive::Reading::require_end() {
  if (given_ != member_.unpacked) refuse("is longer than it says");
  if (is_deflated()) require_packed_end();
  if (member_.has_check_sum && check_sum_ != member_.check_sum)
    refuse("is damaged: its check sum is another");
}

NpzFile::Array NpzFile::Archive::Reading::take_head() {
  char start[npy_mark.size() + 2];  // and the version
  read(start, sizeof start);
  const char major = start[npy_mark.size()], minor = start[npy_mark.size() + 1];
  if (std::string_view(start, npy_mark.size()) != npy_mark || major < 1 || major > 3 || minor != 0)
    refuse("is not of the .npy format, versions 1.0 to 3.0", save_again);
  char length[sizeof(std::uint32_t)] = {};
  read(length, major == 1 ? sizeof(std::uint16_t) : sizeof(std::uint32_t));
  const auto size = ZipFields({length, sizeof length}).take<std::uint32_t>();
  if (size > longest_npy_head) refuse("has a head of over 65,535 bytes", save_again);
  std::string text(size, '\0');
  read(text.data(), text.size());
  auto array = NpyHead(text).parse();
  if (!array) refuse("has a head that is not as NumPy writes it", save_again);
  if (!is_countable(array->shape)) refuse("has a shape that no machine holds");
  return *std::move(array);
}

NpyType NpzFile::Archive::Reading::type_of(const Array& array) const {
  const auto type = npy_type_of(array.type);
  if (!type) refuse("holds values of a type that is not read here", npy_type_advice(array.type, name_));
  return *type;
}

void NpzFile::Archive::Reading::require_room(const Array& array, std::uint64_t value_size,
                                             std::uint64_t given_size) const {
  const std::uint64_t count = array.count(), left = member_.unpacked - given_;
  const bool fits = value_size == 0 ? left == 0 : left % value_size == 0 && left / value_size == count;
  if (!fits) refuse("is not as long as its shape says");
  const ReadLimits& limits = archive_.limits_;
  if (count > limits.records) refuse_over(&ReadLimits::records, limits.records, {archive_.path()});
  if (given_size > 0 && count > limits.memory / given_size)
    refuse_over(&ReadLimits::memory, limits.memory, {archive_.path()});
}

NpzFile::Array NpzFile::Archive::array(std::string_view name) const {
  return Reading(*this, name).take_head();
}

template <class Value>
NpyType NpzFile::Archive::Reading::number_type_of(const Array& array) const {
  const NpyType type = type_of(array);
  const bool is_floating = type.kind == NpyKind::f8 || type.kind == NpyKind::f4;
  if (type.kind == NpyKind::text) refuse("holds text, and not numbers", save_again);
  if (is_floating && std::is_integral_v<Value>)
    refuse("holds floating-point numbers, and not integers",
           fmt::format(R"(save it as int64: {0}={0}.astype("<i8"))", name_));
  if (array.is_fortran && array.shape.size() > 2)
    refuse("lies in Fortran order", fmt::format("save numpy.ascontiguousarray({})", name_));
  return type;
}

template <class Value>
std::vector<Value> NpzFile::Archive::values(std::string_view name) const {
  Reading reading(*this, name);
  const Array array = reading.take_head();
  const NpyType type = reading.number_type_of<Value>(array);
  reading.require_room(array, type.size, sizeof(Value));
  std::vector<Value> values;
  values.reserve(array.count());
  std::string piece;
  // A piece is a multiple of every size, so that no value lies in two.
  for (std::uint64_t left = array.count() * type.size; left > 0; left -= piece.size()) {
    piece.resize(std::min<std::uint64_t>(left, npz_piece));
    reading.read(piece.data(), piece.size());
    if (!append_values(type.kind, piece, values))
      reading.refuse(
          "has an integer beyond what is read exactly (2^53, or 2^63 - 1 as integers), or below 0 where none "
          "is",
          save_again);
  }
  reading.require_end();
  const bool is_turned = array.is_fortran && array.shape.size() == 2;
  return is_turned ? by_rows(values, array.shape[0], array.shape[1]) : values;
}

std::string NpzFile::Archive::text(std::string_view name) const {
  Reading reading(*this, name);
  const Array array = reading.take_head();
  const NpyType type = reading.type_of(array);
  if (type.kind != NpyKind::text || array.count() != 1)
    reading.refuse("is not a single text",
                   fmt::format("save it as bytes: {}=numpy.array(text.encode())", name));
  reading.require_room(array, type.size, type.size);
  std::string text(type.size, '\0');
  for (std::size_t used = 0; used < text.size(); used += std::min(npz_piece, text.size() - used))
    reading.read(text.data() + used, std::min(npz_piece, text.size() - used));
  reading.require_end();
  text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

NpzFile::NpzFile(const std::string& path)
    : archive_(std::make_shared<const Archive>(open_placed(path), current_limits())) {}

NpzFile::NpzFile(TextSource& source)
    : archive_(std::make_shared<const Archive>(hold(source), source.limits())) {}

const std::string& NpzFile::path() const {
  return archive_->path();
}

bool NpzFile::has(std::string_view name) const {
  return archive_->members().contains(name);
}

std::vector<std::string> NpzFile::names() const {
  std::vector<std::string> names;
  for (const auto& entry : archive_->members()) names.push_back(entry.first);
  return names;
}

std::uint64_t NpzFile::Array::count() const {
  std::uint64_t product = 1;
  for (const std::uint64_t length : shape) product *= length;
  return product;
}

NpzFile::Array NpzFile::array(std::string_view name) const {
  return archive_->array(name);
}

std::vector<double> NpzFile::numbers(std::string_view name) const {
  return archive_->values<double>(name);
}

std::vector<std::int64_t> NpzFile::integers(std::string_view name) const {
  return archive_->values<std::int64_t>(name);
}

std::vector<std::uint64_t> NpzFile::unsigned_integers(std::string_view name) const {
  return archive_->values<std::uint64_t>(name);
}

std::string NpzFile::text(std::string_view name) const {
  return archive_->text(name);
}

namespace {

template <class Number>
void append_little(std::string& record, Number number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  record.append(bytes, sizeof bytes);
}

std::uint32_t narrowed(std::uint64_t number) {
  return static_cast<std::uint32_t>(std::min(number, zip_wide));
}

/// Version, flags and so on to the sizes: what both kinds of header have.
void append_common(std::string& header, const ZipMember& member, bool is_wide) {
  append_little(header, is_wide ? zip64_version : zip_version);
  append_little(header, member.flags);
  append_little(header, member.method);
  append_little(header, std::uint16_t{0});  // midnight
  append_little(header, zip_first_day);
  append_little(header, member.check_sum);
  append_little(header, narrowed(member.packed));
  append_little(header, narrowed(member.unpacked));
}

/// The extra field of zip64 with those of the values that need it; empty if none does.
std::string wide_extra(std::initializer_list<std::uint64_t> values) {
  std::string wide, extra;
  for (const std::uint64_t value : values)
    if (value >= zip_wide) append_little(wide, value);
  if (wide.empty()) return extra;
  append_little(extra, zip64_extra);
  append_little(extra, static_cast<std::uint16_t>(wide.size()));
  return extra + wide;
}

std::string written_local(const std::string& name, const ZipMember& member) {
  const std::string extra = wide_extra({member.unpacked, member.packed});
  std::string header;
  append_little(header, zip_local_mark);
  append_common(header, member, !extra.empty());
  append_little(header, static_cast<std::uint16_t>(name.size()));
  append_little(header, static_cast<std::uint16_t>(extra.size()));
  return header + name + extra;
}

std::string written_central(const std::string& name, const ZipMember& member) {
  const std::string extra = wide_extra({member.unpacked, member.packed, member.place});
  std::string header;
  append_little(header, zip_central_mark);
  // Made on DOS, which has no permissions: unzip gives those of any new file then.
  append_little(header, extra.empty() ? zip_version : zip64_version);
  append_common(header, member, !extra.empty());
  append_little(header, static_cast<std::uint16_t>(name.size()));
  append_little(header, static_cast<std::uint16_t>(extra.size()));
  append_little(header, std::uint16_t{0});  // no comment
  append_little(header, std::uint16_t{0});  // the only disk
  append_little(header, std::uint16_t{0});  // not known to be text
  append_little(header, std::uint32_t{0});  // attributes
  append_little(header, narrowed(member.place));
  return header + name + extra;
}

std::string written_wide_end(const ZipDirectory& directory) {
  std::string end;
  append_little(end, zip64_end_mark);
  append_little(end, zip64_end_rest);
  append_little(end, zip64_version);
  append_little(end, zip64_version);
  append_little(end, std::uint64_t{0});  // disks
  for (const std::uint64_t number : {directory.members, directory.members, directory.size, directory.place})
    append_little(end, number);
  append_little(end, zip64_locator_mark);
  append_little(end, std::uint32_t{0});
  append_little(end, directory.place + directory.size);
  append_little(end, std::uint32_t{1});  // disks in all
  return end;
}

std::string written_end(const ZipDirectory& directory) {
  // The count of most_members is what says, in 16 bits, that another place has it.
  const bool is_wide =
      directory.members >= zip_many || directory.place >= zip_wide || directory.size >= zip_wide;
  std::string end = is_wide ? written_wide_end(directory) : "";
  append_little(end, zip_end_mark);
  append_little(end, std::uint32_t{0});  // disks
  append_little(end, static_cast<std::uint16_t>(directory.members));
  append_little(end, static_cast<std::uint16_t>(directory.members));
  append_little(end, narrowed(directory.size));
  append_little(end, narrowed(directory.place));
  append_little(end, std::uint16_t{0});  // no comment
  return end;
}

/// Version 1.0, filled up with blanks so that the values begin at a multiple of 64 bytes.
std::string written_head(std::string_view type, const std::vector<std::uint64_t>& shape) {
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", type,
                                 fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  const std::size_t before = npy_mark.size() + 2 + sizeof(std::uint16_t);
  const std::size_t bare = before + text.size() + 1;
  text.append((npy_alignment - bare % npy_alignment) % npy_alignment, ' ');
  text += '\n';
  std::string head(npy_mark);
  head += '\x01';
  head += '\0';
  append_little(head, static_cast<std::uint16_t>(text.size()));
  return head + text;
}

std::string_view as_characters(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint32_t check_sum_of_member(std::string_view head, std::string_view values) {
  const uLong begun = crc32_z(0, reinterpret_cast<const Bytef*>(head.data()), head.size());
  // zlib takes no data at no address for a wish to begin anew.
  if (values.empty()) return static_cast<std::uint32_t>(begun);
  return static_cast<std::uint32_t>(
      crc32_z(begun, reinterpret_cast<const Bytef*>(values.data()), values.size()));
}

void require_writable_name(const std::string& name) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '/' && c != '\\'; };
  if (name.empty() || name.size() > longest_written_name || !std::all_of(name.begin(), name.end(), is_plain))
    throw InvalidOption("array", "must have a name of 1 to 200 characters of ASCII, without / and \\");
}

}  // namespace

void NpzWriter::add_array(const std::string& name, std::string_view type,
                          const std::vector<std::uint64_t>& shape, std::uint64_t count,
                          std::span<const std::byte> values) {
  require_writable_name(name);
  const std::string file = name + std::string(npy_suffix);
  if (std::ranges::find(members_, file, &Member::name) != members_.end())
    throw InvalidOption("array", fmt::format("\"{}\" stands twice", name));
  if (members_.size() == most_members)
    throw InvalidOption("array", fmt::format("may be added {} times", most_members));
  if (shape.size() > most_npy_dimensions || !is_countable(shape) ||
      NpzFile::Array{.shape = shape, .type = {}}.count() != count)
    throw InvalidOption("shape", fmt::format("of \"{}\" must be that of its numbers", name));
  members_.push_back({.name = file, .head = written_head(type, shape), .values = values, .kept = nullptr});
}

void NpzWriter::add_text(const std::string& name, std::string_view text) {
  if (text.ends_with('\0')) throw InvalidOption("text", "must not end in a NUL");
  // NumPy has no text of length 0; an empty one is a single NUL.
  const auto kept =
      std::make_shared<const std::string>(text.empty() ? std::string(1, '\0') : std::string(text));
  add_array(name, fmt::format("|S{}", kept->size()), {}, 1, std::as_bytes(std::span(*kept)));
  members_.back().kept = kept;
}

void NpzWriter::write_to(const Sink& sink) const {
  std::string directory;
  std::uint64_t end = 0;
  for (const Member& member : members_) {
    const std::string_view values = as_characters(member.values);
    ZipMember written;
    written.check_sum = check_sum_of_member(member.head, values);
    written.packed = written.unpacked = member.head.size() + values.size();
    written.place = end;
    const std::string local = written_local(member.name, written);
    sink(local);
    sink(member.head);
    // In pieces, so that no array is copied as a whole.
    for (std::size_t done = 0; done < values.size(); done += std::min(npz_piece, values.size() - done))
      sink(values.substr(done, npz_piece));
    directory += written_central(member.name, written);
    end += local.size() + written.packed;
  }
  sink(directory);
  sink(written_end({.place = end, .size = directory.size(), .members = members_.size()}));
}

void NpzWriter::write(const std::string& path, const Options& options) const {
  OutputFile file(path, {.overwrite = options.overwrite, .owner_only = options.owner_only});
  write_to([&](std::string_view piece) { file.write(piece); });
  file.commit();
}

std::string NpzWriter::bytes() const {
  std::string all;
  write_to([&](std::string_view piece) { all += piece; });
  return all;
}

}  // namespace fogline::io
