// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "place/matrix_file.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "release/place_fields.hpp"
#include "release/prepared_places.hpp"

namespace fogline::release {
namespace {

class PlaceKernel : public Analysis {
 public:
  std::string kind() const override { return "place"; }
  std::string verb() const override { return "kernel"; }

  void declare(FieldTable& table) override {
    table.positional("kernel", "KERNEL", kernel_, "a prepared mechanism")
        .role(FieldRole::public_input)
        .required();
    table.group("Table");
    table.value("matrix", "FILE", matrix_, "write its table: .npz for NumPy and SciPy, or .csv")
        .role(FieldRole::output);
    table.flag("dense", dense_, "every output of every vertex, not only those that stand out");
    table.flag("weights", weights_, "the exact integers that releases are drawn from, not probabilities");
    table.flag("overwrite", overwrite_, "replace the table if it is there");
  }

  Findings run(Caller& caller) override {
    if (matrix_.empty() && (dense_ || weights_ || overwrite_))
      throw InvalidOption("matrix", "is needed: where does the table go?");
    const place::PreparedFile file(kernel_);
    const std::string sha256 =
        PreparedPlaces(caller.cache_folder()).require_sound(file, PreparedPlaces::Map::told, caller);
    const auto prepared = file.restore(file.terms().unit_of_report());
    if (!matrix_.empty())
      place::write_matrix(
          matrix_, *prepared->mechanism->on_vertices(), prepared->map,
          {.dense = dense_, .weights = weights_, .overwrite = overwrite_, .progress = caller.progress()});
    return findings(file, *prepared, sha256);
  }

 private:
  Findings findings(const place::PreparedFile& file, const place::PreparedPlace& prepared,
                    const std::string& sha256) const {
    const place::PlaceMechanism& mechanism = *prepared.mechanism;
    nlohmann::ordered_json json = {{"kind", "place"},
                                   {"mechanism", mechanism.name()},
                                   {"epsilon", file.terms().epsilon.value().to_string()},
                                   {"network", file.source()},
                                   {"vertices", prepared.map.vertex_count()},
                                   {"q_loss_m", prepared.error.q_loss_m},
                                   {"q_loss_standard_error_m", prepared.error.standard_error_m},
                                   {"bytes", file.sections().size()},
                                   {"sha256", sha256},
                                   {"map_is_believed", !file.names_rule()}};
    json.update(mechanism.parameters());
    if (const auto bound = mechanism.lower_bound_m()) json["lower_bound_m"] = *bound;
    if (!matrix_.empty()) json["matrix"] = matrix_;
    Findings found(std::move(json));
    Findings::Rows rows{{"network", size_of(prepared.map)},
                        {"mechanism", fmt::format("{}, epsilon {} per metre", mechanism.name(),
                                                  file.terms().epsilon.value().to_string())},
                        {"expected error", to_text(prepared.error)},
                        {"size", fmt::format("{} bytes", grouped(file.sections().size()))},
                        {"sha256", sha256}};
    if (!matrix_.empty()) rows.emplace_back("table", matrix_);
    found.add(std::move(rows));
    found.add(mechanism.remarks());
    if (mechanism.lower_bound_m()) found.add(whose_bound());
    if (!file.names_rule())
      found.add(fmt::format("Its map is believed: whether it is that of {}, only who has that can tell.",
                            file.terms().network.identity()));
    return found;
  }

  std::string kernel_;
  std::string matrix_;
  bool dense_ = false;
  bool weights_ = false;
  bool overwrite_ = false;
};

}  // namespace

std::unique_ptr<Analysis> place_kernel() {
  return std::make_unique<PlaceKernel>();
}

}  // namespace fogline::release
