// SPDX-License-Identifier: Apache-2.0
#include "service/http_server.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.hpp"

namespace fogline::service::http_server_test {
namespace {

using std::chrono::milliseconds;

/// Nothing here takes that long, on no machine: it ends a test that would hang.
constexpr std::chrono::seconds patience{30};

/// What a test waits for and nobody tells it.
template <class Condition>
bool comes_true(Condition condition) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(milliseconds(1));
  }
  return true;
}

struct Answer {
  int status = 0;
  std::string head;
  std::string body;

  bool has(std::string_view header) const { return head.find(header) != std::string::npos; }
};

sockaddr_in local_address(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

sockaddr_un local_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  return address;
}

/// A client that says just what it is told.
class Client {
 public:
  explicit Client(std::uint16_t port) : Client(AF_INET, local_address(port)) {}
  explicit Client(const std::string& path) : Client(AF_UNIX, local_address(path)) {}
  ~Client() { close(); }
  Client(Client&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)),
        is_connected_(other.is_connected_),
        received_(std::move(other.received_)) {}
  Client& operator=(Client&&) = delete;

  bool is_connected() const { return is_connected_; }

  /// False if the server takes no more.
  bool send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

  /// Without a status if the server closed first.
  Answer answer(bool has_body = true) {
    Answer answer;
    std::size_t end = received_.find("\r\n\r\n");
    while (end == std::string::npos) {
      if (!receive()) return answer;
      end = received_.find("\r\n\r\n");
    }
    answer.head = take(end + 4);
    answer.status = std::stoi(answer.head.substr(answer.head.find(' ')));
    constexpr std::string_view label = "Content-Length: ";
    const std::size_t length = answer.head.find(label);
    if (!has_body || length == std::string::npos) return answer;
    const std::size_t size = std::stoul(answer.head.substr(length + label.size()));
    while (received_.size() < size) {
      if (!receive()) return {};
    }
    answer.body = take(size);
    return answer;
  }

  Answer ask(std::string_view request) {
    send(request);
    return answer();
  }

  /// What comes until the server closes.
  std::string rest() {
    while (receive()) continue;
    return std::exchange(received_, {});
  }

  bool has_answer() const {
    pollfd asked{socket_, POLLIN, 0};
    return !received_.empty() || poll(&asked, 1, 0) > 0;
  }

  void end_requests() const { shutdown(socket_, SHUT_WR); }

  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

  /// As a client that crashes: the server is told that all is over.
  void reset() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    close();
  }

 private:
  template <class Address>
  Client(int family, const Address& address) : socket_(socket(family, SOCK_STREAM, 0)) {
    const timeval limit{patience.count(), 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
    is_connected_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  }

  bool receive() {
    std::array<char, 4096> bytes{};
    const ssize_t count = recv(socket_, bytes.data(), bytes.size(), 0);
    if (count > 0) received_.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  std::string take(std::size_t size) {
    std::string taken = received_.substr(0, size);
    received_.erase(0, size);
    return taken;
  }

  int socket_ = -1;
  bool is_connected_ = false;
  std::string received_;
};

/// Tells in its answer what it was asked.
void echo(const HttpRequest& request, const Respond& respond) {
  respond({.content_type = "text/plain",
           .body = request.method + " " + request.path + " " + request.query + " " + request.body});
}

/// Requests that wait until a test answers them.
class Waiting {
 public:
  HandleRequest handler() {
    return [this](const HttpRequest&, Respond respond) {
      const std::lock_guard lock(mutex_);
      responds_.push_back(std::move(respond));
      came_.notify_all();
    };
  }
  Respond next() {
    std::unique_lock lock(mutex_);
    if (!came_.wait_for(lock, patience, [&] { return !responds_.empty(); })) return {};
    Respond respond = std::move(responds_.back());
    responds_.pop_back();
    return respond;
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<Respond> responds_;
};

HttpServer::Options tcp() {
  return {.listen = "127.0.0.1:0"};
}

std::string post(const std::string& body, const std::string& headers = "") {
  return "POST /release HTTP/1.1\r\nHost: here\r\n" + headers +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

constexpr std::string_view get = "GET /health HTTP/1.1\r\nHost: here\r\n\r\n";

void expect_problem(const Answer& answer, int status, const std::string& code) {
  EXPECT_EQ(answer.status, status);
  EXPECT_TRUE(answer.has("Content-Type: application/problem+json\r\n"));
  EXPECT_TRUE(answer.has("Connection: close\r\n"));
  EXPECT_TRUE(answer.body.starts_with("{\"type\":\"urn:fogline:problem:" + code + "\",\"title\":\""))
      << answer.body;
  EXPECT_TRUE(answer.body.ends_with("\"status\":" + std::to_string(status) + ",\"code\":\"" + code + "\"}"))
      << answer.body;
}

/// The server refuses the request and closes; nothing of it is told back.
void expect_refused(const std::string& request, int status, const std::string& code,
                    const HttpServer::Options& options = tcp()) {
  HttpServer server(options, [](const HttpRequest&, const Respond&) { FAIL() << "handed over"; });
  Client client(server.port());
  client.send(request);
  const Answer answer = client.answer();
  expect_problem(answer, status, code);
  EXPECT_EQ(answer.body.find("secret"), std::string::npos);
  EXPECT_EQ(client.rest(), "");
}

/// The answer of a server with a short read timeout, whose connection may have been closed as idle before this thread came to
/// send the request.
Answer ask_in_time(std::uint16_t port, std::string_view request) {
  Answer answer;
  EXPECT_TRUE(comes_true([&] {
    answer = Client(port).ask(request);
    return answer.status != 0;
  }));
  return answer;
}

std::string wrong_option(const HttpServer::Options& options) {
  try {
    const HttpServer server(options, echo);
  } catch (const InvalidOption& error) {
    return error.option();
  }
  return "";
}

TEST(HttpServer, HandsOverAllOfARequest) {
  HttpRequest seen;
  HttpServer server(tcp(), [&](HttpRequest request, const Respond& respond) {
    seen = std::move(request);
    respond({.status = 201, .headers = {{"Retry-After", "7"}}, .body = "{}"});
  });
  Client client(server.port());
  const Answer answer = client.ask(
      "PUT /v1/a%20b?x=1&y=?2 HTTP/1.1\r\nHost: here\r\nauthorization: Bearer abc\r\nIDEMPOTENCY-KEY: k 1\r\n"
      "Content-Length: 3\r\n\r\nxyz");
  EXPECT_EQ(answer.status, 201);
  EXPECT_TRUE(answer.head.starts_with("HTTP/1.1 201 Created\r\n"));
  for (const char* header :
       {"Content-Type: application/json\r\n", "Content-Length: 2\r\n", "Retry-After: 7\r\n",
        "Cache-Control: no-store\r\n", "X-Content-Type-Options: nosniff\r\n"})
    EXPECT_TRUE(answer.has(header)) << header;
  EXPECT_FALSE(answer.has("Connection:"));
  EXPECT_EQ(answer.body, "{}");
  server.stop();
  EXPECT_EQ(seen.method, "PUT");
  EXPECT_EQ(seen.path, "/v1/a%20b");
  EXPECT_EQ(seen.query, "x=1&y=?2");
  EXPECT_EQ(seen.authorization, "Bearer abc");
  EXPECT_EQ(seen.idempotency_key, "k 1");
  EXPECT_EQ(seen.body, "xyz");
}

TEST(HttpServer, KeepsAConnection) {
  HttpServer server(tcp(), echo);
  Client client(server.port());
  for (int i = 0; i < 20; ++i) {
    const std::string body = "body " + std::to_string(i);
    EXPECT_EQ(client.ask(post(body)).body, "POST /release  " + body);
  }
  EXPECT_EQ(server.open_connections(), 1U);
}

TEST(HttpServer, ClosesWhenAskedTo) {
  HttpServer server(tcp(), echo);
  for (const char* request : {"GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
                              "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"}) {
    Client client(server.port());
    const Answer answer = client.ask(request);
    EXPECT_EQ(answer.status, 200);
    EXPECT_TRUE(answer.has("Connection: close\r\n"));
    EXPECT_EQ(client.rest(), "");
  }
  EXPECT_TRUE(comes_true([&] { return server.open_connections() == 0; }));
}

TEST(HttpServer, AnswersPipelinedRequestsInOrder) {
  std::atomic<int> at_once = 0;
  auto options = tcp();
  options.threads = 4;
  HttpServer server(options, [&](const HttpRequest& request, const Respond& respond) {
    EXPECT_EQ(++at_once, 1);
    --at_once;
    echo(request, respond);
  });
  Client client(server.port());
  std::string requests;
  for (int i = 0; i < 200; ++i) requests += post(std::to_string(i));
  client.send(requests);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(client.answer().body, "POST /release  " + std::to_string(i));
}

TEST(HttpServer, TakesARequestInSmallPieces) {
  HttpServer server(tcp(), echo);
  Client client(server.port());
  for (const char letter : post("in small pieces")) client.send(std::string(1, letter));
  EXPECT_EQ(client.answer().body, "POST /release  in small pieces");
  for (const char letter : std::string("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                                       "5;x=y\r\nhello\r\n1\r\n!\r\n0\r\nA: b\r\n\r\n"))
    client.send(std::string(1, letter));
  EXPECT_EQ(client.answer().body, "POST /  hello!");
}

TEST(HttpServer, SendsNoBodyToHead) {
  HttpServer server(tcp(), echo);
  Client client(server.port());
  client.send("HEAD /health HTTP/1.1\r\n\r\n");
  const Answer head = client.answer(false);
  EXPECT_EQ(head.status, 200);
  EXPECT_TRUE(head.has("Content-Length: 14\r\n"));
  EXPECT_EQ(client.ask(get).body, "GET /health  ");
}

TEST(HttpServer, SendsNoBodyWhereNoneMayBe) {
  HttpServer server(tcp(), [](const HttpRequest&, const Respond& respond) { respond({.status = 204}); });
  Client client(server.port());
  const Answer answer = client.ask(get);
  EXPECT_EQ(answer.status, 204);
  EXPECT_FALSE(answer.has("Content-Length"));
  EXPECT_FALSE(answer.has("Content-Type:"));
  EXPECT_EQ(client.ask(get).status, 204);
}

TEST(HttpServer, SaysContinueToThoseWhoWait) {
  HttpServer server(tcp(), echo);
  Client client(server.port());
  client.send("POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 4\r\n\r\n");
  EXPECT_EQ(client.answer(false).head, "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(client.ask("body").body, "POST /  body");
  EXPECT_EQ(client.ask("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\nbody").body,
            "POST /  body");
}

TEST(HttpServer, TakesABodyUpToTheLimit) {
  auto options = tcp();
  options.most_body_bytes = 100'000;
  HttpServer server(options, echo);
  Client client(server.port());
  const std::string most(options.most_body_bytes, 'x');
  EXPECT_EQ(client.ask(post(most)).body.size(), most.size() + std::string_view("POST /release  ").size());
}

TEST(HttpServer, RefusesABodyOverTheLimit) {
  auto options = tcp();
  options.most_body_bytes = 1000;
  expect_refused(post(std::string(1001, 'x')), 413, "body-too-large", options);
  expect_refused("POST / HTTP/1.1\r\nContent-Length: 1001\r\n\r\n", 413, "body-too-large", options);
  expect_refused("POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1001\r\n\r\n", 413,
                 "body-too-large", options);
  expect_refused("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n", 413, "body-too-large",
                 options);
}

TEST(HttpServer, TellsAClientThatIsStillSending) {
  HttpServer server(tcp(), echo);
  Client client(server.port());
  EXPECT_TRUE(client.send("POST / HTTP/1.1\r\nContent-Length: 4000000\r\n\r\n"));
  EXPECT_TRUE(client.send(std::string(4'000'000, 'x')));
  expect_problem(client.answer(), 413, "body-too-large");
  EXPECT_EQ(client.rest(), "");
}

TEST(HttpServer, RefusesAHeaderOverTheLimit) {
  auto options = tcp();
  options.most_header_bytes = 512;
  expect_refused("GET / HTTP/1.1\r\nX: secret" + std::string(512, 'x'), 431, "header-too-large", options);
  expect_refused("GET /secret" + std::string(512, 'x'), 431, "header-too-large", options);
  expect_refused("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1;" + std::string(512, 'x'), 431,
                 "header-too-large", options);
  HttpServer server(options, echo);
  Client client(server.port());
  const std::string begin = "GET / HTTP/1.1\r\nX: ";
  EXPECT_EQ(client.ask(begin + std::string(512 - begin.size() - 4, 'x') + "\r\n\r\n").status, 200);
  EXPECT_EQ(client.ask(begin + std::string(513 - begin.size() - 4, 'x') + "\r\n\r\n").status, 431);
}

TEST(HttpServer, RefusesWhatIsMalformed) {
  for (const std::string request : {
           "secret\r\n\r\n",
           "GET secret HTTP/1.1\r\n\r\n",
           "GET http://secret/ HTTP/1.1\r\n\r\n",
           "GET / HTTP/2.0\r\n\r\n",
           "GET / HTTP/1.1\r\nno colon\r\n\r\n",
           "GET / HTTP/1.1\r\nspace before : colon\r\n\r\n",
           "POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
           "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
           "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
           "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
           "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
           "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nsecret\r\n",
       }) {
    SCOPED_TRACE(request);
    expect_refused(request, 400, "bad-request");
  }
}

TEST(HttpServer, RefusesDoubledHeaders) {
  for (const std::string header : {"Authorization: secret\r\n", "Idempotency-Key: secret\r\n"}) {
    SCOPED_TRACE(header);
    expect_refused("GET / HTTP/1.1\r\n" + header + header + "\r\n", 400, "bad-request");
    HttpServer server(tcp(), echo);
    EXPECT_EQ(Client(server.port()).ask("GET / HTTP/1.1\r\n" + header + "\r\n").status, 200);
  }
}

TEST(HttpServer, AnswersWhatCameBeforeWhatItRefuses) {
  HttpServer server(tcp(), echo);
  Client client(server.port());
  client.send(std::string(get) + "secret\r\n\r\n");
  EXPECT_EQ(client.answer().status, 200);
  expect_problem(client.answer(), 400, "bad-request");
}

TEST(HttpServer, TellsASlowClient) {
  auto options = tcp();
  options.read_timeout = milliseconds(50);
  HttpServer server(options, [](const HttpRequest&, const Respond&) { FAIL() << "handed over"; });
  for (const char* request :
       {"GET /secret HTTP/1.1\r\n", "POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nsecret"}) {
    const Answer answer = ask_in_time(server.port(), request);
    expect_problem(answer, 408, "too-slow");
    EXPECT_EQ(answer.body.find("secret"), std::string::npos);
  }
}

TEST(HttpServer, GivesAWholeRequestOneTimeout) {
  auto options = tcp();
  options.read_timeout = milliseconds(50);
  HttpServer server(options, echo);
  Answer answer;
  EXPECT_TRUE(comes_true([&] {
    Client client(server.port());
    client.send("POST / HTTP/1.1\r\nContent-Length: 60000\r\n\r\n");
    while (!client.has_answer() && client.send("x")) std::this_thread::sleep_for(milliseconds(1));
    answer = client.answer();
    return answer.status != 0;
  }));
  expect_problem(answer, 408, "too-slow");
}

TEST(HttpServer, ClosesAnIdleConnectionWithoutAWord) {
  auto options = tcp();
  options.read_timeout = milliseconds(50);
  HttpServer server(options, echo);
  EXPECT_EQ(Client(server.port()).rest(), "");
  EXPECT_TRUE(comes_true([&] {
    Client client(server.port());
    client.send(get);
    return client.rest().ends_with("GET /health  ");
  }));
}

TEST(HttpServer, GivesUpOnAClientThatReadsNothing) {
  auto options = tcp();
  options.write_timeout = milliseconds(50);
  HttpServer server(options, [](const HttpRequest&, const Respond& respond) {
    respond({.body = std::string(32'000'000, 'x')});
  });
  Client client(server.port());
  client.send(get);
  EXPECT_TRUE(comes_true([&] { return client.has_answer(); }));
  EXPECT_TRUE(comes_true([&] { return server.open_connections() == 0; }));
}

TEST(HttpServer, HasNoTimeoutWhileItAnswers) {
  auto options = tcp();
  options.read_timeout = milliseconds(50);
  std::vector<std::thread> threads;
  HttpServer server(options, [&](const HttpRequest&, const Respond& respond) {
    threads.emplace_back([respond, time = 3 * options.read_timeout] {
      std::this_thread::sleep_for(time);
      respond({.body = "late"});
    });
  });
  EXPECT_EQ(ask_in_time(server.port(), get).body, "late");
  server.stop();
  for (std::thread& thread : threads) thread.join();
}

TEST(HttpServer, TurnsAwayWhatIsOverTheLimit) {
  auto options = tcp();
  options.connections = 2;
  HttpServer server(options, echo);
  Client first(server.port());
  std::optional<Client> second(server.port());
  EXPECT_EQ(first.ask(get).status, 200);
  EXPECT_EQ(second->ask(get).status, 200);
  Client third(server.port());
  third.send(get);
  expect_problem(third.answer(), 503, "too-many-connections");
  EXPECT_EQ(third.rest(), "");
  EXPECT_EQ(server.open_connections(), 2U);
  second.reset();
  EXPECT_TRUE(comes_true([&] { return server.open_connections() == 1; }));
  EXPECT_EQ(Client(server.port()).ask(get).status, 200);
  EXPECT_EQ(first.ask(get).status, 200);
}

TEST(HttpServer, GoesOnAfterDescriptorsRanOut) {
  HttpServer server(tcp(), echo);
  Client client(server.port());
  EXPECT_EQ(client.ask(get).status, 200);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  // What is below the limit is not taken from who has it already: accept() fails from now on.
  const rlimit none{.rlim_cur = 0, .rlim_max = before.rlim_max};
  const int later = socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const sockaddr_in address = local_address(server.port());
  ASSERT_EQ(connect(later, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(client.ask(get).status, 200);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  ASSERT_EQ(send(later, get.data(), get.size(), MSG_NOSIGNAL), static_cast<ssize_t>(get.size()));
  std::array<char, 12> begin{};
  EXPECT_EQ(recv(later, begin.data(), begin.size(), MSG_WAITALL), static_cast<ssize_t>(begin.size()));
  EXPECT_EQ(std::string_view(begin.data(), begin.size()), "HTTP/1.1 200");
  ::close(later);
}

TEST(HttpServer, AnswersFromOtherThreads) {
  std::mutex mutex;
  std::vector<std::thread> threads;
  auto options = tcp();
  options.threads = 2;
  HttpServer server(options, [&](const HttpRequest& request, const Respond& respond) {
    const std::lock_guard lock(mutex);
    threads.emplace_back([=] { echo(request, respond); });
  });
  std::vector<Client> clients;
  for (int i = 0; i < 8; ++i) clients.emplace_back(server.port());
  for (int round = 0; round < 5; ++round) {
    for (Client& client : clients) client.send(post(std::to_string(round)));
    for (Client& client : clients) EXPECT_EQ(client.answer().body, "POST /release  " + std::to_string(round));
  }
  server.stop();
  for (std::thread& thread : threads) thread.join();
}

TEST(HttpServer, ClosesIfNobodyWillAnswer) {
  HttpServer server(tcp(), [](const HttpRequest&, const Respond&) {});
  Client client(server.port());
  client.send(get);
  EXPECT_EQ(client.rest(), "");
  Waiting waiting;
  HttpServer other(tcp(), waiting.handler());
  Client later(other.port());
  later.send(get);
  {
    const Respond dropped = waiting.next();
    const Respond copy = dropped;
  }
  EXPECT_EQ(later.rest(), "");
}

TEST(HttpServer, LetsGoOfAClientThatIsGone) {
  Waiting waiting;
  HttpServer server(tcp(), waiting.handler());
  Client client(server.port());
  client.send(get);
  const Respond respond = waiting.next();
  client.reset();
  EXPECT_TRUE(comes_true([&] { return server.open_connections() == 0; }));
  respond({.body = "to nobody"});
}

TEST(HttpServer, AnswersAClientThatHasOnlyEndedItsRequests) {
  Waiting waiting;
  HttpServer server(tcp(), waiting.handler());
  Client client(server.port());
  client.send(get);
  client.end_requests();
  waiting.next()({.body = "heard"});
  EXPECT_EQ(client.answer().body, "heard");
  EXPECT_EQ(client.rest(), "");
}

TEST(HttpServer, StopsAfterWhatIsUnderWay) {
  auto options = tcp();
  options.drain = patience;
  Waiting waiting;
  HttpServer server(options, waiting.handler());
  Client idle(server.port());
  Client client(server.port());
  Client half(server.port());
  client.send(get);
  half.send(get.substr(0, 10));
  const Respond respond = waiting.next();
  ASSERT_TRUE(comes_true([&] { return server.open_connections() == 3; }));
  std::atomic<bool> has_stopped = false;
  std::thread stopping([&] {
    server.stop();
    has_stopped = true;
  });
  EXPECT_EQ(idle.rest(), "");
  EXPECT_TRUE(comes_true([&] { return !Client(server.port()).is_connected(); }));
  EXPECT_FALSE(has_stopped);
  respond({.body = "in time"});
  const Answer answer = client.answer();
  EXPECT_EQ(answer.body, "in time");
  EXPECT_TRUE(answer.has("Connection: close\r\n"));
  EXPECT_EQ(client.rest(), "");
  // What has begun to come is under way too, unless the bytes were not read yet when it stopped.
  half.close();
  stopping.join();
  EXPECT_EQ(server.open_connections(), 0U);
  server.stop();
}

TEST(HttpServer, WaitsForAnswersNoLongerThanTold) {
  auto options = tcp();
  options.drain = milliseconds(50);
  Waiting waiting;
  std::optional<HttpServer> server(std::in_place, options, waiting.handler());
  Client client(server->port());
  client.send(get);
  const Respond respond = waiting.next();
  server->stop();
  EXPECT_EQ(client.rest(), "");
  respond({.body = "too late"});
  server.reset();
}

TEST(HttpServer, MayBeGoneBeforeTheAnswer) {
  auto options = tcp();
  options.drain = milliseconds(0);
  Waiting waiting;
  Respond respond;
  {
    HttpServer server(options, waiting.handler());
    Client client(server.port());
    client.send(get);
    respond = waiting.next();
  }
  respond({.body = "to nobody"});
}

TEST(HttpServer, ListensAtAUnixSocket) {
  const std::string path = testing::TempDir() + "http";
  HttpServer server({.listen = "unix:" + path}, echo);
  EXPECT_EQ(server.port(), 0U);
  struct stat file {};
  ASSERT_EQ(stat(path.c_str(), &file), 0);
  EXPECT_TRUE(S_ISSOCK(file.st_mode));
  EXPECT_EQ(file.st_mode & 0777U, 0660U);
  Client client(path);
  EXPECT_EQ(client.ask(post("by file")).body, "POST /release  by file");
  EXPECT_EQ(client.ask(get).body, "GET /health  ");
  client.send("POST / HTTP/1.1\r\nContent-Length: 4000000\r\n\r\n");
  client.send(std::string(4'000'000, 'x'));
  expect_problem(client.answer(), 413, "body-too-large");
  client.close();
  server.stop();
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(HttpServer, LetsGoOfAClientThatIsGoneFromAUnixSocket) {
  const std::string path = testing::TempDir() + "gone";
  Waiting waiting;
  HttpServer server({.listen = "unix:" + path}, waiting.handler());
  Client client(path);
  client.send(get);
  const Respond respond = waiting.next();
  client.close();
  EXPECT_TRUE(comes_true([&] { return server.open_connections() == 0; }));
}

TEST(HttpServer, ReplacesALeftoverSocket) {
  const std::string path = testing::TempDir() + "leftover";
  const int left = socket(AF_UNIX, SOCK_STREAM, 0);
  const sockaddr_un address = local_address(path);
  ASSERT_EQ(bind(left, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  ::close(left);
  ASSERT_TRUE(std::filesystem::exists(path));
  HttpServer server({.listen = "unix:" + path}, echo);
  EXPECT_EQ(Client(path).ask(get).status, 200);
}

TEST(HttpServer, ReplacesNothingElse) {
  const std::string path = testing::TempDir() + "taken";
  std::ofstream(path) << "a file";
  EXPECT_THROW(HttpServer({.listen = "unix:" + path}, echo), FileError);
  EXPECT_TRUE(std::filesystem::is_regular_file(path));
  const std::string used = testing::TempDir() + "used";
  HttpServer server({.listen = "unix:" + used}, echo);
  EXPECT_THROW(HttpServer({.listen = "unix:" + used}, echo), FileError);
  EXPECT_EQ(Client(used).ask(get).status, 200);
  EXPECT_THROW(HttpServer({.listen = "unix:" + testing::TempDir() + "no/such/folder"}, echo), FileError);
}

TEST(HttpServer, SaysWhereItCannotListen) {
  HttpServer server(tcp(), echo);
  const std::string taken = "127.0.0.1:" + std::to_string(server.port());
  try {
    const HttpServer other({.listen = taken}, echo);
    FAIL() << "two at one port";
  } catch (const FileError& error) {
    EXPECT_EQ(
        error.what(),
        taken + ": cannot be listened at (Address already in use); choose another one, or end what is there");
  }
}

TEST(HttpServer, ListensAtTheSamePortAgain) {
  std::optional<HttpServer> server(std::in_place, tcp(), echo);
  const std::uint16_t port = server->port();
  Client client(port);
  EXPECT_EQ(client.ask(get).status, 200);
  server.reset();
  HttpServer next({.listen = "127.0.0.1:" + std::to_string(port)}, echo);
  EXPECT_EQ(next.port(), port);
  EXPECT_EQ(Client(port).ask(get).status, 200);
}

TEST(HttpServer, NamesAWrongOption) {
  for (const std::string listen :
       {"", "localhost:80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", "127.0.0.1:80 ",
        "::1:80", "[127.0.0.1]:80", "[::1]", ":80", "unix:",
        "unix:/a/path/that/is/longer/than/the/hundred/and/seven/bytes/"
        "that/the/address/of/a/unix/socket/has/room/for/on/this/system"})
    EXPECT_EQ(wrong_option({.listen = listen}), "listen") << listen;
  EXPECT_EQ(wrong_option({.listen = "127.0.0.1:0", .threads = 0}), "threads");
  EXPECT_EQ(wrong_option({.listen = "127.0.0.1:0", .threads = 65}), "threads");
  EXPECT_EQ(wrong_option({.listen = "127.0.0.1:0", .most_body_bytes = std::size_t{2} << 30U}),
            "most_body_bytes");
  EXPECT_EQ(wrong_option({.listen = "127.0.0.1:0", .most_header_bytes = 10}), "most_header_bytes");
  EXPECT_EQ(wrong_option({.listen = "127.0.0.1:0", .connections = 0}), "connections");
  EXPECT_EQ(wrong_option({.listen = "127.0.0.1:0", .read_timeout = milliseconds(0)}), "read_timeout");
  EXPECT_EQ(wrong_option({.listen = "127.0.0.1:0", .write_timeout = std::chrono::hours(2)}), "write_timeout");
  EXPECT_EQ(wrong_option({.listen = "127.0.0.1:0", .drain = milliseconds(-1)}), "drain");
  EXPECT_EQ(wrong_option(tcp()), "");
}

TEST(HttpServer, ServesManyConnectionsAtOnce) {
  constexpr int client_threads = 4;
  constexpr int connections = 16;  // of each
  constexpr int rounds = 25;
  auto options = tcp();
  options.threads = 4;
  HttpServer server(options, echo);
  const auto run = [&](int number) {
    std::vector<Client> clients;
    for (int i = 0; i < connections; ++i) clients.emplace_back(server.port());
    for (int round = 0; round < rounds; ++round) {
      const auto body = [&](int i) {
        return std::to_string(number) + "/" + std::to_string(i) + "/" + std::to_string(round);
      };
      for (int i = 0; i < connections; ++i) clients[static_cast<std::size_t>(i)].send(post(body(i)));
      for (int i = 0; i < connections; ++i)
        EXPECT_EQ(clients[static_cast<std::size_t>(i)].answer().body, "POST /release  " + body(i));
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < client_threads; ++i) threads.emplace_back(run, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(comes_true([&] { return server.open_connections() == 0; }));
}

TEST(HttpServer, StopsWhileManyAsk) {
  auto options = tcp();
  options.threads = 2;
  HttpServer server(options, echo);
  std::atomic<int> answered = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      Client client(server.port());
      while (client.ask(get).status == 200) ++answered;
    });
  }
  EXPECT_TRUE(comes_true([&] { return answered > 100; }));
  server.stop();
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace fogline::service::http_server_test
