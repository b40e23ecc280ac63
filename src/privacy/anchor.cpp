// SPDX-License-Identifier: Apache-2.0
#include "privacy/anchor.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.hpp"
#include "io/input_file.hpp"
#include "io/output_file.hpp"
#include "privacy/folder_sync.hpp"
#include "privacy/key_json.hpp"
#include "privacy/plain_text.hpp"
#include "privacy/postgres_anchor.hpp"

namespace fogline::privacy {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view command_prefix = "command:";
constexpr std::string_view kept_word = "kept", accepted_word = "accepted";
constexpr std::size_t longest_place = 4096, hash_bytes = 32;
/// Of the log, from its end: a few hundred lines, more than processes that charge at once.
constexpr std::uintmax_t tail_bytes = 65'536;

std::optional<LedgerHead> head_from(const std::string& id, const std::string& entries,
                                    const std::string& hash) {
  LedgerHead head{.ledger_id = id, .entries = 0, .hash = hash};
  for (const char digit : entries) {
    if (digit < '0' || digit > '9' || head.entries > 1'000'000'000'000) return std::nullopt;
    head.entries = 10 * head.entries + static_cast<std::uint64_t>(digit - '0');
  }
  const bool is_head = is_hex(id, ledger_id_bytes) && is_hex(hash, hash_bytes) && !entries.empty();
  return is_head ? std::optional(head) : std::nullopt;
}

/// Lines of "kept ID ENTRIES HASH TIME", only ever added.
class FileAnchor : public Anchor {
 public:
  explicit FileAnchor(std::string where) : where_(std::move(where)) {}

  const std::string& where() const override { return where_; }

  std::optional<LedgerHead> kept(const std::string& ledger_id) override {
    const std::string path = path_of(ledger_id);
    if (!fs::exists(path)) return std::nullopt;
    require_file(path);
    const std::uintmax_t size = fs::file_size(path);
    // Several ledgers may share the file: as far back as this one's last line, and as much again for those who charge at once.
    bool is_last_round = false;
    for (std::uintmax_t tail = tail_bytes;; tail *= 2) {
      const auto found = kept_in_tail(path, ledger_id, size, tail);
      if (tail >= size || (found && is_last_round)) return found;
      is_last_round = found.has_value();
    }
  }

  void keep(const LedgerHead& head, std::int64_t time_unix_s) override { add(kept_word, head, time_unix_s); }
  void accept(const LedgerHead& head, std::int64_t time_unix_s) override {
    add(accepted_word, head, time_unix_s);
  }

 private:
  /// A pipe or a device would be read for ever.
  static void require_file(const std::string& path) {
    if (!fs::is_regular_file(path)) throw FileError(path, "is to be the anchor of a ledger, and is no file");
  }

  static std::optional<LedgerHead> kept_in_tail(const std::string& path, const std::string& ledger_id,
                                                std::uintmax_t size, std::uintmax_t tail) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw FileError(path, "is the anchor of the ledger, and cannot be opened");
    file.seekg(static_cast<std::streamoff>(size > tail ? size - tail : 0));
    std::string line;
    if (size > tail) std::getline(file, line);  // the rest of a line
    std::optional<LedgerHead> longest;
    bool is_anchor = size == 0;
    while (std::getline(file, line)) {
      std::istringstream words(line);
      std::string word, id, entries, hash, time;
      words >> word >> id >> entries >> hash >> time;
      const auto head = head_from(id, entries, hash);
      // What a crash cut off was relied on by nobody: no key was drawn before the line was whole.
      if (!head || time.empty() || file.eof() || (word != kept_word && word != accepted_word)) continue;
      is_anchor = true;
      if (id != ledger_id) continue;
      if (word == accepted_word || !longest || head->entries > longest->entries) longest = head;
    }
    if (!is_anchor)
      throw DataError({path}, "is to be the anchor of a ledger, but holds something else",
                      "name a file that is not there yet");
    return longest;
  }

  std::string path_of(const std::string& ledger_id) const {
    return fs::is_directory(where_) ? (fs::path(where_) / (ledger_id + ".anchor")).string() : where_;
  }

  void add(std::string_view word, const LedgerHead& head, std::int64_t time_unix_s) const {
    const std::string path = path_of(head.ledger_id);
    const auto fail = [&](const char* what) {
      throw FileError(path,
                      fmt::format("is the anchor of the ledger, and cannot be {} ({})", what,
                                  std::generic_category().message(errno)),
                      errno == ENOENT ? "make the folder first" : "choose a place that you may write to");
    };
    const bool is_new = !fs::exists(path);
    if (!is_new) require_file(path);
    const int file = open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) fail("opened");
    std::string line =
        fmt::format("{} {} {} {} {}\n", word, head.ledger_id, head.entries, head.hash, time_unix_s);
    // After a line that a crash cut off, a new one begins.
    char last = '\n';
    if (const off_t size = lseek(file, 0, SEEK_END);
        size > 0 && pread(file, &last, 1, size - 1) == 1 && last != '\n')
      line.insert(0, "\n");
    const bool is_written =
        write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()) && fsync(file) == 0;
    const int error = errno;
    close(file);
    errno = error;
    if (!is_written) fail("written");
    if (is_new) sync_folder_of(path);
  }

  std::string where_;
};

/// A program of the user's choice: a database, a bucket, another machine.
class CommandAnchor : public Anchor {
 public:
  explicit CommandAnchor(std::string where) : where_(std::move(where)) {}

  const std::string& where() const override { return where_; }

  std::optional<LedgerHead> kept(const std::string& ledger_id) override {
    std::istringstream words(run(fmt::format("kept {}", ledger_id)));
    std::string entries, hash, more;
    if (!(words >> entries)) return std::nullopt;
    words >> hash;
    const auto head = head_from(ledger_id, entries, hash);
    if (!head || words >> more)
      throw FileError(where_, "is the anchor of the ledger, and did not print ENTRIES HASH");
    return head;
  }
  void keep(const LedgerHead& head, std::int64_t) override { tell("keep", head); }
  void accept(const LedgerHead& head, std::int64_t) override { tell("accept", head); }

 private:
  void tell(std::string_view word, const LedgerHead& head) const {
    run(fmt::format("{} {} {} {}", word, head.ledger_id, head.entries, head.hash));
  }

  /// What it prints. The words are digits and letters only: no shell reads anything else into them.
  std::string run(const std::string& words) const {
    constexpr std::size_t longest_answer = 4096;
    // NOLINTNEXTLINE(cert-env33-c): the command is the user's own, from a list of his, and meant for his shell
    std::FILE* pipe = popen((where_.substr(command_prefix.size()) + " " + words).c_str(), "re");
    if (pipe == nullptr) throw FileError(where_, "is the anchor of the ledger, and cannot be run");
    std::string text;
    std::array<char, 512> piece{};
    while (const std::size_t read = std::fread(piece.data(), 1, piece.size(), pipe)) {
      if (text.size() < longest_answer) text.append(piece.data(), read);
    }
    const int status = pclose(pipe);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
      throw FileError(where_, fmt::format("is the anchor of the ledger, and failed ({})",
                                          WIFEXITED(status) ? WEXITSTATUS(status) : status));
    return text;
  }

  std::string where_;
};

}  // namespace

std::shared_ptr<Anchor> make_anchor(const std::string& where) {
  require_plain_text("anchor", where, longest_place);
  if (where.starts_with(command_prefix)) {
    if (where.size() == command_prefix.size()) throw InvalidOption("anchor", "names no command");
    return std::make_shared<CommandAnchor>(where);
  }
  if (is_postgres_uri(where)) return make_postgres_anchor(where);
  // Taken for a file, a misspelt address would be one that is called by somebody's password.
  if (where.find("://") != std::string::npos)
    throw InvalidOption("anchor", "looks like an address; of these, postgresql:// alone is known");
  // The same file wherever the process goes.
  return std::make_shared<FileAnchor>(fs::absolute(where).lexically_normal().string());
}

std::string AnchorList::find(const std::string& ledger_id) const {
  std::error_code unknown;
  if (!fs::exists(path_, unknown)) return "";
  const Json all = parse_strict_json(
      io::read_small_file(path_, io::format_limit::anchors_bytes, "it says where anchors of ledgers are"),
      {path_});
  StrictObject object(all, {path_});
  return object.has(ledger_id) ? object.text(ledger_id) : "";
}

namespace {

/// One program at a time changes the list; the lock goes with the object.
class ListLock {
 public:
  explicit ListLock(const std::string& path) : file_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (file_ < 0 || flock(file_, LOCK_EX) != 0) throw FileError(path, "cannot be locked");
  }
  ~ListLock() { close(file_); }
  ListLock(const ListLock&) = delete;
  ListLock& operator=(const ListLock&) = delete;

 private:
  int file_;
};

}  // namespace

void AnchorList::set(const std::string& ledger_id, const std::string& where) const {
  std::error_code error;
  fs::create_directories(fs::path(path_).parent_path(), error);
  const ListLock lock(path_ + ".lock");
  Json all = Json::object();
  if (std::error_code unknown; fs::exists(path_, unknown)) {
    all = parse_strict_json(
        io::read_small_file(path_, io::format_limit::anchors_bytes, "it says where anchors of ledgers are"),
        {path_});
    if (!all.is_object()) throw DataError({path_}, "is not an object of ledgers and anchors");
  }
  all[ledger_id] = where;
  io::OutputFile file(path_, {.overwrite = true, .owner_only = true});
  file.write(all.dump(2) + "\n");
  file.commit();
}

FindAnchor AnchorList::finder() const {
  return [list = *this](const std::string& ledger_id) -> std::shared_ptr<Anchor> {
    const std::string where = list.find(ledger_id);
    return where.empty() ? nullptr : make_anchor(where);
  };
}

}  // namespace fogline::privacy
