// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fogline {

/// A verb of a kind, as requests (releases) and analyses know it.
struct Verb {
  std::string kind;  ///< "place"; "ledger", "network", "sample" or nothing for what is of no kind
  std::string verb;  ///< "release"
  bool releases = false;
};

/// Every verb that there is, kind by kind: for front ends that offer them all.
///
///     for (const fogline::Verb& verb : fogline::verbs()) offer(verb, fogline::schema(verb.kind, verb.verb));
std::vector<Verb> verbs();

/// JSON schema (draft 2020-12) of the fields of a verb. `x-role` tells private inputs, public inputs and outputs apart; `x-unit` tells what a number counts; `x-positional` marks what the command line takes without its name; `x-stated` names the parameters of the
/// statement that tell of a field. Throws InvalidOption.
std::string schema(std::string_view kind, std::string_view verb);

}  // namespace fogline
