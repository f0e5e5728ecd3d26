#include "quadrille/schedule/text/text_lines.h"

#include <gtest/gtest.h>

#include <string>

namespace quadrille::plan_text {
namespace {

std::string mistake(std::string_view text, void (*read)(TextLines&)) {
  TextLines lines(text, "here");
  try {
    while (lines.next_line()) read(lines);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TextLines, blank_lines_and_comments_are_passed_over) {
  TextLines lines("\n  # nothing\nfirst line # but 0#1 is a word\n \t\r\n  a#b  \r\nlast", "here");
  ASSERT_TRUE(lines.next_line());
  EXPECT_EQ(lines.rest(), "first line");
  EXPECT_TRUE(lines.at_word("first"));
  EXPECT_FALSE(lines.at_word("fir"));
  EXPECT_EQ(lines.word(), "first");
  EXPECT_EQ(lines.word(), "line");
  EXPECT_TRUE(lines.at_end());
  ASSERT_TRUE(lines.next_line());
  EXPECT_EQ(lines.rest(), "a#b");
  ASSERT_TRUE(lines.next_line());
  EXPECT_EQ(lines.rest(), "last");
  EXPECT_FALSE(lines.next_line());
  EXPECT_FALSE(lines.next_line());
}

// If the end of each line were looked for in all that follows, this would take minutes.
TEST(TextLines, many_lines_without_comments_are_read_in_one_go) {
  constexpr size_t kLines = 1U << 20U;
  std::string text;
  for (size_t i = 0; i < kLines; ++i) text += "0>1: 0\n";
  TextLines lines(text, "here");
  size_t found = 0;
  while (lines.next_line()) ++found;
  EXPECT_EQ(found, kLines);
}

TEST(TextLines, nodes_are_numbers_and_ranges) {
  TextLines lines("7 0..3 9..9", "here");
  ASSERT_TRUE(lines.next_line());
  std::vector<NodeId> nodes;
  lines.nodes("node", nodes);
  EXPECT_EQ(nodes, (std::vector<NodeId>{NodeId{7}, NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}, NodeId{9}}));
}

TEST(TextLines, a_mistake_is_shown_where_it_is) {
  const auto nodes = [](TextLines& lines) {
    std::vector<NodeId> out;
    lines.nodes("node", out);
  };
  EXPECT_NE(mistake("1 5..2", nodes).find("here:1:3: "), std::string::npos) << mistake("1 5..2", nodes);
  EXPECT_NE(mistake("0..4294967290", nodes).find("more nodes than"), std::string::npos);
  EXPECT_NE(mistake("\n3 4x", nodes).find("here:2:4: "), std::string::npos) << mistake("\n3 4x", nodes);
  const auto two = [](TextLines& lines) {
    (void)lines.next_number("a number");
    lines.end_of_line("after it");
  };
  EXPECT_EQ(mistake("1\n2\n", two), "");
  EXPECT_NE(mistake("1\n2 3\n", two).find("here:2:3: nothing more may stand in the line after it"),
            std::string::npos);
}

struct Pair {
  uint64_t a = 0;
  uint32_t b = 0;
};

TEST(TextLines, a_setting_is_known_has_a_value_and_comes_once) {
  static const auto read = [](TextLines& lines, Pair& pair) {
    static constexpr std::array kSettings = {
        Setting<Pair>{"a", [](Pair& p, std::string_view v) { p.a = whole(v); }},
        Setting<Pair>{"b", [](Pair& p, std::string_view v) { p.b = whole_id(v, "b is"); }}};
    return lines.settings(pair, kSettings, "pair");
  };
  const auto check = [](TextLines& lines) {
    Pair pair;
    (void)read(lines, pair);
  };
  TextLines lines("b=5 a=18446744073709551615\nb=2", "here");
  Pair pair;
  ASSERT_TRUE(lines.next_line());
  EXPECT_EQ(read(lines, pair), 3U);
  EXPECT_EQ(pair.a, UINT64_MAX);
  EXPECT_EQ(pair.b, 5U);
  ASSERT_TRUE(lines.next_line());
  EXPECT_EQ(read(lines, pair), 2U);
  EXPECT_EQ(pair.b, 2U);
  EXPECT_NE(mistake("a=1 c=2", check).find("one of a, b"), std::string::npos) << mistake("a=1 c=2", check);
  EXPECT_NE(mistake("a=1 a=2", check).find("here:1:5: a is given twice"), std::string::npos);
  EXPECT_NE(mistake("a", check).find("name=value"), std::string::npos);
  EXPECT_NE(mistake("a=1x", check).find("here:1:3: '1x' is not a whole number"), std::string::npos);
  EXPECT_NE(mistake("b=4294967295", check).find("b is at most 4294967294"), std::string::npos);
}

}  // namespace
}  // namespace quadrille::plan_text
