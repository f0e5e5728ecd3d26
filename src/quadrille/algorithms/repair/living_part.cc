#include "quadrille/algorithms/repair/living_part.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

constexpr uint32_t kFar = UINT32_MAX;
using AtDistance = std::pair<uint32_t, uint32_t>;  // hops, node
using ByDistance = std::priority_queue<AtDistance, std::vector<AtDistance>, std::greater<>>;

}  // namespace

LivingPart::LivingPart(Problem whole, const Problem& left, std::span<const NodeId> original)
    : whole_(std::move(whole)), collective_left_(left.collective()) {
  const Topology& topology = whole_.topology();
  nodes_.assign(topology.num_nodes(), kNoNode);
  for (size_t i = 0; i < original.size(); ++i) nodes_[index(original[i])] = id_at<NodeId>(i);
  arcs_.assign(topology.num_arcs(), kNoArc);
  for (const ArcId arc : left.topology().arcs()) {
    const NodeId tail = original[index(left.topology().tail(arc))];
    arcs_[index(*topology.find_arc(tail, original[index(left.topology().head(arc))]))] = arc;
  }
  ranks_.assign(topology.num_endpoints(), UINT32_MAX);
  for (uint32_t r = 0; r < topology.num_endpoints(); ++r) {
    const NodeId node = nodes_[index(topology.endpoint(Rank{r}))];
    if (node == kNoNode) continue;
    if (const std::optional<Rank> now = left.topology().rank(node))
      ranks_[r] = static_cast<uint32_t>(index(*now));
  }
  into_begin_.assign(topology.num_nodes() + 1, 0);
  for (const NodeId head : topology.heads()) ++into_begin_[index(head) + 1];
  for (size_t v = 0; v < topology.num_nodes(); ++v) into_begin_[v + 1] += into_begin_[v];
  into_.resize(topology.num_arcs());
  std::vector<uint32_t> at(into_begin_.begin(), into_begin_.end() - 1);
  for (const ArcId arc : topology.arcs()) into_[at[index(topology.head(arc))]++] = arc;
}

std::optional<BlockId> LivingPart::left(BlockId block) const {
  const Collective& collective = whole_.collective();
  const uint32_t from = ranks_[index(collective.origin(block))];
  const uint32_t to = ranks_[index(collective.destination(block))];
  if (from == UINT32_MAX || to == UINT32_MAX) return std::nullopt;
  const auto piece = static_cast<uint32_t>(index(block) % collective.pieces());
  return collective_left_.block(Rank{from}, Rank{to}, piece);
}

std::span<const ArcId> LivingPart::arcs_to(NodeId node) const {
  const uint32_t begin = into_begin_[index(node)];
  return std::span<const ArcId>(into_).subspan(begin, into_begin_[index(node) + 1] - begin);
}

std::vector<LivingPart> symmetric_parts(const Problem& whole, const Problem& left,
                                        std::span<const NodeId> original, size_t most) {
  std::vector<LivingPart> out;
  out.emplace_back(whole, left, original);
  const ProductStructure* product = whole.topology().product();
  if (product == nullptr || whole.topology().has_routers()) return out;
  const size_t dimensions = product->factors.size();
  std::vector<size_t> place(dimensions);  // where each dimension goes
  std::iota(place.begin(), place.end(), size_t{0});
  std::vector<NodeId> moved(original.size());
  while (out.size() < most && std::next_permutation(place.begin(), place.end())) {
    const auto fits = [&](size_t i) { return product->factors[i].same_graph(product->factors[place[i]]); };
    bool all_fit = true;
    for (size_t i = 0; i < dimensions; ++i) all_fit = all_fit && fits(i);
    if (!all_fit) continue;
    for (size_t v = 0; v < moved.size(); ++v) {
      uint32_t number = 0;
      for (size_t i = 0; i < dimensions; ++i)
        number += product->coordinate(original[v], i) * product->strides[place[i]];
      moved[v] = NodeId{number};
    }
    out.emplace_back(whole, left, moved);
  }
  return out;
}

LivingDistances::LivingDistances(const LivingPart& part)
    : part_(part), hops_(part.topology().num_nodes(), kFar), broken_(part.topology().num_nodes(), 0) {
  const Topology& topology = part.topology();
  for (const ArcId arc : topology.arcs()) {
    if (!part.lives(arc)) hurt_.push_back(topology.tail(arc));
  }
  std::ranges::sort(hurt_);
  hurt_.erase(std::unique(hurt_.begin(), hurt_.end()), hurt_.end());
  // Where much is missing one search from each target is no more work than mending.
  if (topology.product() == nullptr || hurt_.size() > topology.num_nodes() / 8) return;
  for (const Topology& factor : topology.product()->factors) {
    std::vector<uint32_t>& table = in_factor_.emplace_back();
    for (const NodeId to : factor.nodes()) {
      const std::vector<uint32_t> hops = distances_to(factor, to);
      table.insert(table.end(), hops.begin(), hops.end());
    }
  }
}

std::span<const uint32_t> LivingDistances::to(NodeId target) {
  if (in_factor_.empty()) {
    search(target);
  } else {
    add_up(target);
    mend();
  }
  return hops_;
}

void LivingDistances::add_up(NodeId target) {
  const ProductStructure& product = *part_.topology().product();
  hops_.assign(1, 0);
  for (size_t i = 0; i < product.factors.size(); ++i) {
    const uint32_t size = product.factors[i].num_nodes();
    const uint32_t* row = in_factor_[i].data() + size_t{product.coordinate(target, i)} * size;
    longer_.resize(hops_.size() * size);
    for (size_t v = 0; v < hops_.size(); ++v) {
      for (uint32_t x = 0; x < size; ++x) longer_[v * size + x] = hops_[v] + row[x];
    }
    std::swap(hops_, longer_);
  }
}

void LivingDistances::search(NodeId target) {
  const Topology& topology = part_.topology();
  std::ranges::fill(hops_, kFar);
  queue_.assign(1, target);
  hops_[index(target)] = 0;
  for (size_t i = 0; i < queue_.size(); ++i) {
    const uint32_t next = hops_[index(queue_[i])] + 1;
    for (const ArcId arc : part_.arcs_to(queue_[i])) {
      const NodeId tail = topology.tail(arc);
      if (!part_.lives(arc) || hops_[index(tail)] != kFar) continue;
      hops_[index(tail)] = next;
      queue_.push_back(tail);
    }
  }
}

// Whether a living arc leads to a node that is one hop nearer, and still is.
bool LivingDistances::is_led_on(NodeId node) const {
  const Topology& topology = part_.topology();
  for (const ArcId arc : topology.arcs_from(node)) {
    const size_t head = index(topology.head(arc));
    if (part_.lives(arc) && hops_[head] + 1 == hops_[index(node)] && broken_[head] == 0) return true;
  }
  return false;
}

// Nodes without an arc that leads on are found nearest first; then they get their distances anew, again nearest first.
void LivingDistances::mend() {
  const Topology& topology = part_.topology();
  ByDistance open;
  for (const NodeId v : hurt_) {
    if (hops_[index(v)] != 0) open.emplace(hops_[index(v)], static_cast<uint32_t>(index(v)));
  }
  queue_.clear();
  while (!open.empty()) {
    const NodeId v{open.top().second};
    open.pop();
    if (broken_[index(v)] != 0 || is_led_on(v)) continue;
    broken_[index(v)] = 1;
    queue_.push_back(v);
    for (const ArcId arc : part_.arcs_to(v)) {
      const NodeId tail = topology.tail(arc);
      if (part_.lives(arc) && hops_[index(tail)] == hops_[index(v)] + 1)
        open.emplace(hops_[index(tail)], static_cast<uint32_t>(index(tail)));
    }
  }
  for (const NodeId v : queue_) {
    uint32_t best = kFar;
    for (const ArcId arc : topology.arcs_from(v)) {
      const size_t head = index(topology.head(arc));
      if (part_.lives(arc) && broken_[head] == 0) best = std::min(best, hops_[head] + 1);
    }
    hops_[index(v)] = best;
    if (best != kFar) open.emplace(best, static_cast<uint32_t>(index(v)));
  }
  while (!open.empty()) {
    const auto [hops, number] = open.top();
    open.pop();
    if (hops != hops_[number]) continue;
    for (const ArcId arc : part_.arcs_to(NodeId{number})) {
      const size_t tail = index(topology.tail(arc));
      if (!part_.lives(arc) || broken_[tail] == 0 || hops_[tail] <= hops + 1) continue;
      hops_[tail] = hops + 1;
      open.emplace(hops + 1, static_cast<uint32_t>(tail));
    }
  }
  for (const NodeId v : queue_) broken_[index(v)] = 0;
}

}  // namespace quadrille
