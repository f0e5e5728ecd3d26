// Linear, of unequal counts: every rank posts all that it sends at once, as MPI libraries' alltoallv does. One step, where paths may
// share links, on ways that share the work of the links (packing/pair_ways.h). Large counts are parted, so that a pair's blocks may go
// several ways at once.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/algorithms/packing/pair_ways.h"
#include "quadrille/algorithms/packing/priced/paths_at_least.h"
#include "quadrille/algorithms/placed_ranks/all_at_once.h"
#include "quadrille/base/text.h"
#include "quadrille/base/work_count.h"
#include "quadrille/collective/counts.h"
#include "quadrille/topology/last_answers.h"

namespace quadrille::algorithms {

extern const Algorithm alltoallv_linear;

namespace alltoallv_linear_parts {
namespace {

constexpr uint64_t kMostBlocks = uint64_t{1} << 24U;
constexpr uint64_t kMostPairs = uint64_t{1} << 22U;
constexpr uint64_t kMostKept = uint64_t{1} << 20U;  // blocks of an exchange that is asked about several times
// A part of a pair is no more than one of so many of what the busiest link has to do.
constexpr uint64_t kPartsOfLink = 256;

Applicability applies(const Problem& problem) {
  if (Applicability fits = ways_at_once_apply(problem); !fits.applies) return fits;
  if (problem.model().routing != Routing::kAny)
    return Applicability::no("its blocks take any path, and the routing is restricted");
  const Counts& counts = *problem.collective().counts();
  if (counts.entries().size() > kMostPairs || counts.moved() > kMostBlocks) {
    return Applicability::no(fmt::format("all is one step: at most {} blocks of {} pairs, {} has {} of {}",
                                         with_thousands(kMostBlocks), with_thousands(kMostPairs),
                                         problem.title(), with_thousands(counts.moved()),
                                         with_thousands(counts.entries().size())));
  }
  return Applicability::yes();
}

struct Posted {
  std::vector<RankPair> parts;
  std::vector<uint32_t> first;  // block of each
  PairWays ways;
};
using Made = std::shared_ptr<const Posted>;

Made post(const Problem& problem) {
  count_work(Work::kSearching);
  const Counts& counts = *problem.collective().counts();
  const Model& model = problem.model();
  const bool are_parted = model.send.unlimited() && model.receive.unlimited();
  const uint64_t most =
      are_parted ? std::max<uint64_t>(1, paths_at_least(problem) / kPartsOfLink) : UINT32_MAX;
  std::vector<RankPair> parts;
  std::vector<uint32_t> first;
  for (size_t e = 0; e < counts.entries().size(); ++e) {
    const Counts::Entry& entry = counts.entries()[e];
    if (entry.from == entry.to) continue;
    uint32_t next = counts.first_block(e);
    const uint64_t number = (entry.count + most - 1) / most;
    for (uint64_t i = 0; i < number; ++i) {
      const auto blocks = static_cast<uint32_t>(entry.count * (i + 1) / number - entry.count * i / number);
      parts.push_back({entry.from, entry.to, blocks});
      first.push_back(next);
      next += blocks;
    }
  }
  PairWays ways(problem.topology(), parts);
  return std::make_shared<const Posted>(Posted{std::move(parts), std::move(first), std::move(ways)});
}

// None where that is sure not to be worth it.
Made post_if_wanted(const Problem& problem) {
  if (WorthMaking::is_limited() && !WorthMaking::is_any_of(1, paths_at_least(problem))) return nullptr;
  if (problem.collective().counts()->moved() > kMostKept) return post(problem);
  const Ports send = problem.model().send;
  const Ports receive = problem.model().receive;
  static LastAnswers<std::tuple<Counts, Ports, Ports>, Made> kept(1);
  return kept.of(problem.topology(), {*problem.collective().counts(), send, receive},
                 [&] { return post(problem); });
}

Prediction predicted(const Problem& problem, const Made& made) {
  if (!made) return {};
  if (problem.collective().counts()->moved() == 0) return {.steps = 0, .start_ups = 0, .critical_blocks = 0};
  return {.steps = 1,
          .start_ups = 1,
          .busiest_link = made->ways.busiest(),
          .critical_blocks = made->ways.rounds()};
}

// Parts of a pair that go the same way are one message.
void generate(const Problem& problem, const Made& asked, StepSink& sink) {
  const Made made = asked ? asked : post(problem);
  StepBuilder step;
  std::vector<ArcId> way;
  std::vector<ArcId> next;
  std::vector<BlockId> blocks;
  for (size_t i = 0; i < made->parts.size(); ++i) {
    const RankPair& part = made->parts[i];
    next.clear();
    made->ways.append(i, next);
    const bool goes_along =
        i > 0 && part.from == made->parts[i - 1].from && part.to == made->parts[i - 1].to && next == way;
    if (!goes_along && !blocks.empty()) {
      step.add(way, blocks);
      blocks.clear();
    }
    way = next;
    for (uint32_t b = 0; b < part.blocks; ++b) blocks.push_back(BlockId{made->first[i] + b});
  }
  if (!blocks.empty()) step.add(way, blocks);
  if (!step.empty()) step.flush(sink);
}

Preparation prepared(const Problem& problem) {
  return Preparation::of(sharing(problem, post_if_wanted, predicted, generate, Effort::kSome));
}

}  // namespace
}  // namespace alltoallv_linear_parts

constinit const Algorithm alltoallv_linear = {
    .name = "alltoallv_linear",
    .collective = CollectiveKind::kAlltoallv,
    .summary = "every rank sends all that it has in one step, over ways that share the work of the links",
    .source = "baseline; linear in Open MPI",
    .remarks =
        "shared switching, as many ports as a rank has others to send to; one start-up, large counts in several messages",
    .applies = alltoallv_linear_parts::applies,
    .prepare = alltoallv_linear_parts::prepared,
};

}  // namespace quadrille::algorithms
