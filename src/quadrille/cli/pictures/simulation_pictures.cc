#include "quadrille/cli/pictures/simulation_pictures.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/draw/link_heat_map.h"
#include "quadrille/draw/link_timeline.h"
#include "quadrille/sim/node_programs.h"
#include "quadrille/viewer/page_plan.h"

namespace quadrille {

std::string heat_map_of(const Traffic& traffic, const WormResult& result, std::string title) {
  const Topology& network = traffic.network;
  std::vector<double> shares(network.num_arcs(), 0.0);
  for (const ArcId arc : network.arcs()) {
    const double room = static_cast<double>(result.cycles) * network.capacity(arc);
    if (room > 0) shares[index(arc)] = static_cast<double>(result.link_flits[index(arc)]) / room;
  }
  return link_heat_map(network, layout_of(network), shares, {.title = std::move(title)});
}

std::string space_time_of(const Traffic& traffic, const WormResult& result, std::span<const ChannelUse> uses,
                          const PlanSynchronisation& sync, double cycle_ns, std::string title) {
  LinkTimeline frame{
      .title = std::move(title), .end = result.cycles, .cycle_ns = cycle_ns, .steps = traffic.steps};
  std::vector<TimelineBar> bars;
  bars.reserve(uses.size());
  for (const ChannelUse& use : uses) {
    bars.push_back({.arc = use.arc,
                    .lane = use.vc,
                    .step = traffic.messages[use.message].step,
                    .asked = use.asked,
                    .begin = use.granted,
                    .end = use.tail + 1});
    frame.end = std::max(frame.end, use.tail + 1);
  }
  // A barrier is passed when all messages of the steps before it are there.
  constexpr size_t kMostRules = 60;
  if (sync.barriers.size() <= kMostRules && !result.deadlock) {
    for (const uint32_t after : sync.barriers) {
      uint64_t passed = 0;
      for (size_t m = 0; m < traffic.messages.size(); ++m) {
        if (traffic.messages[m].step <= after) passed = std::max(passed, result.delivered[m]);
      }
      frame.rules.push_back(passed);
    }
  }
  return link_timeline(traffic.network, layout_of(traffic.network), bars, frame);
}

std::string page_of(const Compiled& judged, const Traffic& traffic, std::span<const ChannelUse> uses,
                    double cycle_ns, uint64_t message_bytes) {
  PageColumns steps(judged.head.problem, {}, message_bytes);
  judged.schedule->plan().replay(steps);
  PagePlan plan = page_plan(judged, steps, judged.verdict, message_bytes);
  plan.run = PageRun{.holds = {}, .cycle_microseconds = cycle_ns / 1000.0};
  for (const ChannelUse& use : uses) {
    plan.run->holds.push_back({.arc = use.arc,
                               .step = traffic.messages[use.message].step,
                               .from = use.granted,
                               .to = use.tail + 1});
  }
  return view_page(std::span(&plan, 1));
}

}  // namespace quadrille
