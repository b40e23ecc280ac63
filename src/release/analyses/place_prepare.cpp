// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/grouped.hpp"
#include "privacy/file_hash.hpp"
#include "release/analyses/analysis.hpp"
#include "release/kinds.hpp"
#include "release/place_fields.hpp"
#include "release/prepared_places.hpp"

namespace fogline::release {
namespace {

class PlacePrepare : public Analysis {
 public:
  PlacePrepare() { place_.takes_kernel = false; }

  std::string kind() const override { return "place"; }
  std::string verb() const override { return "prepare"; }
  const WrittenFile* written() const override { return &file_; }

  void declare(FieldTable& table) override {
    place_.declare(table);
    file_.declare(table, "the prepared mechanism, such as city.kernel");
  }

  Findings run(Caller& caller) override {
    place_.require();
    if (file_.is_standard_output()) throw InvalidOption("output", "must be a file");
    // Said before it takes long; write_prepared() sees to it again.
    if (std::error_code unknown; !file_.overwrite && std::filesystem::exists(file_.output, unknown))
      throw FileError(file_.output, "exists already", "choose another name, or set `overwrite`");
    place::PlaceTerms terms = place_.terms(caller);
    const auto prepared = place_.prepare(terms, caller);
    terms.take(*prepared->mechanism);
    place::write_prepared(file_.output, *prepared, terms, {.overwrite = file_.overwrite});
    PreparedPlaces(caller.cache_folder()).know(file_.output);
    return findings(terms, *prepared);
  }

 private:
  Findings findings(const place::PlaceTerms& terms, const place::PreparedPlace& prepared) const {
    const std::uint64_t bytes = std::filesystem::file_size(file_.output);
    const std::string sha256 = privacy::sha256_of_file(file_.output);
    nlohmann::ordered_json json = {{"kind", "place"},
                                   {"mechanism", prepared.mechanism->name()},
                                   {"epsilon", terms.epsilon.value().to_string()},
                                   {"network", prepared.map.source},
                                   {"vertices", prepared.map.vertex_count()},
                                   {"q_loss_m", prepared.error.q_loss_m},
                                   {"q_loss_standard_error_m", prepared.error.standard_error_m},
                                   {"output", file_.output},
                                   {"bytes", bytes},
                                   {"sha256", sha256}};
    if (const auto bound = prepared.mechanism->lower_bound_m()) json["lower_bound_m"] = *bound;
    Findings found(std::move(json));
    found.add(Findings::Rows{{"network", size_of(prepared.map)},
                             {"mechanism", fmt::format("{}, epsilon {} per metre", prepared.mechanism->name(),
                                                       terms.epsilon.value().to_string())},
                             {"expected error", to_text(prepared.error)},
                             {"output", fmt::format("{}, {} bytes", file_.output, grouped(bytes))},
                             {"sha256", sha256}});
    found.add(prepared.mechanism->remarks());
    return found;
  }

  PlaceFields place_;
  WrittenFile file_;
};

}  // namespace

std::unique_ptr<Analysis> place_prepare() {
  return std::make_unique<PlacePrepare>();
}

}  // namespace fogline::release
