// SPDX-License-Identifier: Apache-2.0
#include "fogline/shards.hpp"

#include <chrono>

#include "api/ledger_impl.hpp"
#include "api/listening_caller.hpp"
#include "api/request_impl.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"
#include "privacy/release.hpp"
#include "release/shards.hpp"

namespace fogline {

struct ShardedRelease::Impl {
  release::Ticket ticket;
};

ShardedRelease::Impl& ShardedRelease::impl() const {
  if (!impl_) throw Error("this release was moved to another object");
  return *impl_;
}

ShardedRelease::ShardedRelease(Request& request, Ledger& ledger, Listener& listener) {
  release::Release& asked = request.filled();
  asked.to.ledger.handle = &ledger.impl().handle;
  asked.to.output.receive = [](std::string_view) {};  // others will have it
  api::ListeningCaller caller(listener);
  on_threads(caller.threads(),
             [&] { impl_ = std::make_unique<Impl>(Impl{.ticket = release::charge(asked, caller)}); });
}

ShardedRelease::ShardedRelease(std::string_view secret_ticket)
    : impl_(std::make_unique<Impl>(Impl{.ticket = release::Ticket::parse(secret_ticket)})) {}
ShardedRelease::~ShardedRelease() = default;
ShardedRelease::ShardedRelease(ShardedRelease&&) noexcept = default;
ShardedRelease& ShardedRelease::operator=(ShardedRelease&&) noexcept = default;

std::string ShardedRelease::secret_ticket() const {
  return impl().ticket.to_secret_text();
}

Shard ShardedRelease::draw(Request& part, std::uint64_t first, Listener& listener) const {
  api::ListeningCaller caller(listener);
  release::Shard drawn;
  on_threads(caller.threads(),
             [&] { drawn = release::draw_shard(part.filled(), impl().ticket, first, caller); });
  return {.text = std::move(drawn.text),
          .sha256 = std::move(drawn.sha256),
          .records = drawn.records,
          .first = drawn.first,
          .numbers = drawn.numbers};
}

std::string ShardedRelease::conclude(const std::vector<ShardFile>& shards) const {
  std::vector<release::ShardFile> files;
  for (const auto& [name, shard] : shards)
    files.push_back({name,
                     {.text = {},
                      .sha256 = shard.sha256,
                      .records = shard.records,
                      .first = shard.first,
                      .numbers = shard.numbers}});
  return to_json(release::conclude(impl().ticket, std::move(files)));
}

void settle(const std::string& statement, Ledger& ledger, std::int64_t now) {
  const auto clock = std::chrono::system_clock::now().time_since_epoch();
  privacy::settle(privacy::parse_statement(statement, "the statement"), ledger.impl().handle.get(),
                  now != 0 ? now : std::chrono::duration_cast<std::chrono::seconds>(clock).count());
}

}  // namespace fogline
