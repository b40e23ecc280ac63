// SPDX-License-Identifier: Apache-2.0
#include "cli/session.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.hpp"

namespace fogline::cli {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

void print(std::FILE* target, std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), target);
}

std::string duration(double seconds) {
  const auto whole = static_cast<long>(std::max(0.0, seconds) + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

std::string count(double amount) {
  if (amount >= 1e6) return fmt::format("{:.1f} M", amount / 1e6);
  if (amount >= 1e4) return fmt::format("{:.0f} k", amount / 1e3);
  return fmt::format("{:.0f}", amount);
}

}  // namespace

void catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error of the write, with its clean-up
}

/// The line that is drawn over itself.
class Session::Bar {
 public:
  explicit Bar(bool visible) : visible_(visible) {}
  ~Bar() { clear(); }

  bool update(const ProgressUpdate& update) {
    const auto now = Clock::now();
    if (update.done == 0) started_ = now;
    if (visible_ && seconds(now - started_) > 1 && seconds(now - drawn_) > 0.1) {
      draw(update, seconds(now - started_));
      drawn_ = now;
    }
    if (update.done == update.total) clear();
    return interrupted == 0;
  }

  void clear() {
    if (shown_) print(stderr, "\r\x1b[2K");
    shown_ = false;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds(Clock::duration span) { return std::chrono::duration<double>(span).count(); }

  void draw(const ProgressUpdate& update, double elapsed) {
    constexpr int width = 30;
    const auto done = static_cast<double>(update.done), total = static_cast<double>(update.total);
    const double rate = done / elapsed;
    std::string line = fmt::format("\r\x1b[2K{} ", update.task);
    if (update.total > 0) {
      const auto filled = static_cast<std::size_t>(width * done / total);
      line +=
          fmt::format("[{}{}] {:3.0f} %  {} of {}  {}/s  {} left", std::string(filled, '#'),
                      std::string(width - std::min<std::size_t>(filled, width), '.'), 100 * done / total,
                      count(done), count(total), count(rate), duration(rate > 0 ? (total - done) / rate : 0));
    } else {
      line += fmt::format("{}  {}/s", count(done), count(rate));
    }
    print(stderr, line);
    std::fflush(stderr);
    shown_ = true;
  }

  bool visible_;
  bool shown_ = false;
  Clock::time_point started_ = Clock::now();
  Clock::time_point drawn_{};
};

Session::Session() = default;
Session::~Session() = default;

void Session::declare(OptionSet& options) {
  options.group("General");
  options.flag("-q,--quiet", quiet_, "print warnings, errors and results only");
  options.flag("-v,--verbose", verbose_, "print what is read, dropped and assumed");
  options.flag("--no-progress", no_progress_, "draw no progress bar");
  options.value("--threads", "N", threads_, "threads to use; 0 for all cores");
}

void Session::data(std::string_view text) {
  print(stdout, text);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw FileError("standard output", "cannot be written", "is the disk full or the reader gone?");
  }
}

void Session::note(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (!quiet_) print(stderr, fmt::format("{}\n", text));
}

void Session::detail(std::string_view text) {
  if (verbose_ && !quiet_) print(stderr, fmt::format("{}\n", text));
}

void Session::warn(std::string_view text) {
  print(stderr, fmt::format("fogline: warning: {}\n", text));
}

void Session::warn(const Warnings& warnings) {
  for (const auto& item : warnings.items()) warn(to_string(item));
}

void Session::fail(std::string_view text) {
  if (bar_) bar_->clear();
  print(stderr, fmt::format("fogline: error: {}\n", text));
}

Progress Session::progress() {
  const char* term = std::getenv("TERM");
  const bool terminal = isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
  bar_ = std::make_unique<Bar>(terminal && !quiet_ && !no_progress_);
  return [bar = bar_.get()](const ProgressUpdate& update) { return bar->update(update); };
}

std::int64_t Session::now() const {
  return static_cast<std::int64_t>(std::time(nullptr));
}

}  // namespace fogline::cli
