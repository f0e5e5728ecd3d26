// Matchings of ports, held against a plain search for as many transfers as there can be.
#include "quadrille/algorithms/packing/timed/port_matching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "quadrille/base/random.h"

namespace quadrille {
namespace port_matching_test {

struct Step {
  uint32_t nodes = 0;
  PortMatching::Links links{};
  std::vector<uint32_t> waiting{};
  std::vector<uint64_t> over{};
  std::vector<uint64_t> out{};
  std::vector<uint64_t> in{};
  std::vector<uint32_t> order{};
};

Step random_step(Rng& rng, uint32_t nodes, uint32_t links, uint32_t most_wide) {
  Step out;
  out.nodes = nodes;
  out.out.assign(nodes, 0);
  out.in.assign(nodes, 0);
  for (uint32_t i = 0; i < links; ++i) {
    const auto tail = static_cast<uint32_t>(rng.below(nodes));
    const auto head = static_cast<uint32_t>(rng.below(nodes));
    out.links.tail.push_back(tail);
    out.links.head.push_back(head);
    out.links.capacity.push_back(1 + static_cast<uint32_t>(rng.below(most_wide)));
    out.waiting.push_back(static_cast<uint32_t>(rng.below(3)));
    out.over.push_back(out.waiting.back() + rng.below(5));
    out.out[tail] += out.over.back();
    out.in[head] += out.over.back();
    if (out.waiting.back() > 0) out.order.push_back(i);
  }
  return out;
}

// With one port: Kuhn's search, node by node.
uint32_t most_transfers(const Step& step) {
  std::vector<uint32_t> sender_of(step.nodes, UINT32_MAX);
  std::vector<char> seen;
  const std::function<bool(uint32_t)> place = [&](uint32_t v) {
    for (const uint32_t link : step.order) {
      const uint32_t w = step.links.head[link];
      if (step.links.tail[link] != v || seen[w] != 0) continue;
      seen[w] = 1;
      if (sender_of[w] != UINT32_MAX && !place(sender_of[w])) continue;
      sender_of[w] = v;
      return true;
    }
    return false;
  };
  uint32_t out = 0;
  for (uint32_t v = 0; v < step.nodes; ++v) {
    seen.assign(step.nodes, 0);
    out += place(v) ? 1 : 0;
  }
  return out;
}

// Nobody can be added to it, and with one port there is none of more transfers; whoever has most to send, and has something that waits,
// sends, unless it goes on from the last step.
void keeps_to(const Step& step, std::span<const uint32_t> used, uint64_t ports, bool tight_first,
              PortMatching::Start start) {
  ASSERT_EQ(used.size(), step.links.tail.size());
  std::vector<uint64_t> sent(step.nodes, 0);
  std::vector<uint64_t> received(step.nodes, 0);
  for (size_t link = 0; link < used.size(); ++link) {
    EXPECT_LE(used[link], std::min(step.waiting[link], step.links.capacity[link]));
    sent[step.links.tail[link]] += used[link];
    received[step.links.head[link]] += used[link];
  }
  EXPECT_LE(std::ranges::max(sent), ports);
  EXPECT_LE(std::ranges::max(received), ports);
  for (const uint32_t link : step.order) {
    EXPECT_TRUE(used[link] == std::min(step.waiting[link], step.links.capacity[link]) ||
                sent[step.links.tail[link]] == ports || received[step.links.head[link]] == ports);
  }
  if (ports > 1 || tight_first) return;
  EXPECT_EQ(std::accumulate(sent.begin(), sent.end(), uint64_t{0}), most_transfers(step));
  if (step.order.empty() || start == PortMatching::Start::kFromLast) return;
  std::vector<uint32_t> senders;
  for (const uint32_t link : step.order) senders.push_back(step.links.tail[link]);
  const auto most = *std::ranges::max_element(senders, {}, [&](uint32_t v) { return step.out[v]; });
  const auto has_as_much = [&](uint32_t v) { return step.out[v] == step.out[most] && sent[v] == 1; };
  EXPECT_TRUE(std::ranges::any_of(senders, has_as_much));
}

// What a step has sent is gone, and something else waits for some links.
void go_on(Step& step, std::span<const uint32_t> used, Rng& rng) {
  step.order.clear();
  for (uint32_t link = 0; link < used.size(); ++link) {
    const uint64_t more = rng.below(4) == 0 ? 1 : 0;
    step.waiting[link] += static_cast<uint32_t>(more) - used[link];
    step.over[link] += more - used[link];
    step.out[step.links.tail[link]] += more - used[link];
    step.in[step.links.head[link]] += more - used[link];
    if (step.waiting[link] > 0) step.order.push_back(link);
  }
}

TEST(PortMatching, KeepsToPortsAndLinksAndLeavesOutNobodyWithMoreToDo) {
  Rng rng{3};
  for (uint32_t trial = 0; trial < 2'000; ++trial) {
    const auto nodes = static_cast<uint32_t>(1 + rng.below(8));
    const Step first =
        random_step(rng, nodes, static_cast<uint32_t>(rng.below(3U * nodes + 1)), 1 + trial % 2);
    const uint64_t ports = 1 + trial % 3;
    const bool tight_first = trial % 5 == 0;
    for (const auto search : {PortMatching::Search::kLinkByLink, PortMatching::Search::kFreeFirst}) {
      PortMatching matching(nodes, first.links, ports, ports, search);
      Step step = first;
      for (const auto start : {PortMatching::Start::kAnew, PortMatching::Start::kFromLast,
                               PortMatching::Start::kFromLast, PortMatching::Start::kAnew}) {
        const auto used =
            matching.match(step.order, step.waiting, {step.over, step.out, step.in}, tight_first, start);
        keeps_to(step, used, ports, tight_first, start);
        go_on(step, used, rng);
      }
    }
  }
}

// A link that touches nobody else, at the end of the order, makes it one that is not sorted.
TEST(PortMatching, OfOnePortEachFindsWhatItFindsOfSeveral) {
  Rng rng{7};
  for (uint32_t trial = 0; trial < 2'000; ++trial) {
    const auto nodes = static_cast<uint32_t>(1 + rng.below(9));
    Step step = random_step(rng, nodes, static_cast<uint32_t>(rng.below(4U * nodes + 1)), 1 + trial % 2);
    for (std::vector<uint32_t>* end : {&step.links.tail, &step.links.head}) end->insert(end->begin(), nodes);
    step.links.capacity.insert(step.links.capacity.begin(), 1);
    step.waiting.insert(step.waiting.begin(), 1);
    step.over.insert(step.over.begin(), 1);
    step.out.push_back(1);
    step.in.push_back(1);
    for (uint32_t& link : step.order) ++link;
    std::vector<uint32_t> last = step.order;
    last.push_back(0);
    step.order.insert(step.order.begin(), 0);
    PortMatching one(nodes + 1, step.links, 1, 1, PortMatching::Search::kFreeFirst);
    PortMatching any(nodes + 1, step.links, 1, 1, PortMatching::Search::kFreeFirst);
    // Of several steps, as each begins with what the one before has sorted.
    for (uint32_t turn = 0; turn < 3; ++turn) {
      const auto start = turn == trial % 3 ? PortMatching::Start::kFromLast : PortMatching::Start::kAnew;
      const auto here = one.match(step.order, step.waiting, {step.over, step.out, step.in}, false, start);
      const auto there = any.match(step.order.size() > 1 ? last : step.order, step.waiting,
                                   {step.over, step.out, step.in}, false, start);
      ASSERT_EQ(std::vector<uint32_t>(here.begin(), here.end()),
                std::vector<uint32_t>(there.begin(), there.end()));
      for (size_t link = 1; link < here.size(); ++link) {
        const uint64_t sent = std::min<uint64_t>(step.over[link], here[link] + rng.below(2));
        step.over[link] -= sent;
        step.out[step.links.tail[link]] -= sent;
        step.in[step.links.head[link]] -= sent;
        step.waiting[link] = static_cast<uint32_t>(std::min<uint64_t>(step.waiting[link], step.over[link]));
      }
      std::erase_if(last, [&](uint32_t link) { return step.waiting[link] == 0; });
      std::erase_if(step.order, [&](uint32_t link) { return step.waiting[link] == 0; });
    }
  }
}

TEST(PortMatching, TightLinksComeFirst) {
  // Node 0 has four transfers over each of two links, and node 1 one over the first one's end: a link that goes in each of the four steps
  // that are left must not wait.
  const PortMatching::Links links{{0, 0, 1}, {2, 3, 2}, {1, 1, 1}};
  const std::vector<uint32_t> waiting{1, 1, 1};
  const std::vector<uint64_t> over{4, 1, 1};
  const std::vector<uint64_t> out{5, 1, 0, 0};
  const std::vector<uint64_t> in{0, 0, 5, 1};
  const std::vector<uint32_t> order{2, 1, 0};
  PortMatching matching(4, links, 1, 1, PortMatching::Search::kFreeFirst);
  const auto used = matching.match(order, waiting, {over, out, in}, true);
  EXPECT_EQ(std::vector<uint32_t>(used.begin(), used.end()), (std::vector<uint32_t>{1, 0, 0}));
}

}  // namespace port_matching_test
}  // namespace quadrille
