#include "quadrille/cli/report/table.h"

#include <gtest/gtest.h>

#include "quadrille/base/check.h"

namespace quadrille {
namespace table_test {

TEST(Wrap, breaks_at_blanks_and_indents_what_follows) {
  EXPECT_EQ(wrap("one two three", 2, 9), "one two\n  three");
  EXPECT_EQ(wrap("one two three", 2, 80), "one two three");
  EXPECT_EQ(wrap("", 2, 9), "");
}

TEST(Wrap, keeps_long_words_whole_and_newlines_in_place) {
  EXPECT_EQ(wrap("a incomprehensibilities b", 0, 5), "a\nincomprehensibilities\nb");
  EXPECT_EQ(wrap("one\ntwo", 2, 80), "one\n  two");
  EXPECT_EQ(wrap("one\n\ntwo", 2, 80).substr(0, 4), "one\n");
}

TEST(Table, aligns_words_left_and_numbers_right) {
  Table table({"name", "steps", "remark"});
  table.row({"ring", "8", "short"});
  table.row({"hypercube", "1,024", ""});
  EXPECT_EQ(table.text(),
            "name       steps  remark\n"
            "ring           8  short\n"
            "hypercube  1,024\n");
}

TEST(Table, without_a_header_is_a_list_of_words) {
  Table table({"", ""});
  table.row({"nodes", "16"});
  table.row({"diameter", "4"});
  EXPECT_EQ(table.text(2),
            "  nodes     16\n"
            "  diameter  4\n");
}

TEST(Table, wraps_its_last_column) {
  Table table({"", ""});
  table.row({"x", "one two three"});
  EXPECT_EQ(table.text(0, 10), "x  one two\n   three\n");
}

TEST(Table, prints_markdown) {
  Table table({"name", "steps"});
  table.row({"ring", "8"});
  EXPECT_EQ(table.markdown(), "| name | steps |\n|---|---:|\n| ring | 8 |\n");
}

TEST(Table, wants_as_many_cells_as_columns) {
  Table table({"a", "b"});
  EXPECT_THROW(table.row({"1"}), InternalError);
}

}  // namespace table_test
}  // namespace quadrille
