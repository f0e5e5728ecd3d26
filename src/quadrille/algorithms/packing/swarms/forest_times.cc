#include "quadrille/algorithms/packing/swarms/forest_times.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

#include "quadrille/algorithms/graphs/urgent_links.h"
#include "quadrille/base/search_limits.h"

namespace quadrille {
namespace forest_times_parts {
namespace {

constexpr int64_t kStaggers[] = {0, 1, 3, 10, 30};
constexpr int kTurnsInVain = 4;
constexpr int kMostTurns = 24;
// Of so many sends a timetable takes a tenth of a second: no other order comes as near as this part of what is wanted.
constexpr size_t kManySends = 30'000;
constexpr size_t kFarFrom = 12;

// Sends in an order that is given by keys, forward or backward in time.
class Timetable {
 public:
  Timetable(const Topology& net, Ports send, Ports receive, std::vector<TreeSend> sends)
      : net_(net),
        links_(net, send, receive),
        sends_(std::move(sends)),
        after_(sends_.size()),
        height_(sends_.size(), 0) {
    for (uint32_t i = static_cast<uint32_t>(sends_.size()); i-- > 0;) {
      for (const uint32_t before : sends_[i].before) {
        height_[before] = std::max(height_[before], height_[i] + 1);
        after_[before].push_back(i);
      }
    }
  }

  [[nodiscard]] std::vector<int64_t> keys(int64_t stagger) const {
    std::vector<int64_t> out;
    for (size_t i = 0; i < sends_.size(); ++i)
      out.push_back(stagger * sends_[i].block - 10 * int64_t{height_[i]});
    return out;
  }

  // The steps taken, the step of every send in `step_of`.
  uint32_t run(bool backwards, const std::vector<int64_t>& keys, std::vector<uint32_t>& step_of) {
    queues_.assign(net_.num_arcs(), {});
    step_of.assign(sends_.size(), 0);
    std::vector<uint32_t> waits(sends_.size());
    for (uint32_t i = 0; i < sends_.size(); ++i) {
      waits[i] = static_cast<uint32_t>((backwards ? after_[i] : sends_[i].before).size());
      if (waits[i] == 0) queues_[index(sends_[i].arc)].emplace(keys[i], i);
    }
    uint32_t steps = 0;
    for (size_t left = sends_.size(); left > 0; ++steps) {
      choose();
      left -= taken_.size();
      for (const uint32_t i : taken_) {
        step_of[i] = steps;
        for (const uint32_t next : backwards ? sends_[i].before : after_[i])
          if (--waits[next] == 0) queues_[index(sends_[next].arc)].emplace(keys[next], next);
      }
    }
    return steps;
  }

 private:
  void choose() {
    waiting_.clear();
    by_urgency_.clear();
    taken_.clear();
    for (const ArcId arc : net_.arcs())
      if (!queues_[index(arc)].empty()) waiting_.emplace_back(queues_[index(arc)].top(), arc);
    std::ranges::sort(waiting_);
    for (const auto& [key, arc] : waiting_) by_urgency_.push_back(arc);
    const auto sent = links_.choose(by_urgency_, [&](ArcId arc) { return queues_[index(arc)].size(); });
    for (const ArcId arc : net_.arcs()) {
      for (uint32_t c = sent[index(arc)]; c > 0; --c) {
        taken_.push_back(queues_[index(arc)].top().second);
        queues_[index(arc)].pop();
      }
    }
  }

  const Topology& net_;
  UrgentLinks links_;
  std::vector<TreeSend> sends_;
  std::vector<std::vector<uint32_t>> after_;
  std::vector<uint32_t> height_;  // of the longest chain that comes after
  using Waiting = std::pair<int64_t, uint32_t>;
  std::vector<std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>> queues_{};
  std::vector<std::pair<Waiting, ArcId>> waiting_{};
  std::vector<ArcId> by_urgency_{};
  std::vector<uint32_t> taken_{};
};

// The steps of the shortest that was seen, if it was no better.
uint32_t search_times(Timetable& table, int64_t stagger, size_t most, uint64_t least,
                      std::optional<ForestTimes>& best) {
  std::vector<int64_t> keys = table.keys(stagger);
  std::vector<uint32_t> times;
  int in_vain = 0;
  uint32_t shortest = UINT32_MAX;
  for (int turn = 0; turn < kMostTurns && in_vain < kTurnsInVain && !searches_are_stopped(); ++turn) {
    const bool backwards = turn % 2 == 1;
    const uint32_t steps = table.run(backwards, keys, times);
    for (size_t i = 0; i < times.size(); ++i) keys[i] = -int64_t{times[i]};
    shortest = std::min(shortest, steps);
    ++in_vain;
    if (steps > (best ? best->steps - 1 : most)) continue;
    in_vain = 0;
    if (backwards)
      for (uint32_t& time : times) time = steps - 1 - time;
    best = ForestTimes{steps, times};
    if (steps <= least) break;
  }
  return shortest;
}

}  // namespace
}  // namespace forest_times_parts

std::optional<ForestTimes> find_forest_times(const Topology& net, Ports send, Ports receive,
                                             std::vector<TreeSend> sends, size_t most, uint64_t least) {
  namespace parts = forest_times_parts;
  const bool are_many = sends.size() > parts::kManySends;
  parts::Timetable table(net, send, receive, std::move(sends));
  std::optional<ForestTimes> found;
  for (const int64_t stagger : parts::kStaggers) {
    if (found && found->steps <= least) break;
    const uint32_t shortest = parts::search_times(table, stagger, most, least, found);
    if (are_many && !found && shortest > most + most / parts::kFarFrom) break;
  }
  return found;
}

}  // namespace quadrille
