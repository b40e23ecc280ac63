// SPDX-License-Identifier: Apache-2.0
#include "privacy/signing_key.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"
#include "privacy/trusted_keys.hpp"

namespace fogline::privacy::signing_key_test {
namespace {

namespace fs = std::filesystem;

class SigningKeyTest : public testing::Test {
 protected:
  std::string text_of(const std::string& path) const {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void replace(const std::string& path, const std::string& from, const std::string& to) const {
    std::string text = text_of(path);
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    std::ofstream(path) << text;
  }
  TestFolder folder_;
  std::string path_ = folder_.path("office.key");
};

TEST_F(SigningKeyTest, SignsWhatItsPublicKeyConfirms) {
  const PublicKey made = make_key_files({.path = path_});
  EXPECT_EQ(made.name, "office");
  EXPECT_EQ(read_public_key(folder_.path("office.pub")), made);
  const SigningKey key = SigningKey::read(path_);
  const Signature said = key.sign("statement", "text");
  EXPECT_EQ(said.by.public_key, made.public_key);
  EXPECT_EQ(said, key.sign("statement", "text")) << "the same text gets the same signature";
  EXPECT_TRUE(is_signed("statement", "text", said.by));
  EXPECT_FALSE(is_signed("statement", "texT", said.by));
  EXPECT_FALSE(is_signed("key", "text", said.by)) << "a signature for one purpose serves no other";
  EXPECT_FALSE(is_signed("statement", "text", {said.by.signer, std::string(64, '0'), said.by.signature}));
  EXPECT_FALSE(is_signed("statement", "text", {said.by.signer, said.by.public_key, "short"}));
  EXPECT_NE(SigningKey::make("office").public_key().public_key, made.public_key);
}

TEST_F(SigningKeyTest, TheSecretIsReadableByItsOwnerAlone) {
  make_key_files({.path = path_});
  EXPECT_EQ(fs::status(path_).permissions() & fs::perms::mask, fs::perms(0600));
  EXPECT_THROW(make_key_files({.path = path_}), FileError) << "a key is not replaced by accident";
  EXPECT_NO_THROW(make_key_files({.path = path_, .overwrite = true}));
  EXPECT_EQ(fs::status(path_).permissions() & fs::perms::mask, fs::perms(0600));
}

/// Whoever can read it can sign.
TEST_F(SigningKeyTest, ASecretThatOthersCanReadDoesNotSign) {
  for (const std::string passphrase : {"", "seven words"}) {
    make_key_files({.path = path_, .passphrase = passphrase, .overwrite = true});
    for (const unsigned mode : {0644U, 0640U, 0604U, 0620U}) {
      fs::permissions(path_, fs::perms(mode));
      try {
        SigningKey::read(path_, [&] { return passphrase; });
        FAIL() << std::oct << mode;
      } catch (const FileError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("chmod 600 " + path_));
      }
    }
    // What others may have copied is what one revokes.
    fs::permissions(path_, fs::perms(0640));
    const auto ask = [] { return std::string("seven words"); };
    EXPECT_EQ(revoke(SigningKey::read(path_, ask, SigningKey::Use::revoke), "copied").public_key,
              SigningKey::read(path_, ask, SigningKey::Use::revoke).public_key().public_key);
    fs::permissions(path_, fs::perms(0600));
    EXPECT_NO_THROW(SigningKey::read(path_, [&] { return passphrase; }));
  }
}

TEST_F(SigningKeyTest, AnEncryptedKeyNeedsItsPassphrase) {
  const PublicKey made = make_key_files({.path = path_, .passphrase = "seven words"});
  EXPECT_EQ(text_of(path_).find("\"seed\""), std::string::npos);
  EXPECT_THROW(SigningKey::read(path_), InvalidOption);
  EXPECT_THROW(SigningKey::read(path_, [] { return "six words"; }), InvalidOption);
  EXPECT_EQ(SigningKey::read(path_, [] { return "seven words"; }).public_key(), made);
}

TEST_F(SigningKeyTest, ANewKeyIsEndorsedByTheOneItReplaces) {
  make_key_files({.path = path_});
  const SigningKey first = SigningKey::read(path_);
  const SigningKey second = SigningKey::make_after("second", first);
  const SigningKey third = SigningKey::make_after("third", second);
  const Signature said = third.sign("statement", "text");
  ASSERT_EQ(said.endorsements.size(), 2U);
  EXPECT_EQ(said.endorsements[0].public_key, second.public_key().public_key);
  EXPECT_EQ(said.endorsements[1].public_key, first.public_key().public_key);
  EXPECT_TRUE(are_endorsed(said.by.public_key, said.endorsements));
  auto forged = said.endorsements;
  std::swap(forged[0], forged[1]);
  EXPECT_FALSE(are_endorsed(said.by.public_key, forged));
  EXPECT_FALSE(are_endorsed(SigningKey::make("other").public_key().public_key, said.endorsements));
}

TEST_F(SigningKeyTest, ADamagedKeyIsRefused) {
  make_key_files({.path = path_});
  EXPECT_THROW(SigningKey::read(folder_.path("office.pub")), DataError) << "it cannot sign";
  EXPECT_THROW(read_public_key(path_), DataError) << "a secret key is not for others";
  EXPECT_THROW(SigningKey::read(folder_.path("none.key")), FileError);
  const std::string good = text_of(path_);
  const auto refused = [&](const std::string& from, const std::string& to) {
    std::ofstream(path_) << good;
    replace(path_, from, to);
    EXPECT_THROW(SigningKey::read(path_), DataError) << to;
  };
  refused("\"format_version\": 1", "\"format_version\": 2");
  refused("\"seed\": \"", "\"seed\": \"00");
  refused("\"name\": \"office\"", "\"name\": \"\"");
  refused("\"name\": \"office\"", "\"name\": \"office\", \"more\": 1");
  refused("\"public_key\": \"", "\"public_key\": \"0");
  std::ofstream(path_) << good.substr(0, good.size() / 2);
  EXPECT_THROW(SigningKey::read(path_), DataError);
  std::ofstream(path_) << std::string(70'000, ' ');
  EXPECT_THROW(SigningKey::read(path_), DataError);
  // A seed of another key.
  std::ofstream(path_) << good;
  const std::size_t seed = good.find("\"seed\": \"") + 9;
  replace(path_, "\"seed\": \"" + good.substr(seed, 2),
          std::string("\"seed\": \"") + (good.substr(seed, 2) == "00" ? "01" : "00"));
  EXPECT_THROW(SigningKey::read(path_), DataError);
}

}  // namespace
}  // namespace fogline::privacy::signing_key_test
