#include "quadrille/cli/report/csv_word.h"

#include <gtest/gtest.h>

namespace quadrille {
namespace csv_word_test {
namespace {

TEST(CsvWord, IsQuotedWhereItHasToBe) {
  EXPECT_EQ(csv_word("ring"), "ring");
  EXPECT_EQ(csv_word(""), "");
  EXPECT_EQ(csv_word("torus(4,4)"), "\"torus(4,4)\"");
  EXPECT_EQ(csv_word("the \"best\""), "\"the \"\"best\"\"\"");
  EXPECT_EQ(csv_word("two\nlines"), "\"two\nlines\"");
}

}  // namespace
}  // namespace csv_word_test
}  // namespace quadrille
