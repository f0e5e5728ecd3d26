#include "quadrille/verify/witnesses/starved.h"

#include <algorithm>
#include <functional>
#include <map>

namespace quadrille {
namespace {

constexpr uint32_t kMostSteps = 64;  // at either end

struct Way {
  size_t from;
  size_t to;
  uint64_t capacity;
  uint64_t weight;
};
using ByWeight = std::map<uint64_t, uint64_t, std::greater<>>;  // capacities

Int128 dearest(const ByWeight& links, Int128 blocks) {
  Int128 sum = 0;
  for (const auto& [weight, capacity] : links) {
    const Int128 here = std::min<Int128>(blocks, capacity);
    sum += here * weight;
    blocks -= here;
  }
  return sum;
}

// What routers miss to sell in each step, from the end that the ways start from.
std::vector<Int128> missed_from(const std::vector<Way>& ways, const std::vector<char>& is_endpoint) {
  ByWeight of_all;
  std::map<size_t, ByWeight> of_router;
  Int128 entering = 0;
  Int128 could = 0;
  for (const Way& way : ways) {
    if (is_endpoint[way.from] != 0) {
      if (is_endpoint[way.to] == 0) entering += way.capacity;
      continue;
    }
    of_all[way.weight] += way.capacity;
    of_router[way.from][way.weight] += way.capacity;
    could += Int128{way.weight} * way.capacity;
  }
  std::vector<Int128> missed;
  std::vector<Int128> came(is_endpoint.size(), 0);
  for (uint32_t before = 0; before < kMostSteps; ++before) {
    Int128 each = 0;
    for (const auto& [router, links] : of_router) each += dearest(links, came[router]);
    missed.push_back(could - std::min(each, dearest(of_all, entering * before)));
    if (missed.back() == 0) break;
    std::vector<Int128> next = came;
    for (const Way& way : ways)
      next[way.to] +=
          is_endpoint[way.from] != 0 ? Int128{way.capacity} : std::min<Int128>(way.capacity, came[way.from]);
    came = next;
  }
  return missed;
}

}  // namespace

Rational proved_with_starved_routers(const Topology& net, const std::vector<uint64_t>& weights, Int128 paid,
                                     Int128 sold) {
  std::vector<char> is_endpoint(net.num_nodes(), 0);
  for (const NodeId e : net.endpoints()) is_endpoint[index(e)] = 1;
  std::vector<Way> forward;
  std::vector<Way> backward;
  for (const ArcId arc : net.arcs()) {
    const Way way{index(net.tail(arc)), index(net.head(arc)), net.capacity(arc), weights[index(arc)]};
    forward.push_back(way);
    backward.push_back({way.to, way.from, way.capacity, way.weight});
  }
  std::vector<Int128> missed = missed_from(forward, is_endpoint);
  const std::vector<Int128> at_last = missed_from(backward, is_endpoint);
  missed.resize(std::max(missed.size(), at_last.size()), 0);
  for (size_t i = 0; i < at_last.size(); ++i) missed[i] += at_last[i];
  // So many steps at each end are different steps only of plans that have twice as many. Fewer, filled up with idle ones, would have
  // as few as that, which is too few if more are needed.
  Rational best = Rational::of(paid, sold);
  for (size_t ends = 1; ends <= missed.size(); ++ends) {
    paid += missed[ends - 1];
    const Rational steps = Rational::of(paid, sold);
    if (steps > Rational(static_cast<int64_t>(2 * ends))) best = std::max(best, steps);
  }
  return best;
}

}  // namespace quadrille
