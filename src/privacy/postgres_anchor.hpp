// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "privacy/anchor.hpp"

namespace fogline::privacy {

/// "postgresql://..." or "postgres://..."
bool is_postgres_uri(std::string_view where);

/// An anchor in a PostgreSQL database, named by a URI as libpq reads it: rows of the table fogline_anchor, only ever inserted.
///
///     auto anchor = make_postgres_anchor("postgresql://ledgers.example/fogline");
///     anchor->keep(head, now);  // on the server's disk when it returns
///
/// The connection is made when it is first needed, kept, and made anew once if it broke. A server that does not answer within ten
/// seconds is a FileError. Several threads may use it. libpq reads passwords (~/.pgpass), services and PG* variables by itself.
///
/// Throws InvalidOption, naming `anchor`, for a URI that is malformed or holds a password, which would be kept where others
/// read it; and if Fogline was built without libpq.
std::shared_ptr<Anchor> make_postgres_anchor(const std::string& uri);

}  // namespace fogline::privacy
