// SPDX-License-Identifier: Apache-2.0
// A charged release of each kind, from columns in memory into memory.
#include <cmath>
#include <fstream>
#include <iostream>

#include <fogline/fogline.hpp>

using fogline::ColumnSet;
using fogline::Ledger;
using fogline::Listener;
using fogline::Released;
using fogline::Request;

namespace {

void tell(const std::string& kind, const Released& safe) {
  std::cout << kind << ": " << safe.records << " records, charged as entry " << safe.entry << ": "
            << safe.guarantee << "\n";
}

void write_file(const char* name, const char* text) {
  std::ofstream(name) << text;
}

void plan_places(Ledger& ledger, Listener& listener) {
  fogline::PlacePlan plan;  // each kind has a class for each verb, whose functions are its fields
  plan.network("lattice:20x20:3000").epsilon("1/100").dataset("riders").ask(ledger);
  for (const auto& piece : plan.run(listener).pieces)
    if (const auto* rows = std::get_if<fogline::Findings::Rows>(&piece))
      for (const auto& [name, value] : *rows)
        if (name == "costs") std::cout << "plan: a release costs " << value << "\n";
}

void release_places(Ledger& ledger, Listener& listener) {
  const std::vector<double> lon{0.0017, 0.0089, 0.0041}, lat{0.0009, -0.0009, 0.0021};
  fogline::PlaceRelease request;
  request.network("lattice:20x20:3000").epsilon("1/100").dataset("riders");
  request.input(ColumnSet().borrow("lon", std::span(lon)).borrow("lat", std::span(lat)));
  const Released safe = request.run(ledger, listener);
  for (const double degrees : safe.columns().numbers("lon"))
    if (!std::isfinite(degrees)) throw fogline::Error("a released position is none");
  tell("place", safe);
}

void release_weights(Ledger& ledger, Listener& listener) {
  ColumnSet edges;
  edges.hold("source", std::vector<std::string>{"a", "b", "c"});
  edges.hold("target", std::vector<std::string>{"b", "c", "a"});
  edges.hold("weight", std::vector<double>{3, 7, 9});
  Request request("weights");
  request.set("epsilon", 4).set("range", "0:10").set("dataset", "roads").input(edges);
  const Released safe = request.run(ledger, listener);
  if (safe.columns().numbers("weight").size() != 3) throw fogline::Error("a weight is missing");
  tell("weights", safe);
}

void release_path(Ledger& ledger, Listener& listener) {
  write_file("net.csv", "source,target\na,b\nb,c\nc,d\na,d\n");
  Request request("path");
  request.set("network", "net.csv").set("epsilon-edges", 1).set("dataset", "route");
  request.input(ColumnSet().hold("vertex", std::vector<std::string>{"a", "b", "c"}));
  tell("path", request.run(ledger, listener));
}

void release_stream(Ledger& ledger, Listener& listener) {
  write_file("house.csv", "from,to,probability\nhall,hall,0.5\nhall,lab,0.5\nlab,hall,0.5\nlab,lab,0.5\n");
  const auto with_fields = [] {
    Request request("stream");
    request.set("model", "house.csv").set("policy", "complete").set("epsilon", 1).set("anyway", true);
    return request;
  };
  Request request = with_fields();
  request.set("dataset", "walk")
      .input(ColumnSet().hold("state", std::vector<std::string>{"hall", "lab", "hall"}));
  const Released safe = request.run(ledger, listener);
  if (safe.columns().integers("step").size() != 3) throw fogline::Error("a step is missing");
  tell("stream", safe);

  // Live: each state is answered before the next is asked for.
  int given = 0, answered = 0;
  Request live = with_fields();
  live.set("dataset", "live walk");
  live.input([&]() -> std::string {
    if (given > 3) return "";
    if (answered != given) throw fogline::Error("an answer is late");
    return given++ == 0 ? "state\n" : "lab\n";
  });
  live.receive([&](std::string_view) { ++answered; });
  tell("live stream", live.run(ledger, listener));
}

void release_traces(Ledger& ledger, Listener& listener) {
  std::vector<std::int64_t> trip;
  std::vector<double> lon, lat;
  for (int i = 0; i < 40; ++i) {
    for (int k = 0; k < 6; ++k) {
      trip.push_back(i);
      lon.push_back(0.001 * (i % 7 + k));
      lat.push_back(0.001 * (i % 5 + k));
    }
  }
  Request request("traces");
  request.set("area", "0,0,0.02,0.02").set("epsilon", 5).set("trips-to-make", 9).set("dataset", "trips");
  request.input(ColumnSet()
                    .borrow("traj_id", std::span<const std::int64_t>(trip))
                    .borrow("lon", std::span<const double>(lon))
                    .borrow("lat", std::span<const double>(lat)));
  tell("traces", request.run(ledger, listener));
}

}  // namespace

int main() try {
  Ledger ledger("consumer.ledger");
  ledger.add_dataset("riders", {"epsilon 1/50 per metre"});
  for (const char* dataset : {"roads", "route", "walk", "live walk", "trips"})
    ledger.add_uncapped_dataset(dataset);
  Listener silent;
  plan_places(ledger, silent);
  release_places(ledger, silent);
  release_weights(ledger, silent);
  release_path(ledger, silent);
  release_stream(ledger, silent);
  release_traces(ledger, silent);
  std::cout << "left of riders: " << ledger.budget("riders", fogline::Measure::per_metre).remaining << "\n";
  release_places(ledger, silent);
  try {
    release_places(ledger, silent);
  } catch (const fogline::Error& error) {
    std::cout << "the next is refused: " << error.problem().code << "\n";
    return 0;
  }
  return 1;
} catch (const std::exception& error) {
  std::cerr << "error: " << error.what() << "\n";
  return 1;
}
