#include "quadrille/algorithms/packing/swarms/block_trees.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "quadrille/algorithms/graphs/urgent_links.h"
#include "quadrille/algorithms/packing/swarms/block_forest.h"
#include "quadrille/base/search_limits.h"

namespace quadrille {
namespace block_tree_parts {
namespace {

constexpr int64_t kStaggers[] = {0, 1, 3, 10, 30};
constexpr int kTurnsInVain = 4;
constexpr int kMostTurns = 24;

constexpr uint32_t kNone = UINT32_MAX;

// A block over an arc of its tree.
struct Send {
  ArcId arc;
  uint32_t block;
  uint32_t after;         // the send by which the block comes to the tail
  uint32_t children = 0;  // sends that come after it
  uint32_t height = 0;    // of the longest chain of them
};

// Sends in an order that is given by keys, forward or backward in time, where all arcs run the other way.
class Timetable {
 public:
  Timetable(const SwarmTask& task, const std::vector<BlockTree>& trees)
      : net_(task.net), links_(task.net, task.send, task.receive) {
    std::vector<uint32_t> into(net_.num_nodes(), kNone);
    for (uint32_t b = 0; b < trees.size(); ++b) {
      into[index(task.origins[b])] = kNone;
      for (const ArcId arc : trees[b]) {
        into[index(net_.head(arc))] = static_cast<uint32_t>(sends_.size());
        sends_.push_back({arc, b, into[index(net_.tail(arc))]});
      }
    }
    next_.resize(sends_.size());
    for (uint32_t i = static_cast<uint32_t>(sends_.size()); i-- > 0;) {
      if (sends_[i].after == kNone) continue;
      Send& before = sends_[sends_[i].after];
      ++before.children;
      before.height = std::max(before.height, sends_[i].height + 1);
      next_[sends_[i].after].push_back(i);
    }
  }

  [[nodiscard]] const std::vector<Send>& sends() const { return sends_; }

  // The steps taken, the step of every send in `step_of`.
  uint32_t run(bool backwards, const std::vector<int64_t>& keys, std::vector<uint32_t>& step_of) {
    queues_.assign(net_.num_arcs(), {});
    step_of.assign(sends_.size(), 0);
    std::vector<uint32_t> waits(sends_.size());
    for (uint32_t i = 0; i < sends_.size(); ++i) {
      waits[i] = backwards ? sends_[i].children : static_cast<uint32_t>(sends_[i].after != kNone);
      if (waits[i] == 0) queues_[index(sends_[i].arc)].emplace(keys[i], i);
    }
    const auto done = [&](uint32_t i) {
      if (--waits[i] == 0) queues_[index(sends_[i].arc)].emplace(keys[i], i);
    };
    uint32_t steps = 0;
    for (size_t left = sends_.size(); left > 0; ++steps) {
      choose();
      left -= taken_.size();
      for (const uint32_t i : taken_) {
        step_of[i] = steps;
        if (!backwards) {
          for (const uint32_t next : next_[i]) done(next);
        } else if (sends_[i].after != kNone) {
          done(sends_[i].after);
        }
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
  std::vector<Send> sends_{};
  std::vector<std::vector<uint32_t>> next_{};
  using Waiting = std::pair<int64_t, uint32_t>;
  std::vector<std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>> queues_{};
  std::vector<std::pair<Waiting, ArcId>> waiting_{};
  std::vector<ArcId> by_urgency_{};
  std::vector<uint32_t> taken_{};
};

struct Times {
  uint32_t steps = 0;
  std::vector<uint32_t> step_of{};
};

// Forward by what is still to come after a send, late blocks some tenths of a send behind early ones; then backward and forward in the
// order of the last one.
void search_times(Timetable& table, int64_t stagger, size_t most, uint64_t least,
                  std::optional<Times>& best) {
  std::vector<int64_t> keys;
  for (const Send& send : table.sends()) keys.push_back(stagger * send.block - 10 * int64_t{send.height});
  std::vector<uint32_t> times;
  int in_vain = 0;
  for (int turn = 0; turn < kMostTurns && in_vain < kTurnsInVain && !searches_are_stopped(); ++turn) {
    const bool backwards = turn % 2 == 1;
    const uint32_t steps = table.run(backwards, keys, times);
    for (size_t i = 0; i < times.size(); ++i) keys[i] = -int64_t{times[i]};
    ++in_vain;
    if (steps > (best ? best->steps - 1 : most)) continue;
    in_vain = 0;
    if (backwards)
      for (uint32_t& time : times) time = steps - 1 - time;
    best = Times{steps, times};
    if (steps <= least) break;
  }
}

}  // namespace
}  // namespace block_tree_parts

std::optional<SwarmSteps> send_down_block_trees(const SwarmTask& task, size_t most, uint64_t least) {
  namespace parts = block_tree_parts;
  const BlockForest forest = grow_block_forest(task, least);
  parts::Timetable table(task, forest.trees);
  std::optional<parts::Times> found;
  for (const int64_t stagger : parts::kStaggers)
    if (!found || found->steps > least) parts::search_times(table, stagger, most, least, found);
  if (!found) return std::nullopt;
  SwarmSteps out(found->steps);
  for (size_t i = 0; i < table.sends().size(); ++i)
    out[found->step_of[i]].push_back({table.sends()[i].arc, table.sends()[i].block});
  return out;
}

}  // namespace quadrille
