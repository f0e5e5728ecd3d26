#include "quadrille/stored/stored_entry.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "quadrille/base/check.h"
#include "quadrille/stored/embedded.h"
#include "quadrille/stored/spoilt_texts.test.h"

namespace quadrille {
namespace stored_entry_test {

constexpr std::array<std::string_view, 2> kRequired = {"sides", "steps"};
constexpr std::array<std::string_view, 1> kOptional = {"paired"};
constexpr StoredKind kKind = {
    .name = "example", .folder = "data/examples/", .required = kRequired, .optional = kOptional};

constexpr std::string_view kText =
    "quadrille-stored 1\nkind example\nsides 4,6,8\nsteps 3\nmade-by hand\nsolver none\nverified by nobody\n"
    "data\n1 2\n3\n";

std::string with(std::string_view from, std::string_view to) {
  std::string out(kText);
  return out.replace(out.find(from), from.size(), to);
}

std::string complaint_about(const std::string& text) {
  return complaint(kKind, text, [](const StoredEntry& entry) {
    static_cast<void>(entry.numbers("sides", 2, 100));
    static_cast<void>(entry.number("steps", 1, 64));
  });
}

TEST(StoredEntry, HasAHeadAndData) {
  const StoredEntry entry(kKind, "data/some.txt", kText);
  EXPECT_EQ(entry.value("made-by"), "hand");
  EXPECT_EQ(entry.number("steps", 1, 64), 3U);
  EXPECT_EQ(entry.numbers("sides", 2, 100), (std::vector<uint32_t>{4, 6, 8}));
  EXPECT_FALSE(entry.has("paired"));
  EXPECT_EQ(entry.data(), "1 2\n3\n");
  const std::array<std::pair<std::string_view, std::string>, 5> fields = {{{"sides", "4,6,8"},
                                                                           {"steps", "3"},
                                                                           {"made-by", "hand"},
                                                                           {"solver", "none"},
                                                                           {"verified", "by nobody"}}};
  EXPECT_EQ(write_stored_entry(kKind, fields, "1 2\n3\n"), kText);
}

TEST(StoredEntry, ASpoiltOneIsRefusedWithFileAndLine) {
  EXPECT_EQ(complaint_about(std::string(kText)), "");
  EXPECT_EQ(complaint_about(with("stored 1", "stored 2")),
            "data/some.txt:1: 'quadrille-stored 1' expected, not 'quadrille-stored 2'");
  EXPECT_EQ(complaint_about(with("kind example", "kind sample")),
            "data/some.txt:2: a sample where a example is expected");
  EXPECT_EQ(complaint_about(with("steps 3\n", "")),
            "data/some.txt:8: 'steps' is missing above the line 'data'");
  EXPECT_EQ(complaint_about(with("solver none\n", "")),
            "data/some.txt:8: 'solver' is missing above the line 'data'");
  EXPECT_EQ(complaint_about(with("steps 3", "steps 3\nsteps 3")), "data/some.txt:5: 'steps' is there twice");
  EXPECT_EQ(complaint_about(with("steps", "stops")), "data/some.txt:4: a example has no 'stops'");
  EXPECT_EQ(complaint_about(with("steps 3", "steps  3")),
            "data/some.txt:4: 'steps' is followed by one blank and a value, and no blank at the end");
  EXPECT_EQ(complaint_about(with("steps 3", "steps 3x")), "data/some.txt:4: '3x' is no whole number");
  EXPECT_EQ(complaint_about(with("steps 3", "steps 65")),
            "data/some.txt:4: 65 is not allowed here: at least 1, at most 64");
  EXPECT_EQ(complaint_about(with("4,6,8", "4,,8")), "data/some.txt:3: '' is no whole number");
  EXPECT_EQ(complaint_about(with("hand", "h\tand")), "data/some.txt:5: a byte that does not print");
  EXPECT_EQ(complaint_about(with("data\n1 2\n3\n", "")),
            "data/some.txt:8: the text ends before the line 'data', or within a line");
}

TEST(Embedded, FilesAreSortedAndEveryFolderHasAKind) {
  const std::span<const EmbeddedFile> files = embedded_files();
  ASSERT_GT(files.size(), 80U);
  for (size_t i = 0; i < files.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(files[i - 1].path, files[i].path);
    }
    const bool known = files[i].path.starts_with("data/worm_broadcasts/") ||
                       files[i].path.starts_with("data/worm_exchanges/") ||
                       files[i].path.starts_with("data/lattice_designs/") ||
                       files[i].path.starts_with("data/refutations/");
    EXPECT_TRUE(known) << files[i].path << " is read by nobody";
  }
}

}  // namespace stored_entry_test
}  // namespace quadrille
