#include "quadrille/verify/random_plans.test.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <vector>

namespace quadrille::testing {
namespace {

std::vector<uint32_t> hops_to(const Topology& net, NodeId goal) {
  std::vector<std::vector<NodeId>> into(net.num_nodes());
  for (const ArcId arc : net.arcs()) into[index(net.head(arc))].push_back(net.tail(arc));
  std::vector<uint32_t> hops(net.num_nodes(), UINT32_MAX);
  std::vector<NodeId> queue{goal};
  hops[index(goal)] = 0;
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const NodeId v : into[index(queue[i])]) {
      if (hops[index(v)] != UINT32_MAX) continue;
      hops[index(v)] = hops[index(queue[i])] + 1;
      queue.push_back(v);
    }
  }
  return hops;
}

// What one step has used up so far.
class StepRoom {
 public:
  explicit StepRoom(const Problem& problem) : problem_(problem) {}

  bool take(std::span<const ArcId> path) {
    const Topology& net = problem_.topology();
    const NodeId from = net.tail(path.front());
    const NodeId to = net.head(path.back());
    const Model& model = problem_.model();
    const bool joins = shares_arcs(model) && paths_.contains({path.begin(), path.end()});
    if (joins) return true;  // one message more or less
    if (!model.send.unlimited() && sent_[from] >= model.send.count) return false;
    if (!model.receive.unlimited() && received_[to] >= model.receive.count) return false;
    for (const ArcId arc : path) {
      if (!shares_arcs(model) && used_[arc] >= net.capacity(arc)) return false;
      if (model.duplex == Duplex::kHalf && used_[net.reverse(arc)] > 0) return false;
    }
    for (const ArcId arc : path) ++used_[arc];
    ++sent_[from];
    ++received_[to];
    paths_.emplace(path.begin(), path.end());
    return true;
  }

 private:
  const Problem& problem_;
  std::map<NodeId, uint32_t> sent_;
  std::map<NodeId, uint32_t> received_;
  std::map<ArcId, uint32_t> used_;
  std::set<std::vector<ArcId>> paths_;
};

// Appends a random shortest path.
void go_on_to(const Topology& net, NodeId from, NodeId to, Rng& rng, std::vector<ArcId>& path) {
  const std::vector<uint32_t> hops = hops_to(net, to);
  while (from != to) {
    std::vector<ArcId> nearer;
    for (const ArcId arc : net.arcs_from(from)) {
      if (hops[index(net.head(arc))] < hops[index(from)]) nearer.push_back(arc);
    }
    path.push_back(nearer[rng.below(nearer.size())]);
    from = net.head(path.back());
  }
}

// A random shortest path, or in packet switching its first hop; in dimension order one coordinate after
// another.
std::vector<ArcId> random_path(const Problem& problem, NodeId from, NodeId to, Rng& rng) {
  const Topology& net = problem.topology();
  std::vector<ArcId> path;
  if (problem.model().routing == Routing::kDimensionOrder) {
    const ProductStructure& product = *net.product();
    for (size_t d = 0; d < product.factors.size(); ++d) {
      const NodeId corner = product.with_coordinate(from, d, product.coordinate(to, d));
      go_on_to(net, from, corner, rng, path);
      from = corner;
    }
  } else {
    go_on_to(net, from, to, rng, path);
  }
  if (problem.model().switching == Switching::kPacket && !path.empty()) path.resize(1);
  return path;
}

void plan_moves(const Problem& problem, Rng& rng, Plan& plan) {
  std::map<BlockId, NodeId> away;
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) {
    if (problem.origin(BlockId{b}) != problem.destination(BlockId{b}))
      away[BlockId{b}] = problem.origin(BlockId{b});
  }
  StepBuilder step;
  while (!away.empty()) {
    std::vector<BlockId> order;
    for (const auto& [block, at] : away) order.push_back(block);
    rng.shuffle(order);
    StepRoom room(problem);
    for (const BlockId block : order) {
      const NodeId from = away[block];
      const NodeId to = problem.destination(block);
      const std::vector<ArcId> path = random_path(problem, from, to, rng);
      if (!room.take(path)) continue;
      const NodeId next = problem.topology().head(path.back());
      std::vector<BlockId> load{block};
      // A worm may take a companion that starts at the same node and has the same destination.
      if (takes_paths(problem.model())) {
        for (const auto& [other, at] : away) {
          if (other != block && at == from && problem.destination(other) == to) load.push_back(other);
        }
      }
      step.add(path, load);
      for (const BlockId moved : load) {
        away[moved] = next;
        if (next == problem.destination(moved)) away.erase(moved);
      }
      if (load.size() > 1) break;  // companions that were also in the order must not move twice
    }
    step.flush(plan);
  }
}

void plan_copies(const Problem& problem, Rng& rng, Plan& plan) {
  const Topology& net = problem.topology();
  const uint32_t blocks = problem.collective().num_blocks();
  std::map<BlockId, std::set<NodeId>> has;
  for (uint32_t b = 0; b < blocks; ++b) has[BlockId{b}] = {problem.origin(BlockId{b})};
  const auto done = [&] {
    return std::all_of(has.begin(), has.end(),
                       [&](const auto& h) { return h.second.size() == net.num_nodes(); });
  };
  StepBuilder step;
  while (!done()) {
    const auto before = has;
    StepRoom room(problem);
    std::vector<std::pair<ArcId, BlockId>> order;
    for (const ArcId arc : net.arcs()) {
      for (uint32_t b = 0; b < blocks; ++b) order.emplace_back(arc, BlockId{b});
    }
    rng.shuffle(order);
    for (const auto& [arc, block] : order) {
      if (!before.at(block).contains(net.tail(arc)) || has[block].contains(net.head(arc))) continue;
      if (!room.take(std::span(&arc, 1))) continue;
      has[block].insert(net.head(arc));
      step.add(arc, block);
    }
    step.flush(plan);
  }
}

// From the root to one node after another, whoever has it first: the way back in a graph without ways back.
void copy_to_all(const Topology& net, NodeId root, BlockId block, StepBuilder& step, Plan& plan) {
  std::set<NodeId> has{root};
  while (has.size() < net.num_nodes()) {
    for (const ArcId arc : net.arcs()) {
      if (!has.contains(net.tail(arc)) || !has.insert(net.head(arc)).second) continue;
      step.add(arc, block, TransferOp::kCopy);
      step.flush(plan);
    }
  }
}

// Whatever slot a sum goes into, all of them are sent on. Most say nothing of slots.
SumSlots any_slots(Rng& rng) {
  SumSlots out;
  if (rng.below(3) != 0) return out;
  out.to = static_cast<uint32_t>(rng.below(4));
  if (rng.below(2) == 0) out.from = 0xF;
  return out;
}

// Up a random breadth-first tree to one node a block, then, for an allreduce, down again as copies. One
// transfer a step: dull, but it obeys every port limit.
void plan_reductions(const Problem& problem, Rng& rng, Plan& plan) {
  const Topology& net = problem.topology();
  const bool to_all = problem.collective().delivers_to_all();
  StepBuilder step;
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) {
    const BlockId block{b};
    const NodeId root = to_all ? net.endpoint(Rank{static_cast<uint32_t>(rng.below(net.num_endpoints()))})
                               : problem.destination(BlockId{b});
    const std::vector<uint32_t> hops = hops_to(net, root);
    std::vector<NodeId> order;
    for (const NodeId v : net.nodes()) order.push_back(v);
    std::stable_sort(order.begin(), order.end(),
                     [&](NodeId v, NodeId w) { return hops[index(v)] > hops[index(w)]; });
    std::vector<ArcId> up;
    std::vector<bool> full(net.num_nodes(), false);
    for (const NodeId v : order) full[index(v)] = net.rank(v).has_value();
    for (const NodeId v : order) {
      if (v == root || !full[index(v)]) continue;
      std::vector<ArcId> nearer;
      for (const ArcId arc : net.arcs_from(v)) {
        if (hops[index(net.head(arc))] < hops[index(v)]) nearer.push_back(arc);
      }
      up.push_back(nearer[rng.below(nearer.size())]);
      full[index(net.head(up.back()))] = true;
      step.add(std::span(&up.back(), 1), std::span(&block, 1), TransferOp::kDefault, any_slots(rng));
      step.flush(plan);
    }
    if (!to_all) continue;
    if (net.is_directed()) {
      copy_to_all(net, root, BlockId{b}, step, plan);
      continue;
    }
    for (size_t i = up.size(); i-- > 0;) {
      step.add(net.reverse(up[i]), BlockId{b}, TransferOp::kCopy);
      step.flush(plan);
    }
  }
}

// Every third node or so.
void make_routers(TopologyBuilder& builder, uint32_t nodes, Rng& rng) {
  if (nodes <= 2) return;
  std::vector<NodeId> endpoints;
  for (uint32_t v = 0; v < nodes; ++v) {
    if (rng.below(3) != 0) endpoints.push_back(NodeId{v});
  }
  if (!endpoints.empty()) builder.endpoints(endpoints);
}

}  // namespace

Topology random_topology(Rng& rng, uint32_t nodes, bool routers) {
  TopologyBuilder builder("random", nodes);
  for (uint32_t v = 1; v < nodes; ++v) {
    // One draw a statement: compilers differ in the order in which they evaluate arguments.
    const auto earlier = static_cast<uint32_t>(rng.below(v));
    const uint32_t capacity = rng.below(4) == 0 ? 2 : 1;
    builder.link(NodeId{v}, NodeId{earlier}, capacity);
  }
  for (uint32_t extra = 0; extra < nodes && nodes > 2; ++extra) {
    const auto a = static_cast<uint32_t>(rng.below(nodes));
    const auto b = static_cast<uint32_t>(rng.below(nodes));
    if (a != b) builder.link(NodeId{a}, NodeId{b});
  }
  if (routers) make_routers(builder, nodes, rng);
  return builder.build();
}

Topology random_directed_topology(Rng& rng, uint32_t nodes, bool routers) {
  TopologyBuilder builder("directed", nodes);
  std::vector<uint32_t> circle(nodes);
  std::iota(circle.begin(), circle.end(), 0U);
  rng.shuffle(circle);
  for (uint32_t i = 0; i < nodes && nodes > 1; ++i) {
    const uint32_t capacity = rng.below(4) == 0 ? 2 : 1;
    builder.arc(NodeId{circle[i]}, NodeId{circle[(i + 1) % nodes]}, capacity);
  }
  for (uint32_t extra = 0; extra < nodes; ++extra) {
    const auto a = static_cast<uint32_t>(rng.below(nodes));
    const auto b = static_cast<uint32_t>(rng.below(nodes));
    if (a != b) builder.arc(NodeId{a}, NodeId{b});
  }
  if (routers) make_routers(builder, nodes, rng);
  return builder.build();
}

Plan random_plan(const Problem& problem, Rng& rng) {
  Plan plan;
  switch (problem.collective().flow()) {
    case Flow::kMove:
      plan_moves(problem, rng, plan);
      break;
    case Flow::kCopy:
      plan_copies(problem, rng, plan);
      break;
    case Flow::kCombine:
      plan_reductions(problem, rng, plan);
      break;
  }
  return plan;
}

}  // namespace quadrille::testing
