// Scarce choice: against the greedy algorithm, one block after another.
#include "quadrille/algorithms/packing/swarms/scarce_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace scarce_choice_test {
namespace {

// Who has what, and how many have each, counted out.
struct Counted {
  std::vector<std::set<uint32_t>> has;  // per node
  std::set<uint32_t> wanted;

  [[nodiscard]] uint32_t holders(uint32_t block) const {
    return static_cast<uint32_t>(
        std::ranges::count_if(has, [&](const std::set<uint32_t>& one) { return one.contains(block); }));
  }
};

std::vector<ArcId> channels_into(const Topology& net, NodeId v) {
  std::vector<ArcId> out;
  for (const ArcId arc : net.arcs())
    if (net.head(arc) == v) out.insert(out.end(), net.capacity(arc), arc);
  return out;
}

// One block after another, by its score; kept where all that are kept can come together.
std::set<uint32_t> greedy(const Topology& net, const Counted& who, std::span<const ArcId> channels,
                          const std::vector<std::pair<uint32_t, uint32_t>>& by_score) {
  std::vector<int> over(channels.size(), -1);
  std::set<uint32_t> out;
  for (const auto& [score, block] : by_score) {
    std::set<size_t> seen;
    const std::function<bool(uint32_t)> place = [&](uint32_t b) {
      for (size_t i = 0; i < channels.size(); ++i) {
        if (!who.has[index(net.tail(channels[i]))].contains(b) || !seen.insert(i).second) continue;
        if (over[i] >= 0 && !place(static_cast<uint32_t>(over[i]))) continue;
        over[i] = static_cast<int>(b);
        return true;
      }
      return false;
    };
    if (place(block)) out.insert(block);
  }
  return out;
}

// All that node v may have, with its score.
std::vector<std::pair<uint32_t, uint32_t>> all_by_score(const Topology& net, const Counted& who,
                                                        const ScarceChoice& choice, NodeId v) {
  std::vector<std::pair<uint32_t, uint32_t>> out;
  for (const uint32_t block : who.wanted) {
    if (who.has[index(v)].contains(block)) continue;
    uint32_t near = 0;
    for (const ArcId arc : net.arcs())
      if (net.head(arc) == v && who.has[index(net.tail(arc))].contains(block)) ++near;
    if (near == 0) continue;
    const uint32_t score = choice.score(block);
    EXPECT_GE(score, near * 32 + who.holders(block) * 4);
    EXPECT_LT(score, near * 32 + who.holders(block) * 4 + 16);
    out.emplace_back(score, block);
  }
  std::ranges::sort(out);
  return out;
}

void expect_scarcest(const std::string& spec, uint32_t blocks, size_t share, uint64_t seed) {
  const Topology net = parse_topology(spec);
  Rng rng(seed);
  BlockHoldings holdings(net, blocks);
  Counted who{std::vector<std::set<uint32_t>>(net.num_nodes()), {}};
  for (uint32_t b = 0; b < blocks; ++b) {
    const NodeId origin{static_cast<uint32_t>(rng.below(net.num_nodes()))};
    holdings.begin(origin, b);
    who.has[index(origin)].insert(b);
    who.wanted.insert(b);
    for (const NodeId v : net.nodes()) {
      if (rng.below(100) >= share || v == origin) continue;
      holdings.give(v, b);
      who.has[index(v)].insert(b);
    }
    if (rng.below(8) != 0) continue;
    holdings.is_everywhere(b);
    who.wanted.erase(b);
  }
  const std::vector<uint64_t> noise = ScarceChoice::noise_words(seed);
  ScarceChoice choice(net, holdings, noise);
  for (const NodeId v : net.nodes()) {
    const std::vector<ArcId> channels = channels_into(net, v);
    std::vector<uint32_t> chosen(channels.size());
    for (const uint32_t from : {0U, 40U, 1000U}) {
      uint32_t most = from;
      choice.choose(v, channels, seed + index(v), most, chosen);
      std::set<uint32_t> came;
      for (size_t i = 0; i < channels.size(); ++i) {
        if (chosen[i] == ScarceChoice::kNobody) continue;
        EXPECT_TRUE(who.has[index(net.tail(channels[i]))].contains(chosen[i]));
        EXPECT_TRUE(came.insert(chosen[i]).second);
      }
      EXPECT_EQ(came, greedy(net, who, channels, all_by_score(net, who, choice, v)))
          << spec << " " << blocks << " blocks, node " << index(v);
    }
  }
}

TEST(ScarceChoice, BringsWhatTheGreedyAlgorithmDoes) {
  uint64_t seed = 0;
  for (const std::string spec : {"ring(2)", "line(5)", "torus(3,4)", "complete(9)", "star(4)",
                                 "xgft(2,3,2;1,2,4)", "random_regular(14,5;3)", "kautz(2,3)"}) {
    for (const uint32_t blocks : {1U, 7U, 63U, 64U, 65U, 129U, 300U}) {
      for (const size_t share : {0U, 5U, 40U, 90U}) expect_scarcest(spec, blocks, share, ++seed);
    }
  }
}

TEST(ScarceChoice, IsTheSameForTheSameSeed) {
  const Topology net = parse_topology("random_regular(14,5;3)");
  BlockHoldings holdings(net, 500);
  Rng rng(5);
  for (uint32_t b = 0; b < 500; ++b) holdings.begin(NodeId{static_cast<uint32_t>(rng.below(14))}, b);
  const std::vector<uint64_t> noise = ScarceChoice::noise_words(1);
  const std::vector<ArcId> channels = channels_into(net, NodeId{3});
  std::vector<uint32_t> first(channels.size());
  std::vector<uint32_t> second(channels.size());
  uint32_t most = 0;
  ScarceChoice(net, holdings, noise).choose(NodeId{3}, channels, 7, most, first);
  ScarceChoice again(net, holdings, noise);
  again.choose(NodeId{2}, channels_into(net, NodeId{2}), 1, most, second);
  again.choose(NodeId{3}, channels, 7, most, second);
  EXPECT_EQ(first, second);
  again.choose(NodeId{3}, channels, 8, most, second);
  EXPECT_NE(first, second);
}

}  // namespace
}  // namespace scarce_choice_test
}  // namespace quadrille
