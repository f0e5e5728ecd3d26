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

TEST(Report, is_a_row_of_named_columns_for_tables) {
  Report report;
  Json finding = Json::object();
  finding.set("rule", "send_ports").set("message", "node 0, which has 1 port, \"starts\" 2");
  report.add("steps", "1,000 steps", 1000);
  report.add_json("findings", Json::array().push(std::move(finding)));
  report.add_json("optimal", true);
  constexpr CsvColumn kColumns[] = {{"steps", "steps"},
                                    {"rule", "findings/0/rule"},
                                    {"finding", "findings/0/message"},
                                    {"second", "findings/1/rule"},
                                    {"optimal", "optimal"},
                                    {"nothing", "nothing"}};
  EXPECT_EQ(report.csv(kColumns),
            "steps,rule,finding,second,optimal,nothing\n"
            "1000,send_ports,\"node 0, which has 1 port, \"\"starts\"\" 2\",,yes,\n");
}

}  // namespace report_test
}  // namespace quadrille
