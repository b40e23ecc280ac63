// SPDX-License-Identifier: Apache-2.0
#include "audit/specimens/published.hpp"
#include "audit/specimens/specimen.hpp"

namespace fogline::audit {
namespace {

/// The runs of a published case take a stream; replay hands out a key.
TextRun with_key(const PublishedCase::Text& text) {
  return [text](const random::Key& key) {
    random::Stream noise = key.stream("published");
    return text(noise);
  };
}

/// The replay needs noise that was declared as it was drawn: the K-norm forms declare none, being points of a body.
bool can_be_replayed(const PublishedCase& published) {
  return published.kind != "stream";
}

/// Trips take longer to make than numbers, and are told apart at once; the wrong K-norm forms are told apart by few answers, and by the falsifier only.
double effort_of(const PublishedCase& published) {
  if (published.kind == "traces") return 0.5;
  return published.kind == "stream" && published.form == PublishedCase::Form::broken ? 4 : 1;
}

}  // namespace

std::vector<Specimen> published_specimens() {
  std::vector<Specimen> all;
  for (PublishedCase& published : published_cases()) {
    const bool broken = published.form == PublishedCase::Form::broken;
    Specimen specimen{.origin = Origin::published,
                      .name = published.kind + " " + published.mechanism,
                      .words = published.reason,
                      .broken = broken,
                      .effort = effort_of(published),
                      .pairs = std::move(published.pairs)};
    if (can_be_replayed(published)) {
      const Pair& pair = specimen.pairs.front();
      specimen.replay_case = ReplayCase{.words = pair.words,
                                        .first = with_key(published.first_text),
                                        .second = with_key(published.second_text),
                                        .claimed_loss = pair.claimed_loss};
    }
    all.push_back(std::move(specimen));
  }
  return all;
}

}  // namespace fogline::audit
