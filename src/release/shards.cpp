// SPDX-License-Identifier: Apache-2.0
#include "release/shards.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "privacy/composition.hpp"
#include "privacy/file_hash.hpp"
#include "privacy/release.hpp"

namespace fogline::release {
namespace {

using Json = nlohmann::ordered_json;

/// May the draft be drawn with this ticket? Expected errors may differ in their last digit from machine to machine, and promise nothing.
bool is_paid_for(privacy::Statement draft, const Ticket& ticket) {
  if (ticket.key.source() == random::Source::seeded) {
    draft.guarantee = privacy::seeded(draft.guarantee);
    draft.promise = privacy::seeded_promise();
  }
  draft.outputs = ticket.statement.outputs;
  draft.outcome = ticket.statement.outcome;
  draft.ledger = ticket.statement.ledger;
  draft.randomness = ticket.statement.randomness;
  draft.expected_error = ticket.statement.expected_error;
  return draft == ticket.statement;
}

}  // namespace

std::string Ticket::to_secret_text() const {
  return Json{{"fogline shard ticket", 1}, {"key", key.to_secret_text()}, {"statement", to_json(statement)}}
      .dump();
}

Ticket Ticket::parse(std::string_view text) {
  const Json read = Json::parse(text, nullptr, false);
  const bool is_ticket = read.is_object() && read.contains("key") && read["key"].is_string() &&
                         read.contains("statement") && read["statement"].is_string() &&
                         read.contains("fogline shard ticket") && read["fogline shard ticket"] == 1;
  if (!is_ticket) throw InvalidOption("ticket", "is none: it is what a charge for shards gives");
  return {.statement = privacy::parse_statement(read["statement"].get<std::string>(), "the ticket"),
          .key = random::Key::from_secret_text(read["key"].get<std::string>())};
}

Ticket charge(Release& request, Caller& caller) {
  request.require_parts();
  return charge_for_parts(request, caller);
}

Shard draw_shard(Release& part, const Ticket& ticket, std::uint64_t first, Caller& caller) {
  part.require_parts();
  part.first_record = first;
  if (!is_paid_for(prepare_part(part, caller), ticket))
    throw InvalidOption(
        "ticket",
        "paid for another release: the fields and public inputs must be those that were charged for");
  const io::LimitScope scope(part.limits.value(caller));  // what is too long to hold is read again
  Shard shard;
  shard.first = first;
  shard.numbers = part.numbers();
  shard.records = part.draw(
                          ticket.key, [&](std::string_view piece) { shard.text += piece; }, caller)
                      .records;
  shard.sha256 = privacy::sha256_of_text(shard.text);
  return shard;
}

privacy::Statement conclude(const Ticket& ticket, std::vector<ShardFile> shards) {
  std::ranges::sort(shards, {}, [](const ShardFile& file) { return file.shard.first; });
  privacy::Statement statement = ticket.statement;
  statement.outputs.clear();
  std::uint64_t next = 0;
  for (const auto& [name, shard] : shards) {
    if (shard.first != next)
      throw InvalidOption("shards", shard.first < next ? "overlap: the same noise was drawn for two records"
                                                       : "leave records out");
    next = shard.first + shard.numbers;
    statement.outputs.push_back({name, shard.sha256, shard.records});
  }
  require_valid(statement);
  sign(statement, ticket.signer.get());
  return statement;
}

void settle(const privacy::Statement& concluded, privacy::LedgerHandle& ledger, Caller& caller) {
  privacy::settle(concluded, ledger.get(), caller.now());
}

}  // namespace fogline::release
