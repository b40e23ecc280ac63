// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "privacy/statement.hpp"
#include "random/key.hpp"
#include "release/driver.hpp"

namespace fogline::release {

/// A release that is paid for, and whose records are drawn in parts by whoever has them: shards.
///
/// SECRET, all of it: whoever has the key can undo the noise. It goes only where the private records may go, and is kept no longer than the release takes.
struct Ticket {
  privacy::Statement statement;  ///< complete but for outputs and outcome
  random::Key key;
  std::shared_ptr<const privacy::SigningKey> signer = {};  ///< of whoever charged; goes nowhere else

  std::string to_secret_text() const;
  static Ticket parse(std::string_view text);  ///< throws DataError, InvalidOption
};

/// Everything up to the charge, without the records: checks the request, asks the ledger, reads public inputs, builds the mechanism, charges once.
///
///     Ticket ticket = charge(*request, caller);                    // on one machine
///     Shard first = draw_shard(*part, ticket, 0, caller);          // on any machine, part->from holding the first n records
///     Shard second = draw_shard(*other, ticket, first.numbers, caller);
///     privacy::Statement statement = conclude(ticket, {{"part-0.csv", first}, {"part-1.csv", second}});
///
/// The request has no input and no output. Throws as release() does, and InvalidOption for what needs all records at once: kinds whose records are counted together
/// (traces), are one (path) or may be told twice if nobody compares them (weights), and fields such as `reports-per-person`.
Ticket charge(Release& request, Caller& caller);

/// What was drawn for some of the records.
struct Shard {
  std::string
      text;  ///< the header stands in the first shard alone: all texts in their order are the text of the whole
  std::string sha256 = {};
  std::uint64_t records = 0;  ///< as a statement counts them: of streams, steps
  std::uint64_t first = 0;    ///< number of its first record in the whole; of streams, of its first sequence
  std::uint64_t numbers = 0;  ///< how many it takes: the next shard begins at first + numbers
};

/// Draws for the records of `part`, of which the first is number `first` (from 0) of the whole. The noise of a record follows from the key and its number: whoever draws
/// it, on however many threads and however often, gets the same bytes.
///
/// DANGER: the same noise on two different records tells their difference. Two shards must never hold different records under one number: a shard that is drawn again
/// is of the same records, and shards do not overlap. Nobody but whoever cuts the records can see to the first; conclude() refuses the second.
///
/// Throws InvalidOption unless the request promises exactly what the ticket paid for, from the same public inputs, and DataError if one of them changes meanwhile.
/// Draws nothing then.
Shard draw_shard(Release& part, const Ticket& ticket, std::uint64_t first, Caller& caller);

/// A shard and the name of the file that it became. Of the text only its hash is used.
struct ShardFile {
  std::string name;
  Shard shard;
};

/// The statement of all shards. Throws InvalidOption if two overlap, or records are missing between two or before the first: then do not publish them.
privacy::Statement conclude(const Ticket& ticket, std::vector<ShardFile> shards);

/// Tells the ledger what was written, once the shards and their statement are in place. Throws Error if it is another ledger, or was told before.
void settle(const privacy::Statement& concluded, privacy::LedgerHandle& ledger, Caller& caller);

}  // namespace fogline::release
