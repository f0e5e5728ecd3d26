#include "quadrille/base/memory/memory_limit.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/testing/with_room_for.test.h"

namespace quadrille {
namespace memory_limit_test {

constexpr uint64_t kGiB = uint64_t{1} << 30U;

// A folder that is gone in the end.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / fmt::format("quadrille-memory-{}", getpid())) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  void write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
  }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(MemoryLimit, OfAControlGroupIsTheLeastOnTheWayToIt) {
  const Folder groups;
  groups.write("memory.max", "max\n");
  groups.write("batch/memory.max", "4096\n");
  groups.write("batch/job/memory.max", "max\n");
  groups.write("batch/small/memory.max", "1024\n");
  EXPECT_EQ(control_group_limit("0::/\n", groups.path()), std::nullopt);
  EXPECT_EQ(control_group_limit("0::/batch/job\n", groups.path()), 4096U);
  EXPECT_EQ(control_group_limit("0::/batch/small\n", groups.path()), 1024U);
  EXPECT_EQ(control_group_limit("0::/not/there\n", groups.path()), std::nullopt);
  EXPECT_EQ(control_group_limit("", groups.path()), std::nullopt);
  EXPECT_EQ(control_group_limit("nonsense\n\n:\n", groups.path()), std::nullopt);
}

TEST(MemoryLimit, OfAnOlderControlGroupIsUnderItsController) {
  const Folder groups;
  groups.write("memory/memory.limit_in_bytes", "9223372036854771712\n");
  groups.write("memory/job/memory.limit_in_bytes", "8192\n");
  EXPECT_EQ(control_group_limit("12:cpu,cpuacct:/job\n9:memory:/job\n0::/\n", groups.path()), 8192U);
  EXPECT_EQ(control_group_limit("12:cpu,cpuacct:/job\n9:memory:/\n", groups.path()), 9223372036854771712U);
  EXPECT_EQ(control_group_limit("12:cpu:/job\n", groups.path()), std::nullopt);
}

TEST(MemoryLimit, OfThisMachineIsSomethingAndIsSaid) {
  EXPECT_GT(memory_limit().bytes, 0U);
  EXPECT_EQ((MemoryLimit{5 * kGiB / 2, "this machine has"}).text(), "this machine has 2.5 GiB");
  EXPECT_EQ(memory_text(300 << 20U), "300 MiB");
  EXPECT_EQ(memory_text(Int128{25'186} << 30U), "25186 GiB");
}

TEST(MemoryLimit, MoreThanThereIsIsRefusedWithBothNumbers) {
  require_memory(1, "a byte");
  try {
    require_memory(Int128{1} << 70U, "all there is");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), ::testing::MatchesRegex(
                                  "all there is needs about 1099511627776 GiB; this .* [0-9.]+ [MG]iB.*"));
  }
}

TEST(MemoryLimit, OfTheShellCountsWithoutWhatIsTaken) {
  const auto counts = [] {
    const MemoryLimit limit = memory_limit();
    return limit.bytes <= kGiB / 2 && limit.text().ends_with(" more (ulimit -d)") ? 0 : 1;
  };
  EXPECT_EQ(with_room_for(kGiB / 2, counts), 0);
}

TEST(MemoryLimit, WhatWasTakenIsSaidWhenItWasNotEnough) {
  EXPECT_THAT(
      out_of_memory_text(std::bad_alloc()),
      ::testing::MatchesRegex("there is not enough memory for this: more is needed than the [0-9.]+ [MG]iB "
                              "that were taken at most; this .* [0-9.]+ [MG]iB.*"));
}

}  // namespace memory_limit_test
}  // namespace quadrille
