// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fogline/ledger.hpp"
#include "fogline/listener.hpp"
#include "fogline/request.hpp"

namespace fogline {

/// What was drawn for some of the records of a release.
struct Shard {
  std::string
      text;  ///< a header stands in the first shard alone: all texts in their order are the text of the whole
  std::string sha256;         ///< of the text
  std::uint64_t records = 0;  ///< as a statement counts them: of streams, steps
  std::uint64_t first =
      0;  ///< number of its first record in the whole, from 0; of streams, of its first sequence
  std::uint64_t numbers = 0;  ///< how many it takes: the next shard begins at first + numbers
};

/// A shard and the name of the file that it became. Of the text only its hash is used.
struct ShardFile {
  std::string name;
  Shard shard;
};

/// A release that was charged once, and whose records others draw in parts: on other threads, processes or machines.
///
///     fogline::ShardedRelease release(request, ledger, listener);                  // charged; the request has no input and no output
///     std::string secret = release.secret_ticket();                                // to wherever the private records are
///
///     fogline::ShardedRelease elsewhere(secret);
///     fogline::Shard shard = elsewhere.draw(part, 0, listener);                    // part: the same fields, and its records as input
///
///     std::string statement = release.conclude({{"part-0.csv", shard}});
///     fogline::settle(statement, ledger);                                          // once all of it is in place
///
/// The noise of a record follows from the ticket and the record's number: whoever draws it, and however often, gets the same bytes. For places, and streams that
/// protect steps; others need all records at once, and throw InvalidOption.
///
/// DANGER: two shards must never hold different records under one number, or their noise can be subtracted. A shard that is drawn again is of the same records, and shards
/// do not overlap. Whoever cuts the records sees to the first; conclude() refuses the second. A ticket is a SECRET: whoever reads it can undo the noise.
class ShardedRelease {
 public:
  ShardedRelease(Request& request, Ledger& ledger,
                 Listener& listener);                       ///< charges; throws as Request::run()
  explicit ShardedRelease(std::string_view secret_ticket);  ///< throws InvalidOption, DataError
  ~ShardedRelease();
  ShardedRelease(ShardedRelease&&) noexcept;
  ShardedRelease& operator=(ShardedRelease&&) noexcept;

  std::string secret_ticket() const;

  /// Draws for the records of `part`, of which the first has this number in the whole. Throws InvalidOption unless its fields and public inputs are those that were charged for.
  Shard draw(Request& part, std::uint64_t first, Listener& listener) const;

  /// The statement (JSON) of all shards. Throws InvalidOption if two overlap, or records are missing between two or before the first: then do not publish them.
  std::string conclude(const std::vector<ShardFile>& shards) const;

 private:
  struct Impl;
  Impl& impl() const;
  std::unique_ptr<Impl> impl_;
};

/// Tells the ledger what was written for the entry that a statement (JSON) names, once it is in place. Throws Error if that is not an entry of this ledger, or was
/// told before. `now` is seconds since 1970, 0: the machine's clock.
void settle(const std::string& statement, Ledger& ledger, std::int64_t now = 0);

}  // namespace fogline
