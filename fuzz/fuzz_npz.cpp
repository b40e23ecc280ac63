// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <map>
#include <span>
#include <vector>

#include "fuzz_reader.hpp"
#include "io/npz.hpp"

namespace {

using namespace fogline;

/// What an archive holds: every array, as numbers or as text.
struct Content {
  std::map<std::string, std::vector<double>> numbers;
  std::map<std::string, std::vector<std::uint64_t>> shapes;
  std::map<std::string, std::string> texts;
};

Content content_of(const io::NpzFile& file) {
  Content content;
  for (const std::string& name : file.names()) {
    fuzz::require(file.has(name) && !name.empty() && name.find('/') == std::string::npos);
    const io::NpzFile::Array array = file.array(name);
    if (array.type.starts_with("|S")) {
      content.texts[name] = file.text(name);
      continue;
    }
    content.numbers[name] = file.numbers(name);
    content.shapes[name] = array.shape;
    fuzz::require(content.numbers[name].size() == array.count());
  }
  return content;
}

/// Bit by bit: one NaN is not like another.
bool is_same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0);
}

/// Writes it all under plain names, and reads it again.
void require_written_alike(const Content& content) {
  io::NpzWriter writer;
  std::size_t number = 0;
  for (const auto& [name, numbers] : content.numbers)
    writer.add("n" + std::to_string(number++), content.shapes.at(name), std::span<const double>(numbers));
  for (const auto& [name, text] : content.texts) writer.add_text("t" + std::to_string(number++), text);
  auto source = io::TextSource::from_memory("again.npz", writer.bytes());
  const io::NpzFile again(source);
  number = 0;
  for (const auto& [name, numbers] : content.numbers) {
    const std::string as = "n" + std::to_string(number++);
    fuzz::require(is_same(again.numbers(as), numbers) && again.shape(as) == content.shapes.at(name));
  }
  for (const auto& [name, text] : content.texts)
    fuzz::require(again.text("t" + std::to_string(number++)) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::run(data, size, "fuzz.npz", fuzz::Form::held, [](io::TextSource& source) {
    const io::NpzFile file(source);
    const Content content = content_of(file);
    fuzz::require_accepted([&] { require_written_alike(content); });
    std::size_t records = file.names().size();
    for (const auto& entry : content.numbers) records = std::max(records, entry.second.size());
    return records;
  });
}
