#include "quadrille/compile/lending/loan.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

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

// The same network as a list of links.
Topology listed(const Topology& net) {
  std::string links;
  for (const ArcId arc : net.arcs()) {
    const auto [from, to] = std::pair(index(net.tail(arc)), index(net.head(arc)));
    if (from < to) links += fmt::format("{}{} {}", links.empty() ? "" : ", ", from, to);
  }
  return parse_topology(fmt::format("edges(\"{}\")", links));
}

// Steps of a known member of a family go over one by one, however many; whether nobody else is asked depends on whether the family has plans
// of its own, or, of few nodes, is only numbered well.
TEST(Loan, ByNameIsOfAnySizeAndSettlesWhatHasPlansOfItsOwn) {
  for (const auto& [spec, settles] : {std::pair{"torus(5,5)", true}, std::pair{"dragonfly(0,4,1)", false}}) {
    const Problem problem =
        standard_problem(listed(parse_topology(spec)), CollectiveKind::kAllgather, Model{});
    const std::vector<Loan> loans = loans_by_name(problem);
    ASSERT_FALSE(loans.empty()) << spec;
    for (const Loan& loan : loans) {
      EXPECT_TRUE(loan.of_any_size && loan.stream) << spec;
      EXPECT_EQ(loan.settles, settles) << spec;
    }
  }
}

}  // namespace loan_test
}  // namespace quadrille
