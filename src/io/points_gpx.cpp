// SPDX-License-Identifier: Apache-2.0
#include "io/points_gpx.hpp"

#include <algorithm>
#include <exception>
#include <memory>

#include <expat.h>
#include <fmt/format.h>

#include "io/numbers.hpp"
#include "io/point_builder.hpp"

namespace fogline::io {
namespace {

constexpr std::size_t longest_time = 64;

std::string_view local_name(const char* name) {
  const std::string_view whole(name);
  return whole.substr(whole.find(':') + 1);
}

class GpxReader {
 public:
  GpxReader(TextSource& source, const PointReadOptions& options)
      : source_(source),
        builder_(source.name(), {.duplicates = options.duplicates, .outside = options.outside}),
        parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), &on_start, &on_end);
    XML_SetCharacterDataHandler(parser_.get(), &on_text);
    XML_SetStartDoctypeDeclHandler(parser_.get(), &on_doctype);
  }

  PointTable read() {
    char block[1 << 16];
    std::uint64_t fed = 0;
    for (bool last = false; !last;) {
      const std::size_t got = source_.read(block, sizeof block);
      last = got == 0;
      const auto status = XML_Parse(parser_.get(), block, static_cast<int>(got), last ? 1 : 0);
      if (failure_) std::rethrow_exception(failure_);
      // What is not whole yet is kept by the parser, and would grow without bound.
      fed += got;
      const auto parsed =
          static_cast<std::uint64_t>(std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser_.get())));
      if (status == XML_STATUS_OK) require_short(fed - std::min(fed, parsed));
      if (status != XML_STATUS_OK) fail(std::string("is not well-formed XML (") + reason() + ")");
    }
    if (!seen_gpx_) throw DataError({source_.name()}, "has no gpx element", "check that this is a GPX file");
    return std::move(builder_).finish();
  }

 private:
  // Expat is C: an exception must not pass through it, so it waits here until XML_Parse has returned.
  template <class Body>
  static void guarded(void* self, Body body) {
    auto& reader = *static_cast<GpxReader*>(self);
    if (reader.failure_) return;
    try {
      body(reader);
    } catch (...) {
      reader.failure_ = std::current_exception();
      XML_StopParser(reader.parser_.get(), XML_FALSE);
    }
  }
  static void XMLCALL on_start(void* self, const XML_Char* name, const XML_Char** attributes) {
    guarded(self, [&](GpxReader& reader) { reader.start(local_name(name), attributes); });
  }
  static void XMLCALL on_end(void* self, const XML_Char* name) {
    guarded(self, [&](GpxReader& reader) { reader.end(local_name(name)); });
  }
  static void XMLCALL on_text(void* self, const XML_Char* text, int length) {
    guarded(self, [&](GpxReader& reader) { reader.add_text({text, static_cast<std::size_t>(length)}); });
  }
  static void XMLCALL on_doctype(void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    guarded(self, [](GpxReader& reader) { reader.fail("has a DOCTYPE, which GPX does not use"); });
  }

  std::uint64_t line() const { return XML_GetCurrentLineNumber(parser_.get()); }
  const char* reason() const { return XML_ErrorString(XML_GetErrorCode(parser_.get())); }

  [[noreturn]] void fail(const std::string& problem) const {
    throw DataError({source_.name(), line()}, problem, "check that the file is complete");
  }

  void require_short(std::uint64_t tag) const {
    const std::uint64_t longest = source_.limits().line;
    if (tag > longest) refuse_over(&ReadLimits::line, longest, {source_.name(), line()});
  }

  void start(std::string_view name, const XML_Char** attributes) {
    require_short(static_cast<std::uint64_t>(std::max(0, XML_GetCurrentByteCount(parser_.get()))));
    if (++depth_ > source_.limits().depth)
      refuse_over(&ReadLimits::depth, source_.limits().depth, {source_.name(), line()});
    if (name == "gpx") {
      seen_gpx_ = true;
    } else if (name == "trk") {
      ++tracks_;
      segments_ = 0;
    } else if (name == "trkseg") {
      ++segments_;
    } else if (name == "rte") {
      ++routes_;
    } else if (name == "trkpt" || name == "rtept" || name == "wpt") {
      start_point(name, attributes);
    } else if (name == "time" && point_depth_ != 0 && depth_ == point_depth_ + 1) {
      in_time_ = true;
      text_.clear();
    }
  }

  void start_point(std::string_view name, const XML_Char** attributes) {
    if (point_depth_ != 0) fail("a point lies inside another point");
    point_depth_ = depth_;
    point_ = {};
    point_.lon = coordinate(attributes, "lon");
    point_.lat = coordinate(attributes, "lat");
    point_.line = line();
    if (name == "trkpt") trip_ = fmt::format("track-{}.{}", tracks_, segments_);
    if (name == "rtept") trip_ = fmt::format("route-{}", routes_);
    if (name != "wpt") point_.traj = trip_;
  }

  double coordinate(const XML_Char** attributes, std::string_view wanted) const {
    for (; *attributes != nullptr; attributes += 2) {
      if (wanted != attributes[0]) continue;
      const auto number = parse_double(trim(attributes[1]));
      if (!number) fail(fmt::format("attribute {} is not a finite number", wanted));
      return *number;
    }
    fail(fmt::format("a point has no attribute {}", wanted));
  }

  void end(std::string_view name) {
    if (in_time_ && name == "time") {
      point_.t = builder_.time(trim(text_), line());
      in_time_ = false;
    } else if (point_depth_ == depth_) {
      builder_.add(point_);
      point_depth_ = 0;
    }
    --depth_;
  }

  void add_text(std::string_view text) {
    if (!in_time_) return;
    if (text_.size() + text.size() > longest_time) fail("a time is too long to be one");
    text_ += text;
  }

  TextSource& source_;
  PointBuilder builder_;
  std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_;
  std::exception_ptr failure_;
  PointRecord point_;
  std::string trip_;
  std::string text_;
  std::uint64_t tracks_ = 0;
  std::uint64_t segments_ = 0;
  std::uint64_t routes_ = 0;
  std::uint64_t depth_ = 0;
  std::uint64_t point_depth_ = 0;  // 0 outside a point
  bool in_time_ = false;
  bool seen_gpx_ = false;
};

}  // namespace

PointTable read_points_gpx(TextSource& source, const PointReadOptions& options) {
  return GpxReader(source, options).read();
}

}  // namespace fogline::io
