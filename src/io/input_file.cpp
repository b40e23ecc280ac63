// SPDX-License-Identifier: Apache-2.0
#include "io/input_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.hpp"
#include "io/held_files.hpp"

namespace fogline::io {
namespace {

constexpr std::size_t block_size = std::size_t{1} << 18;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

std::string what_to_try(int error) {
  switch (error) {
    case ENOENT:
      return "check the name";
    case EACCES:
    case EPERM:
      return "check that you may read it";
    case EISDIR:
      return "name a file in it";
    default:
      return "";
  }
}

/// The bytes as stored: a file descriptor or a text in memory.
class RawBytes {
 public:
  RawBytes(std::string name, int file, Progress progress)
      : name_(std::move(name)), file_(file), progress_(std::move(progress)) {}
  RawBytes(std::string name, std::string bytes) : name_(std::move(name)), memory_(std::move(bytes)) {}
  RawBytes(std::string name, std::function<std::string()> more)
      : name_(std::move(name)), more_(std::move(more)), is_function_(true) {}
  ~RawBytes() {
    if (file_ > STDIN_FILENO) close(file_);
  }
  RawBytes(const RawBytes&) = delete;
  RawBytes& operator=(const RawBytes&) = delete;

  std::size_t read(char* into, std::size_t size) {
    if (file_ >= 0) return read_file(into, size);
    if (more_ && position_ == memory_.size()) {
      memory_ = more_();
      position_ = 0;
      if (memory_.empty()) more_ = nullptr;  // the end is the end, and is asked for once
    }
    const std::size_t count = std::min(size, memory_.size() - position_);
    std::copy_n(memory_.data() + position_, count, into);
    position_ += count;
    return count;
  }
  const std::string& name() const { return name_; }
  bool is_nameless() const { return file_ == STDIN_FILENO || is_function_; }

  /// From here on who reads waits no longer than this for bytes that do not come.
  void keep_to(const ReadingTime& time) { time_ = &time; }

  void add_to_progress(std::uint64_t bytes) {
    bytes_given_ += bytes;
    if (progress_ && !progress_({"reading", bytes_given_, 0})) throw Cancelled();
  }

 private:
  std::size_t read_file(char* into, std::size_t size) {
    for (;;) {
      if (time_ != nullptr && time_->is_kept()) await();
      const ssize_t got = ::read(file_, into, size);
      if (got >= 0) return static_cast<std::size_t>(got);
      const int error = errno;
      if (error == EAGAIN || error == EINTR) {
        add_to_progress(0);
        continue;
      }
      throw FileError(name_, std::string("cannot be read (") + std::generic_category().message(error) + ")",
                      what_to_try(error));
    }
  }

  /// A pipe may be silent for ever, and a read that waits for it hears no clock.
  void await() {
    constexpr int look_again_ms = 100;
    pollfd wanted{.fd = file_, .events = POLLIN, .revents = 0};
    while (poll(&wanted, 1, look_again_ms) <= 0) {
      add_to_progress(0);
      time_->require_left(name_);
    }
  }

  std::string name_;
  int file_ = -1;
  const ReadingTime* time_ = nullptr;
  Progress progress_;
  std::uint64_t bytes_given_ = 0;
  std::string memory_;
  std::size_t position_ = 0;
  std::function<std::string()> more_;  // of what is in memory
  bool is_function_ = false;
};

/// Unpacks gzip, one member after another, as `cat a.gz b.gz` writes them.
class GzipBytes {
 public:
  GzipBytes(RawBytes& raw, std::string_view head, const ReadLimits& limits)
      : raw_(raw), limits_(limits), packed_(new char[block_size]) {
    std::copy(head.begin(), head.end(), packed_.get());
    stream_.next_in = reinterpret_cast<Bytef*>(packed_.get());
    stream_.avail_in = static_cast<uInt>(head.size());
    fetched_ = head.size();
    if (inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) throw FileError(raw_.name(), "cannot be unpacked");
  }
  ~GzipBytes() { inflateEnd(&stream_); }
  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;

  std::size_t read(char* into, std::size_t size) {
    const std::size_t room = std::min(size, block_size);
    stream_.next_out = reinterpret_cast<Bytef*>(into);
    stream_.avail_out = static_cast<uInt>(room);
    while (stream_.avail_out == room && !finished_) step();
    const std::size_t got = room - stream_.avail_out;
    unpacked_ += got;
    require_plausible_unpacking(limits_, raw_.name(), fetched_ - stream_.avail_in, unpacked_);
    return got;
  }

 private:
  void step() {
    if (stream_.avail_in == 0) fetch();
    if (stream_.avail_in == 0) {
      if (!between_members_) {
        throw DataError({raw_.name()}, "the compressed data ends too early", "copy or download it again");
      }
      finished_ = true;
      return;
    }
    if (between_members_ && inflateReset(&stream_) != Z_OK) damaged();
    between_members_ = false;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      between_members_ = true;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      damaged();
    }
  }

  void fetch() {
    stream_.next_in = reinterpret_cast<Bytef*>(packed_.get());
    stream_.avail_in = static_cast<uInt>(raw_.read(packed_.get(), block_size));
    fetched_ += stream_.avail_in;
  }

  [[noreturn]] void damaged() const {
    throw DataError({raw_.name()}, "the compressed data is damaged", "copy or download it again");
  }

  RawBytes& raw_;
  const ReadLimits& limits_;
  std::unique_ptr<char[]> packed_;
  z_stream stream_{};
  std::uint64_t fetched_ = 0;  // packed bytes
  std::uint64_t unpacked_ = 0;
  bool between_members_ = false;
  bool finished_ = false;
};

}  // namespace

struct TextSource::Impl {
  template <class... Origin>
  explicit Impl(std::string name, Origin... origin)
      : limits(current_limits()), time(limits), raw(std::move(name), std::move(origin)...) {
    raw.keep_to(time);
    // Two bytes tell gzip apart, and a pipe may hand them over one by one.
    while (head_size < sizeof head) {
      const std::size_t got = raw.read(head + head_size, sizeof head - head_size);
      if (got == 0) break;
      head_size += got;
    }
    const std::string_view start(head, head_size);
    if (start == "\x1F\x8B") {
      gzip = std::make_unique<GzipBytes>(raw, start, limits);
      head_size = 0;
    }
  }

  std::size_t read(char* into, std::size_t size) {
    if (peeked.empty()) return fetch(into, size);
    const std::size_t count = std::min(size, peeked.size());
    std::copy_n(peeked.data(), count, into);
    peeked.erase(0, count);
    return count;
  }

  std::string_view peek(std::size_t size) {
    while (peeked.size() < size) {
      const std::size_t had = peeked.size();
      peeked.resize(size);
      peeked.resize(had + fetch(peeked.data() + had, size - had));
      if (peeked.size() == had) break;
    }
    return std::string_view(peeked).substr(0, size);
  }

  std::size_t fetch(char* into, std::size_t size) {
    const std::size_t got = read_some(into, size);
    raw.add_to_progress(got);
    time.require_left(raw.name());
    given += got;
    if (given > limits.bytes) refuse_over(&ReadLimits::bytes, limits.bytes, {raw.name()});
    return got;
  }

  std::size_t read_some(char* into, std::size_t size) {
    if (gzip) return gzip->read(into, size);
    if (head_given == head_size) return raw.read(into, size);
    const std::size_t count = std::min(size, head_size - head_given);
    std::copy_n(head + head_given, count, into);
    head_given += count;
    return count;
  }

  ReadLimits limits;
  ReadingTime time;
  RawBytes raw;
  std::uint64_t given = 0;  // unpacked
  std::optional<ColumnSet> columns;
  std::unique_ptr<GzipBytes> gzip;
  char head[2] = {};
  std::size_t head_size = 0;
  std::size_t head_given = 0;
  std::string peeked;
};

TextSource::TextSource(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TextSource::TextSource(TextSource&&) noexcept = default;
TextSource& TextSource::operator=(TextSource&&) noexcept = default;
TextSource::~TextSource() = default;

TextSource TextSource::from_file(const std::string& name, Progress progress) {
  if (name == "-")
    return TextSource(std::make_unique<Impl>("standard input", int{STDIN_FILENO}, std::move(progress)));
  // Opening a named pipe waits for its writer, which the clock could not end either: then its bytes are waited for instead.
  const int waits = current_limits().seconds > 0 ? O_NONBLOCK : 0;
  const int file = open(place_of_file(name).c_str(), O_RDONLY | O_CLOEXEC | waits);
  if (file < 0) {
    const int error = errno;
    throw FileError(name, std::string("cannot be opened (") + std::generic_category().message(error) + ")",
                    what_to_try(error));
  }
  return TextSource(std::make_unique<Impl>(name, file, std::move(progress)));
}

TextSource TextSource::from_memory(std::string name, std::string bytes) {
  return TextSource(std::make_unique<Impl>(std::move(name), std::move(bytes)));
}

TextSource TextSource::from_function(std::string name, std::function<std::string()> more) {
  return TextSource(std::make_unique<Impl>(std::move(name), std::move(more)));
}

TextSource TextSource::from_columns(ColumnSet columns) {
  TextSource source = from_memory("columns in memory", "");
  source.impl_->columns = std::move(columns);
  return source;
}

const std::string& TextSource::name() const {
  return impl_->raw.name();
}

const ColumnSet* TextSource::columns() const {
  return impl_->columns ? &*impl_->columns : nullptr;
}

bool TextSource::is_standard_input() const {
  return impl_->raw.is_nameless();
}

void TextSource::require_bytes() const {
  if (impl_->columns)
    throw InvalidOption("format", "is for files: columns in memory are known by their names");
}

std::size_t TextSource::read(char* into, std::size_t size) {
  require_bytes();
  return size == 0 ? 0 : impl_->read(into, size);
}

std::string_view TextSource::peek(std::size_t size) {
  require_bytes();
  return impl_->peek(size);
}

const ReadLimits& TextSource::limits() const {
  return impl_->limits;
}

std::string TextSource::read_all() {
  return read_all({.file = {}, .what = "bytes", .most = limits().memory, .reason = {}});
}

std::string TextSource::read_all(const FormatLimit& most) {
  const std::uint64_t memory = limits().memory;
  std::string text;
  for (std::size_t used = 0;;) {
    text.resize(std::max(used + block_size, used + used / 2));
    const std::size_t got = read(text.data() + used, text.size() - used);
    used += got;
    if (used > memory) refuse_over(&ReadLimits::memory, memory, {name()});
    require_within(most, used, {name()});
    if (got == 0) {
      text.resize(used);
      break;
    }
  }
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos) {
    const auto newlines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(nul), '\n');
    throw DataError({name(), static_cast<std::uint64_t>(newlines) + 1}, "holds a NUL byte",
                    "save it as plain text (UTF-8)");
  }
  return text;
}

bool LineReader::next(std::string_view& line) {
  std::size_t searched = 0;
  for (;;) {
    const char* start = buffer_.get() + begin_;
    const std::size_t available = end_ - begin_;
    const void* newline =
        available > searched ? std::memchr(start + searched, '\n', available - searched) : nullptr;
    if (newline != nullptr) {
      line = take(static_cast<std::size_t>(static_cast<const char*>(newline) - start), 1);
      return true;
    }
    searched = available;
    if (refill()) continue;
    if (available == 0) return false;
    line = take(available, 0);
    return true;
  }
}

std::string_view LineReader::take(std::size_t length, std::size_t ending) {
  std::string_view line(buffer_.get() + begin_, length);
  const std::size_t begin = begin_;
  begin_ += length + ending;
  ++line_number_;
  if (length > max_line_) refuse_over(&ReadLimits::line, max_line_, {name(), line_number_});
  check_for_nul(begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line_number_ == 1 && line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  return line;
}

bool LineReader::refill() {
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  // A line that fills the buffer makes it grow, up to one byte more than the limit; take() then refuses it.
  if (end_ == capacity_) {
    if (end_ > max_line_) return false;
    const std::size_t larger = std::max(block_size, std::min(capacity_ * 2, max_line_ + 1));
    auto grown = std::make_unique_for_overwrite<char[]>(larger);
    if (end_ > 0) std::memcpy(grown.get(), buffer_.get(), end_);
    buffer_ = std::move(grown);
    capacity_ = larger;
  }
  const std::size_t got = source_.read(buffer_.get() + end_, capacity_ - end_);
  end_ += got;
  return got > 0;
}

/// Of the line that was taken, and of none after it: whoever answers line by line has not asked for those.
void LineReader::check_for_nul(std::size_t begin) const {
  if (begin_ == begin || std::memchr(buffer_.get() + begin, '\0', begin_ - begin) == nullptr) return;
  throw DataError({name(), line_number_}, "holds a NUL byte", "save it as plain text (UTF-8)");
}

std::string read_small_file(const std::string& file, const FormatLimit& most, std::string_view what_to_try) {
  const std::string place = place_of_file(file);
  std::error_code unknown;  // what is not there cannot be opened
  if (const auto found = std::filesystem::status(place, unknown);
      std::filesystem::exists(found) && !std::filesystem::is_regular_file(found))
    throw FileError(file, "is not a regular file", what_to_try);
  std::ifstream in(place, std::ios::binary);
  if (!in) throw FileError(file, "cannot be opened", what_to_try);
  const ReadLimits& limits = current_limits();
  const ReadingTime time(limits);
  std::string text(std::min({most.most, limits.bytes, limits.memory}) + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (in.bad()) throw FileError(file, "cannot be read to its end");
  time.require_left(file);
  require_within(most, text.size(), {file});
  if (text.size() > limits.bytes) refuse_over(&ReadLimits::bytes, limits.bytes, {file});
  if (text.size() > limits.memory) refuse_over(&ReadLimits::memory, limits.memory, {file});
  return text;
}

}  // namespace fogline::io
