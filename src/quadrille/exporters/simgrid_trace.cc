// simgrid-trace: what each rank sends and receives, for SimGrid's replay (a time-independent trace of SMPI).
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "quadrille/base/check.h"
#include "quadrille/compile/plan_time.h"
#include "quadrille/exporters/simgrid_replay.h"

namespace quadrille::exporters {
namespace simgrid_trace_parts {
namespace {

std::string write(const ScheduleToExport& what) {
  const SimgridReplay replay = simgrid_replay(what);
  const Traffic& traffic = replay.traffic;
  const uint64_t block = chunk_bytes(what.schedule.problem(), what.message_bytes);
  // Who hears what, step by step; messages themselves are sorted by source and step.
  std::vector<uint32_t> heard(traffic.messages.size());
  for (uint32_t i = 0; i < heard.size(); ++i) heard[i] = i;
  const auto when = [&](uint32_t i) {
    const TrafficMessage& m = traffic.messages[i];
    return std::pair(index(m.destination), m.step);
  };
  std::ranges::stable_sort(heard, [&](uint32_t a, uint32_t b) { return when(a) < when(b); });
  const auto rank = [&](NodeId v) { return replay.rank_of[index(v)]; };
  const auto bytes = [&](const TrafficMessage& m) {
    QUADRILLE_CHECK(block == 0 || m.flits <= UINT64_MAX / block, "bytes of a message");
    return m.flits * block;
  };
  std::string out;
  auto to = std::back_inserter(out);
  size_t next_sent = 0;
  size_t next_heard = 0;
  for (const NodeId v : replay.ranks) {
    const uint32_t me = rank(v);
    fmt::format_to(to, "{} init\n", me);
    const auto sends = [&] {
      return next_sent < traffic.messages.size() && traffic.messages[next_sent].source == v;
    };
    const auto hears = [&] {
      return next_heard < heard.size() && traffic.messages[heard[next_heard]].destination == v;
    };
    while (sends() || hears()) {
      uint32_t step = UINT32_MAX;
      if (sends()) step = traffic.messages[next_sent].step;
      if (hears()) step = std::min(step, traffic.messages[heard[next_heard]].step);
      for (; hears() && traffic.messages[heard[next_heard]].step == step; ++next_heard) {
        const TrafficMessage& m = traffic.messages[heard[next_heard]];
        fmt::format_to(to, "{} irecv {} {} {}\n", me, rank(m.source), step, bytes(m));
      }
      if (replay.cost.ts > 0) fmt::format_to(to, "{} sleep {}\n", me, replay.cost.ts * 1e-6);
      for (; sends() && traffic.messages[next_sent].step == step; ++next_sent) {
        const TrafficMessage& m = traffic.messages[next_sent];
        fmt::format_to(to, "{} isend {} {} {}\n", me, rank(m.destination), step, bytes(m));
      }
      fmt::format_to(to, "{} waitall\n", me);
    }
    fmt::format_to(to, "{} finalize\n", me);
  }
  return out;
}

}  // namespace
}  // namespace simgrid_trace_parts

extern const Exporter simgrid_trace;

constinit const Exporter simgrid_trace{.name = "simgrid-trace",
                                       .summary = "what each rank sends and receives, for SimGrid's replay",
                                       .extension = ".txt",
                                       .write = simgrid_trace_parts::write};

}  // namespace quadrille::exporters
