// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "place/catalogue.hpp"
#include "place/positions.hpp"
#include "place/prepared.hpp"
#include "place/prior_file.hpp"
#include "place/range_file.hpp"
#include "place/terms.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/release.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/test_ledger.hpp"
#include "roads/read_network.hpp"

namespace fogline::audit {

/// A folder with a real release by a place mechanism in it: network, range, prior, output, statement and ledger.
struct TestRelease {
  privacy::TestFolder folder;
  place::PlaceTerms terms{.epsilon = {1, 50}};
  std::optional<privacy::Statement> made = {};

  privacy::Statement& statement() { return *made; }  ///< after make()
  std::string statement_file() const { return folder.path("safe.csv.statement.json"); }
  std::string ledger() const { return folder.path("project.ledger"); }

  privacy::PublicInput write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path(name)) << text;
    return {name, privacy::sha256_of_text(text), ""};
  }

  void use_line() { terms.network.inputs = {{"network", "", "line:5:400"}}; }

  /// a --- b --- c, of 100 m each.
  void use_files() {
    terms.network.inputs = {write("nodes.csv", "id,lon,lat\na,0,0\nb,0.001,0\nc,0.002,0\n"),
                            write("edges.csv", "source,target,length_m\na,b,100\nb,c,100\n")};
  }

  roads::RoadNetwork map() const {
    const auto& first = terms.network.inputs.front();
    return roads::read_network(first.sha256.empty() ? first.specification : folder.path(first.name),
                               terms.network.reading);
  }

  /// Of the files that the terms name.
  place::MechanismChoice choice(const roads::RoadNetwork& network) const {
    place::MechanismChoice choice{.name = terms.mechanism,
                                  .epsilon = terms.epsilon,
                                  .unit = terms.unit_of_report(),
                                  .remap = terms.remap};
    if (terms.range) choice.range = place::read_range(folder.path(terms.range->name), network);
    if (terms.prior) choice.prior = place::read_prior(folder.path(terms.prior->name), network);
    if (terms.given_table) choice.table = folder.path(terms.given_table->name);
    return choice;
  }

  /// A kernel of what `held` says, which tells of itself what the terms say; the terms then name it.
  void prepare(const place::MechanismChoice& held) {
    place::write_prepared(folder.path("city.kernel"), *place::prepare_place(map(), held, {}), terms,
                          {.overwrite = true});
    terms.kernel = {"city.kernel", privacy::sha256_of_file(folder.path("city.kernel")), ""};
  }

  /// What place release does, with the output's lines made up: each allowed vertex once; for points, each vertex's own position.
  void make(std::optional<std::uint64_t> seed = std::nullopt) {
    const roads::RoadNetwork network = map();
    const place::MechanismChoice named = choice(network);
    const auto mechanism = place::make_place_mechanism(network, named);
    terms.take(*mechanism);
    const auto* on_vertices = mechanism->on_vertices();
    const std::size_t records = on_vertices != nullptr ? on_vertices->range().size() : network.vertex_count();
    const std::string text = on_vertices != nullptr ? output(network, on_vertices->range())
                                                    : place::released_csv(records_to_copy(records),
                                                                          network.position, kept_columns());
    const privacy::ReleasePlan plan{.draft = terms.draft(mechanism->expected_error({.prior = named.prior})),
                                    .dataset = "riders",
                                    .ledger = ledger(),
                                    .output = folder.path("safe.csv"),
                                    .overwrite = true,
                                    .seed = seed,
                                    .time_unix_s = 1'700'000'000};
    if (!std::filesystem::exists(plan.ledger)) privacy::declare(plan.ledger, plan.dataset);
    privacy::release(plan, [&](const random::Key&) { return privacy::Drawn{text, records}; });
    made = privacy::read_statement(statement_file());
  }

  std::string output(const roads::RoadNetwork& network, std::span<const graph::VertexId> released) const {
    return place::released_csv(records_to_copy(released.size()), network, released, kept_columns());
  }

  static io::PointTable records_to_copy(std::size_t count) {
    io::PointTable points;
    for (std::size_t i = 0; i < count; ++i) {
      points.t.push_back(1'700'000'000);
      points.user.push_back(points.user_names.intern("ann"));
    }
    return points;
  }

  place::KeptColumns kept_columns() const {
    const auto copies = [&](const char* column) {
      return std::ranges::find(terms.columns_copied, column) != terms.columns_copied.end();
    };
    return {.user_id = copies("user_id"), .t = copies("t")};
  }
};

}  // namespace fogline::audit
