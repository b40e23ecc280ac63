// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "random/key.hpp"

namespace fogline::random {

/// Randomness that everybody can repeat: streams that are fixed by a published text. For what is made of noisy answers once
/// they are published, so that whoever has them makes the same.
///
///     const PublicKey key(text_of_the_counts);
///     Stream dice = key.stream("traces order");
///
/// Its secret, which is none, is the SHA-256 of the text; streams follow from it as from any Key. Whoever writes the text
/// cannot choose what follows but by writing another one.
///
/// Hides nothing, and is therefore no Key: what draws noise for private records asks for a Key and cannot be given this, and
/// what promises to be repeatable asks for this and cannot be given a Key, whose streams nobody else has.
class PublicKey : private Key {
 public:
  explicit PublicKey(std::string_view published);

  using Key::stream;
  using Key::streams;
};

}  // namespace fogline::random
