#include "quadrille/bounds/cut_bound.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/bounds/demand.h"

namespace quadrille {

CutBound::CutBound(const Problem& problem, std::string_view name)
    : problem_(problem),
      name_(name),
      out_(problem.topology().num_nodes(), 0),
      in_(problem.topology().num_nodes(), 0) {}

void CutBound::hold(const Cut& cut) {
  const Topology& topology = problem_.topology();
  uint64_t inside = 0;
  for (const NodeId v : topology.endpoints()) inside += cut.side[index(v)] != 0 ? 1 : 0;
  const std::optional<Rank> root = problem_.collective().root();
  const bool root_inside = root && cut.side[index(topology.endpoint(*root))] != 0;
  const uint64_t leaving = blocks_leaving(problem_, inside, root_inside);
  const uint64_t entering = blocks_leaving(problem_, topology.num_endpoints() - inside, root && !root_inside);
  if (leaving > 0) offer(cut, leaving, capacity(cut, 1), "leave");
  if (entering > 0) offer(cut, entering, capacity(cut, 0), "enter");
  if (problem_.model().duplex == Duplex::kHalf) {
    offer(cut, leaving + entering, half_duplex_capacity(cut), "cross, one way or the other,");
  }
}

// Transfers that can go in one step from the nodes of a side to the others.
uint64_t CutBound::capacity(const Cut& cut, char from) {
  const Topology& topology = problem_.topology();
  const bool worms = problem_.model().switching == Switching::kWormhole;
  uint64_t crossing = 0;
  std::fill(out_.begin(), out_.end(), 0);
  std::fill(in_.begin(), in_.end(), 0);
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
    sends += limited(problem_.model().send, out_[v]);
    receives += limited(problem_.model().receive, in_[v]);
  }
  return std::min({sends, receives, crossing});
}

uint64_t CutBound::half_duplex_capacity(const Cut& cut) const {
  const Topology& topology = problem_.topology();
  uint64_t sum = 0;
  for (const ArcId arc : topology.arcs()) {
    if (cut.side[index(topology.tail(arc))] == cut.side[index(topology.head(arc))]) continue;
    const ArcId back = topology.reverse(arc);
    if (back != kNoArc && back < arc) continue;
    sum +=
        back == kNoArc ? topology.capacity(arc) : std::max(topology.capacity(arc), topology.capacity(back));
  }
  return sum;
}

void CutBound::offer(const Cut& cut, uint64_t blocks, uint64_t capacity, std::string_view verb) {
  if (blocks == 0) return;
  const Rational value = Rational::of(blocks, capacity);
  if (best_ && value <= best_->value) return;
  best_ = Bound{name_, value,
                fmt::format("{} block{} must {} {}, and {} can in a step", blocks, blocks == 1 ? "" : "s",
                            verb, cut.description, capacity),
                counted_on(problem_)};
}

}  // namespace quadrille
