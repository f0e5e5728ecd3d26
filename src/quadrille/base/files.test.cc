#include "quadrille/base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "quadrille/base/input_error.h"

namespace quadrille {
namespace {

using testing::HasSubstr;

std::string error_of(auto&& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// A folder of its own for each test.
class Files : public testing::Test {
 protected:
  Files()
      : folder_(std::filesystem::path(testing::TempDir()) /
                (std::string("quadrille_files_") +
                 testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  ~Files() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }
  [[nodiscard]] size_t files() const {
    return static_cast<size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(Files, AreReadAsTheyWereWritten) {
  const std::string bytes("a\r\n\0\xff", 5);
  write_file(path("a"), bytes);
  EXPECT_EQ(read_file(path("a")), bytes);
  write_file(path("a"), "");
  EXPECT_EQ(read_file(path("a")), "");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Files, WhatCannotBeReadIsNamed) {
  EXPECT_EQ(error_of([&] { (void)read_file(path("missing")); }),
            "cannot read '" + path("missing") + "': No such file or directory");
  EXPECT_THAT(error_of([&] { (void)read_file(path("")); }), HasSubstr("it is a directory"));
}

TEST_F(Files, ADeviceWithoutEndIsNotRead) {
  EXPECT_EQ(error_of([] { (void)read_file("/dev/zero"); }),
            "cannot read '/dev/zero': it is not a regular file");
}

TEST_F(Files, WhatCannotBeWrittenIsNamedAndLeavesNothing) {
  EXPECT_EQ(error_of([&] { write_file(path("no/such/folder"), "x"); }),
            "cannot write '" + path("no/such/folder") + "': No such file or directory");
  std::filesystem::create_directory(path("folder"));
  EXPECT_THAT(error_of([&] { write_file(path("folder"), "x"); }),
              HasSubstr("cannot write '" + path("folder") + "'"));
  EXPECT_EQ(files(), 1U);
}

TEST_F(Files, AWriterShowsNothingBeforeItCommits) {
  write_file(path("a"), "old");
  {
    FileWriter out(path("a"));
    out.write("ne");
    EXPECT_EQ(read_file(path("a")), "old");
    out.write("w");
    out.commit();
    EXPECT_EQ(read_file(path("a")), "new");
  }
  EXPECT_EQ(files(), 1U);
}

TEST_F(Files, AWriterThatNeverCommitsLeavesTheOldFileAndNoOther) {
  write_file(path("a"), "old");
  { FileWriter(path("a")).write("half"); }
  EXPECT_EQ(read_file(path("a")), "old");
  EXPECT_EQ(files(), 1U);
}

}  // namespace
}  // namespace quadrille
