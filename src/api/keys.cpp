// SPDX-License-Identifier: Apache-2.0
#include "fogline/keys.hpp"

#include <optional>

#include "privacy/signing_key.hpp"
#include "privacy/trusted_keys.hpp"

namespace fogline {

PublicKey make_key(const NewKey& wanted) {
  std::optional<privacy::SigningKey> older;
  if (!wanted.replaces.empty())
    older.emplace(privacy::SigningKey::read(wanted.replaces, [&] { return wanted.replaces_passphrase; }));
  const privacy::PublicKey made = privacy::make_key_files({.path = wanted.path,
                                                           .name = wanted.name,
                                                           .passphrase = wanted.passphrase,
                                                           .older = older ? &*older : nullptr,
                                                           .overwrite = wanted.overwrite});
  return {.name = made.name, .key = made.public_key, .file = privacy::public_key_path(wanted.path)};
}

std::string revocation(const std::string& key_file, const std::string& reason,
                       const std::string& passphrase) {
  return to_json(privacy::revoke_key_file(key_file, reason, [&] { return passphrase; }));
}

}  // namespace fogline
