// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "io/output_file.hpp"
#include "privacy/trusted_keys.hpp"
#include "release/analyses/written_file.hpp"

namespace fogline::cli {
namespace {

class KeyRevoke : public Command {
 public:
  CommandInfo info() const override {
    return {{"key", "revoke"},
            "Take a key back: nothing that it signed counts any more",
            "Writes a file, office.revoked, to be put beside the public keys of whoever checks your "
            "releases: fogline verify "
            "--trust then refuses what the key signed, whenever that was, for nobody can tell when a stolen "
            "key was "
            "used. Made of the secret key it is signed by it and can be passed on; made of the public key, "
            "for a secret one "
            "that is lost, it is the word of whoever has the file.\n\n"
            "To go on to a new key while the old one's signatures stand, do not revoke: fogline key make "
            "--replaces.",
            {{"a stolen key",
              "fogline key make -o office.key && fogline key revoke office.key --reason 'laptop stolen' -o "
              "office.revoked"},
             {"a lost one, of which the public part is left",
              "fogline key make -o lost.key && fogline key revoke lost.pub --reason 'lost in a move' -o "
              "lost.revoked"}}};
  }

  void declare(OptionSet& options) override {
    options.positional("KEY", key_, "the secret key, or the public one").required();
    options.group("Key");
    options.value("--reason", "TEXT", reason_, "why, for whoever reads it").required();
    options.value("-o,--output", "FILE", output_, "the revocation; its name ends in .revoked").required();
    options.flag("--overwrite", overwrite_, "replace an existing file");
  }

  int run(Session& session) override {
    if (!output_.ends_with(".revoked"))
      throw InvalidOption("output", "must end in .revoked, or nobody would find it among public keys");
    release::require_other_file(output_, {key_});
    const privacy::Revocation made =
        privacy::revoke_key_file(key_, reason_, [&] { return session.passphrase(key_); });
    io::OutputFile file(output_, {.overwrite = overwrite_});
    file.write(to_json(made));
    file.commit();
    session.note(fmt::format("{}: the key of '{}' is revoked for whoever has this file{}", output_, made.name,
                             made.signature.empty() ? "; it is not signed" : ""));
    return 0;
  }

 private:
  std::string key_, reason_, output_;
  bool overwrite_ = false;
};

}  // namespace

std::unique_ptr<Command> key_revoke() {
  return std::make_unique<KeyRevoke>();
}

}  // namespace fogline::cli
