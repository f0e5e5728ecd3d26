#include "quadrille/sim/uncontended_worms.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"

namespace quadrille {

std::optional<std::string> UncontendedWorms::inexact(const Traffic& traffic, const WormParameters& p) {
  if (p.buffer < p.hop_delay() + p.credit_delay)
    return fmt::format("buffers of {} flits are too small for full rate, which takes {}", p.buffer,
                       p.hop_delay() + p.credit_delay);
  if (p.atomic) return "a channel that must be empty before it is used again makes others wait";
  const auto capacities = traffic.network.capacities();
  if (p.vcs == 1 && std::ranges::any_of(capacities, [](uint32_t c) { return c > 1; }))
    return "with one channel for each unit of a link's capacity, classes of channels may be too few";
  return std::nullopt;
}

UncontendedWorms::UncontendedWorms(const Traffic& traffic, const WormParameters& parameters,
                                   const PlanSynchronisation& sync, SynchronisationCosts costs)
    : traffic_(traffic), parameters_(parameters), turns_(traffic, sync), costs_(costs) {
  require_sound(parameters);
  if (const auto why = inexact(traffic, parameters)) throw InputError("simulation by whole worms: " + *why);
  find_uses();
}

void UncontendedWorms::find_uses() {
  const Topology& network = traffic_.network;
  const uint32_t arcs = network.num_arcs();
  // In half duplex both directions are one link.
  const auto link_of = [&](ArcId arc) {
    const ArcId back = traffic_.half_duplex ? network.reverse(arc) : kNoArc;
    return back == kNoArc ? index(arc) : std::min(index(arc), index(back));
  };
  const auto each_use = [&](auto&& visit) {
    for (uint32_t m = 0; m < traffic_.messages.size(); ++m) {
      const TrafficMessage& message = traffic_.messages[m];
      NodeId here = message.source;
      uint32_t hop = 0;
      for (; !traffic_.hops[message.path + hop].is_end(); ++hop) {
        const ArcId arc = network.arcs_from(here)[traffic_.hops[message.path + hop].position()];
        visit(link_of(arc), m, hop);
        here = network.head(arc);
      }
      visit(arcs + index(here), m, hop);
    }
  };
  uses_begin_.assign(size_t{arcs} + network.num_nodes() + 1, 0);
  length_.resize(traffic_.messages.size());
  each_use([&](size_t link, uint32_t m, uint32_t hop) {
    ++uses_begin_[link + 1];
    length_[m] = hop;
  });
  for (size_t l = 1; l < uses_begin_.size(); ++l) uses_begin_[l] += uses_begin_[l - 1];
  uses_.resize(uses_begin_.back());
  std::vector<uint64_t> at = uses_begin_;
  each_use([&](size_t link, uint32_t m, uint32_t hop) {
    uses_[at[link]++] = {m, hop * parameters_.hop_delay()};
  });
  room_.assign(network.capacities().begin(), network.capacities().end());
  for (const NodeId v : network.nodes()) {
    room_.push_back(traffic_.receive_ports(v));
    send_ports_.push_back(traffic_.send_ports(v));
  }
  started_.resize(traffic_.messages.size());
  delivered_.resize(traffic_.messages.size());
}

UncontendedWorms::Run UncontendedWorms::run(Stalls stalls) {
  NodePrograms nodes(traffic_, turns_, stalls, costs_);
  std::fill(started_.begin(), started_.end(), kNever);
  std::fill(delivered_.begin(), delivered_.end(), kNever);
  // Messages that are over, and, from `ports` on, nodes of which an injection port is free again.
  const auto ports = static_cast<uint64_t>(traffic_.messages.size());
  using Event = std::pair<uint64_t, uint64_t>;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  std::vector<uint32_t> free_ports = send_ports_;
  Run run;
  const auto start = [&](NodeId v, uint64_t now) {
    while (free_ports[index(v)] > 0) {
      const std::optional<uint32_t> m = nodes.take(v, now);
      if (!m) return;
      --free_ports[index(v)];
      started_[*m] = now;
      const uint64_t flits = traffic_.messages[*m].flits;
      events.emplace(now + flits, ports + index(v));
      events.emplace(now + parameters_.zero_load(length_[*m], flits), *m);
    }
  };
  for (;;) {
    const uint64_t now = std::min(nodes.next_wake(), events.empty() ? kNever : events.top().first);
    if (now == kNever) break;
    while (!events.empty() && events.top().first == now) {
      const uint64_t what = events.top().second;
      events.pop();
      if (what >= ports) {
        ++free_ports[what - ports];
        start(NodeId{static_cast<uint32_t>(what - ports)}, now);
        continue;
      }
      delivered_[what] = now;
      run.cycles = now;
      nodes.delivered(static_cast<uint32_t>(what), now);
    }
    while (nodes.next_wake() <= now) nodes.wake(now);
    for (const NodeId v : nodes.changed()) start(v, now);
    nodes.clear_changed();
  }
  run.finished = nodes.finished();
  for (size_t link = 0; link + 1 < uses_begin_.size(); ++link) check_link(link, run);
  return run;
}

// Counts worms that begin on a link when as many as it has room for are on it.
void UncontendedWorms::check_link(size_t link, Run& run) {
  intervals_.clear();
  for (uint64_t i = uses_begin_[link]; i < uses_begin_[link + 1]; ++i) {
    const Use& use = uses_[i];
    if (started_[use.message] == kNever) continue;
    const uint64_t begin = started_[use.message] + use.delay;
    intervals_.push_back({begin, begin + traffic_.messages[use.message].flits});
  }
  const auto earlier = [](const Interval& a, const Interval& b) { return a.begin < b.begin; };
  if (!std::ranges::is_sorted(intervals_, earlier)) std::ranges::sort(intervals_, earlier);
  std::priority_queue<uint64_t, std::vector<uint64_t>, std::greater<>> ends;  // of more than one at once
  uint64_t last_end = 0;
  for (const Interval& interval : intervals_) {
    bool meets = interval.begin < last_end;
    if (room_[link] > 1) {
      while (!ends.empty() && ends.top() <= interval.begin) ends.pop();
      meets = ends.size() >= room_[link];
      ends.push(interval.end);
    }
    last_end = std::max(last_end, interval.end);
    if (!meets) continue;
    ++run.conflicts;
    run.first_conflict = std::min(run.first_conflict.value_or(kNever), interval.begin);
  }
}

}  // namespace quadrille
