#include "quadrille/topology/cayley/stabiliser_chain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "quadrille/base/random.h"

namespace quadrille {
namespace stabiliser_chain_test {

// By listing: what the chain is there to avoid.
std::set<Permutation> closure(uint32_t points, const std::vector<Permutation>& generators) {
  std::set<Permutation> seen{identity_permutation(points)};
  std::vector<Permutation> queue(seen.begin(), seen.end());
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const Permutation& g : generators) {
      Permutation next = compose(queue[i], g);
      if (seen.insert(next).second) queue.push_back(std::move(next));
    }
  }
  return seen;
}

std::vector<uint8_t> bytes_of(const std::set<Permutation>& elements) {
  std::vector<uint8_t> out;
  for (const Permutation& p : elements) out.insert(out.end(), p.begin(), p.end());
  return out;
}

Permutation rotation(uint32_t points, uint32_t first, uint32_t length) {
  Permutation out = identity_permutation(points);
  for (uint32_t i = 0; i < length; ++i) out[first + i] = static_cast<uint8_t>(first + (i + 1) % length);
  return out;
}

TEST(StabiliserChain, NothingGeneratesTheIdentityAlone) {
  const StabiliserChain chain(3, {});
  EXPECT_EQ(chain.order(), 1U);
  EXPECT_EQ(chain.elements(), (std::vector<uint8_t>{0, 1, 2}));
  EXPECT_EQ(StabiliserChain(1, {{0}}).order(), 1U);
}

TEST(StabiliserChain, ListsWhatAClosureListsInOrder) {
  Rng rng(7);
  for (int trial = 0; trial < 300; ++trial) {
    const auto points = static_cast<uint32_t>(1 + rng.below(6));
    std::vector<Permutation> generators(rng.below(4), identity_permutation(points));
    for (Permutation& g : generators) {
      for (uint32_t i = points; i > 1; --i) std::swap(g[i - 1], g[rng.below(i)]);
    }
    const std::set<Permutation> elements = closure(points, generators);
    const StabiliserChain chain(points, generators);
    ASSERT_EQ(chain.order(), elements.size());
    ASSERT_EQ(chain.elements(), bytes_of(elements));
  }
}

TEST(StabiliserChain, TheOrdersOfLargeGroupsAreKnownAtOnce) {
  EXPECT_EQ(StabiliserChain(12, {rotation(12, 0, 12), rotation(12, 0, 2)}).order(), 479'001'600U);
  EXPECT_EQ(StabiliserChain(11, {rotation(11, 0, 11), rotation(11, 0, 3)}).order(), 19'958'400U);
  // A Mathieu group on twelve points.
  const Permutation a = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 11};
  const Permutation b = {0, 1, 6, 9, 5, 3, 10, 2, 8, 4, 7, 11};
  const Permutation c = {11, 10, 5, 7, 8, 2, 9, 3, 4, 6, 1, 0};
  EXPECT_EQ(StabiliserChain(12, {a, b, c}).order(), 95'040U);
  // Twenty exchanges that have nothing to do with each other.
  std::vector<Permutation> exchanges;
  for (uint32_t i = 0; i < 20; ++i) exchanges.push_back(rotation(64, 3 * i, 2));
  EXPECT_EQ(StabiliserChain(64, exchanges).order(), 1U << 20U);
}

TEST(StabiliserChain, StopsAboveTheLimit) {
  const StabiliserChain chain(64, {rotation(64, 0, 64), rotation(64, 0, 2)}, 1'000'000);
  EXPECT_GT(chain.order(), 1'000'000U);
}

}  // namespace stabiliser_chain_test
}  // namespace quadrille
