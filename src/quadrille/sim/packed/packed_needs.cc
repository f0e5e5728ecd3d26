#include "quadrille/sim/packed/packed_needs.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace quadrille {
namespace {

constexpr uint32_t kMostLanes = 32;
constexpr uint32_t kMostDelay = 63;

}  // namespace

PackedNeeds packed_needs(const Traffic& traffic, uint32_t vcs) {
  const Topology& network = traffic.network;
  std::vector<uint32_t> into(network.num_nodes(), 0);
  for (const ArcId arc : network.arcs()) ++into[index(network.head(arc))];
  PackedNeeds needs;
  for (const NodeId v : network.nodes()) {
    needs.inputs = std::max(needs.inputs, into[index(v)]);
    needs.outputs = std::max(needs.outputs, static_cast<uint32_t>(network.out_degree(v)) + 1);
    if (into[index(v)] > kMostLanes || network.out_degree(v) > kMostLanes) return {.lanes = UINT32_MAX};
    const uint32_t ports = traffic.send_ports(v);
    needs.lanes = std::max(needs.lanes, into[index(v)] * vcs + std::min(ports, kMostLanes + 1));
    // Without arcs of several units, as many as arcs come in if nothing else is said.
    needs.receive_ports =
        std::max(needs.receive_ports,
                 traffic.receive.unlimited() ? std::max(1U, into[index(v)]) : traffic.receive.count);
  }
  return needs;
}

std::optional<std::string> not_packed(const Traffic& traffic, const WormParameters& p, const WormRun& run) {
  if (run.uses != nullptr) return "every use of a channel is asked for";
  if (p.vcs != 1 && p.vcs != 2 && p.vcs != 4) return fmt::format("{} channels a link", p.vcs);
  if (!run.synchronisation.priorities.empty()) return "messages of several levels";
  if (traffic.half_duplex) return "links of one direction at a time";
  if (p.atomic) return "channels must be empty before they are used again";
  if (std::max({p.hop_delay(), p.credit_delay, p.router_delay}) > kMostDelay) return "long delays";
  const auto capacities = traffic.network.capacities();
  if (std::ranges::any_of(capacities, [](uint32_t c) { return c != 1; })) return "links of several units";
  if (traffic.hops.size() >= UINT32_MAX) return "more hops than 32 bits count";
  const PackedNeeds needs = packed_needs(traffic, p.vcs);
  if (needs.lanes > kMostLanes) return "routers with many links";
  if (needs.receive_ports > kMostLanes) return "many receive ports";
  return std::nullopt;
}

}  // namespace quadrille
