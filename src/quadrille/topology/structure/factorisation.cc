#include "quadrille/topology/structure/factorisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/base/disjoint_sets.h"

namespace quadrille {
namespace factorisation_parts {
namespace {

constexpr uint64_t kMostWork = 1'000'000'000;

// A link without its direction: what is between two nodes, and how it looks from the one of less number.
struct Link {
  uint32_t a, b;
  uint32_t there, back;  // capacities, 0 where there is no arc
};

struct Neighbour {
  uint32_t node, link;
};

class Links {
 public:
  explicit Links(const Topology& topology) : begin_(topology.num_nodes() + 1, 0) {
    for (const ArcId arc : topology.arcs()) {
      const auto tail = static_cast<uint32_t>(index(topology.tail(arc)));
      const auto head = static_cast<uint32_t>(index(topology.head(arc)));
      const ArcId reverse = topology.reverse(arc);
      if (reverse != kNoArc && head < tail) continue;
      const uint32_t capacity = topology.capacity(arc);
      const uint32_t back = reverse == kNoArc ? 0 : topology.capacity(reverse);
      all_.push_back(tail < head ? Link{tail, head, capacity, back} : Link{head, tail, back, capacity});
    }
    for (const Link& link : all_) {
      ++begin_[link.a + 1];
      ++begin_[link.b + 1];
    }
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    around_.resize(2 * all_.size());
    std::vector<uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (uint32_t k = 0; k < all_.size(); ++k) {
      around_[next[all_[k].a]++] = {all_[k].b, k};
      around_[next[all_[k].b]++] = {all_[k].a, k};
    }
    for (uint32_t v = 0; v + 1 < begin_.size(); ++v)
      std::sort(around_.begin() + begin_[v], around_.begin() + begin_[v + 1],
                [](const Neighbour& x, const Neighbour& y) { return x.node < y.node; });
  }

  [[nodiscard]] const std::vector<Link>& all() const { return all_; }
  [[nodiscard]] std::span<const Neighbour> around(uint32_t v) const {
    return {around_.data() + begin_[v], begin_[v + 1] - begin_[v]};
  }
  [[nodiscard]] uint32_t nodes() const { return static_cast<uint32_t>(begin_.size() - 1); }
  [[nodiscard]] std::optional<uint32_t> between(uint32_t v, uint32_t w) const {
    const auto near = around(v);
    const auto at = std::lower_bound(near.begin(), near.end(), w,
                                     [](const Neighbour& x, uint32_t node) { return x.node < node; });
    if (at == near.end() || at->node != w) return std::nullopt;
    return at->link;
  }
  // What leads from v over the link, and back.
  [[nodiscard]] std::pair<uint32_t, uint32_t> seen_from(uint32_t v, uint32_t link) const {
    const Link& l = all_[link];
    return l.a == v ? std::pair(l.there, l.back) : std::pair(l.back, l.there);
  }

 private:
  std::vector<Link> all_{};
  std::vector<uint32_t> begin_;
  std::vector<Neighbour> around_{};
};

// The other node next to both v and w, where there is exactly one besides u.
std::optional<uint32_t> only_other(const Links& links, uint32_t u, uint32_t v, uint32_t w) {
  std::optional<uint32_t> out;
  const auto a = links.around(v);
  const auto b = links.around(w);
  for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].node < b[j].node) {
      ++i;
    } else if (a[i].node > b[j].node) {
      ++j;
    } else {
      const uint32_t x = a[i].node;
      ++i;
      ++j;
      if (x == u) continue;
      if (out) return std::nullopt;
      out = x;
    }
  }
  return out;
}

void join_by_squares(const Links& links, DisjointSets& classes) {
  for (uint32_t u = 0; u < links.nodes() && classes.count() > 1; ++u) {
    const auto near = links.around(u);
    for (size_t i = 0; i < near.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const auto [v, uv] = near[i];
        const auto [w, uw] = near[j];
        if (classes.of(uv) == classes.of(uw)) continue;
        std::optional<uint32_t> x;
        if (!links.between(v, w)) x = only_other(links, u, v, w);
        if (!x || links.between(u, *x)) {
          classes.join(uv, uw);
          continue;
        }
        const uint32_t wx = *links.between(w, *x);
        const uint32_t vx = *links.between(v, *x);
        classes.join(uv, wx);
        classes.join(uw, vx);
        // What lies side by side in a product is alike.
        if (links.seen_from(u, uv) != links.seen_from(w, wx) ||
            links.seen_from(u, uw) != links.seen_from(v, vx))
          classes.join(uv, uw);
      }
    }
  }
}

std::vector<uint32_t> hops_from(const Links& links, uint32_t from) {
  std::vector<uint32_t> out(links.nodes(), UINT32_MAX);
  std::vector<uint32_t> reached{from};
  out[from] = 0;
  for (size_t k = 0; k < reached.size(); ++k) {
    for (const Neighbour& n : links.around(reached[k])) {
      if (out[n.node] != UINT32_MAX) continue;
      out[n.node] = out[reached[k]] + 1;
      reached.push_back(n.node);
    }
  }
  return out;
}

// The rest, from every link of a tree.
void join_by_distances(const Links& links, DisjointSets& classes) {
  const std::vector<uint32_t> depth = hops_from(links, 0);
  for (uint32_t v = 1; v < links.nodes() && classes.count() > 1; ++v) {
    for (const Neighbour& up : links.around(v)) {
      if (depth[up.node] + 1 != depth[v]) continue;
      const std::vector<uint32_t> x = hops_from(links, v);
      const std::vector<uint32_t> y = hops_from(links, up.node);
      for (uint32_t k = 0; k < links.all().size(); ++k) {
        const Link& l = links.all()[k];
        if (x[l.a] + y[l.b] != x[l.b] + y[l.a]) classes.join(k, up.link);
      }
      break;
    }
  }
}

// A factor for each class, as far as it goes: the coordinates, and whether the product is the network.
class Coordinates {
 public:
  Coordinates(const Topology& topology, const Links& links, DisjointSets& classes)
      : topology_(topology), links_(links), class_of_(links.all().size()) {
    std::map<uint32_t, uint32_t> number;
    for (uint32_t k = 0; k < class_of_.size(); ++k)
      class_of_[k] = number.try_emplace(classes.of(k), static_cast<uint32_t>(number.size())).first->second;
    count_ = static_cast<uint32_t>(number.size());
  }

  // Each factor's coordinates are what is connected by the links of the others.
  std::optional<Factorisation> made() {
    // A product of more than 2^k nodes has at most k factors.
    if (count_ > 32 || (uint64_t{1} << count_) > links_.nodes()) return std::nullopt;
    of_class_.assign(count_, std::vector<uint32_t>(links_.nodes()));
    sides_.assign(count_, 0);
    uint64_t nodes = 1;
    for (uint32_t c = 0; c < count_; ++c) {
      sides_[c] = number(c);
      nodes *= sides_[c];
      if (nodes > links_.nodes()) return std::nullopt;
    }
    if (nodes != links_.nodes() || !places_differ()) return std::nullopt;
    return multiplied_out();
  }

  // Which of the classes cannot be told apart by their endpoints: those without which the others are no product.
  [[nodiscard]] std::vector<uint32_t> bound_by_roles() const {
    std::vector<uint32_t> out;
    if (!topology_.has_routers()) return out;
    for (uint32_t c = 0; c < count_; ++c) {
      std::set<uint32_t> own;
      std::set<std::vector<uint32_t>> others;
      for (const NodeId e : topology_.endpoints()) {
        own.insert(of_class_[c][index(e)]);
        std::vector<uint32_t> rest;
        for (uint32_t d = 0; d < count_; ++d)
          if (d != c) rest.push_back(of_class_[d][index(e)]);
        others.insert(std::move(rest));
      }
      if (own.size() * others.size() != topology_.num_endpoints()) out.push_back(c);
    }
    return out;
  }

  [[nodiscard]] uint32_t class_of(uint32_t link) const { return class_of_[link]; }

 private:
  uint32_t number(uint32_t c) {
    std::vector<uint32_t>& out = of_class_[c];
    std::fill(out.begin(), out.end(), UINT32_MAX);
    uint32_t next = 0;
    std::vector<uint32_t> reached;
    for (uint32_t start = 0; start < links_.nodes(); ++start) {
      if (out[start] != UINT32_MAX) continue;
      reached.assign(1, start);
      out[start] = next;
      for (size_t k = 0; k < reached.size(); ++k) {
        for (const Neighbour& n : links_.around(reached[k])) {
          if (class_of_[n.link] == c || out[n.node] != UINT32_MAX) continue;
          out[n.node] = next;
          reached.push_back(n.node);
        }
      }
      ++next;
    }
    return next;
  }

  bool places_differ() const {
    std::vector<bool> taken(links_.nodes(), false);
    for (uint32_t v = 0; v < links_.nodes(); ++v) {
      uint32_t place = 0;
      for (uint32_t c = 0; c < count_; ++c) place = place * sides_[c] + of_class_[c][v];
      if (taken[place]) return false;
      taken[place] = true;
    }
    return true;
  }

  // Every link of a factor has to be there at all places of the others, and alike.
  std::optional<Factorisation> multiplied_out() const {
    using Pair = std::pair<uint32_t, uint32_t>;
    std::vector<std::map<Pair, Pair>> of_factor(count_);
    std::vector<uint64_t> found(count_, 0);
    for (uint32_t k = 0; k < links_.all().size(); ++k) {
      const uint32_t c = class_of_[k];
      uint32_t v = links_.all()[k].a;
      uint32_t w = links_.all()[k].b;
      if (of_class_[c][v] > of_class_[c][w]) std::swap(v, w);
      if (of_class_[c][v] == of_class_[c][w]) return std::nullopt;
      const Pair looks = links_.seen_from(v, k);
      const auto at = of_factor[c].try_emplace({of_class_[c][v], of_class_[c][w]}, looks).first;
      if (at->second != looks) return std::nullopt;
      ++found[c];
    }
    for (uint32_t c = 0; c < count_; ++c)
      if (found[c] != of_factor[c].size() * (links_.nodes() / sides_[c])) return std::nullopt;
    return put_together(of_factor);
  }

  std::optional<Factorisation> put_together(
      const std::vector<std::map<std::pair<uint32_t, uint32_t>, std::pair<uint32_t, uint32_t>>>& of_factor)
      const {
    std::vector<uint32_t> order(count_);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](uint32_t c, uint32_t d) { return sides_[c] < sides_[d]; });
    Factorisation out;
    for (const uint32_t c : order) {
      TopologyBuilder builder(fmt::format("a factor of {}", topology_.name()), sides_[c]);
      for (const auto& [ends, looks] : of_factor[c]) {
        if (looks.first != 0) builder.arc(NodeId{ends.first}, NodeId{ends.second}, looks.first);
        if (looks.second != 0) builder.arc(NodeId{ends.second}, NodeId{ends.first}, looks.second);
      }
      std::set<uint32_t> ends;
      for (const NodeId e : topology_.endpoints()) ends.insert(of_class_[c][index(e)]);
      if (ends.size() != sides_[c]) {
        std::vector<NodeId> nodes;
        for (const uint32_t e : ends) nodes.push_back(NodeId{e});
        builder.endpoints(std::move(nodes));
      }
      out.factors.push_back(builder.build());
    }
    out.coordinates.reserve(uint64_t{links_.nodes()} * count_);
    for (uint32_t v = 0; v < links_.nodes(); ++v)
      for (const uint32_t c : order) out.coordinates.push_back(of_class_[c][v]);
    return out;
  }

  const Topology& topology_;
  const Links& links_;
  std::vector<uint32_t> class_of_;
  uint32_t count_ = 0;
  std::vector<std::vector<uint32_t>> of_class_{};
  std::vector<uint32_t> sides_{};
};

std::optional<Factorisation> with_roles(const Topology& topology, const Links& links, DisjointSets& classes) {
  Coordinates coordinates(topology, links, classes);
  std::optional<Factorisation> out = coordinates.made();
  if (!out) return std::nullopt;
  const std::vector<uint32_t> bound = coordinates.bound_by_roles();
  if (bound.empty()) return out;
  std::optional<uint32_t> first;
  for (uint32_t k = 0; k < links.all().size(); ++k) {
    if (std::find(bound.begin(), bound.end(), coordinates.class_of(k)) == bound.end()) continue;
    if (!first) first = k;
    classes.join(k, *first);
  }
  if (classes.count() == 1) return std::nullopt;
  return Coordinates(topology, links, classes).made();
}

Factorisation prime(const Topology& topology) {
  Factorisation out{{topology}};
  out.coordinates.resize(topology.num_nodes());
  std::iota(out.coordinates.begin(), out.coordinates.end(), 0U);
  return out;
}

}  // namespace
}  // namespace factorisation_parts

Factorisation prime_factors(const Topology& topology) {
  namespace parts = factorisation_parts;
  const uint32_t nodes = topology.num_nodes();
  if (nodes < 4 || nodes > kMostNodesToFactor) return parts::prime(topology);
  uint64_t work = uint64_t{topology.num_arcs()} * nodes;
  for (const NodeId v : topology.nodes()) {
    const uint64_t degree = topology.out_degree(v);
    work += degree * degree * degree / 2;
  }
  if (work > parts::kMostWork) return parts::prime(topology);
  const parts::Links links(topology);
  DisjointSets classes(links.all().size());
  parts::join_by_squares(links, classes);
  if (classes.count() == 1) return parts::prime(topology);
  std::optional<Factorisation> out = parts::with_roles(topology, links, classes);
  if (!out) {
    parts::join_by_distances(links, classes);
    if (classes.count() > 1) out = parts::with_roles(topology, links, classes);
  }
  return out ? std::move(*out) : parts::prime(topology);
}

}  // namespace quadrille
