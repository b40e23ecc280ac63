// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace fogline {

struct NewKey {
  std::string path;             ///< of the secret key, such as "office.key"; the public one goes beside it
  std::string name = {};        ///< what the key calls itself; empty: the file's name without ".key"
  std::string passphrase = {};  ///< empty: the secret key is not encrypted
  std::string replaces = {};    ///< an older secret key, which endorses the new one; or empty
  std::string replaces_passphrase = {};  ///< of the older one, if it is encrypted
  bool overwrite = false;                ///< replace existing files
};

/// A key by which others recognise what was signed.
struct PublicKey {
  std::string name;
  std::string key;   ///< Ed25519, 64 hexadecimal digits
  std::string file;  ///< which whoever checks releases is given
};

/// Makes a key that signs statements, of the operating system's randomness, and writes both files, the secret one
/// readable by its owner alone.
///
///     const fogline::PublicKey office = fogline::make_key({.path = "office.key"});
///     request.set("sign", "office.key");                       // of an encrypted one, request.passphrase() is asked
///     fogline::verify(safe.statement, &ledger, {.trust = {office.file}}, silent);
///
/// Throws InvalidOption, FileError, DataError.
PublicKey make_key(const NewKey& wanted);

/// Takes a key back: nothing that it signed counts any more, for nobody can tell when a stolen key was used. Gives
/// the text (JSON) of a file whose name must end in ".revoked", to be put beside the public keys of whoever checks.
/// Of a secret key it is signed by it; of a public one (.pub), for a secret key that is lost, it is the word of
/// whoever has the file. Throws InvalidOption, FileError, DataError.
std::string revocation(const std::string& key_file, const std::string& reason,
                       const std::string& passphrase = "");

}  // namespace fogline
