// SPDX-License-Identifier: Apache-2.0
#include "io/json_columns.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/limits.hpp"

namespace fogline::io {

using nlohmann::json;

/// Takes the parser's events. Every value belongs to the field whose path was built from the keys above it.
class JsonColumnFiller {
 public:
  JsonColumnFiller(JsonColumns& into, std::string_view text) : into_(into), text_(text) {}

  bool null() { return refuse("is null"); }
  bool boolean(bool) { return refuse("is true or false"); }
  bool number_integer(json::number_integer_t value) { return add(static_cast<double>(value)); }
  bool number_unsigned(json::number_unsigned_t value) { return add(static_cast<double>(value)); }
  bool number_float(json::number_float_t value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(value); }
  bool binary(json::binary_t&) { return refuse("is binary"); }

  bool start_object(std::size_t) {
    if (in_array_) return refuse("holds an object in an array");
    if (started_) make(Kind::object);
    if (parents_.size() == limits_.depth) refuse_over(&ReadLimits::depth, limits_.depth, {into_.file_});
    started_ = true;
    parents_.push_back(path_.size());
    return true;
  }
  bool key(std::string& name) {
    path_.resize(parents_.back());
    if (!path_.empty()) path_ += '.';
    path_ += name;
    // Every field keeps the names above its own, so that names without bound, or nested without bound, would take the
    // square of the text's length.
    require_within(format_limit::model_path, path_.size(), {into_.file_});
    return true;
  }
  bool end_object() {
    path_.resize(parents_.back());
    parents_.pop_back();
    return true;
  }
  bool start_array(std::size_t) {
    if (!started_) return refuse("");
    if (in_array_) return refuse("holds an array in an array");
    if (parents_.size() == limits_.depth) refuse_over(&ReadLimits::depth, limits_.depth, {into_.file_});
    array_ = &make(Kind::empty_array);
    counter_ = RecordCounter(limits_);
    in_array_ = true;
    return true;
  }
  bool end_array() {
    in_array_ = false;
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const json::exception& error) {
    if (dynamic_cast<const json::out_of_range*>(&error) != nullptr)
      return refuse("holds a number beyond the range of a double");
    const auto before = text_.substr(0, byte == 0 ? 0 : std::min(byte - 1, text_.size()));
    const auto line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    const std::size_t newline = before.rfind('\n');
    const std::size_t column = before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
    throw DataError({into_.file_, line}, fmt::format("is not valid JSON at column {}", column),
                    "check that the file is complete");
  }

 private:
  using Kind = JsonColumns::Kind;

  /// Never returns; of a type that the parser's events can pass on.
  bool refuse(std::string_view problem) const {
    if (!started_) throw DataError({into_.file_}, "is not a JSON object");
    into_.fail(path_, problem);
  }
  JsonColumns::Field& make(Kind kind) {
    if (!started_) refuse("");
    const auto [field, is_new] = into_.fields_.try_emplace(path_);
    if (!is_new) refuse("is given twice");
    field->second.kind = kind;
    return field->second;
  }
  bool add(double value) {
    (in_array_ ? element(Kind::numbers) : make(Kind::number)).numbers.push_back(value);
    return true;
  }
  bool add(std::string& value) {
    (in_array_ ? element(Kind::texts) : make(Kind::text)).texts.push_back(std::move(value));
    return true;
  }
  JsonColumns::Field& element(Kind kind) {
    counter_.add([&] { return FileSpot{into_.file_}; });
    if (++elements_ % elements_between_looks == 0) time_.require_left(into_.file_);
    if (array_->kind == Kind::empty_array) array_->kind = kind;
    if (array_->kind != kind) refuse("mixes numbers and texts");
    return *array_;
  }

  static constexpr std::uint64_t elements_between_looks = 4096;

  JsonColumns& into_;
  std::string_view text_;
  const ReadLimits& limits_ = current_limits();
  RecordCounter counter_;
  ReadingTime time_{limits_};
  std::uint64_t elements_ = 0;
  std::string path_;
  std::vector<std::size_t> parents_;  // lengths of the paths of the objects we are in
  JsonColumns::Field* array_ = nullptr;
  bool in_array_ = false;
  bool started_ = false;
};

JsonColumns::JsonColumns(std::string_view text, std::string file) : file_(std::move(file)) {
  JsonColumnFiller filler(*this, text);
  json::sax_parse(text.begin(), text.end(), &filler);
}

void JsonColumns::fail(std::string_view field, std::string_view problem, std::string_view what_to_try) const {
  throw DataError({file_}, fmt::format("field \"{}\" {}", field, problem), what_to_try);
}

JsonColumns::Field& JsonColumns::use(std::string_view field) {
  const auto found = fields_.find(field);
  if (found == fields_.end()) fail(field, "is missing");
  found->second.used = true;
  return found->second;
}

bool JsonColumns::is_text(std::string_view field) const {
  const auto found = fields_.find(field);
  return found != fields_.end() && found->second.kind == Kind::text;
}

double JsonColumns::number(std::string_view field) {
  const Field& value = use(field);
  if (value.kind != Kind::number) fail(field, "is not a number");
  return value.numbers.front();
}

double JsonColumns::whole_number(std::string_view field, double most) {
  const double value = number(field);
  if (!(value >= 0 && value <= most) || value != std::floor(value))
    fail(field, fmt::format("is not a whole number from 0 to {}", most));
  return value;
}

std::string JsonColumns::text(std::string_view field) {
  const Field& value = use(field);
  if (value.kind != Kind::text) fail(field, "is not a text");
  return value.texts.front();
}

std::vector<double> JsonColumns::take_numbers(std::string_view field) {
  Field& value = use(field);
  if (value.kind != Kind::numbers && value.kind != Kind::empty_array) fail(field, "is not a list of numbers");
  return std::move(value.numbers);
}

std::vector<std::string> JsonColumns::take_texts(std::string_view field) {
  Field& value = use(field);
  if (value.kind != Kind::texts && value.kind != Kind::empty_array) fail(field, "is not a list of texts");
  return std::move(value.texts);
}

void JsonColumns::require_all_used() const {
  for (const auto& [name, field] : fields_)
    if (!field.used && field.kind != Kind::object) fail(name, "is not known here", "check its spelling");
}

}  // namespace fogline::io
