// Allreduce by tiles and an exchange, on tori with equal sides where paths may share links.
//
// H is a subgroup of the torus (a lattice), and a tile has one node of every coset of H. A chunk belongs to one coset:
// its owners are the nodes of that coset, and the tiles around them cover the torus. First every owner collects its tile's
// sum of the chunk, hop by hop down a tree of the tile; then the owners exchange these sums, each with all the others of
// its coset, in one step; then the results go out over the tiles. One class of the chunks for each turn of the torus makes
// all links carry the same: with m nodes to a tile, (2 (m-1) + the lengths of H) / (2d m) of the vector, in
// 2 radius + 1 steps. A lattice of two nodes as far apart as can be costs hardly more blocks than halving the vector to
// the end, and saves the steps for the far half.
//
// Members are the subgroups worth having, whose tiles are collected hop by hop or all at once: "steps-9". Where
// one is worth having because no node sends more messages than it has links, its name ends in "-near".
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/measured_plan.h"
#include "quadrille/algorithms/torus_classes/turned_messages.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_lattice;

namespace allreduce_lattice_parts {
namespace {

constexpr uint32_t kMostNodes = 256;

using Nodes = std::vector<uint32_t>;  // ascending; 0 is one of them

Nodes generated_by(const TorusClasses& torus, const Nodes& generators) {
  std::vector<bool> in(torus.num_nodes(), false);
  Nodes out{0};
  in[0] = true;
  for (size_t i = 0; i < out.size(); ++i) {
    for (const uint32_t g : generators) {
      const uint32_t next = torus.moved(out[i], g);
      if (!in[next]) out.push_back(next);
      in[next] = true;
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Of one and of two generators.
std::set<Nodes> subgroups(const TorusClasses& torus) {
  std::set<Nodes> cyclic;
  std::vector<Nodes> generators;
  for (uint32_t a = 0; a < torus.num_nodes(); ++a)
    if (cyclic.insert(generated_by(torus, {a})).second) generators.push_back({a});
  std::set<Nodes> out = cyclic;
  for (size_t i = 0; i < generators.size(); ++i)
    for (size_t j = 0; j < i; ++j) out.insert(generated_by(torus, {generators[i][0], generators[j][0]}));
  return out;
}

struct Member {
  TorusClasses torus;
  Nodes lattice;
  LevelTree tile;                // from the owner to the others of its tile
  std::vector<uint32_t> cosets;  // per node: the number of its coset
  uint32_t num_cosets = 0;

  [[nodiscard]] uint32_t owners() const { return static_cast<uint32_t>(lattice.size()); }
  // (Coset, class) of which there are chunks.
  [[nodiscard]] uint32_t shares() const { return num_cosets * torus.classes(); }
  [[nodiscard]] uint64_t steps() const { return 2 * uint64_t{tile.levels} + (owners() > 1 ? 1 : 0); }
  // Hops of one chunk of every class, which is what a link carries of one chunk of every share.
  [[nodiscard]] uint64_t hops() const {
    uint64_t sum = 0;
    for (uint32_t level = 1; level <= tile.levels; ++level) sum += 2 * level_hops(torus, tile, level).all;
    for (const uint32_t h : lattice) sum += torus.length(h);
    return sum;
  }
  // Only to neighbours, and in the exchange on no more ways than there are links.
  [[nodiscard]] bool is_near() const {
    const auto one_hop = [this](const LevelTree::Edge& edge) {
      return torus.length(torus.moved(edge.to, torus.back(edge.from))) == 1;
    };
    if (!std::all_of(tile.edges.begin(), tile.edges.end(), one_hop)) return false;
    std::set<std::vector<ArcId>> ways;
    std::vector<ArcId> way;
    for (const uint32_t h : lattice) {
      for (uint32_t klass = 0; klass < torus.classes() && h != 0; ++klass) {
        torus.path(0, h, klass, way);
        ways.insert(way);
      }
    }
    return ways.size() <= torus.directions().size();
  }
};

void number_cosets(Member& member) {
  const uint32_t nodes = member.torus.num_nodes();
  member.cosets.assign(nodes, UINT32_MAX);
  for (uint32_t v = 0; v < nodes; ++v) {
    if (member.cosets[v] != UINT32_MAX) continue;
    for (const uint32_t h : member.lattice) member.cosets[member.torus.moved(v, h)] = member.num_cosets;
    ++member.num_cosets;
  }
}

// The nearest node of every coset, by breadth first; by itself, or hop by hop.
LevelTree tile_of(const Member& member, bool at_once) {
  LevelTree out;
  std::vector<bool> reached(member.num_cosets, false);
  struct Place {
    uint32_t node;
    uint32_t depth;
  };
  std::vector<Place> places{{0, 0}};
  reached[member.cosets[0]] = true;
  for (size_t i = 0; i < places.size(); ++i) {
    for (const uint32_t direction : member.torus.directions()) {
      const uint32_t next = member.torus.moved(places[i].node, direction);
      if (reached[member.cosets[next]]) continue;
      reached[member.cosets[next]] = true;
      const uint32_t depth = places[i].depth + 1;
      places.push_back({next, depth});
      out.levels = at_once ? 1 : depth;
      out.edges.push_back({at_once ? 1 : depth, at_once ? 0 : places[i].node, next});
    }
  }
  return out;
}

Member member_of(const TorusClasses& torus, const Nodes& lattice, bool at_once) {
  Member out{.torus = torus, .lattice = lattice, .tile = {}, .cosets = {}};
  number_cosets(out);
  out.tile = tile_of(out, at_once);
  return out;
}

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
        owned_[klass][torus.turned(v, klass)] = member.cosets[v] * torus.classes() + klass;
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
  void exchange() {
    const TorusClasses& torus = member_.torus;
    for (const uint32_t h : member_.lattice) {
      for (uint32_t klass = 0; klass < torus.classes() && h != 0; ++klass) {
        for (uint32_t v = 0; v < torus.num_nodes(); ++v) {
          torus.path(v, h, klass, path_);
          blocks_.clear();
          add_pieces(v, klass);
          if (!blocks_.empty()) step_.add(path_, blocks_);
        }
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
    for (const TurnedMessage& message : turned_messages(torus, member_.tile, level, torus.classes())) {
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
  Prediction out{.steps = member.steps(), .start_ups = member.steps(), .critical_hops = 0};
  for (uint32_t level = 1; level <= member.tile.levels; ++level)
    *out.critical_hops += 2 * level_hops(member.torus, member.tile, level).longest;
  uint64_t farthest = 0;
  for (const uint32_t h : member.lattice) farthest = std::max<uint64_t>(farthest, member.torus.length(h));
  *out.critical_hops += farthest;
  const uint32_t pieces = problem.collective().pieces();
  if (pieces % member.shares() == 0)
    out.critical_blocks = out.busiest_link = member.hops() * (pieces / member.shares());
  return out;
}

void generate(const Problem& problem, const Member& member, StepSink& sink) {
  Lattice lattice(problem, member, sink);
  for (uint32_t level = member.tile.levels; level > 0; --level) lattice.collect(level);
  if (member.owners() > 1) lattice.exchange();
  for (uint32_t level = 1; level <= member.tile.levels; ++level) lattice.spread(level);
}

// In steps and in the part of the vector over each link; of equal ones the first.
bool is_as_good(const Member& a, const Member& b) {
  return a.steps() <= b.steps() && a.hops() * b.num_cosets <= b.hops() * a.num_cosets;
}

void keep_best(std::vector<Member>& members) {
  std::vector<Member> kept;
  for (Member& member : members) {
    const auto beats = [&](const Member& other) { return is_as_good(other, member); };
    if (std::any_of(kept.begin(), kept.end(), beats)) continue;
    std::erase_if(kept, [&](const Member& other) { return is_as_good(member, other); });
    kept.push_back(std::move(member));
  }
  std::sort(kept.begin(), kept.end(), [](const Member& a, const Member& b) { return a.steps() < b.steps(); });
  members = std::move(kept);
}

Applicability applies(const Problem& problem) { return turned_messages_apply(problem, kMostNodes); }

Preparation prepare(const Problem& problem) {
  const TorusClasses torus = *TorusClasses::of(problem.topology());
  std::vector<Member> any;
  std::vector<Member> near;
  for (const Nodes& lattice : subgroups(torus)) {
    for (const bool at_once : {false, true}) {
      Member member = member_of(torus, lattice, at_once);
      if (member.is_near()) near.push_back(member);
      any.push_back(std::move(member));
    }
  }
  keep_best(any);
  keep_best(near);
  Preparation out;
  for (Member& member : any) {
    const uint64_t steps = member.steps();
    out.plans.push_back(
        kept(problem, std::move(member), predicted, generate, fmt::format("steps-{}", steps)));
  }
  for (Member& member : near) {
    const uint64_t steps = member.steps();
    out.plans.push_back(
        kept(problem, std::move(member), predicted, generate, fmt::format("steps-{}-near", steps)));
  }
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
        "tori with equal sides, shared links, all ports; 9 steps and 0.547 of the vector over each link on 8 x 8, where "
        "halving takes 12 and 0.539",
    .applies = allreduce_lattice_parts::applies,
    .chunks = allreduce_lattice_parts::chunks,
    .prepare = allreduce_lattice_parts::prepare,
};

}  // namespace quadrille::algorithms
