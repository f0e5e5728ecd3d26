#include "quadrille/base/memory/mapped_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"

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

TEST(MappedFile, AnEmptyFileIsAnEmptyText) {
  const std::string path = ::testing::TempDir() + "mapped_file_empty";
  write_file(path, "");
  MappedFile file(path);
  file.let_go_before(0);
  EXPECT_EQ(file.text(), "");
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
