// SPDX-License-Identifier: Apache-2.0
// What an answer costs beside its charge alone: batches as a service makes them of 64 connections.
#include <filesystem>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include "privacy/ledger_handle.hpp"
#include "release/kinds.hpp"
#include "release/serving.hpp"

namespace {

using namespace fogline;

constexpr int batch = 64;
constexpr std::int64_t now_s = 1'700'000'000;

class SilentCaller : public release::Caller {
 public:
  void note(std::string_view) override {}
  void detail(std::string_view) override {}
  void warn(std::string_view) override {}
  std::int64_t now() const override { return now_s; }
};

/// A ledger in the folder where the bench runs: a folder in memory would hide what a disk costs.
struct Scene {
  Scene() {
    handle.get().add_dataset({.dataset = "app",
                              .caps = {privacy::Cap::parse("epsilon 1000000 per metre per subject in 24 h")},
                              .time_unix_s = now_s});
    auto request = release::place_release();
    release::FieldTable table;
    request->declare(table);
    release::set_fields(table, {{"network", "city:1"}, {"epsilon", "0.02"}, {"dataset", "app"}},
                        {"input", "output"});
    places = std::make_unique<release::Serving>(std::move(request), handle, privacy::SubjectPolicy{}, caller);
  }
  ~Scene() { std::filesystem::remove(path); }

  std::string path = "serving_bench.ledger";
  privacy::LedgerHandle handle{path, {}};
  SilentCaller caller;
  std::unique_ptr<release::Serving> places;
};

std::string subject(std::uint64_t number) {
  return "s" + std::to_string(number % 100'000);
}

void ChargeAlone(benchmark::State& state) {
  Scene scene;
  privacy::Ledger& ledger = scene.handle.get();
  std::uint64_t number = 0;
  for (auto _ : state) {
    privacy::SubjectRequest request{.dataset = "app",
                                    .kind = "place",
                                    .mechanism = "tight",
                                    .guarantee = scene.places->guarantee(),
                                    .version = "bench",
                                    .draft_sha256 = std::string(64, '0'),
                                    .lines = {},
                                    .time_unix_s = now_s};
    for (int i = 0; i < batch; ++i)
      request.lines.push_back({.subject = privacy::subject_of(ledger.id(), subject(number++))});
    benchmark::DoNotOptimize(ledger.charge_subjects(request));
  }
  state.SetItemsProcessed(state.iterations() * batch);
}
BENCHMARK(ChargeAlone)->UseRealTime();

void ChargeDrawAndKeep(benchmark::State& state) {
  Scene scene;
  std::uint64_t number = 0;
  for (auto _ : state) {
    std::vector<release::Serving::Question> questions;
    for (int i = 0; i < batch; ++i) {
      release::Serving::Question question{.subject = subject(number++), .records = {}};
      question.records.hold("lon", std::vector<double>{-30.01}).hold("lat", std::vector<double>{45.0});
      questions.push_back(std::move(question));
    }
    benchmark::DoNotOptimize(scene.places->answer(questions));
  }
  state.SetItemsProcessed(state.iterations() * batch);
}
BENCHMARK(ChargeDrawAndKeep)->UseRealTime();

}  // namespace
