#include "quadrille/sim/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/sim/routing_table.h"

namespace quadrille {
namespace {

uint32_t ports_of(Ports ports, const Topology& network, IdRange<ArcId> links) {
  if (!ports.unlimited()) return ports.count;
  uint64_t sum = 0;
  for (const ArcId arc : links) sum += network.capacity(arc);
  return static_cast<uint32_t>(std::max<uint64_t>(1, std::min<uint64_t>(sum, UINT32_MAX)));
}

// Paths become hops; messages come in any order of sources and are sorted in the end.
class TrafficBuilder {
 public:
  TrafficBuilder(const Topology& network, Traffic& traffic)
      : network_(network), traffic_(traffic), order_(DimensionOrder::of(network)) {
    for (const NodeId v : network.nodes()) {
      if (network.out_degree(v) >= Hop::kMostArcs)
        throw InputError(fmt::format("simulation: node {} has {} links; at most {} can be simulated",
                                     network.label(v), network.out_degree(v), Hop::kMostArcs - 1));
    }
  }

  void add(std::span<const ArcId> path, uint32_t step, uint64_t flits, uint64_t release = 0) {
    if (flits > UINT32_MAX)
      throw InputError(
          fmt::format("simulation: a message of step {} has {} flits; allowed are up to {}; larger "
                      "flits (--flit) make fewer",
                      step + 1, flits, UINT32_MAX));
    TrafficMessage message;
    message.source = network_.tail(path.front());
    message.destination = network_.head(path.back());
    message.step = step;
    message.flits = static_cast<uint32_t>(flits);
    message.release = release;
    message.path = traffic_.hops.size();
    if (order_ && order_->classes(path, classes_)) {
    } else {
      classes_.assign(path.size(), VcClass::kAny);
      ++traffic_.paths_without_order;
    }
    for (size_t i = 0; i < path.size(); ++i) {
      const auto position =
          static_cast<uint32_t>(index(path[i]) - index(network_.arcs_from(network_.tail(path[i]))[0]));
      traffic_.hops.emplace_back(position, classes_[i]);
    }
    traffic_.hops.push_back(Hop::end());
    traffic_.messages.push_back(message);
  }

  void finish() {
    if (traffic_.messages.size() >= UINT32_MAX)
      throw InputError(
          fmt::format("simulation: {} messages are more than 32 bits count", traffic_.messages.size()));
    std::stable_sort(traffic_.messages.begin(), traffic_.messages.end(),
                     [](const TrafficMessage& a, const TrafficMessage& b) {
                       return std::pair(index(a.source), a.step) < std::pair(index(b.source), b.step);
                     });
  }

 private:
  const Topology& network_;
  Traffic& traffic_;
  std::optional<DimensionOrder> order_;
  std::vector<VcClass> classes_{};
};

// Transfers of one step that go the same path, in the order of the first of each.
struct SamePaths {
  std::vector<uint32_t> first{};  // of every group a transfer
  std::vector<uint64_t> blocks{};

  SamePaths(const StepView& step, bool merged) {
    std::vector<uint32_t> by_path(step.size());
    for (uint32_t t = 0; t < by_path.size(); ++t) by_path[t] = t;
    const auto less = [&step](uint32_t a, uint32_t b) {
      return std::ranges::lexicographical_compare(step.arcs(a), step.arcs(b));
    };
    if (merged) std::ranges::stable_sort(by_path, less);
    std::vector<std::pair<uint32_t, uint64_t>> groups;
    for (const uint32_t t : by_path) {
      if (merged && !groups.empty() && std::ranges::equal(step.arcs(groups.back().first), step.arcs(t)))
        groups.back().second += step.blocks(t).size();
      else
        groups.emplace_back(t, step.blocks(t).size());
    }
    std::ranges::sort(groups);
    for (const auto& [t, count] : groups) {
      first.push_back(t);
      blocks.push_back(count);
    }
  }
};

}  // namespace

uint32_t Traffic::send_ports(NodeId node) const { return ports_of(send, network, network.arcs_from(node)); }

uint32_t Traffic::receive_ports(NodeId node) const {
  if (!receive.unlimited()) return receive.count;
  uint64_t sum = 0;
  if (!network.is_directed()) return ports_of(receive, network, network.arcs_from(node));
  for (const ArcId arc : network.arcs()) {
    if (network.head(arc) == node) sum += network.capacity(arc);
  }
  return static_cast<uint32_t>(std::max<uint64_t>(1, std::min<uint64_t>(sum, UINT32_MAX)));
}

uint32_t Traffic::length(const TrafficMessage& message) const {
  uint32_t length = 0;
  while (!hops[message.path + length].is_end()) ++length;
  return length;
}

uint64_t Traffic::flit_hops() const {
  uint64_t sum = 0;
  for (const TrafficMessage& m : messages) sum += uint64_t{m.flits} * length(m);
  return sum;
}

Traffic traffic_of(const Schedule& schedule, const FlitSizes& sizes) {
  if (sizes.flit_bytes == 0) throw InputError("simulation: a flit has at least one byte, not 0");
  const Problem& problem = schedule.problem();
  const Model& model = problem.model();
  Traffic traffic{.network = problem.topology(),
                  .send = model.send,
                  .receive = model.receive,
                  .half_duplex = model.duplex == Duplex::kHalf};
  const Plan& plan = schedule.plan();
  if (plan.num_steps() >= UINT32_MAX) throw InputError("simulation: more steps than 32 bits count");
  traffic.steps = static_cast<uint32_t>(plan.num_steps());
  TrafficBuilder builder(traffic.network, traffic);
  for (uint32_t s = 0; s < traffic.steps; ++s) {
    const StepView step = plan.step(s);
    const SamePaths groups(step, shares_arcs(model));
    for (size_t g = 0; g < groups.first.size(); ++g) {
      const uint64_t blocks = groups.blocks[g];
      QUADRILLE_CHECK(sizes.block_bytes == 0 || blocks <= UINT64_MAX / sizes.block_bytes,
                      "bytes of a message");
      const uint64_t bytes = blocks * sizes.block_bytes;
      const uint64_t flits =
          bytes / sizes.flit_bytes + (bytes % sizes.flit_bytes != 0 ? 1 : 0) + sizes.header_flits;
      builder.add(step.arcs(groups.first[g]), s, std::max<uint64_t>(1, flits));
    }
  }
  builder.finish();
  return traffic;
}

Traffic traffic_of(const Topology& network, std::span<const Parcel> demands) {
  Traffic traffic{.network = network, .send = kOnePort, .receive = kOnePort};
  const std::optional<DimensionOrder> order = DimensionOrder::of(network);
  if (!order)
    throw InputError(fmt::format(
        "simulation: {} is no product of rings, lines and complete graphs, so it has no dimension order",
        network.name()));
  TrafficBuilder builder(traffic.network, traffic);
  std::vector<ArcId> path;
  for (const Parcel& demand : demands) {
    QUADRILLE_CHECK(demand.source != demand.destination, "a message from a node to itself");
    path.clear();
    order->route(demand.source, demand.destination, path);
    builder.add(path, demand.step, demand.flits, demand.release);
    traffic.steps = std::max(traffic.steps, demand.step + 1);
  }
  builder.finish();
  return traffic;
}

void route_by(const RoutingTable& table, Traffic& traffic) {
  const Topology& network = traffic.network;
  traffic.hops.clear();
  traffic.paths_without_order = 0;
  for (TrafficMessage& m : traffic.messages) {
    m.path = traffic.hops.size();
    for (NodeId here = m.source; here != m.destination;) {
      const Hop hop = table.next(here, m.destination);
      traffic.hops.push_back(hop);
      here = network.head(network.arcs_from(here)[hop.position()]);
    }
    traffic.hops.push_back(Hop::end());
  }
}

}  // namespace quadrille
