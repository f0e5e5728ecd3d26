// Chapter 6 of the 1996 dissertation: what waits where in a fat tree, branch by branch and step by step, by
// routers written down from its figures 6.6 and 6.8 and its flooding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "quadrille/testing/stated.test.h"

namespace quadrille {
namespace dissertation_1996_fat_trees_test {

enum class What { kMultinodeBroadcast, kTotalExchange };
enum class Ports { kOneToSend, kAll };

constexpr uint32_t kEverybody = UINT32_MAX;
struct Message {
  uint32_t source;
  uint32_t destination;
};
using Queue = std::deque<Message>;

// A leaf (level 0) or a router: what waits for its parent and for each child, first in first out.
struct Node {
  Queue up{};
  std::vector<Queue> down{};
  uint64_t to_send_up = 0;  // messages in all
  uint64_t sent_up = 0;
  size_t turn = 0;  // the child that is next

  [[nodiscard]] size_t waiting() const {
    size_t all = up.size();
    for (const Queue& queue : down) all += queue.size();
    return all;
  }
};

class FatTree {
 public:
  FatTree(std::vector<uint32_t> arity, What what, Ports ports)
      : arity_(std::move(arity)), what_(what), ports_(ports), below_{1} {
    for (const uint32_t k : arity_) below_.push_back(below_.back() * k);
    for (uint32_t l = 0; l <= height(); ++l) {
      Node node;
      if (l > 0) node.down.resize(arity_[l - 1]);
      if (l < height())
        node.to_send_up = what_ == What::kTotalExchange ? below_[l] * (leaves() - below_[l]) : below_[l];
      levels_.emplace_back(leaves() / below_[l], node);
    }
    has_.assign(leaves(), std::vector<bool>(leaves(), false));
    for (uint32_t leaf = 0; leaf < leaves(); ++leaf) {
      fill(leaf);
      has_[leaf][leaf] = true;
    }
    missing_ = uint64_t{leaves()} * (leaves() - 1);
  }

  [[nodiscard]] uint32_t height() const { return static_cast<uint32_t>(arity_.size()); }
  [[nodiscard]] uint32_t leaves() const { return below_.back(); }
  [[nodiscard]] uint32_t below(uint32_t level) const { return below_[level]; }
  [[nodiscard]] uint32_t arity(uint32_t level) const { return arity_[level - 1]; }
  [[nodiscard]] const std::vector<Node>& level(uint32_t l) const { return levels_[l]; }
  [[nodiscard]] uint64_t steps() const { return steps_; }
  [[nodiscard]] bool done() const { return missing_ == 0; }

  /// The sends of a step: they are on their way until arrive().
  void send() {
    ++steps_;
    for (uint32_t l = 0; l <= height(); ++l) {
      for (uint32_t x = 0; x < levels_[l].size(); ++x) {
        Node& node = levels_[l][x];
        if (ports_ == Ports::kAll) {
          send_up(l, x);
          for (size_t c = 0; c < node.down.size(); ++c) send_down(l, x, c);
        } else if (node.sent_up < node.to_send_up) {
          send_up(l, x);  // phase A
        } else {
          for (size_t tried = 0; tried < node.down.size(); ++tried) {
            const size_t child = node.turn;
            node.turn = (node.turn + 1) % node.down.size();
            if (send_down(l, x, child)) break;
          }
        }
      }
    }
  }

  void arrive() {
    for (const Move& move : moves_) {
      if (move.level == 0) {
        const Message& message = move.message;
        EXPECT_TRUE(message.destination == kEverybody || message.destination == move.x);
        EXPECT_FALSE(has_[move.x][message.source]) << "twice";
        has_[move.x][message.source] = true;
        --missing_;
      } else {
        put(move);
      }
    }
    moves_.clear();
  }

 private:
  struct Move {
    uint32_t level;  // where to
    uint32_t x;
    size_t child;  // that it comes from; kParent
    Message message;
  };
  static constexpr size_t kParent = SIZE_MAX;

  // Furthest first: the highest level first.
  void fill(uint32_t leaf) {
    Queue& queue = levels_[0][leaf].up;
    if (what_ == What::kMultinodeBroadcast) {
      if (leaves() > 1) queue.push_back({leaf, kEverybody});
      return;
    }
    for (uint32_t l = height(); l >= 1; --l) {
      for (uint32_t to = 0; to < leaves(); ++to) {
        if (leaf / below_[l] == to / below_[l] && leaf / below_[l - 1] != to / below_[l - 1])
          queue.push_back({leaf, to});
      }
    }
  }

  void send_up(uint32_t l, uint32_t x) {
    Node& node = levels_[l][x];
    if (node.up.empty()) return;
    moves_.push_back({l + 1, x / arity_[l], x % arity_[l], node.up.front()});
    node.up.pop_front();
    ++node.sent_up;
  }

  bool send_down(uint32_t l, uint32_t x, size_t child) {
    Queue& queue = levels_[l][x].down[child];
    if (queue.empty()) return false;
    moves_.push_back({l - 1, x * arity(l) + static_cast<uint32_t>(child), kParent, queue.front()});
    queue.pop_front();
    return true;
  }

  void put(const Move& move) {
    Node& node = levels_[move.level][move.x];
    const uint32_t to = move.message.destination;
    if (to != kEverybody) {
      const bool here = to / below_[move.level] == move.x;
      (here ? node.down[to / below_[move.level - 1] % arity(move.level)] : node.up).push_back(move.message);
      return;
    }
    if (move.child != kParent && move.level < height()) node.up.push_back(move.message);
    for (size_t c = 0; c < node.down.size(); ++c)
      if (c != move.child) node.down[c].push_back(move.message);
  }

  std::vector<uint32_t> arity_;
  What what_;
  Ports ports_;
  std::vector<uint32_t> below_;  // per level: leaves below a node
  std::vector<std::vector<Node>> levels_;
  std::vector<Move> moves_;
  std::vector<std::vector<bool>> has_;  // per leaf: the leaves whose message it has
  uint64_t missing_ = 0;                // messages at leaves
  uint64_t steps_ = 0;
};

std::vector<std::vector<uint32_t>> equal_arities(uint32_t most_leaves) {
  std::vector<std::vector<uint32_t>> trees;
  for (uint32_t k = 2; k <= 6; ++k) {
    std::vector<uint32_t> arity = {k};
    for (uint32_t n = k; n <= most_leaves; n *= k, arity.push_back(k)) trees.push_back(arity);
  }
  return trees;
}

// What waits at the children of a router, children's own messages included, at the end of the step in which
// it sends its last message up; the most over all such routers, and how many there are.
struct AtChildren {
  size_t most = 0;
  int routers = 0;
};

AtChildren queues_when_the_last_goes_up(FatTree& tree) {
  AtChildren result;
  while (!tree.done()) {
    std::vector<std::vector<uint64_t>> sent_before;
    for (uint32_t l = 0; l <= tree.height(); ++l) {
      sent_before.emplace_back();
      for (const Node& node : tree.level(l)) sent_before.back().push_back(node.sent_up);
    }
    tree.send();
    for (uint32_t l = 1; l < tree.height(); ++l) {
      for (uint32_t x = 0; x < tree.level(l).size(); ++x) {
        const Node& node = tree.level(l)[x];
        if (node.sent_up != node.to_send_up || sent_before[l][x] == node.sent_up) continue;
        ++result.routers;
        for (uint32_t c = 0; c < tree.arity(l); ++c)
          result.most = std::max(result.most, tree.level(l - 1)[x * tree.arity(l) + c].waiting());
      }
    }
    tree.arrive();
  }
  return result;
}

TEST(DissertationClaims, lemma_6_4_children_have_emptied_their_queues_when_the_last_broadcast_goes_up) {
  for (const std::vector<uint32_t>& arity : equal_arities(256)) {
    FatTree tree(arity, What::kMultinodeBroadcast, Ports::kOneToSend);
    const AtChildren seen = queues_when_the_last_goes_up(tree);
    EXPECT_EQ(seen.most, 0U) << arity[0] << "^" << arity.size();
    EXPECT_EQ(seen.routers > 0, stated(arity.size() > 1));
    const uint64_t k = arity[0];
    const uint64_t h = arity.size();
    EXPECT_EQ(tree.steps(), h == 1 ? k * (k - 1) + 1 : k * tree.leaves() + (k + 1) * (h - 2) + 1)
        << k << " " << h;
  }
  // With unequal arities only if no child has more children than its parent.
  FatTree rising({2, 3, 4}, What::kMultinodeBroadcast, Ports::kOneToSend);
  EXPECT_EQ(queues_when_the_last_goes_up(rising).most, 0U);
  FatTree falling({3, 2, 2}, What::kMultinodeBroadcast, Ports::kOneToSend);
  EXPECT_EQ(queues_when_the_last_goes_up(falling).most, stated(2U));
  // Its level-1 routers have 36 messages to send, and a step is lost before the first.
  EXPECT_EQ(falling.steps(), 37U);
}

TEST(DissertationClaims,
     lemma_6_7_children_have_emptied_their_queues_when_the_last_exchanged_message_goes_up) {
  std::vector<std::vector<uint32_t>> trees = equal_arities(36);
  trees.insert(trees.end(), {{3, 2, 2}, {2, 3, 4}, {5, 2, 2}, {2, 2, 5}, {3, 2, 2, 2}});
  for (const std::vector<uint32_t>& arity : trees) {
    FatTree tree(arity, What::kTotalExchange, Ports::kOneToSend);
    EXPECT_EQ(queues_when_the_last_goes_up(tree).most, 0U) << arity[0] << "^" << arity.size();
    const uint64_t n = tree.leaves();
    const uint64_t h = tree.height();
    if (std::ranges::count(arity, arity[0]) != std::ssize(arity) || h == 1) continue;
    const uint64_t k = arity[0];
    EXPECT_EQ(tree.steps(), stated(std::max(n * n * (2 * k + 1) * (k - 1) / (k * k * k) + 2 * h - 3,
                                            n * n * (k - 1) / k + 2 * h - 1)))
        << k << " " << h;
  }
}

TEST(DissertationClaims, queues_for_children_grow_in_flooding_as_section_6_3_2_1_says) {
  for (const std::vector<uint32_t>& arity : equal_arities(256)) {
    FatTree tree(arity, What::kMultinodeBroadcast, Ports::kAll);
    const uint32_t k = arity[0];
    const uint32_t h = tree.height();
    std::vector<size_t> up(h + 1, 0);  // per level: the longest after the sends of a step
    std::vector<size_t> down(h + 1, 0);
    std::vector<size_t> down_after_arrivals(h + 1, 0);
    const auto measure = [&](std::vector<size_t>& longest) {
      for (uint32_t l = 1; l <= h; ++l)
        for (const Node& node : tree.level(l))
          for (const Queue& queue : node.down) longest[l] = std::max(longest[l], queue.size());
    };
    while (!tree.done()) {
      tree.send();
      measure(down);
      for (uint32_t l = 1; l < h; ++l)
        for (const Node& node : tree.level(l)) up[l] = std::max(up[l], node.up.size());
      tree.arrive();
      measure(down_after_arrivals);
    }
    EXPECT_EQ(tree.steps(), stated(k == 2 && h > 1 ? tree.leaves() + 1 : tree.leaves())) << k << " " << h;
    EXPECT_EQ(down[h], stated((k - 2) * tree.below(h - 1))) << k << " " << h;
    for (uint32_t i = 1; i < h; ++i) {
      const size_t from_below = (k - 1) * tree.below(i - 1);
      EXPECT_EQ(up[i], stated(from_below)) << k << " " << h << " " << i;
      // On level 1 the queue is as long before the first message has come from above.
      EXPECT_EQ(down[i], stated(i == 1 ? k - 2 : from_below - 2)) << k << " " << h << " " << i;
      EXPECT_EQ(down_after_arrivals[i], down[i] + 1) << k << " " << h << " " << i;
    }
  }
}

TEST(DissertationClaims, routers_of_figure_6_6_store_as_many_messages_as_there_are_leaves) {
  for (const std::vector<uint32_t>& arity : equal_arities(256)) {
    FatTree tree(arity, What::kMultinodeBroadcast, Ports::kOneToSend);
    const uint32_t k = arity[0];
    const uint32_t h = tree.height();
    std::vector<uint64_t> stored(h + 1,
                                 0);  // per level: copies that wait at a router after the sends of a step
    while (!tree.done()) {
      tree.send();
      for (uint32_t l = 1; l <= h; ++l)
        for (const Node& node : tree.level(l)) stored[l] = std::max<uint64_t>(stored[l], node.waiting());
      tree.arrive();
    }
    EXPECT_EQ(stored[h], stated((k * k - k - 1) * uint64_t{tree.below(h - 1)})) << k << " " << h;
    for (uint32_t l = 1; l < h; ++l) {
      EXPECT_EQ(stored[l],
                stated(l + 1 < h ? (k * k - 1) * uint64_t{tree.below(l - 1)} : tree.leaves() + k - 3))
          << k << " " << h << " " << l;
    }
  }
}

}  // namespace dissertation_1996_fat_trees_test
}  // namespace quadrille
