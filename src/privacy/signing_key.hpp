// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fogline::privacy {

/// Ed25519, as hexadecimal digits: what a key said of a text.
struct KeySignature {
  std::string signer;      ///< what the key calls itself; who trusts it may call it something else
  std::string public_key;  ///< 64 digits
  std::string signature;   ///< 128 digits
  friend bool operator==(const KeySignature&, const KeySignature&) = default;
};

/// A signature, and how its key came to follow older ones: each of `endorsements` signs the key before it, the first the
/// key of the signature. Who trusts one of the older keys can trust the newest.
struct Signature {
  KeySignature by;
  std::vector<KeySignature> endorsements = {};  ///< at most 16
  friend bool operator==(const Signature&, const Signature&) = default;
};

/// A key by which others recognise what was signed: a file that may be given to anybody.
struct PublicKey {
  std::string name;        ///< plain text of 1 to 100 bytes, such as "office"
  std::string public_key;  ///< 64 hexadecimal digits
  std::vector<KeySignature> endorsements = {};
  friend bool operator==(const PublicKey&, const PublicKey&) = default;
};

/// Throws InvalidOption, naming the field, for anything that is malformed. Says nothing of whether the signatures fit.
void require_valid(const Signature& signature);

/// Does the key stand behind this text? What the text is for is part of what was signed, so that a signature of one kind of text is none of
/// another.
bool is_signed(std::string_view purpose, std::string_view text, const KeySignature& by);

/// Do all of `endorsements` fit, each signing the key before it, the first `key`?
bool are_endorsed(const std::string& key, const std::vector<KeySignature>& endorsements);

std::string to_json(const PublicKey& key);
/// Throws DataError, FileError.
PublicKey read_public_key(const std::string& path);

/// Throws FileError if others than its owner can read or write it; `what` it is, "a secret key". A file that is not there is for its reader to tell.
void require_own_secret(const std::string& path, std::string_view what);

/// Asked for the passphrase of an encrypted key, and only then.
using AskPassphrase = std::function<std::string()>;

/// A secret key, which signs. Made by the operating system's randomness and by libsodium's Ed25519.
///
///     SigningKey office = SigningKey::make("office");
///     office.write("office.key", {.passphrase = "..."});                 // readable by its owner alone
///     Signature said = SigningKey::read("office.key", [] { return "..."; }).sign(statement_purpose, text);
///
/// The same text always gets the same signature. The secret leaves memory with the object.
class SigningKey {
 public:
  static SigningKey make(std::string name);  ///< throws InvalidOption for a name that is not plain
  /// A key that follows `older`, which endorses it: who trusts the older one can trust this one.
  static SigningKey make_after(std::string name, const SigningKey& older);
  enum class Use {
    sign,   ///< a key that others than its owner can read or write is refused
    revoke  ///< such a key is what one revokes
  };
  /// Throws FileError, DataError; InvalidOption `passphrase` if the key is encrypted and nobody can be asked, or the answer is wrong.
  static SigningKey read(const std::string& path, const AskPassphrase& ask = {}, Use use = Use::sign);

  ~SigningKey();
  SigningKey(const SigningKey&) = delete;
  SigningKey& operator=(const SigningKey&) = delete;
  SigningKey(SigningKey&& other) noexcept;
  SigningKey& operator=(SigningKey&&) = delete;

  struct WriteOptions {
    bool overwrite = false;
    std::string passphrase = {};  ///< empty: the file is not encrypted
  };
  void write(const std::string& path, const WriteOptions& options) const;

  const PublicKey& public_key() const { return public_key_; }
  Signature sign(std::string_view purpose, std::string_view text) const;

 private:
  static constexpr std::size_t seed_bytes = 32, secret_bytes = 64;
  SigningKey(std::string name, const std::array<unsigned char, seed_bytes>& seed);

  PublicKey public_key_;
  std::array<unsigned char, secret_bytes> secret_;
};

/// "keys/office.key" -> "keys/office.pub"; any other name gets ".pub" appended.
std::string public_key_path(const std::string& secret_path);

struct NewKey {
  std::string path;                   ///< of the secret key; the public one goes beside it
  std::string name = {};              ///< empty: the file's name without ".key"
  std::string passphrase = {};        ///< empty: not encrypted
  const SigningKey* older = nullptr;  ///< that endorses it
  bool overwrite = false;
};
/// Makes a key and writes both files, the public one last. Throws InvalidOption, FileError.
PublicKey make_key_files(const NewKey& wanted);

inline constexpr std::string_view statement_purpose = "statement";
inline constexpr std::string_view revocation_purpose = "revocation";

}  // namespace fogline::privacy
