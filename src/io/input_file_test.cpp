// SPDX-License-Identifier: Apache-2.0
#include "io/input_file.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/test_text.hpp"

namespace fogline::io::input_file_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_text::gzip;
using testing_text::message_of;

std::vector<std::string> lines_of(TextSource source) {
  LineReader reader(source);
  std::vector<std::string> lines;
  for (std::string_view line; reader.next(line);) lines.emplace_back(line);
  EXPECT_EQ(reader.line_number(), lines.size());
  return lines;
}

std::vector<std::string> lines_of(const std::string& text) {
  return lines_of(TextSource::from_memory("t", text));
}

TEST(LineReader, AcceptsEveryUsualEnding) {
  EXPECT_THAT(lines_of("a\nb\n"), ElementsAre("a", "b"));
  EXPECT_THAT(lines_of("a\r\nb\r\n"), ElementsAre("a", "b"));
  EXPECT_THAT(lines_of("a\n\nb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(lines_of(""), ElementsAre());
  EXPECT_THAT(lines_of("x"), ElementsAre("x"));
}

TEST(LineReader, SkipsAByteOrderMarkOnlyAtTheStart) {
  EXPECT_THAT(lines_of("\xEF\xBB\xBFlon\n\xEF\xBB\xBFlat"), ElementsAre("lon", "\xEF\xBB\xBFlat"));
}

TEST(LineReader, GivesBackAnyTextPlainOrPacked) {
  EXPECT_TRUE(rc::check([] {
    const auto parts = *rc::gen::container<std::vector<std::string>>(
        rc::gen::container<std::string>(rc::gen::inRange(' ', '~')));
    std::string text;
    for (const auto& part : parts) text += part + "\n";
    RC_ASSERT(lines_of(text) == parts);
    RC_ASSERT(lines_of(gzip(text)) == parts);
  }));
}

TEST(LineReader, LinesLongerThanABlockStayWhole) {
  const std::string longest(1'000'000, 'x');
  EXPECT_THAT(lines_of("a\n" + longest + "\nb"), ElementsAre("a", longest, "b"));
  EXPECT_THAT(lines_of(gzip("a\n" + longest + "\nb")), ElementsAre("a", longest, "b"));
}

TEST(LineReader, ALineAboveTheLimitIsRefusedWithItsNumber) {
  const LimitScope scope({.line = 300'000});
  const std::string fits(300'000, 'x');
  EXPECT_EQ(lines_of(TextSource::from_memory("t", "a\n" + fits + "\n")).size(), 2U);
  for (const char* ending : {"", "\n"}) {
    const std::string message =
        message_of([&] { lines_of(TextSource::from_memory("t", "a\n" + fits + "x" + ending)); });
    EXPECT_THAT(message, HasSubstr("t, line 2: the line is longer than 300,000 bytes"));
  }
}

TEST(LineReader, ANulByteIsRefusedWithItsLine) {
  EXPECT_THAT(message_of([] { lines_of(std::string("a\nb\n\0c\n", 7)); }),
              HasSubstr("t, line 3: holds a NUL"));
}

TEST(LineReader, ALineIsGivenWhateverFollows) {
  TextSource source = TextSource::from_memory("t", std::string("a\nb\n\0c\n", 7));
  LineReader lines(source);
  std::string_view line;
  for (const char* expected : {"a", "b"}) {
    ASSERT_TRUE(lines.next(line));
    EXPECT_EQ(line, expected);
  }
  EXPECT_THROW(lines.next(line), DataError);
}

TEST(TextSource, ReadsPackedMembersOneAfterAnother) {
  EXPECT_THAT(lines_of(gzip("a\n") + gzip("") + gzip("b\n")), ElementsAre("a", "b"));
}

TEST(TextSource, EveryTruncationOfPackedDataIsNoticed) {
  const std::string packed = gzip("lon,lat\n1,2\n3,4\n");
  for (std::size_t size = 2; size < packed.size(); ++size) {
    EXPECT_THAT(message_of([&] { lines_of(packed.substr(0, size)); }), HasSubstr("ends too early")) << size;
  }
}

TEST(TextSource, DamagedPackedDataIsNoticed) {
  std::string packed = gzip("lon,lat\n1,2\n3,4\n");
  packed[packed.size() - 6] ^= 1;
  EXPECT_THAT(message_of([&] { lines_of(packed); }), HasSubstr("damaged"));
  EXPECT_THAT(message_of([&] { lines_of(gzip("a\n") + "rubbish"); }), HasSubstr("damaged"));
}

TEST(TextSource, ReadAllKeepsToItsLimitAndRefusesNul) {
  EXPECT_EQ(TextSource::from_memory("t", "\xEF\xBB\xBF{}").read_all(), "{}");
  constexpr FormatLimit hundred{.file = "test", .what = "bytes", .most = 100, .reason = {}};
  EXPECT_EQ(TextSource::from_memory("t", std::string(100, 'x')).read_all(hundred).size(), 100U);
  EXPECT_THAT(
      message_of([&] { TextSource::from_memory("t", gzip(std::string(101, 'x'))).read_all(hundred); }),
      HasSubstr("more than 100 bytes"));
  EXPECT_THAT(message_of([] { TextSource::from_memory("t", std::string("\n\0", 2)).read_all(); }),
              HasSubstr("line 2: holds a NUL"));
}

TEST(TextSource, PeekingTakesNothingAway) {
  for (const std::string& bytes : {std::string("lon,lat\n1,2\n"), gzip("lon,lat\n1,2\n")}) {
    TextSource source = TextSource::from_memory("t", bytes);
    EXPECT_EQ(source.peek(3), "lon");
    EXPECT_EQ(source.peek(1), "l");
    EXPECT_EQ(source.peek(5), "lon,l");
    char two[2];
    ASSERT_EQ(source.read(two, 2), 2U);
    EXPECT_EQ(source.peek(100), "n,lat\n1,2\n");
    EXPECT_EQ(source.read_all(), "n,lat\n1,2\n");
    EXPECT_EQ(source.peek(1), "");
  }
}

TEST(TextSource, FilesAndTheirAbsence) {
  const auto folder = std::filesystem::temp_directory_path();
  std::string pattern = (folder / "fogline-input-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const std::string file = pattern + "/a.csv";
  std::ofstream(file) << "1\n2\n";
  EXPECT_THAT(lines_of(TextSource::from_file(file)), ElementsAre("1", "2"));
  EXPECT_THAT(message_of<FileError>([&] { TextSource::from_file(pattern + "/b.csv"); }),
              HasSubstr("check the name"));
  EXPECT_THAT(message_of<FileError>([&] { TextSource::from_file(pattern); }), HasSubstr("name a file in it"));
  std::filesystem::remove_all(pattern);
}

/// A pipe into which nobody writes, whether somebody holds its other end or not.
TEST(TextSource, ASilentPipeIsNotWaitedForLongerThanTheLimit) {
  const std::string pipe = testing::TempDir() + "fogline_silent_pipe";
  unlink(pipe.c_str());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto seconds = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  const LimitScope scope({.seconds = 1, .clock = seconds});
  for (const bool is_held : {false, true}) {
    const int writer = is_held ? open(pipe.c_str(), O_RDWR) : -1;
    if (is_held) {
      ASSERT_EQ(write(writer, "lon,lat\n", 8), 8);
    }
    const double begin = seconds();
    EXPECT_THAT(message_of([&] {
                  TextSource source = TextSource::from_file(pipe);
                  source.read_all();
                }),
                HasSubstr("takes longer than 1 s"));
    EXPECT_LT(seconds() - begin, 30);
    if (is_held) close(writer);
  }
  EXPECT_THROW(read_small_file(pipe, format_limit::key_bytes, "check the name"), FileError);
  unlink(pipe.c_str());
}

/// What comes is read, however slowly, and its end is heard.
TEST(TextSource, APipeThatSpeaksIsReadToItsEnd) {
  const std::string pipe = testing::TempDir() + "fogline_slow_pipe";
  unlink(pipe.c_str());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] {
    const int file = open(pipe.c_str(), O_WRONLY);
    for (const char* piece : {"one\n", "two\n"}) {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      EXPECT_EQ(write(file, piece, 4), 4);
    }
    close(file);
  });
  const LimitScope scope({.seconds = 600, .clock = [] { return 0.0; }});
  EXPECT_EQ(TextSource::from_file(pipe).read_all(), "one\ntwo\n");
  writer.join();
  unlink(pipe.c_str());
}

TEST(TextSource, CanBeStoppedByItsWatcher) {
  const auto file = std::filesystem::temp_directory_path() / "fogline_stopped.txt";
  std::ofstream(file) << std::string(3'000'000, 'x') << "\n";
  std::uint64_t told = 0;
  TextSource source = TextSource::from_file(file.string(), [&](const ProgressUpdate& update) {
    told = update.done;
    return update.done < 1'000'000;
  });
  LineReader reader(source);
  std::string_view line;
  EXPECT_THROW(reader.next(line), Cancelled);
  EXPECT_GE(told, 1'000'000U);
  EXPECT_LT(told, 3'000'000U);
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace fogline::io::input_file_test
