#include "quadrille/topology/products/cartesian_product.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "quadrille/topology/link_rates.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace cartesian_product_test {

using ::testing::HasSubstr;

// Nodes of the factor in the order of their names, three copies of it in a ring.
TEST(CartesianProduct, LinksKeepTheRatesOfTheirFactor) {
  const Topology net = parse_topology("product(edges(\"a b 100Gbit/s 2us, b c 400Gbit/s 500ns\"),ring(3))");
  ASSERT_NE(net.link_rates(), nullptr);
  const LinkRates& rates = *net.link_rates();
  EXPECT_EQ(rates.unit_bandwidth, 12500);
  ASSERT_EQ(rates.bandwidth.size(), net.num_arcs());
  ASSERT_EQ(rates.latency.size(), net.num_arcs());
  for (const ArcId arc : net.arcs()) {
    const uint32_t a = static_cast<uint32_t>(index(net.tail(arc))) / 3;
    const uint32_t b = static_cast<uint32_t>(index(net.head(arc))) / 3;
    EXPECT_EQ(rates.latency[index(arc)], a == b ? 0 : a + b == 1 ? 2 : 0.5);
    EXPECT_EQ(rates.bandwidth[index(arc)], net.capacity(arc) * 12500.0);
    EXPECT_EQ(net.capacity(arc), a + b == 3 && a != b ? 4U : 1U);
  }
  EXPECT_TRUE(net.remarks().empty());
}

TEST(CartesianProduct, UnitsThatDifferAreSaidAndNotUsed) {
  const Topology net = parse_topology("product(edges(\"a b 100Gbit/s\"),edges(\"x y 200Gbit/s\"))");
  EXPECT_EQ(net.link_rates(), nullptr);
  EXPECT_THAT(std::string(net.remarks().back()), HasSubstr("12500 MB/s in one factor and 25000 MB/s"));
  const Topology same = parse_topology("product(edges(\"a b 100Gbit/s\"),edges(\"x y 100Gbit/s\"))");
  ASSERT_NE(same.link_rates(), nullptr);
  EXPECT_TRUE(same.remarks().empty());
  EXPECT_EQ(parse_topology("product(ring(3),ring(4))").link_rates(), nullptr);
}

}  // namespace cartesian_product_test
}  // namespace quadrille
