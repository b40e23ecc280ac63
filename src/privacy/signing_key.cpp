// SPDX-License-Identifier: Apache-2.0
#include "privacy/signing_key.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sodium.h>
#include <sys/stat.h>

#include "base/error.hpp"
#include "io/input_file.hpp"
#include "io/output_file.hpp"
#include "privacy/key_json.hpp"
#include "privacy/plain_text.hpp"

namespace fogline::privacy {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<unsigned char>;

constexpr std::string_view secret_format = "fogline secret key", public_format = "fogline public key";
/// Of keys that follow each other; one a year lasts a career.
constexpr std::size_t most_endorsements = 16;
/// What a key file says how hard its passphrase is to guess, at most: a file of a stranger must not take the machine's memory.
constexpr std::uint64_t most_rounds = crypto_pwhash_OPSLIMIT_SENSITIVE;
constexpr std::uint64_t most_memory = crypto_pwhash_MEMLIMIT_SENSITIVE;

constexpr std::string_view endorsement_purpose = "key";

std::string hex_of(std::span<const unsigned char> bytes) {
  std::string text(bytes.size() * 2 + 1, '\0');
  sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
  text.pop_back();
  return text;
}

/// Of a text that is_hex() holds of.
Bytes bytes_of(std::string_view hex) {
  Bytes bytes(hex.size() / 2);
  sodium_hex2bin(bytes.data(), bytes.size(), hex.data(), hex.size(), nullptr, nullptr, nullptr);
  return bytes;
}

/// The length of what it is for makes it unambiguous.
std::string signed_text(std::string_view purpose, std::string_view text) {
  return fmt::format("fogline signature 1\n{}:{}\n", purpose.size(), purpose) + std::string(text);
}

void require_valid(const KeySignature& by) {
  require_plain_text("signature.signer", by.signer, longest_key_name);
  if (!is_hex(by.public_key, crypto_sign_PUBLICKEYBYTES))
    throw InvalidOption("signature.public_key", "is not 64 hexadecimal digits");
  if (!is_hex(by.signature, crypto_sign_BYTES))
    throw InvalidOption("signature.signature", "is not 128 hexadecimal digits");
}

/// Wiped when it goes.
struct Secret {
  Bytes bytes;
  explicit Secret(std::size_t size) : bytes(size) {}
  explicit Secret(Bytes held) : bytes(std::move(held)) {}
  explicit Secret(std::string_view text) : bytes(text.begin(), text.end()) {}
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
  ~Secret() { sodium_memzero(bytes.data(), bytes.size()); }
  Secret(Secret&& other) noexcept : bytes(std::exchange(other.bytes, {})) {}
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
};

Secret key_from(std::string_view passphrase, const Bytes& salt, std::uint64_t rounds, std::uint64_t memory) {
  Secret key(crypto_secretbox_KEYBYTES);
  if (crypto_pwhash(key.bytes.data(), key.bytes.size(), passphrase.data(), passphrase.size(), salt.data(),
                    rounds, memory, crypto_pwhash_ALG_ARGON2ID13) != 0)
    throw Error("there is too little memory to work out the key of a passphrase");
  return key;
}

Json locked(std::span<const unsigned char> seed, std::string_view passphrase) {
  Bytes salt(crypto_pwhash_SALTBYTES), nonce(crypto_secretbox_NONCEBYTES);
  randombytes_buf(salt.data(), salt.size());
  randombytes_buf(nonce.data(), nonce.size());
  const std::uint64_t rounds = crypto_pwhash_OPSLIMIT_MODERATE, memory = crypto_pwhash_MEMLIMIT_MODERATE;
  const Secret key = key_from(passphrase, salt, rounds, memory);
  Bytes box(crypto_secretbox_MACBYTES + seed.size());
  crypto_secretbox_easy(box.data(), seed.data(), seed.size(), nonce.data(), key.bytes.data());
  return {{"salt", hex_of(salt)},
          {"rounds", rounds},
          {"memory_bytes", memory},
          {"nonce", hex_of(nonce)},
          {"box", hex_of(box)}};
}

Secret unlocked(StrictObject object, const AskPassphrase& ask) {
  const Bytes salt = bytes_of(read_hex(object, "salt", crypto_pwhash_SALTBYTES));
  const std::uint64_t rounds = object.count("rounds"), memory = object.count("memory_bytes");
  const Bytes nonce = bytes_of(read_hex(object, "nonce", crypto_secretbox_NONCEBYTES));
  const Bytes box = bytes_of(read_hex(object, "box", crypto_secretbox_MACBYTES + crypto_sign_SEEDBYTES));
  object.finish();
  if (rounds < crypto_pwhash_OPSLIMIT_MIN || rounds > most_rounds) object.fail("rounds", "is out of range");
  if (memory < crypto_pwhash_MEMLIMIT_MIN || memory > most_memory)
    object.fail("memory_bytes", "is out of range");
  const Secret passphrase(ask ? ask() : "");
  if (passphrase.bytes.empty()) throw InvalidOption("passphrase", "is needed: the key is encrypted");
  const Secret key = key_from(passphrase.text(), salt, rounds, memory);
  Secret seed(crypto_sign_SEEDBYTES);
  if (crypto_secretbox_open_easy(seed.bytes.data(), box.data(), box.size(), nonce.data(), key.bytes.data()) !=
      0)
    throw InvalidOption("passphrase", "does not open the key");
  return seed;
}

Json json_of(const PublicKey& key, std::string_view format) {
  Json json{{"format", format}, {"format_version", 1}, {"name", key.name}, {"public_key", key.public_key}};
  if (!key.endorsements.empty()) json["endorsements"] = json_of(key.endorsements);
  return json;
}

PublicKey public_part(StrictObject& object) {
  PublicKey key{.name = object.text("name"),
                .public_key = read_hex(object, "public_key", crypto_sign_PUBLICKEYBYTES),
                .endorsements = read_endorsements(object)};
  try {
    require_plain_text("name", key.name, longest_key_name);
  } catch (const InvalidOption& error) {
    throw DataError(object.spot(), fmt::format("field {}", error.what()));
  }
  if (!are_endorsed(key.public_key, key.endorsements))
    object.fail("endorsements", "do not fit the keys that they name");
  return key;
}

}  // namespace

bool is_hex(std::string_view text, std::size_t bytes) {
  return text.size() == 2 * bytes && std::ranges::all_of(text, [](char digit) {
           return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
         });
}

std::string read_hex(StrictObject& object, const std::string& name, std::size_t bytes) {
  std::string text = object.text(name);
  if (!is_hex(text, bytes)) object.fail(name, fmt::format("is not {} hexadecimal digits", 2 * bytes));
  return text;
}

Json json_of(const KeySignature& by) {
  return {{"signer", by.signer}, {"public_key", by.public_key}, {"signature", by.signature}};
}

Json json_of(const std::vector<KeySignature>& endorsements) {
  Json list = Json::array();
  for (const KeySignature& by : endorsements) list.push_back(json_of(by));
  return list;
}

KeySignature read_key_signature(StrictObject& object) {
  return {.signer = object.text("signer"),
          .public_key = read_hex(object, "public_key", crypto_sign_PUBLICKEYBYTES),
          .signature = read_hex(object, "signature", crypto_sign_BYTES)};
}

std::vector<KeySignature> read_endorsements(StrictObject& object) {
  std::vector<KeySignature> all;
  if (!object.has("endorsements")) return all;
  const Json& list = object.array("endorsements");
  // One text per key: what is empty is not written.
  if (list.empty() || list.size() > most_endorsements)
    object.fail("endorsements", fmt::format("are not 1 to {}", most_endorsements));
  for (const Json& item : list) {
    StrictObject one(item, object.spot(), fmt::format("endorsements[{}]", all.size()));
    all.push_back(read_key_signature(one));
    one.finish();
  }
  return all;
}

std::string read_key_file(const std::string& path) {
  return io::read_small_file(path, io::format_limit::key_bytes, "check the name");
}

namespace {}  // namespace

void require_own_secret(const std::string& path, std::string_view what) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return;
  if ((found.st_mode & (S_IRGRP | S_IROTH | S_IWGRP | S_IWOTH)) == 0) return;
  throw FileError(path, fmt::format("is {} that others than its owner can read or write", what),
                  fmt::format("chmod 600 {}", path));
}

void require_valid(const Signature& signature) {
  require_valid(signature.by);
  if (signature.endorsements.size() > most_endorsements)
    throw InvalidOption("signature.endorsements", fmt::format("are more than {}", most_endorsements));
  for (const KeySignature& by : signature.endorsements) require_valid(by);
}

bool is_signed(std::string_view purpose, std::string_view text, const KeySignature& by) {
  if (!is_hex(by.public_key, crypto_sign_PUBLICKEYBYTES) || !is_hex(by.signature, crypto_sign_BYTES))
    return false;
  const std::string whole = signed_text(purpose, text);
  return crypto_sign_verify_detached(bytes_of(by.signature).data(),
                                     reinterpret_cast<const unsigned char*>(whole.data()), whole.size(),
                                     bytes_of(by.public_key).data()) == 0;
}

bool are_endorsed(const std::string& key, const std::vector<KeySignature>& endorsements) {
  const std::string* before = &key;
  for (const KeySignature& by : endorsements) {
    if (!is_signed(endorsement_purpose, *before, by)) return false;
    before = &by.public_key;
  }
  return true;
}

std::string to_json(const PublicKey& key) {
  return json_of(key, public_format).dump(2) + "\n";
}

PublicKey read_public_key(const std::string& path) {
  const std::string text = read_key_file(path);
  const Json all = parse_strict_json(text, {path});
  StrictObject object(all, {path});
  if (object.text("format") == secret_format)
    throw DataError({path}, "is a secret key", "give the public one, which lies beside it and ends in .pub");
  if (object.text("format") != public_format || object.count("format_version") != 1)
    throw DataError({path}, "is not a public key that this program knows");
  PublicKey key = public_part(object);
  object.finish();
  return key;
}

SigningKey::SigningKey(std::string name, const std::array<unsigned char, seed_bytes>& seed) {
  static_assert(seed_bytes == crypto_sign_SEEDBYTES && secret_bytes == crypto_sign_SECRETKEYBYTES);
  if (sodium_init() < 0) throw Error("libsodium cannot be used on this machine");
  require_plain_text("name", name, longest_key_name);
  std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> made;
  crypto_sign_seed_keypair(made.data(), secret_.data(), seed.data());
  public_key_ = {.name = std::move(name), .public_key = hex_of(made)};
}

SigningKey::SigningKey(SigningKey&& other) noexcept
    : public_key_(std::move(other.public_key_)), secret_(other.secret_) {
  sodium_memzero(other.secret_.data(), other.secret_.size());
}

SigningKey::~SigningKey() {
  sodium_memzero(secret_.data(), secret_.size());
}

SigningKey SigningKey::make(std::string name) {
  if (sodium_init() < 0) throw Error("libsodium cannot be used on this machine");
  std::array<unsigned char, seed_bytes> seed;
  randombytes_buf(seed.data(), seed.size());
  SigningKey key(std::move(name), seed);
  sodium_memzero(seed.data(), seed.size());
  return key;
}

SigningKey SigningKey::make_after(std::string name, const SigningKey& older) {
  if (older.public_key_.endorsements.size() >= most_endorsements)
    throw InvalidOption("replaces", fmt::format("follows {} keys already", most_endorsements));
  SigningKey key = make(std::move(name));
  key.public_key_.endorsements = older.public_key_.endorsements;
  key.public_key_.endorsements.insert(key.public_key_.endorsements.begin(),
                                      older.sign(endorsement_purpose, key.public_key_.public_key).by);
  return key;
}

SigningKey SigningKey::read(const std::string& path, const AskPassphrase& ask, Use use) {
  const std::string text = read_key_file(path);
  const Json all = parse_strict_json(text, {path});
  StrictObject object(all, {path});
  if (object.text("format") == public_format)
    throw DataError({path}, "is a public key, which cannot sign", "give the secret one, which ends in .key");
  if (object.text("format") != secret_format || object.count("format_version") != 1)
    throw DataError({path}, "is not a secret key that this program knows");
  // Who can read a secret key can sign: a key that others can read is nobody's signature, encrypted or not.
  if (use == Use::sign) require_own_secret(path, "a secret key");
  PublicKey said = public_part(object);
  const bool is_locked = object.has("encrypted_seed");
  const Secret seed = is_locked ? unlocked(object.object("encrypted_seed"), ask)
                                : Secret(bytes_of(read_hex(object, "seed", crypto_sign_SEEDBYTES)));
  object.finish();
  std::array<unsigned char, seed_bytes> held;
  std::ranges::copy(seed.bytes, held.begin());
  SigningKey key(said.name, held);
  sodium_memzero(held.data(), held.size());
  if (key.public_key_.public_key != said.public_key)
    throw DataError({path}, "its secret does not belong to its public key");
  key.public_key_ = std::move(said);
  return key;
}

void SigningKey::write(const std::string& path, const WriteOptions& options) const {
  std::array<unsigned char, seed_bytes> seed;
  crypto_sign_ed25519_sk_to_seed(seed.data(), secret_.data());
  Json json = json_of(public_key_, secret_format);
  if (options.passphrase.empty())
    json["seed"] = hex_of(seed);
  else
    json["encrypted_seed"] = locked(seed, options.passphrase);
  sodium_memzero(seed.data(), seed.size());
  io::OutputFile file(path, {.overwrite = options.overwrite, .owner_only = true});
  file.write(json.dump(2) + "\n");
  file.commit();
}

std::string public_key_path(const std::string& secret_path) {
  constexpr std::string_view suffix = ".key";
  const bool has_suffix = secret_path.ends_with(suffix);
  return secret_path.substr(0, secret_path.size() - (has_suffix ? suffix.size() : 0)) + ".pub";
}

PublicKey make_key_files(const NewKey& wanted) {
  if (wanted.path.empty() || wanted.path == "-") throw InvalidOption("output", "needs the name of a file");
  const std::string public_path = public_key_path(wanted.path);
  const std::string name =
      wanted.name.empty() ? std::filesystem::path(public_path).stem().string() : wanted.name;
  const SigningKey key =
      wanted.older == nullptr ? SigningKey::make(name) : SigningKey::make_after(name, *wanted.older);
  // Both can be written before either is: a secret key without its public one is of no use to anybody.
  io::OutputFile shown(public_path, {.overwrite = wanted.overwrite});
  key.write(wanted.path, {.overwrite = wanted.overwrite, .passphrase = wanted.passphrase});
  shown.write(to_json(key.public_key()));
  shown.commit();
  return key.public_key();
}

Signature SigningKey::sign(std::string_view purpose, std::string_view text) const {
  const std::string whole = signed_text(purpose, text);
  std::array<unsigned char, crypto_sign_BYTES> made;
  crypto_sign_detached(made.data(), nullptr, reinterpret_cast<const unsigned char*>(whole.data()),
                       whole.size(), secret_.data());
  return {.by = {.signer = public_key_.name, .public_key = public_key_.public_key, .signature = hex_of(made)},
          .endorsements = public_key_.endorsements};
}

}  // namespace fogline::privacy
