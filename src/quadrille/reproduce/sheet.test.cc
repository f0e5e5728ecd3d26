#include "quadrille/reproduce/sheet.h"

#include <gtest/gtest.h>

namespace quadrille {
namespace sheet_test {

TEST(Sheet, a_value_agrees_with_what_is_printed_to_the_printed_digits) {
  EXPECT_TRUE(Cell(3.3231).in_print("3.32").agrees());
  EXPECT_FALSE(Cell(3.3251).in_print("3.32").agrees());
  EXPECT_TRUE(Cell(1152).in_print("1152").agrees());
  EXPECT_FALSE(Cell(1152).in_print("1153").agrees());
  EXPECT_FALSE(Cell(1152).in_print("1002.67").agrees());
  EXPECT_TRUE(Cell(0.125).in_print("0.13").agrees()) << "half a digit is rounded up";
}

TEST(Sheet, words_agree_letter_by_letter) {
  EXPECT_TRUE(Cell("X-stage").in_print("X-stage").agrees());
  EXPECT_FALSE(Cell("X-stage").in_print("Y-stage").agrees());
  EXPECT_FALSE(Cell("twelve").in_print("12").agrees());
}

TEST(Sheet, where_nothing_is_printed_nothing_disagrees) {
  EXPECT_TRUE(Cell(7).agrees());
  EXPECT_TRUE(Cell().agrees());
  EXPECT_FALSE(Cell().in_print("7").agrees()) << "a printed value that we do not have";
}

TEST(Sheet, agreement_counts_printed_cells_alone) {
  const Reproduction made{
      .sheets = {{.columns = {{"n"}, {"steps"}},
                  .rows = {{4, Cell(3).in_print("3")}, {5, Cell(4).in_print("5", "why")}, {6, 9}}}}};
  EXPECT_EQ(agreement(made).printed, 2U);
  EXPECT_EQ(agreement(made).agreeing, 1U);
  EXPECT_FALSE(made.sheets[0].is_printed(0));
  EXPECT_TRUE(made.sheets[0].is_printed(1));
}

}  // namespace sheet_test
}  // namespace quadrille
