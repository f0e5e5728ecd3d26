#include "quadrille/compile/groups/joint_trees.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <queue>
#include <string_view>
#include <tuple>

#include "quadrille/base/search_limits.h"
#include "quadrille/compile/groups/tree_length.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace joint_trees_parts {
namespace {

constexpr uint64_t kHastes[] = {kFullPrice / 256, kFullPrice / 64, kFullPrice / 128, 0, kFullPrice / 32};
constexpr uint64_t kMostWork = uint64_t{1} << 24U;  // trees times arcs, of all tries
constexpr uint64_t kMostPriced = uint64_t{1}
                                 << 21U;  // the same, where links and ports are given prices for a bound
constexpr uint64_t kMostRooted = uint64_t{1}
                                 << 18U;  // the same, of which the lengths are looked at root by root
constexpr uint64_t kMostBoundWork = uint64_t{1} << 31U;
constexpr uint32_t kMostRoots = 4;
constexpr double kSharpness[] = {1, 2, 4, 8, 16, 32};

// The quarter of the ranks from which the farthest of the group is nearest: roots of an allreduce's trees.
std::vector<NodeId> middle_ranks(const Problem& problem) {
  std::vector<std::pair<uint32_t, NodeId>> ranks;
  for (const NodeId v : problem.topology().endpoints()) {
    const std::vector<uint32_t> there = distances_from(problem.topology(), v);
    const std::vector<uint32_t> back = distances_to(problem.topology(), v);
    uint32_t far = 0;
    for (const NodeId w : problem.topology().endpoints())
      far = std::max(far, there[index(w)] + back[index(w)]);
    ranks.emplace_back(far, v);
  }
  std::ranges::sort(ranks);
  ranks.resize((ranks.size() + 3) / 4);
  std::vector<NodeId> out;
  for (const auto& [far, v] : ranks) out.push_back(v);
  return out;
}

// What links and ports let through in a step, and have to do in all trees.
struct Room {
  std::vector<uint64_t>
      can{};  // arcs, then what nodes send, then what they receive; nothing: without a limit
  std::vector<double> load{};
  size_t sends = 0;
  size_t receives = 0;

  [[nodiscard]] std::array<size_t, 3> of(const Topology& net, ArcId arc) const {
    return {index(arc), sends + index(net.tail(arc)), receives + index(net.head(arc))};
  }
};

Room room_of(const ForestTask& task, const BlockForest& forest) {
  const Topology& net = task.net;
  Room out;
  for (const ArcId arc : net.arcs()) out.can.push_back(net.capacity(arc));
  out.sends = out.can.size();
  out.can.resize(out.can.size() + net.num_nodes(), task.send.unlimited() ? 0 : task.send.count);
  out.receives = out.can.size();
  out.can.resize(out.can.size() + net.num_nodes(), task.receive.unlimited() ? 0 : task.receive.count);
  out.load.assign(out.can.size(), 0);
  for (const BlockTree& tree : forest.trees)
    for (const ArcId arc : tree)
      for (const size_t r : out.of(net, arc)) out.load[r] += 1;
  return out;
}

// The same both ways, and for sending and receiving.
void even_out(const Topology& net, Room& room) {
  const std::vector<double> load = room.load;
  for (const ArcId arc : net.arcs())
    room.load[index(arc)] = (load[index(arc)] + load[index(net.reverse(arc))]) / 2;
  for (size_t v = 0; v < net.num_nodes(); ++v) {
    const double both = (load[room.sends + v] + load[room.receives + v]) / 2;
    room.load[room.sends + v] = both;
    room.load[room.receives + v] = both;
  }
}

// Of what has much to do, the more the sharper; all alike: nought. Rounded, so that the last digit of a machine's exp() does not matter.
std::vector<uint64_t> prices_of(const Room& room, double sharpness) {
  double fullest = 0;
  for (size_t r = 0; r < room.can.size(); ++r)
    if (room.can[r] > 0) fullest = std::max(fullest, room.load[r] / double(room.can[r]));
  std::vector<uint64_t> out(room.can.size(), 0);
  for (size_t r = 0; r < room.can.size(); ++r) {
    if (room.can[r] == 0) continue;
    const double over = room.load[r] / (double(room.can[r]) * std::max(fullest, 1.0)) - 1.0;
    out[r] = static_cast<uint64_t>(
        std::llround(double(kFullPrice) * std::exp(sharpness * over) / double(room.can[r])));
  }
  return out;
}

// Of several: only what all send, what all receive, and what goes over all links, is told apart.
enum class Alike : uint8_t { kLinks, kSends, kReceives };
std::vector<uint64_t> even_prices(const Room& room, Alike which) {
  std::vector<uint64_t> out(room.can.size(), 0);
  const size_t first = which == Alike::kLinks ? 0 : which == Alike::kSends ? room.sends : room.receives;
  const size_t last = which == Alike::kLinks   ? room.sends
                      : which == Alike::kSends ? room.receives
                                               : room.can.size();
  for (size_t r = first; r < last; ++r) out[r] = room.can[r] > 0 ? 1 : 0;
  return out;
}

std::vector<uint64_t> lengths_from(const Topology& net, std::span<const uint64_t> length, NodeId from) {
  std::vector<uint64_t> out(net.num_nodes(), UINT64_MAX);
  std::priority_queue<std::pair<uint64_t, NodeId>, std::vector<std::pair<uint64_t, NodeId>>, std::greater<>>
      queue;
  out[index(from)] = 0;
  queue.emplace(0, from);
  while (!queue.empty()) {
    const auto [far, v] = queue.top();
    queue.pop();
    if (far != out[index(v)]) continue;
    for (const ArcId arc : net.arcs_from(v)) {
      const uint64_t then = far + length[index(arc)];
      if (then >= out[index(net.head(arc))]) continue;
      out[index(net.head(arc))] = then;
      queue.emplace(then, net.head(arc));
    }
  }
  return out;
}

// What all but one hear, over the shortest arc into each.
uint64_t least_heard(const Topology& net, std::span<const uint64_t> length,
                     const std::vector<char>& members) {
  std::vector<uint64_t> least(net.num_nodes(), UINT64_MAX);
  for (const ArcId arc : net.arcs())
    least[index(net.head(arc))] = std::min(least[index(net.head(arc))], length[index(arc)]);
  uint64_t sum = 0;
  uint64_t most = 0;
  for (const NodeId v : net.nodes()) {
    if (members[index(v)] == 0) continue;
    sum += least[index(v)];
    most = std::max(most, least[index(v)]);
  }
  return sum - most;
}

}  // namespace
}  // namespace joint_trees_parts

JointTrees::JointTrees(const Topology& net, std::span<const Problem> problems)
    : net_(net), problems_(problems), task_{net} {
  if (!are_planned()) return;
  task_.send = problems.front().model().send;
  task_.receive = problems.front().model().receive;
  for (uint32_t g = 0; g < problems.size(); ++g) add_group(g);
  if (work() <= joint_trees_parts::kMostWork) return;
  blocks_.clear();
  task_.trees.clear();
}

bool JointTrees::are_planned() const {
  return std::ranges::all_of(problems_, [](const Problem& problem) {
    const Model& model = problem.model();
    return sends_single_packets(model) && model.duplex == Duplex::kFull &&
           model.combining != Operator::kOrdered && model.chunks == Chunks::kAnyOrder;
  });
}

void JointTrees::add_group(uint32_t g) {
  const Problem& problem = problems_[g];
  const CollectiveKind kind = problem.collective().kind();
  std::vector<char>& members = masks_[{g, kNoNode}];
  members.assign(net_.num_nodes(), 0);
  for (const NodeId v : problem.topology().endpoints()) members[index(v)] = 1;
  const std::vector<NodeId> middle =
      kind == CollectiveKind::kAllreduce ? joint_trees_parts::middle_ranks(problem) : std::vector<NodeId>{};
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) {
    const BlockId block{b};
    if (problem.collective().flow() == Flow::kMove) {
      const NodeId to = problem.destination(block);
      std::vector<char>& only = masks_[{g, to}];
      only.resize(net_.num_nodes(), 0);
      only[index(to)] = 1;
      add({g, block}, {problem.origin(block), &only});
    } else if (kind == CollectiveKind::kAllreduce) {
      const NodeId root = middle[b % middle.size()];
      add({g, block}, {root, &members, true});
      add({g, block, true}, {root, &members});
    } else if (problem.collective().flow() == Flow::kCombine) {
      add({g, block}, {problem.destination(block), &members, true});
    } else {
      add({g, block}, {problem.origin(block), &members});
    }
  }
}

void JointTrees::add(const JointBlock& block, const WantedTree& tree) {
  blocks_.push_back(block);
  task_.trees.push_back(tree);
}

const BlockForest& JointTrees::forest() {
  if (!forest_) forest_ = grow_block_forest(task_, 0);
  return *forest_;
}

GroupBound JointTrees::bound() {
  namespace parts = joint_trees_parts;
  GroupBound best{Rational::of(0, 1), "nothing has to move"};
  if (task_.trees.empty()) return best;
  // Trees that are alike are looked at once; those of an allreduce, wherever it comes together, and all where there are many, whichever way
  // they lead: then an arc is as long as the shorter one of its link.
  using Key = std::tuple<const std::vector<char>*, NodeId, bool>;
  std::map<Key, uint64_t> rooted;
  std::map<const std::vector<char>*, uint64_t> summed;
  std::map<NodeId, std::vector<std::pair<NodeId, uint64_t>>> ways;
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const WantedTree& tree = task_.trees[i];
    const Problem& problem = problems_[blocks_[i].group];
    if (problem.collective().flow() == Flow::kMove) {
      ways[tree.root].emplace_back(problem.destination(blocks_[i].block), 1);
    } else if (problem.collective().kind() == CollectiveKind::kAllreduce) {
      summed[tree.wants] += blocks_[i].comes_down ? 0 : 1;
    } else {
      ++rooted[{tree.wants, tree.root, tree.backwards}];
    }
  }
  const bool two_way = !net_.is_directed();
  const bool either_way = two_way && rooted.size() * net_.num_arcs() > parts::kMostRooted;
  std::map<const std::vector<char>*, uint64_t> unrooted;
  if (either_way) {
    for (const auto& [key, number] : rooted) unrooted[std::get<0>(key)] += number;
    rooted.clear();
  }
  const bool has_prices = work() <= parts::kMostPriced;
  parts::Room room = parts::room_of(task_, has_prices ? forest() : BlockForest{});
  if (either_way) parts::even_out(net_, room);

  const auto look_at = [&](const std::vector<uint64_t>& price, std::string_view what) {
    uint64_t earned = 0;
    for (size_t r = 0; r < price.size(); ++r) earned += price[r] * room.can[r];
    if (earned == 0) return;
    std::vector<uint64_t> length(net_.num_arcs(), 0);
    for (const ArcId arc : net_.arcs())
      for (const size_t r : room.of(net_, arc)) length[index(arc)] += price[r];
    std::vector<uint64_t> shorter = length;
    for (const ArcId arc : net_.arcs())
      if (const ArcId back = net_.reverse(arc); back != kNoArc)
        shorter[index(arc)] = std::min(length[index(arc)], length[index(back)]);
    // Of trees that may lead either way, from the root for which most is known.
    std::map<const std::vector<char>*, uint64_t> either;
    const auto least_either_way = [&](const std::vector<char>& members) {
      const auto [at, is_new] = either.try_emplace(&members, 0);
      if (!is_new || !two_way) return at->second;
      uint32_t left = parts::kMostRoots;
      for (const NodeId v : net_.nodes()) {
        if (members[index(v)] == 0 || left == 0) continue;
        --left;
        at->second = std::max(at->second, least_tree_length(net_, shorter, v, members));
      }
      return at->second;
    };
    uint64_t cost = 0;
    for (const auto& [key, number] : rooted) {
      const auto& [members, root, backwards] = key;
      cost += number * std::max(least_tree_length(net_, length, root, *members, backwards),
                                least_either_way(*members));
    }
    for (const auto& [members, number] : unrooted) cost += number * least_either_way(*members);
    for (const auto& [members, number] : summed) {
      const uint64_t heard = parts::least_heard(net_, length, *members);
      cost += number * (std::max(heard, least_either_way(*members)) + heard);
    }
    for (const auto& [from, all] : ways) {
      const std::vector<uint64_t> far = parts::lengths_from(net_, length, from);
      for (const auto& [to, number] : all) cost += number * far[index(to)];
    }
    const Rational value = Rational::of(cost, earned);
    if (best.value < value)
      best = {value, fmt::format("the trees of all blocks cost {} at least, and {} earn {} a step", cost,
                                 what, earned)};
  };
  look_at(parts::even_prices(room, parts::Alike::kLinks), "all arcs, of which each costs one,");
  look_at(parts::even_prices(room, parts::Alike::kSends), "all ports for sending, of which each costs one,");
  look_at(parts::even_prices(room, parts::Alike::kReceives),
          "all ports for receiving, of which each costs one,");
  uint64_t left = has_prices ? parts::kMostBoundWork : 0;
  const uint64_t each = (rooted.size() + parts::kMostRoots * (unrooted.size() + summed.size()) + 1) *
                        net_.num_arcs() * net_.num_arcs();
  for (const double sharpness : parts::kSharpness) {
    if (left < each || searches_are_stopped()) break;
    left -= each;
    look_at(parts::prices_of(room, sharpness), "all arcs and ports, at prices by what they have to do,");
  }
  return best;
}

std::optional<std::vector<Plan>> JointTrees::plans(size_t fewer_than, uint64_t least) {
  std::optional<std::vector<Plan>> best;
  if (task_.trees.empty()) return best;
  uint64_t left = SearchLimits::work(joint_trees_parts::kMostWork);
  for (const uint64_t haste : joint_trees_parts::kHastes) {
    if (fewer_than <= least || left < work() || (best && searches_are_stopped())) break;
    left -= work();
    task_.haste = haste;
    const BlockForest hasty = haste == 0 ? forest() : grow_block_forest(task_, least);
    if (hasty.fullest >= fewer_than) continue;
    const Sends sends = sends_along(hasty);
    const std::optional<ForestTimes> found =
        find_forest_times(net_, task_.send, task_.receive, sends.sends, fewer_than - 1, least);
    if (!found) continue;
    best = in_steps(sends, *found);
    fewer_than = found->steps;
  }
  task_.haste = 0;
  return best;
}

JointTrees::Sends JointTrees::sends_along(const BlockForest& forest) const {
  Sends out;
  std::vector<std::vector<uint32_t>> into(net_.num_nodes());  // sends of the block that come to a node
  const auto add_send = [&](uint32_t tree, ArcId arc, std::vector<uint32_t> before) {
    into[index(net_.head(arc))].push_back(static_cast<uint32_t>(out.sends.size()));
    out.tree_of.push_back(tree);
    out.sends.push_back({arc, static_cast<uint32_t>(index(blocks_[tree].block)), std::move(before)});
  };
  std::vector<uint32_t> sums;  // that make the whole of an allreduce
  for (uint32_t i = 0; i < forest.trees.size(); ++i) {
    const BlockTree& tree = forest.trees[i];
    const NodeId root = task_.trees[i].root;
    into[index(root)].clear();
    for (const ArcId arc : tree) {
      into[index(net_.tail(arc))].clear();
      into[index(net_.head(arc))].clear();
    }
    if (task_.trees[i].backwards) {
      for (size_t a = tree.size(); a-- > 0;) add_send(i, tree[a], into[index(net_.tail(tree[a]))]);
      sums = into[index(root)];
      continue;
    }
    for (const ArcId arc : tree) {
      const bool starts = net_.tail(arc) == root && blocks_[i].comes_down;
      add_send(i, arc, starts ? sums : into[index(net_.tail(arc))]);
    }
  }
  return out;
}

// Steps in which nothing of a group is sent stay, so that all count alike; behind its last transfer a plan ends.
std::vector<Plan> JointTrees::in_steps(const Sends& sends, const ForestTimes& times) const {
  std::vector<std::vector<uint32_t>> in_step(times.steps);
  for (uint32_t i = 0; i < times.step_of.size(); ++i) in_step[times.step_of[i]].push_back(i);
  std::vector<Plan> out(problems_.size());
  std::vector<StepBuilder> builder(problems_.size());
  for (size_t s = 0; s < in_step.size(); ++s) {
    for (const uint32_t i : in_step[s]) {
      const JointBlock& block = blocks_[sends.tree_of[i]];
      builder[block.group].add(sends.sends[i].arc, block.block,
                               block.comes_down ? TransferOp::kCopy : TransferOp::kDefault);
    }
    for (size_t g = 0; g < out.size(); ++g) {
      if (builder[g].empty()) continue;
      while (out[g].num_steps() < s) StepBuilder().flush(out[g]);
      builder[g].flush(out[g]);
    }
  }
  return out;
}

}  // namespace quadrille
