#include "quadrille/program/synchronisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"

namespace quadrille {
namespace {

// A node's state changes twice in each step in which it sends or receives: it starts, and it is through.
// Moment 2i is the start of its i-th such step, 2i+1 the end.
using Moment = uint16_t;
constexpr Moment kNever = UINT16_MAX;
constexpr uint64_t kMostEntries = uint64_t{1} << 28U;

struct Worm {
  NodeId from;
  NodeId to;
  uint32_t step;
};

// Two transfers of which the first must be over when the second starts.
struct Conflict {
  uint32_t first;
  uint32_t second;
  friend auto operator<=>(const Conflict&, const Conflict&) = default;
};

// The steps in which each node is active, and what they lead to.
class Precedence {
 public:
  Precedence(uint32_t nodes, const std::vector<Worm>& worms) : nodes_(nodes), active_(nodes) {
    for (const Worm& worm : worms) {
      for (const NodeId v : {worm.from, worm.to}) {
        std::vector<uint32_t>& steps = active_[index(v)];
        if (steps.empty() || steps.back() != worm.step) steps.push_back(worm.step);
      }
    }
    first_.push_back(0);
    for (const std::vector<uint32_t>& steps : active_) first_.push_back(first_.back() + 2 * steps.size());
    const uint64_t entries = uint64_t{first_.back()} * nodes;
    if (entries > kMostEntries || 2 * (worms.empty() ? 0 : worms.back().step + 1) >= kNever) {
      throw InputError(fmt::format(
          "the schedule is too large to order its steps: {} nodes are active {} times together; nodes "
          "times activities may be at most {}",
          nodes, with_thousands(first_.back() / 2), with_thousands(kMostEntries / 2)));
    }
    sends_.resize(first_.back());
    for (const Worm& worm : worms) sends_[start(worm.from, worm.step)].push_back(end(worm.to, worm.step));
    signals_.resize(first_.back());
    for (const std::vector<uint32_t>& steps : active_) {
      for (const uint32_t step : steps) last_step_ = std::max(last_step_, step);
    }
    by_step_.resize(worms.empty() ? 0 : last_step_ + 1);
    for (uint32_t v = 0; v < nodes; ++v) {
      for (const uint32_t step : active_[v]) by_step_[step].push_back(NodeId{v});
    }
  }

  void set_signals(std::span<const Signal> signals) {
    for (std::vector<size_t>& targets : signals_) targets.clear();
    for (const Signal& s : signals) {
      signals_[end(s.from, s.after_step)].push_back(start(s.to, s.before_step));
    }
    compute();
  }

  // Whether `a` is through with a step, at the latest, when `b` starts another.
  [[nodiscard]] bool precedes(NodeId a, uint32_t step_a, NodeId b, uint32_t step_b) const {
    return reach(end(a, step_a), b) <= moment(start(b, step_b), b);
  }
  // Whether a signal says no more than other things together.
  [[nodiscard]] bool is_redundant(const Signal& s) const {
    const size_t source = end(s.from, s.after_step);
    const size_t target = start(s.to, s.before_step);
    const Moment at = moment(target, s.to);
    const bool last = source + 1 == first_[index(s.from) + 1];
    if (!last && reach(source + 1, s.to) <= at) return true;
    return std::ranges::any_of(signals_[source],
                               [&](size_t other) { return other != target && reach(other, s.to) <= at; });
  }

 private:
  [[nodiscard]] size_t start(NodeId v, uint32_t step) const {
    const std::vector<uint32_t>& steps = active_[index(v)];
    const auto at = std::ranges::lower_bound(steps, step) - steps.begin();
    return first_[index(v)] + 2 * static_cast<size_t>(at);
  }
  [[nodiscard]] size_t end(NodeId v, uint32_t step) const { return start(v, step) + 1; }
  [[nodiscard]] Moment moment(size_t event, NodeId v) const {
    return static_cast<Moment>(event - first_[index(v)]);
  }
  [[nodiscard]] Moment reach(size_t event, NodeId v) const { return reach_[event * nodes_ + index(v)]; }

  // From the last step to the first: the earliest moment of every node that an event leads to.
  void compute() {
    reach_.assign(first_.back() * nodes_, kNever);
    for (size_t step = by_step_.size(); step-- > 0;) {
      for (const NodeId v : by_step_[step]) {
        const size_t event = end(v, static_cast<uint32_t>(step));
        if (event + 1 < first_[index(v) + 1]) follow(event, event + 1);
        for (const size_t target : signals_[event]) follow(event, target);
        reach_[event * nodes_ + index(v)] = moment(event, v);
      }
      for (const NodeId v : by_step_[step]) {
        const size_t event = start(v, static_cast<uint32_t>(step));
        follow(event, event + 1);
        for (const size_t target : sends_[event]) follow(event, target);
        reach_[event * nodes_ + index(v)] = moment(event, v);
      }
    }
  }

  void follow(size_t event, size_t next) {
    Moment* to = &reach_[event * nodes_];
    const Moment* from = &reach_[next * nodes_];
    for (size_t v = 0; v < nodes_; ++v) to[v] = std::min(to[v], from[v]);
  }

  size_t nodes_;
  uint32_t last_step_ = 0;
  std::vector<std::vector<uint32_t>> active_;  // per node: steps, ascending
  std::vector<size_t> first_;                  // per node: its first event
  std::vector<std::vector<NodeId>> by_step_;
  std::vector<std::vector<size_t>> sends_;    // per event: the ends that wait for it
  std::vector<std::vector<size_t>> signals_;  // per event: the starts that wait for it
  std::vector<Moment> reach_;                 // per event and node
};

class Synchroniser {
 public:
  Synchroniser(const Schedule& schedule, const SynchroniseOptions& options)
      : problem_(schedule.problem()), use_ports_(options.ports && !problem_.model().receive.unlimited()) {
    collect(schedule);
  }

  Synchronisation run() {
    Precedence order(problem_.topology().num_nodes(), worms_);
    order.set_signals({});
    Synchronisation out;
    out.conflicts = conflicts_.size();
    for (const Conflict& c : conflicts_) {
      if (!in_order(order, c)) unordered_.push_back(c);
    }
    out.unordered = unordered_.size();
    out.barriers = stab();
    const std::vector<uint32_t> level = find_levels(order);
    for (const uint32_t l : level) out.priority_levels = std::max(out.priority_levels, l);
    if (out.priority_levels > 1) out.priorities = priorities_of(level);
    out.signals = choose_signals(order);
    return out;
  }

 private:
  void collect(const Schedule& schedule) {
    const Topology& topology = problem_.topology();
    users_.resize(topology.num_arcs() + topology.num_nodes());
    for (size_t s = 0; s < schedule.plan().num_steps(); ++s) {
      const StepView step = schedule.plan().step(s);
      for (size_t t = 0; t < step.size(); ++t) {
        const auto path = step.arcs(t);
        const auto worm = static_cast<uint32_t>(worms_.size());
        worms_.push_back({topology.tail(path.front()), topology.head(path.back()), static_cast<uint32_t>(s)});
        for (const ArcId arc : path) use(link_of(arc), worm);
        if (use_ports_) use(topology.num_arcs() + index(worms_.back().to), worm);
      }
    }
    std::ranges::sort(conflicts_);
    conflicts_.erase(std::unique(conflicts_.begin(), conflicts_.end()), conflicts_.end());
  }

  // Half duplex: both directions are one link.
  [[nodiscard]] size_t link_of(ArcId arc) const {
    const ArcId back = problem_.topology().reverse(arc);
    const bool half = problem_.model().duplex == Duplex::kHalf && back != kNoArc;
    return half ? std::min(index(arc), index(back)) : index(arc);
  }

  // The users of a link or port, step after step; those of a step wait for those of the step before that used
  // it, and so for all before.
  void use(size_t resource, uint32_t worm) {
    Users& users = users_[resource];
    if (!users.now.empty() && worms_[users.now.front()].step != worms_[worm].step) {
      users.before = std::move(users.now);
      users.now.clear();
    }
    users.now.push_back(worm);
    users.all.push_back(worm);
    for (const uint32_t other : users.before) conflicts_.push_back({other, worm});
  }

  [[nodiscard]] bool in_order(const Precedence& order, const Conflict& c) const {
    const Worm& a = worms_[c.first];
    const Worm& b = worms_[c.second];
    return order.precedes(a.to, a.step, b.from, b.step) || order.precedes(a.from, a.step, b.from, b.step);
  }

  // The fewest boundaries such that one lies between the steps of every conflict.
  [[nodiscard]] std::vector<uint32_t> stab() const {
    std::vector<std::pair<uint32_t, uint32_t>> spans;  // the last boundary that helps, the first one
    for (const Conflict& c : unordered_) {
      spans.emplace_back(worms_[c.second].step - 1, worms_[c.first].step);
    }
    std::ranges::sort(spans);
    std::vector<uint32_t> out;
    for (const auto& [last, first] : spans) {
      if (out.empty() || out.back() < first) out.push_back(last);
    }
    return out;
  }

  // Whether nothing keeps two transfers of different steps in order that use one link or port: every pair of
  // them may meet, not only those that follow each other, since to be pushed aside is to be late.
  [[nodiscard]] std::vector<Conflict> meetings(const Precedence& order) const {
    std::vector<Conflict> out;
    for (const Users& users : users_) {
      for (size_t j = 0; j < users.all.size(); ++j) {
        for (size_t i = 0; i < j; ++i) {
          const Conflict c{users.all[i], users.all[j]};
          if (worms_[c.first].step < worms_[c.second].step && !in_order(order, c)) out.push_back(c);
        }
      }
    }
    std::ranges::sort(out, {}, [](const Conflict& c) { return std::pair(c.second, c.first); });
    return out;
  }

  // The longest chain of transfers that each may meet the next: how urgent each has to be. What one node
  // sends another in a step has one level.
  [[nodiscard]] std::vector<uint32_t> find_levels(const Precedence& order) const {
    const std::vector<Conflict> meet = meetings(order);
    std::vector<uint32_t> level(worms_.size(), 1);
    size_t next = 0;
    for (size_t begin = 0, end = 0; begin < worms_.size(); begin = end) {
      std::map<std::pair<NodeId, NodeId>, uint32_t> of_pair;
      for (; end < worms_.size() && worms_[end].step == worms_[begin].step; ++end) {
        uint32_t& most = of_pair.try_emplace({worms_[end].from, worms_[end].to}, 1).first->second;
        for (; next < meet.size() && meet[next].second == end; ++next)
          most = std::max(most, level[meet[next].first] + 1);
      }
      for (size_t w = begin; w < end; ++w) level[w] = of_pair.at({worms_[w].from, worms_[w].to});
    }
    return level;
  }

  // A level for each step, the one that most of its messages have, and one for each message with another.
  [[nodiscard]] std::vector<Priority> priorities_of(const std::vector<uint32_t>& level) const {
    std::vector<Priority> out;
    for (size_t begin = 0, end = 0; begin < worms_.size(); begin = end) {
      std::map<uint32_t, size_t> count;
      for (; end < worms_.size() && worms_[end].step == worms_[begin].step; ++end) ++count[level[end]];
      const uint32_t common =
          std::ranges::max_element(count, {}, [](const auto& c) { return c.second; })->first;
      out.push_back({.step = worms_[begin].step, .level = common});
      std::set<std::pair<NodeId, NodeId>> done;
      for (size_t w = begin; w < end; ++w) {
        if (level[w] == common || !done.insert({worms_[w].from, worms_[w].to}).second) continue;
        out.push_back({worms_[w].step, level[w], worms_[w].from, worms_[w].to});
      }
    }
    return out;
  }

  [[nodiscard]] std::vector<Signal> choose_signals(Precedence& order) const {
    std::vector<Signal> best;
    for (const bool from_receiver : {true, false}) {
      std::vector<Signal> signals;
      for (const Conflict& c : unordered_) {
        const Worm& a = worms_[c.first];
        const Worm& b = worms_[c.second];
        signals.push_back({from_receiver ? a.to : a.from, a.step, b.from, b.step});
      }
      signals = thin_out(order, reduce(order, std::move(signals)));
      if (best.empty() || signals.size() < best.size()) best = std::move(signals);
    }
    return best;
  }

  static std::vector<Signal> reduce(Precedence& order, std::vector<Signal> signals) {
    std::ranges::sort(signals, {},
                      [](const Signal& s) { return std::tuple(s.after_step, s.before_step, s.from, s.to); });
    signals.erase(std::unique(signals.begin(), signals.end()), signals.end());
    order.set_signals(signals);
    std::erase_if(signals, [&](const Signal& s) { return order.is_redundant(s); });
    return signals;
  }

  // Either end of a transfer knows that it is over, so a signal may still be needless that follows from no
  // other: tried one by one, where this is quick.
  [[nodiscard]] std::vector<Signal> thin_out(Precedence& order, std::vector<Signal> signals) const {
    const uint64_t nodes = problem_.topology().num_nodes();
    if (signals.size() * worms_.size() * nodes > kMostWork) return signals;
    for (size_t i = signals.size(); i-- > 0;) {
      const Signal without = signals[i];
      signals.erase(signals.begin() + static_cast<ptrdiff_t>(i));
      order.set_signals(signals);
      const bool enough =
          std::ranges::all_of(unordered_, [&](const Conflict& c) { return in_order(order, c); });
      if (!enough) signals.insert(signals.begin() + static_cast<ptrdiff_t>(i), without);
    }
    return signals;
  }

  static constexpr uint64_t kMostWork = uint64_t{1} << 26U;

  struct Users {
    std::vector<uint32_t> before;
    std::vector<uint32_t> now;
    std::vector<uint32_t> all;
  };

  const Problem& problem_;
  bool use_ports_;
  std::vector<Worm> worms_;   // in order of their steps
  std::vector<Users> users_;  // per arc, then per receive port of a node
  std::vector<Conflict> conflicts_;
  std::vector<Conflict> unordered_;
};

}  // namespace

Synchronisation synchronise(const Schedule& schedule, const SynchroniseOptions& options) {
  return Synchroniser(schedule, options).run();
}

PlanSynchronisation stated(const Synchronisation& sync, const SynchroniseOptions& options, StateAs as) {
  PlanSynchronisation out{.ports = options.ports};
  if (as == StateAs::kBarriers) out.barriers = sync.barriers;
  if (as == StateAs::kSignals) out.signals = sync.signals;
  if (as == StateAs::kPriorities) out.priorities = sync.priorities;
  return out;
}

uint64_t null_messages_of_barrier(uint32_t nodes) {
  return nodes < 2 ? 0 : uint64_t{nodes} * static_cast<uint64_t>(std::bit_width(nodes - 1));
}

uint64_t null_messages(const PlanSynchronisation& sync, uint32_t nodes) {
  return sync.signals.size() + sync.barriers.size() * null_messages_of_barrier(nodes);
}

}  // namespace quadrille
