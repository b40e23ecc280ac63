// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cli/blocks.hpp"
#include "cli/usage_error.hpp"
#include "cli/verbs.hpp"
#include "release/analyses/scratch_folder.hpp"
#include "service/service.hpp"

namespace fogline::cli {
namespace {

/// Tells whoever started the program (systemd, with Type=notify) how far it is. That nobody listens is no error.
void notify(std::string_view state) {
  const char* name = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{};
  if (name == nullptr || *name == '\0' || std::strlen(name) >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, name);
  if (*name == '@') address.sun_path[0] = '\0';  // a name that is no file
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + std::strlen(name));
  const int to = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (to < 0) return;
  sendto(to, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), size);
  close(to);
}

class Serve : public Command {
 public:
  CommandInfo info() const override {
    return {
        {"serve"},
        "Answer requests of apps over HTTP, with a budget for each person",
        "Reads its settings, builds or loads the mechanism, and answers positions with released ones: POST "
        "/v1/place/release. Each answer is charged to the subject that it is for, durably, before it is "
        "drawn, "
        "and kept before it leaves. A subject that spent its budget has its latest answer, or is refused, as "
        "the settings say. The interface describes itself at /openapi.json; docs/service.md is its "
        "manual.\n\n"
        "Who may ask shows a token. --new-token makes one: it is printed once, and the settings hold its "
        "hash. "
        "The program stands behind a reverse proxy, which does encryption. SIGTERM ends it when requests "
        "under "
        "way are answered.",
        {{"a token for an app", "fogline serve --new-token app"},
         {"are these settings right?",
          "printf 'ledger = \"s.ledger\"\\ncap = \"epsilon 0.1 per metre per subject in 24 "
          "h\"\\n[place]\\nnetwork "
          "= \"city:1\"\\nepsilon = \"0.02\"\\n' > s.toml && fogline serve --config s.toml --check"}}};
  }

  void declare(OptionSet& options) override {
    options.value("--config", "FILE", config_, "the settings, in TOML");
    options.flag("--check", check_, "build the mechanism and look at the ledger, and end");
    options.value("--new-token", "NAME", new_token_, "print a new token, and what the settings hold of it");
    options.flag("--openapi", openapi_, "print the interface as OpenAPI 3.1");
  }

  int run(Session& session) override {
    if (openapi_) {
      session.data(service::openapi());
      return 0;
    }
    if (!new_token_.empty()) return make_token(session);
    if (config_.empty()) throw UsageError("--config FILE is needed, or --new-token NAME for a token");
    const service::Settings settings = service::read_settings(config_);
    // A cap that is only looked at is not declared: its window could not be changed any more.
    std::optional<release::ScratchFolder> scratch;
    if (check_ && !is_declared(settings)) scratch.emplace(session.temporary_folder());
    release::LedgerFields fields;
    fill_in(fields);  // where the user's anchors are
    // While requests are answered, the end waits for the ledger, and not the ledger for the end.
    privacy::LedgerHandle ledger(
        scratch ? scratch->path() + "/check.ledger" : settings.ledger,
        [this, &session] { return is_serving_ || session.is_wanted(); }, fields.anchors);
    service::Service service(settings, ledger, session);
    if (check_) {
      service.prepare();
      session.note("the settings are right");
      return 0;
    }
    serve(session, service);
    return 0;
  }

 private:
  static bool is_declared(const service::Settings& settings) {
    std::error_code unknown;
    if (!std::filesystem::exists(settings.ledger, unknown)) return false;
    privacy::Ledger ledger(settings.ledger, {.access = privacy::Ledger::Access::existing});
    return ledger.books().dataset(settings.dataset).is_declared();
  }

  int make_token(Session& session) const {
    const std::string token = service::new_token();
    session.data(token + "\n");
    session.note(fmt::format(
        "the token is shown once; the settings hold\n\n[[token]]\nname = \"{}\"\nsha256 = \"{}\"\nscopes = "
        "[\"release\", \"budget\"]",
        new_token_, service::hash_of_token(token)));
    return 0;
  }

  void serve(Session& session, service::Service& service) {
    service::HttpServer server(service.server_options(),
                               [&service](const service::HttpRequest& request, service::Respond respond) {
                                 service.handle(request, std::move(respond));
                               });
    session.note(server.port() == 0 ? std::string("listening on the socket; not ready yet")
                                    : fmt::format("listening on port {}; not ready yet", server.port()));
    service.prepare();
    is_serving_ = true;
    session.note("ready");
    notify("READY=1");
    constexpr std::chrono::milliseconds look_again{50};  // a signal is seen so late
    while (session.is_wanted()) std::this_thread::sleep_for(look_again);
    // What is under way is answered, and that may take longer than an interrupt usually waits.
    enter(Stage::writing);
    notify("STOPPING=1");
    service.stop();
    server.stop();
    session.note("ended; what was asked before was answered");
  }

  std::string config_, new_token_;
  bool check_ = false, openapi_ = false;
  std::atomic<bool> is_serving_ = false;
};

}  // namespace

std::unique_ptr<Command> serve() {
  return std::make_unique<Serve>();
}

}  // namespace fogline::cli
