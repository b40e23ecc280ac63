// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fogline::privacy {

/// Where a ledger stands: how many entries, and the hash of the last. Written down elsewhere, it shows later
/// that nothing before it was changed.
struct LedgerHead {
  std::string ledger_id;
  std::uint64_t entries = 0;
  std::string hash;
  friend bool operator==(const LedgerHead&, const LedgerHead&) = default;
};

/// A second place that remembers where a ledger stood. Whoever can write a ledger can put back an older copy of it, which is as
/// good as new; here he would have to reach two places.
///
///     std::shared_ptr<Anchor> anchor = make_anchor("/mnt/elsewhere/anchor.log");
///     anchor->keep(head, now);                          // after each entry, before anything is drawn
///     anchor->kept(id);                                 // what must still be in the chain
///
/// Throws FileError if the place cannot be read or written: a ledger whose anchor is not at hand is not charged.
class Anchor {
 public:
  virtual ~Anchor() = default;
  virtual const std::string& where() const = 0;  ///< as make_anchor() takes it
  /// The longest head that was kept since the last time the ledger was accepted; none if nothing was.
  virtual std::optional<LedgerHead> kept(const std::string& ledger_id) = 0;
  virtual void keep(const LedgerHead& head, std::int64_t time_unix_s) = 0;
  /// Forgets what was kept before, and keeps this.
  virtual void accept(const LedgerHead& head, std::int64_t time_unix_s) = 0;
};

/// A file, made if it is not there; a folder, in which each ledger has a file; "postgresql://HOST/DATABASE"; or "command:PROGRAM ARGUMENTS", which a shell runs with `kept ID`
/// (prints "ENTRIES HASH", or nothing), `keep ID ENTRIES HASH` or `accept ID ENTRIES HASH` behind its arguments. Throws InvalidOption, naming `anchor`.
std::shared_ptr<Anchor> make_anchor(const std::string& where);

/// Which anchor a ledger has, by its id; null if it has none that is known here.
using FindAnchor = std::function<std::shared_ptr<Anchor>(const std::string& ledger_id)>;

/// Where the anchors of a user's ledgers are: a file of his own, and not the ledger, for a ledger that comes from a stranger must not name files to be
/// written and programs to be run.
///
///     AnchorList mine("~/.local/share/fogline/anchors.json");
///     mine.set(ledger.id(), "/mnt/elsewhere/anchor.log");
///     Ledger again("my.ledger", {.anchor = mine.finder()});
class AnchorList {
 public:
  explicit AnchorList(std::string path) : path_(std::move(path)) {}
  /// Empty if it knows none. Throws FileError, DataError.
  std::string find(const std::string& ledger_id) const;
  void set(const std::string& ledger_id, const std::string& where) const;
  FindAnchor finder() const;

 private:
  std::string path_;
};

}  // namespace fogline::privacy
