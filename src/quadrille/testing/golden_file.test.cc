#include "quadrille/testing/golden_file.test.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "quadrille/base/files.h"
#include "quadrille/testing/source_path.test.h"

namespace quadrille {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string_view line_from(std::string_view text, size_t begin) {
  return text.substr(begin, text.find('\n', begin) - begin);
}

// "line 3 is 'a' there and 'b' here".
std::string first_difference(std::string_view golden, std::string_view text) {
  const auto [at, unused] = std::mismatch(golden.begin(), golden.end(), text.begin(), text.end());
  const auto same = static_cast<size_t>(at - golden.begin());
  const size_t newline = golden.substr(0, same).rfind('\n');
  const size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  return fmt::format(
      "line {} is '{}' there and '{}' here",
      std::count(golden.begin(), golden.begin() + static_cast<std::ptrdiff_t>(begin), '\n') + 1,
      line_from(golden, begin), line_from(text, begin));
}

}  // namespace

std::string compare_with_golden(const std::string& path, std::string_view text, bool update) {
  const std::string rejected = path + ".new";
  const bool exists = std::filesystem::exists(path);
  const std::string golden = exists ? read_file(path) : std::string();
  if (exists && golden == text) {
    std::filesystem::remove(rejected);
    return "";
  }
  if (update) {
    write_file(path, text);
    std::filesystem::remove(rejected);
    return "";
  }
  write_file(rejected, text);
  return fmt::format(
      "{} {}; the text is in {}. If it is right, QUADRILLE_UPDATE_GOLDEN=1 puts it there.", path,
      exists ? "holds another text: " + first_difference(golden, text) : "does not exist", rejected);
}

void expect_golden(std::string_view path, std::string_view text) {
  const char* update = std::getenv("QUADRILLE_UPDATE_GOLDEN");
  const std::string wrong =
      compare_with_golden(source_path(path), text, update != nullptr && std::string_view(update) == "1");
  EXPECT_TRUE(wrong.empty()) << wrong;
}

namespace {

class GoldenFile : public ::testing::Test {
 protected:
  GoldenFile()
      : path_(std::filesystem::path(::testing::TempDir()) /
              fmt::format("quadrille_golden_{}.txt", getpid())) {}
  ~GoldenFile() override {
    std::filesystem::remove(path_);
    std::filesystem::remove(path_ + ".new");
  }

  std::string path_;
};

TEST_F(GoldenFile, IsLeftAloneByItsOwnText) {
  write_file(path_, "one\ntwo\n");
  EXPECT_EQ(compare_with_golden(path_, "one\ntwo\n"), "");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".new"));
}

TEST_F(GoldenFile, KeepsItsTextAndLaysAnotherOneBeside) {
  write_file(path_, "one\ntwo\nthree\n");
  EXPECT_THAT(compare_with_golden(path_, "one\ntow\nthree\n"),
              AllOf(HasSubstr(path_ + " holds another text: line 2 is 'two' there and 'tow' here"),
                    HasSubstr(path_ + ".new")));
  EXPECT_EQ(read_file(path_), "one\ntwo\nthree\n");
  EXPECT_EQ(read_file(path_ + ".new"), "one\ntow\nthree\n");
  EXPECT_THAT(compare_with_golden(path_, "one\ntwo\n"), HasSubstr("line 3 is 'three' there and '' here"));
  // Once the text is right again, what was laid beside it is gone.
  EXPECT_EQ(compare_with_golden(path_, "one\ntwo\nthree\n"), "");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".new"));
}

TEST_F(GoldenFile, IsMissedWhereThereIsNone) {
  EXPECT_THAT(compare_with_golden(path_, "one\n"), HasSubstr(path_ + " does not exist"));
  EXPECT_EQ(read_file(path_ + ".new"), "one\n");
}

TEST_F(GoldenFile, IsWrittenOnRequest) {
  write_file(path_, "one\n");
  EXPECT_THAT(compare_with_golden(path_, "two\n"), HasSubstr("holds another text"));
  EXPECT_EQ(compare_with_golden(path_, "two\n", true), "");
  EXPECT_EQ(read_file(path_), "two\n");
  EXPECT_FALSE(std::filesystem::exists(path_ + ".new"));
}

}  // namespace
}  // namespace quadrille
