#include "quadrille/topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/topology/products/outline.h"

namespace quadrille {

uint32_t ProductStructure::coordinate(NodeId node, size_t dimension) const {
  return static_cast<uint32_t>(index(node)) / strides[dimension] % factors[dimension].num_nodes();
}

NodeId ProductStructure::with_coordinate(NodeId node, size_t dimension, uint32_t value) const {
  const auto number = static_cast<uint32_t>(index(node));
  return NodeId{number + (value - coordinate(node, dimension)) * strides[dimension]};
}

uint32_t TreeStructure::level(NodeId node) const {
  const auto above = std::upper_bound(first.begin(), first.end(), static_cast<uint32_t>(index(node)));
  return static_cast<uint32_t>(above - first.begin()) - 1;
}

NodeId TreeStructure::parent(NodeId node) const {
  const uint32_t l = level(node);
  QUADRILLE_CHECK(l < height(), "the root has no parent");
  return NodeId{first[l + 1] + (static_cast<uint32_t>(index(node)) - first[l]) / arity[l]};
}

void CayleyStructure::refuse_arc() {
  throw OutlineError("the links of this network are not listed, and this needs them one by one");
}

void Topology::refuse_links() const {
  throw OutlineError(fmt::format(
      "{} is known in outline alone: this needs its links, or its nodes, one by one, and they are not listed",
      name()));
}

std::optional<ArcId> Topology::find_arc(NodeId from, NodeId to) const {
  require_links();
  if (index(from) >= num_nodes()) return std::nullopt;
  const auto begin = data_->head.begin() + data_->arcs_begin[index(from)];
  const auto end = data_->head.begin() + data_->arcs_begin[index(from) + 1];
  // Where all are neighbours a search would miss the cache ten times.
  const auto guess = static_cast<ptrdiff_t>(index(to)) - (to > from ? 1 : 0);
  if (guess < end - begin && begin[guess] == to) return id_at<ArcId>(begin + guess - data_->head.begin());
  const auto at = std::lower_bound(begin, end, to);
  if (at == end || *at != to) return std::nullopt;
  return id_at<ArcId>(at - data_->head.begin());
}

std::optional<Rank> Topology::rank(NodeId node) const {
  if (data_->rank.empty()) return Rank{static_cast<uint32_t>(index(node))};
  const Rank rank = data_->rank[index(node)];
  if (index(rank) == kMaxIds) return std::nullopt;
  return rank;
}

std::string Topology::label(NodeId node) const {
  if (index(node) >= num_nodes()) return fmt::format("{}", index(node));
  if (!data_->labels.empty()) return data_->labels[index(node)];
  if (const ProductStructure* structure = product()) {
    std::string out = "(";
    for (size_t i = 0; i < structure->factors.size(); ++i) {
      if (i > 0) out += ',';
      out += structure->factors[i].label(NodeId{structure->coordinate(node, i)});
    }
    return out + ')';
  }
  if (const TreeStructure* structure = tree()) {
    const uint32_t level = structure->level(node);
    if (level == 0) return fmt::format("{}", index(node));
    return fmt::format("{}@{}", index(node) - structure->first[level], level);
  }
  if (const CayleyStructure* structure = cayley()) {
    return structure->group->element_text(static_cast<uint32_t>(index(node)));
  }
  return fmt::format("{}", index(node));
}

Topology Topology::with(std::shared_ptr<const LinkRates> link_rates, std::vector<std::string> remarks) const {
  auto data = std::make_shared<Data>(*data_);
  data->link_rates = std::move(link_rates);
  data->remarks = std::move(remarks);
  return Topology(std::move(data));
}

bool Topology::same_graph(const Topology& other) const {
  if (is_outline() || other.is_outline()) {
    return is_outline() && other.is_outline() &&
           std::ranges::equal(product()->factors, other.product()->factors,
                              [](const Topology& a, const Topology& b) { return a.same_graph(b); });
  }
  return data_ == other.data_ ||
         (data_->arcs_begin == other.data_->arcs_begin && data_->head == other.data_->head &&
          data_->capacity == other.data_->capacity && data_->endpoints == other.data_->endpoints);
}

TopologyBuilder::TopologyBuilder(std::string name, uint64_t num_nodes) {
  if (num_nodes == 0) throw InputError(fmt::format("{} has no nodes", name));
  if (num_nodes >= kMaxIds) {
    throw InputError(
        fmt::format("{} has {} nodes; at most {} can be numbered", name, num_nodes, kMaxIds - 1));
  }
  data_.name = std::move(name);
  num_nodes_ = data_.num_nodes = static_cast<uint32_t>(num_nodes);
}

void TopologyBuilder::reserve_arcs(uint64_t arcs) {
  if (arcs >= kMaxIds) {
    throw InputError(
        fmt::format("{} has {} arcs; at most {} can be numbered", data_.name, arcs, kMaxIds - 1));
  }
  pending_.reserve(arcs);
}

void TopologyBuilder::arc(NodeId tail, NodeId head, uint32_t capacity) {
  for (const NodeId end : {tail, head}) {
    if (index(end) >= num_nodes_) {
      throw InputError(fmt::format("{} has nodes 0 to {}, not {}", data_.name, num_nodes_ - 1, index(end)));
    }
  }
  if (tail == head) throw InputError(fmt::format("{}: node {} is linked to itself", data_.name, index(tail)));
  if (capacity == 0) {
    throw InputError(fmt::format("{}: the link from {} to {} has capacity 0, at least 1 is needed",
                                 data_.name, index(tail), index(head)));
  }
  if (pending_.size() + 1 >= kMaxIds) {
    throw InputError(fmt::format("{} has more arcs than can be numbered ({})", data_.name, kMaxIds - 1));
  }
  pending_.push_back({tail, head, capacity});
}

void TopologyBuilder::link(NodeId a, NodeId b, uint32_t capacity) {
  arc(a, b, capacity);
  arc(b, a, capacity);
}

void TopologyBuilder::endpoints(std::vector<NodeId> nodes) {
  std::sort(nodes.begin(), nodes.end());
  if (nodes.empty()) throw InputError(fmt::format("{} has no endpoints", data_.name));
  if (const auto twice = std::adjacent_find(nodes.begin(), nodes.end()); twice != nodes.end()) {
    throw InputError(fmt::format("{}: endpoint {} is listed twice", data_.name, index(*twice)));
  }
  if (index(nodes.back()) >= num_nodes_) {
    throw InputError(
        fmt::format("{} has nodes 0 to {}, not {}", data_.name, num_nodes_ - 1, index(nodes.back())));
  }
  data_.endpoints = std::move(nodes);
}

void TopologyBuilder::labels(std::vector<std::string> labels) {
  QUADRILLE_CHECK(labels.size() == num_nodes_, fmt::format("{} labels, {} nodes", labels.size(), num_nodes_));
  data_.labels = std::move(labels);
}

void TopologyBuilder::product(std::vector<Topology> factors) {
  ProductStructure structure;
  structure.strides.resize(factors.size());
  uint64_t stride = 1;
  for (size_t i = factors.size(); i-- > 0;) {
    structure.strides[i] = static_cast<uint32_t>(stride);
    stride *= factors[i].num_nodes();
  }
  QUADRILLE_CHECK(stride == num_nodes_, fmt::format("product of {} nodes, graph of {}", stride, num_nodes_));
  structure.factors = std::move(factors);
  data_.product = std::move(structure);
}

void TopologyBuilder::cayley(std::shared_ptr<const Group> group, std::vector<uint32_t> generators,
                             std::vector<uint32_t> capacities) {
  QUADRILLE_CHECK(group->order() == num_nodes_,
                  fmt::format("group of {}, graph of {}", group->order(), num_nodes_));
  QUADRILLE_CHECK(capacities.empty() || capacities.size() == generators.size(), "one capacity per generator");
  reserve_arcs(uint64_t{num_nodes_} * generators.size());
  std::vector<uint32_t> to(num_nodes_);
  for (size_t k = 0; k < generators.size(); ++k) {
    const uint32_t g = generators[k];
    if (g == 0) throw InputError(fmt::format("{}: the identity cannot be a generator", data_.name));
    if (std::find(generators.begin(), generators.end(), group->inverse(g)) == generators.end()) {
      throw InputError(fmt::format("{}: generator {} has no inverse among the generators; add {}", data_.name,
                                   group->element_text(g), group->element_text(group->inverse(g))));
    }
    if (std::count(generators.begin(), generators.end(), g) != 1) {
      throw InputError(fmt::format("{}: generator {} is listed twice", data_.name, group->element_text(g)));
    }
    group->right_translation(g, to);
    for (uint32_t x = 0; x < num_nodes_; ++x) {
      pending_.push_back({NodeId{x}, NodeId{to[x]}, capacities.empty() ? 1 : capacities[k]});
    }
  }
  also_cayley(std::move(group), std::move(generators));
}

void TopologyBuilder::also_cayley(std::shared_ptr<const Group> group, std::vector<uint32_t> generators) {
  std::sort(generators.begin(), generators.end());
  CayleyStructure structure;
  structure.inverses.reserve(generators.size());
  for (const uint32_t g : generators) {
    const auto at = std::lower_bound(generators.begin(), generators.end(), group->inverse(g));
    QUADRILLE_CHECK(at != generators.end() && *at == group->inverse(g), "generators closed under inverses");
    structure.inverses.push_back(static_cast<uint32_t>(at - generators.begin()));
  }
  structure.group = std::move(group);
  structure.generators = std::move(generators);
  data_.cayley = std::move(structure);
}

void TopologyBuilder::tree(std::vector<uint32_t> arity, std::vector<uint32_t> capacity, bool routers) {
  QUADRILLE_CHECK(arity.size() == capacity.size(), "one arity and one capacity per level");
  TreeStructure structure;
  structure.first.resize(arity.size() + 2);
  uint64_t width = 1;
  uint64_t last = num_nodes_;
  structure.first.back() = num_nodes_;
  for (size_t l = arity.size() + 1; l-- > 0;) {
    last -= std::min(width, last);
    structure.first[l] = static_cast<uint32_t>(last);
    if (l > 0) width *= arity[l - 1];
  }
  QUADRILLE_CHECK(last == 0 && structure.first[1] == width,
                  fmt::format("tree numbering: {} {}", last, width));
  structure.arity = std::move(arity);
  structure.capacity = std::move(capacity);
  reserve_arcs(2 * (uint64_t{num_nodes_} - 1));
  for (uint32_t v = 0; v + 1 < num_nodes_; ++v) {
    const NodeId child{v};
    link(child, structure.parent(child), structure.capacity[structure.level(child)]);
  }
  if (routers) {
    data_.endpoints.clear();
    for (uint32_t leaf = 0; leaf < structure.first[1]; ++leaf) data_.endpoints.push_back(NodeId{leaf});
  }
  data_.tree = std::move(structure);
}

Topology TopologyBuilder::build() {
  sort_arcs();
  find_reverses();
  if (!data_.capacity.empty()) {
    const auto [narrowest, widest] = std::ranges::minmax(data_.capacity);
    data_.narrowest = narrowest;
    data_.widest = widest;
  }
  if (data_.endpoints.empty()) {
    data_.endpoints.resize(num_nodes_);
    for (uint32_t v = 0; v < num_nodes_; ++v) data_.endpoints[v] = NodeId{v};
  }
  if (data_.endpoints.size() != num_nodes_) {
    data_.rank.assign(num_nodes_, Rank{static_cast<uint32_t>(kMaxIds)});
    for (uint32_t r = 0; r < data_.endpoints.size(); ++r) data_.rank[index(data_.endpoints[r])] = Rank{r};
  }
  check_connected();
  if (data_.cayley) index_generators();
  return Topology(std::make_shared<const Topology::Data>(std::move(data_)));
}

Topology TopologyBuilder::build_outline() {
  QUADRILLE_CHECK(pending_.empty() && data_.product && data_.endpoints.empty(), data_.name);
  data_.is_outline = true;
  data_.directed = std::ranges::any_of(data_.product->factors, &Topology::is_directed);
  return Topology(std::make_shared<const Topology::Data>(std::move(data_)));
}

// Counting sort by tail, then a short sort per node: linear for bounded degree.
void TopologyBuilder::sort_arcs() {
  std::vector<uint32_t> begin(size_t{num_nodes_} + 1, 0);
  for (const PendingArc& a : pending_) ++begin[index(a.tail) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<PendingArc> sorted(pending_.size());
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (const PendingArc& a : pending_) sorted[next[index(a.tail)]++] = a;
  std::vector<PendingArc>().swap(pending_);

  data_.arcs_begin.reserve(size_t{num_nodes_} + 1);
  data_.arcs_begin.push_back(0);
  data_.head.reserve(sorted.size());
  data_.capacity.reserve(sorted.size());
  data_.tail.reserve(sorted.size());
  for (uint32_t v = 0; v < num_nodes_; ++v) {
    const auto first = sorted.begin() + begin[v];
    const auto last = sorted.begin() + begin[v + 1];
    std::sort(first, last, [](const PendingArc& a, const PendingArc& b) { return a.head < b.head; });
    for (auto a = first; a != last; ++a) {
      if (data_.head.size() > data_.arcs_begin.back() && data_.head.back() == a->head) {
        uint32_t& sum = data_.capacity.back();
        if (__builtin_add_overflow(sum, a->capacity, &sum)) {
          throw InputError(
              fmt::format("{}: the capacity from {} to {} is too large", data_.name, v, index(a->head)));
        }
        continue;
      }
      data_.tail.push_back(a->tail);
      data_.head.push_back(a->head);
      data_.capacity.push_back(a->capacity);
    }
    data_.arcs_begin.push_back(static_cast<uint32_t>(data_.head.size()));
  }
}

// Arcs sorted by (tail, head) visit, for a fixed head, their tails in ascending order: one cursor a node
// finds all.
void TopologyBuilder::find_reverses() {
  data_.reverse.assign(data_.head.size(), kNoArc);
  std::vector<uint32_t> cursor(data_.arcs_begin.begin(), data_.arcs_begin.end() - 1);
  for (uint32_t a = 0; a < data_.head.size(); ++a) {
    const size_t v = index(data_.head[a]);
    uint32_t& at = cursor[v];
    while (at < data_.arcs_begin[v + 1] && data_.head[at] < data_.tail[a]) ++at;
    if (at < data_.arcs_begin[v + 1] && data_.head[at] == data_.tail[a]) {
      data_.reverse[a] = ArcId{at};
    } else {
      data_.directed = true;
    }
  }
}

void TopologyBuilder::check_connected() const {
  // Forwards from the first endpoint, then, in a directed graph, backwards to it. Who is cut off is an endpoint, if
  // any is: a switch that nobody reaches is the smaller loss.
  const size_t first = index(data_.endpoints.front());
  std::vector<uint32_t> begin = data_.arcs_begin;
  std::vector<NodeId> next = data_.head;
  for (const bool backwards : {false, true}) {
    if (backwards) {
      if (!data_.directed) return;
      begin.assign(begin.size(), 0);
      for (const NodeId head : data_.head) ++begin[index(head) + 1];
      std::partial_sum(begin.begin(), begin.end(), begin.begin());
      std::vector<uint32_t> cursor(begin.begin(), begin.end() - 1);
      for (size_t a = 0; a < data_.head.size(); ++a) next[cursor[index(data_.head[a])]++] = data_.tail[a];
    }
    std::vector<char> seen(num_nodes_, 0);
    std::vector<uint32_t> queue{static_cast<uint32_t>(first)};
    seen[first] = 1;
    for (size_t i = 0; i < queue.size(); ++i) {
      for (uint32_t a = begin[queue[i]]; a < begin[queue[i] + 1]; ++a) {
        const auto v = static_cast<uint32_t>(index(next[a]));
        if (seen[v] == 0) {
          seen[v] = 1;
          queue.push_back(v);
        }
      }
    }
    if (queue.size() != num_nodes_) {
      auto lost = static_cast<size_t>(std::find(seen.begin(), seen.end(), 0) - seen.begin());
      const auto cut_off = std::find_if(data_.endpoints.begin(), data_.endpoints.end(),
                                        [&](NodeId endpoint) { return seen[index(endpoint)] == 0; });
      if (cut_off != data_.endpoints.end()) lost = index(*cut_off);
      const auto name = [this](size_t node) {
        return data_.labels.empty() ? fmt::format("{}", node) : data_.labels[node];
      };
      const std::string one = name(first);
      const std::string other = name(lost);
      throw InputError(fmt::format("{} is not connected: node {} cannot be reached from node {}", data_.name,
                                   backwards ? one : other, backwards ? other : one));
    }
  }
}

void TopologyBuilder::index_generators() {
  CayleyStructure& structure = *data_.cayley;
  const size_t degree = structure.generators.size();
  QUADRILLE_CHECK(structure.group->order() == num_nodes_ && data_.head.size() == degree * num_nodes_,
                  fmt::format("{}: {} arcs, group of {}, {} generators", data_.name, data_.head.size(),
                              structure.group->order(), degree));
  structure.arcs.resize(data_.head.size());
  std::vector<uint32_t> to(num_nodes_);
  for (size_t k = 0; k < degree; ++k) {
    structure.group->right_translation(structure.generators[k], to);
    for (uint32_t x = 0; x < num_nodes_; ++x) {
      const auto begin = data_.head.begin() + data_.arcs_begin[x];
      const auto end = data_.head.begin() + data_.arcs_begin[x + 1];
      const auto at = std::lower_bound(begin, end, NodeId{to[x]});
      QUADRILLE_CHECK(at != end && *at == NodeId{to[x]},
                      fmt::format("{}: no arc {} -> {}", data_.name, x, to[x]));
      structure.arcs[x * degree + k] = id_at<ArcId>(at - data_.head.begin());
    }
  }
}

}  // namespace quadrille
