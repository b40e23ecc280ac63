// SPDX-License-Identifier: Apache-2.0
#include "live.hpp"

namespace fogline::python {

Live::Live(const std::string& kind, const std::string& fields, BoundLedger& ledger, nb::object hear,
           int threads, const std::optional<std::string>& passphrase)
    : mailbox_(threads), ear_(std::move(hear), nb::none()) {
  auto request = std::make_shared<Request>(kind, "release");
  request->set_json(fields);
  if (passphrase) request->passphrase([passphrase] { return *passphrase; });
  request->input([this] { return more(); });
  request->receive([this](std::string_view piece) { receive(piece); });
  Ledger& opened = ledger.get();
  worker_ = std::thread([this, request, &opened] { run(*request, opened); });
}

Live::~Live() {
  if (!worker_.joinable()) return;
  mailbox_.stop();  // first: the end of records that nobody asked for would be an empty file
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }
  const nb::gil_scoped_release unlocked;
  worker_.join();
}

void Live::run(Request& request, Ledger& ledger) {
  std::optional<Released> released;
  std::exception_ptr failure;
  try {
    released = request.run(ledger, mailbox_);
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  released_ = std::move(released);
  failure_ = failure;
  is_over_ = true;
  changed_.notify_all();
  mailbox_.finish();
}

std::string Live::more() {
  std::unique_lock lock(mutex_);
  is_asking_ = true;
  changed_.notify_all();
  changed_.wait(lock, [&] { return has_given_ || is_closed_; });
  is_asking_ = false;
  if (!has_given_) return "";
  has_given_ = false;
  return std::move(given_);
}

void Live::receive(std::string_view piece) {
  const std::lock_guard lock(mutex_);
  answered_ += piece;
}

bool Live::wait_for_turn() {
  const Waiters::Inside inside;
  for (;;) {
    bool is_over = false;
    const bool is_turn = Waiters::without_lock([&] {
      std::unique_lock lock(mutex_);
      constexpr std::chrono::milliseconds between_letters{
          2};  // of what is said before the first line is asked for
      const bool has_come =
          changed_.wait_for(lock, between_letters, [&] { return (is_asking_ && !has_given_) || is_over_; });
      is_over = is_over_;
      return has_come;
    });
    ear_.listen(mailbox_);
    ear_.raise_if_any();
    if (is_turn) return is_over;
  }
}

void Live::throw_if_failed() {
  if (!is_over_) return;
  if (failure_) std::rethrow_exception(failure_);
}

std::string Live::step(const std::string& lines) {
  wait_for_turn();
  {
    const std::lock_guard lock(mutex_);
    throw_if_failed();
    if (is_over_ || is_closed_) throw Error("this stream is closed");
    given_ = lines;
    has_given_ = true;
    answered_.clear();
    changed_.notify_all();
  }
  wait_for_turn();
  const std::lock_guard lock(mutex_);
  throw_if_failed();
  return std::exchange(answered_, {});
}

std::string Live::answered() {
  const std::lock_guard lock(mutex_);
  return std::exchange(answered_, {});
}

Released Live::close() {
  {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }
  while (!wait_for_turn()) {
  }
  {
    const nb::gil_scoped_release unlocked;
    if (worker_.joinable()) worker_.join();
  }
  throw_if_failed();
  return *released_;
}

}  // namespace fogline::python
