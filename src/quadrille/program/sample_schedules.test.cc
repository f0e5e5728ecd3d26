#include "quadrille/program/sample_schedules.test.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/verify.h"

namespace quadrille::testing {
namespace {

// One block of a rough reduction: who has which contributions, who is finished, and the tree.
struct RoughBlock {
  std::vector<std::vector<bool>> sets;  // per node
  std::vector<ArcId> up;                // per node: towards the root
  std::vector<uint32_t> children;       // per node: how many have not sent yet
  std::vector<bool> sent;
  std::vector<bool> final;
  NodeId root{0};
  bool gathered = false;
};

bool meet_in(const std::vector<bool>& a, const std::vector<bool>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] && b[i]) return true;
  }
  return false;
}

RoughBlock rough_block(const Problem& problem, BlockId block, Rng& rng) {
  const Topology& net = problem.topology();
  RoughBlock out;
  out.root = problem.collective().delivers_to_all()
                 ? net.endpoint(Rank{static_cast<uint32_t>(rng.below(net.num_endpoints()))})
                 : problem.destination(block);
  out.sets.assign(net.num_nodes(), std::vector<bool>(net.num_endpoints(), false));
  for (uint32_t r = 0; r < net.num_endpoints(); ++r) out.sets[index(net.endpoint(Rank{r}))][r] = true;
  out.up.assign(net.num_nodes(), kNoArc);
  out.children.assign(net.num_nodes(), 0);
  out.sent.assign(net.num_nodes(), false);
  out.final.assign(net.num_nodes(), false);
  std::vector<NodeId> queue{out.root};
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const ArcId arc : net.arcs_from(queue[i])) {
      const NodeId v = net.head(arc);
      if (v == out.root || out.up[index(v)] != kNoArc) continue;
      out.up[index(v)] = net.reverse(arc);
      ++out.children[index(queue[i])];
      queue.push_back(v);
    }
  }
  return out;
}

bool is_done(const Problem& problem, const RoughBlock& block) {
  if (!block.gathered || !problem.collective().delivers_to_all()) return block.gathered;
  return std::ranges::count(block.final, false) == 0;
}

// One step of a block; `used` are the arcs that the step has taken.
void rough_step(const Topology& net, BlockId id, RoughBlock& block, std::vector<bool>& used, Rng& rng,
                StepBuilder& step) {
  const RoughBlock before = block;
  std::vector<bool> copied(net.num_nodes(), false);  // nothing else may arrive there
  std::vector<bool> added(net.num_nodes(), false);
  std::vector<ArcId> order;
  for (const ArcId arc : net.arcs()) order.push_back(arc);
  rng.shuffle(order);
  for (const ArcId arc : order) {
    const size_t from = index(net.tail(arc));
    const size_t to = index(net.head(arc));
    const std::vector<bool>& set = before.sets[from];
    if (used[index(arc)] || copied[to] || std::ranges::count(set, true) == 0) continue;
    TransferOp op = TransferOp::kDefault;
    if (before.gathered) {
      if (!before.final[from] || before.final[to] || added[to]) continue;
      op = TransferOp::kCopy;
      block.final[to] = true;
    } else if (before.up[from] == arc && !before.sent[from] && before.children[from] == 0) {
      if (rng.below(3) == 0) continue;
      block.sent[from] = true;
      --block.children[to];
    } else if (before.sent[to] && rng.below(2) == 0) {
      op = rng.below(2) == 0 ? TransferOp::kCopy : TransferOp::kDefault;
      if (op == TransferOp::kDefault ? meet_in(set, block.sets[to]) : added[to]) continue;
    } else {
      continue;
    }
    used[index(arc)] = true;
    (op == TransferOp::kCopy ? copied : added)[to] = true;
    for (size_t r = 0; r < set.size(); ++r) {
      block.sets[to][r] = set[r] || (op == TransferOp::kDefault && block.sets[to][r]);
    }
    step.add(arc, id, op);
  }
  // A router that has nothing to add has nothing to send.
  for (const NodeId v : net.nodes()) {
    const size_t i = index(v);
    if (v == block.root || block.sent[i] || block.children[i] > 0) continue;
    if (std::ranges::count(block.sets[i], true) > 0) continue;
    block.sent[i] = true;
    --block.children[index(net.head(block.up[i]))];
  }
  if (block.children[index(block.root)] == 0) {
    block.gathered = true;
    block.final[index(block.root)] = true;
  }
}

}  // namespace

Schedule judged(const Problem& problem, Plan plan) {
  Verification judgement = verify(problem, std::move(plan));
  if (!judgement.schedule) {
    throw std::logic_error(problem.title() + ": " + to_text(judgement.verdict.findings.front()));
  }
  return *std::move(judgement.schedule);
}

Schedule random_schedule(const Problem& problem, uint64_t seed) {
  Rng rng(seed);
  if (problem.collective().flow() == Flow::kCombine && rng.below(2) == 0) {
    return judged(problem, rough_reduction(problem, rng));
  }
  return judged(problem, random_plan(problem, rng));
}

Plan rough_reduction(const Problem& problem, Rng& rng) {
  std::vector<RoughBlock> blocks;
  for (uint32_t b = 0; b < problem.collective().num_blocks(); ++b) {
    blocks.push_back(rough_block(problem, BlockId{b}, rng));
  }
  Plan plan;
  StepBuilder step;
  while (std::ranges::any_of(blocks, [&](const RoughBlock& block) { return !is_done(problem, block); })) {
    std::vector<bool> used(problem.topology().num_arcs(), false);
    for (uint32_t b = 0; b < blocks.size(); ++b) {
      if (!is_done(problem, blocks[b]))
        rough_step(problem.topology(), BlockId{b}, blocks[b], used, rng, step);
    }
    step.flush(plan);
  }
  return plan;
}

std::vector<Topology> small_topologies() {
  std::vector<Topology> all;
  for (const std::string_view spec : {"ring(1)", "line(2)", "ring(5)", "mesh(2,3)", "hypercube(3)",
                                      "complete(4)", "fat_tree(2^3)", "fat_tree(3,2)", "torus(3,3)"}) {
    all.push_back(parse_topology(spec));
  }
  Rng rng(7);
  for (const uint32_t nodes : {4U, 7U, 9U}) all.push_back(random_topology(rng, nodes, true));
  return all;
}

Schedule ring_reduce_scatter(uint32_t ranks, uint32_t pieces) {
  const Problem problem = standard_problem(parse_topology("ring(" + std::to_string(ranks) + ")"),
                                           CollectiveKind::kReduceScatter, {}, kNoNode, pieces);
  const Topology& net = problem.topology();
  Plan plan;
  StepBuilder step;
  for (uint32_t s = 1; s < ranks; ++s) {
    for (uint32_t p = 0; p < pieces; ++p) {
      for (uint32_t d = 0; d < ranks; ++d) {
        const NodeId from{(d + s) % ranks};
        const NodeId to{(d + s + 1) % ranks};
        step.add(*net.find_arc(from, to), problem.collective().block(Rank{d}, p));
      }
      step.flush(plan);
    }
  }
  return judged(problem, std::move(plan));
}

Schedule doubling_allreduce(uint32_t dimensions) {
  const Problem problem = standard_problem(parse_topology("hypercube(" + std::to_string(dimensions) + ")"),
                                           CollectiveKind::kAllreduce);
  Plan plan;
  StepBuilder step;
  for (uint32_t k = 0; k < dimensions; ++k) {
    for (const NodeId v : problem.topology().nodes()) {
      const NodeId w{static_cast<uint32_t>(index(v)) ^ (1U << k)};
      step.add(*problem.topology().find_arc(v, w), BlockId{0});
    }
    step.flush(plan);
  }
  return judged(problem, std::move(plan));
}

Schedule both_ways_allreduce(uint32_t ranks, uint32_t pieces) {
  const Problem problem =
      standard_problem(parse_topology("ring(" + std::to_string(ranks) + ")"), CollectiveKind::kAllreduce,
                       {.packets = Packets::kMany}, kNoNode, pieces);
  const Topology& net = problem.topology();
  std::vector<BlockId> all;
  for (uint32_t p = 0; p < pieces; ++p) all.push_back(BlockId{p});
  Plan plan;
  StepBuilder step;
  for (uint32_t s = 0; s < ranks / 2; ++s) {
    for (uint32_t v = 0; v < ranks; ++v) {
      const ArcId right = *net.find_arc(NodeId{v}, NodeId{(v + 1) % ranks});
      const ArcId left = *net.find_arc(NodeId{v}, NodeId{(v + ranks - 1) % ranks});
      step.add(std::span(&right, 1), all, TransferOp::kCopy, {.from = 0b011, .to = 1});
      if (s < (ranks - 1) / 2)
        step.add(std::span(&left, 1), all, TransferOp::kCopy, {.from = 0b101, .to = 2});
    }
    step.flush(plan);
  }
  return judged(problem, std::move(plan));
}

Schedule switch_allreduce(uint32_t ranks) {
  const Problem problem =
      standard_problem(parse_topology("fat_tree(" + std::to_string(ranks) + ")"), CollectiveKind::kAllreduce);
  const Topology& net = problem.topology();
  const NodeId router{ranks};
  Plan plan;
  StepBuilder step;
  for (const NodeId v : net.endpoints()) step.add(*net.find_arc(v, router), BlockId{0});
  step.flush(plan);
  for (const NodeId v : net.endpoints()) {
    step.add(*net.find_arc(router, v), BlockId{0}, TransferOp::kCopy);
  }
  step.flush(plan);
  return judged(problem, std::move(plan));
}

Schedule direct_alltoall(uint32_t ranks, uint32_t pieces) {
  const Problem problem =
      standard_problem(parse_topology("complete(" + std::to_string(ranks) + ")"), CollectiveKind::kAlltoall,
                       {.switching = Switching::kWormhole}, kNoNode, pieces);
  Plan plan;
  StepBuilder step;
  for (const ArcId arc : problem.topology().arcs()) {
    std::vector<BlockId> blocks;
    for (uint32_t p = 0; p < pieces; ++p) {
      blocks.push_back(
          problem.collective().block(Rank{static_cast<uint32_t>(index(problem.topology().tail(arc)))},
                                     Rank{static_cast<uint32_t>(index(problem.topology().head(arc)))}, p));
    }
    step.add(std::span(&arc, 1), blocks);
  }
  step.flush(plan);
  return judged(problem, std::move(plan));
}

}  // namespace quadrille::testing
