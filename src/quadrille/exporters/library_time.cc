#include "quadrille/exporters/library_time.h"

#include <algorithm>
#include <bit>
#include <map>

#include "quadrille/base/check.h"

namespace quadrille {

double library_time(CollectiveKind kind, uint32_t ranks, const CostConstants& cost, uint64_t bytes) {
  const double steps = ranks < 2 ? 0 : static_cast<double>(std::bit_width(ranks - 1));
  const auto others = static_cast<double>(ranks - 1);
  const double data = cost.tx * static_cast<double>(bytes);
  switch (kind) {
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduce:
    case CollectiveKind::kAllreduce:
      return std::min(steps * (cost.ts + data),
                      2 * steps * cost.ts + 2 * data * others / static_cast<double>(ranks));
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather:
    case CollectiveKind::kAllgather:
    case CollectiveKind::kReduceScatter:
      return steps * cost.ts + others * data;
    case CollectiveKind::kAlltoall:
      return std::min(steps * (cost.ts + data * static_cast<double>(ranks) / 2), others * (cost.ts + data));
    case CollectiveKind::kAlltoallv:
      break;
  }
  QUADRILLE_CHECK(false, "alltoallv has no size of message");
  return 0;
}

uint64_t further_messages_of(const Program& program) {
  std::map<uint32_t, uint64_t> most;  // by step
  for (const RankProgram& rank : program.ranks) {
    std::map<uint32_t, std::pair<uint64_t, uint64_t>> mine;
    for (const Action& action : rank.actions) {
      if (!starts_request(action.kind)) continue;
      auto& [sent, received] = mine[action.step];
      ++(action.kind == ActionKind::kSend ? sent : received);
    }
    for (const auto& [step, counts] : mine)
      most[step] = std::max(most[step], std::max(counts.first, counts.second));
  }
  uint64_t out = 0;
  for (const auto& [step, count] : most) out += count - 1;
  return out;
}

std::optional<MessageSizes> where_faster(CollectiveKind kind, uint32_t ranks, const CostConstants& cost,
                                         double base, double per_byte, MessageSizes sizes) {
  const auto is_faster = [&](uint64_t bytes) {
    return base + per_byte * static_cast<double>(bytes) < library_time(kind, ranks, cost, bytes);
  };
  // No message is larger.
  const uint64_t last = std::min(sizes.to, std::max(sizes.from, uint64_t{1} << 40U));
  const bool first_is = is_faster(sizes.from);
  const bool last_is = is_faster(last);
  if (first_is && last_is) return sizes;
  if (!first_is && !last_is) return std::nullopt;
  // The library's time is the least of lines, so it is crossed once between two such ends.
  uint64_t low = sizes.from;
  uint64_t high = last;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (is_faster(middle) == last_is ? high : low) = middle;
  }
  return last_is ? MessageSizes{high, sizes.to} : MessageSizes{sizes.from, low};
}

}  // namespace quadrille
