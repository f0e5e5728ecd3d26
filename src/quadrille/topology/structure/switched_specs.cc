#include "quadrille/topology/structure/switched_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace quadrille {
namespace switched_specs_parts {
namespace {

// Levels of a folded Clos network, hosts first: each node of a level with as many links up, of one capacity, and down.
struct Levels {
  std::vector<uint32_t> children;
  std::vector<uint32_t> parents;
  std::vector<uint32_t> capacity;
};

std::optional<Levels> levels_of(const Topology& topology) {
  std::vector<uint32_t> level(topology.num_nodes(), UINT32_MAX);
  std::vector<NodeId> reached(topology.endpoints().begin(), topology.endpoints().end());
  for (const NodeId host : reached) level[index(host)] = 0;
  for (size_t i = 0; i < reached.size(); ++i) {
    for (const ArcId arc : topology.arcs_from(reached[i])) {
      uint32_t& there = level[index(topology.head(arc))];
      if (there != UINT32_MAX) continue;
      there = level[index(reached[i])] + 1;
      reached.push_back(topology.head(arc));
    }
  }
  if (reached.size() != topology.num_nodes()) return std::nullopt;
  const uint32_t height = level[index(reached.back())];
  if (height == 0) return std::nullopt;
  Levels out{std::vector<uint32_t>(height, 0), std::vector<uint32_t>(height, 0),
             std::vector<uint32_t>(height, 0)};
  for (const NodeId v : topology.nodes()) {
    const uint32_t here = level[index(v)];
    uint32_t up = 0;
    uint32_t down = 0;
    for (const ArcId arc : topology.arcs_from(v)) {
      const uint32_t there = level[index(topology.head(arc))];
      if (there == here) return std::nullopt;
      there > here ? ++up : ++down;
      uint32_t& capacity = out.capacity[std::min(here, there)];
      if (capacity == 0) capacity = topology.capacity(arc);
      if (capacity != topology.capacity(arc)) return std::nullopt;
    }
    if ((here == height) != (up == 0)) return std::nullopt;
    if (here < height && out.parents[here] == 0) out.parents[here] = up;
    if (here > 0 && out.children[here - 1] == 0) out.children[here - 1] = down;
    if ((here < height && out.parents[here] != up) || (here > 0 && out.children[here - 1] != down))
      return std::nullopt;
  }
  return out;
}

std::string folded_clos(const Levels& levels) {
  const size_t height = levels.children.size();
  const bool is_plain = std::ranges::all_of(levels.capacity, [](uint32_t capacity) { return capacity == 1; });
  if (height == 1)
    return is_plain
               ? fmt::format("gpu_box({},{})", levels.children[0], levels.parents[0])
               : fmt::format("gpu_box({},{};{})", levels.children[0], levels.parents[0], levels.capacity[0]);
  if (is_plain && height == 2 && levels.parents[0] == 1)
    return fmt::format("clos({},{},{})", levels.parents[1], levels.children[0], levels.children[1]);
  const uint32_t half = levels.children[0];
  if (is_plain && height == 3 && levels.children == std::vector<uint32_t>{half, half, 2 * half} &&
      levels.parents == std::vector<uint32_t>{1, half, half})
    return fmt::format("clos({})", 2 * half);
  return fmt::format("xgft({};{}{})", fmt::join(levels.children, ","), fmt::join(levels.parents, ","),
                     is_plain ? "" : fmt::format(";{}", fmt::join(levels.capacity, ",")));
}

// Accelerators with a link into their box and one to their rail.
void add_rails(const Topology& topology, std::vector<std::string>& specs) {
  const uint64_t hosts = topology.num_endpoints();
  const uint64_t routers = topology.num_nodes() - hosts;
  const auto endpoints = topology.endpoints();
  if (!std::ranges::all_of(endpoints, [&](NodeId v) { return topology.out_degree(v) == 2; })) return;
  const auto capacities = topology.capacities();
  const uint32_t inside = std::ranges::max(capacities);
  for (uint64_t boxes = 1; boxes <= hosts && boxes < routers; ++boxes) {
    const uint64_t gpus = hosts / boxes;
    if (boxes * gpus != hosts || boxes + gpus > routers) continue;
    const uint64_t spines = routers - boxes - gpus;
    if (2 * (2 * hosts + gpus * spines) != topology.num_arcs()) continue;
    specs.push_back(fmt::format("rail_optimized({},{},{}{})", boxes, gpus, spines,
                                inside == 1 ? "" : fmt::format(";{}", inside)));
  }
}

// Switches of which some have as many hosts of one link each, and the others none.
struct HostsOnSwitches {
  uint64_t each = 0;      // hosts of a switch that has some
  uint64_t with = 0;      // switches with hosts
  uint64_t without = 0;   // and without
  uint64_t degree = 0;    // links to other switches of those with hosts
  uint64_t others = 0;    // and of those without
  bool are_even = false;  // all of a kind have as many
};

std::optional<HostsOnSwitches> hosts_on_switches(const Topology& topology) {
  std::vector<uint64_t> hosts(topology.num_nodes(), 0);
  for (const NodeId host : topology.endpoints()) {
    if (topology.out_degree(host) != 1) return std::nullopt;
    ++hosts[index(topology.head(*topology.arcs_from(host).begin()))];
  }
  HostsOnSwitches out;
  out.are_even = true;
  for (const NodeId v : topology.nodes()) {
    if (topology.rank(v)) {
      if (hosts[index(v)] > 0) return std::nullopt;
      continue;
    }
    const uint64_t here = hosts[index(v)];
    const uint64_t degree = topology.out_degree(v) - here;
    if (here > 0 && out.each > 0 && here != out.each) return std::nullopt;
    uint64_t& known = here > 0 ? out.degree : out.others;
    uint64_t& count = here > 0 ? out.with : out.without;
    if (count > 0 && known != degree) out.are_even = false;
    known = std::max(known, degree);
    if (here > 0) out.each = here;
    ++count;
  }
  if (out.with == 0) return std::nullopt;
  return out;
}

void add_dragonflies(const HostsOnSwitches& net, std::vector<std::string>& specs) {
  for (uint64_t a = 1; a <= net.with && a <= net.degree; ++a) {
    const uint64_t h = net.degree + 1 - a;
    const uint64_t groups = net.with / a;
    if (groups * a != net.with || groups < 2 || groups > a * h + 1) continue;
    if (groups == a * h + 1) {
      specs.push_back(fmt::format("dragonfly({},{},{})", net.each, a, h));
    } else {
      specs.push_back(fmt::format("dragonfly({},{},{},{})", net.each, a, h, groups));
    }
  }
}

void add_megaflies(const HostsOnSwitches& net, std::vector<std::string>& specs) {
  const uint64_t spines = net.degree;
  if (spines == 0 || net.without % spines != 0) return;
  const uint64_t groups = net.without / spines;
  if (groups < 2 || net.with % groups != 0) return;
  const uint64_t leaves = net.with / groups;
  if (leaves >= net.others) return;
  const uint64_t h = net.others - leaves;
  if (groups > spines * h + 1) return;
  if (groups == spines * h + 1) {
    specs.push_back(fmt::format("megafly({},{},{},{})", net.each, leaves, spines, h));
  } else {
    specs.push_back(fmt::format("megafly({},{},{},{},{})", net.each, leaves, spines, h, groups));
  }
}

void add_slim_flies(const HostsOnSwitches& net, std::vector<std::string>& specs) {
  for (const uint64_t q : {3U, 4U, 5U, 7U, 8U, 9U, 11U, 13U, 16U})
    if (2 * q * q == net.with && 2 * net.degree + (q % 4 == 1 ? 1 : 0) == 3 * q + (q % 4 == 3 ? 1 : 0))
      specs.push_back(fmt::format("slim_fly({},{})", q, net.each));
}

}  // namespace
}  // namespace switched_specs_parts

std::vector<std::string> switched_specs(const Topology& topology) {
  namespace parts = switched_specs_parts;
  std::vector<std::string> out;
  if (!topology.has_routers() || topology.is_directed() || topology.num_endpoints() == 0) return out;
  if (const std::optional<parts::Levels> levels = parts::levels_of(topology))
    out.push_back(parts::folded_clos(*levels));
  parts::add_rails(topology, out);
  const std::optional<parts::HostsOnSwitches> net = parts::hosts_on_switches(topology);
  if (!net) return out;
  if (net->without == 0) {
    parts::add_dragonflies(*net, out);
    if (net->are_even) parts::add_slim_flies(*net, out);
  } else if (net->are_even) {
    parts::add_megaflies(*net, out);
  }
  return out;
}

}  // namespace quadrille
