#include "quadrille/bounds/demand.h"

#include <algorithm>

#include "quadrille/collective/counts.h"
#include "quadrille/topology/last_answers.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {

BoundOn counted_on(const Problem& problem) {
  return takes_paths(problem.model()) ? BoundOn::kCriticalBlocks : BoundOn::kSteps;
}

Demand demand_of(const Problem& problem, Rank rank) {
  if (const Counts* counts = problem.collective().counts())
    return {counts->sent_by(rank), counts->received_by(rank)};
  const bool is_root = problem.collective().root() == rank;
  const uint64_t others = problem.collective().num_ranks() - 1;
  return {blocks_leaving(problem, 1, is_root),
          blocks_leaving(problem, others, problem.collective().root().has_value() && !is_root)};
}

uint64_t blocks_leaving(const Problem& problem, uint64_t inside, bool has_root) {
  const Collective& collective = problem.collective();
  const uint64_t pieces = collective.pieces();
  const uint64_t outside = collective.num_ranks() - inside;
  if (inside == 0 || outside == 0) return 0;
  switch (collective.kind()) {
    case CollectiveKind::kBroadcast:
      return has_root ? pieces : 0;
    case CollectiveKind::kScatter:
      return has_root ? outside * pieces : 0;
    case CollectiveKind::kGather:
      return has_root ? 0 : inside * pieces;
    case CollectiveKind::kReduce:
      return has_root ? 0 : pieces;
    case CollectiveKind::kAllgather:
      return inside * pieces;
    case CollectiveKind::kAlltoall:
      return inside * outside * pieces;
    case CollectiveKind::kReduceScatter:
      return outside * pieces;
    case CollectiveKind::kAllreduce:
      return pieces;
    case CollectiveKind::kAlltoallv:  // it is not their number that matters
      break;
  }
  return 0;
}

Demand counted_across(const Problem& problem, const std::function<bool(NodeId)>& is_inside) {
  std::vector<char> inside;
  for (const NodeId v : problem.topology().endpoints()) inside.push_back(is_inside(v) ? 1 : 0);
  Demand out;
  for (const Counts::Entry& e : problem.collective().counts()->entries()) {
    if (inside[index(e.from)] == inside[index(e.to)]) continue;
    (inside[index(e.from)] != 0 ? out.send : out.receive) += e.count;
  }
  return out;
}

namespace {

NodeCapacities counted(const Topology& topology) {
  NodeCapacities out{std::vector<uint64_t>(topology.num_nodes(), 0),
                     std::vector<uint64_t>(topology.num_nodes(), 0),
                     std::vector<uint64_t>(topology.num_nodes(), 0)};
  for (const ArcId arc : topology.arcs()) {
    const uint32_t capacity = topology.capacity(arc);
    const size_t tail = index(topology.tail(arc));
    const size_t head = index(topology.head(arc));
    out.out[tail] += capacity;
    out.in[head] += capacity;
    // A link counts once for each of its ends: when its first arc is met, or its only one.
    const ArcId back = topology.reverse(arc);
    if (back != kNoArc && back < arc) continue;
    const uint32_t most = back == kNoArc ? capacity : std::max(capacity, topology.capacity(back));
    out.both[tail] += most;
    out.both[head] += most;
  }
  return out;
}

}  // namespace

NodeCapacities node_capacities(const Topology& topology) {
  static LastAnswers<bool, NodeCapacities> kept(4);
  return kept.of(topology, true, [&] { return counted(topology); });
}

BlocksARound::BlocksARound(const Problem& problem) {
  if (!shares_arcs(problem.model()) || !has_wide_arcs(problem.topology())) return;
  if (problem.topology().is_outline()) {
    // No arc of a product is wider than the widest of a factor.
    for (const Topology& factor : problem.topology().product()->factors)
      of_a_message_ = std::max<uint64_t>(of_a_message_, factor.capacity_range().second);
    return;
  }
  of_a_message_ = std::max<uint64_t>(of_a_message_, problem.topology().capacity_range().second);
}

uint64_t BlocksARound::operator()(Ports ports, uint64_t capacity) const {
  return ports.unlimited() ? capacity : std::min(ports.count * of_a_message_, capacity);
}

uint64_t limited(Ports ports, uint64_t capacity) {
  return ports.unlimited() ? capacity : std::min<uint64_t>(ports.count, capacity);
}

uint64_t most_messages(const Problem& problem, uint64_t capacity, Ports ports) {
  return limited(
      ports, problem.model().switching == Switching::kShared ? problem.topology().num_nodes() - 1 : capacity);
}

}  // namespace quadrille
