#include "quadrille/sim/chrome_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/base/json/json_text.h"

namespace quadrille {
namespace {

class TraceWriter {
 public:
  TraceWriter(const Traffic& traffic, const TraceOptions& options,
              const std::function<void(std::string_view)>& write)
      : traffic_(traffic), net_(traffic.network), options_(options), write_(write) {
    first_thread_.resize(net_.num_arcs());
    for (const NodeId v : net_.nodes()) {
      uint32_t thread = 1;
      for (const ArcId arc : net_.arcs_from(v)) {
        first_thread_[index(arc)] = thread;
        thread += options.vcs * net_.capacity(arc);
      }
    }
  }

  void head() {
    write_(
        fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"generator\":\"quadrille simulate\","
                    "\"cycle_ns\":\"{}\"}},\"traceEvents\":[",
                    options_.cycle_ns));
  }
  void name_process(NodeId v) {
    const auto digits = static_cast<int>(fmt::format("{}", net_.num_nodes() - 1).size());
    event(fmt::format("\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{},\"tid\":0,\"args\":{{\"name\":{}}}",
                      pid(v), json_string(fmt::format("node {:0{}} {}", index(v), digits, net_.label(v)))));
  }
  void name_thread(ArcId arc, uint32_t vc) {
    event(fmt::format("\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":{}}}",
                      pid(net_.tail(arc)), tid(arc, vc),
                      json_string(fmt::format("link to {} vc{}", net_.label(net_.head(arc)), vc))));
  }
  void slice(const ChannelUse& use) {
    const TrafficMessage& m = traffic_.messages[use.message];
    event(fmt::format(
        "\"ph\":\"X\",\"name\":{},\"cat\":\"link\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"args\":"
        "{{\"message\":{},\"step\":{},\"flits\":{},\"vc\":{},\"waited\":{}}}",
        name(m), pid(net_.tail(use.arc)), tid(use.arc, use.vc), time(use.granted),
        time(use.tail + 1 - use.granted), use.message, m.step + 1, m.flits, use.vc, use.granted - use.asked));
  }
  void arrow_end(const ChannelUse& use, bool begins) {
    event(fmt::format(
        "\"ph\":\"{}\",{}\"name\":{},\"cat\":\"message\",\"id\":{},\"pid\":{},\"tid\":{},\"ts\":{}",
        begins ? "s" : "f", begins ? "" : "\"bp\":\"e\",", name(traffic_.messages[use.message]), use.message,
        pid(net_.tail(use.arc)), tid(use.arc, use.vc), time(use.granted)));
  }
  void contention(const Contention& c) {
    if (c.arc == kNoArc) return;
    event(fmt::format(
        "\"ph\":\"i\",\"name\":\"contention\",\"cat\":\"contention\",\"s\":\"t\",\"pid\":{},\"tid\":{},"
        "\"ts\":{},\"args\":{{\"winner\":{},\"loser\":{}}}",
        pid(c.node), tid(c.arc, 0), time(c.cycle), c.winner, c.loser));
  }
  void end() { write_("\n]}\n"); }

 private:
  [[nodiscard]] static uint64_t pid(NodeId v) { return index(v) + 1; }
  [[nodiscard]] uint32_t tid(ArcId arc, uint32_t vc) const { return first_thread_[index(arc)] + vc; }
  [[nodiscard]] std::string time(uint64_t cycles) const {
    return fmt::format("{:.3f}", static_cast<double>(cycles) * options_.cycle_ns / 1000.0);
  }
  [[nodiscard]] std::string name(const TrafficMessage& m) const {
    return json_string(fmt::format("{}>{}", net_.label(m.source), net_.label(m.destination)));
  }
  void event(const std::string& members) {
    write_(first_ ? "\n{" : ",\n{");
    write_(members);
    write_("}");
    first_ = false;
  }

  const Traffic& traffic_;
  const Topology& net_;
  const TraceOptions& options_;
  const std::function<void(std::string_view)>& write_;
  std::vector<uint32_t> first_thread_{};
  bool first_ = true;
};

}  // namespace

uint64_t write_chrome_trace(const Traffic& traffic, const WormResult& result,
                            std::span<const ChannelUse> uses, const TraceOptions& options,
                            const std::function<void(std::string_view)>& write) {
  TraceWriter out(traffic, options, write);
  out.head();
  for (const NodeId v : traffic.network.nodes()) out.name_process(v);
  // By when they begin; each is a slice and, at the ends of a message, an end of an arrow.
  std::vector<ChannelUse> kept(uses.begin(), uses.end());
  const auto when = [](const ChannelUse& u) { return std::tuple(u.granted, u.message, index(u.arc), u.vc); };
  std::ranges::sort(kept, [&](const ChannelUse& a, const ChannelUse& b) { return when(a) < when(b); });
  if (kept.size() > options.most_events / 2) kept.resize(options.most_events / 2);
  std::vector<std::pair<uint32_t, uint32_t>> threads;
  threads.reserve(kept.size());
  for (const ChannelUse& use : kept) threads.emplace_back(index(use.arc), use.vc);
  std::ranges::sort(threads);
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  for (const auto& [arc, vc] : threads) out.name_thread(ArcId{arc}, vc);

  std::vector<uint32_t> first(traffic.messages.size(), UINT32_MAX);
  std::vector<uint32_t> last(traffic.messages.size(), UINT32_MAX);
  for (uint32_t i = 0; i < kept.size(); ++i) {
    if (first[kept[i].message] == UINT32_MAX) first[kept[i].message] = i;
    last[kept[i].message] = i;
  }
  for (uint32_t i = 0; i < kept.size(); ++i) {
    const uint32_t m = kept[i].message;
    out.slice(kept[i]);
    if (first[m] == last[m]) continue;
    if (first[m] == i) out.arrow_end(kept[i], true);
    if (last[m] == i) out.arrow_end(kept[i], false);
  }
  for (const Contention& c : result.contentions) out.contention(c);
  out.end();
  return uses.size() - kept.size();
}

}  // namespace quadrille
