#include "quadrille/algorithms/hypercubes/spanning_hypercube.h"

#include <bit>
#include <numeric>
#include <utility>

#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

// Nodes by label: each a neighbour, both ways, of all whose labels have one bit fewer. The first ones that fit, back and forth.
class LabelSearch {
 public:
  explicit LabelSearch(const Topology& graph)
      : graph_(graph), with_label_(graph.num_nodes()), is_labelled_(graph.num_nodes(), false) {}

  [[nodiscard]] std::optional<std::vector<uint32_t>> find() {
    // Whichever node is the first: where not all look alike others may do, but those of few links are as good as any.
    place(0, 0);
    if (go_on(1)) return std::move(with_label_);
    return std::nullopt;
  }

 private:
  static constexpr uint64_t kMostTried = 20'000;

  [[nodiscard]] bool are_linked(uint32_t a, uint32_t b) const {
    return graph_.find_arc(NodeId{a}, NodeId{b}).has_value() &&
           graph_.find_arc(NodeId{b}, NodeId{a}).has_value();
  }
  void place(uint32_t label, uint32_t node) {
    with_label_[label] = node;
    is_labelled_[node] = true;
  }
  [[nodiscard]] bool fits(uint32_t label, uint32_t node) const {
    for (uint32_t left = label; left > 0; left &= left - 1)
      if (!are_linked(with_label_[label ^ (left & -left)], node)) return false;
    return true;
  }

  [[nodiscard]] bool go_on(uint32_t label) {
    if (label == graph_.num_nodes()) return true;
    const uint32_t below = with_label_[label & (label - 1)];
    for (const ArcId arc : graph_.arcs_from(NodeId{below})) {
      const auto node = static_cast<uint32_t>(index(graph_.head(arc)));
      if (is_labelled_[node]) continue;
      if (++tried_ > kMostTried) return false;
      if (!fits(label, node)) continue;
      place(label, node);
      if (go_on(label + 1)) return true;
      is_labelled_[node] = false;
    }
    return false;
  }

  const Topology& graph_;
  std::vector<uint32_t> with_label_;
  std::vector<char> is_labelled_;
  uint64_t tried_ = 0;
};

std::optional<std::vector<uint32_t>> nodes_by_label(const Topology& graph) {
  const uint32_t nodes = graph.num_nodes();
  if (!std::has_single_bit(nodes) || graph.has_routers()) return std::nullopt;
  if (is_complete(graph)) {
    std::vector<uint32_t> out(nodes);
    std::iota(out.begin(), out.end(), 0U);
    return out;
  }
  if (nodes > SpanningHypercube::kMostSearched) return std::nullopt;
  return LabelSearch(graph).find();
}

}  // namespace

std::optional<SpanningHypercube> SpanningHypercube::of(const Topology& topology) {
  if (topology.has_routers() || topology.num_nodes() < 2 || !std::has_single_bit(topology.num_nodes()))
    return std::nullopt;
  SpanningHypercube out;
  const auto add = [&](const Topology& graph, uint32_t stride) {
    std::optional<std::vector<uint32_t>> found = nodes_by_label(graph);
    if (!found) return false;
    Factor factor{.stride = stride,
                  .bits = static_cast<uint32_t>(std::countr_zero(graph.num_nodes())),
                  .label_of = std::vector<uint32_t>(found->size()),
                  .with_label = *std::move(found)};
    for (uint32_t label = 0; label < factor.with_label.size(); ++label)
      factor.label_of[factor.with_label[label]] = label;
    out.dimensions_ += factor.bits;
    out.factors_.push_back(std::move(factor));
    return true;
  };
  if (const ProductStructure* product = topology.product(); product == nullptr) {
    if (topology.is_outline() || !add(topology, 1)) return std::nullopt;
  } else {
    for (size_t i = 0; i < product->factors.size(); ++i)
      if (!add(product->factors[i], product->strides[i])) return std::nullopt;
  }
  return out;
}

uint32_t SpanningHypercube::label(NodeId node) const {
  uint32_t out = 0;
  for (const Factor& factor : factors_) {
    const auto coordinate = (static_cast<uint32_t>(index(node)) / factor.stride) & ((1U << factor.bits) - 1);
    out = (out << factor.bits) | factor.label_of[coordinate];
  }
  return out;
}

NodeId SpanningHypercube::node(uint32_t label) const {
  uint32_t out = 0;
  for (auto factor = factors_.rbegin(); factor != factors_.rend(); ++factor) {
    out += factor->with_label[label & ((1U << factor->bits) - 1)] * factor->stride;
    label >>= factor->bits;
  }
  return NodeId{out};
}

}  // namespace quadrille
