#include "quadrille/program/interleavings.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace quadrille {
namespace {

constexpr size_t kMostWorms = 32;

struct FreeWorm {
  NodeId from;
  NodeId to;
  size_t step;
  std::vector<ArcId> path;
  uint64_t meets = 0;      // those of other steps that may not be under way with it
  uint64_t waits_for = 0;  // those that are over when it starts

  [[nodiscard]] bool touches(NodeId v) const { return from == v || to == v; }
};

class Interleavings {
 public:
  explicit Interleavings(const Schedule& schedule, const PlanSynchronisation& stated) {
    const Problem& problem = schedule.problem();
    const Topology& net = problem.topology();
    for (size_t s = 0; s < schedule.plan().num_steps(); ++s) {
      const StepView step = schedule.plan().step(s);
      for (size_t t = 0; t < step.size(); ++t) {
        const auto path = step.arcs(t);
        worms_.push_back({net.tail(path.front()), net.head(path.back()), s, {path.begin(), path.end()}});
      }
    }
    const bool ports = stated.ports && !problem.model().receive.unlimited();
    const PriorityTable priorities(stated.priorities);
    const auto level = [&](const FreeWorm& w) {
      return priorities.level(static_cast<uint32_t>(w.step), w.from, w.to);
    };
    for (FreeWorm& worm : worms_) {
      for (size_t j = 0; j < worms_.size(); ++j) {
        const uint64_t bit = uint64_t{1} << j;
        const FreeWorm& other = worms_[j];
        const bool gives_way =
            other.step < worm.step ? level(other) < level(worm) : level(worm) < level(other);
        if (other.step != worm.step && !gives_way &&
            (share_link(problem, worm, other) || (ports && worm.to == other.to))) {
          worm.meets |= bit;
        }
      }
    }
    for (FreeWorm& worm : worms_) worm.waits_for = needed(worm.from, worm.step, stated);
  }

  // A state is which worms have started (upper half) and which have ended.
  [[nodiscard]] InterleavingsVerdict play(uint64_t most_states) const {
    std::unordered_set<uint64_t> seen{0};
    std::vector<uint64_t> stack{0};
    while (!stack.empty()) {
      const uint64_t state = stack.back();
      stack.pop_back();
      const uint64_t started = state >> 32U;
      const uint64_t ended = state & UINT32_MAX;
      for (size_t i = 0; i < worms_.size(); ++i) {
        const uint64_t bit = uint64_t{1} << i;
        uint64_t next = state;
        if ((started & bit) == 0 && (worms_[i].waits_for & ~ended) == 0) {
          if ((worms_[i].meets & started & ~ended) != 0) return {true, false, seen.size()};
          next = state | bit << 32U;
        } else if ((started & bit) != 0 && (ended & bit) == 0) {
          next = state | bit;
        }
        if (seen.insert(next).second) stack.push_back(next);
      }
      if (seen.size() > most_states) return {false, false, seen.size()};
    }
    return {true, true, seen.size()};
  }

 private:
  static bool share_link(const Problem& problem, const FreeWorm& a, const FreeWorm& b) {
    const bool half = problem.model().duplex == Duplex::kHalf;
    return std::ranges::any_of(a.path, [&](ArcId arc) {
      return std::ranges::count(b.path, arc) > 0 ||
             (half && std::ranges::count(b.path, problem.topology().reverse(arc)) > 0);
    });
  }

  // The worms that are over when a node starts a step: its own, those before barriers, and all that a node
  // had to wait for, too, that sends it a signal. Signals go to later steps, so this ends.
  uint64_t needed(NodeId node, size_t step, const PlanSynchronisation& stated) {
    const auto known = needed_.find({node, step});
    if (known != needed_.end()) return known->second;
    uint64_t out = 0;
    for (size_t j = 0; j < worms_.size(); ++j) {
      const FreeWorm& other = worms_[j];
      const bool barred = std::ranges::any_of(
          stated.barriers, [&](uint32_t barrier) { return other.step <= barrier && barrier < step; });
      if (barred || (other.step < step && other.touches(node))) out |= uint64_t{1} << j;
    }
    for (const Signal& s : stated.signals) {
      if (s.to == node && s.before_step <= step) out |= through(s.from, s.after_step, stated);
    }
    needed_[{node, step}] = out;
    return out;
  }

  // The worms that are over when a node is through with a step and all before it.
  uint64_t through(NodeId node, size_t step, const PlanSynchronisation& stated) {
    uint64_t own = 0;
    const FreeWorm* last = nullptr;
    for (size_t j = 0; j < worms_.size(); ++j) {
      if (worms_[j].step > step || !worms_[j].touches(node)) continue;
      own |= uint64_t{1} << j;
      last = &worms_[j];
    }
    return last == nullptr ? 0 : own | needed(node, last->step, stated);
  }

  std::vector<FreeWorm> worms_;  // in order of their steps
  std::map<std::pair<NodeId, size_t>, uint64_t> needed_;
};

}  // namespace

InterleavingsVerdict play_interleavings(const Schedule& schedule, const PlanSynchronisation& stated,
                                        uint64_t most_states) {
  if (schedule.figures().transfers > kMostWorms) return {};
  return Interleavings(schedule, stated).play(most_states);
}

}  // namespace quadrille
