#include "quadrille/verify/rules/path_exists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quadrille/topology/topology_spec.h"

namespace quadrille::rules {
namespace path_exists_test {

class PathExists : public ::testing::Test {
 protected:
  Topology net_ = parse_topology("ring(5)");

  [[nodiscard]] ArcId arc(uint32_t from, uint32_t to) const {
    return *net_.find_arc(NodeId{from}, NodeId{to});
  }
  [[nodiscard]] ArcId first_that_does_not_exist() const { return ArcId{net_.num_arcs()}; }

  [[nodiscard]] std::string said_of(const std::vector<ArcId>& path) const {
    Findings findings(10);
    report_broken_path(net_, path, 0, 0, findings);
    return findings.first().empty() ? "" : to_text(findings.first().front());
  }
};

TEST_F(PathExists, WhereEveryArcStartsWhereTheOneBeforeEnds) {
  EXPECT_TRUE(is_path(net_, std::vector{arc(0, 1)}));
  EXPECT_TRUE(is_path(net_, std::vector{arc(0, 1), arc(1, 2), arc(2, 1)}));
  EXPECT_FALSE(is_path(net_, std::vector{arc(0, 1), arc(2, 3)}));
  EXPECT_FALSE(is_path(net_, std::vector{arc(0, 1), arc(1, 2), arc(0, 1)}));
}

TEST_F(PathExists, OnlyOfArcsThatExist) {
  EXPECT_TRUE(is_path(net_, std::vector{ArcId{net_.num_arcs() - 1}}));
  EXPECT_FALSE(is_path(net_, std::vector{first_that_does_not_exist()}));
  EXPECT_FALSE(is_path(net_, std::vector{kNoArc}));
  EXPECT_FALSE(is_path(net_, std::vector{arc(0, 1), kNoArc, arc(1, 2)}));
}

TEST_F(PathExists, OrTheFirstBreakIsNamed) {
  EXPECT_EQ(said_of({arc(0, 1), first_that_does_not_exist(), kNoArc}),
            "step 1, transfer 1: [path_exists] hop 2 of its path, from 1, is no link of ring(5)");
  EXPECT_EQ(said_of({kNoArc, arc(0, 1)}),
            "step 1, transfer 1: [path_exists] hop 1 of its path is no link of ring(5)");
  EXPECT_EQ(said_of({arc(0, 1), arc(1, 2), arc(4, 3), arc(0, 1)}),
            "step 1, transfer 1: [path_exists] hop 3 of its path starts at 4, but hop 2 ends at 2");
}

}  // namespace path_exists_test
}  // namespace quadrille::rules
