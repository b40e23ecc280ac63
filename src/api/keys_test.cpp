// SPDX-License-Identifier: Apache-2.0
#include "fogline/keys.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "fogline/error.hpp"
#include "fogline/request.hpp"
#include "fogline/verify.hpp"
#include "privacy/test_folder.hpp"

namespace fogline::keys_test {
namespace {

class Keys : public testing::Test {
 protected:
  Request signed_request() const {
    Request request("place");
    request.set("network", "line:9:800").set("epsilon", "1/50").set("anyway", true).set("sign", secret_);
    request.input(ColumnSet().hold("lon", std::vector<double>{0.001}).hold("lat", std::vector<double>{0}));
    return request;
  }
  VerifyCheck::Outcome signature_of(const std::string& statement, const std::string& trusted) {
    for (const VerifyCheck& check :
         verify(statement, nullptr, {.read_map = false, .trust = {trusted}}, listener_))
      if (check.name == "signature") return check.outcome;
    return VerifyCheck::Outcome::not_checked;
  }

  privacy::TestFolder folder_;
  std::string secret_ = folder_.path("office.key");
  Ledger ledger_{folder_.path("ledger")};
  Listener listener_;
};

TEST_F(Keys, SignReleasesThatOthersTrustUntilTheyAreRevoked) {
  ledger_.add_uncapped_dataset("default", 1);
  const PublicKey office = make_key({.path = secret_});
  EXPECT_EQ(office.name, "office");
  EXPECT_EQ(office.key.size(), 64U);
  EXPECT_EQ(office.file, folder_.path("office.pub"));
  const Released safe = signed_request().run(ledger_, listener_);
  EXPECT_EQ(signature_of(safe.statement, office.file), VerifyCheck::Outcome::passed);
  std::ofstream(folder_.path("office.revoked")) << revocation(secret_, "laptop stolen");
  std::filesystem::create_directory(folder_.path("keys"));
  for (const char* name : {"office.pub", "office.revoked"})
    std::filesystem::copy_file(folder_.path(name), folder_.path("keys") + "/" + name);
  EXPECT_EQ(signature_of(safe.statement, folder_.path("keys")), VerifyCheck::Outcome::failed);
}

TEST_F(Keys, AreAskedForTheirPassphrase) {
  ledger_.add_uncapped_dataset("default", 1);
  make_key({.path = secret_, .passphrase = "open sesame"});
  EXPECT_THROW(signed_request().run(ledger_, listener_), InvalidOption);
  Request request = signed_request();
  request.passphrase([] { return std::string("open sesame"); });
  const Released safe = request.run(ledger_, listener_);
  EXPECT_EQ(signature_of(safe.statement, folder_.path("office.pub")), VerifyCheck::Outcome::passed);
  EXPECT_THROW(revocation(secret_, "stolen"), InvalidOption);
  EXPECT_TRUE(nlohmann::json::parse(revocation(secret_, "stolen", "open sesame")).contains("signature"));
  EXPECT_FALSE(nlohmann::json::parse(revocation(folder_.path("office.pub"), "lost")).contains("signature"));
}

TEST_F(Keys, AreEndorsedByTheOnesTheyReplace) {
  ledger_.add_uncapped_dataset("default", 1);
  const PublicKey older = make_key({.path = folder_.path("older.key"), .passphrase = "old"});
  EXPECT_THROW(make_key({.path = secret_, .replaces = folder_.path("older.key")}), InvalidOption);
  make_key({.path = secret_, .replaces = folder_.path("older.key"), .replaces_passphrase = "old"});
  EXPECT_EQ(signature_of(signed_request().run(ledger_, listener_).statement, older.file),
            VerifyCheck::Outcome::passed);
}

TEST_F(Keys, DoNotReplaceFilesUnasked) {
  make_key({.path = secret_});
  EXPECT_THROW(make_key({.path = secret_}), FileError);
  make_key({.path = secret_, .overwrite = true});
  EXPECT_THROW(make_key({.path = folder_.path("none/office.key")}), FileError);
}

}  // namespace
}  // namespace fogline::keys_test
