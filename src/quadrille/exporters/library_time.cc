#include "quadrille/exporters/library_time.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {

LibraryTime::LibraryTime(const Topology& topology, const Model& model)
    : ranks_(topology.num_endpoints()), cost_(model.cost) {
  constexpr uint32_t kMostSources = 2048;
  const auto endpoints = topology.endpoints();
  const uint32_t sources = ranks_ <= kMostSources ? ranks_ : kMostSources / 16;
  std::vector<double> hops(ranks_);  // by how many ranks on, a mean
  for (uint32_t i = 0; i < sources; ++i) {
    const auto from = static_cast<uint32_t>(uint64_t{i} * ranks_ / sources);
    const std::vector<uint32_t> distances = distances_from(topology, endpoints[from]);
    for (uint32_t shift = 1; shift < ranks_; ++shift)
      hops[shift] += distances[index(endpoints[(from + shift) % ranks_])] / static_cast<double>(sources);
  }
  const auto capacities = topology.capacities();
  double links = 0;  // of each rank
  for (const uint32_t capacity : capacities) links += capacity / static_cast<double>(ranks_);
  if (model.duplex == Duplex::kHalf) links /= 2;
  for (uint32_t shift = 1; shift < ranks_; shift *= 2) loads_.push_back(std::max(1.0, hops[shift] / links));
  const double ways = std::accumulate(hops.begin(), hops.end(), 0.0);
  to_all_ = std::max(ranks_ - 1.0, ways / links);
  if (ranks_ > 1) start_up_ = cost_.ts + cost_.tl * ways / (ranks_ - 1);
}

double LibraryTime::of(CollectiveKind kind, uint64_t bytes, double rounds) const {
  if (ranks_ < 2) return 0;
  const auto steps = static_cast<double>(loads_.size());
  const double others = ranks_ - 1.0;
  const auto time = [&](double start_ups, double load) {
    return start_ups * start_up_ + std::max(load, rounds) * cost_.tx * static_cast<double>(bytes);
  };
  // Longer and longer messages, the longest where they load least.
  const auto doubling = [&](double in_all) {
    std::vector<double> falling = loads_;
    std::ranges::sort(falling, std::greater{});
    double out = 0;
    double part = in_all / others;
    double left = in_all;
    for (const double load : falling) {
      out += std::min(part, left) * load;
      left -= std::min(part, left);
      part *= 2;
    }
    return out;
  };
  const double at_once = std::accumulate(loads_.begin(), loads_.end(), 0.0);
  switch (kind) {
    case CollectiveKind::kBroadcast:
    case CollectiveKind::kReduce:
      return std::min(time(steps, steps), time(2 * steps, 2 * others / ranks_));
    case CollectiveKind::kAllreduce:
      return std::min({time(steps, at_once), time(2 * steps, 2 * doubling(others / ranks_)),
                       time(2 * others, 2 * loads_[0] * others / ranks_)});
    case CollectiveKind::kScatter:
    case CollectiveKind::kGather:
      return time(steps, others);
    case CollectiveKind::kAllgather:
    case CollectiveKind::kReduceScatter:
      return std::min(time(steps, doubling(others)), time(others, loads_[0] * others));
    case CollectiveKind::kAlltoall:
      return std::min(time(steps, at_once * ranks_ / 2), time(others, to_all_));
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

std::optional<MessageSizes> where_faster(const LibraryTime& library, CollectiveKind kind, double rounds,
                                         double base, double per_byte, MessageSizes sizes) {
  const auto saved = [&](uint64_t bytes) {
    return library.of(kind, bytes, rounds) - (base + per_byte * static_cast<double>(bytes));
  };
  // No message is larger.
  const uint64_t last = std::min(sizes.to, std::max(sizes.from, uint64_t{1} << 40U));
  // The library's time is the least of lines, so what is saved rises to one place and falls behind it.
  uint64_t low = sizes.from;
  uint64_t high = last;
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (saved(middle + 1) > saved(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const uint64_t most = low;
  if (saved(most) <= 0) return std::nullopt;
  MessageSizes out = sizes;
  if (saved(sizes.from) <= 0) {
    for (low = sizes.from, high = most; high - low > 1;) {
      const uint64_t middle = low + (high - low) / 2;
      (saved(middle) > 0 ? high : low) = middle;
    }
    out.from = high;
  }
  if (saved(last) <= 0) {
    for (low = most, high = last; high - low > 1;) {
      const uint64_t middle = low + (high - low) / 2;
      (saved(middle) > 0 ? low : high) = middle;
    }
    out.to = low;
  }
  return out;
}

}  // namespace quadrille
