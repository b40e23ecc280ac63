// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "fogline/column_set.hpp"
#include "fogline/field_values.hpp"
#include "fogline/ledger.hpp"
#include "fogline/listener.hpp"
#include "fogline/released.hpp"

namespace fogline {

namespace release {
class Release;
}

/// A release that is asked for: its kind, its fields, where the private records are and where the output goes.
///
///     fogline::Request request("place");
///     request.set("network", "lattice:20x20:3000").set("epsilon", "1/100").set("dataset", "riders");
///     request.input(fogline::ColumnSet().borrow("lon", std::span(lon)).borrow("lat", std::span(lat)));
///     fogline::Ledger ledger("my.ledger");                          // in which the dataset "riders" was declared
///     fogline::Listener silent;
///     fogline::Released safe = request.run(ledger, silent);
///     safe.columns().numbers("lon");
///
/// Fields, their types, ranges and defaults are those of the command line; schema() lists them. Nothing is checked before run(), which throws
/// InvalidOption with the field, and takes the same steps for whoever asks: it checks the request, asks the ledger, reads the records, charges, draws, writes.
/// Whatever it throws before the charge leaves nothing charged and nothing written.
class Request : public HasFields<Request> {
 public:
  /// Kinds: place, stream, path, weights, traces. Verbs: release; weights also has distances. Throws InvalidOption.
  explicit Request(std::string_view kind, std::string_view verb = "release");
  ~Request();
  Request(Request&&) noexcept;
  Request& operator=(Request&&) noexcept;

  /// The private records as columns, instead of the field `input`. What the set borrows must outlive run().
  Request& input(ColumnSet columns);
  /// The same for a stream that is answered while it arrives: `more` gives the next bytes of a CSV text, and nothing at its end.
  Request& input(std::function<std::string()> more);
  /// Takes the pieces of the output as they are drawn, instead of a file (field `output`) or of Released::text, where it goes if nothing else is said.
  Request& receive(std::function<void(std::string_view)> piece);

  /// Gives the passphrase of the key that signs (field `sign`); asked only if that is encrypted. Without one, an
  /// encrypted key is refused.
  Request& passphrase(std::function<std::string()> ask);

  std::string schema() const;  ///< JSON schema of the fields

  /// Takes the steps before the records: throws what run() would throw whatever they hold, such as BudgetError. Reads no private file, and charges nothing. For
  /// whoever has to fetch or convert records, and must not if they cannot be released. Good for one of ask() and run().
  void ask(Ledger& ledger, Listener& listener);

  /// Once: another release is another request; only fields that were refused (InvalidOption) may be set again, and the same request run. Throws Error types, and what
  /// callbacks throw; after the charge the listener is warned that the budget is spent. A live release that is asked to stop ends, and is what was answered.
  Released run(Ledger& ledger, Listener& listener);

 private:
  friend class ShardedRelease;
  struct Impl;
  Impl& impl() const;          // throws Error for a request that was moved from
  release::Release& filled();  // with its fields
  std::unique_ptr<Impl> impl_;
};

}  // namespace fogline
