#include "quadrille/algorithms/graphs/shortest_paths.h"

#include <algorithm>

#include "quadrille/base/random.h"

namespace quadrille {
namespace {

// In a product all dimension-order paths are shortest, and they are spread better than those that a
// destination picks at every node.
Routing routing_of(const Problem& problem) {
  return problem.topology().product() != nullptr ? Routing::kDimensionOrder : problem.model().routing;
}

uint32_t most_of(const Problem& problem, uint32_t most) {
  return problem.model().routing == Routing::kDimensionOrder ? 1 : most;
}

bool spreads(const Problem& problem) {
  return problem.topology().has_routers() && routing_of(problem) != Routing::kDimensionOrder;
}

}  // namespace

ShortestPaths::ShortestPaths(const Problem& problem, uint32_t most)
    : topology_(problem.topology()),
      most_(most_of(problem, most)),
      hops_(next_hops_of(problem.topology(), routing_of(problem))),
      spreads_(spreads(problem)) {}

uint32_t ShortestPaths::length(Rank from, Rank to) const {
  return hops_->length(to, topology_.endpoint(from));
}

uint32_t ShortestPaths::count(Rank from, Rank to) const { return length(from, to) > 1 ? most_ : 1; }

bool ShortestPaths::is_only(Rank from, Rank to) const {
  const NodeId end = topology_.endpoint(to);
  for (NodeId v = topology_.endpoint(from); v != end;) {
    const uint32_t rest = hops_->length(to, v) - 1;
    NodeId next = v;
    for (const ArcId arc : topology_.arcs_from(v)) {
      const NodeId head = topology_.head(arc);
      if (hops_->length(to, head) != rest) continue;
      if (next != v) return false;
      next = head;
    }
    v = next;
  }
  return true;
}

void ShortestPaths::find(Rank from, Rank to, uint32_t w, std::vector<ArcId>& path) const {
  if (w == 1 && length(from, to) == length(to, from)) {
    follow(to, from, path);
    if (turn_back(path)) return;
  }
  if (w <= 1) {
    spreads_&& w == 0 ? spread(from, to, path) : follow(from, to, path);
  } else {
    wander(from, to, w, path);
  }
}

void ShortestPaths::follow(Rank from, Rank to, std::vector<ArcId>& path) const {
  path.clear();
  const NodeId end = topology_.endpoint(to);
  for (NodeId v = topology_.endpoint(from); v != end; v = topology_.head(path.back()))
    path.push_back(hops_->arc(to, v));
}

// A path from there to here as one from here to there, if all of its arcs have a reverse.
bool ShortestPaths::turn_back(std::vector<ArcId>& path) const {
  for (ArcId& arc : path) {
    arc = topology_.reverse(arc);
    if (arc == kNoArc) return false;
  }
  std::reverse(path.begin(), path.end());
  return true;
}

template <typename Choose>
void ShortestPaths::turn(Rank from, Rank to, Choose choose, std::vector<ArcId>& path) const {
  path.clear();
  const NodeId end = topology_.endpoint(to);
  for (NodeId v = topology_.endpoint(from); v != end; v = topology_.head(path.back())) {
    const uint32_t rest = hops_->length(to, v) - 1;
    const auto closer = [&](ArcId arc) { return hops_->length(to, topology_.head(arc)) == rest; };
    size_t choices = 0;
    for (const ArcId arc : topology_.arcs_from(v)) choices += closer(arc) ? 1 : 0;
    size_t skip = choose(choices);
    for (const ArcId arc : topology_.arcs_from(v)) {
      if (!closer(arc) || skip-- > 0) continue;
      path.push_back(arc);
      break;
    }
  }
}

void ShortestPaths::wander(Rank from, Rank to, uint32_t w, std::vector<ArcId>& path) const {
  Rng rng((index(from) << 40U) + (index(to) << 16U) + w);
  turn(
      from, to, [&](size_t choices) { return rng.below(choices); }, path);
}

void ShortestPaths::spread(Rank from, Rank to, std::vector<ArcId>& path) const {
  size_t digits = index(to);
  const auto next_digit = [&](size_t choices) {
    const size_t digit = digits % choices;
    digits /= choices;
    return digit;
  };
  turn(from, to, next_digit, path);
}

}  // namespace quadrille
