#include "quadrille/base/numbers/load_mixture.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

namespace quadrille::load_mixture_test {

// What the shares make of the loads.
std::vector<double> mixed(const std::vector<std::vector<double>>& loads, const std::vector<double>& shares) {
  std::vector<double> out(loads.front().size(), 0);
  for (size_t i = 0; i < loads.size(); ++i)
    for (size_t k = 0; k < out.size(); ++k) out[k] += shares[i] * loads[i][k];
  return out;
}

TEST(LoadMixture, TakesHalfOfEachWhereThatIsBest) {
  LoadMixture mixture({4, 2});
  EXPECT_DOUBLE_EQ(mixture.busiest(), 4);
  EXPECT_EQ(mixture.prices(), (std::vector<double>{1, 0}));
  mixture.add({1, 5});
  EXPECT_NEAR(mixture.busiest(), 3, 1e-9);
  EXPECT_NEAR(mixture.prices()[0], 0.5, 1e-9);
  EXPECT_NEAR(mixture.prices()[1], 0.5, 1e-9);
  EXPECT_NEAR(mixture.shares()[0], 2.0 / 3, 1e-9);
  EXPECT_NEAR(mixture.shares()[1], 1.0 / 3, 1e-9);
}

TEST(LoadMixture, LeavesOutWhatHelpsNobody) {
  LoadMixture mixture({3, 3, 3});
  mixture.add({4, 4, 3});
  EXPECT_NEAR(mixture.busiest(), 3, 1e-9);
  EXPECT_EQ(mixture.shares(), (std::vector<double>{1, 0}));
  mixture.add({2, 2, 2});
  EXPECT_NEAR(mixture.busiest(), 2, 1e-9);
}

TEST(LoadMixture, OfOneMachineIsTheLeast) {
  LoadMixture mixture({7});
  mixture.add({5});
  mixture.add({6});
  EXPECT_NEAR(mixture.busiest(), 5, 1e-9);
}

RC_GTEST_PROP(LoadMixture, PricesProveWhatTheSharesMake, ()) {
  const auto machines = *rc::gen::inRange<size_t>(1, 9);
  const auto count = *rc::gen::inRange<size_t>(1, 30);
  std::vector<std::vector<double>> loads;
  for (size_t i = 0; i < count; ++i) {
    const auto whole = *rc::gen::container<std::vector<int>>(machines, rc::gen::inRange(0, 50));
    loads.emplace_back(whole.begin(), whole.end());
    loads.back()[i % machines] += 1;
  }
  LoadMixture mixture(loads.front());
  for (size_t i = 1; i < count; ++i) mixture.add(loads[i]);
  const std::vector<double> shares = mixture.shares();
  RC_ASSERT(std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) - 1) < 1e-6);
  const std::vector<double> made = mixed(loads, shares);
  RC_ASSERT(std::abs(*std::max_element(made.begin(), made.end()) - mixture.busiest()) < 1e-6);
  const std::vector<double>& prices = mixture.prices();
  RC_ASSERT(std::abs(std::accumulate(prices.begin(), prices.end(), 0.0) - 1) < 1e-6);
  for (const std::vector<double>& one : loads) {
    double costs = 0;
    for (size_t k = 0; k < machines; ++k) costs += prices[k] * one[k];
    RC_ASSERT(costs > mixture.busiest() - 1e-6);
  }
}

}  // namespace quadrille::load_mixture_test
