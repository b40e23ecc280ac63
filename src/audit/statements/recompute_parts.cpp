// SPDX-License-Identifier: Apache-2.0
#include "audit/statements/recompute_parts.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "audit/statements/work_limits.hpp"
#include "base/error.hpp"
#include "fogline/version.hpp"
#include "privacy/composition.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/release.hpp"
#include "roads/read_network.hpp"
#include "roads/spacing.hpp"

namespace fogline::audit {

using privacy::Check;
using privacy::Outcome;

namespace {

bool is_seeded(const privacy::Statement& statement) {
  return statement.randomness == random::Source::seeded;
}

}  // namespace

Check attempt(const std::string& name, const std::function<Check()>& check) {
  try {
    return check();
  } catch (const NotAtHand& reason) {
    return {name, Outcome::not_checked, reason.why};
  } catch (const FileError& error) {
    return {name, Outcome::not_checked, error.what()};
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    return {name, Outcome::failed, error.what()};
  }
}

Check check_guarantee(const privacy::Statement& statement,
                      const std::function<privacy::Guarantee()>& promised) {
  try {
    const privacy::Guarantee anew = is_seeded(statement) ? privacy::seeded(promised()) : promised();
    if (anew == statement.guarantee) return {"guarantee", Outcome::passed, "it follows from the parameters"};
    return {"guarantee", Outcome::failed,
            fmt::format("the parameters give: {}; the statement claims: {}", to_string(anew),
                        to_string(statement.guarantee))};
  } catch (const Error& error) {  // a sum of epsilons out of range, an unspeakable unit
    return {"guarantee", Outcome::failed, fmt::format("the parameters give none: {}", error.what())};
  }
}

Check check_words(const privacy::Statement& statement, const std::vector<std::string>& promise,
                  const std::vector<std::string>& not_protected) {
  if (statement.version != version) {
    return {"words", Outcome::not_checked,
            fmt::format("version {} wrote them; this is {}", statement.version, version)};
  }
  const bool is_promise = statement.promise == (is_seeded(statement) ? privacy::seeded_promise() : promise);
  if (!is_promise || statement.not_protected != not_protected) {
    return {"words", Outcome::failed,
            fmt::format("the sentences under \"{}\" are not those of the mechanism for these parameters",
                        is_promise ? "not_protected" : "promise")};
  }
  return {"words", Outcome::passed, "every sentence is the mechanism's own for these parameters"};
}

std::string at_hand(const std::string& name, const std::string& sha256, const RecomputeOptions& options) {
  if (!options.read_files) throw NotAtHand{"no file was opened"};
  const std::string path = privacy::place_of(name, options.folder, options.files);
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) throw NotAtHand{fmt::format("{} is not there", path)};
  if (privacy::sha256_of_file(path) != sha256) throw NotAtHand{fmt::format("{} is another file", path)};
  return path;
}

ReleasedText released_text(const privacy::Statement& statement, const RecomputeOptions& options) {
  ReleasedText text;
  privacy::Sha256 whole;
  for (const privacy::ReleasedFile& output : statement.outputs) {
    text.paths.push_back(at_hand(output.name, output.sha256, options));
    text.records += output.records;
  }
  if (statement.outputs.size() == 1) {
    text.sha256 = statement.outputs.front().sha256;
    return text;
  }
  io::TextSource source = text.open(options.progress);
  std::vector<char> piece(1 << 16);
  for (std::size_t got = 0; (got = source.read(piece.data(), piece.size())) > 0;)
    whole.add({piece.data(), got});
  text.sha256 = whole.hex();
  return text;
}

io::TextSource ReleasedText::open(const Progress& progress) const {
  if (paths.size() == 1) return io::TextSource::from_file(paths.front(), progress);
  // One after the other, and never more than a piece of one in memory.
  struct Parts {
    std::vector<std::string> paths;
    std::size_t next = 0;
    std::optional<io::TextSource> source = {};
  };
  auto parts = std::make_shared<Parts>(Parts{.paths = paths});
  return io::TextSource::from_function(paths.front(), [parts, progress] {
    std::string piece(1 << 16, '\0');
    for (;;) {
      if (!parts->source && parts->next == parts->paths.size()) return std::string();
      if (!parts->source) parts->source = io::TextSource::from_file(parts->paths[parts->next++], progress);
      if (const std::size_t got = parts->source->read(piece.data(), piece.size()); got > 0) {
        piece.resize(got);
        return piece;
      }
      parts->source.reset();
    }
  });
}

roads::RoadNetwork network_at_hand(const roads::PublicNetwork& network, const RecomputeOptions& options) {
  if (!options.read_files || !options.read_map) throw NotAtHand{"the map was not read"};
  const auto& inputs = network.inputs;
  if (inputs.front().sha256.empty()) {
    require_limited(options, roads::specified_vertices(inputs.front().specification),
                    WorkLimits::map_vertices, "vertices");
    roads::RoadNetwork made = roads::make_network(inputs.front().specification);
    const graph::LengthMm spacing_mm = network.reading.spacing_mm;
    if (spacing_mm == 0) return made;
    require_limited(options, roads::spaced_vertex_count(made, spacing_mm), WorkLimits::map_vertices,
                    "vertices");
    return roads::spaced(std::move(made), spacing_mm);
  }
  std::vector<std::string> paths;
  for (const auto& input : inputs)  // a relative name could look like a specification
    paths.push_back(std::filesystem::absolute(at_hand(input.name, input.sha256, options)).string());
  roads::ReadOptions reading = network.reading;
  reading.progress = options.progress;
  if (paths.size() > 1) reading.coordinates = reading.edges = paths[1];
  try {
    return roads::read_network(paths.front(), reading);
  } catch (const InvalidOption&) {
    throw NotAtHand{
        fmt::format("{} must keep the ending of {} to be read", paths.front(), inputs.front().name)};
  }
}

void require_limited(const RecomputeOptions& options, std::uint64_t size, std::uint64_t most,
                     std::string_view of) {
  if (!options.limited || size <= most) return;
  throw NotAtHand{fmt::format("{} {} are more than the {} that are checked unasked; `no-limit` checks them",
                              size, of, most)};
}

namespace {

using Json = nlohmann::ordered_json;

/// A number or a short text as it is; what is longer is counted.
std::string shown(const Json& value) {
  constexpr std::size_t longest = 60;
  if (value.is_array()) return fmt::format("a list of length {}", value.size());
  if (value.is_object()) return fmt::format("an object of size {}", value.size());
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= longest ? text : fmt::format("a text of {} characters", text.size());
}

void collect_differences(const std::string& where, const Json& anew, const Json& said,
                         const std::function<bool(const Json&, const Json&)>& same,
                         std::vector<std::string>& found) {
  if (anew.is_object() && said.is_object()) {
    for (const auto& item : anew.items()) {
      const std::string inner = where + "." + item.key();
      if (said.contains(item.key())) {
        collect_differences(inner, item.value(), said[item.key()], same, found);
      } else {
        found.push_back(
            fmt::format("{} is {}, and the statement does not say it", inner, shown(item.value())));
      }
    }
    for (const auto& item : said.items())
      if (!anew.contains(item.key()))
        found.push_back(fmt::format("the statement says {} of {}.{}, which there is not", shown(item.value()),
                                    where, shown(item.key())));
    return;
  }
  if (anew.is_array() && said.is_array() && anew.size() == said.size()) {
    for (std::size_t i = 0; i < anew.size(); ++i)
      collect_differences(fmt::format("{}[{}]", where, i), anew[i], said[i], same, found);
    return;
  }
  if (!same(anew, said))
    found.push_back(fmt::format("{} is {}, and the statement says {}", where, shown(anew), shown(said)));
}

}  // namespace

std::string difference_in_words(const std::string& name, const Json& anew, const Json& said,
                                const std::function<bool(const Json&, const Json&)>& same) {
  std::vector<std::string> found;
  collect_differences(name, anew, said, same, found);
  if (found.empty()) return "";
  if (found.size() == 1) return found.front();
  return fmt::format("{}; {} more differ{}", found.front(), found.size() - 1, found.size() == 2 ? "s" : "");
}

bool near(double a, double b, double relative) {
  return std::abs(a - b) <= relative * std::max(std::abs(a), std::abs(b));
}

std::vector<privacy::Check> with_parameters(const std::function<std::vector<privacy::Check>()>& run) {
  using privacy::Outcome;
  try {
    std::vector<privacy::Check> checks = run();
    checks.insert(checks.begin(),
                  {"parameters", Outcome::passed, "all are known, in range, and fit each other"});
    return checks;
  } catch (const InvalidOption& error) {
    return {{"parameters", Outcome::failed, error.what()},
            {"guarantee", Outcome::not_checked, "it cannot be computed from these parameters"}};
  }
}

}  // namespace fogline::audit
