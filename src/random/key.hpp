// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "random/stream.hpp"

namespace fogline::random {

enum class Source {
  operating_system,  ///< drawn by getrandom: fit for a release
  seeded             ///< fixed by a seed: for tests and experiments, never private
};

/// The streams of one name, for many indices: the same as Key::stream(name, index), with the secret of the name derived once.
class StreamFamily {
 public:
  Stream stream(std::uint64_t index) const;

  ~StreamFamily();  ///< wipes the secret
  StreamFamily(const StreamFamily&) = default;
  StreamFamily& operator=(const StreamFamily&) = default;

 private:
  friend class Key;
  StreamFamily(const Secret& secret, Tape* tape) : secret_(secret), tape_(tape) {}

  Secret secret_;
  Tape* tape_;
};

/// The one source of randomness: a secret that gives independent streams by name and index.
///
///     Key key = Key::from_operating_system();                 // throws; never falls back
///     Stream noise = key.stream("place", record_index);
///
/// The same key, name and index give the same bits whatever the thread or order; a retried task therefore
/// repeats its noise instead of drawing (and not paying for) fresh noise. Streams of different names have
/// independent secrets (BLAKE2b keyed with the key's secret), streams of different indices different nonces
/// of the cipher.
class Key {
 public:
  static Key from_operating_system();

  Stream stream(std::string_view name, std::uint64_t index = 0) const;
  StreamFamily streams(std::string_view name) const;
  Source source() const { return source_; }

  /// For a part of a release that is drawn elsewhere: whoever reads this can undo the noise. It goes only where the private records may go.
  std::string to_secret_text() const;
  static Key from_secret_text(std::string_view text);  ///< throws InvalidOption

  /// For audits: every stream of this key and of its copies gets this tape.
  void listen(Tape* tape) { tape_ = tape; }

  ~Key();  ///< wipes the secret
  Key(const Key&) = default;
  Key& operator=(const Key&) = default;

 protected:
  Key(const Secret& secret, Source source) : secret_(secret), source_(source) {}

 private:
  Secret secret_;
  Source source_;
  Tape* tape_ = nullptr;
};

/// A key fixed by a number: repeatable, hence not private. A release made with it says so.
class SeededKey : public Key {
 public:
  explicit SeededKey(std::uint64_t seed);
};

}  // namespace fogline::random
