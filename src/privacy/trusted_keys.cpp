// SPDX-License-Identifier: Apache-2.0
#include "privacy/trusted_keys.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "privacy/key_json.hpp"
#include "privacy/plain_text.hpp"

namespace fogline::privacy {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view revocation_format = "fogline revoked key";
constexpr std::string_view public_suffix = ".pub", revoked_suffix = ".revoked";
constexpr std::size_t longest_revocation = 500, public_key_bytes = 32, signature_bytes = 64;

std::string revoked_text(const std::string& public_key, const std::string& reason) {
  return public_key + "\n" + reason;
}

Revocation read_revocation(const std::string& path) {
  const std::string text = read_key_file(path);
  const Json all = parse_strict_json(text, {path});
  StrictObject object(all, {path});
  if (object.text("format") != revocation_format || object.count("format_version") != 1)
    throw DataError({path}, "is not the revocation of a key that this program knows");
  Revocation revoked{.name = object.text("name"),
                     .public_key = read_hex(object, "public_key", public_key_bytes),
                     .reason = object.text("reason"),
                     .signature = {}};
  if (object.has("signature")) revoked.signature = read_hex(object, "signature", signature_bytes);
  object.finish();
  if (!is_plain_text(revoked.name) || revoked.name.size() > longest_key_name)
    object.fail("name", "is not plain");
  if (!is_plain_text(revoked.reason) || revoked.reason.size() > longest_revocation)
    object.fail("reason", "is not plain");
  const KeySignature by{revoked.name, revoked.public_key, revoked.signature};
  if (!revoked.signature.empty() &&
      !is_signed(revocation_purpose, revoked_text(revoked.public_key, revoked.reason), by))
    object.fail("signature", "does not fit: the file was changed");
  return revoked;
}

}  // namespace

Revocation revoke(const PublicKey& key, std::string reason) {
  require_plain_text("reason", reason, longest_revocation);
  return {.name = key.name, .public_key = key.public_key, .reason = std::move(reason), .signature = {}};
}

Revocation revoke(const SigningKey& key, std::string reason) {
  Revocation made = revoke(key.public_key(), std::move(reason));
  made.signature = key.sign(revocation_purpose, revoked_text(made.public_key, made.reason)).by.signature;
  return made;
}

Revocation revoke_key_file(const std::string& path, std::string reason, const AskPassphrase& ask) {
  if (path.ends_with(public_suffix)) return revoke(read_public_key(path), std::move(reason));
  return revoke(SigningKey::read(path, ask, SigningKey::Use::revoke), std::move(reason));
}

std::string to_json(const Revocation& revocation) {
  Json json{{"format", revocation_format},
            {"format_version", 1},
            {"name", revocation.name},
            {"public_key", revocation.public_key},
            {"reason", revocation.reason}};
  if (!revocation.signature.empty()) json["signature"] = revocation.signature;
  return json.dump(2) + "\n";
}

TrustedKeys TrustedKeys::read(const std::vector<std::string>& paths) {
  TrustedKeys trusted;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      trusted.add(path);
      continue;
    }
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(path, error)) files.push_back(entry.path().string());
    if (error) throw FileError(path, "cannot be read (" + error.message() + ")");
    std::erase_if(files, [](const std::string& file) {
      return !file.ends_with(public_suffix) && !file.ends_with(revoked_suffix);
    });
    if (files.empty())
      throw FileError(path, "holds no file that ends in .pub", "put the public keys there that you trust");
    std::ranges::sort(files);
    for (const std::string& file : files) trusted.add(file);
  }
  return trusted;
}

void TrustedKeys::add(const std::string& file) {
  if (fs::exists(file) && !fs::is_regular_file(file)) throw FileError(file, "is no file that holds a key");
  if (file.ends_with(revoked_suffix)) {
    Revocation revoked = read_revocation(file);
    revoked_.emplace(std::move(revoked.public_key), std::move(revoked.reason));
    return;
  }
  // Whoever relies on a key names it by its file: what a key calls itself is up to its owner.
  const PublicKey key = read_public_key(file);
  const std::string name = fs::path(file).stem().string();
  const auto [known, is_new] = names_.emplace(key.public_key, name);
  if (!is_new && known->second != name)
    throw DataError({file},
                    fmt::format("holds the key of {}{} under another name", known->second, public_suffix));
  for (const auto& [other, its_name] : names_)
    if (its_name == name && other != key.public_key)
      throw DataError({file}, "has the name of another key", "give the two files different names");
}

TrustedKeys::Judgement TrustedKeys::judge(std::string_view purpose, std::string_view text,
                                          const Signature& signature) const {
  const KeySignature& by = signature.by;
  if (!is_signed(purpose, text, by) || !are_endorsed(by.public_key, signature.endorsements))
    return {Verdict::does_not_fit, by.signer};
  // From the newest key to the oldest: each stands for the one before, as long as none of them was revoked.
  std::vector<const KeySignature*> keys{&by};
  for (const KeySignature& endorsement : signature.endorsements) keys.push_back(&endorsement);
  for (const KeySignature* key : keys) {
    if (const auto revoked = revoked_.find(key->public_key); revoked != revoked_.end())
      return {Verdict::revoked, key->signer, revoked->second};
    if (const auto known = names_.find(key->public_key); known != names_.end())
      return {Verdict::trusted, known->second};
  }
  return {Verdict::unknown, by.signer};
}

}  // namespace fogline::privacy
