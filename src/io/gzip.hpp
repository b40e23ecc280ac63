// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace fogline::io {

/// The text packed as a .gz file, with no time and no name in it, so that equal texts give equal files. TextSource reads it. Limit: 4 GiB.
std::string gzip(std::string_view text);

/// The same for a text that comes in pieces, of any size: what is handed out, joined, is one packed file.
///
///     GzipPacker packer;
///     out.write(packer.add(piece));
///     out.write(packer.finish());
class GzipPacker {
 public:
  GzipPacker();
  ~GzipPacker();
  GzipPacker(GzipPacker&&) noexcept;
  GzipPacker& operator=(GzipPacker&&) noexcept;

  std::string add(std::string_view piece);  ///< what is ready so far; may be empty
  std::string finish();                     ///< the rest; once, at the end

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Is this one packed text and nothing else: a single member, without a name, a comment or a time in its header, and no byte after it?
bool is_bare_gzip(std::string_view packed);

}  // namespace fogline::io
