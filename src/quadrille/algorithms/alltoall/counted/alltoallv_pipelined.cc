// Total exchange of unequal counts in a pipeline: everything goes along its paths in so many parts, one behind another.
//
// Blocks of a pair are dealt out to paths that share the work (count_parts.h, packing/priced/priced_paths.h). What takes one path is parted
// into as many parts as the member says; part j crosses the i-th link of its path in step i + j, so in most steps every link
// carries its share of all, and k parts over paths of at most h links take k + h - 1 start-ups. What is less than a block is
// rounded for each path from another beginning on, or all would be busy in the same steps.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/alltoall/counted/count_parts.h"
#include "quadrille/algorithms/alltoall/counted/link_messages.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/priced/paths_at_least.h"
#include "quadrille/algorithms/packing/priced/priced_paths.h"
#include "quadrille/algorithms/packing/through_ports.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/text.h"
#include "quadrille/base/work_count.h"
#include "quadrille/collective/counts.h"

namespace quadrille::algorithms {

extern const Algorithm alltoallv_pipelined;

namespace alltoallv_pipelined_parts {
namespace {

constexpr uint64_t kMostPairsPiped = uint64_t{1} << 18U;
constexpr uint32_t kMostParts = 4096;
constexpr uint64_t kMostHopsOfParts = uint64_t{1} << 27U;

// Blocks of a pair that take the same path.
struct Flow {
  size_t first_arc = 0;
  uint32_t links = 0;
  size_t first_run = 0;
  size_t end_run = 0;
  uint64_t blocks = 0;
};

// Blocks that follow each other, and how many of the flow come before them.
struct Run {
  BlockId first{0};
  uint32_t length = 0;
  uint64_t before = 0;
};

struct Flows {
  std::vector<Flow> flows{};
  std::vector<ArcId> arcs{};
  std::vector<Run> runs{};
  uint32_t longest = 0;  // links of a path
  size_t hops = 0;       // links of all paths

  [[nodiscard]] std::span<const ArcId> path(const Flow& flow) const {
    return std::span(arcs).subspan(flow.first_arc, flow.links);
  }
};

Flows flows_of(const Problem& problem) {
  count_work(Work::kSearching);
  const SearchLimits limits(wishes_of_streams());
  std::map<std::pair<uint32_t, std::vector<ArcId>>, std::vector<Run>> by_path;
  for (const CountPart& part : count_parts(problem)) {
    const PricedPaths paths(part.few);
    for (size_t i = 0; i < paths.size(); ++i) {
      const size_t stream = index(paths.block(i));
      const std::span<const ArcId> path = paths.path(i);
      by_path[{part.pair[stream], {path.begin(), path.end()}}].push_back({part.first[stream], part.length});
    }
  }
  Flows out;
  for (auto& [key, runs] : by_path) {
    const std::vector<ArcId>& path = key.second;
    Flow flow{.first_arc = out.arcs.size(),
              .links = static_cast<uint32_t>(path.size()),
              .first_run = out.runs.size()};
    out.arcs.insert(out.arcs.end(), path.begin(), path.end());
    for (Run& run : runs) {
      run.before = flow.blocks;
      flow.blocks += run.length;
      out.runs.push_back(run);
    }
    flow.end_run = out.runs.size();
    out.longest = std::max(out.longest, flow.links);
    out.hops += path.size();
    out.flows.push_back(flow);
  }
  return out;
}

// Of the blocks of a flow how many are in the first `parts` of all.
uint64_t in_parts(uint64_t blocks, size_t flow, uint32_t parts, uint32_t of) {
  constexpr uint64_t kGoldenRatio = 2'654'435'769;  // of 2^32: beginnings lie evenly
  const uint64_t beginning = (flow * kGoldenRatio & UINT32_MAX) * of >> 32U;
  return (blocks * parts + beginning) / of;
}

uint32_t steps_of(const Flows& all, uint32_t parts) {
  return all.flows.empty() ? 0 : parts + all.longest - 1;
}

// Calls use(flow, arc, first, end) for what crosses links in the step: so many blocks of the flow, from one to another one.
template <typename Use>
void for_step(const Flows& all, uint32_t parts, uint32_t step, Use use) {
  for (size_t f = 0; f < all.flows.size(); ++f) {
    const Flow& flow = all.flows[f];
    const std::span<const ArcId> path = all.path(flow);
    for (uint32_t link = 0; link < flow.links && link <= step; ++link) {
      const uint32_t part = step - link;
      if (part >= parts) continue;
      const uint64_t first = in_parts(flow.blocks, f, part, parts);
      const uint64_t end = in_parts(flow.blocks, f, part + 1, parts);
      if (first < end) use(flow, path[link], first, end);
    }
  }
}

// A step in which nothing is sent is none.
Prediction figures(const Problem& problem, const Flows& all, uint32_t parts) {
  RoundsOfLinks links(problem.topology());
  uint64_t steps = 0;
  uint64_t rounds = 0;
  for (uint32_t s = 0; s < steps_of(all, parts); ++s) {
    for_step(all, parts, s, [&](const Flow& /*flow*/, ArcId arc, uint64_t first, uint64_t end) {
      links.add(arc, end - first);
    });
    const uint64_t most = links.end_step();
    steps += most > 0 ? 1 : 0;
    rounds += most;
  }
  return {.steps = steps, .start_ups = steps, .critical_blocks = rounds, .critical_hops = steps};
}

void generate(const Problem& problem, const Flows& all, uint32_t parts, StepSink& sink) {
  StepBuilder step;
  BlocksByArc blocks(problem);
  for (uint32_t s = 0; s < steps_of(all, parts); ++s) {
    for_step(all, parts, s, [&](const Flow& flow, ArcId arc, uint64_t first, uint64_t end) {
      const std::span<const Run> runs =
          std::span(all.runs).subspan(flow.first_run, flow.end_run - flow.first_run);
      auto run = std::ranges::upper_bound(runs, first, {}, &Run::before) - 1;
      for (uint64_t at = first; at < end; ++run) {
        const uint64_t behind = std::min(end, run->before + run->length);
        blocks.add(arc, BlockId{static_cast<uint32_t>(index(run->first) + (at - run->before))}, behind - at);
        at = behind;
      }
    });
    blocks.send(step);
    if (!step.empty()) step.flush(sink);
  }
}

Applicability applies(const Problem& problem) {
  if (Applicability fits = bundles_as_switched(with_all_links(problem)); !fits.applies) return fits;
  const Counts& counts = *problem.collective().counts();
  if (counts.entries().size() <= kMostPairsPiped) return Applicability::yes();
  return Applicability::no(fmt::format("it follows every pair: at most {} of them, {} has {}",
                                       with_thousands(kMostPairsPiped), problem.title(),
                                       with_thousands(counts.entries().size())));
}

Preparation prepare_wide(const Problem& problem) {
  const Counts& counts = *problem.collective().counts();
  uint32_t most = 0;
  for (const Counts::Entry& entry : counts.entries())
    if (entry.from != entry.to) most = std::max(most, entry.count);
  const auto flows = std::make_shared<Once<Flows>>(problem, flows_of);
  Preparation out;
  for (uint32_t parts = 2; parts <= std::min(most, kMostParts); parts *= 2) {
    const auto predicted = [flows, parts](const Problem& p) -> Prediction {
      if (!flows->is_made() && WorthMaking::is_limited() && !WorthMaking::is_any_of(parts, paths_at_least(p)))
        return {};
      const Flows& all = flows->get();
      if (all.hops * parts > kMostHopsOfParts) return {};
      return figures(p, all, parts);
    };
    const auto pushed = [flows, parts](const Problem& p, StepSink& sink) {
      generate(p, flows->get(), parts, sink);
    };
    out.plans.push_back(
        std::make_shared<Prepared>(problem, predicted, pushed, Effort::kMuch, fmt::format("{}", parts)));
  }
  if (out.plans.empty())
    return Preparation::no("no pair has more than one block, of which parts could be made");
  return out;
}

Preparation prepare(const Problem& problem) { return through_ports(problem, prepare_wide); }

}  // namespace
}  // namespace alltoallv_pipelined_parts

constinit const Algorithm alltoallv_pipelined = {
    .name = "alltoallv_pipelined",
    .collective = CollectiveKind::kAlltoallv,
    .summary =
        "all blocks go along paths that share the work, in so many parts, one behind another; in a step a link carries one message",
    .source = "ours; paths by prices after Garg and Koenemann 2007",
    .remarks =
        "any network, any counts; with fewer ports than links a step becomes as many as its ports need; members have 2, 4, 8, .. "
        "parts; time to plan is that of the pairs, not of the blocks",
    .applies = alltoallv_pipelined_parts::applies,
    .prepare = alltoallv_pipelined_parts::prepare,
};

}  // namespace quadrille::algorithms
