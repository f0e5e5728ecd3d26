#include "quadrille/algorithms/cayley/node_invariant_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>

#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/base/check.h"
#include "quadrille/base/random.h"
#include "quadrille/base/work_count.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// How often the tree is made again when it comes out longer than the bound, and the hops that this may cost.
constexpr uint64_t kMostAttempts = 200;
constexpr uint64_t kMostWork = 20'000'000;
// From so many generators on, of which a step uses a quarter at most, not all are looked at in every step.
constexpr size_t kManyGenerators = 48;

// What the growing needs to know of the graph: where each generator leads, and how much may go at once.
struct Room {
  explicit Room(const Problem& problem)
      : nodes(problem.topology().num_nodes()), degree(problem.topology().cayley()->generators.size()) {
    const Topology& topology = problem.topology();
    const CayleyStructure& cayley = *topology.cayley();
    head.resize(nodes * degree);
    for (uint32_t v = 0; v < nodes; ++v) {
      for (size_t g = 0; g < degree; ++g)
        head[v * degree + g] = static_cast<uint32_t>(index(topology.head(cayley.arc(NodeId{v}, g))));
    }
    uint64_t links = 0;
    for (size_t g = 0; g < degree; ++g) {
      const ArcId arc = cayley.arc(NodeId{0}, g);
      capacity.push_back(std::min(topology.capacity(arc), topology.capacity(topology.reverse(arc))));
      links += capacity.back();
    }
    hops_a_step = links;
    for (const Ports ports : {problem.model().send, problem.model().receive}) {
      if (!ports.unlimited()) hops_a_step = std::min<uint64_t>(hops_a_step, ports.count);
    }
    for (size_t g = 0; g < degree; ++g) back.push_back(static_cast<uint32_t>(cayley.inverses[g]));
  }

  size_t nodes;
  size_t degree;
  std::vector<uint32_t> head;      // head[v * degree + g]: v * g
  std::vector<uint32_t> capacity;  // per generator
  std::vector<uint32_t> back;      // per generator: its inverse
  uint64_t hops_a_step = 0;        // by links and ports
};

// One piece at one offset that is to be informed over one generator: candidates are taken smallest key first.
struct Candidate {
  uint32_t ways;  // generators over which it could be informed, when it was put in line
  uint64_t order;
  uint32_t item;

  friend bool operator>(const Candidate& a, const Candidate& b) {
    return std::tie(a.ways, a.order, a.item) > std::tie(b.ways, b.order, b.item);
  }
};

class Growth {
 public:
  // Without a generator of random numbers, ties go to who could be informed first.
  Growth(const Room& room, uint32_t pieces, Rng* rng)
      : room_(room),
        rng_(rng),
        informed_(room.nodes * pieces, false),
        ways_(room.nodes * pieces, 0),
        owner_(room.nodes * pieces, kNobody),
        seen_(room.nodes * pieces, 0),
        lines_(room.degree),
        candidates_(room.degree),
        taken_(room.degree) {
    tree_.pieces = pieces;
    left_ = (room.nodes - 1) * pieces;
    for (uint32_t q = 0; q < pieces; ++q) inform(q * static_cast<uint32_t>(room.nodes));
  }

  // Gives up beyond `most` steps. Where few hops are made in a step and there are many generators, `in_turn` looks at
  // these one after another, and only at as many as it needs; with one hop a step that finds the same tree.
  std::optional<NodeInvariantTree> run(uint64_t most, bool in_turn) {
    while (left_ > 0) {
      if (tree_.steps() == most) return std::nullopt;
      if (in_turn) {
        match_in_turn();
      } else {
        line_up();
        match();
      }
      push_step();
    }
    return std::move(tree_);
  }

 private:
  static constexpr uint32_t kNobody = UINT32_MAX;

  uint32_t at(uint32_t item, size_t g) const {
    const auto n = static_cast<uint32_t>(room_.nodes);
    const uint32_t piece = item / n;
    return piece * n + room_.head[size_t{item - piece * n} * room_.degree + g];
  }

  // From now on the item can be passed on.
  void inform(uint32_t item) {
    informed_[item] = true;
    for (size_t g = 0; g < room_.degree; ++g) {
      const uint32_t next = at(item, g);
      if (informed_[next]) continue;
      ++ways_[next];
      lines_[g].push({ways_[next], tie(), next});
    }
  }

  uint64_t tie() { return rng_ == nullptr ? ++arrivals_ : rng_->next() % 1024; }

  // The first candidates of each generator: more than the hops of a step are never needed.
  void line_up() {
    for (size_t g = 0; g < room_.degree; ++g) line_up(g);
  }

  void line_up(size_t g) {
    const auto enough = static_cast<size_t>(room_.hops_a_step);
    candidates_[g].clear();
    Line& line = lines_[g];
    while (candidates_[g].size() < enough && !line.empty()) {
      const Candidate first = line.top();
      line.pop();
      if (informed_[first.item]) continue;
      if (ways_[first.item] != first.ways) {
        line.push({ways_[first.item], first.order, first.item});
      } else {
        candidates_[g].push_back(first);
      }
    }
  }

  // One generator after another, each as long as it can take more.
  void match_in_turn() {
    for (size_t g = 0; g < room_.degree; ++g) {
      candidates_[g].clear();
      taken_[g].clear();
    }
    uint64_t hops = 0;
    for (size_t i = 0; i < room_.degree && hops < room_.hops_a_step; ++i) {
      const size_t g = (i + tree_.steps()) % room_.degree;
      line_up(g);
      while (hops < room_.hops_a_step && taken_[g].size() < room_.capacity[g]) {
        ++round_;
        if (!augment(g)) break;
        ++hops;
      }
    }
  }

  // A largest matching, by augmenting paths; generators with little choice first.
  void match() {
    std::vector<size_t> order(room_.degree);
    for (size_t g = 0; g < order.size(); ++g) {
      order[g] = (g + tree_.steps()) % order.size();
      taken_[g].clear();
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return candidates_[a].size() < candidates_[b].size(); });
    uint64_t hops = 0;
    for (bool progress = true; progress && hops < room_.hops_a_step;) {
      progress = false;
      for (const size_t g : order) {
        if (hops == room_.hops_a_step) break;
        if (taken_[g].size() == room_.capacity[g]) continue;
        ++round_;
        if (!augment(g)) continue;
        ++hops;
        progress = true;
      }
    }
  }

  // Breadth-first, so that nothing is deep: from generator g over what it could take to generators that could
  // take something else.
  bool augment(size_t g) {
    struct Visit {
      uint32_t generator;
      uint32_t item;  // that it would give away, for the visit before
      size_t before;
    };
    std::vector<Visit> queue{{static_cast<uint32_t>(g), kNobody, 0}};
    for (size_t i = 0; i < queue.size(); ++i) {
      for (const Candidate& c : candidates_[queue[i].generator]) {
        if (seen_[c.item] == round_) continue;
        seen_[c.item] = round_;
        if (owner_[c.item] != kNobody) {
          queue.push_back({owner_[c.item], c.item, i});
          continue;
        }
        uint32_t item = c.item;
        for (size_t v = i;; v = queue[v].before) {
          const Visit& visit = queue[v];
          std::vector<uint32_t>& taken = taken_[visit.generator];
          owner_[item] = visit.generator;
          if (visit.item == kNobody) {
            taken.push_back(item);
            return true;
          }
          *std::find(taken.begin(), taken.end(), visit.item) = item;
          item = visit.item;
        }
      }
    }
    return false;
  }

  void push_step() {
    std::vector<uint32_t> informed;
    for (size_t g = 0; g < room_.degree; ++g) {
      for (const uint32_t item : taken_[g]) {
        owner_[item] = kNobody;
        informed.push_back(item);
        const auto n = static_cast<uint32_t>(room_.nodes);
        const uint32_t from = at(item, room_.back[g]) % n;
        tree_.hops.push_back({from, static_cast<uint32_t>(g), item / n});
      }
    }
    QUADRILLE_CHECK(!informed.empty(), "a connected graph always has somebody to inform");
    tree_.step_end.push_back(tree_.hops.size());
    left_ -= informed.size();
    for (const uint32_t item : informed) informed_[item] = true;
    for (size_t g = 0; g < room_.degree; ++g) {
      for (const Candidate& c : candidates_[g]) {
        if (!informed_[c.item]) lines_[g].push(c);
      }
    }
    for (const uint32_t item : informed) inform(item);
  }

  using Line = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;

  const Room& room_;
  Rng* rng_;
  uint64_t arrivals_ = 0;
  uint64_t round_ = 0;
  size_t left_ = 0;
  std::vector<bool> informed_;
  std::vector<uint32_t> ways_;
  std::vector<uint32_t> owner_;  // per item: the generator that takes it in this step
  std::vector<uint64_t> seen_;   // per item: the last search that met it
  std::vector<Line> lines_;      // per generator: whom it could inform
  std::vector<std::vector<Candidate>> candidates_;
  std::vector<std::vector<uint32_t>> taken_;
  NodeInvariantTree tree_;
};

// The steps of all nodes, from those of the tree.
class HopStep {
 public:
  HopStep(const Problem& problem, const NodeInvariantTree& tree)
      : problem_(problem), tree_(tree), origins_(problem.topology().num_nodes()) {}

  // Forwards every node x makes a hop to x*g; backwards from there.
  void push(size_t s, bool backwards, TransferOp op, StepSink& sink) {
    arcs_.clear();
    blocks_.clear();
    for (const NodeInvariantTree::Hop& hop : tree_.step(s)) add(hop, backwards);
    StepView step;
    step.all_arcs = arcs_;
    step.all_blocks = blocks_;
    if (op != TransferOp::kDefault) {
      ops_.assign(arcs_.size(), op);
      step.ops = ops_;
    }
    sink.push(step);
  }

 private:
  void add(const NodeInvariantTree::Hop& hop, bool backwards) {
    const Topology& topology = problem_.topology();
    const CayleyStructure& cayley = *topology.cayley();
    const uint32_t num_blocks = problem_.collective().num_blocks();
    cayley.group->right_translation(cayley.group->inverse(hop.from), origins_);
    for (uint32_t x = 0; x < origins_.size(); ++x) {
      const uint64_t block = uint64_t{origins_[x]} * tree_.pieces + hop.piece;
      if (block >= num_blocks) continue;
      const ArcId arc = cayley.arc(NodeId{x}, hop.generator);
      arcs_.push_back(backwards ? topology.reverse(arc) : arc);
      blocks_.push_back(BlockId{static_cast<uint32_t>(block)});
    }
  }

  const Problem& problem_;
  const NodeInvariantTree& tree_;
  std::vector<uint32_t> origins_;
  std::vector<ArcId> arcs_;
  std::vector<BlockId> blocks_;
  std::vector<TransferOp> ops_;
};

}  // namespace

uint64_t NodeInvariantTree::busiest_generator() const {
  std::vector<uint64_t> uses;
  for (const Hop& hop : hops) {
    if (uses.size() <= hop.generator) uses.resize(hop.generator + 1, 0);
    ++uses[hop.generator];
  }
  return uses.empty() ? 0 : *std::max_element(uses.begin(), uses.end());
}

Applicability has_node_invariant_tree(const Problem& problem) {
  if (Applicability fits = every_node_takes_part(problem); !fits.applies) return fits;
  if (problem.topology().cayley() != nullptr) return Applicability::yes();
  return Applicability::no(
      fmt::format("it needs a Cayley graph; no group is known for {}", problem.topology().name()));
}

NodeInvariantTree node_invariant_tree(const Problem& problem, uint32_t pieces) {
  count_work(Work::kSearching);
  const Room room(problem);
  if (room.nodes == 1) return {.pieces = pieces, .hops = {}, .step_end = {}};
  const uint64_t items = uint64_t{room.nodes - 1} * pieces;
  const uint64_t bound = std::max<uint64_t>((items + room.hops_a_step - 1) / room.hops_a_step,
                                            eccentricity(problem.topology(), NodeId{0}));
  if (room.degree >= kManyGenerators && room.hops_a_step * 4 <= room.degree) {
    std::optional<NodeInvariantTree> quick = Growth(room, pieces, nullptr).run(bound, true);
    if (quick) return *std::move(quick);
  }
  NodeInvariantTree best = *Growth(room, pieces, nullptr).run(UINT64_MAX, false);
  const uint64_t attempts = std::min(kMostAttempts, kMostWork / (items * room.degree));
  for (uint64_t seed = 0; seed < attempts && best.steps() > bound; ++seed) {
    Rng rng(seed);
    std::optional<NodeInvariantTree> again = Growth(room, pieces, &rng).run(best.steps() - 1, false);
    if (again) best = std::move(*again);
  }
  return best;
}

void spread(const Problem& problem, const NodeInvariantTree& tree, TransferOp op, StepSink& sink) {
  HopStep step(problem, tree);
  for (size_t s = 0; s < tree.steps(); ++s) step.push(s, false, op, sink);
}

void spread_at_one_node(const NodeInvariantTree& tree, SymmetricSink& sink) {
  std::vector<SymmetricMove> moves;
  for (size_t s = 0; s < tree.steps(); ++s) {
    moves.clear();
    for (const NodeInvariantTree::Hop& hop : tree.step(s))
      moves.push_back({.generator = hop.generator, .moved = hop.from, .piece = hop.piece});
    sink.push_symmetric(moves);
  }
}

void collect(const Problem& problem, const NodeInvariantTree& tree, StepSink& sink) {
  HopStep step(problem, tree);
  for (size_t s = tree.steps(); s-- > 0;) step.push(s, true, TransferOp::kDefault, sink);
}

void spread_sums_at_one_node(const Problem& problem, const NodeInvariantTree& tree, SymmetricSink& sink) {
  const Group& group = *problem.topology().cayley()->group;
  std::vector<SymmetricMove> moves;
  for (size_t s = 0; s < tree.steps(); ++s) {
    moves.clear();
    for (const NodeInvariantTree::Hop& hop : tree.step(s))
      moves.push_back(
          {.generator = hop.generator, .left = group.inverse(hop.from), .piece = hop.piece, .copies = true});
    sink.push_symmetric(moves);
  }
}

// Where x sent the block of x*u^-1 to x*g, x*g now sends what it has of it back: that has the way (u*g)^-1 to go.
void collect_at_one_node(const Problem& problem, const NodeInvariantTree& tree, SymmetricSink& sink) {
  const CayleyStructure& cayley = *problem.topology().cayley();
  const Group& group = *cayley.group;
  std::vector<SymmetricMove> moves;
  for (size_t s = tree.steps(); s-- > 0;) {
    moves.clear();
    for (const NodeInvariantTree::Hop& hop : tree.step(s)) {
      const uint32_t there = group.multiply(hop.from, cayley.generators[hop.generator]);
      moves.push_back(
          {.generator = cayley.inverses[hop.generator], .left = group.inverse(there), .piece = hop.piece});
    }
    sink.push_symmetric(moves);
  }
}

}  // namespace quadrille
