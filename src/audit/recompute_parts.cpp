// SPDX-License-Identifier: Apache-2.0
#include "audit/recompute_parts.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/version.hpp"
#include "privacy/composition.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/release.hpp"
#include "roads/read_network.hpp"

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

roads::RoadNetwork network_at_hand(const roads::PublicNetwork& network, const RecomputeOptions& options) {
  if (!options.read_files || !options.read_map) throw NotAtHand{"the map was not read"};
  const auto& inputs = network.inputs;
  if (inputs.front().sha256.empty()) return roads::make_network(inputs.front().specification);
  std::vector<std::string> paths;
  for (const auto& input : inputs)  // a relative name could look like a specification
    paths.push_back(std::filesystem::absolute(at_hand(input.name, input.sha256, options)).string());
  roads::ReadOptions reading = network.reading;
  if (paths.size() > 1) reading.coordinates = reading.edges = paths[1];
  try {
    return roads::read_network(paths.front(), reading);
  } catch (const InvalidOption&) {
    throw NotAtHand{
        fmt::format("{} must keep the ending of {} to be read", paths.front(), inputs.front().name)};
  }
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
