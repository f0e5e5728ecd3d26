#include "quadrille/base/memory/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/bus_guard.h"

namespace quadrille {
namespace mapped_file_test {
namespace {

TEST(MappedFile, HoldsWhatIsThereAlsoAfterItWasLetGo) {
  const std::string path = ::testing::TempDir() + "mapped_file_test";
  std::string content;
  for (size_t i = 0; content.size() < (size_t{9} << 20U); ++i) content += std::to_string(i) + ' ';
  write_file(path, content);
  MappedFile file(path);
  EXPECT_TRUE(file.text() == content);
  for (size_t at = 0; at <= content.size(); at += size_t{1} << 20U) file.let_go_before(at);
  file.let_go_before(content.size());
  EXPECT_TRUE(file.text() == content);
  std::filesystem::remove(path);
}

TEST(MappedFile, AByteOrderMarkIsNoPartOfTheText) {
  const std::string path = ::testing::TempDir() + "quadrille_marked";
  write_file(path,
             "\xEF\xBB\xBF"
             "{}");
  const MappedFile file(path);
  EXPECT_EQ(file.text(), "{}");
  file.require_unchanged();
}

TEST(MappedFile, AnEmptyFileIsAnEmptyText) {
  const std::string path = ::testing::TempDir() + "mapped_file_empty";
  write_file(path, "");
  MappedFile file(path);
  file.let_go_before(0);
  EXPECT_EQ(file.text(), "");
  std::filesystem::remove(path);
}

std::string error_of(const MappedFile& file) {
  try {
    file.require_unchanged();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MappedFile, WhatIsCutShortIsReadAsZerosAndSaid) {
  const std::string path = ::testing::TempDir() + "mapped_file_cut";
  const std::string content(size_t{9} << 20U, 'x');
  write_file(path, content);
  {
    const MappedFile file(path);
    const MappedFile other(path);
    EXPECT_EQ(error_of(file), "");
    std::filesystem::resize_file(path, 5000);
    EXPECT_FALSE(file.is_cut_short());  // nobody has looked
    EXPECT_EQ(file.text()[4999], 'x');
    EXPECT_EQ(file.text().back(), '\0');
    EXPECT_EQ(file.text()[size_t{1} << 20U], '\0');
    EXPECT_TRUE(file.is_cut_short());
    EXPECT_FALSE(other.is_cut_short());
    EXPECT_EQ(error_of(file), path + ": the file was cut short while it was read");
    EXPECT_EQ(error_of(other), path + ": the file was cut short while it was read");
  }
  // Also where it has its length again.
  write_file(path, content);
  {
    const MappedFile file(path);
    std::filesystem::resize_file(path, 0);
    EXPECT_EQ(file.text()[4999], '\0');
    std::filesystem::resize_file(path, content.size());
    EXPECT_EQ(error_of(file), path + ": the file was cut short while it was read");
  }
  std::filesystem::remove(path);
}

TEST(MappedFile, WhatIsWrittenToIsSaidAndWhatIsReplacedStays) {
  const std::string path = ::testing::TempDir() + "mapped_file_written";
  write_file(path, "some");
  {
    const MappedFile file(path);
    write_file(path, "other");  // another file of the same name
    EXPECT_EQ(file.text(), "some");
    EXPECT_EQ(error_of(file), "");
  }
  const MappedFile file(path);
  std::ofstream(path, std::ios::app) << "more";
  EXPECT_EQ(error_of(file), path + ": the file was written to while it was read");
  std::filesystem::remove(path);
}

// Whoever had SIGBUS before has it again.
TEST(BusGuard, LeavesTheSignalAsItWas) {
  struct sigaction before {};
  struct sigaction meanwhile {};
  struct sigaction after {};
  ASSERT_EQ(sigaction(SIGBUS, nullptr, &before), 0);
  {
    int word = 0;
    const BusGuard guard(&word, sizeof word);
    const BusGuard other(&word, sizeof word);
    EXPECT_TRUE(guard.guards());
    ASSERT_EQ(sigaction(SIGBUS, nullptr, &meanwhile), 0);
  }
  ASSERT_EQ(sigaction(SIGBUS, nullptr, &after), 0);
  EXPECT_NE(meanwhile.sa_sigaction, before.sa_sigaction);
  EXPECT_EQ(after.sa_handler, before.sa_handler);
}

// What is none of a guard's ends the program as ever.
TEST(BusGuardDeathTest, HandsOnWhatIsNotItsOwn) {
  const std::string path = ::testing::TempDir() + "bus_guard_other";
  write_file(path, std::string(size_t{1} << 16U, 'x'));
  const MappedFile file(path);
  const int other = open(path.c_str(), O_RDONLY);
  void* const at = mmap(nullptr, size_t{1} << 16U, PROT_READ, MAP_PRIVATE, other, 0);
  ASSERT_NE(at, MAP_FAILED);
  std::filesystem::resize_file(path, 0);
  // By the signal, or by a sanitizer that says so; zeros would be an end without a fault.
  EXPECT_DEATH(_exit(static_cast<const volatile char*>(at)[40000]), "");
  EXPECT_EQ(file.text()[40000], '\0');
  munmap(at, size_t{1} << 16U);
  close(other);
  std::filesystem::remove(path);
}

TEST(MappedFile, WhatIsNoFileIsRefusedInTheWordsOfReading) {
  const auto words = [](auto act) {
    try {
      act();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  for (const std::string& path :
       {::testing::TempDir(), ::testing::TempDir() + "no_such_file", std::string("/dev/zero")}) {
    EXPECT_EQ(words([&] { const MappedFile file(path); }), words([&] { (void)read_file(path); })) << path;
  }
}

}  // namespace
}  // namespace mapped_file_test
}  // namespace quadrille
