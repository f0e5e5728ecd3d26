// Switch networks: switches that are linked somehow, with the same number of hosts on each. What the families share
// whose members differ in how the switches are linked: dragonflies, Slim Flies, Jellyfishes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/topology/facts.h"
#include "quadrille/topology/spec_parser.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct SwitchLink {
  uint32_t a = 0;
  uint32_t b = 0;
};

/// The switches of a network as its family says; equal links are one of more capacity.
struct SwitchNetwork {
  std::string spec;
  uint64_t switches = 0;
  std::vector<SwitchLink> links;
  uint64_t hosts_each = 0;  ///< 0: the switches themselves are the endpoints
  uint64_t with_hosts = 0;  ///< how many switches, the first ones, have hosts; 0: all
};

/// Hosts come first, those of a switch side by side, then the switches, which are called s0, s1, ..; without
/// hosts the switches are the nodes. A pair of nodes is called too large at the place of the call.
[[nodiscard]] Topology switch_network_topology(const SpecCall& call, const SwitchNetwork& network);
/// Sizes alone; all else is left to search.
[[nodiscard]] TopologyFacts switch_network_facts(const SwitchNetwork& network);

}  // namespace quadrille
