// SPDX-License-Identifier: Apache-2.0
#include "io/gzip.hpp"

#include <limits>

#include <zlib.h>

#include "base/error.hpp"

namespace fogline::io {

std::string gzip(std::string_view text) {
  if (text.size() > std::numeric_limits<uInt>::max())
    throw InvalidOption("text", "must be below 4 GiB to be packed");
  z_stream stream{};
  constexpr int gzip_header = 16;
  constexpr int memory_level = 9;
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, gzip_header + MAX_WBITS, memory_level,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw Error("there is no memory to pack a file");
  std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  // zlib reads through a pointer that it does not declare const.
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int ended = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (ended != Z_STREAM_END) throw Error("a file could not be packed");
  return packed;
}

struct GzipPacker::Impl {
  z_stream stream{};

  Impl() {
    constexpr int gzip_header = 16, memory_level = 9;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_header + MAX_WBITS, memory_level,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw Error("there is no memory to pack a file");
  }
  ~Impl() { deflateEnd(&stream); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::string pack(std::string_view piece, int flush) {
    if (piece.size() > std::numeric_limits<uInt>::max())
      throw InvalidOption("piece", "must be below 4 GiB to be packed");
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(piece.data()));
    stream.avail_in = static_cast<uInt>(piece.size());
    std::string packed, room(std::size_t{1} << 16, '\0');
    do {
      stream.next_out = reinterpret_cast<Bytef*>(room.data());
      stream.avail_out = static_cast<uInt>(room.size());
      if (deflate(&stream, flush) == Z_STREAM_ERROR) throw Error("a file could not be packed");
      packed.append(room, 0, room.size() - stream.avail_out);
    } while (stream.avail_out == 0);
    return packed;
  }
};

GzipPacker::GzipPacker() : impl_(std::make_unique<Impl>()) {}
GzipPacker::~GzipPacker() = default;
GzipPacker::GzipPacker(GzipPacker&&) noexcept = default;
GzipPacker& GzipPacker::operator=(GzipPacker&&) noexcept = default;

std::string GzipPacker::add(std::string_view piece) {
  return impl_->pack(piece, Z_NO_FLUSH);
}

std::string GzipPacker::finish() {
  return impl_->pack({}, Z_FINISH);
}

bool is_bare_gzip(std::string_view packed) {
  constexpr std::size_t header = 10;
  if (packed.size() < header || packed.size() > std::numeric_limits<uInt>::max()) return false;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(packed[i]); };
  if (byte(0) != 0x1f || byte(1) != 0x8b) return false;
  for (std::size_t i = 3; i < 8; ++i)  // flags and time
    if (byte(i) != 0) return false;
  z_stream stream{};
  constexpr int gzip_header = 16;
  if (inflateInit2(&stream, gzip_header + MAX_WBITS) != Z_OK)
    throw Error("there is no memory to unpack a file");
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string room(std::size_t{1} << 16, '\0');
  int state = Z_OK;
  while (state == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(room.data());
    stream.avail_out = static_cast<uInt>(room.size());
    state = inflate(&stream, Z_NO_FLUSH);
  }
  inflateEnd(&stream);
  return state == Z_STREAM_END && stream.avail_in == 0;
}

}  // namespace fogline::io
