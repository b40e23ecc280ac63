// SPDX-License-Identifier: Apache-2.0
#include "arrow.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fogline/error.hpp>

#include "arrow_structs.hpp"

namespace fogline::python {
namespace {

static_assert(std::endian::native == std::endian::little, "views of texts are read as they lie");

/// Everything that columns of the set point into.
struct Held {
  Owned<ArrowSchema> schema;
  std::vector<Owned<ArrowArray>> batches;
  std::deque<std::vector<double>> numbers;
  std::deque<std::vector<std::int64_t>> integers;
  std::deque<std::vector<std::string_view>> texts;
  std::deque<std::string> written;
};

/// A part of an array: `begin` counts from the start of its buffers.
struct Slice {
  const ArrowArray* array;
  std::int64_t begin, length;

  bool is_null(std::int64_t i) const {
    const auto* bits = static_cast<const std::uint8_t*>(array->n_buffers > 0 ? array->buffers[0] : nullptr);
    return bits != nullptr && array->null_count != 0 &&
           ((bits[(begin + i) / 8] >> ((begin + i) % 8)) & 1) == 0;
  }
  bool has_nulls() const {
    if (array->null_count == 0 || array->n_buffers == 0 || array->buffers[0] == nullptr) return false;
    for (std::int64_t i = 0; i < length; ++i)
      if (is_null(i)) return true;
    return false;
  }
  template <class Type>
  const Type* values(int buffer = 1) const {
    return static_cast<const Type*>(array->buffers[buffer]) + begin;
  }
};

[[noreturn]] void refuse(const ArrowSchema& column, std::string_view wrong) {
  throw InvalidOption(
      "input",
      "column \"" + std::string(column.name == nullptr ? "" : column.name) + "\" " + std::string(wrong),
      "columns of numbers, texts and moments");
}

[[noreturn]] void refuse_format(const ArrowSchema& column) {
  refuse(column, "is of an Arrow type that is not read (" + std::string(column.format) +
                     "); leave it out, or cast it");
}

/// A column while it is read: what was found so far, in the narrowest form that holds it.
class Reading {
 public:
  Reading(const ArrowSchema& column, Held& held) : column_(column), held_(held) {}
  ColumnSet::Values values(const std::vector<Slice>& slices);

 private:
  using Values = ColumnSet::Values;
  static std::int64_t length_of(const std::vector<Slice>& slices);
  static bool any_null(const std::vector<Slice>& slices);

  template <class Type>
  Values floats(const std::vector<Slice>& slices);
  template <class Type>
  Values integers(const std::vector<Slice>& slices);
  template <class Type, class Convert>
  Values whole(const std::vector<Slice>& slices, const Convert& convert);
  template <class Text>
  Values texts(const std::vector<Slice>& slices, const Text& text);
  template <class Offset>
  Values offset_texts(const std::vector<Slice>& slices);
  Values view_texts(const std::vector<Slice>& slices);
  Values dictionary(const std::vector<Slice>& slices);
  Values moments(const std::vector<Slice>& slices);
  std::string_view digits(std::int64_t value) { return held_.written.emplace_back(std::to_string(value)); }
  std::string_view digits(std::uint64_t value) { return held_.written.emplace_back(std::to_string(value)); }

  const ArrowSchema& column_;
  Held& held_;
};

std::int64_t Reading::length_of(const std::vector<Slice>& slices) {
  std::int64_t length = 0;
  for (const Slice& slice : slices) length += slice.length;
  return length;
}

bool Reading::any_null(const std::vector<Slice>& slices) {
  for (const Slice& slice : slices)
    if (slice.has_nulls()) return true;
  return false;
}

template <class Type>
Reading::Values Reading::floats(const std::vector<Slice>& slices) {
  if constexpr (std::is_same_v<Type, double>)
    if (slices.size() == 1 && !any_null(slices))
      return ColumnSet::Numbers(slices[0].values<double>(), static_cast<std::size_t>(slices[0].length));
  auto& copy = held_.numbers.emplace_back();
  copy.reserve(static_cast<std::size_t>(length_of(slices)));
  for (const Slice& slice : slices)
    for (std::int64_t i = 0; i < slice.length; ++i)
      copy.push_back(slice.is_null(i) ? std::numeric_limits<double>::quiet_NaN()
                                      : static_cast<double>(slice.values<Type>()[i]));
  return ColumnSet::Numbers(copy);
}

/// Whole numbers that the conversion makes of the column's; with nulls, or beyond 64 bits with a sign, their digits.
template <class Type, class Convert>
Reading::Values Reading::whole(const std::vector<Slice>& slices, const Convert& convert) {
  bool fits = !any_null(slices);
  if constexpr (std::is_same_v<Type, std::uint64_t>)
    for (const Slice& slice : slices)
      for (std::int64_t i = 0; i < slice.length; ++i)
        fits = fits && slice.values<Type>()[i] <= std::uint64_t{std::numeric_limits<std::int64_t>::max()};
  if (!fits)
    return texts(
        slices, [&](const Slice& slice, std::int64_t i) { return digits(convert(slice.values<Type>()[i])); });
  auto& copy = held_.integers.emplace_back();
  copy.reserve(static_cast<std::size_t>(length_of(slices)));
  for (const Slice& slice : slices)
    for (std::int64_t i = 0; i < slice.length; ++i)
      copy.push_back(static_cast<std::int64_t>(convert(slice.values<Type>()[i])));
  return ColumnSet::Integers(copy);
}

template <class Type>
Reading::Values Reading::integers(const std::vector<Slice>& slices) {
  if constexpr (std::is_same_v<Type, std::int64_t>)
    if (slices.size() == 1 && !any_null(slices))
      return ColumnSet::Integers(slices[0].values<std::int64_t>(),
                                 static_cast<std::size_t>(slices[0].length));
  using Wide = std::conditional_t<std::is_signed_v<Type>, std::int64_t, std::uint64_t>;
  return whole<Type>(slices, [](Type value) { return static_cast<Wide>(value); });
}

template <class Text>
Reading::Values Reading::texts(const std::vector<Slice>& slices, const Text& text) {
  auto& views = held_.texts.emplace_back();
  views.reserve(static_cast<std::size_t>(length_of(slices)));
  for (const Slice& slice : slices)
    for (std::int64_t i = 0; i < slice.length; ++i)
      views.push_back(slice.is_null(i) ? std::string_view() : std::string_view(text(slice, i)));
  return ColumnSet::Texts(views);
}

template <class Offset>
Reading::Values Reading::offset_texts(const std::vector<Slice>& slices) {
  return texts(slices, [&](const Slice& slice, std::int64_t i) {
    const Offset* ends = slice.values<Offset>();
    if (ends[i] < 0 || ends[i + 1] < ends[i]) refuse(column_, "has texts that lie nowhere");
    return std::string_view(static_cast<const char*>(slice.array->buffers[2]) + ends[i],
                            static_cast<std::size_t>(ends[i + 1] - ends[i]));
  });
}

/// 16 bytes each: the length, then up to 12 letters; or 4 of them, and the number of a buffer and a place in it.
Reading::Values Reading::view_texts(const std::vector<Slice>& slices) {
  constexpr std::int32_t most_inline = 12;
  return texts(slices, [&](const Slice& slice, std::int64_t i) {
    const char* view = static_cast<const char*>(slice.array->buffers[1]) + 16 * (slice.begin + i);
    std::int32_t length = 0, buffer = 0, place = 0;
    std::memcpy(&length, view, 4);
    if (length < 0) refuse(column_, "has texts that lie nowhere");
    if (length <= most_inline) return std::string_view(view + 4, static_cast<std::size_t>(length));
    std::memcpy(&buffer, view + 8, 4);
    std::memcpy(&place, view + 12, 4);
    // After the views come the buffers of letters, and last the sizes of these.
    const std::int64_t buffers = slice.array->n_buffers - 3;
    if (buffer < 0 || buffer >= buffers || place < 0) refuse(column_, "has texts that lie nowhere");
    const auto* sizes = static_cast<const std::int64_t*>(slice.array->buffers[slice.array->n_buffers - 1]);
    if (std::int64_t{place} + length > sizes[buffer]) refuse(column_, "has texts that lie nowhere");
    return std::string_view(static_cast<const char*>(slice.array->buffers[2 + buffer]) + place,
                            static_cast<std::size_t>(length));
  });
}

std::optional<std::int64_t> index_at(std::string_view format, const Slice& slice, std::int64_t i) {
  switch (format[0]) {
    case 'c':
      return slice.values<std::int8_t>()[i];
    case 'C':
      return slice.values<std::uint8_t>()[i];
    case 's':
      return slice.values<std::int16_t>()[i];
    case 'S':
      return slice.values<std::uint16_t>()[i];
    case 'i':
      return slice.values<std::int32_t>()[i];
    case 'I':
      return slice.values<std::uint32_t>()[i];
    case 'l':
      return slice.values<std::int64_t>()[i];
    default:
      return std::nullopt;
  }
}

/// Of texts. Each piece may bring a dictionary of its own.
Reading::Values Reading::dictionary(const std::vector<Slice>& slices) {
  auto& views = held_.texts.emplace_back();
  for (const Slice& slice : slices) {
    const ArrowArray* words = slice.array->dictionary;
    if (words == nullptr) refuse(column_, "has no dictionary");
    Reading inner(*column_.dictionary, held_);
    const Values values = inner.values({{words, words->offset, words->length}});
    const auto* known = std::get_if<ColumnSet::Texts>(&values);
    if (known == nullptr) refuse(column_, "is a dictionary of what are no texts; cast it");
    for (std::int64_t i = 0; i < slice.length; ++i) {
      if (slice.is_null(i)) {
        views.emplace_back();
        continue;
      }
      const auto index = index_at(column_.format, slice, i);
      if (!index) refuse_format(column_);
      if (*index < 0 || *index >= words->length)
        refuse(column_, "names words that its dictionary does not have");
      views.push_back((*known)[static_cast<std::size_t>(*index)]);
    }
  }
  return ColumnSet::Texts(views);
}

std::int64_t divided(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

/// As whole unix seconds.
Reading::Values Reading::moments(const std::vector<Slice>& slices) {
  constexpr std::int64_t day_s = 86'400;
  const std::string_view format = column_.format;
  if (format == "tdD") return whole<std::int32_t>(slices, [](std::int32_t days) { return days * day_s; });
  std::int64_t units = 1;
  if (format.starts_with("tsm") || format == "tdm")
    units = 1'000;
  else if (format.starts_with("tsu"))
    units = 1'000'000;
  else if (format.starts_with("tsn"))
    units = 1'000'000'000;
  else if (!format.starts_with("tss"))
    refuse_format(column_);
  return whole<std::int64_t>(slices, [units](std::int64_t value) { return divided(value, units); });
}

ColumnSet::Values Reading::values(const std::vector<Slice>& slices) {
  const std::string_view format = column_.format;
  if (column_.dictionary != nullptr) return dictionary(slices);
  if (format == "g") return floats<double>(slices);
  if (format == "f") return floats<float>(slices);
  if (format == "l") return integers<std::int64_t>(slices);
  if (format == "i") return integers<std::int32_t>(slices);
  if (format == "s") return integers<std::int16_t>(slices);
  if (format == "c") return integers<std::int8_t>(slices);
  if (format == "L") return integers<std::uint64_t>(slices);
  if (format == "I") return integers<std::uint32_t>(slices);
  if (format == "S") return integers<std::uint16_t>(slices);
  if (format == "C") return integers<std::uint8_t>(slices);
  if (format == "u") return offset_texts<std::int32_t>(slices);
  if (format == "U") return offset_texts<std::int64_t>(slices);
  if (format == "vu") return view_texts(slices);
  if (format == "n") return texts(slices, [](const Slice&, std::int64_t) { return ""; });
  if (format == "b")
    return texts(slices, [](const Slice& slice, std::int64_t i) {
      const std::int64_t at = slice.begin + i;
      return ((static_cast<const std::uint8_t*>(slice.array->buffers[1])[at / 8] >> (at % 8)) & 1) != 0
                 ? "true"
                 : "false";
    });
  if (format.starts_with("t")) return moments(slices);
  refuse_format(column_);
}

void read_all(ArrowArrayStream& stream, Held& held) {
  // Why is not told: readers of files quote the value that they stumble over.
  const auto require = [](int status) {
    if (status != 0) throw InvalidOption("input", "cannot be read: its Arrow stream ends with an error");
  };
  require(stream.get_schema(&stream, held.schema.get()));
  if (std::string_view((*held.schema).format) != "+s")
    throw InvalidOption("input", "is one Arrow array; a table of named columns is needed");
  for (;;) {
    Owned<ArrowArray> batch;
    require(stream.get_next(&stream, batch.get()));
    if (!batch.is_filled()) return;
    if ((*batch).length > 0) held.batches.push_back(std::move(batch));
  }
}

std::vector<Slice> slices_of(const Held& held, std::int64_t column) {
  std::vector<Slice> slices;
  for (const auto& batch : held.batches) {
    const ArrowArray& rows = *batch;
    if (Slice{&rows, rows.offset, rows.length}.has_nulls())
      throw InvalidOption("input", "has Arrow rows that are null as a whole; leave them out");
    // A producer that breaks its own promise must not have us read beyond its memory.
    const ArrowArray* child = rows.n_children == (*held.schema).n_children ? rows.children[column] : nullptr;
    if (child == nullptr || rows.offset < 0 || child->offset < 0 || child->length < rows.offset + rows.length)
      throw InvalidOption("input", "has an Arrow column of another length than its rows");
    slices.push_back({child, child->offset + rows.offset, rows.length});
  }
  return slices;
}

}  // namespace

ArrowColumns read_arrow_stream(PyObject* capsule) {
  auto* stream = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
  if (stream == nullptr) throw nanobind::python_error();
  if (stream->release == nullptr)
    throw InvalidOption("input", "is an Arrow stream that was read before", "one that was not");
  // Moved out, as the protocol has it: whoever has the capsule sees that it is used up.
  Owned<ArrowArrayStream> owned(*stream);
  stream->release = nullptr;
  const nanobind::gil_scoped_release unlocked;
  const auto held = std::make_shared<Held>();
  read_all(*owned.get(), *held);
  ArrowColumns read{.held = held, .columns = {}};
  for (std::int64_t i = 0; i < (*held->schema).n_children; ++i) {
    const ArrowSchema& column = *(*held->schema).children[i];
    read.columns.push_back({.name = column.name == nullptr ? "" : column.name,
                            .values = Reading(column, *held).values(slices_of(*held, i))});
  }
  return read;
}

}  // namespace fogline::python
