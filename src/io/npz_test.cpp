// SPDX-License-Identifier: Apache-2.0
#include "io/npz.hpp"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include "base/error.hpp"
#include "io/held_files.hpp"
#include "io/input_file.hpp"
#include "io/limits.hpp"
#include "io/test_text.hpp"

namespace fogline::io::npz_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_text::message_of;

// What NumPy 2.4.6 and SciPy 1.17.1 write, as base64.b64encode(zlib.compress(file, 9)):
//
//   numbers = dict(data=array([[0.5, -1, 2], [1e300, 3, 4]]), single=array([1.5, 2], "<f4"),
//                  i=array([-2, 7], "<i4"), u=array([4294967295], "<u4"),
//                  big=array([-2**62, 2**53 + 1], "<i8"), huge=array([2**64 - 1], "<u8"),
//                  none=zeros((0, 3)), one=array(9.0), name=array(b"csr"), flags=array([True, False]))
//   plain    savez(file, **numbers)
//   packed   savez_compressed(file, **numbers)
//   csr      scipy.sparse.save_npz(file, csr_array([[0.25, 0, 0.75], [0, 1.0, 0]]))
//   fortran  savez_compressed(file, f=asfortranarray([[1.0, 2, 3], [4, 5, 6]]),
//                             cube=asfortranarray(ones((2, 2, 2))))
//   piped    savez_compressed(pipe, a=arange(3)), where the pipe cannot seek: sizes stand behind the data
//   odd      savez_compressed(file, objects=array([None]), words=array("csr"), turned=array([1.0], ">f8"),
//                             table=zeros(1, [("a", "<f8"), ("b", "<i4")]), complex=array([1j]),
//                             good=array([1.0]))
//   bare     save(file, array([[1, 2]], "<i8"))
//   v2, v3   numpy.lib.format.write_array(file, array([7.0]), version=(2, 0)), and (3, 0)
constexpr std::string_view numpy_plain =
    "eNoL8GZm0WWAAEWGYhWW1P9QwMEgwpCSWJKol1dQycggwLABqgpGT/YL9Q2IZGQoY6hWT0ktTi5St1JQt0mzUNdRUE/LLyopSsyL"
    "zy9KSQWJuyXmFKcCxYszEgtSgXwNIx0FY00dhVoFsgEXxBUP7CH0h/1QZznMKWXosHliXgfhcjhAaAGHABSffjvw+QXMp1xAnxZn"
    "5qXnpML82gFV14HfryZE+pUyn4L9egDkTzQ/rNdc2QDzAyvQD5mkOT+Tbs7/B3QgO9AdqM43ebC2D9n5pTDnt0CVtOB1filxzjek"
    "3PkgB6I6fYrvjicwp7MDnZ6UmQ5z/ASoogn4w96CfkkHDA4wgikFtDgoOnnDDjnDZ5Smk5gJSi3oGQ2YURHxO+EHsg/y8vPgPmiA"
    "qmqgRpFlQHmRhepyQfMnAciJCMnhRJY/xDmc0oCHJyIltPJn8eGS6ShBn5gL90EzVFUzPh/UBBvTywfJxUWojn8nuTsW5nhOoOPT"
    "chLTi2Gub4Iqa8Lr+iRDemViRmC2ZWTSZUatqTdAa2MOBgRoAOdzWL2NrgtU63VA0xUXiq5XQBJRB6LrA9U0MH2sKPrWAe3LxKYF"
    "VLq3QAtxVC25TAyQsh5dC6hUnQAtOtlRtGgwM8DKWHRNoBIM5jTUgPgI1AQrz9B1gUqNBmjJgKprMwsDvAxB1wXKsTC7UB2YC/Qi"
    "Dk2gXNIMzQmoVumxMcDzDLouUPJsgqZAThRdr4G64Ik1wJuVjQEcmVwM4sBwXQF2FgDuhRzW";
constexpr std::string_view numpy_packed =
    "eNoL8GZm0WVgYOAAYkWGYhWW1P9QwMEgwpCSWJKol1dQycggwLCBAQKSoPTsN+KvpAVOngg4FrB23qSoOTFL8pYuyJuctnDd4gXz"
    "psWHBE2ZIT4/fsokLqFy7zOafqxd4ukqYkuYfkq5WXEdm2XFtZUrhVmPzaAigX+h/Zv2Czx8xV6SVjnzZlx33CHDJxB1gJEhAMVt"
    "3w58fgFzGxfQbcWZeek5qTDXdUBd5UPAdYsIuw7sNhEGPbY25m88PDx8aO5Yr7myAeYOVqA7MtGd4IvfCZnEO2FdPdCO9PSEBAY0"
    "N5g8WNuH7IZSmBtaoHa743VDcBZBN7TB3fDfAd32Kb47nsBsZwfanpSZDrN/AnHRkLmQhGjgsDjAsUxEAs0RRSdv2CEn1YzSdIzE"
    "QCgUFpIQCgHooRDxO+EHsgPy8vPgDmiAWuxGaV5hQ8oraPYLmj8JQI4FJOuJ8z8R1kN8zwjMpgFF6P5ffLhkOor/E3PhDmiGWuyK"
    "zwFxwjlriHTAuiePlNCsfye5OxZmPSfQ+rScxPRimP1NxIR/3OSUFcQnQzc2oAMYmXSZUUtLUGm4ASoCAw2MIBJWdqLrApVjoOwB"
    "iiQuFF1zgCSiVEPXByp3fKH6WFH0qQDty8SmBVRMgNJAC4aWFUAtpdi0gPI2yHWgjMyOokWNiQGW09E1gfKiO9RpqAGxGqgJljPR"
    "dYEyECiCGjB06TAzwLMTui5QsofZherANUBdODSB0iooLTZjWsXCAE+56LpASQzkQFBq4kT1FlAXPMEFeLOyMYAjk4tBHOhfHXBQ"
    "AwDUuB+0";
constexpr std::string_view numpy_csr =
    "eNoL8GZm0WVgYOAAYkUGfpd20/9QwM0gwpCZl5KZnFqsl1dQycggwNDDAAE+UHr2G/FX0gInTwQcC1g7b1LUnJgleUsX5E3OXLRu"
    "8YJ50+JDgqbMEJ8fP2USl1C59xlNP9Yu8XQVsSVMP6WOWc2y4trKJcKgx6aQwJTkpsDGEIDikJaevvkwh3BBHFJQUkRrd6RhuGPx"
    "4ZLpyO5Iyy/KTSyBuaMZar8rPnfECeesIeQOiCsY1z15pITmgASPOh6YAziBDijOSCxIhdk/AWqvF4FwWEjIfjd4OKixcSS0XUJz"
    "RLP9aj6YIziAjkhJLEmEuWEG1G5//G5IW0hCXBjsSOBfGO/wkv8bmkOadH9chjmEF+iQ+Mzi+MSiosRKmGsaoa5wxhsjk1NWEBkj"
    "em5AFzAy6TKj5hFQwgMlQm4GBGhgBJFIOQZdIyhNwzRyoWjshGiEpnB0faA0CEphzRj6BIFWIlIkuj5Q0gGlDFAq4UTRNwmoD56Q"
    "0LWBIhsUmTOgIght4kwM8KhH1wWKGVCggyKAF0XXAqAulHgK8GZlA0mxAWEg0CVKzCAeADioSlo=";
constexpr std::string_view numpy_fortran =
    "eNoL8GZm0WVgYOAAYkUGbvWE2/+hgJVBhCFNL6+gkpFBgGEDAwREQunZb8RfSQucPBFwLGDtvElRc2KW5C1dkDc5beG6xQvmTYsP"
    "CZoyQ3x+/JRJXEL8mlq+rFzi6SpiS5h2SrlZcR2bZcW1lesJsx6bwY8E/oWsMgomzFPEGi/JBEQdYmQIQHHPg/Z1sjD3cADdk1ya"
    "lApz0gGoU3wod5LCkpWLA1Y7qD1IYmjm//bkEtAVjEy6zKjhAvI6KBhYGRCggRFEgkMJXQvI6SCnHYCKILRMAJIwjwR4s7KBRJmA"
    "MBNIi4ENBABRAG8w";
constexpr std::string_view numpy_piped =
    "eNoL8GZm0WXgAEIGBkUGEPgPBawMIgyJenkFlYwMAgzoYPYb8VfSAidPBBwLWDtvUtScmCV5SxfkTc5cuG7xgnnT4kOCpswQnx8/"
    "ZRKXULn3GU0/1i7xdBWxJUw/pY5ZzbLi2solwqDHppHQcsknQIohwJud47uD0CsfqNkzoHSANyOTLjPCcTA1IHlWJLc0MIJIsFMD"
    "vFnZQBxGIDQGOROsAADRszZV";
constexpr std::string_view numpy_odd =
    "eNoL8GZm0WVgYOAAYkUGpjRO6f9QwM0gwpCflJWaXFKsl1dQycggwCDKyAAGhyEUw+w34q+kBU6eCDgWsHbepKg5MUvyli6Ie7x+"
    "3eIF86bFhwRNmSE+P37KJC6hMu8zmn6sXeLpKmJLmH5KtVnNsuLayjWFYR3btJWxPAIXlKeFz4oOWCk+f078lFXTo2cFT5oZETIl"
    "wnJpu/o+DVNL+/U7lqww2Zly6omm7ZqEqcFVNz4HKXip+X9My5j76MwMk6W1XhdEePPd8o9d05Q8Y7tGU3Uq60oFXZ9/YsFW1gqb"
    "ztj2mAb/+fNnzz9mxhkftunPnHRF0vqovqDHa0aGABT/Bx5cVwbzPyfQ/+X5RSlw3/dAfe2Nz/d5wllrMLxfjup9sOdFGNelsLG1"
    "JSnoMSWhuWLjnr2nYa7gArqipLQoLzUF5owOqPWeeJ0xPW0hIWdAY0GEQe83P08CA5ojDGKrFiEHRUliUk4qelBE4HGDwNqF81YA"
    "3ZA3GeiUlYsXLJzH8ix11orsY0ySmT9dVV07Kz/+dNVcqfA0r9Py6EqHj496jjSFKMQfDmBfsTqsUeLA0QYWNCfdMtxwFTl1Jufn"
    "FuSkVsAcNQHqGC+8ATM5J2MZeshMKsAaMk+Y9dhEPhyUQ3PG7uu3r8OcwQF0Rnp+PomRM5mUyGEz+JHAD3QCI5MuM2pOBWVDUJbk"
    "ZkCABnAWRcq36BpBSRyUgkFRyImqEagVnuDRtYHSJMhTIA9yoWhrA2pDpFB0faBkFIHVOm4mBkSiQtcGimpQPILiFNV784DakCIe"
    "XSMocmDu5EDRqMrMAI+qAG9WNpAoGxD6Ad2/ghnEAwCPvpYB";
constexpr std::string_view numpy_bare =
    "eNqb7BfqGxDJyFDGUK2eklqcXKRupaBuk2mhrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RqGOgpGmjoKtQpkAy5GBghg"
    "gtIAEB4bdA==";
constexpr std::string_view numpy_v2 =
    "eNqb7BfqGxDJxFDCwMBQrZ6SWpxcpG6loG6TZqGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GoY6mjoKtQpkAy4GMJBx"
    "AAD7VBt3";
constexpr std::string_view numpy_v3 =
    "eNqb7BfqGxDJzFDCwMBQrZ6SWpxcpG6loG6TZqGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GoY6mjoKtQpkAy4GMJBx"
    "AAD71ht4";

constexpr std::size_t most_of_numpy = 4096;

/// A file of NumPy's from its text above.
std::string unpacked(std::string_view base64) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string packed;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : base64.substr(0, base64.find('='))) {
    bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    packed += static_cast<char>(bits >> count & 0xFF);
  }
  std::string file(most_of_numpy, '\0');
  uLongf size = file.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(file.data()), &size,
                       reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
            Z_OK);
  file.resize(size);
  return file;
}

NpzFile opened(const std::string& bytes) {
  TextSource source = TextSource::from_memory("test.npz", bytes);
  return NpzFile(source);
}

/// Everything that a file gives out, as a text to compare.
std::string told(const NpzFile& file) {
  std::string all;
  for (const std::string& name : file.names()) {
    all += name;
    for (const std::uint64_t length : file.shape(name)) all += ' ' + std::to_string(length);
    if (file.array(name).type.starts_with("|S")) {
      all += file.text(name);
    } else {
      for (const double number : file.numbers(name)) all += ' ' + std::to_string(number);
    }
    all += '\n';
  }
  return all;
}

/// An .npy file with this text as its head.
std::string npy(const std::string& head, const std::string& values, char version = 1) {
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  const auto size = static_cast<std::uint32_t>(head.size());
  file.append(reinterpret_cast<const char*>(&size), version == 1 ? 2 : 4);
  return file + head + values;
}

std::string head_of(const std::string& shape, const std::string& type = "<f8") {
  return "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
}

std::string one_double() {
  return {"\0\0\0\0\0\0\xF8\x3F", 8};  // 1.5
}

template <class Number>
void put(std::string& record, Number number) {
  record.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string deflated(const std::string& text) {
  std::string packed(compressBound(text.size()), '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// One member of an archive, which may lie.
struct Zipped {
  std::string name = "a.npy";
  std::string local_name = name;
  std::string data = npy(head_of("(1,)"), one_double());  // as it lies in the file
  std::uint16_t flags = 0;
  std::uint16_t method = 0;
  std::uint32_t check_sum =
      static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size()));
  std::uint64_t packed = data.size();
  std::uint64_t unpacked = data.size();
  std::uint64_t place_off = 0;  // how much the directory is wrong about the place
  bool is_wide = false;         // sizes and places in 64 bits
};

std::string common_of(const Zipped& member) {
  std::string record;
  put(record, std::uint16_t{45});
  put(record, member.flags);
  put(record, member.method);
  put(record, std::uint32_t{0});
  put(record, member.check_sum);
  put(record, static_cast<std::uint32_t>(member.is_wide ? 0xFFFFFFFF : member.packed));
  put(record, static_cast<std::uint32_t>(member.is_wide ? 0xFFFFFFFF : member.unpacked));
  return record;
}

std::string local_of(const Zipped& member) {
  std::string record = "PK\x03\x04" + common_of(member), extra;
  if (member.is_wide) {
    put(extra, std::uint32_t{16 << 16 | 1});
    put(extra, member.unpacked);
    put(extra, member.packed);
  }
  put(record, static_cast<std::uint16_t>(member.local_name.size()));
  put(record, static_cast<std::uint16_t>(extra.size()));
  return record + member.local_name + extra + member.data;
}

std::string central_of(const Zipped& member, std::uint64_t place) {
  std::string record = "PK\x01\x02", extra;
  if (member.is_wide) {
    put(extra, std::uint32_t{2 << 16 | 0xCAFE});  // somebody else's, of 2 bytes
    put(extra, std::uint16_t{7});
    put(extra, std::uint32_t{24 << 16 | 1});
    put(extra, member.unpacked);
    put(extra, member.packed);
    put(extra, place);
  }
  put(record, std::uint16_t{45});
  record += common_of(member);
  put(record, static_cast<std::uint16_t>(member.name.size()));
  put(record, static_cast<std::uint16_t>(extra.size()));
  record.append(10, '\0');
  put(record, static_cast<std::uint32_t>(member.is_wide ? 0xFFFFFFFF : place));
  return record + member.name + extra;
}

std::string wide_end(std::uint64_t members, std::uint64_t size, std::uint64_t place) {
  std::string end = "PK\x06\x06";
  put(end, std::uint64_t{44});
  put(end, std::uint32_t{45 << 16 | 45});
  put(end, std::uint64_t{0});
  for (const std::uint64_t number : {members, members, size, place}) put(end, number);
  end += "PK\x06\x07";
  put(end, std::uint32_t{0});
  put(end, place + size);
  put(end, std::uint32_t{1});
  return end;
}

std::string zip(const std::vector<Zipped>& members, bool is_wide = false) {
  std::string file, directory;
  for (const Zipped& member : members) {
    directory += central_of(member, file.size() + member.place_off);
    file += local_of(member);
  }
  const std::size_t place = file.size();
  file += directory + (is_wide ? wide_end(members.size(), directory.size(), place) : "") + "PK\x05\x06";
  put(file, std::uint32_t{0});
  const auto count = static_cast<std::uint16_t>(is_wide ? 0xFFFF : members.size());
  put(file, count);
  put(file, count);
  put(file, static_cast<std::uint32_t>(is_wide ? 0xFFFFFFFF : directory.size()));
  put(file, static_cast<std::uint32_t>(is_wide ? 0xFFFFFFFF : place));
  put(file, std::uint16_t{0});
  return file;
}

Zipped packed_member(const std::string& content) {
  Zipped member;
  member.data = deflated(content);
  member.method = 8;
  member.check_sum =
      static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
  member.packed = member.data.size();
  member.unpacked = content.size();
  return member;
}

/// What is said of an archive when its array "a" is read.
std::string refusal(const std::vector<Zipped>& members) {
  return message_of([&] { opened(zip(members)).numbers("a"); });
}

class NpzOnDisk : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  const std::filesystem::path folder_ = [] {
    const auto folder = std::filesystem::temp_directory_path() /
                        ("npz_test_" + std::to_string(::getpid()) + "_" +
                         ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder);
    return folder;
  }();
};

const std::vector<double> doubles{0.5, -1, std::numeric_limits<double>::infinity(), 1e-300, 0, 7};
const std::vector<std::uint32_t> unsigned_32{0, 4294967295};
const std::vector<std::int32_t> signed_32{-2147483648, 5};
const std::vector<std::uint64_t> unsigned_64{std::uint64_t{1} << 62};
const std::vector<std::int64_t> signed_64{-1, 2, std::int64_t{1} << 53};

NpzWriter all_types() {
  NpzWriter writer;
  writer.add("data", {2, 3}, std::span<const double>(doubles));
  writer.add("u4", {2}, std::span<const std::uint32_t>(unsigned_32));
  writer.add("i4", {1, 2, 1}, std::span<const std::int32_t>(signed_32));
  writer.add("u8", {}, std::span<const std::uint64_t>(unsigned_64));
  writer.add("i8", {3}, std::span<const std::int64_t>(signed_64));
  writer.add("nothing", {0, 4}, std::span<const double>());
  writer.add_text("format", "csr");
  writer.add_text("empty", "");
  return writer;
}

TEST_F(NpzOnDisk, GivesBackWhatWasWritten) {
  const NpzWriter writer = all_types();
  writer.write(path("all.npz"), {.overwrite = false});
  const NpzFile file(path("all.npz"));
  EXPECT_EQ(file.path(), path("all.npz"));
  EXPECT_THAT(file.names(), ElementsAre("data", "empty", "format", "i4", "i8", "nothing", "u4", "u8"));
  EXPECT_EQ(file.numbers("data"), doubles);
  EXPECT_THAT(file.shape("data"), ElementsAre(2, 3));
  EXPECT_EQ(file.array("data").type, "<f8");
  EXPECT_THAT(file.integers("u4"), ElementsAre(0, 4294967295));
  EXPECT_THAT(file.numbers("i4"), ElementsAre(-2147483648.0, 5));
  EXPECT_THAT(file.shape("i4"), ElementsAre(1, 2, 1));
  EXPECT_THAT(file.integers("u8"), ElementsAre(std::int64_t{1} << 62));
  EXPECT_THAT(file.shape("u8"), IsEmpty());
  EXPECT_EQ(file.integers("i8"), signed_64);
  EXPECT_THAT(file.numbers("nothing"), IsEmpty());
  EXPECT_THAT(file.shape("nothing"), ElementsAre(0, 4));
  EXPECT_EQ(file.text("format"), "csr");
  EXPECT_EQ(file.text("empty"), "");
  EXPECT_TRUE(file.has("data") && !file.has("else") && !file.has("data.npy"));
}

TEST_F(NpzOnDisk, TheSameArraysAreTheSameFile) {
  const NpzWriter writer = all_types();
  writer.write(path("all.npz"), {.overwrite = false});
  std::ifstream in(path("all.npz"), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(in), {});
  EXPECT_EQ(bytes, writer.bytes());
  EXPECT_EQ(bytes, all_types().bytes());
  // The values of an array lie at a multiple of 64 bytes from where it begins.
  EXPECT_EQ((bytes.find("csr", bytes.find("|S3")) - bytes.find("\x93NUMPY", bytes.find("format.npy"))) % 64,
            0U);
  EXPECT_THROW(writer.write(path("all.npz"), {.overwrite = false}), FileError);
  writer.write(path("all.npz"), {.overwrite = true});
}

TEST_F(NpzOnDisk, IsLargerThanAPiece) {
  std::vector<std::uint32_t> many(300'001);
  for (std::uint32_t i = 0; i < many.size(); ++i) many[i] = i * 7;
  NpzWriter writer;
  writer.add("many", {many.size()}, std::span<const std::uint32_t>(many));
  writer.write(path("many.npz"), {.overwrite = false});
  const std::vector<std::int64_t> found = NpzFile(path("many.npz")).integers("many");
  EXPECT_TRUE(std::equal(found.begin(), found.end(), many.begin(), many.end()));
}

TEST(NpzWriterTest, RefusesNamesAndShapes) {
  NpzWriter writer;
  const std::span<const double> six(doubles);
  for (const char* name : {"", "a/b", "..\\b", "a\n", "\xC3\xA4"})
    EXPECT_THROW(writer.add(name, {6}, six), InvalidOption) << name;
  EXPECT_THROW(writer.add(std::string(201, 'a'), {6}, six), InvalidOption);
  EXPECT_THROW(writer.add("a", {5}, six), InvalidOption);
  EXPECT_THROW(writer.add("a", {}, six), InvalidOption);
  EXPECT_THROW(writer.add("a", {std::uint64_t{1} << 63, 2, 6}, six), InvalidOption);
  EXPECT_THROW(writer.add_text("a", std::string_view("a\0", 2)), InvalidOption);
  writer.add("a", {3, 2}, six);
  EXPECT_THROW(writer.add_text("a", "b"), InvalidOption);
  EXPECT_THAT(opened(NpzWriter().bytes()).names(), IsEmpty());
}

class OfNumPy : public ::testing::TestWithParam<std::string_view> {};

TEST_P(OfNumPy, NumbersAreRead) {
  const NpzFile file = opened(unpacked(GetParam()));
  EXPECT_THAT(file.numbers("data"), ElementsAre(0.5, -1, 2, 1e300, 3, 4));
  EXPECT_THAT(file.shape("data"), ElementsAre(2, 3));
  EXPECT_THAT(file.numbers("single"), ElementsAre(1.5, 2));
  EXPECT_THAT(file.integers("i"), ElementsAre(-2, 7));
  EXPECT_THAT(file.numbers("u"), ElementsAre(4294967295.0));
  EXPECT_THAT(file.integers("big"), ElementsAre(-(std::int64_t{1} << 62), (std::int64_t{1} << 53) + 1));
  EXPECT_THAT(file.numbers("none"), IsEmpty());
  EXPECT_THAT(file.numbers("one"), ElementsAre(9));
  EXPECT_THAT(file.shape("one"), IsEmpty());
  EXPECT_EQ(file.text("name"), "csr");
  EXPECT_THAT(file.integers("flags"), ElementsAre(1, 0));
  EXPECT_THAT(file.unsigned_integers("huge"), ElementsAre(std::numeric_limits<std::uint64_t>::max()));
}

TEST_P(OfNumPy, WhatWouldBeAnotherNumberIsRefused) {
  const NpzFile file = opened(unpacked(GetParam()));
  EXPECT_THAT(message_of([&] { file.numbers("big"); }), HasSubstr("2^53"));
  EXPECT_THAT(message_of([&] { file.integers("huge"); }), HasSubstr("2^63"));
  EXPECT_THAT(message_of([&] { file.unsigned_integers("big"); }), HasSubstr("below 0"));
  EXPECT_THAT(message_of([&] { file.integers("data"); }), HasSubstr("data.astype(\"<i8\")"));
  EXPECT_THAT(message_of([&] { file.numbers("name"); }), HasSubstr("holds text"));
  EXPECT_THAT(message_of([&] { file.text("data"); }), HasSubstr("not a single text"));
  EXPECT_THAT(message_of([&] { file.numbers("else"); }), HasSubstr("test.npz: has no array \"else\""));
}

INSTANTIATE_TEST_SUITE_P(Npz, OfNumPy, ::testing::Values(numpy_plain, numpy_packed));

TEST(NpzFileTest, ReadsSparseMatricesOfSciPy) {
  const NpzFile file = opened(unpacked(numpy_csr));
  EXPECT_EQ(file.text("format"), "csr");
  EXPECT_THAT(file.integers("shape"), ElementsAre(2, 3));
  EXPECT_THAT(file.integers("indptr"), ElementsAre(0, 2, 3));
  EXPECT_THAT(file.integers("indices"), ElementsAre(0, 2, 1));
  EXPECT_THAT(file.numbers("data"), ElementsAre(0.25, 0.75, 1));
}

TEST(NpzFileTest, TurnsTablesOfFortran) {
  const NpzFile file = opened(unpacked(numpy_fortran));
  EXPECT_TRUE(file.array("f").is_fortran);
  EXPECT_THAT(file.numbers("f"), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(message_of([&] { file.numbers("cube"); }), HasSubstr("numpy.ascontiguousarray(cube)"));
}

TEST(NpzFileTest, ReadsWhatWentThroughAPipe) {
  EXPECT_THAT(opened(unpacked(numpy_piped)).integers("a"), ElementsAre(0, 1, 2));
}

TEST(NpzFileTest, OtherTypesDisturbOnlyWhoAsksForThem) {
  const NpzFile file = opened(unpacked(numpy_odd));
  EXPECT_THAT(file.numbers("good"), ElementsAre(1));
  EXPECT_THAT(message_of([&] { file.numbers("objects"); }), HasSubstr("Python objects"));
  EXPECT_THAT(message_of([&] { file.text("words"); }), HasSubstr("words=numpy.array(text.encode())"));
  for (const char* name : {"turned", "table", "complex"})
    EXPECT_THAT(message_of([&] { file.numbers(name); }), HasSubstr("astype(\"<f8\")")) << name;
}

TEST(NpzFileTest, ReadsABareArrayOfEveryVersion) {
  EXPECT_THAT(opened(unpacked(numpy_bare)).names(), ElementsAre("arr_0"));
  EXPECT_THAT(opened(unpacked(numpy_bare)).integers("arr_0"), ElementsAre(1, 2));
  EXPECT_THAT(opened(unpacked(numpy_v2)).numbers("arr_0"), ElementsAre(7));
  EXPECT_THAT(opened(unpacked(numpy_v3)).numbers("arr_0"), ElementsAre(7));
}

/// Every byte changed in three ways: the same is read, or it is refused.
void require_damage_found(const std::string& good) {
  const std::string expected = told(opened(good));
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int change : {0x01, 0x80, 0xFF}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ change);
      try {
        EXPECT_EQ(told(opened(bad)), expected) << "byte " << i;
      } catch (const DataError&) {
      }
    }
  }
}

TEST(NpzFileTest, FindsDamageInEveryByte) {
  require_damage_found(unpacked(numpy_csr));
  require_damage_found(unpacked(numpy_piped));
  NpzWriter writer;
  writer.add("u4", {2}, std::span<const std::uint32_t>(unsigned_32));
  writer.add_text("format", "csr");
  require_damage_found(writer.bytes());
  require_damage_found(zip({Zipped{.is_wide = true}}, true));
}

TEST(NpzFileTest, RefusesAFileThatWasCutOrAddedTo) {
  for (const std::string_view of : {numpy_csr, numpy_piped, numpy_bare}) {
    const std::string good = unpacked(of);
    for (std::size_t size = 0; size < good.size(); ++size)
      EXPECT_THROW(told(opened(good.substr(0, size))), DataError) << size;
    EXPECT_THROW(told(opened(good + '\0')), DataError);
  }
}

TEST(NpzFileTest, ReadsFieldsOf64Bits) {
  const std::vector<Zipped> two{Zipped{.is_wide = true}, Zipped{.name = "b.npy", .is_wide = true}};
  EXPECT_THAT(opened(zip(two)).numbers("b"), ElementsAre(1.5));
  EXPECT_THAT(opened(zip(two, true)).numbers("b"), ElementsAre(1.5));
  EXPECT_THAT(opened(zip({Zipped{}}, true)).numbers("a"), ElementsAre(1.5));
}

TEST(NpzFileTest, RefusesNamesThatAreNotPlain) {
  for (const char* name : {"a", ".npy", "b/a.npy", "/a.npy", "..\\a.npy", "a\n.npy", "a/"})
    EXPECT_THAT(refusal({Zipped{.name = name}}), HasSubstr("is not an array")) << name;
  EXPECT_THAT(refusal({Zipped{}, Zipped{}}), HasSubstr("record 2: has the name of another array"));
  EXPECT_THAT(refusal({Zipped{.local_name = "b.npy"}}), HasSubstr("does not fit"));
}

TEST(NpzFileTest, RefusesOtherWaysToPack) {
  EXPECT_THAT(refusal({Zipped{.flags = 1}}), HasSubstr("is encrypted"));
  EXPECT_THAT(refusal({Zipped{.flags = 0x20}}), HasSubstr("NumPy does not use"));
  EXPECT_THAT(refusal({Zipped{.method = 12}}), HasSubstr("NumPy does not use"));
}

TEST(NpzFileTest, RefusesSizesThatLie) {
  const std::uint64_t size = Zipped{}.data.size();
  for (const std::uint64_t lie : {std::uint64_t{0}, size - 1, size + 1, std::uint64_t{1} << 32,
                                  std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    EXPECT_THROW(opened(zip({Zipped{.packed = lie, .is_wide = true}})), DataError);
    EXPECT_THROW(opened(zip({Zipped{.unpacked = lie, .is_wide = true}})), DataError);
    EXPECT_THROW(opened(zip({Zipped{.packed = lie, .unpacked = lie, .is_wide = true}})).numbers("a"),
                 DataError);
    EXPECT_THROW(opened(zip({Zipped{.place_off = lie | 1, .is_wide = true}})), DataError);
  }
}

TEST(NpzFileTest, RefusesPackedSizesThatLie) {
  const std::string content = npy(head_of("(100,)"), std::string(800, '\0'));
  const Zipped good = packed_member(content);
  EXPECT_EQ(opened(zip({good})).numbers("a").size(), 100U);
  Zipped shorter = good, longer = good, far = good, more = good;
  shorter.unpacked -= 8;
  EXPECT_THAT(refusal({shorter}), HasSubstr("not as long as its shape says"));
  longer.unpacked += 8;
  EXPECT_THAT(refusal({longer}), HasSubstr("not as long as its shape says"));
  far.unpacked = std::uint64_t{1} << 40;
  far.is_wide = true;
  EXPECT_THAT(refusal({far}), HasSubstr("cannot have the size"));
  more.data += "more";
  more.packed = more.data.size();
  EXPECT_THAT(refusal({more}), HasSubstr("longer than it says"));
  // As long as its shape says, and its packed data ends before.
  Zipped early = packed_member(content.substr(0, content.size() - 8));
  early.unpacked = content.size();
  EXPECT_THAT(refusal({early}), HasSubstr("ends too early"));
}

TEST(NpzFileTest, RefusesArraysThatOverlap) {
  // Both entries of the directory lead to the first array, which is what a bomb is made of.
  Zipped first, second{.name = "a.npy"};
  first.name = "b.npy";
  first.local_name = "a.npy";
  second.place_off = 0 - static_cast<std::uint64_t>(local_of(first).size());
  EXPECT_THROW(opened(zip({first, second})), DataError);
  second.name = first.name = "b.npy";
  EXPECT_THROW(opened(zip({first, second})), DataError);
  Zipped inner;
  inner.name = inner.local_name = "inner.npy";
  Zipped outer{.data = local_of(inner)};
  inner.place_off =
      0 - static_cast<std::uint64_t>(inner.data.size() + local_of(inner).size() - inner.data.size());
  EXPECT_THAT(message_of([&] { opened(zip({outer, inner})); }), HasSubstr("overlap"));
}

TEST(NpzFileTest, ComparesCheckSums) {
  EXPECT_THAT(refusal({Zipped{.check_sum = 1}}),
              HasSubstr("its array \"a\" is damaged: its check sum is another"));
}

TEST(NpzFileTest, TakesTheFormsOfHeadsThatNumPyWrites) {
  const std::string value = one_double();
  for (const std::string head : {
           "{'descr': '<f8', 'fortran_order': False, 'shape': (), }          \n",
           "{'shape': (1, 1), 'fortran_order': True, 'descr': '<f8'}",
           "{\"descr\": \"<f8\", \"fortran_order\": False, \"shape\": (1,)}\n",
       })
    EXPECT_THAT(opened(npy(head, value)).numbers("arr_0"), ElementsAre(1.5)) << head;
}

TEST(NpzFileTest, RefusesOtherHeads) {
  for (const std::string head : {
           "",
           "{}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)} + 1",
           "{'descr': '<f8', 'fortran_order': False}",
           "{'descr': '<f8', 'fortran_order': 0, 'shape': (1,)}",
           "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1,), 'more': 1}",
           "{'descr': '<f8' 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '\\x3cf8', 'fortran_order': False, 'shape': (1,)}",
           "{'descr': __import__('os'), 'fortran_order': False, 'shape': (1,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': 1}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (-1,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (1 1)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (,)}",
           "{'descr': '<f8', 'fortran_order': False, 'shape': (18446744073709551616,)}",
       })
    EXPECT_THAT(message_of([&] { opened(npy(head, one_double())).numbers("arr_0"); }),
                HasSubstr("as NumPy writes"))
        << head;
}

TEST(NpzFileTest, RefusesShapesThatLie) {
  for (const std::string shape :
       {"(2,)", "(0,)", "(1, 0)", "(4611686018427387905, 4)", "(9223372036854775808, 2)",
        "(18446744073709551615, 18446744073709551615, 0)", "(9223372036854775807,)"})
    EXPECT_THROW(opened(npy(head_of(shape), one_double())).numbers("arr_0"), DataError) << shape;
  EXPECT_THROW(opened(npy(head_of("()", "|S18446744073709551615"), one_double())).text("arr_0"), DataError);
  EXPECT_THROW(opened(npy(head_of("()", "|S99999999999999999999"), one_double())).text("arr_0"), DataError);
  EXPECT_THROW(opened(npy(head_of("()", "|S"), one_double())).text("arr_0"), DataError);
  EXPECT_THROW(opened(npy(head_of("(9000000000,)", "|S0"), "")).text("arr_0"), DataError);
  EXPECT_EQ(opened(npy(head_of("()", "|S0"), "")).text("arr_0"), "");
}

TEST(NpzFileTest, RefusesHeadsLongerThanTheFile) {
  std::string file = npy(head_of("(1,)"), one_double(), 2);
  file.replace(8, 4, "\xFF\xFF\xFF\xFF");
  EXPECT_THAT(message_of([&] { opened(file).numbers("arr_0"); }), HasSubstr("65,535"));
  file.replace(8, 4, std::string("\xFF\xFF\0\0", 4));
  EXPECT_THAT(message_of([&] { opened(file).numbers("arr_0"); }), HasSubstr("ends too early"));
  EXPECT_THROW(opened(npy(head_of("(1,)"), one_double(), 4)).numbers("arr_0"), DataError);
}

/// What is said of a file under one low limit.
std::string refusal_under(std::uint64_t ReadLimits::*limit, std::uint64_t value, const std::string& bytes) {
  ReadLimits low;
  low.*limit = value;
  const LimitScope scope(low);
  return message_of([&] { told(opened(bytes)); });
}

TEST(NpzFileTest, KeepsTheLimits) {
  const std::string csr = unpacked(numpy_csr);
  EXPECT_THAT(refusal_under(&ReadLimits::bytes, csr.size() - 1, csr), HasSubstr("larger than"));
  EXPECT_THAT(refusal_under(&ReadLimits::memory, csr.size() - 1, csr), HasSubstr("held whole"));
  EXPECT_THAT(refusal_under(&ReadLimits::records, 2, csr), HasSubstr("more than 2 records"));
  EXPECT_THAT(refusal_under(&ReadLimits::records, 2, npy(head_of("(3,)"), std::string(24, '\0'))),
              HasSubstr("more than 2 records"));
  const Zipped packed = packed_member(npy(head_of("(1000,)"), std::string(8000, '\0')));
  EXPECT_THAT(refusal_under(&ReadLimits::bytes, 8000, zip({packed})), HasSubstr("larger than"));
  EXPECT_THAT(refusal_under(&ReadLimits::memory, 7999, zip({packed})), HasSubstr("held whole"));
  const std::size_t much = std::size_t{100} << 20;
  const Zipped bomb =
      packed_member(npy(head_of("(" + std::to_string(much / 8) + ",)"), std::string(much, '\0')));
  EXPECT_THAT(message_of([&] { opened(zip({bomb})).numbers("a"); }),
              HasSubstr("unpacks to more than 200 times"));
}

TEST_F(NpzOnDisk, KeepsTheLimitsItWasOpenedWith) {
  all_types().write(path("all.npz"), {.overwrite = false});
  ReadLimits slow;
  slow.seconds = 5;
  slow.clock = [seconds = 0.0]() mutable { return ++seconds; };
  const LimitScope scope(slow);
  EXPECT_THAT(message_of([&] { told(NpzFile(path("all.npz"))); }), HasSubstr("takes longer than 5 s"));
}

TEST_F(NpzOnDisk, RefusesWhatIsNoSuchFile) {
  EXPECT_THROW(NpzFile(path("not there.npz")), FileError);
  EXPECT_THROW(NpzFile(folder_.string()), FileError);
  std::ofstream(path("text.npz")) << "lon,lat\n1,2\n";
  EXPECT_THAT(message_of([&] { NpzFile(path("text.npz")); }), HasSubstr("numpy.savez"));
  std::ofstream(path("empty.npz")).flush();
  EXPECT_THROW(NpzFile(path("empty.npz")), DataError);
}

TEST_F(NpzOnDisk, ReadsTheFileThatIsHeld) {
  all_types().write(path("a.npz"), {.overwrite = false});
  const HeldFiles held({path("a.npz")});
  NpzWriter().write(path("a.npz"), {.overwrite = true});
  EXPECT_EQ(NpzFile(path("a.npz")).text("format"), "csr");
}

TEST_F(NpzOnDisk, RefusesAFileThatBecomesShorter) {
  all_types().write(path("a.npz"), {.overwrite = false});
  const NpzFile file(path("a.npz"));
  std::filesystem::resize_file(path("a.npz"), 40);
  EXPECT_THAT(message_of([&] { file.numbers("data"); }), HasSubstr("became shorter"));
}

}  // namespace
}  // namespace fogline::io::npz_test
