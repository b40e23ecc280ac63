// SPDX-License-Identifier: Apache-2.0
#include "service/batches.hpp"

#include <cmath>
#include <iterator>
#include <utility>

namespace fogline::service {

Batches::Batches(release::Serving& serving, const Options& options)
    : serving_(serving), options_(options), thread_([this] { run(); }) {}

Batches::~Batches() {
  stop();
}

bool Batches::ask(release::Serving::Question question, Done done) {
  {
    const std::lock_guard lock(mutex_);
    if (is_stopped_ || positions_ >= options_.waiting) return false;
    positions_ += question.records.records();
    waiting_.push_back({std::move(question), std::move(done)});
  }
  asked_.notify_one();
  return true;
}

void Batches::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  asked_.notify_one();
  if (thread_.joinable()) thread_.join();
}

Batches::Counts Batches::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

/// Multiples of the tick, whoever asked when.
Batches::Clock::time_point Batches::next_tick() const {
  const auto since = Clock::now().time_since_epoch();
  return Clock::time_point((since / options_.tick + 1) * options_.tick);
}

void Batches::run() {
  while (true) {
    std::vector<Waiting> batch;
    {
      std::unique_lock lock(mutex_);
      asked_.wait(lock, [this] { return is_stopped_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      // A long list makes nobody else wait longer than itself.
      std::ptrdiff_t taken = 0;
      for (std::size_t positions = 0; taken < std::ssize(waiting_); ++taken) {
        positions += waiting_[static_cast<std::size_t>(taken)].question.records.records();
        if (taken > 0 && positions > options_.most) break;
        positions_ -= waiting_[static_cast<std::size_t>(taken)].question.records.records();
      }
      std::move(waiting_.begin(), waiting_.begin() + taken, std::back_inserter(batch));
      waiting_.erase(waiting_.begin(), waiting_.begin() + taken);
    }
    answer(std::move(batch));
  }
}

void Batches::answer(std::vector<Waiting> batch) {
  std::vector<release::Serving::Question> questions;
  for (Waiting& one : batch) questions.push_back(std::move(one.question));
  std::vector<release::Serving::Answer> answers(batch.size());
  std::exception_ptr failed;
  const Clock::time_point begun = Clock::now();
  try {
    answers = serving_.answer(questions);
  } catch (...) {  // whatever it is, everybody who waits is told that there is no answer
    failed = std::current_exception();
  }
  const std::chrono::duration<double> busy = Clock::now() - begun;
  {
    const std::lock_guard lock(mutex_);
    ++counts_.batches;
    counts_.questions += batch.size();
    counts_.busy_s += std::ceil(busy / options_.tick) * std::chrono::duration<double>(options_.tick).count();
    for (const release::Serving::Answer& answer : answers)
      counts_.charged += !failed && answer.decision.outcome == privacy::SubjectDecision::Outcome::charged;
  }
  std::this_thread::sleep_until(next_tick());
  for (std::size_t i = 0; i < batch.size(); ++i) batch[i].done(std::move(answers[i]), failed);
}

}  // namespace fogline::service
