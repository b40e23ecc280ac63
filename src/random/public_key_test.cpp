// SPDX-License-Identifier: Apache-2.0
#include "random/public_key.hpp"

#include <concepts>

#include <gtest/gtest.h>

namespace fogline::random::public_key_test {
namespace {

/// Whoever writes a program of his own needs no more than docs/formats.md says: the SHA-256 of the text is the secret.
TEST(PublicKey, IsTheHashOfTheText) {
  const Key same =
      Key::from_secret_text("seeded:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const PublicKey key("abc");
  EXPECT_EQ(key.stream("x", 3).next64(), same.stream("x", 3).next64());
  EXPECT_EQ(key.streams("x").stream(3).next64(), same.stream("x", 3).next64());
}

TEST(PublicKey, IsAnotherForAnotherText) {
  EXPECT_EQ(PublicKey("1").stream("x").next64(), PublicKey("1").stream("x").next64());
  EXPECT_NE(PublicKey("1").stream("x").next64(), PublicKey("2").stream("x").next64());
  EXPECT_NE(PublicKey("1").stream("x").next64(), SeededKey(1).stream("x").next64());
  EXPECT_NE(PublicKey("").stream("x").next64(), SeededKey(0).stream("x").next64());
}

/// Noise is drawn by who is given a Key, and what everybody must be able to repeat by who is given a PublicKey.
TEST(PublicKey, CannotBeTakenForAKeyOfAReleaseNorTheOtherWayRound) {
  static_assert(!std::convertible_to<PublicKey, Key> && !std::convertible_to<const PublicKey*, const Key*>);
  static_assert(!std::constructible_from<Key, PublicKey> && !std::constructible_from<PublicKey, Key>);
  static_assert(!std::constructible_from<PublicKey, SeededKey>);
}

}  // namespace
}  // namespace fogline::random::public_key_test
