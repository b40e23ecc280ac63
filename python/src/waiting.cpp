// SPDX-License-Identifier: Apache-2.0
#include "waiting.hpp"

namespace fogline::python {

bool Mailbox::progress(std::string_view task, std::uint64_t done, std::uint64_t total) {
  const std::lock_guard lock(mutex_);
  step_ = Step{std::string(task), done, total};
  return !is_stopped_;
}

void Mailbox::say(const char* level, std::string_view text) {
  std::unique_lock lock(mutex_);
  letters_.push_back({level, std::string(text)});
  const std::uint64_t mine = ++said_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return heard_ >= mine || is_stopped_; });
}

void Mailbox::finish() {
  const std::lock_guard lock(mutex_);
  is_over_ = true;
  changed_.notify_all();
}

bool Mailbox::wait(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, at_most, [&] { return is_over_ || !letters_.empty(); });
  return is_over_;
}

std::optional<Mailbox::Letter> Mailbox::next_letter() {
  const std::lock_guard lock(mutex_);
  if (letters_.empty()) return std::nullopt;
  Letter letter = std::move(letters_.front());
  letters_.pop_front();
  return letter;
}

void Mailbox::heard() {
  const std::lock_guard lock(mutex_);
  ++heard_;
  changed_.notify_all();
}

std::optional<Mailbox::Step> Mailbox::latest_step() {
  const std::lock_guard lock(mutex_);
  return std::exchange(step_, std::nullopt);
}

void Mailbox::stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  changed_.notify_all();
}

void Ear::keep(Mailbox& mailbox) {
  if (!raised_) {
    raised_ = std::current_exception();
    mailbox.stop();
    return;
  }
  try {
    throw;
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("fogline, after another exception");
  }
}

void Ear::listen(Mailbox& mailbox) {
  try {
    if (!raised_ && PyErr_CheckSignals() != 0) throw nb::python_error();
    const auto step = mailbox.latest_step();
    if (step && !raised_ && !show_.is_none()) show_(step->task, step->done, step->total);
  } catch (...) {
    keep(mailbox);
  }
  while (const auto letter = mailbox.next_letter()) {
    try {
      if (!hear_.is_none()) hear_(letter->level, letter->text);
    } catch (...) {
      keep(mailbox);
    }
    mailbox.heard();
  }
}

void Ear::raise_if_any() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
}

}  // namespace fogline::python
