// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "privacy/signing_key.hpp"

namespace fogline::privacy {

/// A key that is not to be relied on any more, whatever it signed and whenever: nobody can tell when a stolen key was used.
struct Revocation {
  std::string name;        ///< of the key
  std::string public_key;  ///< 64 hexadecimal digits
  std::string reason;      ///< plain text, 1 to 500 bytes
  std::string signature;   ///< by the key itself, of key and reason; empty: the word of whoever has the file
};

/// Throws InvalidOption for a reason that is not plain.
Revocation revoke(const SigningKey& key, std::string reason);
Revocation revoke(const PublicKey& key, std::string reason);  ///< for a key that is lost
/// Of a file: a public key if its name ends in .pub, else a secret one, which signs it. Throws FileError, DataError.
Revocation revoke_key_file(const std::string& path, std::string reason, const AskPassphrase& ask = {});
std::string to_json(const Revocation& revocation);

/// The keys that whoever checks a statement relies on: files of public keys and of revocations.
///
///     TrustedKeys trusted = TrustedKeys::read({"keys"});        // every .pub and .revoked of the folder
///     trusted.judge(statement_purpose, text, signature);
class TrustedKeys {
 public:
  /// Files, or folders of which every file that ends in .pub or .revoked is read. Throws FileError, DataError: a file that cannot be read
  /// must not pass for one that says nothing.
  static TrustedKeys read(const std::vector<std::string>& paths);

  enum class Verdict {
    trusted,  ///< by a trusted key, or by one that a trusted key endorsed
    unknown,  ///< it fits, but nobody who is trusted stands behind the key
    revoked,  ///< by a key that was revoked, or endorsed by one only
    does_not_fit
  };
  struct Judgement {
    Verdict verdict;
    std::string
        name;  ///< of a trusted signature: what the trusted file calls the key; else what it calls itself
    std::string reason = {};  ///< of a revoked one
  };
  Judgement judge(std::string_view purpose, std::string_view text, const Signature& signature) const;

  bool empty() const { return names_.empty(); }

 private:
  void add(const std::string& file);

  std::map<std::string, std::string> names_;    // by key
  std::map<std::string, std::string> revoked_;  // reasons by key
};

}  // namespace fogline::privacy
