// SPDX-License-Identifier: Apache-2.0
#include "cli/session.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <semaphore.h>
#include <termios.h>
#include <unistd.h>

#include "base/error.hpp"
#include "cli/run.hpp"
#include "cli/spelling.hpp"
#include "io/output_file.hpp"
#include "privacy/signing_key.hpp"

namespace fogline::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// What the handler, the program and the watcher know of each other.
struct Interrupt {
  std::atomic<bool> asked = false;
  std::atomic<Stage> stage = Stage::planning;
  std::atomic<std::uint64_t> entry = 0;  // of the ledger, once charged
  sem_t wake;
  pthread_t main;
};
Interrupt the_interrupt;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may take no lock");

/// Wakes a read or a write of the main thread that waits. Ignored by default, so that nobody else uses it.
constexpr int nudge = SIGURG;

/// Stays in place for further signals: the watcher ends what does not end by itself, with true last words, and an abrupt
/// end would leave a charge without a word and answers without a statement.
void on_interrupt(int) {
  const int before = errno;
  the_interrupt.asked = true;
  sem_post(&the_interrupt.wake);
  errno = before;
}

void install_handler(int signal, void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

/// How long work may go on after an interrupt, for it to stop by itself. Charging waits for other processes; answers
/// that are out and files on their way into place are worth more than a prompt end.
milliseconds patience(Stage stage) {
  switch (stage) {
    case Stage::planning:
    case Stage::drawing:
      return milliseconds(500);
    case Stage::telling:
      return milliseconds(2000);
    case Stage::charging:
    case Stage::live:
    case Stage::writing:
      return milliseconds(10'000);
    case Stage::leaving:
    case Stage::finished:
      break;
  }
  return milliseconds(3'600'000);  // neither waits for the watcher
}

std::string last_words(Stage stage) {
  const std::uint64_t entry = the_interrupt.entry;  // 0 for a seeded run, which costs nothing
  const std::string spent =
      entry == 0 ? ""
                 : fmt::format(
                       "fogline: warning: entry {} of the ledger is spent all the same: running again costs "
                       "again\n",
                       entry);
  const std::string end = "fogline: error: interrupted\n";
  switch (stage) {
    case Stage::charging:
      return "fogline: warning: the ledger was being charged: see 'fogline ledger show' before you run "
             "again\n" +
             end;
    case Stage::live:
      return spent +
             "fogline: warning: the statement was not completed: it tells of no output, whatever went to "
             "standard "
             "output\n" +
             end;
    case Stage::telling:
      return "fogline: warning: what was released stands, with its statement; only the report of it is "
             "missing\n" +
             end;
    default:
      return spent + end;
  }
}

/// Comes back only if the program has gone on to another stage meanwhile: then that one's patience counts. From the
/// exchange on the program stays in its stage, so that what is said last is true.
void leave_if_still(Stage stage) {
  const std::string words = last_words(stage);
  if (!the_interrupt.stage.compare_exchange_strong(stage, Stage::leaving)) return;
  io::OutputFile::remove_temporaries_and([&] {
    // Without the library's lock, which the program may hold in a write that waits.
    [[maybe_unused]] const ssize_t told = ::write(STDERR_FILENO, words.data(), words.size());
    _exit(exit_code::interrupted);
  });
}

/// Waits for ever if the watcher is ending the program.
void go_on_to(Stage next) {
  for (Stage now = the_interrupt.stage;
       !(now != Stage::leaving && the_interrupt.stage.compare_exchange_weak(now, next));)
    if (now == Stage::leaving) pause();
}

void watch_over_interrupts() {
  while (sem_wait(&the_interrupt.wake) != 0) {
  }
  Stage stage = the_interrupt.stage;
  for (auto since = Clock::now(); stage != Stage::finished;) {
    if (Clock::now() - since > patience(stage)) leave_if_still(stage);
    // Again and again: the first may come just before the read or write that it is meant for.
    if (stage == Stage::drawing || stage == Stage::live || stage == Stage::writing)
      pthread_kill(the_interrupt.main, nudge);
    std::this_thread::sleep_for(milliseconds(20));
    if (const Stage now = the_interrupt.stage; now != stage) {
      stage = now;
      since = Clock::now();
    }
  }
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

void enter(Stage stage) {
  go_on_to(stage);
}

void enter_charged(Stage stage, std::uint64_t entry) {
  the_interrupt.entry = entry;
  go_on_to(stage);
}

bool is_interrupted() {
  return the_interrupt.asked;
}

void catch_interrupts() {
  sem_init(&the_interrupt.wake, 0, 0);
  the_interrupt.main = pthread_self();
  // The watcher takes no signals itself: those are for the threads that may be waiting in a read.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread(watch_over_interrupts).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  install_handler(
      nudge, [](int) {}, 0);
  install_handler(SIGINT, on_interrupt, SA_RESTART);
  install_handler(SIGTERM, on_interrupt, SA_RESTART);
  // A terminal that went away. Who asked to outlive it (nohup) has had it ignored before.
  struct sigaction hang_up {};
  sigaction(SIGHUP, nullptr, &hang_up);
  if (hang_up.sa_handler != SIG_IGN) install_handler(SIGHUP, on_interrupt, SA_RESTART);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error of the write, with its clean-up
  std::signal(SIGXFSZ, SIG_IGN);  // so is a limit on the size of files
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
    return !is_interrupted();
  }

  void clear() {
    if (shown_) print(stderr, "\r\x1b[2K");
    shown_ = false;
  }

 private:
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
  if (options.find("limits") == nullptr) limits_.declare(options);
  options.group("General");
  options.flag("-q,--quiet", quiet_, "print warnings, errors and results only");
  options.flag("-v,--verbose", verbose_, "print what is read, dropped and assumed");
  options.flag("--no-progress", no_progress_, "draw no progress bar");
  options.value("--threads", "N", threads_, "threads to use; 0 for all cores");
}

void Session::data(std::string_view text) {
  print(stdout, text);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    if (errno == EPIPE) throw ClosedPipe{};
    throw FileError("standard output", "cannot be written", "is the disk full or the reader gone?");
  }
}

void Session::aside(std::string_view text) {
  print(stderr, text);
}

void Session::note(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (!quiet_) print(stderr, spelled(text) + "\n");
}

void Session::detail(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (verbose_ && !quiet_ && !text.empty()) print(stderr, spelled(text) + "\n");
}

void Session::warn(std::string_view text) {
  print(stderr, fmt::format("fogline: warning: {}\n", spelled(text)));
}

bool Session::is_wanted() const {
  return !is_interrupted();
}

void Session::enter(release::Stage stage, std::uint64_t entry) {
  switch (stage) {
    case release::Stage::planning:
      return cli::enter(Stage::planning);
    case release::Stage::charging:
      return cli::enter(Stage::charging);
    case release::Stage::drawing:
      return enter_charged(Stage::drawing, entry);
    case release::Stage::waiting:  // no budget is spent for what is not there yet, and a read must be woken
      return enter_charged(Stage::drawing, 0);
    case release::Stage::live:
      return enter_charged(Stage::live, entry);
    case release::Stage::writing:
      return cli::enter(Stage::writing);
    case release::Stage::telling:
      return cli::enter(Stage::telling);
  }
}

void Session::fail(std::string_view text) {
  if (bar_) bar_->clear();
  print(stderr, fmt::format("fogline: error: {}\n", spelled(text)));
}

namespace {

/// Asks on the terminal, whatever standard input is. Throws InvalidOption where there is none.
std::string ask_unseen(const std::string& question) {
  const int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  termios before{};
  if (terminal < 0 || tcgetattr(terminal, &before) != 0) {
    if (terminal >= 0) close(terminal);
    throw InvalidOption(
        "passphrase",
        "is needed, and there is no terminal to ask on: put it into a file, and its name into "
        "FOGLINE_PASSPHRASE_FILE");
  }
  termios unseen = before;
  unseen.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  tcsetattr(terminal, TCSAFLUSH, &unseen);
  [[maybe_unused]] ssize_t told = write(terminal, question.data(), question.size());
  std::string answer;
  for (char c = 0; read(terminal, &c, 1) == 1 && c != '\n';) answer += c;
  told = write(terminal, "\n", 1);
  tcsetattr(terminal, TCSAFLUSH, &before);
  close(terminal);
  return answer;
}

std::string passphrase_in(const std::string& file) {
  // With the key, whoever has a copy of it or of a backup, it signs.
  privacy::require_own_secret(file, "a file with a passphrase");
  std::ifstream opened(file, std::ios::binary);
  std::string line;
  if (!opened || !std::getline(opened, line) || line.empty())
    throw FileError(file, "has no passphrase in its first line", "FOGLINE_PASSPHRASE_FILE names it");
  return line;
}

}  // namespace

std::string Session::passphrase(const std::string& key) const {
  const char* file = std::getenv("FOGLINE_PASSPHRASE_FILE");
  return file != nullptr && *file != '\0' ? passphrase_in(file)
                                          : ask_unseen(fmt::format("passphrase of {}: ", key));
}

std::string Session::new_passphrase(const std::string& key) const {
  const std::string answer = passphrase(key);
  const char* file = std::getenv("FOGLINE_PASSPHRASE_FILE");
  if ((file == nullptr || *file == '\0') && ask_unseen("again: ") != answer)
    throw InvalidOption("passphrase", "was typed in two ways; nothing was made");
  if (answer.empty()) throw InvalidOption("passphrase", "is empty; nothing was made");
  return answer;
}

Progress Session::progress() {
  const char* term = std::getenv("TERM");
  const bool terminal = isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
  if (!bar_) bar_ = std::make_unique<Bar>(terminal && !quiet_ && !no_progress_);
  return [bar = bar_.get()](const ProgressUpdate& update) { return bar->update(update); };
}

std::int64_t Session::now() const {
  return static_cast<std::int64_t>(std::time(nullptr));
}

double Session::seconds() const {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

std::string Session::cache_folder() const {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && *cache == '/') return std::string(cache) + "/fogline";
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? std::string() : std::string(home) + "/.cache/fogline";
}

std::string Session::temporary_folder() const {
  std::error_code unknown;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(unknown);
  if (unknown)
    throw FileError("TMPDIR", "names no folder for temporary files", "set it to one that is there");
  return folder;
}

}  // namespace fogline::cli
