#include "quadrille/algorithms/packing/swarms/tight_sets.h"

#include <algorithm>
#include <optional>

#include "quadrille/search/maximum_flow.h"
#include "quadrille/topology/queries/separations.h"

namespace quadrille {
namespace {

// Arcs of all flows together.
constexpr uint64_t kMostArcsOfFlows = 20'000'000;
constexpr uint64_t kSoughtTenths =
    6;  // of the least steps, so that sets are found that take long since they are deep
constexpr uint64_t kTightTenths = 8;

// What can come to one node in so many steps. Each node of the topology is three: what it receives, has and sends.
class FlowsTo {
 public:
  FlowsTo(const SwarmTask& task, uint64_t steps)
      : net_(task.net), blocks_(task.origins.size()), has_(net_.num_nodes()), receives_(net_.num_nodes()) {
    FlowNetwork flow;
    std::vector<uint64_t> begin(net_.num_nodes(), 0);  // blocks, per node
    for (const NodeId origin : task.origins) ++begin[index(origin)];
    std::vector<uint32_t> sends(net_.num_nodes());
    const auto through_ports = [&](Ports ports, uint32_t has, bool into) {
      if (ports.unlimited()) return has;
      const uint32_t port = flow.add_node();
      flow.add_arc(into ? port : has, into ? has : port, steps * ports.count);
      return port;
    };
    for (const NodeId v : net_.nodes()) {
      has_[index(v)] = flow.add_node();
      if (begin[index(v)] > 0) flow.add_arc(FlowNetwork::kSource, has_[index(v)], begin[index(v)]);
      receives_[index(v)] = through_ports(task.receive, has_[index(v)], true);
      sends[index(v)] = through_ports(task.send, has_[index(v)], false);
    }
    for (const NodeId v : net_.endpoints())
      for (const uint32_t end : ends_of(v)) flow.add_arc(end, FlowNetwork::kSink, 0);
    for (const ArcId arc : net_.arcs())
      flow.add_arc(sends[index(net_.tail(arc))], receives_[index(net_.head(arc))],
                   steps * net_.capacity(arc));
    flow_.emplace(flow);
  }

  // Nodes into which too little can come, with this one; nothing if so many steps are enough for it, whatever its own ports are.
  [[nodiscard]] std::optional<std::vector<char>> set_around(NodeId node) {
    const std::optional<std::vector<char>> at_source = flow_->cut_below(ends_of(node), blocks_);
    if (!at_source) return std::nullopt;
    std::vector<char> out(net_.num_nodes());
    for (const NodeId v : net_.nodes()) out[index(v)] = (*at_source)[has_[index(v)]] != 0 ? 0 : 1;
    return out;
  }

 private:
  // What it has, and what comes before it goes through its ports.
  [[nodiscard]] std::vector<uint32_t> ends_of(NodeId v) const {
    const uint32_t has = has_[index(v)];
    const uint32_t receives = receives_[index(v)];
    return has == receives ? std::vector{has} : std::vector{has, receives};
  }

  const Topology& net_;
  uint64_t blocks_;
  std::vector<uint32_t> has_;
  std::vector<uint32_t> receives_;
  std::optional<MovingFlow> flow_{};
};

// Hops from the border to the farthest node of the set.
uint64_t depth_of(const Topology& net, const TightSet& set) {
  std::vector<char> left = set.holds;
  std::vector<NodeId> reached;
  const auto reach = [&](NodeId v) {
    if (left[index(v)] == 0) return;
    left[index(v)] = 0;
    reached.push_back(v);
  };
  for (const ArcId arc : set.border) reach(net.head(arc));
  uint64_t depth = 0;
  for (size_t i = 0, end = reached.size(); i < end; end = reached.size()) {
    for (; i < end; ++i)
      for (const ArcId arc : net.arcs_from(reached[i])) reach(net.head(arc));
    if (reached.size() > end) ++depth;
  }
  return depth;
}

class Found {
 public:
  Found(const SwarmTask& task, uint64_t least) : task_(task), least_(least) {}

  // Keeps it if it is tight; it may take so many steps for what else those must send who lead into it.
  void offer(std::vector<char> holds, uint64_t busy = 0) {
    const Topology& net = task_.net;
    if (std::ranges::any_of(sets_, [&](const TightSet& set) { return set.holds == holds; })) return;
    TightSet set{std::move(holds)};
    for (const ArcId arc : net.arcs())
      if (set.holds[index(net.tail(arc))] == 0 && set.holds[index(net.head(arc))] != 0)
        set.border.push_back(arc);
    if (set.border.empty()) return;
    set.lanes = lanes_of(set.border);
    for (const NodeId origin : task_.origins) set.outside += set.holds[index(origin)] != 0 ? 0 : 1;
    set.depth = depth_of(net, set);
    set.steps = std::max(busy, (set.outside + set.lanes - 1) / set.lanes) + set.depth;
    if (10 * set.steps >= kTightTenths * least_) sets_.push_back(std::move(set));
  }
  std::vector<TightSet> take() && {
    std::ranges::stable_sort(sets_, [](const TightSet& a, const TightSet& b) { return a.steps > b.steps; });
    std::vector<char> is_taken(task_.net.num_arcs(), 0);
    for (TightSet& set : sets_) {
      std::erase_if(set.border, [&](ArcId arc) { return is_taken[index(arc)] != 0; });
      for (const ArcId arc : set.border) is_taken[index(arc)] = 1;
    }
    std::erase_if(sets_, [](const TightSet& set) { return set.border.empty(); });
    return std::move(sets_);
  }

 private:
  // Blocks that can cross in a step, as ports of the tails allow.
  [[nodiscard]] uint64_t lanes_of(const std::vector<ArcId>& border) const {
    uint64_t lanes = 0;
    uint64_t of_tail = 0;
    for (size_t i = 0; i < border.size(); ++i) {  // arcs are sorted by their tails
      of_tail += task_.net.capacity(border[i]);
      if (i + 1 < border.size() && task_.net.tail(border[i + 1]) == task_.net.tail(border[i])) continue;
      lanes += task_.send.unlimited() ? of_tail : std::min<uint64_t>(of_tail, task_.send.count);
      of_tail = 0;
    }
    return lanes;
  }

  const SwarmTask& task_;
  uint64_t least_;
  std::vector<TightSet> sets_;
};

}  // namespace

std::vector<TightSet> tight_sets(const SwarmTask& task, uint64_t least) {
  const Topology& net = task.net;
  if (uint64_t{net.num_nodes()} * net.num_arcs() > kMostArcsOfFlows) return {};
  Found found(task, least);
  const Separations around(net);
  for (const Separations::Part& part : around.bridges()) {
    std::vector<char> far(net.num_nodes(), 0);
    std::vector<char> near(net.num_nodes(), 0);
    for (const NodeId v : net.nodes()) (around.is_in(part, v) ? far : near)[index(v)] = 1;
    found.offer(std::move(far));
    found.offer(std::move(near));
  }
  for (const NodeId v : net.nodes()) {
    const std::vector<Separations::Part> parts = around.parts(v);
    if (parts.size() < 2 || task.send.unlimited()) continue;
    uint64_t duty = 0;
    for (const Separations::Part& part : parts)
      if (part.endpoints > 0)
        for (const NodeId origin : task.origins) duty += around.is_in(part, origin) ? 0 : 1;
    for (const Separations::Part& part : parts) {
      std::vector<char> holds(net.num_nodes(), 0);
      for (const NodeId w : net.nodes()) holds[index(w)] = around.is_in(part, w) ? 1 : 0;
      found.offer(std::move(holds), duty / task.send.count);
    }
  }
  FlowsTo flows(task, std::max<uint64_t>(1, kSoughtTenths * least / 10));
  for (const NodeId v : net.endpoints()) {
    std::optional<std::vector<char>> holds = flows.set_around(v);
    if (holds && std::ranges::count(*holds, 1) > 1) found.offer(*std::move(holds));
  }
  return std::move(found).take();
}

}  // namespace quadrille
