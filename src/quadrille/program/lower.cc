#include "quadrille/program/lower.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "quadrille/program/buffer_layout.h"
#include "quadrille/program/dataflow.h"
#include "quadrille/program/lowering/rank_writer.h"
#include "quadrille/program/placement.h"

namespace quadrille {
namespace {

// The messages in the order in which they are joined: by sender, receiver, steps, and way of landing.
std::vector<uint32_t> sorted_messages(const Dataflow& flow, const Placement& placement) {
  std::vector<uint32_t> order(flow.messages.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](uint32_t m) {
    const Message& message = flow.messages[m];
    return std::tuple(flow.values[message.from].rank, flow.values[message.to].rank, message.sent,
                      message.arrives, placement.landings[m] == Landing::kReduced, m);
  });
  return order;
}

// Both ends of every joined message, by rank and step; receives first, so that they are there when the data
// comes.
std::vector<Start> list_starts(const Dataflow& flow, const Placement& placement,
                               std::span<const uint32_t> messages) {
  const auto key = [&](uint32_t m) {
    const Message& message = flow.messages[m];
    return std::tuple(flow.values[message.from].rank, flow.values[message.to].rank, message.sent,
                      message.arrives, placement.landings[m] == Landing::kReduced);
  };
  std::vector<Start> starts;
  for (size_t begin = 0, end = 0; begin < messages.size(); begin = end) {
    while (end < messages.size() && key(messages[end]) == key(messages[begin])) ++end;
    const auto [from, to, sent, arrives, reduced] = key(messages[begin]);
    starts.push_back({from, sent, arrives, ActionKind::kSend, to, begin, end});
    starts.push_back(
        {to, sent, arrives, reduced ? ActionKind::kReceiveReduce : ActionKind::kReceive, from, begin, end});
  }
  std::ranges::sort(starts, {}, [](const Start& s) {
    return std::tuple(s.rank, s.step, s.kind == ActionKind::kSend, s.begin);
  });
  return starts;
}

// The rank's part of a list that is sorted by rank.
template <typename Item>
std::span<const Item> of_rank(const std::vector<Item>& sorted, Rank rank) {
  const auto begin = std::ranges::lower_bound(sorted, rank, {}, &Item::rank);
  const auto end = std::ranges::upper_bound(sorted, rank, {}, &Item::rank);
  return {begin, end};
}

}  // namespace

Program lower(const Schedule& schedule) {
  const Dataflow flow = trace_dataflow(schedule);
  const BufferLayout layout(schedule.problem().collective());
  const bool ordered = schedule.problem().model().combining == Operator::kOrdered;
  const Placement placement = place_values(flow, layout, ordered);
  const std::vector<uint32_t> messages = sorted_messages(flow, placement);
  const std::vector<Start> starts = list_starts(flow, placement, messages);
  const std::vector<LocalMove> moves = list_moves(flow, placement, layout, ordered);

  Program program{schedule.problem().collective(), std::vector<RankProgram>(layout.num_ranks())};
  for (uint32_t r = 0; r < layout.num_ranks(); ++r) {
    const Rank rank{r};
    RankProgram& out = program.ranks[r];
    out.rank = rank;
    out.input_slots = layout.input_slots(rank);
    out.output_slots = layout.output_slots(rank);
    out.scratch_slots = placement.scratch_slots[r];
    write_actions(flow, placement, messages, of_rank(starts, rank), of_rank(moves, rank), out);
  }
  return program;
}

}  // namespace quadrille
