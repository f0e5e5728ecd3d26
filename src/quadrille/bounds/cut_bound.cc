#include "quadrille/bounds/cut_bound.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {

namespace {

// Half duplex: a link carries one way or the other in a step.
uint64_t half_duplex_capacity(const Topology& topology, const std::vector<char>& side) {
  uint64_t sum = 0;
  for (const ArcId arc : topology.arcs()) {
    if (side[index(topology.tail(arc))] == side[index(topology.head(arc))]) continue;
    const ArcId back = topology.reverse(arc);
    if (back != kNoArc && back < arc) continue;
    sum +=
        back == kNoArc ? topology.capacity(arc) : std::max(topology.capacity(arc), topology.capacity(back));
  }
  return sum;
}

// The one node of a side, if it is alone there.
std::optional<NodeId> alone_on(const std::vector<char>& side) {
  const auto first = std::ranges::find_if(side, [](char s) { return s != 0; });
  if (first == side.end() || std::find_if(first + 1, side.end(), [](char s) { return s != 0; }) != side.end())
    return std::nullopt;
  return id_at<NodeId>(static_cast<size_t>(first - side.begin()));
}

// The smaller side: the cut is the same seen from there.
CutWitness as_witness(const std::vector<char>& side) {
  const auto inside = static_cast<size_t>(std::ranges::count_if(side, [](char s) { return s != 0; }));
  const bool named = 2 * inside <= side.size();
  CutWitness out;
  for (size_t v = 0; v < side.size(); ++v) {
    if ((side[v] != 0) == named) out.nodes.push_back(id_at<NodeId>(v));
  }
  return out;
}

}  // namespace

CutBound::CutBound(const Problem& problem, std::string_view name)
    : problem_(problem), name_(name), a_round_(problem) {}

Demand CutBound::across(uint64_t inside, const std::function<bool(NodeId)>& is_inside) const {
  if (problem_.collective().counts() != nullptr) return counted_across(problem_, is_inside);
  const Topology& topology = problem_.topology();
  const std::optional<Rank> root = problem_.collective().root();
  const bool root_inside = root && is_inside(topology.endpoint(*root));
  return {blocks_leaving(problem_, inside, root_inside),
          blocks_leaving(problem_, topology.num_endpoints() - inside, root && !root_inside)};
}

void CutBound::hold(const Cut& cut) {
  const Topology& topology = problem_.topology();
  uint64_t inside = 0;
  for (const NodeId v : topology.endpoints()) inside += cut.side[index(v)] != 0 ? 1 : 0;
  const auto [leaving, entering] = across(inside, [&](NodeId v) { return cut.side[index(v)] != 0; });
  bool better = leaving > 0 && offer(cut.description, leaving, capacity(cut, 1), "leave");
  better |= entering > 0 && offer(cut.description, entering, capacity(cut, 0), "enter");
  if (problem_.model().duplex == Duplex::kHalf) {
    better |= offer(cut.description, leaving + entering, half_duplex_capacity(topology, cut.side),
                    "cross, one way or the other,");
  }
  if (better) best_->evidence = as_witness(cut.side);
}

void CutBound::hold(const Slice& slice) {
  if (layers_.empty()) measure_layers();
  const Topology& topology = problem_.topology();
  const ProductStructure& product = *topology.product();
  const Topology& factor = product.factors[slice.dimension];
  uint64_t inside = 0;
  for (size_t c = 0; c < slice.side.size(); ++c)
    inside += slice.side[c] != 0 ? layers_[slice.dimension][c].endpoints : 0;
  const auto [leaving, entering] =
      across(inside, [&](NodeId v) { return slice.side[product.coordinate(v, slice.dimension)] != 0; });
  bool better = leaving > 0 && offer(slice.description, leaving, capacity(slice, 1), "leave");
  better |= entering > 0 && offer(slice.description, entering, capacity(slice, 0), "enter");
  if (problem_.model().duplex == Duplex::kHalf) {
    const uint64_t copies = topology.num_nodes() / factor.num_nodes();
    better |= offer(slice.description, leaving + entering, copies * half_duplex_capacity(factor, slice.side),
                    "cross, one way or the other,");
  }
  if (better) best_slice_ = slice;
}

std::optional<Bound> CutBound::take() {
  if (best_ && best_slice_ && !best_->evidence && !problem_.topology().is_outline())
    best_->evidence = as_witness(cut_of(problem_.topology(), *best_slice_).side);
  return std::move(best_);
}

void CutBound::measure_layers() {
  const Topology& topology = problem_.topology();
  const ProductStructure& product = *topology.product();
  for (const Topology& factor : product.factors) layers_.emplace_back(factor.num_nodes());
  if (topology.is_outline()) return measure_layers_of_outline();
  const NodeCapacities can = node_capacities(topology);
  for (const NodeId v : topology.nodes()) {
    for (size_t d = 0; d < layers_.size(); ++d) {
      Layer& layer = layers_[d][product.coordinate(v, d)];
      layer.endpoints += topology.rank(v) ? 1 : 0;
      layer.sends += a_round_(problem_.model().send, can.out[index(v)]);
      layer.receives += a_round_(problem_.model().receive, can.in[index(v)]);
    }
  }
}

// What the nodes of a layer carry differs from layer to layer by what the layer's node of the factor carries.
void CutBound::measure_layers_of_outline() {
  const Topology& topology = problem_.topology();
  const ProductStructure& product = *topology.product();
  for (size_t d = 0; d < layers_.size(); ++d) {
    const Topology& factor = product.factors[d];
    const NodeCapacities own = node_capacities(factor);
    const std::vector<NodeKind> kinds = node_kinds(topology, d, 0);
    for (size_t c = 0; c < layers_[d].size(); ++c) {
      Layer& layer = layers_[d][c];
      for (const NodeKind& kind : kinds) {
        layer.endpoints += kind.count;
        layer.sends += kind.count * a_round_(problem_.model().send, kind.out - own.out[0] + own.out[c]);
        layer.receives += kind.count * a_round_(problem_.model().receive, kind.in - own.in[0] + own.in[c]);
      }
    }
  }
}

// As of a cut, where every node stands for all of its coordinate.
uint64_t CutBound::capacity(const Slice& slice, char from) {
  const Topology& factor = problem_.topology().product()->factors[slice.dimension];
  const uint64_t copies = problem_.topology().num_nodes() / factor.num_nodes();
  uint64_t crossing = 0;
  out_.assign(factor.num_nodes(), 0);
  in_.assign(factor.num_nodes(), 0);
  for (const ArcId arc : factor.arcs()) {
    const size_t tail = index(factor.tail(arc));
    const size_t head = index(factor.head(arc));
    if (slice.side[tail] != from || slice.side[head] == from) continue;
    crossing += factor.capacity(arc);
    out_[tail] += factor.capacity(arc);
    in_[head] += factor.capacity(arc);
  }
  const bool worms = takes_paths(problem_.model());
  uint64_t sends = 0;
  uint64_t receives = 0;
  for (size_t c = 0; c < out_.size(); ++c) {
    const Layer& layer = layers_[slice.dimension][c];
    if (worms) {
      sends += slice.side[c] == from ? layer.sends : 0;
      receives += slice.side[c] != from ? layer.receives : 0;
    } else {
      sends += copies * a_round_(problem_.model().send, out_[c]);
      receives += copies * a_round_(problem_.model().receive, in_[c]);
    }
  }
  return std::min({sends, receives, copies * crossing});
}

// As of a cut, in the time that its own links take: large networks have many nodes, and many more arcs.
uint64_t CutBound::capacity(NodeId alone, bool leaves) {
  const Topology& topology = problem_.topology();
  const Model& model = problem_.model();
  if (nodes_.out.empty()) {
    nodes_ = node_capacities(topology);
    for (size_t v = 0; v < nodes_.out.size(); ++v) {
      all_send_ += a_round_(model.send, nodes_.out[v]);
      all_receive_ += a_round_(model.receive, nodes_.in[v]);
    }
  }
  const uint64_t out = nodes_.out[index(alone)];
  const uint64_t in = nodes_.in[index(alone)];
  uint64_t others = 0;
  if (takes_paths(model)) {
    others = leaves ? all_receive_ - a_round_(model.receive, in) : all_send_ - a_round_(model.send, out);
  } else {
    for (const ArcId arc : topology.arcs_from(alone)) {
      others += leaves ? a_round_(model.receive, topology.capacity(arc))
                       : a_round_(model.send, topology.capacity(topology.reverse(arc)));
    }
  }
  return leaves ? std::min({a_round_(model.send, out), others, out})
                : std::min({a_round_(model.receive, in), others, in});
}

// The same, without a look at each of its very many links.
uint64_t CutBound::capacity_where_complete(uint64_t inside) const {
  const uint64_t nodes = problem_.topology().num_nodes();
  const uint64_t outside = nodes - inside;
  const bool worms = takes_paths(problem_.model());
  return std::min({inside * a_round_(problem_.model().send, worms ? nodes - 1 : outside),
                   outside * a_round_(problem_.model().receive, worms ? nodes - 1 : inside),
                   inside * outside});
}

// Transfers that can go in one step from the nodes of a side to the others.
uint64_t CutBound::capacity(const Cut& cut, char from) {
  const Topology& topology = problem_.topology();
  if (!topology.is_directed()) {
    if (const std::optional<NodeId> alone = alone_on(cut.side)) return capacity(*alone, from == 1);
  }
  if (!is_complete_) is_complete_ = is_complete(topology) && !has_wide_arcs(topology);
  if (*is_complete_)
    return capacity_where_complete(static_cast<uint64_t>(std::ranges::count(cut.side, from)));
  const bool worms = takes_paths(problem_.model());
  uint64_t crossing = 0;
  out_.assign(topology.num_nodes(), 0);
  in_.assign(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs()) {
    const size_t tail = index(topology.tail(arc));
    const size_t head = index(topology.head(arc));
    const bool crosses = cut.side[tail] == from && cut.side[head] != from;
    if (crosses) crossing += topology.capacity(arc);
    // A worm crosses somewhere on its way; a packet, with this transfer.
    if (worms ? cut.side[tail] == from : crosses) out_[tail] += topology.capacity(arc);
    if (worms ? cut.side[head] != from : crosses) in_[head] += topology.capacity(arc);
  }
  uint64_t sends = 0;
  uint64_t receives = 0;
  for (size_t v = 0; v < out_.size(); ++v) {
    sends += a_round_(problem_.model().send, out_[v]);
    receives += a_round_(problem_.model().receive, in_[v]);
  }
  return std::min({sends, receives, crossing});
}

bool CutBound::offer(const std::string& cut, uint64_t blocks, uint64_t capacity, std::string_view verb) {
  if (blocks == 0) return false;
  const Rational value = Rational::of(blocks, capacity);
  if (best_ && value <= best_->value) return false;
  best_ = Bound{name_, value,
                fmt::format("{} block{} must {} {}, and {} can in a step", blocks, blocks == 1 ? "" : "s",
                            verb, cut, capacity),
                counted_on(problem_)};
  return true;
}

}  // namespace quadrille
