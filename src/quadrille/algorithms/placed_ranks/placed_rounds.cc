#include "quadrille/algorithms/placed_ranks/placed_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "quadrille/algorithms/graphs/graph_shapes.h"
#include "quadrille/algorithms/graphs/ring_order.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/packing/link_use.h"
#include "quadrille/algorithms/packing/worm_packing.h"
#include "quadrille/algorithms/packing/worm_rounds.h"
#include "quadrille/transforms/compact_steps.h"

namespace quadrille {
namespace {

// Work of packing a round, twice, after which it is good enough.
constexpr uint64_t kRoundBudget = uint64_t{1} << 14U;
// Up to so many ranks every placement is tried, and steps are compacted.
constexpr uint32_t kMostTried = 128;
constexpr uint64_t kMostCompacted = uint64_t{1} << 20U;  // blocks in all messages

// Who is rank i.
using Placement = std::vector<Rank>;

Placement identity(uint32_t ranks) {
  Placement out(ranks);
  for (uint32_t i = 0; i < ranks; ++i) out[i] = Rank{i};
  return out;
}

// The same order with the root in front: where all nodes look alike, seen from there; else turned round.
void put_first(Placement& order, Rank root, const Topology& topology) {
  if (order.front() == root) return;
  if (const CayleyStructure* cayley = topology.cayley(); cayley != nullptr && !topology.has_routers()) {
    const Group& group = *cayley->group;
    const uint32_t shift = group.multiply(static_cast<uint32_t>(index(root)),
                                          group.inverse(static_cast<uint32_t>(index(order.front()))));
    for (Rank& rank : order) rank = Rank{group.multiply(shift, static_cast<uint32_t>(index(rank)))};
    return;
  }
  std::rotate(order.begin(), std::find(order.begin(), order.end(), root), order.end());
}

std::vector<Placement> placements(const Problem& problem) {
  const Topology& topology = problem.topology();
  const uint32_t ranks = problem.collective().num_ranks();
  std::vector<Placement> out{identity(ranks)};
  if (!topology.has_routers() && ranks <= kMostTried) {
    std::optional<std::vector<NodeId>> walk = ring_order(topology);
    if (!walk) walk = path_order(topology);
    if (walk) {
      Placement& snake = out.emplace_back();
      for (const NodeId v : *walk) snake.push_back(*topology.rank(v));
    }
  }
  if (const std::optional<Rank> root = problem.collective().root())
    for (Placement& order : out) put_first(order, *root, topology);
  if (out.size() == 2 && out[0] == out[1]) out.pop_back();
  return out;
}

// Rounds among ranks that are somewhere.
class PlacedRounds {
 public:
  PlacedRounds(const Problem& problem, const RankRounds& rounds, const Placement& placement)
      : problem_(problem),
        rounds_(rounds),
        placement_(placement),
        names_ranks_(problem.collective().num_blocks() != problem.collective().pieces()) {}

  [[nodiscard]] NodeId node(uint32_t rank) const { return problem_.topology().endpoint(placement_[rank]); }
  [[nodiscard]] Rank rank(uint32_t rank) const { return placement_[rank]; }

  // As the collective numbers them. Valid until the next call.
  [[nodiscard]] std::span<const BlockId> blocks(const RankRounds::Message& message) {
    if (!names_ranks_) return rounds_.blocks(message);
    const uint32_t pieces = problem_.collective().pieces();
    blocks_.clear();
    for (const BlockId block : rounds_.blocks(message)) {
      const auto number = static_cast<uint32_t>(index(block));
      blocks_.push_back(problem_.collective().block(placement_[number / pieces], number % pieces));
    }
    return blocks_;
  }

  // Whether every message goes to a neighbour, and those of a round are in nobody's way.
  [[nodiscard]] bool are_free() const {
    const Topology& topology = problem_.topology();
    LinkUse use(problem_);
    for (size_t r = 0; r < rounds_.size(); ++r) {
      for (const RankRounds::Message& message : rounds_.round(r)) {
        const std::optional<ArcId> arc = topology.find_arc(node(message.from), node(message.to));
        if (!arc || !use.take(*arc)) return false;
      }
      use.next_step();
    }
    return true;
  }

  // A round is a step.
  void push_free(StepSink& sink) {
    StepBuilder step;
    for (size_t r = 0; r < rounds_.size(); ++r) {
      for (const RankRounds::Message& message : rounds_.round(r)) {
        const ArcId arc = *problem_.topology().find_arc(node(message.from), node(message.to));
        step.add({&arc, 1}, blocks(message), message.op);
      }
      step.flush(sink);
    }
  }

  void push_packed(WormPacking& packing, StepSink& sink) {
    StepBuilder step;
    for (size_t r = 0; r < rounds_.size(); ++r) {
      const std::span<const RankRounds::Message> round = rounds_.round(r);
      std::vector<WormPacking::Worm> worms;
      for (const RankRounds::Message& message : round)
        worms.push_back({placement_[message.from], placement_[message.to]});
      packing.pack(std::move(worms), kRoundBudget);
      const std::vector<size_t> step_of = steps_of(packing, round.size());
      const std::vector<bool> second = come_second(round, step_of);
      for (size_t s = 0; s < packing.num_steps(); ++s) {
        for (const uint32_t m : packing.step(s))
          step.add(packing.path(m), blocks(round[m]), second[m] ? TransferOp::kCopy : round[m].op);
        step.flush(sink);
      }
    }
  }

 private:
  static std::vector<size_t> steps_of(const WormPacking& packing, size_t messages) {
    std::vector<size_t> out(messages);
    for (size_t s = 0; s < packing.num_steps(); ++s)
      for (const uint32_t m : packing.step(s)) out[m] = s;
    return out;
  }

  // Messages that bring back in a later step what was added in an earlier one.
  [[nodiscard]] std::vector<bool> come_second(std::span<const RankRounds::Message> round,
                                              std::span<const size_t> step_of) const {
    std::vector<bool> out(round.size(), false);
    if (problem_.collective().flow() != Flow::kCombine) return out;
    std::map<std::pair<uint32_t, uint32_t>, size_t> by_ends;
    for (size_t m = 0; m < round.size(); ++m) by_ends.emplace(std::pair(round[m].from, round[m].to), m);
    for (size_t m = 0; m < round.size(); ++m) {
      const auto back = by_ends.find({round[m].to, round[m].from});
      if (back == by_ends.end() || step_of[m] <= step_of[back->second]) continue;
      const auto mine = rounds_.blocks(round[m]);
      const auto theirs = rounds_.blocks(round[back->second]);
      out[m] = std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end());
    }
    return out;
  }

  const Problem& problem_;
  const RankRounds& rounds_;
  const Placement& placement_;
  bool names_ranks_;
  std::vector<BlockId> blocks_;
};

// A plan: rounds that are steps as they are, or steps that were packed.
struct Placed {
  RankRounds rounds;
  Placement placement;
  bool is_free = false;
  MeasuredPlan packed{};
};

uint64_t blocks_of(const RankRounds& rounds) {
  uint64_t blocks = 0;
  for (size_t r = 0; r < rounds.size(); ++r)
    for (const RankRounds::Message& message : rounds.round(r)) blocks += rounds.blocks(message).size();
  return blocks;
}

MeasuredPlan pack(const Problem& problem, WormPacking& packing, const RankRounds& rounds,
                  const Placement& placement) {
  MeasuredPlan out;
  PlacedRounds placed(problem, rounds, placement);
  if (problem.collective().num_ranks() > kMostTried || blocks_of(rounds) > kMostCompacted) {
    placed.push_packed(packing, out);
    return out;
  }
  Plan plan;
  placed.push_packed(packing, plan);
  compact_steps(problem, plan).replay(out);
  return out;
}

bool is_better(const Prediction& a, const Prediction& b) {
  return std::pair(*a.steps, *a.critical_blocks) < std::pair(*b.steps, *b.critical_blocks);
}

Placed place(const Problem& problem, RankRounds rounds) {
  Placed out{.rounds = std::move(rounds), .placement = {}};
  const std::vector<Placement> all = placements(problem);
  for (const Placement& placement : all) {
    if (!PlacedRounds(problem, out.rounds, placement).are_free()) continue;
    out.placement = placement;
    out.is_free = true;
    return out;
  }
  WormPacking packing(problem);
  for (const Placement& placement : all) {
    MeasuredPlan plan = pack(problem, packing, out.rounds, placement);
    if (!out.placement.empty() && !is_better(plan.prediction(), out.packed.prediction())) continue;
    out.placement = placement;
    out.packed = std::move(plan);
  }
  return out;
}

Prediction predicted(const Problem&, const Placed& placed) {
  if (!placed.is_free) return placed.packed.prediction();
  Prediction out{.steps = placed.rounds.size(),
                 .start_ups = placed.rounds.size(),
                 .critical_blocks = 0,
                 .critical_hops = placed.rounds.size()};
  for (size_t r = 0; r < placed.rounds.size(); ++r) {
    size_t most = 0;
    for (const RankRounds::Message& message : placed.rounds.round(r))
      most = std::max(most, placed.rounds.blocks(message).size());
    *out.critical_blocks += most;
  }
  return out;
}

void generate(const Problem& problem, const Placed& placed, StepSink& sink) {
  PlacedRounds rounds(problem, placed.rounds, placed.placement);
  if (placed.is_free) return rounds.push_free(sink);
  if (placed.packed.is_kept()) return placed.packed.replay(sink);
  WormPacking packing(problem);
  rounds.push_packed(packing, sink);
}

Effort effort_of(const Problem& problem) {
  return is_complete(problem.topology()) ? Effort::kLittle : Effort::kMuch;
}

}  // namespace

Applicability rounds_apply(const Problem& problem) { return rounds_of_worms(problem); }

PreparedPlan prepare_placed(const Problem& problem, MakeRounds rounds, std::string member) {
  return sharing(
      problem, [rounds](const Problem& p) { return place(p, rounds(p)); }, predicted, generate,
      effort_of(problem), std::move(member));
}

PreparedPlan prepare_placed(const Problem& problem, RankRounds rounds, std::string member) {
  return sharing(
      problem, [rounds = std::move(rounds)](const Problem& p) { return place(p, rounds); }, predicted,
      generate, effort_of(problem), std::move(member));
}

}  // namespace quadrille
