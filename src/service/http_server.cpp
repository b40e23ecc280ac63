// SPDX-License-Identifier: Apache-2.0
#include "service/http_server.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <charconv>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.hpp"
#include "service/http_parser.hpp"

namespace fogline::service {

namespace net = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

using HttpClock = std::chrono::steady_clock;
using HttpStrand = net::strand<net::io_context::executor_type>;
using HttpTimer = net::basic_waitable_timer<HttpClock, net::wait_traits<HttpClock>, HttpStrand>;
using HttpTransport = net::generic::stream_protocol;  // TCP or Unix: one code for both
using HttpSocket = net::basic_stream_socket<HttpTransport, HttpStrand>;
using HttpAcceptor = net::basic_socket_acceptor<HttpTransport>;

constexpr std::chrono::milliseconds longest_http_time = std::chrono::hours(1);
constexpr int most_http_threads = 64;
constexpr std::size_t smallest_header_limit = 256;    // a request line and a token
constexpr std::size_t largest_header_limit = 60'000;  // the library counts the bytes of one header in 16 bits
constexpr std::size_t largest_body_limit = 1U << 30U;  // it is held in memory
constexpr std::size_t http_read_bytes = 8192;          // of a connection, all the time: small for idle ones
constexpr mode_t http_socket_mode = S_IRUSR | S_IWUSR | S_IRGRP | S_IWGRP;
/// After accept() failed, which is mostly for want of descriptors: until some may be free again.
constexpr std::chrono::milliseconds http_accept_pause{100};
/// Closing with bytes unread takes the answer away from a client that is still sending: so long they are dropped.
constexpr std::chrono::milliseconds http_leave_time{1'000};
/// How many are told at once that there are too many; further ones are closed without a word.
constexpr std::size_t most_turned_away = 64;

struct HttpProblem {
  http::status status;
  const char* code;
  const char* title;
};
constexpr std::array http_problems{
    HttpProblem{http::status::bad_request, "bad-request", "The request is malformed"},
    HttpProblem{http::status::request_timeout, "too-slow", "The request took too long to arrive"},
    HttpProblem{http::status::payload_too_large, "body-too-large", "The body is too large"},
    HttpProblem{http::status::request_header_fields_too_large, "header-too-large", "The header is too large"},
    HttpProblem{http::status::service_unavailable, "too-many-connections", "There are too many connections"},
};

HttpResponse http_problem_response(int status) {
  const auto* const found =
      std::find_if(http_problems.begin(), http_problems.end(),
                   [&](const HttpProblem& problem) { return static_cast<int>(problem.status) == status; });
  assert(found != http_problems.end());
  return {
      .status = status,
      .content_type = "application/problem+json",
      .body = fmt::format(R"({{"type":"urn:fogline:problem:{0}","title":"{1}","status":{2},"code":"{0}"}})",
                          found->code, found->title, status)};
}

bool may_have_http_body(int status) {
  return status != static_cast<int>(http::status::no_content) &&
         status != static_cast<int>(http::status::not_modified);
}

void append_http_header(std::string& head, std::string_view name, std::string_view value) {
  assert((name.find_first_of("\r\n:") == name.npos) && (value.find_first_of("\r\n") == value.npos));
  head.append(name).append(": ").append(value).append("\r\n");
}

std::string http_response_head(const HttpResponse& response, bool closes) {
  const http::status status = http::int_to_status(static_cast<unsigned>(response.status));
  std::string head = fmt::format("HTTP/1.1 {} ", response.status);
  head.append(std::string(http::obsolete_reason(status))).append("\r\n");
  if (may_have_http_body(response.status)) {
    append_http_header(head, "Content-Type", response.content_type);
    append_http_header(head, "Content-Length", std::to_string(response.body.size()));
  }
  if (closes) append_http_header(head, "Connection", "close");
  append_http_header(head, "Cache-Control", "no-store");
  append_http_header(head, "X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : response.headers) append_http_header(head, name, value);
  return head.append("\r\n");
}

struct ListenAddress {
  HttpTransport::endpoint endpoint;
  std::string socket_path = {};  // of a Unix socket
};

ListenAddress unix_address(const std::string& path) {
  constexpr std::size_t longest_path = sizeof(sockaddr_un::sun_path) - 1;
  if (path.empty() || path.size() > longest_path || path.find('\0') != path.npos) {
    throw InvalidOption("listen", fmt::format("the path of a Unix socket has 1 to {} bytes", longest_path));
  }
  return {net::local::stream_protocol::endpoint(path), path};
}

ListenAddress listen_address(const std::string& text) {
  constexpr std::string_view unix_prefix = "unix:";
  if (text.starts_with(unix_prefix)) return unix_address(text.substr(unix_prefix.size()));
  const std::size_t colon = std::min(text.rfind(':'), text.size());
  std::string host = text.substr(0, colon);
  const bool is_bracketed = host.starts_with('[') && host.ends_with(']');
  if (is_bracketed) host = host.substr(1, host.size() - 2);
  const std::string digits = text.substr(std::min(colon + 1, text.size()));
  const char* const end = digits.data() + digits.size();
  std::uint16_t port = 0;
  const auto [rest, wrong_port] = std::from_chars(digits.data(), end, port);
  error_code wrong_host;
  const net::ip::address address = net::ip::make_address(host, wrong_host);
  if (wrong_host || wrong_port != std::errc() || rest != end || address.is_v6() != is_bracketed) {
    throw InvalidOption("listen", "is no address to listen at",
                        "an address and a port such as 127.0.0.1:8080 or [::1]:8080, or unix: and a path");
  }
  return {net::ip::tcp::endpoint(address, port)};
}

/// A server that was killed leaves its file, at which nobody can listen again. Whatever answers, or is no socket, stays.
void remove_leftover_socket(const std::string& path) {
  struct stat found {};
  if (lstat(path.c_str(), &found) != 0 || !S_ISSOCK(found.st_mode)) return;
  net::io_context context;
  net::local::stream_protocol::socket probe(context);
  error_code error;
  probe.open(net::local::stream_protocol(), error);
  if (!error) probe.non_blocking(true, error);  // who listens may have no time for us
  if (!error) probe.connect(path, error);
  if (error == net::error::connection_refused) unlink(path.c_str());
}

class HttpSession;

/// What the connections of one server have in common. The last of those who need it ends it: perhaps a late Respond.
class HttpCore : public std::enable_shared_from_this<HttpCore> {
 public:
  HttpCore(const HttpServer::Options& options, HandleRequest handle);
  void listen();
  void accept();
  void run() { context_.run(); }
  void stop();

  const HttpServer::Options& options() const { return options_; }
  bool is_stopping() const { return stopping_; }
  std::uint16_t port() const { return port_; }
  std::size_t open_connections() const;
  void handle(HttpRequest request, Respond respond) const { handle_(std::move(request), std::move(respond)); }
  void remove(const std::shared_ptr<HttpSession>& session, bool is_turned_away);

 private:
  void pause();
  void welcome(HttpSocket socket);
  template <class Action>
  void for_each_session(Action action);

  HttpServer::Options options_;
  HandleRequest handle_;
  std::string socket_path_;
  std::uint16_t port_ = 0;
  net::io_context context_;
  net::executor_work_guard<net::io_context::executor_type> work_;
  std::atomic<bool> stopping_ = false;
  mutable std::mutex mutex_;  // of what follows
  HttpAcceptor acceptor_;
  net::steady_timer pause_;
  std::condition_variable all_gone_;
  std::set<std::shared_ptr<HttpSession>> sessions_;
  std::size_t turned_away_ = 0;
};

/// One connection. All of it happens on its strand; on_strand() is the way there.
class HttpSession : public std::enable_shared_from_this<HttpSession> {
 public:
  HttpSession(std::shared_ptr<HttpCore> core, HttpSocket socket, bool is_turned_away);
  template <class Action>
  void on_strand(Action action);

  void start();
  void answer(HttpResponse response);
  void finish();  // answers what is under way and nothing else
  void close();

 private:
  enum class Phase { reading, answering, writing, leaving, closed };
  void wait_for_request();
  void proceed();
  void read();
  void received(const error_code& error, std::size_t size);
  void send_continue();
  void hand_over();
  void refuse(int status);
  void send(HttpResponse response);
  void sent(const error_code& error);
  void leave();
  void discard();
  void expire_after(std::chrono::milliseconds time);
  void wait_for_deadline();
  void look_at_deadline();
  void time_out();

  std::shared_ptr<HttpCore> core_;  // first: sockets and timers must not outlive it
  HttpSocket socket_;
  HttpStrand strand_;
  HttpTimer timer_;
  HttpClock::time_point deadline_ = HttpClock::time_point::max();
  HttpClock::time_point timer_ends_ = HttpClock::time_point::max();
  HttpParser parser_;
  Phase phase_ = Phase::reading;
  bool is_turned_away_;
  bool is_head_ = false;
  bool keeps_alive_ = true;
  bool is_refused_ = false;
  std::array<char, http_read_bytes> incoming_;
  std::string head_;
  std::string body_;
};

/// Shared by the copies of one Respond. It does not keep the connection: that may be closed meanwhile.
class HttpTicket {
 public:
  explicit HttpTicket(std::weak_ptr<HttpSession> session) : session_(std::move(session)) {}
  ~HttpTicket() {
    if (is_given_.exchange(true)) return;
    if (const auto session = session_.lock())
      session->on_strand([](HttpSession& on_strand) { on_strand.close(); });
  }
  HttpTicket(const HttpTicket&) = delete;
  HttpTicket& operator=(const HttpTicket&) = delete;

  void give(HttpResponse response) {
    const bool is_second = is_given_.exchange(true);
    assert(!is_second);
    const auto session = session_.lock();
    if (is_second || session == nullptr) return;
    session->on_strand([response = std::move(response)](HttpSession& on_strand) mutable {
      on_strand.answer(std::move(response));
    });
  }

 private:
  std::weak_ptr<HttpSession> session_;
  std::atomic<bool> is_given_ = false;
};

HttpSession::HttpSession(std::shared_ptr<HttpCore> core, HttpSocket socket, bool is_turned_away)
    : core_(std::move(core)),
      socket_(std::move(socket)),
      strand_(socket_.get_executor()),
      timer_(strand_),
      parser_({.most_body_bytes = core_->options().most_body_bytes,
               .most_header_bytes = core_->options().most_header_bytes}),
      is_turned_away_(is_turned_away) {}

/// What waits in the queue does not keep the connection: a server that has stopped never comes to it.
template <class Action>
void HttpSession::on_strand(Action action) {
  net::dispatch(strand_, [session = weak_from_this(), action = std::move(action)]() mutable {
    if (const auto self = session.lock()) action(*self);
  });
}

void HttpSession::start() {
  if (phase_ == Phase::closed) return;
  error_code ignored;  // a Unix socket has no such option
  socket_.set_option(net::ip::tcp::no_delay(true), ignored);
  // A client that is gone both ways is noticed also while its answer is waited for. One that has only ended its
  // requests is not gone.
  socket_.async_wait(net::socket_base::wait_error, [self = shared_from_this()](const error_code& error) {
    if (!error) self->close();
  });
  if (is_turned_away_) return refuse(static_cast<int>(http::status::service_unavailable));
  wait_for_request();
}

void HttpSession::wait_for_request() {
  phase_ = Phase::reading;
  expire_after(core_->options().read_timeout);
  proceed();
}

void HttpSession::proceed() {
  switch (parser_.state()) {
    case HttpParser::State::reading:
      return read();
    case HttpParser::State::wants_continue:
      return send_continue();
    case HttpParser::State::complete:
      return hand_over();
    case HttpParser::State::refused:
      return refuse(parser_.status());
  }
}

void HttpSession::read() {
  socket_.async_read_some(net::buffer(incoming_),
                          [self = shared_from_this()](const error_code& error, std::size_t size) {
                            self->received(error, size);
                          });
}

void HttpSession::received(const error_code& error, std::size_t size) {
  if (phase_ != Phase::reading) return;
  if (error) return close();
  if (!parser_.has_begun()) expire_after(core_->options().read_timeout);
  parser_.feed(std::string_view(incoming_.data(), size));
  proceed();
}

void HttpSession::send_continue() {
  static constexpr std::string_view text = "HTTP/1.1 100 Continue\r\n\r\n";
  net::async_write(socket_, net::buffer(text),
                   [self = shared_from_this()](const error_code& error, std::size_t) {
                     if (self->phase_ != Phase::reading) return;
                     if (error) return self->close();
                     self->read();
                   });
}

void HttpSession::hand_over() {
  phase_ = Phase::answering;
  deadline_ = HttpClock::time_point::max();
  keeps_alive_ = parser_.keeps_alive();
  HttpRequest request = parser_.take();
  is_head_ = request.method == "HEAD";
  const auto ticket = std::make_shared<HttpTicket>(weak_from_this());
  core_->handle(std::move(request), [ticket](HttpResponse response) { ticket->give(std::move(response)); });
}

void HttpSession::answer(HttpResponse response) {
  if (phase_ == Phase::answering) send(std::move(response));
}

void HttpSession::refuse(int status) {
  is_refused_ = true;
  keeps_alive_ = false;
  is_head_ = false;
  send(http_problem_response(status));
}

void HttpSession::send(HttpResponse response) {
  phase_ = Phase::writing;
  expire_after(core_->options().write_timeout);
  keeps_alive_ = keeps_alive_ && !core_->is_stopping();
  head_ = http_response_head(response, !keeps_alive_);
  body_ = is_head_ || !may_have_http_body(response.status) ? std::string() : std::move(response.body);
  const std::array<net::const_buffer, 2> parts{net::buffer(head_), net::buffer(body_)};
  net::async_write(socket_, parts,
                   [self = shared_from_this()](const error_code& error, std::size_t) { self->sent(error); });
}

void HttpSession::sent(const error_code& error) {
  if (phase_ != Phase::writing) return;
  if (error) return close();
  if (!keeps_alive_) return leave();
  if (core_->is_stopping()) return close();
  wait_for_request();
}

void HttpSession::leave() {
  if (!is_refused_ && !parser_.has_begun()) return close();
  phase_ = Phase::leaving;
  expire_after(http_leave_time);
  error_code ignored;  // reading tells it too
  socket_.shutdown(HttpSocket::shutdown_send, ignored);
  discard();
}

void HttpSession::discard() {
  socket_.async_read_some(net::buffer(incoming_),
                          [self = shared_from_this()](const error_code& error, std::size_t) {
                            if (self->phase_ != Phase::leaving) return;
                            if (error) return self->close();
                            self->discard();
                          });
}

void HttpSession::finish() {
  if (phase_ == Phase::reading && !parser_.has_begun()) close();
}

void HttpSession::close() {
  if (phase_ == Phase::closed) return;
  phase_ = Phase::closed;
  error_code ignored;  // nothing is left to do about it
  socket_.close(ignored);
  timer_.cancel();
  core_->remove(shared_from_this(), is_turned_away_);
}

/// Deadlines mostly move away, several times for each request: the timer is left alone then, and looks again when it ends.
void HttpSession::expire_after(std::chrono::milliseconds time) {
  deadline_ = HttpClock::now() + time;
  if (deadline_ < timer_ends_) wait_for_deadline();
}

void HttpSession::wait_for_deadline() {
  timer_ends_ = deadline_;
  timer_.expires_at(deadline_);
  timer_.async_wait([self = shared_from_this()](const error_code& error) {
    if (!error) self->look_at_deadline();
  });
}

void HttpSession::look_at_deadline() {
  if (phase_ == Phase::closed) return;
  timer_ends_ = HttpClock::time_point::max();
  if (HttpClock::now() >= deadline_) return time_out();
  if (deadline_ != HttpClock::time_point::max()) wait_for_deadline();
}

void HttpSession::time_out() {
  if (phase_ != Phase::reading || !parser_.has_begun()) return close();
  error_code ignored;  // without it the reading ends later, and finds that nobody reads
  socket_.cancel(ignored);
  refuse(static_cast<int>(http::status::request_timeout));
}

HttpCore::HttpCore(const HttpServer::Options& options, HandleRequest handle)
    : options_(options),
      handle_(std::move(handle)),
      context_(options.threads),
      work_(context_.get_executor()),
      acceptor_(context_),
      pause_(context_) {}

void HttpCore::listen() {
  const ListenAddress address = listen_address(options_.listen);
  if (!address.socket_path.empty()) remove_leftover_socket(address.socket_path);
  error_code error;
  acceptor_.open(address.endpoint.protocol(), error);
  if (!error) acceptor_.set_option(net::socket_base::reuse_address(true), error);
  if (!error) acceptor_.bind(address.endpoint, error);
  if (!error) socket_path_ = address.socket_path;
  if (!socket_path_.empty() && chmod(socket_path_.c_str(), http_socket_mode) != 0)
    error.assign(errno, boost::system::system_category());
  // Not before the mode is right: nobody gets in until now.
  if (!error) acceptor_.listen(net::socket_base::max_listen_connections, error);
  if (error) {
    throw FileError(options_.listen,
                    "cannot be listened at (" + std::generic_category().message(error.value()) + ")",
                    error == net::error::address_in_use ? "choose another one, or end what is there" : "");
  }
  if (!socket_path_.empty()) return;
  const HttpTransport::endpoint bound = acceptor_.local_endpoint();
  net::ip::tcp::endpoint tcp;
  std::memcpy(tcp.data(), bound.data(), bound.size());
  port_ = tcp.port();
}

void HttpCore::accept() {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  acceptor_.async_accept(net::make_strand(context_), [this](const error_code& error, HttpSocket socket) {
    if (error) return pause();
    welcome(std::move(socket));
    accept();
  });
}

void HttpCore::pause() {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  pause_.expires_after(http_accept_pause);
  pause_.async_wait([this](const error_code& error) {
    if (!error) accept();
  });
}

void HttpCore::welcome(HttpSocket socket) {
  std::shared_ptr<HttpSession> session;
  {
    const std::lock_guard lock(mutex_);
    const bool is_turned_away = sessions_.size() - turned_away_ >= options_.connections;
    if (stopping_ || (is_turned_away && turned_away_ == most_turned_away)) return;
    session = std::make_shared<HttpSession>(shared_from_this(), std::move(socket), is_turned_away);
    sessions_.insert(session);
    if (is_turned_away) ++turned_away_;
  }
  session->on_strand([](HttpSession& on_strand) { on_strand.start(); });
}

void HttpCore::remove(const std::shared_ptr<HttpSession>& session, bool is_turned_away) {
  const std::lock_guard lock(mutex_);
  sessions_.erase(session);
  if (is_turned_away) --turned_away_;
  if (sessions_.empty()) all_gone_.notify_all();
}

std::size_t HttpCore::open_connections() const {
  const std::lock_guard lock(mutex_);
  return sessions_.size() - turned_away_;
}

template <class Action>
void HttpCore::for_each_session(Action action) {
  const std::lock_guard lock(mutex_);
  for (const auto& session : sessions_) session->on_strand(action);
}

void HttpCore::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    // Before it is closed: a server that comes next may find that nobody listens, and put its own file there.
    if (!socket_path_.empty()) unlink(socket_path_.c_str());
    error_code ignored;  // nothing is left to do about it
    acceptor_.close(ignored);
    pause_.cancel(ignored);
  }
  for_each_session([](HttpSession& session) { session.finish(); });
  {
    std::unique_lock lock(mutex_);
    all_gone_.wait_for(lock, options_.drain, [&] { return sessions_.empty(); });
  }
  for_each_session([](HttpSession& session) { session.close(); });
  work_.reset();
}

void check_http_time(const char* option, std::chrono::milliseconds time, std::chrono::milliseconds least) {
  if (time < least || time > longest_http_time)
    throw InvalidOption(option, fmt::format("must lie between {} ms and 1 hour", least.count()));
}

void check_http_options(const HttpServer::Options& options) {
  constexpr std::chrono::milliseconds shortest_time{1};
  if (options.threads < 1 || options.threads > most_http_threads)
    throw InvalidOption("threads", fmt::format("must lie between 1 and {}", most_http_threads));
  if (options.most_body_bytes > largest_body_limit)
    throw InvalidOption("most_body_bytes", fmt::format("must be at most {}", largest_body_limit));
  if (options.most_header_bytes < smallest_header_limit || options.most_header_bytes > largest_header_limit) {
    throw InvalidOption("most_header_bytes", fmt::format("must lie between {} and {}", smallest_header_limit,
                                                         largest_header_limit));
  }
  if (options.connections == 0) throw InvalidOption("connections", "must be at least 1");
  check_http_time("read_timeout", options.read_timeout, shortest_time);
  check_http_time("write_timeout", options.write_timeout, shortest_time);
  check_http_time("drain", options.drain, std::chrono::milliseconds(0));
}

}  // namespace

struct HttpServer::State {
  State(const Options& options, HandleRequest handle)
      : core(std::make_shared<HttpCore>(options, std::move(handle))) {}
  ~State() { stop(); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void stop() {
    std::call_once(stopped, [this] {
      core->stop();
      for (std::thread& thread : threads) thread.join();
    });
  }

  std::shared_ptr<HttpCore> core;
  std::vector<std::thread> threads = {};
  std::once_flag stopped = {};
};

HttpServer::HttpServer(const Options& options, HandleRequest handle) {
  check_http_options(options);
  state_ = std::make_unique<State>(options, std::move(handle));
  state_->core->listen();
  state_->core->accept();
  for (int i = 0; i < options.threads; ++i)
    state_->threads.emplace_back([core = state_->core.get()] { core->run(); });
}

HttpServer::~HttpServer() = default;

std::uint16_t HttpServer::port() const {
  return state_->core->port();
}

std::size_t HttpServer::open_connections() const {
  return state_->core->open_connections();
}

void HttpServer::stop() {
  state_->stop();
}

}  // namespace fogline::service
