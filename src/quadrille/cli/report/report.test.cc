#include "quadrille/cli/report/report.h"

#include <gtest/gtest.h>

namespace quadrille {
namespace report_test {

TEST(Report, is_a_list_for_people_and_json_for_programs) {
  Report report;
  report.add("busiest link", "8 blocks", 8);
  report.add_text("remark", "for people");
  report.add_json("secret", "for programs");
  EXPECT_EQ(report.text(), "busiest link  8 blocks\nremark        for people\n");
  EXPECT_EQ(report.json().text(), "{\n  \"busiest_link\": 8,\n  \"secret\": \"for programs\"\n}\n");
}

}  // namespace report_test
}  // namespace quadrille
