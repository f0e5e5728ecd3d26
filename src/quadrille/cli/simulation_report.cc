#include "quadrille/cli/simulation_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "quadrille/base/text.h"
#include "quadrille/sim/dimension_order.h"

namespace quadrille {
namespace {

std::string range_text(uint64_t least, uint64_t most, std::string_view noun) {
  if (least == most) return plural(least, noun);
  return fmt::format("{} to {}", with_thousands(least), plural(most, noun));
}

std::string time_text(double ns) {
  if (ns < 1000) return fmt::format("{:.4g} ns", ns);
  if (ns < 1e6) return fmt::format("{:.4g} us", ns / 1e3);
  if (ns < 1e9) return fmt::format("{:.4g} ms", ns / 1e6);
  return fmt::format("{:.4g} s", ns / 1e9);
}

std::string cycles_text(uint64_t cycles, double cycle_ns) {
  return fmt::format("{}, {}", plural(cycles, "cycle"), time_text(static_cast<double>(cycles) * cycle_ns));
}

std::string message_name(const Traffic& traffic, uint32_t message) {
  if (message == UINT32_MAX) return "another";
  const TrafficMessage& m = traffic.messages[message];
  return fmt::format("{}->{}", traffic.network.label(m.source), traffic.network.label(m.destination));
}

std::string link_name(const Topology& network, ArcId arc) {
  return fmt::format("{}->{}", network.label(network.tail(arc)), network.label(network.head(arc)));
}

void report_contention(const Traffic& traffic, const WormResult& result, bool by_packets, Report& report) {
  std::string text = "none";
  if (result.contention() == 0 && result.pushed_aside > 0)
    text = fmt::format("none but with more urgent ones, which pushed others aside {}",
                       plural(result.pushed_aside, "time"));
  if (result.contention() > 0) {
    text = fmt::format("{} for a channel, {} at a switch", plural(result.channel_waits, "wait"),
                       plural(result.switch_conflicts, "conflict"));
    if (result.pushed_aside > 0)
      text += fmt::format(", pushed aside {} by more urgent ones", plural(result.pushed_aside, "time"));
    if (by_packets) text = plural(result.channel_waits, "wait") + " for a link or port";
  }
  if (!result.contentions.empty()) {
    const Contention& c = result.contentions.front();
    const std::string where = c.arc == kNoArc ? "a receive port of " + traffic.network.label(c.node)
                                              : "link " + link_name(traffic.network, c.arc);
    text += fmt::format("; first in cycle {}: {} waits at {}", with_thousands(c.cycle),
                        message_name(traffic, c.loser), where);
    if (c.winner != UINT32_MAX) text += " for " + message_name(traffic, c.winner);
  }
  report.add("contention", std::move(text), result.contention());
  report.add_json("channel_waits", result.channel_waits);
  report.add_json("switch_conflicts", result.switch_conflicts);
  report.add_json("pushed_aside", result.pushed_aside);
}

void report_links(const Traffic& traffic, const WormResult& result, Report& report) {
  const Topology& network = traffic.network;
  double sum = 0.0;
  double most = 0.0;
  ArcId busiest{0};
  uint64_t idle = 0;
  Json all = Json::array();
  for (const ArcId arc : network.arcs()) {
    const double room = static_cast<double>(result.cycles) * network.capacity(arc);
    const double use = room > 0 ? static_cast<double>(result.link_flits[index(arc)]) / room : 0.0;
    sum += use;
    if (result.link_flits[index(arc)] == 0) ++idle;
    if (use > most) {
      most = use;
      busiest = arc;
    }
    all.push(result.link_flits[index(arc)]);
  }
  if (network.num_arcs() == 0) return;
  report.add(
      "links",
      fmt::format("{:.1f} % busy on average, {:.1f} % at most ({}), {} idle", 100 * sum / network.num_arcs(),
                  100 * most, link_name(network, busiest), with_thousands(idle)),
      std::move(all));
}

}  // namespace

void report_setting(const Traffic& traffic, const WormParameters& worms, uint64_t flit_bytes,
                    bool store_and_forward, Report& report) {
  uint64_t least_flits = UINT64_MAX;
  uint64_t most_flits = 0;
  uint64_t least_hops = UINT64_MAX;
  uint64_t most_hops = 0;
  for (const TrafficMessage& m : traffic.messages) {
    const uint64_t hops = traffic.length(m);
    least_flits = std::min<uint64_t>(least_flits, m.flits);
    most_flits = std::max<uint64_t>(most_flits, m.flits);
    least_hops = std::min(least_hops, hops);
    most_hops = std::max(most_hops, hops);
  }
  const uint64_t messages = traffic.messages.size();
  report.add("messages",
             messages == 0
                 ? "none"
                 : fmt::format("{} of {} of {} bytes, over {}, in {}", with_thousands(messages),
                               range_text(least_flits, most_flits, "flit"), with_thousands(flit_bytes),
                               range_text(least_hops, most_hops, "hop"), plural(traffic.steps, "step")),
             messages);
  if (store_and_forward) {
    report.add("routers", "store and forward, queues of any length", "store_and_forward");
    return;
  }
  report.add("routers",
             fmt::format("{} a link with {} each, {} a hop, {} a credit{}", plural(worms.vcs, "channel"),
                         plural(worms.buffer, "flit"), plural(worms.hop_delay(), "cycle"),
                         plural(worms.credit_delay, "cycle"), worms.atomic ? ", atomic" : ""),
             Json::object()
                 .set("vcs", worms.vcs)
                 .set("buffers", worms.buffer)
                 .set("router_delay", worms.router_delay)
                 .set("link_delay", worms.link_delay)
                 .set("credit_delay", worms.credit_delay));
  if (most_hops < 2) return;
  const std::optional<DimensionOrder> order = DimensionOrder::of(traffic.network);
  bool rings = false;
  for (size_t k = 0; order && k < order->dimensions(); ++k)
    rings = rings || (order->shape(k) == FactorShape::kRing && order->side(k) > 3);
  if (traffic.paths_without_order > 0) {
    report.add("warning",
               fmt::format("{} no dimension order, so worms may wait in a circle",
                           traffic.paths_without_order == 1
                               ? "1 path follows"
                               : plural(traffic.paths_without_order, "path") + " follow"),
               traffic.paths_without_order);
  } else if (rings && worms.vcs == 1) {
    report.add("warning", "with one channel worms on rings may wait in a circle; two are enough",
               uint64_t{0});
  }
}

void report_simulation(const Traffic& traffic, const Simulation& done, double cycle_ns, Report& report) {
  const WormResult& result = done.result;
  const bool dead = result.deadlock.has_value();
  report.add("time",
             dead ? fmt::format("never over: deadlock in cycle {}", with_thousands(result.deadlock->cycle))
                  : cycles_text(result.cycles, cycle_ns),
             result.cycles);
  report.add_json("time_us", static_cast<double>(result.cycles) * cycle_ns / 1000.0);
  report.add_json("deadlock", dead);
  report_contention(traffic, result, done.by_packets, report);
  report_links(traffic, result, report);
  const std::string hops = plural(result.flit_hops, "flit-hop");
  std::string how = "whole worms, which never meet; " + hops;
  if (done.by_flits)
    how = fmt::format("{} in {} that were looked at", hops, plural(result.evaluated, "cycle"));
  if (done.by_packets) how = "whole packets, stored and forwarded; " + hops;
  report.add("simulated", std::move(how), result.flit_hops);
  report.add_json("by_flits", done.by_flits);
}

void report_seeds(const SeedSweep& sweep, double cycle_ns, Report& report) {
  report.add("seeds", with_thousands(sweep.seeds), sweep.seeds);
  std::string text = "in none";
  if (sweep.with_contention > 0)
    text = fmt::format("in {} of them, first with seed {}", with_thousands(sweep.with_contention),
                       sweep.first_bad.value_or(0));
  report.add("contention", std::move(text), sweep.with_contention);
  if (sweep.deadlocks > 0) report.add("deadlocks", with_thousands(sweep.deadlocks), sweep.deadlocks);
  report.add("shortest", cycles_text(sweep.least_cycles, cycle_ns), sweep.least_cycles);
  report.add("mean", fmt::format("{:.1f} cycles", sweep.mean_cycles), sweep.mean_cycles);
  report.add("longest", cycles_text(sweep.most_cycles, cycle_ns), sweep.most_cycles);
}

std::string deadlock_text(const Traffic& traffic, const Deadlock& deadlock) {
  std::string out;
  if (!deadlock.circle.empty())
    out += fmt::format("{} wait for each other, each for the next, the last for the first:\n",
                       plural(deadlock.circle.size(), "channel"));
  for (const Deadlock::Waiting& w : deadlock.circle) {
    const std::string where =
        w.arc == kNoArc ? "at its source"
                        : fmt::format("link {} channel {}", link_name(traffic.network, w.arc), w.vc);
    out += fmt::format("  {}: message {} of step {}\n", where, message_name(traffic, w.message),
                       traffic.messages[w.message].step + 1);
  }
  if (deadlock.circle.empty()) out += "No message is under way; the nodes wait for each other:\n";
  for (const std::string& node : deadlock.nodes) out += "  " + node + "\n";
  return out;
}

}  // namespace quadrille
