#include "quadrille/topology/families/switched/switch_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "quadrille/topology/spec_arguments.h"

namespace quadrille {
namespace {

uint64_t switches_with_hosts(const SwitchNetwork& network) {
  return network.with_hosts == 0 ? network.switches : network.with_hosts;
}

uint64_t hosts_of(const SwitchNetwork& network) { return switches_with_hosts(network) * network.hosts_each; }

}  // namespace

Topology switch_network_topology(const SpecCall& call, const SwitchNetwork& network) {
  const uint64_t hosts = hosts_of(network);
  require_buildable(call, Int128{hosts} + network.switches, 2 * (Int128{hosts} + network.links.size()));
  TopologyBuilder builder(network.spec, hosts + network.switches);
  builder.reserve_arcs(2 * (hosts + network.links.size()));
  const auto node = [](uint64_t number) { return NodeId{static_cast<uint32_t>(number)}; };
  for (uint64_t host = 0; host < hosts; ++host)
    builder.link(node(host), node(hosts + host / network.hosts_each));
  for (const SwitchLink& link : network.links) builder.link(node(hosts + link.a), node(hosts + link.b));
  if (hosts > 0) {
    std::vector<NodeId> endpoints;
    std::vector<std::string> labels;
    for (uint64_t host = 0; host < hosts; ++host) {
      endpoints.push_back(node(host));
      labels.push_back(std::to_string(host));
    }
    for (uint64_t s = 0; s < network.switches; ++s) labels.push_back(fmt::format("s{}", s));
    builder.endpoints(std::move(endpoints));
    builder.labels(std::move(labels));
  }
  return builder.build();
}

TopologyFacts switch_network_facts(const SwitchNetwork& network) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  pairs.reserve(network.links.size());
  for (const SwitchLink& link : network.links)
    pairs.emplace_back(std::min(link.a, link.b), std::max(link.a, link.b));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<uint64_t> degree(network.switches, 0);
  for (const auto& [a, b] : pairs) {
    ++degree[a];
    ++degree[b];
  }
  for (uint64_t s = 0; s < switches_with_hosts(network); ++s) degree[s] += network.hosts_each;
  TopologyFacts out;
  out.spec = network.spec;
  out.endpoints = network.hosts_each == 0 ? Int128{network.switches} : Int128{hosts_of(network)};
  out.nodes = network.hosts_each == 0 ? out.endpoints : out.endpoints + network.switches;
  out.links = Int128{pairs.size()} + hosts_of(network);
  out.min_degree = Int128{*std::min_element(degree.begin(), degree.end())};
  out.max_degree = Int128{*std::max_element(degree.begin(), degree.end())};
  if (network.hosts_each > 0) out.min_degree = std::min<Int128>(*out.min_degree, 1);
  if (network.hosts_each > 0) out.max_degree = std::max<Int128>(*out.max_degree, 1);
  return out;
}

}  // namespace quadrille
