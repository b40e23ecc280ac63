// SPDX-License-Identifier: Apache-2.0
// Loads `fogline serve` from one thread and prints what it saw as one line of JSON:
//
//     serve_load --port 8080 --token fog_... --seconds 10 --path release
//     serve_load --port 8080 --token fog_... --seconds 60 --pair -30.01,45.0 -29.0,46.0
//
// Each connection asks again as soon as it is answered, so a slow service is asked less: latencies are those that this many callers see, not those at a given rate.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto usage =
    "serve_load --port P --token T --seconds S --path livez|budget|release [--connections N]\n"
    "           [--subjects K] [--positions FILE.csv] [--pair LON1,LAT1 LON2,LAT2]\n";
constexpr auto usual_position = R"("lon":-30.01,"lat":45.0)";  // in the middle of city:1
constexpr std::uint64_t seed = 1;
constexpr std::chrono::seconds longest_wait{30};  // without any answer

struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  std::uint16_t port = 0;
  std::string token;
  double seconds = 10;
  std::uint64_t connections = 64;
  std::string path = "release";
  std::uint64_t subjects = 10'000;
  std::vector<std::string> positions{usual_position};
  bool is_pair = false;
};

template <class Number>
Number number_in(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    throw UsageError("no number: " + std::string(text));
  return value;
}

/// The members of a request, from "LON,LAT".
std::string position_from(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos) throw UsageError("no position: " + std::string(text));
  const std::string_view lon = text.substr(0, comma), lat = text.substr(comma + 1);
  number_in<double>(lon), number_in<double>(lat);
  return R"("lon":)" + std::string(lon) + R"(,"lat":)" + std::string(lat);
}

/// A file whose first line is lon,lat.
std::vector<std::string> positions_in(const std::string& name) {
  std::ifstream file(name);
  std::string line;
  if (!std::getline(file, line) || line != "lon,lat") throw UsageError(name + " does not begin with lon,lat");
  std::vector<std::string> positions;
  while (std::getline(file, line)) positions.push_back(position_from(line));
  if (positions.empty()) throw UsageError(name + " holds no position");
  return positions;
}

Options options_from(const std::vector<std::string>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& name = words[i];
    const auto value = [&]() -> const std::string& {
      if (i + 1 == words.size()) throw UsageError(name + " needs a value");
      return words[++i];
    };
    if (name == "--port") {
      options.port = number_in<std::uint16_t>(value());
    } else if (name == "--token") {
      options.token = value();
    } else if (name == "--seconds") {
      options.seconds = number_in<double>(value());
    } else if (name == "--connections") {
      options.connections = number_in<std::uint64_t>(value());
    } else if (name == "--path") {
      options.path = value();
    } else if (name == "--subjects") {
      options.subjects = number_in<std::uint64_t>(value());
    } else if (name == "--positions") {
      options.positions = positions_in(value());
    } else if (name == "--pair") {
      options.positions = {position_from(value())};
      options.positions.push_back(position_from(value()));
      options.is_pair = true;
    } else {
      throw UsageError("no such option: " + name);
    }
  }
  const bool is_path = options.path == "livez" || options.path == "budget" || options.path == "release";
  if (options.port == 0 || !(options.seconds > 0) || options.connections == 0 || options.subjects == 0 ||
      !is_path || (options.is_pair && options.path != "release"))
    throw UsageError("an option is missing or out of its range");
  return options;
}

struct Sample {
  double ms = 0;
  std::uint64_t number = 0;  // in the order of sending
  std::size_t position = 0;  // which of them
};

/// Requests in the order in which they are sent, whoever sends them.
class Requests {
 public:
  explicit Requests(const Options& options) : options_(options) {}

  /// The text of the next one; what it asks goes to `sample`.
  std::string next(Sample& sample) {
    sample.number = sent_++;
    const std::string subject = "s" + std::to_string(sample.number % options_.subjects);
    const std::string end =
        " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + options_.token + "\r\n";
    if (options_.path == "livez") return "GET /livez" + end + "\r\n";
    if (options_.path == "budget") return "GET /v1/subjects/" + subject + "/budget" + end + "\r\n";
    sample.position = options_.is_pair ? coins_() & 1U : sample.number % options_.positions.size();
    const std::string body =
        R"({"subject":")" + subject + R"(",)" + options_.positions[sample.position] + "}";
    return "POST /v1/place/release" + end +
           "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
           body;
  }

 private:
  const Options& options_;
  std::uint64_t sent_ = 0;
  std::mt19937_64 coins_{seed};
};

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + (errno != 0 ? std::string(": ") + std::strerror(errno) : std::string()));
}

/// One connection that is kept, with at most one request under way.
class Connection {
 public:
  explicit Connection(std::uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (socket_ < 0 || connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      fail("cannot connect");
    const int on = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (fcntl(socket_, F_SETFL, O_NONBLOCK) != 0) fail("cannot do without waiting");
  }
  ~Connection() { close(socket_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int socket_number() const { return socket_; }

  void ask(Requests& requests) {
    answer_.clear();
    const std::string text = requests.next(sample_);
    begun_ = Clock::now();
    // A request is far smaller than what the system takes at once from a connection on which nothing is under way.
    if (send(socket_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
      fail("a request was not taken");
  }

  /// Takes what has come. True when the answer is complete: then status() and sample() are of it.
  bool receive() {
    char bytes[16'384];
    const ssize_t size = recv(socket_, bytes, sizeof bytes, 0);
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return false;
    if (size < 0) fail("a connection broke");
    if (size == 0) throw std::runtime_error("the service closed a connection that is to be kept");
    answer_.append(bytes, static_cast<std::size_t>(size));
    const std::size_t head = answer_.find("\r\n\r\n");
    if (head == answer_.npos || answer_.size() < head + 4 + length_of_body(head)) return false;
    sample_.ms = std::chrono::duration<double, std::milli>(Clock::now() - begun_).count();
    return true;
  }

  int status() const { return number_in<int>(std::string_view(answer_).substr(9, 3)); }
  const Sample& sample() const { return sample_; }

 private:
  std::size_t length_of_body(std::size_t head) const {
    constexpr std::string_view name = "\r\nContent-Length: ";
    const std::size_t found = answer_.find(name);
    if (found == answer_.npos || found > head) throw std::runtime_error("an answer does not tell its length");
    const std::size_t begin = found + name.size();
    return number_in<std::size_t>(std::string_view(answer_).substr(begin, answer_.find('\r', begin) - begin));
  }

  int socket_;
  std::string answer_;
  Sample sample_;
  Clock::time_point begun_;
};

struct Seen {
  std::vector<Sample> samples;
  std::map<int, std::uint64_t> statuses;
  double seconds = 0;
};

Seen load(const Options& options) {
  const int events = epoll_create1(EPOLL_CLOEXEC);
  if (events < 0) fail("cannot wait");
  std::vector<std::unique_ptr<Connection>> connections;
  for (std::uint64_t i = 0; i < options.connections; ++i) {
    connections.push_back(std::make_unique<Connection>(options.port));
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = connections.back().get();
    if (epoll_ctl(events, EPOLL_CTL_ADD, connections.back()->socket_number(), &event) != 0)
      fail("cannot wait");
  }
  Seen seen;
  Requests requests(options);
  const Clock::time_point begun = Clock::now();
  const std::chrono::duration<double> wanted(options.seconds);
  for (const auto& connection : connections) connection->ask(requests);
  std::vector<epoll_event> ready(connections.size());
  // What is under way at the end is waited for: without the slowest answers, quantiles would flatter.
  for (std::size_t under_way = connections.size(); under_way > 0;) {
    const int count = epoll_wait(events, ready.data(), static_cast<int>(ready.size()),
                                 static_cast<int>(std::chrono::milliseconds(longest_wait).count()));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("cannot wait");
    if (count == 0) throw std::runtime_error("the service does not answer any more");
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      auto& connection = *static_cast<Connection*>(ready[i].data.ptr);
      if (!connection.receive()) continue;
      ++seen.statuses[connection.status()];
      seen.samples.push_back(connection.sample());
      if (Clock::now() - begun < wanted) {
        connection.ask(requests);
      } else {
        --under_way;
      }
    }
  }
  seen.seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  close(events);
  return seen;
}

double quantile(const std::vector<double>& sorted, double part) {
  return sorted.empty() ? std::nan("")
                        : sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
}

std::vector<double> sorted_ms(const std::vector<Sample>& samples, std::size_t position, std::uint64_t half,
                              std::uint64_t halves) {
  std::vector<double> ms;
  for (const Sample& sample : samples)
    if (sample.position == position && sample.number % halves == half) ms.push_back(sample.ms);
  std::ranges::sort(ms);
  return ms;
}

double part_up_to(const std::vector<double>& sorted, double threshold) {
  return static_cast<double>(std::ranges::upper_bound(sorted, threshold) - sorted.begin()) /
         static_cast<double>(sorted.size());
}

/// How well one latency tells the two positions apart: threshold and side from requests of even number, the rate from the odd ones, so that what was chosen for its luck does not count.
///
/// The interval is Hoeffding's for a difference of two means. Positions were chosen by coins of our own. If latencies do not depend on them, it holds whatever answers that leave together have in common.
std::string distinguished(const std::vector<Sample>& samples) {
  const auto a = sorted_ms(samples, 0, 0, 2), b = sorted_ms(samples, 1, 0, 2);
  const auto measured_a = sorted_ms(samples, 0, 1, 2), measured_b = sorted_ms(samples, 1, 1, 2);
  if (a.empty() || b.empty() || measured_a.empty() || measured_b.empty())
    throw std::runtime_error("too few answers to compare");
  double threshold = a.front(), best = 0;
  for (const std::vector<double>* all : {&a, &b}) {
    for (const double ms : *all) {
      const double difference = part_up_to(a, ms) - part_up_to(b, ms);
      if (std::abs(difference) > std::abs(best)) best = difference, threshold = ms;
    }
  }
  const double side = best < 0 ? -1 : 1;
  const double advantage = side * (part_up_to(measured_a, threshold) - part_up_to(measured_b, threshold));
  constexpr double missed = 0.05;
  const double counts =
      1 / static_cast<double>(measured_a.size()) + 1 / static_cast<double>(measured_b.size());
  const double width = std::sqrt(counts * std::log(2 / missed) / 2);
  char text[256];
  std::snprintf(
      text, sizeof text,
      R"("threshold_ms": %.4f, "advantage_chosen_on": %.4f, "advantage": %.4f, "low": %.4f, "high": %.4f, "interval": "Hoeffding, 95 %%")",
      threshold, std::abs(best), advantage, std::max(advantage - width, -1.0),
      std::min(advantage + width, 1.0));
  return text;
}

std::string of_one(const std::vector<Sample>& samples, std::size_t position) {
  const std::vector<double> ms = sorted_ms(samples, position, 0, 1);
  double sum = 0;
  for (const double one : ms) sum += one;
  char text[160];
  std::snprintf(text, sizeof text, R"({"count": %zu, "mean_ms": %.4f, "p50_ms": %.4f, "p99_ms": %.4f})",
                ms.size(), sum / static_cast<double>(ms.size()), quantile(ms, 0.5), quantile(ms, 0.99));
  return text;
}

void print(const Options& options, const Seen& seen) {
  std::vector<double> ms;
  for (const Sample& sample : seen.samples) ms.push_back(sample.ms);
  std::ranges::sort(ms);
  std::printf(R"({"path": "%s", "connections": %ju, "requests": %zu, "seconds": %.3f, "per_second": %.1f, )",
              options.path.c_str(), std::uintmax_t{options.connections}, ms.size(), seen.seconds,
              static_cast<double>(ms.size()) / seen.seconds);
  std::printf(R"("p50_ms": %.4f, "p99_ms": %.4f, "max_ms": %.4f, "statuses": {)", quantile(ms, 0.5),
              quantile(ms, 0.99), ms.back());
  const char* before = "";
  for (const auto& [status, count] : seen.statuses) {
    std::printf(R"(%s"%d": %ju)", before, status, std::uintmax_t{count});
    before = ", ";
  }
  std::printf("}");
  if (options.is_pair)
    std::printf(R"(, "pair": {"a": %s, "b": %s, %s})", of_one(seen.samples, 0).c_str(),
                of_one(seen.samples, 1).c_str(), distinguished(seen.samples).c_str());
  std::printf("}\n");
}

}  // namespace

int main(int count, char** words) try {
  const Options options = options_from({words + 1, words + count});
  print(options, load(options));
} catch (const UsageError& error) {
  std::fprintf(stderr, "serve_load: %s\nusage: %s", error.what(), usage);
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "serve_load: %s\n", error.what());
  return 1;
}
