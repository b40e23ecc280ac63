// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <fmt/format.h>

#include "cli/blocks.hpp"
#include "cli/verbs.hpp"
#include "privacy/signing_key.hpp"

namespace fogline::cli {
namespace {

class KeyMake : public Command {
 public:
  CommandInfo info() const override {
    return {{"key", "make"},
            "Make a key that signs statements, and the public key by which others recognise it",
            "Writes two files: the secret key, readable by you alone, and beside it the public one "
            "(office.key and "
            "office.pub), which you give to whoever checks your releases. A release signs its statement with "
            "--sign "
            "office.key; fogline verify --trust office.pub then names who answers for it. The keys are "
            "Ed25519.\n\n"
            "With --replaces the new key is endorsed by an older one: who trusts the older public key trusts "
            "what the new "
            "one signs. A key that is lost or stolen is taken back with fogline key revoke.",
            {{"a key, and a second one that follows it",
              "fogline key make -o office.key && fogline key make -o office2.key --replaces office.key"},
             {"encrypted; a script has its passphrase in a file",
              "(umask 077 && echo 'seven words that nobody would guess here' > phrase) && "
              "FOGLINE_PASSPHRASE_FILE=phrase "
              "fogline key make -o "
              "safe.key --encrypt"}}};
  }

  void declare(OptionSet& options) override {
    options.group("Key");
    options.value("-o,--output", "FILE", path_, "the secret key; the public one goes beside it").required();
    options.value("--name", "NAME", name_, "what the key calls itself; otherwise the file's name");
    options.flag("--encrypt", encrypt_, "encrypt the secret key with a passphrase, which is asked for");
    options.value("--replaces", "KEY", older_, "an older secret key, which endorses the new one");
    options.flag("--overwrite", overwrite_, "replace existing files");
  }

  int run(Session& session) override {
    std::optional<privacy::SigningKey> older;
    if (!older_.empty())
      older.emplace(privacy::SigningKey::read(older_, [&] { return session.passphrase(older_); }));
    const privacy::PublicKey made =
        privacy::make_key_files({.path = path_,
                                 .name = name_,
                                 .passphrase = encrypt_ ? session.new_passphrase(path_) : "",
                                 .older = older ? &*older : nullptr,
                                 .overwrite = overwrite_});
    session.note(
        fields({{"secret key", path_ + (!encrypt_ ? ", not encrypted: keep it to yourself" : ", encrypted")},
                {"public key", privacy::public_key_path(path_)},
                {"name", made.name},
                {"key", made.public_key}}));
    return 0;
  }

 private:
  std::string path_, name_, older_;
  bool overwrite_ = false, encrypt_ = false;
};

}  // namespace

std::unique_ptr<Command> key_make() {
  return std::make_unique<KeyMake>();
}

}  // namespace fogline::cli
