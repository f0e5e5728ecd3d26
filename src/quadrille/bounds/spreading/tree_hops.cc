#include "quadrille/bounds/spreading/tree_hops.h"

#include <algorithm>
#include <limits>

#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// A search from every one of them.
constexpr uint32_t kMostNodes = 1024;

constexpr uint64_t kNever = std::numeric_limits<uint64_t>::max() / 4;

}  // namespace

TreeHops::TreeHops(const Problem& problem) : ranks_(problem.collective().num_ranks()) {
  const Topology& topology = problem.topology();
  const CollectiveKind kind = problem.collective().kind();
  const bool backwards = kind == CollectiveKind::kReduceScatter;
  if (ranks_ < 2 || !takes_paths(problem.model()) || topology.num_nodes() > kMostNodes) return;
  if (kind != CollectiveKind::kAllgather && !backwards) return;
  std::vector<uint64_t> within;  // [d]: the most others within d hops of a rank
  std::vector<uint64_t> here;
  const bool alike = topology.cayley() != nullptr && !topology.has_routers();
  for (const NodeId v : topology.endpoints()) {
    if (alike && !farthest_.empty()) {
      farthest_.push_back(farthest_.front());
      continue;
    }
    const std::vector<uint32_t> hops = backwards ? distances_to(topology, v) : distances_from(topology, v);
    here.assign(1, 0);
    for (const NodeId w : topology.endpoints()) {
      if (w == v) continue;
      here.resize(std::max<size_t>(here.size(), hops[index(w)] + size_t{1}), 0);
      ++here[hops[index(w)]];
    }
    farthest_.push_back(static_cast<uint32_t>(here.size() - 1));
    within.resize(std::max(within.size(), here.size()), within.empty() ? 0 : within.back());
    uint64_t sum = 0;
    for (size_t d = 0; d < within.size(); ++d) {
      if (d < here.size()) sum += here[d];
      within[d] = std::max(within[d], sum);
    }
  }
  // Routers might have it, too.
  if (topology.has_routers()) return;
  const NodeCapacities links = node_capacities(topology);
  const auto most = [&](const std::vector<uint64_t>& capacity, Ports ports) {
    return most_messages(problem, std::ranges::max(capacity), ports);
  };
  count(within, backwards ? most(links.in, problem.model().receive) : most(links.out, problem.model().send));
}

void TreeHops::count(const std::vector<uint64_t>& within, uint64_t fan_out) {
  const uint64_t others = ranks_ - 1;
  // least[h]: hops to all others, if h ranks have the block, in as many steps as have been looked at.
  std::vector<uint64_t> least(ranks_ + 1, kNever);
  least[ranks_] = 0;
  std::vector<uint64_t> with_one_more(ranks_ + 1, kNever);
  while (of_one_.empty() || of_one_.back() > others) {
    for (uint64_t h = 1; h <= ranks_; ++h) {
      uint64_t best = least[h];
      // Who is next is as near as can be.
      uint64_t hops = 0;
      size_t d = 1;
      const uint64_t most = std::min(ranks_ - h, h * std::min(fan_out, others));
      for (uint64_t k = 1; k <= most; ++k) {
        while (d + 1 < within.size() && h * within[d] < k) ++d;
        hops += d;
        best = std::min(best, hops + least[h + k]);
      }
      with_one_more[h] = best;
    }
    least.swap(with_one_more);
    of_one_.push_back(least[1]);
    if (of_one_.size() >= within.size() && of_one_.back() < kNever) break;
  }
}

uint64_t TreeHops::most_levels() const {
  const uint64_t farthest = farthest_.empty() ? 0 : *std::ranges::max_element(farthest_);
  return std::max<uint64_t>(farthest, of_one_.size());
}

Int128 TreeHops::in_levels(uint64_t levels) const {
  const uint64_t others = ranks_ - 1;
  const uint64_t one = levels > 0 && levels <= of_one_.size() ? of_one_[levels - 1] : others;
  Int128 out = 0;
  for (const uint32_t farthest : farthest_)
    out += std::max<Int128>(one, static_cast<Int128>(others) + (farthest > levels ? farthest - levels : 0));
  return out;
}

}  // namespace quadrille
