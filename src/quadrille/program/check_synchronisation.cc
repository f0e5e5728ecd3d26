#include "quadrille/program/check_synchronisation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/program/interleavings.h"

namespace quadrille {
namespace {

constexpr std::string_view kRule = "synchronisation";

struct CheckedWorm {
  NodeId from = kNoNode;
  NodeId to = kNoNode;
  uint32_t step = 0;
};

// What a node knows: for each node, with how many steps it is through.
using Known = std::vector<uint32_t>;

void learn(Known& to, const Known& from) {
  for (size_t v = 0; v < to.size(); ++v) to[v] = std::max(to[v], from[v]);
}

class Follower {
 public:
  Follower(const Schedule& schedule, const PlanSynchronisation& stated,
           const CheckSynchronisationOptions& options)
      : problem_(schedule.problem()),
        stated_(stated),
        options_(options),
        use_ports_(stated.ports && !problem_.model().receive.unlimited()),
        signals_(stated.signals),
        priorities_(stated.priorities) {
    const uint64_t nodes = problem_.topology().num_nodes();
    if (nodes * nodes > options.most_known) {
      throw InputError(
          fmt::format("{} has too many nodes to check a synchronisation: {} times {} is more than {}",
                      problem_.topology().name(), with_thousands(nodes), with_thousands(nodes),
                      with_thousands(options.most_known)));
    }
    known_.assign(nodes, Known(nodes, 0));
    next_.resize(nodes);
    waiting_.resize(nodes);
    users_.resize(problem_.topology().num_arcs() + nodes);
    std::ranges::sort(signals_, {}, &Signal::after_step);
    const Plan& plan = schedule.plan();
    for (size_t s = 0; s < plan.num_steps(); ++s) step(plan.step(s), static_cast<uint32_t>(s));
  }

  [[nodiscard]] SynchronisationCheck result() { return std::move(check_); }

 private:
  void step(const StepView& view, uint32_t now) {
    const Topology& net = problem_.topology();
    std::vector<uint32_t> worms;
    for (size_t t = 0; t < view.size(); ++t) {
      worms.push_back(static_cast<uint32_t>(worms_.size()));
      worms_.push_back({net.tail(view.arcs(t).front()), net.head(view.arcs(t).back()), now});
      hear_signals(worms_.back().from, now);
      hear_signals(worms_.back().to, now);
    }
    for (size_t t = 0; t < worms.size(); ++t) use_resources(view.arcs(t), worms[t], t);
    end_step(worms, now);
  }

  // A node that is active in a step waits for the signals that it needs before it.
  void hear_signals(NodeId node, uint32_t now) {
    auto& waiting = waiting_[index(node)];
    for (auto it = waiting.begin(); it != waiting.end() && it->first <= now; it = waiting.erase(it)) {
      learn(known_[index(node)], it->second);
      --num_waiting_;
    }
  }

  // Half duplex: both directions are one link.
  [[nodiscard]] size_t link_of(ArcId arc) const {
    const ArcId back = problem_.topology().reverse(arc);
    const bool half = problem_.model().duplex == Duplex::kHalf && back != kNoArc;
    return half ? std::min(index(arc), index(back)) : index(arc);
  }

  void use_resources(std::span<const ArcId> path, uint32_t worm, size_t transfer) {
    const size_t arcs = problem_.topology().num_arcs();
    conflicts_.clear();
    for (const ArcId arc : path) use(link_of(arc), worm);
    if (use_ports_) use(arcs + index(worms_[worm].to), worm);
    std::ranges::sort(conflicts_);
    for (size_t i = 0; i < conflicts_.size(); ++i) {
      const auto& [earlier, resource] = conflicts_[i];
      if (i > 0 && conflicts_[i - 1].first == earlier) continue;
      const CheckedWorm& first = worms_[earlier];
      const CheckedWorm& second = worms_[worm];
      if (std::ranges::binary_search(adjacent_, earlier)) ++check_.conflicts;
      if (!in_order(first, second) && !gives_way(second, first)) {
        report(first, second, transfer, resource < arcs ? id_at<ArcId>(resource) : kNoArc);
      }
    }
    adjacent_.clear();
  }

  // Pushed aside, it is only late.
  [[nodiscard]] bool gives_way(const CheckedWorm& second, const CheckedWorm& first) const {
    return !priorities_.empty() && level_of(first) < level_of(second);
  }
  [[nodiscard]] uint32_t level_of(const CheckedWorm& worm) const {
    return priorities_.level(worm.step, worm.from, worm.to);
  }

  // The users of a step wait for those of the step before that used it, and so for all before. Where they
  // only give way to each other they do not wait, and all before count.
  void use(size_t resource, uint32_t worm) {
    Users& users = users_[resource];
    if (!users.now.empty() && worms_[users.now.front()].step != worms_[worm].step) {
      users.before = std::move(users.now);
      users.now.clear();
    }
    users.now.push_back(worm);
    for (const uint32_t other : users.before) add_adjacent(other);
    for (const uint32_t other : priorities_.empty() ? users.before : users.all) {
      if (worms_[other].step != worms_[worm].step) conflicts_.emplace_back(other, resource);
    }
    if (!priorities_.empty()) users.all.push_back(worm);
  }

  void add_adjacent(uint32_t worm) {
    const auto at = std::ranges::lower_bound(adjacent_, worm);
    if (at == adjacent_.end() || *at != worm) adjacent_.insert(at, worm);
  }

  [[nodiscard]] bool in_order(const CheckedWorm& first, const CheckedWorm& second) const {
    if (first.step < barred_) return true;
    const Known& known = known_[index(second.from)];
    return known[index(first.from)] > first.step || known[index(first.to)] > first.step;
  }

  void report(const CheckedWorm& first, const CheckedWorm& second, size_t transfer, ArcId arc) {
    if (!reported_.insert({first.to, first.step, second.from}).second) return;
    if (++check_.total_findings > options_.max_findings) return;
    const Topology& net = problem_.topology();
    const std::string held =
        arc == kNoArc ? fmt::format("a port of {}", net.label(second.to))
                      : fmt::format("the link {} > {}", net.label(net.tail(arc)), net.label(net.head(arc)));
    std::string missing = fmt::format("signal from={} after={} to={} before={}", index(first.to),
                                      first.step + 1, index(second.from), second.step + 1);
    if (stated_.signals.empty()) missing = fmt::format("{}, or {}", barriers_between(first, second), missing);
    if (!priorities_.empty()) {
      missing += fmt::format(", or priority step={} level={} from={} to={}", second.step + 1,
                             level_of(first) + 1, index(second.from), index(second.to));
    }
    check_.findings.push_back(
        {kRule, second.step, transfer,
         fmt::format("{} may start this while {} > {} of step {} still holds {}; missing: {}",
                     net.label(second.from), net.label(first.from), net.label(first.to), first.step + 1, held,
                     missing)});
  }

  static std::string barriers_between(const CheckedWorm& first, const CheckedWorm& second) {
    if (second.step == first.step + 1) return fmt::format("barrier after={}", second.step);
    return fmt::format("a barrier after one of the steps {} to {}", first.step + 1, second.step);
  }

  // Who receives learns what the sender knew when it started; both ends know that they are through.
  void end_step(std::span<const uint32_t> worms, uint32_t now) {
    for (const uint32_t w : worms) {
      const CheckedWorm& worm = worms_[w];
      Known& next = next_[index(worm.to)];
      if (next.empty()) next = known_[index(worm.to)];
      learn(next, known_[index(worm.from)]);
    }
    for (const uint32_t w : worms) {
      Known& next = next_[index(worms_[w].to)];
      if (next.empty()) continue;
      known_[index(worms_[w].to)].swap(next);
      next = {};
    }
    for (const uint32_t w : worms) {
      for (const NodeId v : {worms_[w].from, worms_[w].to}) known_[index(v)][index(v)] = now + 1;
    }
    for (; sent_ < signals_.size() && signals_[sent_].after_step == now; ++sent_) send(signals_[sent_]);
    if (std::ranges::binary_search(stated_.barriers, now)) barred_ = now + 1;
    reported_.clear();
  }

  void send(const Signal& s) {
    const auto [at, is_new] = waiting_[index(s.to)].try_emplace(s.before_step);
    if (is_new) {
      at->second.assign(known_.size(), 0);
      if (++num_waiting_ * known_.size() > options_.most_known) {
        throw InputError(fmt::format("{} signals are on their way at once after step {}: too many to check",
                                     with_thousands(num_waiting_), s.after_step + 1));
      }
    }
    learn(at->second, known_[index(s.from)]);
  }

  struct Users {
    std::vector<uint32_t> before;
    std::vector<uint32_t> now;
    std::vector<uint32_t> all;  // where there are priorities
  };

  const Problem& problem_;
  const PlanSynchronisation& stated_;
  const CheckSynchronisationOptions& options_;
  bool use_ports_;
  std::vector<Signal> signals_;  // by step
  size_t sent_ = 0;              // how many of them
  PriorityTable priorities_;
  uint32_t barred_ = 0;                             // all steps before this one lie before a barrier
  std::vector<CheckedWorm> worms_;                  // in order of their steps
  std::vector<Users> users_;                        // per arc, then per receive port of a node
  std::vector<Known> known_;                        // per node
  std::vector<Known> next_;                         // per node, if it receives in this step
  std::vector<std::map<uint32_t, Known>> waiting_;  // per node: what signals tell it before a step
  uint64_t num_waiting_ = 0;
  std::vector<std::pair<uint32_t, size_t>> conflicts_;       // of a worm: an earlier one, and over what
  std::vector<uint32_t> adjacent_;                           // those that it follows, ascending
  std::set<std::tuple<NodeId, uint32_t, NodeId>> reported_;  // signals that this step misses
  SynchronisationCheck check_;
};

}  // namespace

SynchronisationCheck check_synchronisation(const Schedule& schedule, const PlanSynchronisation& stated,
                                           const CheckSynchronisationOptions& options) {
  SynchronisationCheck out = Follower(schedule, stated, options).result();
  const InterleavingsVerdict all = play_interleavings(schedule, stated, options.most_states);
  if (!all.complete) return out;
  QUADRILLE_CHECK(all.safe == out.passed(),
                  fmt::format("{}: all interleavings say {}, and {} are missing", schedule.problem().title(),
                              all.safe, out.total_findings));
  if (all.safe) out.states = all.states;
  return out;
}

}  // namespace quadrille
