// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace fogline {

/// Whoever asks, as the library sees him: what he is told while something runs, and what the library does not find out by itself. Functions that are left
/// as they are say nothing, stop nothing, and take all cores.
///
///     struct Terminal : fogline::Listener {
///       void warn(std::string_view text) override { std::cerr << "warning: " << text << "\n"; }
///     };
///
/// Sentences name fields of a request in back quotes: "`reports-per-person` K promises ...". None holds a private value. What a function throws ends the
/// task, and is what the task throws; a ledger and the files stay true.
class Listener {
 public:
  virtual ~Listener() = default;

  virtual void note(std::string_view /*text*/) {}    ///< what he will want to know
  virtual void detail(std::string_view /*text*/) {}  ///< what he may want to know
  virtual void warn(std::string_view /*text*/) {}    ///< what he must know

  /// Now and then, from any thread, one call at a time; `total` is 0 while it is unknown. False asks to stop: nothing more is
  /// drawn, and Cancelled is thrown; a live release ends with what was answered.
  virtual bool progress(std::string_view /*task*/, std::uint64_t /*done*/, std::uint64_t /*total*/) {
    return true;
  }
  /// Asked where there is no progress to tell, as while another process has the ledger locked, and between live answers; from any thread. False is the
  /// same wish.
  virtual bool is_wanted() const { return true; }
  /// Right before the ledger is charged, once for each charge. False ends it: nothing is charged, and Cancelled is thrown. Until here a
  /// release can be left alone at any moment; from here on it has to be waited for.
  virtual bool charging() { return true; }
  virtual int threads() const { return 0; }  ///< 0 (all cores) to 1,024
  virtual double seconds()
      const;  ///< since some moment, never back; the machine's clock if it is left as it is
  virtual std::int64_t now() const;  ///< seconds since 1970; the machine's clock if it is left as it is
};

}  // namespace fogline
