#include "quadrille/claims/formula.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quadrille/base/check.h"

namespace quadrille {
namespace formula_test {

std::string worked_out(std::string_view formula, int64_t n = 0) {
  return value_of(formula, {{"n", n}, {"k_2", 5}}).to_string();
}

TEST(Formula, binds_as_on_paper) {
  EXPECT_EQ(worked_out("2+3*4^2"), "50");
  EXPECT_EQ(worked_out("2 - 3 - 4"), "-5");
  EXPECT_EQ(worked_out("12/4/2"), "3/2");
  EXPECT_EQ(worked_out("2^3^2"), "512");
  EXPECT_EQ(worked_out("2^-2"), "1/4");
  EXPECT_EQ(worked_out("-n^2 + k_2", 3), "-4");
  EXPECT_EQ(worked_out("(n^2-1)/8", 6), "35/8");
}

TEST(Formula, knows_the_functions_of_the_papers) {
  EXPECT_EQ(worked_out("floor(n/2)", 7), "3");
  EXPECT_EQ(worked_out("floor(-7/2)"), "-4");
  EXPECT_EQ(worked_out("ceil(n/2)", 7), "4");
  EXPECT_EQ(worked_out("ceil(-7/2)"), "-3");
  EXPECT_EQ(worked_out("max(1,n,2) - min(4,3)", 9), "6");
  EXPECT_EQ(worked_out("mod(n,4)", 11), "3");
  EXPECT_EQ(worked_out("mod(-1,4)"), "3");
  EXPECT_EQ(worked_out("choose(n,3)", 6), "20");
  EXPECT_EQ(worked_out("choose(2,3)"), "0");
  EXPECT_EQ(worked_out("ceil_log(5,n)", 25), "2");
  EXPECT_EQ(worked_out("ceil_log(5,n)", 26), "3");
  EXPECT_EQ(worked_out("ceil_log(5,1)"), "0");
  EXPECT_EQ(worked_out("if(mod(n,2)=0, n/2, 3*n+1)", 7), "22");
  EXPECT_EQ(worked_out("if(n>=8, 1, if(n<3, 2, 3))", 7), "3");
}

TEST(Formula, what_cannot_be_read_is_a_mistake_in_the_table) {
  for (const char* formula : {"", "n+", "m", "(n", "n)", "1/0", "2^(1/2)", "root(2)", "choose(1)",
                              "if(n,1,2)", "n n", "ceil_log(1,5)"}) {
    EXPECT_THROW((void)worked_out(formula), InternalError) << formula;
  }
}

TEST(Formula, is_filled_into_a_text) {
  EXPECT_EQ(filled_in("ring({n}), steps {n-1}, {n}", {{"n", 5}}), "ring(5), steps 4, 5");
  EXPECT_EQ(filled_in("as it is", {}), "as it is");
  EXPECT_THROW((void)filled_in("{n", {{"n", 5}}), InternalError);
}

std::string listed(std::string_view over) {
  std::string out;
  for (const Sizes& sizes : sizes_over(over)) {
    for (const auto& [name, value] : sizes) out += name + value.to_string();
    out += ' ';
  }
  return out;
}

TEST(Formula, runs_over_ranges_lists_and_what_depends_on_them) {
  EXPECT_EQ(listed(""), " ");
  EXPECT_EQ(listed("n = 2..5"), "n2 n3 n4 n5 ");
  EXPECT_EQ(listed("n = 3..8 by 2, 20"), "n3 n5 n7 n20 ");
  EXPECT_EQ(listed("k = 2, 3; h = 1..if(k=2,2,1); n = k^h"), "h1k2n2 h2k2n4 h1k3n3 ");
  EXPECT_EQ(listed("n = 2..3; m = n+1..3"), "m3n2 ");
  EXPECT_THROW((void)sizes_over("2..5"), InternalError);
}

}  // namespace formula_test
}  // namespace quadrille
