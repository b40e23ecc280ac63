// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/progress.hpp"
#include "base/warnings.hpp"

namespace fogline::release {

/// How far a release is, for whoever may have to end the process.
enum class Stage {
  planning,  ///< nothing is charged: whatever runs may be cut short
  charging,  ///< the ledger is being charged, and may be waiting for another process
  drawing,   ///< the budget is spent, no output is in place
  waiting,   ///< for the next record; those before it are answered, and nothing is charged for this one
  live,      ///< the budget is spent, and answers are out that the statement must tell of
  writing,   ///< outputs are being put in place
  telling    ///< what was released stands with its statement, and is being reported
};

/// The front end that asked, as the core sees it: one channel for everything that is said, and what the core does not do
/// by itself (threads, progress, the clock).
class Caller {
 public:
  virtual ~Caller() = default;

  virtual void note(std::string_view text) = 0;    ///< what whoever asked will want to know
  virtual void detail(std::string_view text) = 0;  ///< only if he asked for details; may be empty
  virtual void warn(std::string_view text) = 0;    ///< what he must know
  void warn(const Warnings& warnings);             ///< one warning for each
  void warn_once(const std::string& text);         ///< however often it comes up

  virtual Progress progress() { return {}; }  ///< also carries the wish to stop
  virtual int threads() const { return 0; }   ///< 0: all cores
  virtual std::int64_t now() const = 0;       ///< seconds since 1970
  /// Since some moment, to tell how long something took; always 0: nobody keeps time.
  virtual double seconds() const { return 0; }
  /// For files that are gone when it is over.
  virtual std::string temporary_folder() const { return "/tmp"; }
  /// Where public things are kept that take long to make (release/prepared_places.hpp); empty: nowhere.
  virtual std::string cache_folder() const { return {}; }
  virtual bool is_wanted() const { return true; }
  /// `entry` of the ledger is spent; 0: none, or that of a seeded run, which costs nothing.
  virtual void enter(Stage /*stage*/, std::uint64_t /*entry*/) {}

 private:
  std::set<std::string> warned_;
};

}  // namespace fogline::release
