#include "quadrille/sim/packet_simulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/sim/radix_heap.h"

namespace quadrille {
namespace {

class PacketNetwork {
 public:
  PacketNetwork(const Traffic& traffic, const PacketParameters& parameters, const WormRun& run)
      : traffic_(traffic),
        net_(traffic.network),
        parameters_(parameters),
        turns_(traffic, run.synchronisation),
        nodes_(traffic, turns_, run.stalls, run.costs),
        most_contentions_(run.most_contentions),
        uses_(run.uses) {
    links_.reserve(net_.num_arcs());
    for (const ArcId arc : net_.arcs()) {
      links_.push_back({.head = static_cast<uint32_t>(index(net_.head(arc))),
                        .units = net_.capacity(arc),
                        .first_unit = static_cast<uint32_t>(units_.size())});
      if (net_.capacity(arc) > 1) units_.resize(units_.size() + net_.capacity(arc), 0);
    }
    for (const ArcId arc : net_.arcs()) {
      const ArcId back = traffic.half_duplex ? net_.reverse(arc) : kNoArc;
      server_.push_back(
          static_cast<uint32_t>(back == kNoArc ? index(arc) : std::min(index(arc), index(back))));
    }
    if (!run.synchronisation.priorities.empty())
      throw InputError(
          "simulation of packets: queues are first come first served, without priorities; state barriers or signals");
    for (const NodeId v : net_.nodes()) {
      const auto arcs = net_.arcs_from(v);
      first_link_.push_back(arcs.empty() ? 0 : static_cast<uint32_t>(index(arcs[0])));
    }
    one_send_ = is_one(traffic.send, "sends");
    one_receive_ = is_one(traffic.receive, "receives");
    send_free_.assign(net_.num_nodes(), 0);
    receive_free_.assign(net_.num_nodes(), 0);
    packets_.resize(traffic.messages.size());
    done_.by_flits = false;
    done_.by_packets = true;
    done_.result.delivered.assign(traffic.messages.size(), kNever);
    done_.result.started.assign(traffic.messages.size(), kNever);
    done_.result.link_flits.assign(net_.num_arcs(), 0);
  }

  Simulation run() {
    start_messages(0);
    std::vector<uint64_t> events;
    while (!heap_.empty()) {
      const uint64_t now = heap_.pop(events);
      for (size_t i = 0; i < events.size(); ++i) {
        if (i + 2 * kAhead < events.size() && events[i + 2 * kAhead] != kWake)
          __builtin_prefetch(&packets_[events[i + 2 * kAhead] / 2]);
        if (i + kAhead < events.size() && events[i + kAhead] != kWake)
          __builtin_prefetch(&traffic_.hops[packets_[events[i + kAhead] / 2].at]);
        if (events[i] == kWake) continue;
        const auto m = static_cast<uint32_t>(events[i] / 2);
        (events[i] % 2 == 0) ? arrive(m, now) : receive(m, now);
      }
      ++done_.result.evaluated;
      start_messages(now);
    }
    for (uint32_t l = 0; l < links_.size(); ++l) {
      done_.result.link_flits[l] = links_[l].flits;
      done_.result.flit_hops += links_[l].flits;
    }
    if (!nodes_.finished())
      done_.result.deadlock =
          Deadlock{.cycle = done_.result.cycles, .nodes = nodes_.who_waits(most_contentions_)};
    return std::move(done_);
  }

 private:
  static constexpr uint64_t kWake = UINT64_MAX;
  static constexpr size_t kAhead = 8;  // events of one time, for which memory is fetched
  struct Packet {
    uint64_t at = 0;  // the hop that comes next
    uint32_t here = 0;
    uint32_t flits = 0;
  };
  struct Link {
    uint64_t free = 0;   // from when on
    uint64_t flits = 0;  // sent so far
    uint32_t head = 0;
    uint32_t units = 1;  // its capacity; of more than one each has its own time
    uint32_t first_unit = 0;
  };

  static bool is_one(Ports ports, std::string_view what) {
    if (ports.unlimited()) return false;
    if (ports.count > 1)
      throw InputError(fmt::format("simulation of packets: a node {} by one port or by all, not by {}", what,
                                   ports.count));
    return true;
  }

  void start_messages(uint64_t now) {
    while (nodes_.next_wake() <= now) nodes_.wake(now);
    for (const NodeId v : nodes_.changed()) {
      while (const std::optional<uint32_t> m = nodes_.take(v, now)) {
        packets_[*m] = {traffic_.messages[*m].path, static_cast<uint32_t>(index(v)),
                        traffic_.messages[*m].flits};
        done_.result.started[*m] = now;
        heap_.push(now, uint64_t{*m} * 2);
      }
    }
    nodes_.clear_changed();
    const uint64_t wake = nodes_.next_wake();
    if (wake == kNever || wake == posted_wake_) return;
    posted_wake_ = wake;
    heap_.push(wake, kWake);
  }

  // A message is in a node, whole.
  void arrive(uint32_t m, uint64_t now) {
    Packet& packet = packets_[m];
    const Hop hop = traffic_.hops[packet.at];
    if (hop.is_end()) {
      done_.result.delivered[m] = now;
      done_.result.cycles = now;
      return nodes_.delivered(m, now);
    }
    const uint32_t id = first_link_[packet.here] + hop.position();
    Link& link = links_[id];
    // In half duplex both directions have one time from when on they are free.
    Link& server = links_[server_[id]];
    uint64_t& free = server.units == 1 ? server.free : first_free_unit(server);
    uint64_t start = std::max(now, free);
    if (one_send_) start = std::max(start, send_free_[packet.here]);
    const uint64_t time = uint64_t{packet.flits} * parameters_.flit_time;
    if (start > now) note_wait(ArcId{id}, m, now);
    if (uses_ != nullptr) {
      const auto unit = server.units == 1 ? 0 : static_cast<uint32_t>(&free - &units_[server.first_unit]);
      uses_->push_back({m, ArcId{id}, unit, now, start, start + time - 1});
    }
    free = start + time;
    if (one_send_) send_free_[packet.here] = start + time;
    link.flits += packet.flits;
    ++packet.at;
    packet.here = link.head;
    if (one_receive_)
      heap_.push(start + parameters_.latency, uint64_t{m} * 2 + 1);
    else
      heap_.push(start + time + parameters_.latency, uint64_t{m} * 2);
  }
  [[nodiscard]] uint64_t& first_free_unit(const Link& link) {
    const auto units = units_.begin() + static_cast<std::ptrdiff_t>(link.first_unit);
    return *std::min_element(units, units + static_cast<std::ptrdiff_t>(link.units));
  }

  // Its first flit is at the one receive port of a node.
  void receive(uint32_t m, uint64_t now) {
    const Packet& packet = packets_[m];
    uint64_t& port = receive_free_[packet.here];
    const uint64_t start = std::max(now, port);
    if (start > now) note_wait(kNoArc, m, now);
    port = start + uint64_t{packet.flits} * parameters_.flit_time;
    heap_.push(port, uint64_t{m} * 2);
  }

  void note_wait(ArcId arc, uint32_t m, uint64_t now) {
    ++done_.result.channel_waits;
    if (done_.result.contentions.size() < most_contentions_)
      done_.result.contentions.push_back(
          {Contention::What::kChannel, now, NodeId{packets_[m].here}, arc, UINT32_MAX, m});
  }

  const Traffic& traffic_;
  const Topology& net_;
  const PacketParameters parameters_;
  const NodeTurns turns_;
  NodePrograms nodes_;
  size_t most_contentions_;
  std::vector<ChannelUse>* uses_;
  RadixHeap heap_{};
  uint64_t posted_wake_ = kNever;
  std::vector<Link> links_{};
  std::vector<uint32_t> server_{};      // of a link: whose times it goes by
  std::vector<uint32_t> first_link_{};  // of a node
  std::vector<uint64_t> units_{};       // of links of several: from when on each is free
  bool one_send_ = false;
  bool one_receive_ = false;
  std::vector<uint64_t> send_free_{};
  std::vector<uint64_t> receive_free_{};
  std::vector<Packet> packets_{};
  Simulation done_{};
};

}  // namespace

Simulation simulate_packets(const Traffic& traffic, const PacketParameters& parameters, const WormRun& run) {
  if (parameters.flit_time == 0)
    throw InputError("simulation of packets: a flit takes at least 1 tick, not 0");
  return PacketNetwork(traffic, parameters, run).run();
}

SeedSweep sweep_packet_seeds(const Traffic& traffic, const PacketParameters& parameters, const WormRun& run,
                             uint64_t seeds, const Sharing& how) {
  const auto runner = [&]() -> SeedRunner {
    return [&](const Stalls& stalls) -> SeedOutcome {
      WormRun one = run;
      one.stalls = stalls;
      one.most_contentions = 1;
      const WormResult result = simulate_packets(traffic, parameters, one).result;
      return {result.cycles, result.contention() > 0, result.deadlock.has_value()};
    };
  };
  return sweep_seeds(runner, run.stalls, seeds, how);
}

}  // namespace quadrille
