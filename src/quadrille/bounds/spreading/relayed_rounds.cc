#include "quadrille/bounds/spreading/relayed_rounds.h"

#include <algorithm>
#include <numeric>

#include "quadrille/bounds/demand.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

constexpr size_t kMostCounted = size_t{1} << 13U;  // numbers of start-ups
constexpr uint32_t kMostNodesOfDistances = 1024;   // a search from each

// How many others are so many hops away from each node, which do not look all alike.
std::vector<std::vector<uint64_t>> distances_of(const Problem& problem) {
  const Topology& topology = problem.topology();
  const uint64_t others = topology.num_endpoints() - 1;
  if (problem.model().switching != Switching::kPacket || topology.num_nodes() > kMostNodesOfDistances)
    return {{0, others}};
  const bool alike = topology.cayley() != nullptr && !topology.has_routers();
  std::vector<std::vector<uint64_t>> out;
  for (const NodeId v : topology.endpoints()) {
    std::vector<uint64_t>& at = out.emplace_back();
    const std::vector<uint32_t> hops = distances_from(topology, v);
    for (const NodeId w : topology.endpoints()) {
      if (w == v) continue;
      at.resize(std::max<size_t>(at.size(), hops[index(w)] + size_t{1}), 0);
      ++at[hops[index(w)]];
    }
    if (alike) break;
  }
  return out;
}

// Messages that all together start and end in a round.
uint64_t messages_a_round(const Problem& problem) {
  const NodeCapacities links = node_capacities(problem.topology());
  const BlocksARound a_round(problem);
  uint64_t sent = 0;
  uint64_t received = 0;
  for (size_t v = 0; v < links.out.size(); ++v) {
    sent += a_round(problem.model().send, links.out[v]);
    received += a_round(problem.model().receive, links.in[v]);
  }
  uint64_t out = std::min(sent, received);
  if (problem.model().duplex == Duplex::kHalf)
    out = std::min(out, std::accumulate(links.both.begin(), links.both.end(), uint64_t{0}) / 2);
  return out;
}

// Hops to all others, if in so many steps each node sends to `fan_out` at most and they are as far as that.
uint64_t fewest_hops(const std::vector<uint64_t>& distances, uint64_t steps, uint64_t fan_out) {
  uint64_t waiting = 0;  // near enough, but no place was left
  uint64_t farther = std::accumulate(distances.begin(), distances.end(), uint64_t{0});
  uint64_t out = 0;
  double choices = 1;  // of the steps of a way
  double messages = 1;
  for (uint64_t h = 1; waiting + farther > 0 && h <= steps; ++h) {
    choices = choices * static_cast<double>(steps - h + 1) / static_cast<double>(h);
    messages *= static_cast<double>(fan_out);
    if (h < distances.size()) {
      waiting += distances[h];
      farther -= distances[h];
    }
    const double places = choices * messages;
    const uint64_t here = places < static_cast<double>(waiting) ? static_cast<uint64_t>(places) : waiting;
    out += here * h;
    waiting -= here;
  }
  return out;
}

}  // namespace

std::vector<double> relayed_rounds(const Problem& problem, uint64_t from, double least) {
  const Collective& collective = problem.collective();
  if (collective.kind() != CollectiveKind::kAlltoall || collective.num_ranks() < 2 ||
      sends_single_packets(problem.model()))
    return {};
  const NodeCapacities links = node_capacities(problem.topology());
  const auto most = [&](const std::vector<uint64_t>& capacity, Ports ports) {
    return most_messages(problem, std::ranges::max(capacity), ports);
  };
  const uint64_t fan_out =
      std::min(most(links.out, problem.model().send), most(links.in, problem.model().receive));
  const std::vector<std::vector<uint64_t>> distances = distances_of(problem);
  const auto a_round = static_cast<double>(messages_a_round(problem));
  const double sources = static_cast<double>(collective.num_ranks()) / static_cast<double>(distances.size());
  std::vector<double> out;
  for (uint64_t steps = from; out.size() < kMostCounted; ++steps) {
    uint64_t hops = 0;
    for (const std::vector<uint64_t>& at : distances) hops += fewest_hops(at, steps, fan_out);
    const double rounds = static_cast<double>(hops) * sources / a_round;
    if (rounds <= least * (1 + 1e-9)) break;
    out.push_back(rounds);
  }
  return out;
}

}  // namespace quadrille
