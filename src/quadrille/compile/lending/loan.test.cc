#include "quadrille/compile/lending/loan.h"

#include <gtest/gtest.h>

#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace loan_test {

// An accelerator has 12 links to each of 3 switches.
TEST(Loan, TheWidthOfALinkIsNoNumberOfPortsWhereItCarriesAnyNumberOfPackets) {
  const Topology box = parse_topology("gpu_box(2,3;12)");
  const Model single{};
  Model many{};
  many.packets = Packets::kMany;
  EXPECT_EQ(port_limit(box, single, true), 36U);
  EXPECT_EQ(port_limit(box, many, true), 3U);
  many.send = Ports{3};
  EXPECT_TRUE(without_needless_count(box, many, true).unlimited());
  many.send = Ports{2};
  EXPECT_FALSE(without_needless_count(box, many, true).unlimited());
}

}  // namespace loan_test
}  // namespace quadrille
