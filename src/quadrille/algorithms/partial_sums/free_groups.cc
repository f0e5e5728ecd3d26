#include "quadrille/algorithms/partial_sums/free_groups.h"

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "quadrille/topology/last_answers.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostElements = 128;    // of a group whose subgroups are made
constexpr uint64_t kMostTrials = 200'000;  // in the search for automorphisms
constexpr size_t kMostOfOneOrder = 2;

FreeGroup identity_of(const Topology& topology) {
  FreeGroup out;
  out.images.emplace_back();
  for (const NodeId v : topology.nodes()) out.images.front().push_back(v);
  return out;
}

// --- Cayley graphs ----------------------------------------------------------------------------------------

std::vector<uint32_t> generated(const Group& group, const std::vector<uint32_t>& generators) {
  std::vector<bool> in(group.order(), false);
  std::vector<uint32_t> out{0};
  in[0] = true;
  for (size_t i = 0; i < out.size(); ++i) {
    for (const uint32_t g : generators) {
      const uint32_t next = group.multiply(out[i], g);
      if (in[next]) continue;
      in[next] = true;
      out.push_back(next);
    }
  }
  return out;
}

FreeGroup translations(const Topology& topology, const std::vector<uint32_t>& elements) {
  const Group& group = *topology.cayley()->group;
  FreeGroup out;
  for (const uint32_t a : elements) {
    std::vector<NodeId>& image = out.images.emplace_back();
    for (uint32_t x = 0; x < topology.num_nodes(); ++x) image.push_back(NodeId{group.multiply(a, x)});
  }
  return out;
}

std::vector<FreeGroup> translation_groups(const Topology& topology) {
  const Group& group = *topology.cayley()->group;
  std::set<std::vector<uint32_t>> sets;
  const auto note = [&sets](std::vector<uint32_t> elements) {
    if (elements.size() == 1) return;
    std::sort(elements.begin(), elements.end());
    sets.insert(std::move(elements));
  };
  std::vector<uint32_t> all;
  for (uint32_t a = 0; a < group.order(); ++a) all.push_back(a);
  note(all);
  if (group.order() <= kMostElements) {
    for (uint32_t a = 1; a < group.order(); ++a) note(generated(group, {a}));
    if (group.order() <= kMostElements / 2) {
      for (uint32_t a = 1; a < group.order(); ++a) {
        for (uint32_t b = a + 1; b < group.order(); ++b) note(generated(group, {a, b}));
      }
    }
  }
  std::vector<FreeGroup> out;
  for (const std::vector<uint32_t>& elements : sets) out.push_back(translations(topology, elements));
  return out;
}

// --- any network ------------------------------------------------------------------------------------------

// Looks for automorphisms, node by node along a breadth-first order.
class Automorphisms {
 public:
  using Use = std::function<bool(const std::vector<NodeId>&)>;  // false: enough

  explicit Automorphisms(const Topology& topology)
      : net_(topology),
        image_(topology.num_nodes(), kNoNode),
        taken_(topology.num_nodes(), false),
        arcs_(size_t{topology.num_nodes()} * topology.num_nodes(), 0) {
    for (const ArcId arc : net_.arcs()) {
      kind_at(net_.tail(arc), net_.head(arc)) =
          2 * uint64_t{net_.capacity(arc)} + (net_.reverse(arc) == kNoArc ? 1 : 0);
    }
    std::vector<bool> seen(net_.num_nodes(), false);
    order_.push_back(NodeId{0});
    seen[0] = true;
    for (size_t i = 0; i < order_.size(); ++i) {
      for (const ArcId arc : net_.arcs_from(order_[i])) {
        const NodeId v = net_.head(arc);
        if (seen[index(v)]) continue;
        seen[index(v)] = true;
        order_.push_back(v);
      }
    }
    parent_.assign(net_.num_nodes(), kNoNode);
    for (const NodeId u : order_) {
      for (const ArcId arc : net_.arcs_from(u)) {
        if (parent_[index(net_.head(arc))] == kNoNode) parent_[index(net_.head(arc))] = u;
      }
    }
  }

  /// Those that take node 0 to the given one.
  void for_each(NodeId first, uint64_t trials, const Use& use) {
    trials_ = trials;
    enough_ = false;
    use_ = &use;
    place(0, first);
  }

 private:
  void extend(size_t at) {
    if (at == order_.size()) {
      enough_ = !(*use_)(image_);
      return;
    }
    const NodeId beside = image_[index(parent_[index(order_[at])])];
    for (const ArcId arc : net_.arcs_from(beside)) {
      if (enough_) return;
      place(at, net_.head(arc));
    }
  }
  void place(size_t at, NodeId to) {
    const NodeId v = order_[at];
    if (taken_[index(to)] || trials_ == 0 || !fits(v, to)) return;
    --trials_;
    taken_[index(to)] = true;
    image_[index(v)] = to;
    extend(at + 1);
    image_[index(v)] = kNoNode;
    taken_[index(to)] = false;
  }
  [[nodiscard]] bool fits(NodeId v, NodeId to) const {
    if (v == to || net_.out_degree(v) != net_.out_degree(to) ||
        net_.rank(v).has_value() != net_.rank(to).has_value())
      return false;
    for (const ArcId arc : net_.arcs_from(v)) {
      const NodeId other = image_[index(net_.head(arc))];
      if (other == kNoNode) continue;
      if (kind_at(to, other) != kind_at(v, net_.head(arc))) return false;
    }
    return true;
  }

  // Of an arc its capacity, and whether there is one back; 0 where there is none.
  [[nodiscard]] uint64_t& kind_at(NodeId tail, NodeId head) {
    return arcs_[index(tail) * net_.num_nodes() + index(head)];
  }
  [[nodiscard]] uint64_t kind_at(NodeId tail, NodeId head) const {
    return arcs_[index(tail) * net_.num_nodes() + index(head)];
  }

  const Topology& net_;
  std::vector<NodeId> order_;
  std::vector<NodeId> parent_;
  std::vector<NodeId> image_;
  std::vector<bool> taken_;
  std::vector<uint64_t> arcs_;  // by tail and head
  uint64_t trials_ = 0;
  bool enough_ = false;
  const Use* use_ = nullptr;
};

bool moves_all(const std::vector<NodeId>& image) {
  for (size_t v = 0; v < image.size(); ++v) {
    if (index(image[v]) == v) return false;
  }
  return true;
}

// All that some automorphisms generate; nothing where one of it but the identity leaves a node where it is.
std::optional<FreeGroup> generated_by(const Topology& topology,
                                      std::initializer_list<const std::vector<NodeId>*> generators) {
  FreeGroup out = identity_of(topology);
  // Of a free group each element is told by where it takes node 0.
  std::vector<size_t> element(topology.num_nodes(), SIZE_MAX);
  element[0] = 0;
  for (size_t e = 0; e < out.images.size(); ++e) {
    for (const std::vector<NodeId>* generator : generators) {
      std::vector<NodeId> next = out.images[e];
      for (NodeId& v : next) v = (*generator)[index(v)];
      size_t& same = element[index(next[0])];
      if (same != SIZE_MAX) {
        if (out.images[same] != next) return std::nullopt;
        continue;
      }
      if (!moves_all(next)) return std::nullopt;
      same = out.images.size();
      out.images.push_back(std::move(next));
    }
  }
  return out;
}

// Whether arcs go to arcs: a directed graph is looked at from the tails alone in the search.
bool keeps_arcs(const Topology& topology, const std::vector<NodeId>& image) {
  for (const ArcId arc : topology.arcs()) {
    if (!topology.find_arc(image[index(topology.tail(arc))], image[index(topology.head(arc))])) return false;
  }
  return true;
}

// What one automorphism generates, and what two of those do.
std::vector<FreeGroup> searched_groups(const Topology& topology) {
  constexpr size_t kMostGenerators = 24;
  std::vector<FreeGroup> out;
  Automorphisms search(topology);
  const uint64_t trials = kMostTrials / topology.num_nodes();
  for (const NodeId first : topology.nodes()) {
    if (first == NodeId{0}) continue;
    search.for_each(first, trials, [&](const std::vector<NodeId>& image) {
      if (out.size() == kMostGenerators) return false;
      if (!moves_all(image) || !keeps_arcs(topology, image)) return true;
      std::optional<FreeGroup> group = generated_by(topology, {&image});
      if (!group) return true;
      out.push_back(*std::move(group));
      return false;
    });
  }
  const size_t cyclic = out.size();
  for (size_t i = 0; i < cyclic; ++i) {
    for (size_t j = i + 1; j < cyclic; ++j) {
      if (auto both = generated_by(topology, {&out[i].images[1], &out[j].images[1]}))
        out.push_back(*std::move(both));
    }
  }
  return out;
}

std::vector<FreeGroup> find_free_groups(const Topology& topology) {
  const bool is_cayley = topology.cayley() != nullptr && !topology.has_routers();
  std::vector<FreeGroup> out = is_cayley ? translation_groups(topology) : searched_groups(topology);
  std::stable_sort(out.begin(), out.end(),
                   [](const FreeGroup& a, const FreeGroup& b) { return a.order() > b.order(); });
  std::vector<FreeGroup> kept;
  size_t same = 0;
  for (FreeGroup& group : out) {
    same = !kept.empty() && kept.back().order() == group.order() ? same + 1 : 0;
    if (same < kMostOfOneOrder) kept.push_back(std::move(group));
  }
  kept.push_back(identity_of(topology));
  return kept;
}

}  // namespace

std::shared_ptr<const std::vector<FreeGroup>> free_groups(const Topology& topology) {
  // Its name says which structure it is known to have.
  static LastAnswers<std::string, std::shared_ptr<const std::vector<FreeGroup>>> kept(4);
  return kept.of(topology, topology.name(),
                 [&] { return std::make_shared<const std::vector<FreeGroup>>(find_free_groups(topology)); });
}

}  // namespace quadrille
