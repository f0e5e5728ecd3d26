#include "quadrille/base/files.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/testing/error_of.test.h"

namespace quadrille {
namespace files_test {

using ::testing::HasSubstr;

// A folder of its own for each test.
class Files : public ::testing::Test {
 protected:
  Files()
      : folder_(std::filesystem::path(::testing::TempDir()) /
                (std::string("quadrille_files_") +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
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

TEST_F(Files, AByteOrderMarkIsNoPartOfAText) {
  write_file(path("marked"),
             "\xEF\xBB\xBF"
             "a b\n");
  EXPECT_EQ(read_file(path("marked")), "a b\n");
  std::istringstream stream("\xEF\xBB\xBF{}");
  EXPECT_EQ(read_stream(stream, "a stream"), "{}");
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
  for (const bool nameless : {true, false}) {
    { FileWriter(path("a"), {.nameless = nameless}).write("half"); }
    EXPECT_EQ(read_file(path("a")), "old");
    EXPECT_EQ(files(), 1U);
  }
}

TEST_F(Files, AFileWithAPassingNameIsWrittenLikeOneWithout) {
  for (const bool nameless : {true, false}) {
    FileWriter out(path("a"), {.nameless = nameless});
    out.write(nameless ? "without" : "with");
    out.commit();
    EXPECT_EQ(read_file(path("a")), nameless ? "without" : "with");
    EXPECT_EQ(files(), 1U);
  }
}

TEST_F(Files, WhatIsThereKeepsItsPermissions) {
  write_file(path("a"), "old");
  std::filesystem::permissions(path("a"), std::filesystem::perms{0640});
  write_file(path("a"), "new");
  EXPECT_EQ(read_file(path("a")), "new");
  EXPECT_EQ(std::filesystem::status(path("a")).permissions(), std::filesystem::perms{0640});
}

TEST_F(Files, ANewFileHasThePermissionsThatTheUserGivesToNewFiles) {
  std::ofstream(path("by_others")) << "x";
  write_file(path("by_us"), "x");
  EXPECT_EQ(std::filesystem::status(path("by_us")).permissions(),
            std::filesystem::status(path("by_others")).permissions());
}

TEST_F(Files, OfALinkTheTargetIsWrittenAndTheLinkStays) {
  std::filesystem::create_directory(path("far"));
  write_file(path("far/a"), "old");
  std::filesystem::create_symlink("far/a", path("near"));
  std::filesystem::create_symlink("near", path("nearer"));
  write_file(path("nearer"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(path("nearer")));
  EXPECT_TRUE(std::filesystem::is_symlink(path("near")));
  EXPECT_FALSE(std::filesystem::is_symlink(path("far/a")));
  EXPECT_EQ(read_file(path("far/a")), "new");

  std::filesystem::create_symlink("far/not_yet", path("dangling"));
  write_file(path("dangling"), "first");
  EXPECT_TRUE(std::filesystem::is_symlink(path("dangling")));
  EXPECT_EQ(read_file(path("far/not_yet")), "first");
}

TEST_F(Files, ACircleOfLinksIsRefused) {
  std::filesystem::create_symlink("b", path("a"));
  std::filesystem::create_symlink("a", path("b"));
  EXPECT_THAT(error_of([&] { write_file(path("a"), "x"); }), HasSubstr("cannot write '" + path("a") + "'"));
  EXPECT_EQ(files(), 2U);
}

TEST_F(Files, ALinkWithTheNameThatWeUsedToTakeOverwritesNobody) {
  write_file(path("victim"), "precious");
  std::filesystem::create_symlink("victim", path("out." + std::to_string(getpid()) + ".tmp"));
  write_file(path("out"), "content");
  EXPECT_EQ(read_file(path("victim")), "precious");
  EXPECT_EQ(read_file(path("out")), "content");
}

TEST_F(Files, TheLongestNameThatAFolderTakesCanBeWritten) {
  const std::string name(255, 'n');
  write_file(path(name), "x");
  EXPECT_EQ(read_file(path(name)), "x");
}

TEST_F(Files, ADeviceIsWrittenStraightThroughAndStaysOne) {
  write_file("/dev/null", "x");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_TRUE(is_special_file("/dev/null"));
  EXPECT_FALSE(is_special_file(path("")));
}

TEST_F(Files, ADeviceThatIsFullIsNamed) {
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(error_of([] { write_file("/dev/full", "x"); }),
            "cannot write '/dev/full': No space left on device");
}

TEST_F(Files, APipeWithANameIsWrittenStraightThrough) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] {
    std::ifstream in(path("pipe"));
    got.assign(std::istreambuf_iterator<char>(in), {});
  });
  const std::string large(300'000, 'x');
  write_file(path("pipe"), large);
  reader.join();
  EXPECT_EQ(got, large);
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
  EXPECT_EQ(error_of([&] { (void)read_file(path("pipe")); }),
            "cannot read '" + path("pipe") + "': it is not a regular file");
}

TEST_F(Files, APipeThatNobodyReadsIsRefused) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_EQ(
      error_of([&] { const FileWriter out(path("pipe"), {.patience = std::chrono::milliseconds(200)}); }),
      "cannot write '" + path("pipe") + "': it is a pipe, and nobody has opened it to read for 0.2 s");
  EXPECT_TRUE(std::filesystem::is_fifo(path("pipe")));
}

TEST_F(Files, AReaderOfAPipeMayComeAMomentLater) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    std::ifstream in(path("pipe"));
    got.assign(std::istreambuf_iterator<char>(in), {});
  });
  write_file(path("pipe"), "late");
  reader.join();
  EXPECT_EQ(got, "late");
}

TEST_F(Files, WhereFilesNeedNoNameNothingIsThereBeforeItIsWhole) {
  const int probe = open(path("").c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (probe < 0) GTEST_SKIP() << "this file system has no files without a name";
  close(probe);
  FileWriter out(path("a"));
  out.write(std::string(1 << 20U, 'x'));
  EXPECT_EQ(files(), 0U);
  out.commit();
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(read_file(path("a")).size(), size_t{1} << 20U);
}

TEST_F(Files, AWriterFindsItsFolderAgainWhereverTheProgramHasGone) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(path(""));
  {
    FileWriter out("a");
    out.write("x");
    std::filesystem::current_path(before);
    out.commit();
  }
  EXPECT_EQ(read_file(path("a")), "x");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Files, AStreamThatCannotBeReadIsNamed) {
  std::istringstream good("all of it");
  EXPECT_EQ(read_stream(good, "standard input"), "all of it");
  std::ifstream folder(path(""));
  EXPECT_EQ(error_of([&] { (void)read_stream(folder, "standard input"); }),
            "cannot read standard input: Is a directory");
}

TEST_F(Files, ASignalThatEndsTheProgramLeavesTheOldFileAndNoOther) {
  write_file(path("a"), "old");
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGUSR1}) {
    const bool nameless = signal == SIGHUP;
    EXPECT_EXIT(
        {
          FileWriter first(path("a"), {.nameless = nameless});
          first.write(std::string(200'000, 'x'));
          FileWriter second(path("b"), {.nameless = nameless});
          second.write("half");
          raise(signal);
        },
        ::testing::KilledBySignal(signal), "");
    EXPECT_EQ(read_file(path("a")), "old");
    EXPECT_EQ(files(), 1U);
  }
}

TEST_F(Files, ASignalThatIsIgnoredOrHandledIsLeftToWhoDoesSo) {
  struct sigaction before {};
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ASSERT_EQ(sigaction(SIGTERM, &ignore, &before), 0);
  {
    FileWriter out(path("a"), {.nameless = false});
    out.write("x");
    raise(SIGTERM);
    out.commit();
  }
  struct sigaction after {};
  sigaction(SIGTERM, &before, &after);
  EXPECT_EQ(after.sa_handler, SIG_IGN);
  EXPECT_EQ(read_file(path("a")), "x");
}

TEST_F(Files, SignalsAreAsTheyWereWhenAllFilesAreWritten) {
  struct sigaction action {};
  {
    const FileWriter out(path("a"), {.nameless = false});
    sigaction(SIGINT, nullptr, &action);
    EXPECT_NE(action.sa_handler, SIG_DFL);
  }
  sigaction(SIGINT, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
}

TEST_F(Files, MoreFilesAtOnceThanTheSignalsKnowOfAreWrittenAllTheSame) {
  std::vector<std::unique_ptr<FileWriter>> writers;
  constexpr size_t kMany = UnfinishedFile::kMost + 3;
  for (size_t i = 0; i < kMany; ++i) {
    writers.push_back(std::make_unique<FileWriter>(path(std::to_string(i)), FileWriting{.nameless = false}));
    writers.back()->write(std::to_string(i));
  }
  for (const auto& writer : writers) writer->commit();
  EXPECT_EQ(files(), kMany);
  EXPECT_EQ(read_file(path("18")), "18");
}

}  // namespace files_test
}  // namespace quadrille
