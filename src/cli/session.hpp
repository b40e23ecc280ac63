// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/progress.hpp"
#include "base/warnings.hpp"
#include "cli/option_set.hpp"
#include "release/caller.hpp"
#include "release/common_fields.hpp"

namespace fogline::cli {

/// Nobody reads standard output any more, as after `fogline claims | head`: a verb that only prints ends quietly. No Error, so that
/// nobody takes it for one; a verb that has done more than print says so (ReleaseCommand).
struct ClosedPipe {};

/// One run of the program: where it prints, how loudly, and with how many threads. Data goes to standard output, everything
/// else to standard error, with the fields it names as a shell spells them (cli/spelling.hpp).
class Session : public release::Caller {
 public:
  Session();
  ~Session() override;

  void declare(
      OptionSet& options);  ///< -q, -v, --no-progress, --threads; --limits, if the command's request has none

  void data(std::string_view text);   ///< to standard output, as it is; throws ClosedPipe, FileError
  void aside(std::string_view text);  ///< a result, to standard error because standard output is taken
  void note(std::string_view text) override;    ///< to standard error, unless -q
  void detail(std::string_view text) override;  ///< to standard error, with -v
  void warn(std::string_view text) override;    ///< to standard error, always
  using Caller::warn;
  void fail(std::string_view text);  ///< "fogline: error: ..." to standard error

  /// The passphrase of a key: the first line of the file that FOGLINE_PASSPHRASE_FILE names; otherwise asked for on the terminal, unseen. Throws InvalidOption
  /// where there is neither.
  std::string passphrase(const std::string& key) const;
  std::string new_passphrase(const std::string& key) const;  ///< the same, asked for twice

  /// A bar with rate and time left, on a terminal, for anything over a second. Also carries Ctrl-C to the task.
  Progress progress() override;
  int threads() const override { return threads_; }
  io::ReadLimits limits() const { return limits_.value(*this); }
  std::int64_t now() const override;
  double seconds() const override;
  std::string temporary_folder() const override;
  std::string cache_folder() const override;  ///< XDG_CACHE_HOME/fogline, or ~/.cache/fogline
  bool is_wanted() const override;
  void enter(release::Stage stage, std::uint64_t entry) override;

 private:
  class Bar;
  std::unique_ptr<Bar> bar_;
  bool quiet_ = false;
  bool verbose_ = false;
  bool no_progress_ = false;
  int threads_ = 0;
  release::LimitsField limits_;
};

/// How far the program is, for an interrupt: what must not be cut short, and what is to be said.
enum class Stage {
  planning,  ///< nothing is charged: whatever runs may be cut short
  charging,  ///< the ledger is being charged, and may be waiting for another process
  drawing,   ///< the budget is spent, no output is in place
  live,      ///< the budget is spent, and answers are out that the statement must tell of
  writing,   ///< outputs are being put in place
  telling,   ///< what was released stands with its statement, and is being reported
  leaving,   ///< the watcher is ending the program
  finished   ///< what was asked for is done, or its failure has been told
};
void enter(Stage stage);
void enter_charged(Stage stage, std::uint64_t entry);  ///< drawing or live, paid by this entry of the ledger

/// Arranges that Ctrl-C and a polite kill are noticed by progress(), within half a second or a read or write that waits. A
/// thread watches over it: work that does not notice is cut short, with its temporary files removed, once that can leave
/// nothing half done. Further signals change nothing: an abrupt end could leave a charge without a word, or an output without
/// a true statement. A closed pipe becomes an ordinary error.
void catch_interrupts();

/// The program was asked to stop.
bool is_interrupted();

}  // namespace fogline::cli
