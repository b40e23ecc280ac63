// SPDX-License-Identifier: Apache-2.0
#include "privacy/trusted_keys.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::privacy::trusted_keys_test {
namespace {

using Verdict = TrustedKeys::Verdict;

class TrustedKeysTest : public testing::Test {
 protected:
  TrustedKeysTest() { std::filesystem::create_directory(keys_); }
  void trust(const SigningKey& key) const {
    write(key.public_key().name + ".pub", to_json(key.public_key()));
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(keys_ + "/" + name) << text;
  }
  TrustedKeys::Judgement judged(const Signature& said) const {
    return TrustedKeys::read({keys_}).judge(statement_purpose, "text", said);
  }
  static Signature signed_by(const SigningKey& key) { return key.sign(statement_purpose, "text"); }

  TestFolder folder_;
  std::string keys_ = folder_.path("keys");
  SigningKey office_ = SigningKey::make("office");
};

TEST_F(TrustedKeysTest, TrustsKeysOfAFolderAndNobodyElse) {
  trust(office_);
  write("README", "not a key, and not read");
  EXPECT_EQ(judged(signed_by(office_)).verdict, Verdict::trusted);
  EXPECT_EQ(judged(signed_by(office_)).name, "office");
  EXPECT_EQ(judged(signed_by(SigningKey::make("office"))).verdict, Verdict::unknown);
  EXPECT_EQ(TrustedKeys().judge(statement_purpose, "text", signed_by(office_)).verdict, Verdict::unknown);
  Signature forged = signed_by(office_);
  forged.by.signature.front() = forged.by.signature.front() == '0' ? '1' : '0';
  EXPECT_EQ(judged(forged).verdict, Verdict::does_not_fit);
}

TEST_F(TrustedKeysTest, RevokesByTheSecretKeyOrByThePublicOne) {
  const std::string secret = folder_.path("lab.key"), shown = folder_.path("lab.pub");
  make_key_files({.path = secret, .passphrase = "open"});
  const auto ask = [] { return std::string("open"); };
  const Revocation own = revoke_key_file(secret, "stolen", ask);
  EXPECT_FALSE(own.signature.empty());
  EXPECT_EQ(own.public_key, read_public_key(shown).public_key);
  EXPECT_EQ(own.reason, "stolen");
  const Revocation lost = revoke_key_file(shown, "lost");
  EXPECT_TRUE(lost.signature.empty());
  EXPECT_EQ(lost.public_key, own.public_key);
  EXPECT_THROW(revoke_key_file(secret, "stolen"), InvalidOption) << "it is encrypted";
  EXPECT_THROW(revoke_key_file(folder_.path("none.pub"), "lost"), FileError);
}

TEST_F(TrustedKeysTest, TrustsWhatAnOlderKeyEndorsed) {
  trust(office_);
  const SigningKey second = SigningKey::make_after("second", office_);
  const SigningKey third = SigningKey::make_after("third", second);
  EXPECT_EQ(judged(signed_by(third)).verdict, Verdict::trusted);
  EXPECT_EQ(judged(signed_by(third)).name, "office");
  write("second.revoked", to_json(revoke(second, "stolen")));
  EXPECT_EQ(judged(signed_by(third)).verdict, Verdict::revoked) << "whoever stole it could endorse any key";
  Signature claimed = signed_by(SigningKey::make("thief"));
  claimed.endorsements = signed_by(second).endorsements;
  EXPECT_EQ(judged(claimed).verdict, Verdict::does_not_fit) << "an endorsement is of one key";
}

TEST_F(TrustedKeysTest, ARevokedKeyCountsNoMoreWhoeverSaysSo) {
  trust(office_);
  write("office.revoked", to_json(revoke(office_, "laptop stolen")));
  EXPECT_EQ(judged(signed_by(office_)).verdict, Verdict::revoked);
  EXPECT_EQ(judged(signed_by(office_)).reason, "laptop stolen");
  // Of a key that is lost nobody can sign it.
  write("office.revoked", to_json(revoke(office_.public_key(), "lost")));
  EXPECT_EQ(judged(signed_by(office_)).verdict, Verdict::revoked);
  // One that was changed is neither passed over nor believed.
  Revocation changed = revoke(office_, "laptop stolen");
  changed.reason = "moved away";
  write("office.revoked", to_json(changed));
  EXPECT_THROW(judged(signed_by(office_)), DataError);
}

/// Whoever is trusted as himself cannot sign as somebody else.
TEST_F(TrustedKeysTest, AKeyIsCalledWhatItsFileIsCalled) {
  trust(office_);
  const SigningKey mallory = SigningKey::make("office");
  write("mallory.pub", to_json(mallory.public_key()));
  EXPECT_EQ(judged(signed_by(mallory)).name, "mallory");
  EXPECT_EQ(judged(signed_by(office_)).name, "office");
  write("aaa.pub", to_json(mallory.public_key()));
  EXPECT_THROW(judged(signed_by(mallory)), DataError) << "one key under two names";
  std::filesystem::create_directory(folder_.path("more"));
  std::ofstream(folder_.path("more/office.pub")) << to_json(mallory.public_key());
  EXPECT_THROW(TrustedKeys::read({keys_ + "/office.pub", folder_.path("more/office.pub")}), DataError);
}

TEST_F(TrustedKeysTest, AFileThatCannotBeReadIsNotPassedOver) {
  EXPECT_THROW(TrustedKeys::read({keys_}), FileError) << "an empty folder";
  EXPECT_THROW(TrustedKeys::read({folder_.path("none.pub")}), FileError);
  write("broken.pub", "{");
  EXPECT_THROW(TrustedKeys::read({keys_}), DataError);
  EXPECT_THROW(revoke(office_, ""), InvalidOption);
  EXPECT_THROW(revoke(office_, "two\nlines"), InvalidOption);
}

}  // namespace
}  // namespace fogline::privacy::trusted_keys_test
