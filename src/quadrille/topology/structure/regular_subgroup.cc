#include "quadrille/topology/structure/regular_subgroup.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "quadrille/topology/cayley/permutation_group.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace regular_subgroup_parts {
namespace {

constexpr uint32_t kMostNodes = 512;
// Looks at a pair of nodes, for each node of the network.
constexpr uint64_t kMostWorkPerNode = 40'000;

using Moves = std::vector<uint16_t>;  // where a permutation of the nodes takes each of them

// How far all nodes are from each other, where from all of them that looks alike.
class Distances {
 public:
  explicit Distances(const Topology& topology) : nodes_(topology.num_nodes()) {
    std::vector<uint32_t> at_distance;
    rows_.reserve(size_t{nodes_} * nodes_);
    for (const NodeId v : topology.nodes()) {
      std::vector<uint32_t> here(nodes_, 0);
      for (const uint32_t hops : distances_from(topology, v)) {
        ++here[hops];
        rows_.push_back(static_cast<uint16_t>(hops));
      }
      if (v == NodeId{0}) at_distance = here;
      if (here != at_distance) return;
    }
    alike_ = true;
  }
  [[nodiscard]] bool alike() const { return alike_; }
  [[nodiscard]] uint16_t operator()(uint32_t v, uint32_t w) const { return rows_[size_t{v} * nodes_ + w]; }

 private:
  uint32_t nodes_;
  std::vector<uint16_t> rows_{};
  bool alike_ = false;
};

// A group that leaves no node in place but by its identity, by where it takes node 0.
class FreeGroup {
 public:
  explicit FreeGroup(uint32_t nodes) : element_(nodes) {
    Moves identity(nodes);
    std::iota(identity.begin(), identity.end(), uint16_t{0});
    element_[0] = std::make_shared<const Moves>(std::move(identity));
    reached_.push_back(0);
  }

  // The group that this one and another automorphism generate, if it is of the kind.
  [[nodiscard]] std::optional<FreeGroup> with(const Moves& further, uint64_t& work) const {
    FreeGroup out(static_cast<uint32_t>(element_.size()));
    out.generators_ = generators_;
    out.generators_.push_back(further);
    const size_t nodes = element_.size();
    for (size_t k = 0; k < out.reached_.size(); ++k) {
      const Moves from = *out.element_[out.reached_[k]];
      for (const Moves& g : out.generators_) {
        Moves product(nodes);
        bool moves_all = true;
        for (size_t v = 0; v < nodes; ++v) {
          product[v] = g[from[v]];
          moves_all = moves_all && product[v] != v;
        }
        work += nodes;
        std::shared_ptr<const Moves>& there = out.element_[product[0]];
        if (there) {
          if (*there != product) return std::nullopt;
          continue;
        }
        if (!moves_all) return std::nullopt;
        out.reached_.push_back(product[0]);
        there = std::make_shared<const Moves>(std::move(product));
      }
    }
    if (nodes % out.reached_.size() != 0) return std::nullopt;
    return out;
  }

  [[nodiscard]] bool reaches(uint32_t node) const { return element_[node] != nullptr; }
  [[nodiscard]] const std::vector<uint16_t>& reached() const { return reached_; }
  [[nodiscard]] bool is_regular() const { return reached_.size() == element_.size(); }
  /// The one that takes 0 to `node`.
  [[nodiscard]] const Moves& element(uint32_t node) const { return *element_[node]; }

 private:
  std::vector<std::shared_ptr<const Moves>> element_;
  std::vector<uint16_t> reached_{};
  std::vector<Moves> generators_{};
};

class Search {
 public:
  Search(const Topology& topology, const Distances& distances, bool abelian)
      : topology_(topology), distances_(distances), abelian_(abelian), nodes_(topology.num_nodes()) {
    std::vector<bool> seen(nodes_, false);
    order_.assign(1, 0);
    parent_.assign(1, 0);
    seen[0] = true;
    for (size_t k = 0; k < order_.size(); ++k) {
      for (const ArcId arc : topology.arcs_from(NodeId{order_[k]})) {
        const auto next = static_cast<uint32_t>(index(topology.head(arc)));
        if (seen[next]) continue;
        seen[next] = true;
        parent_.push_back(order_[k]);
        order_.push_back(next);
      }
    }
  }

  std::optional<FreeGroup> run() { return extended(FreeGroup(nodes_)); }

 private:
  static constexpr uint16_t kNowhere = UINT16_MAX;

  // A search for one automorphism, on top of a group.
  struct Partial {
    const FreeGroup& group;
    Moves image;
    std::vector<uint32_t> orbit{};  // the lowest node to which the group takes each
    std::vector<bool> taken{};
    std::vector<uint32_t> placed{};
  };

  std::optional<FreeGroup> extended(const FreeGroup& group) {
    if (group.is_regular()) return group;
    uint32_t target = 0;
    for (const ArcId arc : topology_.arcs_from(NodeId{0})) {
      target = static_cast<uint32_t>(index(topology_.head(arc)));
      if (!group.reaches(target)) break;
    }
    Partial partial{group, Moves(nodes_, kNowhere)};
    partial.taken.assign(nodes_, false);
    partial.orbit.assign(nodes_, UINT32_MAX);
    for (uint32_t v = 0; v < nodes_; ++v)
      if (partial.orbit[v] == UINT32_MAX)
        for (const uint16_t to : group.reached()) partial.orbit[group.element(to)[v]] = v;
    std::optional<FreeGroup> out;
    if (put(partial, 0, target, out) || out) return out;
    return std::nullopt;
  }

  // With node v at w, and in an abelian group all that it takes v to, goes on with the rest. True when a group was found.
  bool put(Partial& partial, uint32_t v, uint32_t w, std::optional<FreeGroup>& out) {
    const size_t before = partial.placed.size();
    bool fits = true;
    if (abelian_) {
      for (const uint16_t to : partial.group.reached()) {
        const Moves& h = partial.group.element(to);
        if (!(fits = place(partial, h[v], h[w]))) break;
      }
    } else {
      fits = place(partial, v, w);
    }
    const bool found = fits && go_on(partial, out);
    while (partial.placed.size() > before) {
      const uint32_t last = partial.placed.back();
      partial.placed.pop_back();
      partial.taken[partial.image[last]] = false;
      partial.image[last] = kNowhere;
    }
    return found;
  }

  bool place(Partial& partial, uint32_t v, uint32_t w) {
    // What takes a node where the group takes it, and is of one group with it, is the group's.
    if (partial.orbit[v] == partial.orbit[w] || partial.taken[w] || partial.image[v] != kNowhere)
      return false;
    for (const uint32_t u : partial.placed) {
      ++work_;
      if (distances_(u, v) != distances_(partial.image[u], w)) return false;
    }
    partial.image[v] = static_cast<uint16_t>(w);
    partial.taken[w] = true;
    partial.placed.push_back(v);
    return true;
  }

  bool go_on(Partial& partial, std::optional<FreeGroup>& out) {
    if (work_ > kMostWorkPerNode * nodes_) return false;
    size_t k = 1;
    while (k < order_.size() && partial.image[order_[k]] != kNowhere) ++k;
    if (k == order_.size()) {
      const std::optional<FreeGroup> larger = partial.group.with(partial.image, work_);
      if (larger) out = extended(*larger);
      return out.has_value();
    }
    const uint32_t v = order_[k];
    for (const ArcId arc : topology_.arcs_from(NodeId{partial.image[parent_[k]]}))
      if (put(partial, v, static_cast<uint32_t>(index(topology_.head(arc))), out)) return true;
    return false;
  }

  const Topology& topology_;
  const Distances& distances_;
  bool abelian_;
  uint32_t nodes_;
  std::vector<uint32_t> order_{};   // each after a neighbour
  std::vector<uint32_t> parent_{};  // that neighbour
  uint64_t work_ = 0;
};

bool is_abelian(const FreeGroup& group, const std::vector<uint32_t>& generators) {
  for (const uint32_t a : generators)
    for (const uint32_t b : generators)
      if (group.element(a)[b] != group.element(b)[a]) return false;
  return true;
}

// Coordinates of an abelian group's elements: independent cyclic groups, the largest first.
struct Cyclic {
  std::vector<uint32_t> moduli;
  std::vector<std::vector<uint32_t>> exponents;  // of each element
};

Cyclic split(const FreeGroup& group, const std::vector<uint32_t>& generators) {
  const auto nodes = static_cast<uint32_t>(group.reached().size());
  Cyclic out;
  out.exponents.assign(nodes, {});
  std::vector<bool> within(nodes, false);
  within[0] = true;
  std::vector<uint32_t> all{0};
  // Links first: they make the shortest names.
  std::vector<uint32_t> candidates = generators;
  for (uint32_t x = 1; x < nodes; ++x) candidates.push_back(x);
  while (all.size() < nodes) {
    uint32_t best = 0;
    uint32_t best_order = 0;
    for (const uint32_t x : candidates) {
      // How often until it is among what there is, and whether it then is back.
      uint32_t times = 1;
      uint32_t at = x;
      while (!within[at]) {
        at = group.element(at)[x];
        ++times;
      }
      if (at == 0 && times > best_order) {
        best = x;
        best_order = times;
      }
    }
    const std::vector<uint32_t> before = all;
    for (const uint32_t y : before) out.exponents[y].push_back(0);
    uint32_t power = best;
    for (uint32_t e = 1; e < best_order; ++e) {
      for (const uint32_t y : before) {
        const uint32_t z = group.element(y)[power];
        out.exponents[z] = out.exponents[y];
        out.exponents[z].back() = e;
        within[z] = true;
        all.push_back(z);
      }
      power = group.element(power)[best];
    }
    out.moduli.push_back(best_order);
  }
  return out;
}

std::optional<CayleyForm> abelian_form(const FreeGroup& group, const std::vector<uint32_t>& generators) {
  const Cyclic parts = split(group, generators);
  std::string spec;
  if (parts.moduli.size() == 1) {
    std::set<uint32_t> jumps;
    for (const uint32_t g : generators)
      jumps.insert(std::min(parts.exponents[g][0], parts.moduli[0] - parts.exponents[g][0]));
    spec = fmt::format("circulant({};{})", parts.moduli[0], fmt::join(jumps, ","));
  } else {
    std::vector<std::string> tuples;
    for (const uint32_t g : generators)
      tuples.push_back(fmt::format("[{}]", fmt::join(parts.exponents[g], ",")));
    spec = fmt::format("cayley(Z({});{})", fmt::join(parts.moduli, ","), fmt::join(tuples, ","));
  }
  CayleyForm out{parse_topology(spec), std::vector<NodeId>(group.reached().size())};
  for (uint32_t x = 0; x < out.image.size(); ++x) {
    uint32_t number = 0;
    for (size_t i = 0; i < parts.moduli.size(); ++i)
      number = number * parts.moduli[i] + parts.exponents[x][i];
    out.image[number] = NodeId{x};
  }
  return out;
}

// Cosets of a subgroup of which no part stays in place everywhere: the group permutes them, and no two of its elements alike.
class Cosets {
 public:
  explicit Cosets(const FreeGroup& group)
      : group_(group), nodes_(static_cast<uint32_t>(group.reached().size())) {}

  /// Which is that of each element, of as few as one or two elements generate; empty where they are too many to write down.
  std::vector<uint8_t> fewest() {
    for (uint32_t k = 0; k < nodes_; ++k) try_subgroup({k});
    for (uint32_t k = 1; k < nodes_ && work_ < kMostSubgroupWork; ++k)
      for (uint32_t l = k + 1; l < nodes_ && work_ < kMostSubgroupWork; ++l) try_subgroup({k, l});
    return best_;
  }

 private:
  static constexpr uint64_t kMostSubgroupWork = 4'000'000;

  void try_subgroup(const std::vector<uint32_t>& generators) {
    std::vector<uint32_t> subgroup{0};
    std::vector<bool> within(nodes_, false);
    within[0] = true;
    for (size_t i = 0; i < subgroup.size(); ++i) {
      for (const uint32_t g : generators) {
        const uint32_t next = group_.element(subgroup[i])[g];
        if (within[next]) continue;
        within[next] = true;
        subgroup.push_back(next);
      }
    }
    work_ += nodes_ + subgroup.size();
    if (subgroup.size() == nodes_ || nodes_ / subgroup.size() >= least_) return;
    std::vector<uint32_t> coset(nodes_, UINT32_MAX);
    uint32_t next = 0;
    for (uint32_t x = 0; x < nodes_; ++x) {
      if (coset[x] != UINT32_MAX) continue;
      for (const uint32_t h : subgroup) coset[group_.element(x)[h]] = next;
      ++next;
    }
    for (uint32_t g = 1; g < nodes_; ++g)
      if (leaves_in_place(coset, g)) return;
    least_ = next;
    best_.assign(coset.begin(), coset.end());
  }

  bool leaves_in_place(const std::vector<uint32_t>& coset, uint32_t g) {
    for (uint32_t x = 0; x < nodes_; ++x) {
      ++work_;
      if (coset[group_.element(g)[x]] != coset[x]) return false;
    }
    return true;
  }

  const FreeGroup& group_;
  uint32_t nodes_;
  uint64_t work_ = 0;
  uint32_t least_ = kMaxGeneratedPoints + 1;
  std::vector<uint8_t> best_{};
};

std::optional<CayleyForm> permuting_form(const FreeGroup& group, const std::vector<uint32_t>& generators) {
  const std::vector<uint8_t> coset = Cosets(group).fewest();
  if (coset.empty()) return std::nullopt;
  const uint32_t points = *std::max_element(coset.begin(), coset.end()) + 1U;
  const auto permutation = [&](uint32_t g) {
    Permutation out(points);
    for (uint32_t x = 0; x < coset.size(); ++x) out[coset[x]] = coset[group.element(g)[x]];
    return out;
  };
  std::vector<std::string> cycles;
  for (const uint32_t g : generators) cycles.push_back(cycle_text(permutation(g)));
  CayleyForm out{parse_topology(fmt::format("cayley(S({});{})", points, fmt::join(cycles, ","))),
                 std::vector<NodeId>(coset.size())};
  const auto known = std::dynamic_pointer_cast<const PermutationGroup>(out.topology.cayley()->group);
  if (!known || known->order() != coset.size()) return std::nullopt;
  for (uint32_t x = 0; x < coset.size(); ++x) {
    const std::optional<uint32_t> element = known->element(permutation(x));
    if (!element) return std::nullopt;
    out.image[*element] = NodeId{x};
  }
  return out;
}

}  // namespace
}  // namespace regular_subgroup_parts

std::optional<CayleyForm> cayley_form(const Topology& topology) {
  namespace parts = regular_subgroup_parts;
  if (topology.num_nodes() < 3 || topology.num_nodes() > parts::kMostNodes || topology.is_directed() ||
      topology.has_routers() || std::ranges::any_of(topology.capacities(), [](uint32_t c) { return c != 1; }))
    return std::nullopt;
  const uint32_t degree = topology.out_degree(NodeId{0});
  for (const NodeId v : topology.nodes())
    if (topology.out_degree(v) != degree) return std::nullopt;
  const parts::Distances distances(topology);
  if (!distances.alike()) return std::nullopt;
  std::vector<uint32_t> generators;
  for (const ArcId arc : topology.arcs_from(NodeId{0}))
    generators.push_back(static_cast<uint32_t>(index(topology.head(arc))));
  for (const bool abelian : {true, false}) {
    const std::optional<parts::FreeGroup> group = parts::Search(topology, distances, abelian).run();
    if (!group) continue;
    return parts::is_abelian(*group, generators) ? parts::abelian_form(*group, generators)
                                                 : parts::permuting_form(*group, generators);
  }
  return std::nullopt;
}

}  // namespace quadrille
