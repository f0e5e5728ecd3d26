#include "quadrille/algorithms/worm_broadcast/crowd_paths.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "quadrille/base/check.h"

namespace quadrille {

uint32_t links_at_once(const Topology& topology, NodeId node, uint32_t ports) {
  uint32_t out = 0;
  for (const ArcId arc : topology.arcs_from(node)) out += topology.capacity(arc);
  return ports == 0 ? out : std::min(out, ports);
}

CrowdPaths::CrowdPaths(const Topology& topology, bool shared, uint64_t& work)
    : topology_(topology), shared_(shared), work_(work) {
  into_begin_.assign(topology.num_nodes() + 1, 0);
  for (const ArcId arc : topology.arcs()) ++into_begin_[index(topology.head(arc)) + 1];
  std::partial_sum(into_begin_.begin(), into_begin_.end(), into_begin_.begin());
  into_.resize(topology.num_arcs());
  std::vector<uint32_t> next(into_begin_.begin(), into_begin_.end() - 1);
  for (const ArcId arc : topology.arcs()) into_[next[index(topology.head(arc))]++] = arc;
}

void CrowdPaths::clear() {
  used_.assign(topology_.num_arcs(), 0);
  sent_.assign(topology_.num_nodes(), 0);
  knows_.assign(topology_.num_nodes(), 0);
  told_.assign(topology_.num_nodes(), 0);
}

bool CrowdPaths::tell(NodeId node, const std::vector<NodeId>& crowd, uint32_t ports) {
  const char knew = std::exchange(knows_[index(node)], char{0});
  came_.assign(topology_.num_nodes(), Hop{});
  queue_.clear();
  for (const NodeId from : crowd) {
    if (knows_[index(from)] == 0 || (ports != 0 && sent_[index(from)] >= ports)) continue;
    came_[index(from)].seen = true;
    queue_.push_back(from);
  }
  for (size_t k = 0; k < queue_.size() && !came_[index(node)].seen; ++k) spread(queue_[k]);
  if (!came_[index(node)].seen) {
    knows_[index(node)] = knew;
    return false;
  }
  NodeId at = node;
  while (came_[index(at)].arc != kNoArc) {
    const Hop& hop = came_[index(at)];
    used_[index(hop.arc)] += hop.back ? -1 : 1;
    at = hop.back ? topology_.head(hop.arc) : topology_.tail(hop.arc);
  }
  ++sent_[index(at)];
  told_[index(node)] = 1;
  return true;
}

std::vector<WormPath> CrowdPaths::worms(const std::vector<NodeId>& crowd) {
  for (const ArcId arc : topology_.arcs()) {
    const ArcId back = topology_.reverse(arc);
    if (back == kNoArc) continue;
    const int both = std::min(used_[index(arc)], used_[index(back)]);
    used_[index(arc)] -= both;
    used_[index(back)] -= both;
  }
  std::vector<WormPath> out;
  for (const NodeId from : crowd) {
    for (; knows_[index(from)] != 0 && sent_[index(from)] > 0; --sent_[index(from)])
      out.push_back(follow(from));
  }
  return out;
}

void CrowdPaths::spread(NodeId node) {
  for (const ArcId arc : topology_.arcs_from(node)) {
    ++work_;
    if (shared_ || used_[index(arc)] < static_cast<int>(topology_.capacity(arc)))
      reach(topology_.head(arc), arc, false);
  }
  for (uint32_t i = into_begin_[index(node)]; i < into_begin_[index(node) + 1]; ++i) {
    ++work_;
    if (used_[index(into_[i])] > 0) reach(topology_.tail(into_[i]), into_[i], true);
  }
}

void CrowdPaths::reach(NodeId node, ArcId arc, bool back) {
  Hop& hop = came_[index(node)];
  if (hop.seen) return;
  hop = {arc, back, true};
  queue_.push_back(node);
}

WormPath CrowdPaths::follow(NodeId from) {
  WormPath path;
  NodeId at = from;
  while (told_[index(at)] == 0) {
    ArcId next = kNoArc;
    for (const ArcId arc : topology_.arcs_from(at)) {
      if (used_[index(arc)] == 0) continue;
      next = arc;
      break;
    }
    QUADRILLE_CHECK(next != kNoArc, topology_.label(at));
    --used_[index(next)];
    path.push_back(next);
    at = topology_.head(next);
    cut_loop(path, at);
  }
  told_[index(at)] = 0;
  return path;
}

// A path that comes back to a node leaves out the way round.
void CrowdPaths::cut_loop(WormPath& path, NodeId at) const {
  for (size_t i = 0; i < path.size(); ++i) {
    if (topology_.tail(path[i]) != at) continue;
    path.resize(i);
    return;
  }
}

}  // namespace quadrille
