#include "quadrille/topology/structure/isomorphism.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/structure/factorisation.h"

namespace quadrille {
namespace isomorphism_parts {
namespace {

constexpr uint64_t kMostWork = 10'000'000;
// Smaller networks are put upon each other at once, larger ones factor by factor.
constexpr uint32_t kMostNodesAtOnce = 32;

// What a node looks like: whether it takes part, its links, and how many nodes are how far.
std::vector<uint32_t> looks_of(const Topology& topology, NodeId node) {
  std::vector<uint32_t> out{topology.rank(node) ? 1U : 0U, topology.out_degree(node)};
  for (const uint32_t hops : distances_from(topology, node)) {
    if (out.size() <= hops + 2) out.resize(hops + 3, 0);
    ++out[hops + 2];
  }
  return out;
}

class Search {
 public:
  Search(const Topology& from, const Topology& to) : from_(from), to_(to) {}

  std::optional<std::vector<NodeId>> run() {
    if (from_.num_nodes() != to_.num_nodes() || from_.num_arcs() != to_.num_arcs() ||
        from_.num_endpoints() != to_.num_endpoints())
      return std::nullopt;
    if (!same_looks()) return std::nullopt;
    put_in_order();
    image_.assign(from_.num_nodes(), kNoNode);
    taken_.assign(to_.num_nodes(), false);
    if (place(0)) return image_;
    return std::nullopt;
  }

 private:
  bool same_looks() {
    std::map<std::vector<uint32_t>, uint32_t> kinds;
    std::vector<uint32_t> count;
    const auto kind_of = [&](const Topology& topology, NodeId node) {
      const auto [at, is_new] =
          kinds.try_emplace(looks_of(topology, node), static_cast<uint32_t>(kinds.size()));
      if (is_new) count.push_back(0);
      return at->second;
    };
    for (const NodeId v : from_.nodes()) {
      from_kind_.push_back(kind_of(from_, v));
      ++count[from_kind_.back()];
    }
    for (const NodeId v : to_.nodes()) {
      to_kind_.push_back(kind_of(to_, v));
      if (count[to_kind_.back()]-- == 0) return false;
    }
    return true;
  }

  // Each after one of its neighbours.
  void put_in_order() {
    std::vector<bool> seen(from_.num_nodes(), false);
    order_.assign(1, NodeId{0});
    seen[0] = true;
    for (size_t k = 0; k < order_.size(); ++k) {
      for (const ArcId arc : from_.arcs_from(order_[k])) {
        const NodeId next = from_.head(arc);
        if (seen[index(next)]) continue;
        seen[index(next)] = true;
        parent_.push_back(order_[k]);
        order_.push_back(next);
      }
    }
  }

  bool place(size_t k) {
    if (k == order_.size()) return true;
    const NodeId node = order_[k];
    if (k == 0) {
      for (const NodeId candidate : to_.nodes())
        if (tried(k, node, candidate)) return true;
      return false;
    }
    for (const ArcId arc : to_.arcs_from(image_[index(parent_[k - 1])]))
      if (tried(k, node, to_.head(arc))) return true;
    return false;
  }

  bool tried(size_t k, NodeId node, NodeId candidate) {
    if (taken_[index(candidate)] || work_ > kMostWork || !fits(node, candidate)) return false;
    image_[index(node)] = candidate;
    taken_[index(candidate)] = true;
    if (place(k + 1)) return true;
    image_[index(node)] = kNoNode;
    taken_[index(candidate)] = false;
    return false;
  }

  // The links to and from those that have an image.
  bool fits(NodeId node, NodeId candidate) {
    if (from_kind_[index(node)] != to_kind_[index(candidate)]) return false;
    uint32_t links = 0;
    for (const ArcId arc : from_.arcs_from(node)) {
      const NodeId there = image_[index(from_.head(arc))];
      ++work_;
      if (there == kNoNode) continue;
      const std::optional<ArcId> link = to_.find_arc(candidate, there);
      if (!link || to_.capacity(*link) != from_.capacity(arc)) return false;
      if ((from_.reverse(arc) == kNoArc) != (to_.reverse(*link) == kNoArc)) return false;
      ++links;
    }
    for (const ArcId arc : to_.arcs_from(candidate))
      if (taken_[index(to_.head(arc))]) --links;
    return links == 0;
  }

  const Topology& from_;
  const Topology& to_;
  std::vector<uint32_t> from_kind_{};
  std::vector<uint32_t> to_kind_{};
  std::vector<NodeId> order_{};
  std::vector<NodeId> parent_{};  // of each but the first
  std::vector<NodeId> image_{};
  std::vector<bool> taken_{};
  uint64_t work_ = 0;
};

// The prime factors of one network are those of the other.
std::optional<std::vector<NodeId>> by_factors(const Topology& from, const Factorisation& ours,
                                              const Topology& to, const Factorisation& theirs) {
  const size_t count = ours.factors.size();
  if (theirs.factors.size() != count) return std::nullopt;
  std::vector<size_t> partner(count);
  std::vector<std::vector<NodeId>> image(count);
  std::vector<bool> taken(count, false);
  for (size_t i = 0; i < count; ++i) {
    size_t j = 0;
    for (; j < count; ++j) {
      if (taken[j] || ours.factors[i].num_nodes() != theirs.factors[j].num_nodes()) continue;
      std::optional<std::vector<NodeId>> found = Search(ours.factors[i], theirs.factors[j]).run();
      if (!found) continue;
      image[i] = std::move(*found);
      break;
    }
    if (j == count) return std::nullopt;
    taken[j] = true;
    partner[i] = j;
  }
  std::vector<uint64_t> stride(count, 1);
  for (size_t j = count - 1; j > 0; --j) stride[j - 1] = stride[j] * theirs.factors[j].num_nodes();
  std::vector<NodeId> at(to.num_nodes(), kNoNode);
  for (const NodeId v : to.nodes()) {
    uint64_t place = 0;
    for (size_t j = 0; j < count; ++j) place += stride[j] * theirs.coordinate(v, j);
    at[place] = v;
  }
  std::vector<NodeId> out(from.num_nodes());
  for (const NodeId v : from.nodes()) {
    uint64_t place = 0;
    for (size_t i = 0; i < count; ++i) place += stride[partner[i]] * index(image[i][ours.coordinate(v, i)]);
    out[index(v)] = at[place];
  }
  return out;
}

}  // namespace
}  // namespace isomorphism_parts

std::optional<std::vector<NodeId>> find_isomorphism(const Topology& from, const Topology& to) {
  namespace parts = isomorphism_parts;
  if (from.is_directed() != to.is_directed() || from.num_nodes() != to.num_nodes() ||
      from.num_arcs() != to.num_arcs() || from.num_endpoints() != to.num_endpoints())
    return std::nullopt;
  if (from.num_nodes() > parts::kMostNodesAtOnce) {
    const Factorisation ours = prime_factors(from);
    if (ours.factors.size() > 1) return parts::by_factors(from, ours, to, prime_factors(to));
  }
  return parts::Search(from, to).run();
}

}  // namespace quadrille
