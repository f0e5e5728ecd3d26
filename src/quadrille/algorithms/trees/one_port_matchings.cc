#include "quadrille/algorithms/trees/one_port_matchings.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "quadrille/algorithms/trees/tree_broadcast.h"
#include "quadrille/base/work_count.h"
#include "quadrille/topology/last_answers.h"
#include "quadrille/topology/queries/arcs_into.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

constexpr uint32_t kNobody = UINT32_MAX;
constexpr size_t kNoPort = SIZE_MAX;

class Informers {
 public:
  Informers(const Topology& topology, NodeId root, uint32_t ports, Rng& rng, WhoFirst first)
      : topology_(topology),
        rng_(rng),
        ports_(ports),
        first_(first),
        informed_over_(topology.num_nodes(), kNoArc),
        informed_(topology.num_nodes(), 0),
        parent_(topology.num_nodes(), kNobody),
        layer_(topology.num_nodes()),
        children_(topology.num_nodes()),
        takes_(topology.num_nodes()),
        informs_(topology.num_nodes() * ports, kNobody),
        seen_(topology.num_nodes(), 0),
        came_from_(topology.num_nodes(), kNobody),
        left_(topology.num_endpoints() - (topology.rank(root) ? 1 : 0)) {
    informed_[index(root)] = 1;
    border_.push_back(static_cast<uint32_t>(index(root)));
    uninformed_.reserve(topology.num_nodes());
    if (topology.is_directed()) index_arcs_in();
  }

  // After so many steps of a broadcast that is there.
  std::vector<ArcId> run(const TreeBroadcast& begun, uint32_t steps) {
    size_t left = left_;
    for (; step_ < steps; ++step_) {
      const uint32_t first = step_ == 0 ? 0 : begun.arcs_end[step_ - 1];
      for (uint32_t i = first; i < begun.arcs_end[step_]; ++i) {
        const NodeId v = topology_.head(begun.arcs[i]);
        informed_[index(v)] = 1;
        informed_over_[index(v)] = begun.arcs[i];
        border_.push_back(static_cast<uint32_t>(index(v)));
        if (topology_.rank(v)) --left;
      }
    }
    return go_on(left);
  }
  std::vector<ArcId> run() { return go_on(left_); }

  // From the beginning.
  void knows(NodeId v) {
    if (std::exchange(informed_[index(v)], 1) != 0) return;
    border_.push_back(static_cast<uint32_t>(index(v)));
    if (topology_.rank(v)) --left_;
  }

 private:
  std::vector<ArcId> go_on(size_t left) {
    while (left > 0) {
      ++step_;
      grow_forest();
      measure_subtrees();
      if (first_.by_turns) {
        if (longest_.empty()) longest_ = takes_;
        take_turns();
        measure_subtrees();
        longest_ = takes_;
      }
      if (first_.lonely) measure_waits();
      left -= match();
    }
    if (topology_.has_routers()) leave_out_needless();
    return std::move(informed_over_);
  }

  void index_arcs_in() { arcs_in_ = arcs_into(topology_); }

  // Calls `use` with each node that has an arc to v.
  template <typename Use>
  void for_each_neighbour_into(uint32_t v, Use use) const {
    if (arcs_in_.empty()) {
      for (const ArcId arc : topology_.arcs_from(NodeId{v}))
        use(static_cast<uint32_t>(index(topology_.head(arc))));
    } else {
      for (const ArcId arc : arcs_in_[v]) use(static_cast<uint32_t>(index(topology_.tail(arc))));
    }
  }

  // Breadth-first from all that have been informed: uninformed_ in the order of their layers, parent_ of
  // each. Only informers that still have somebody to inform stay on the border.
  void grow_forest() {
    ++round_;
    uninformed_.clear();
    size_t kept = 0;
    for (const uint32_t u : border_) {
      bool useful = false;
      for (const ArcId arc : topology_.arcs_from(NodeId{u})) useful = reach(arc, 1) || useful;
      if (useful) border_[kept++] = u;
    }
    border_.resize(kept);
    frontier_ = uninformed_.size();
    for (size_t i = 0; i < uninformed_.size(); ++i) {
      const uint32_t v = uninformed_[i];
      for (const ArcId arc : topology_.arcs_from(NodeId{v})) static_cast<void>(reach(arc, layer_[v] + 1));
    }
    std::fill(children_.begin(), children_.end(), 0U);
    for (const uint32_t v : uninformed_) choose_parent(v);
  }

  // Whether the arc leads to somebody untold; who is met for the first time joins the layer.
  bool reach(ArcId arc, uint32_t layer) {
    const size_t v = index(topology_.head(arc));
    if (informed_[v] != 0) return false;
    if (seen_[v] != round_) {
      seen_[v] = round_;
      layer_[v] = layer;
      uninformed_.push_back(static_cast<uint32_t>(v));
    }
    return true;
  }

  // Another forest: in every step whoever knows gives a parent, by itself, to as many as it has ports, those first that took longest in the
  // forest before; so nobody has more to inform than there is time for.
  void take_turns() {
    ++round_;
    std::vector<uint32_t> frontier(uninformed_.begin(),
                                   uninformed_.begin() + static_cast<std::ptrdiff_t>(frontier_));
    std::vector<uint32_t> active = border_;
    std::vector<uint32_t> taken;
    const size_t all = uninformed_.size();
    while (taken.size() < all) {
      rng_.shuffle(active);
      const size_t before = taken.size();
      size_t kept = 0;
      for (const uint32_t u : active) {
        uint32_t port = 0;
        for (; port < ports_; ++port) {
          uint32_t best = kNobody;
          for (const ArcId arc : topology_.arcs_from(NodeId{u})) {
            const auto v = static_cast<uint32_t>(index(topology_.head(arc)));
            if (informed_[v] != 0 || seen_[v] == round_) continue;
            if (best == kNobody || longest_[v] > longest_[best]) best = v;
          }
          if (best == kNobody) break;
          seen_[best] = round_;
          parent_[best] = informed_[u] != 0 ? kNobody : u;
          taken.push_back(best);
        }
        if (port == ports_) active[kept++] = u;
      }
      active.resize(kept);
      active.insert(active.end(), taken.begin() + static_cast<std::ptrdiff_t>(before), taken.end());
    }
    uninformed_ = std::move(taken);
    frontier_nodes_ = std::move(frontier);
  }

  void choose_parent(uint32_t v) {
    parent_[v] = kNobody;
    if (layer_[v] == 1) return;
    size_t alike = 0;
    for_each_neighbour_into(v, [&](uint32_t u) {
      if (informed_[u] != 0 || layer_[u] + 1 != layer_[v]) return;
      if (parent_[v] != kNobody && children_[u] > children_[parent_[v]]) return;
      if (parent_[v] == kNobody || children_[u] < children_[parent_[v]]) alike = 0;
      if (rng_.below(++alike) == 0) parent_[v] = u;
    });
    ++children_[parent_[v]];
  }

  // takes_[v]: steps that v, once informed, needs for its subtree, and one more: children longest first. Nothing for a router that leads
  // to nobody who is not served otherwise.
  void measure_subtrees() {
    std::vector<std::vector<uint32_t>>& times = times_;
    times.resize(topology_.num_nodes());
    for (size_t i = uninformed_.size(); i-- > 0;) {
      const uint32_t v = uninformed_[i];
      std::vector<uint32_t>& below = times[v];
      std::sort(below.begin(), below.end(), std::greater<>());
      takes_[v] = topology_.rank(NodeId{v}) || !below.empty() ? 1 : 0;
      for (size_t place = 0; place < below.size(); ++place)
        takes_[v] = std::max(takes_[v], static_cast<uint32_t>(place) / ports_ + 1 + below[place]);
      below.clear();
      if (parent_[v] != kNobody && takes_[v] > 0) times[parent_[v]].push_back(takes_[v]);
    }
  }

  // waits_[v]: about how long it takes until v hears of it if nobody is in a hurry: who has many to inform comes late to each of them. Of
  // two who need as long, the one comes first whom only such a hub would inform for long.
  void measure_waits() {
    waits_.assign(topology_.num_nodes(), UINT32_MAX);
    std::vector<std::vector<uint32_t>> at;
    const auto reach = [&](uint32_t v, uint32_t after) {
      if (informed_[v] != 0 || waits_[v] <= after) return;
      waits_[v] = after;
      if (at.size() <= after) at.resize(after + 1);
      at[after].push_back(v);
    };
    const auto pass_on = [&](uint32_t u, uint32_t since) {
      uint32_t others = 0;  // but for the one from whom it hears
      for (const ArcId arc : topology_.arcs_from(NodeId{u}))
        others += informed_[index(topology_.head(arc))] == 0 ? 1 : 0;
      if (since > 0) --others;
      const uint32_t about = since + std::max<uint32_t>(1, others / ports_);
      for (const ArcId arc : topology_.arcs_from(NodeId{u}))
        reach(static_cast<uint32_t>(index(topology_.head(arc))), about);
    };
    for (const uint32_t u : border_) pass_on(u, 0);
    for (uint32_t t = 0; t < at.size(); ++t)
      for (size_t i = 0; i < at[t].size(); ++i)
        if (const uint32_t v = at[t][i]; waits_[v] == t) pass_on(v, t);
  }

  // Routers that lead to no endpoint.
  void leave_out_needless() {
    std::vector<uint32_t> below(topology_.num_nodes(), 0);
    const auto parent = [&](size_t v) { return index(topology_.tail(informed_over_[v])); };
    for (size_t v = 0; v < below.size(); ++v)
      if (informed_over_[v] != kNoArc) ++below[parent(v)];
    for (size_t first = 0; first < below.size(); ++first) {
      for (size_t v = first; informed_over_[v] != kNoArc && below[v] == 0 &&
                             !topology_.rank(NodeId{static_cast<uint32_t>(v)});) {
        const size_t next = parent(v);
        informed_over_[v] = kNoArc;
        --below[next];
        v = next;
      }
    }
  }

  // Informs a set of the neighbours of the informed that is best in this sense: the most urgent one is in it,
  // then the next if both can be, and so on. Returns how many endpoints.
  size_t match() {
    std::vector<uint32_t> urgent = std::move(frontier_nodes_);
    if (!first_.by_turns)
      urgent.assign(uninformed_.begin(), uninformed_.begin() + static_cast<std::ptrdiff_t>(frontier_));
    rng_.shuffle(urgent);
    const uint32_t reach = first_.within > step_ ? 2 * (first_.within - step_) + 2 : 1;
    const auto lonely = [&](uint32_t v) {
      return first_.within == 0 || waits_[v] <= reach ? waits_[v]
                                                      : reach - std::min(reach, waits_[v] - reach);
    };
    std::stable_sort(urgent.begin(), urgent.end(), [&](uint32_t a, uint32_t b) {
      return takes_[a] != takes_[b] ? takes_[a] > takes_[b] : first_.lonely && lonely(a) > lonely(b);
    });
    for (const uint32_t u : border_) {
      for (uint32_t& informed : informed_by(u)) informed = kNobody;
      seen_[u] = 0;  // of an informer: that it was visited in vain, or in this search
    }
    ++round_;
    size_t count = 0;
    for (const uint32_t v : urgent) {
      visited_.clear();
      if (!augment(v)) continue;  // who was visited in vain is never free again
      for (const uint32_t u : visited_) seen_[u] = 0;
      if (topology_.rank(NodeId{v})) ++count;
    }
    for (size_t i = 0, size = border_.size(); i < size; ++i) {
      const uint32_t u = border_[i];
      for (const uint32_t v : informed_by(u)) {
        if (v == kNobody) continue;
        informed_[v] = 1;
        informed_over_[v] = *topology_.find_arc(NodeId{u}, NodeId{v});
        border_.push_back(v);
      }
    }
    return count;
  }

  // Finds an informer for v, making others change theirs: breadth-first along alternating paths.
  bool augment(uint32_t v) {
    std::vector<uint32_t> waiting = {v};
    for (size_t i = 0; i < waiting.size(); ++i) {
      const uint32_t w = waiting[i];
      size_t free = kNoPort;
      for_each_neighbour_into(w, [&](uint32_t u) {
        if (informed_[u] == 0 || seen_[u] == round_ || free != kNoPort) return;
        seen_[u] = round_;
        visited_.push_back(u);
        came_from_[u] = w;
        const std::span<const uint32_t> ports = informed_by(u);
        if (const auto idle = std::ranges::find(ports, kNobody); idle != ports.end()) {
          free = size_t{u} * ports_ + static_cast<size_t>(idle - ports.begin());
        } else {
          waiting.insert(waiting.end(), ports.begin(), ports.end());
        }
      });
      if (free == kNoPort) continue;
      while (true) {
        // The one that is now informed through `free` leaves its former informer's port to whoever asked for that one.
        const uint32_t informed = came_from_[free / ports_];
        const size_t former = informed == v ? kNoPort : port_that_informs(informed);
        informs_[free] = informed;
        if (former == kNoPort) return true;
        free = former;
      }
    }
    return false;
  }

  // The port to which v was promised, among those of its neighbours.
  size_t port_that_informs(uint32_t v) const {
    size_t port = kNoPort;
    for_each_neighbour_into(v, [&](uint32_t u) {
      if (informed_[u] == 0) return;
      for (size_t i = size_t{u} * ports_; i < (size_t{u} + 1) * ports_; ++i)
        if (informs_[i] == v) port = i;
    });
    return port;
  }

  // Whom a node informs in this step, through each of its ports.
  std::span<uint32_t> informed_by(uint32_t u) {
    return std::span(informs_).subspan(size_t{u} * ports_, ports_);
  }

  const Topology& topology_;
  Rng& rng_;
  uint32_t ports_;
  WhoFirst first_;
  std::vector<ArcId> informed_over_;
  std::vector<char> informed_;
  std::vector<uint32_t> parent_;
  std::vector<uint32_t> layer_;
  std::vector<uint32_t> children_;
  std::vector<uint32_t> takes_;
  std::vector<uint32_t> waits_{};
  std::vector<uint32_t> informs_;  // of an informer, port by port: whom in this step
  std::vector<uint64_t> seen_;
  std::vector<uint32_t> came_from_;
  size_t left_;  // endpoints that are not informed when it begins
  std::vector<uint32_t> visited_;
  std::vector<uint32_t> border_;  // informed, and perhaps with somebody to inform
  uint32_t step_ = 0;
  std::vector<uint32_t> uninformed_;  // layer by layer
  std::vector<uint32_t> frontier_nodes_{};
  std::vector<uint32_t> longest_{};  // by turns: takes_ of the step before
  std::vector<std::vector<uint32_t>> times_;
  std::vector<std::vector<ArcId>> arcs_in_;  // of directed graphs only
  size_t frontier_ = 0;                      // how many of uninformed_ are in layer 1
  uint64_t round_ = 0;
};

// As many know as can after so many steps, and the farthest.
uint32_t simple_floor(const Topology& topology, NodeId root, uint32_t ports) {
  uint32_t steps = 0;
  for (uint64_t know = 1; know < topology.num_endpoints(); know *= uint64_t{ports} + 1) ++steps;
  return std::max(steps, eccentricity(topology, root));
}

OnePortTree search_tree_of_few_ports(const Topology& topology, NodeId root, uint32_t ports) {
  count_work(Work::kSearching);
  constexpr uint64_t kWork = 20'000'000;  // arcs looked at, about
  constexpr uint64_t kMostTries = 40;
  constexpr uint32_t kFewNodes = 64;
  constexpr uint64_t kMoreOfFew = 60;  // in other ways, of few nodes
  constexpr uint64_t kMoreTries = 120;
  constexpr WhoFirst kWays[] = {
      {true, false, 0}, {false, true, 0}, {true, true, 0}, {true, false, 1}, {true, true, 1}};
  const auto steps_of = [&](const SpanningTree& tree) {
    return static_cast<uint32_t>(tree_broadcast(topology, tree, Ports{ports}).steps(1));
  };
  OnePortTree best{breadth_first_tree(topology, root), 0};
  best.steps = steps_of(best.tree);
  const uint32_t floor = simple_floor(topology, root, ports);
  const uint64_t work = uint64_t{topology.num_arcs()} * best.steps;
  const uint64_t tries = std::clamp<uint64_t>(kWork / std::max<uint64_t>(work, 1), 1, kMostTries);
  Rng rng(1);
  const auto hold = [&](SpanningTree tree) {
    const uint32_t steps = steps_of(tree);
    if (steps < best.steps) best = {std::move(tree), steps};
  };
  for (uint64_t i = 0; i < tries && best.steps > floor; ++i)
    hold(inform_by_urgency(topology, root, rng, ports));
  uint64_t left = kWork;
  const uint64_t more = topology.num_nodes() <= kFewNodes ? kMoreOfFew : kMoreTries;
  for (uint64_t i = 0; i < more && best.steps > floor; ++i) {
    WhoFirst first = kWays[i % std::size(kWays)];
    if (first.within > 0) first.within = best.steps - 1;
    const uint64_t mine =
        uint64_t{topology.num_arcs()} * best.steps * (first.by_turns ? best.steps / 2 + 1 : 1);
    if (mine > left) continue;
    left -= mine;
    hold(inform_by_urgency(topology, root, rng, ports, first));
  }
  // The end of the best one, anew.
  for (uint64_t i = 0; i < 4 * more && best.steps > floor; ++i) {
    const TreeBroadcast begun = tree_broadcast(topology, best.tree, Ports{ports});
    const auto kept = static_cast<uint32_t>(1 + rng.below(best.steps - 1));
    const WhoFirst first = kWays[i % std::size(kWays)];
    const uint64_t mine = uint64_t{topology.num_arcs()} * (best.steps - kept) *
                          (first.by_turns ? (best.steps - kept) / 2 + 1 : 1);
    if (mine > left) continue;
    left -= mine;
    SpanningTree tree = tree_of_arcs(
        topology, root,
        Informers(topology, root, ports, rng, {first.lonely, first.by_turns, 0}).run(begun, kept));
    const uint32_t steps = steps_of(tree);
    if (steps <= best.steps) best = {std::move(tree), steps};
  }
  return best;
}

}  // namespace

uint32_t one_port_steps(const Topology& topology, const SpanningTree& tree) {
  return static_cast<uint32_t>(tree_broadcast(topology, tree, kOnePort).steps(1));
}

SpanningTree inform_by_urgency(const Topology& topology, NodeId root, Rng& rng, uint32_t ports,
                               WhoFirst first) {
  return tree_of_arcs(topology, root, Informers(topology, root, ports, rng, first).run());
}

std::vector<ArcId> inform_from(const Topology& topology, const std::vector<NodeId>& informed, Rng& rng,
                               uint32_t ports, WhoFirst first) {
  Informers informers(topology, informed.front(), ports, rng, first);
  for (const NodeId v : informed) informers.knows(v);
  return informers.run();
}

OnePortTree best_one_port_tree(const Topology& topology, NodeId root) {
  return best_tree_of_few_ports(topology, root, 1);
}

OnePortTree best_tree_of_few_ports(const Topology& topology, NodeId root, uint32_t ports) {
  // Reductions, allreduces and whoever lends ask for the same trees; an allreduce for those of several roots.
  static LastAnswers<std::pair<NodeId, uint32_t>, std::shared_ptr<const OnePortTree>> kept(16);
  return *kept.of(topology, {root, ports}, [&] {
    return std::make_shared<const OnePortTree>(search_tree_of_few_ports(topology, root, ports));
  });
}

}  // namespace quadrille
