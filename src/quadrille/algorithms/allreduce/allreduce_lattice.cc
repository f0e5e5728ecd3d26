// Allreduce by tiles and an exchange, on tori where paths may share links.
//
// H is a subgroup of the torus (a lattice), and a tile has one node of every coset of H. A chunk belongs to one coset:
// its owners are the nodes of that coset, and the tiles around them cover the torus. First every owner collects its tile's
// sum of the chunk, down a level tree of the tile; then the owners exchange these sums, in one step or through
// lattices one in another; then the results go out over the tiles (torus_classes/lattice_designs.h). One class of the
// chunks for each turn of the torus makes all links carry the same if all sides are equal, and else all of those in
// dimensions of one length. A lattice of two nodes as far apart as can be costs
// hardly more blocks than halving the vector to the end, and saves the steps for the far half.
//
// Members are designs by their steps: "steps-9". Those in which no node sends more messages than it has links, which serve
// as many ports, end in "-near".
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/torus_classes/lattice_designs.h"
#include "quadrille/algorithms/torus_classes/turned_messages.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_lattice;

namespace allreduce_lattice_parts {
namespace {

constexpr uint32_t kMostNodes = 256;

struct Member {
  TorusClasses torus;
  LatticeDesign design;

  // (Coset, class) of which there are chunks.
  [[nodiscard]] uint32_t shares() const { return design.lattice.num_cosets() * torus.classes(); }
};

// Steps with the owners' pieces of a chunk.
class Lattice {
 public:
  Lattice(const Problem& problem, const Member& member, StepSink& sink)
      : problem_(problem), member_(member), sink_(sink), owned_(member.torus.classes()) {
    const TorusClasses& torus = member.torus;
    for (uint32_t klass = 0; klass < torus.classes(); ++klass) {
      // Node v owns for this class what the node that is turned into it owns for the first one.
      owned_[klass].resize(torus.num_nodes());
      for (uint32_t v = 0; v < torus.num_nodes(); ++v)
        owned_[klass][torus.turned(v, klass)] = member.design.lattice.coset(v) * torus.classes() + klass;
    }
  }

  void collect(uint32_t level) {
    tile(level, true);
    step_.flush(sink_);
  }
  void spread(uint32_t level) {
    tile(level, false);
    step_.flush(sink_);
  }
  // What takes one way to one node is one message, whatever its class.
  void exchange(const std::vector<uint32_t>& displacements) {
    const TorusClasses& torus = member_.torus;
    std::map<std::vector<ArcId>, TurnedMessage> by_way;
    for (const uint32_t h : displacements) {
      const auto& [displacement, turns] = torus.way(h);
      for (uint32_t klass = 0; klass < torus.classes(); ++klass) {
        torus.path(0, displacement, turns + klass, path_);
        TurnedMessage& message =
            by_way.try_emplace(path_, TurnedMessage{displacement, turns + klass, {}}).first->second;
        message.behind.emplace_back(0, klass);
      }
    }
    for (const auto& [way, message] : by_way) {
      for (uint32_t v = 0; v < torus.num_nodes(); ++v) {
        torus.path(v, message.displacement, message.turns, path_);
        blocks_.clear();
        for (const auto& entry : message.behind) add_pieces(v, entry.second);
        if (!blocks_.empty()) step_.add(path_, blocks_);
      }
    }
    step_.flush(sink_);
  }

 private:
  void add_pieces(uint32_t owner, uint32_t klass) {
    const uint32_t pieces = problem_.collective().pieces();
    for (uint32_t piece = owned_[klass][owner]; piece < pieces; piece += member_.shares())
      blocks_.push_back(BlockId{piece});
  }

  void tile(uint32_t level, bool collects) {
    const TorusClasses& torus = member_.torus;
    for (const TurnedMessage& message : turned_messages(torus, member_.design.tile, level, torus.classes())) {
      for (uint32_t v = 0; v < torus.num_nodes(); ++v) {
        torus.path(v, message.displacement, message.turns, path_);
        blocks_.clear();
        for (const auto& [behind, klass] : message.behind)
          add_pieces(torus.moved(v, torus.back(behind)), klass);
        if (blocks_.empty()) continue;
        if (collects) turn_round();
        step_.add(path_, blocks_, collects ? TransferOp::kDefault : TransferOp::kCopy);
      }
    }
  }

  void turn_round() {
    for (ArcId& arc : path_) arc = problem_.topology().reverse(arc);
    std::reverse(path_.begin(), path_.end());
  }

  const Problem& problem_;
  const Member& member_;
  StepSink& sink_;
  std::vector<std::vector<uint32_t>> owned_;  // per class and node: its share
  StepBuilder step_;
  std::vector<ArcId> path_;
  std::vector<BlockId> blocks_;
};

// Where every share has as many pieces every link carries as much; of other numbers only steps and hops are predicted.
Prediction predicted(const Problem& problem, const Member& member) {
  const auto& [torus, design] = member;
  Prediction out{.steps = design.steps(), .start_ups = design.steps(), .critical_hops = 0};
  for (uint32_t level = 1; level <= design.tile.levels; ++level)
    *out.critical_hops += 2 * uint64_t{longest_edge(torus, design.tile, level)};
  for (const std::vector<uint32_t>& step : design.exchanges) {
    uint64_t farthest = 0;
    for (const uint32_t h : step) farthest = std::max<uint64_t>(farthest, torus.length(h));
    *out.critical_hops += farthest;
  }
  const uint32_t pieces = problem.collective().pieces();
  if (pieces % member.shares() == 0)
    out.critical_blocks = out.busiest_link = design.load(torus) * (pieces / member.shares());
  return out;
}

void generate(const Problem& problem, const Member& member, StepSink& sink) {
  Lattice lattice(problem, member, sink);
  const uint32_t levels = member.design.tile.levels;
  for (uint32_t level = levels; level > 0; --level) lattice.collect(level);
  for (const std::vector<uint32_t>& step : member.design.exchanges) lattice.exchange(step);
  for (uint32_t level = 1; level <= levels; ++level) lattice.spread(level);
}

Applicability applies(const Problem& problem) { return turned_messages_apply(problem, kMostNodes); }

Preparation prepare(const Problem& problem) {
  const TorusClasses torus = *TorusClasses::of(problem.topology());
  const bool limited = !problem.model().send.unlimited() || !problem.model().receive.unlimited();
  Preparation out;
  for (const bool near : {false, true}) {
    if (limited && !near) continue;
    for (const LatticeDesign& design : lattice_designs(torus, near)) {
      out.plans.push_back(kept(problem, Member{torus, design}, predicted, generate,
                               fmt::format("steps-{}{}", design.steps(), near ? "-near" : "")));
    }
  }
  if (out.plans.empty()) return Preparation::no("no plan of so few messages was found");
  return out;
}

// Whatever the lattice, its shares divide that.
Chunking chunks(const Problem& problem) {
  const std::optional<TorusClasses> torus = TorusClasses::of(problem.topology());
  if (!torus) return {};
  return {.unit = torus->num_nodes() * torus->classes()};
}

}  // namespace
}  // namespace allreduce_lattice_parts

constinit const Algorithm allreduce_lattice = {
    .name = "allreduce_lattice",
    .collective = CollectiveKind::kAllreduce,
    .summary = "sums of tiles come together, the owners of a chunk exchange them, and the results go out",
    .source = "ours",
    .remarks =
        "tori, shared links, all ports; 9 steps and 0.547 of the vector over each link on 8 x 8, where "
        "halving takes 12 and 0.539",
    .applies = allreduce_lattice_parts::applies,
    .chunks = allreduce_lattice_parts::chunks,
    .prepare = allreduce_lattice_parts::prepare,
};

}  // namespace quadrille::algorithms
