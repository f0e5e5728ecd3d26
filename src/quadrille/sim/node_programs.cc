#include "quadrille/sim/node_programs.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/text.h"

namespace quadrille {

uint32_t Stalls::of(NodeId node, uint32_t step) const {
  if (most == 0) return 0;
  uint64_t z = seed * 0x9e3779b97f4a7c15U + index(node) * 0xD1342543DE82EF95U + step * 0x2545F4914F6CDD1DU;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  z ^= z >> 31U;
  return static_cast<uint32_t>(z % (uint64_t{most} + 1));
}

PlanSynchronisation NodeTurns::barriers_everywhere(uint32_t steps) {
  PlanSynchronisation sync;
  for (uint32_t s = 0; s + 1 < steps; ++s) sync.barriers.push_back(s);
  return sync;
}

// Asked for ascending steps.
uint32_t NodeTurns::turn_of(NodeId node, uint32_t step) {
  uint32_t& last = last_turn_[index(node)];
  if (last != kNone && turns_[last].step == step) return last;
  const auto turn = static_cast<uint32_t>(turns_.size());
  const auto phase = std::ranges::lower_bound(barriers_, step) - barriers_.begin();
  turns_.push_back({.node = node, .step = step, .phase = static_cast<uint32_t>(phase)});
  (last == kNone ? first_turn_[index(node)] : turns_[last].next) = turn;
  last = turn;
  return turn;
}

NodeTurns::NodeTurns(const Traffic& traffic, const PlanSynchronisation& sync) : barriers_(sync.barriers) {
  const uint32_t nodes = traffic.network.num_nodes();
  first_turn_.assign(nodes, kNone);
  last_turn_.assign(nodes, kNone);
  ends_.resize(traffic.messages.size());
  // By steps: messages, then ends of signals.
  struct Item {
    uint32_t step;
    uint32_t kind;  // 0 a message, 1 a signal is told after the step, 2 it is waited for
    uint32_t which;
  };
  std::vector<uint32_t> begin(uint64_t{traffic.steps} + 1, 0);
  const auto each = [&](auto&& visit) {
    for (uint32_t m = 0; m < traffic.messages.size(); ++m) visit(Item{traffic.messages[m].step, 0, m});
    for (uint32_t s = 0; s < sync.signals.size(); ++s) {
      visit(Item{sync.signals[s].after_step, 1, s});
      visit(Item{sync.signals[s].before_step, 2, s});
    }
  };
  each([&](const Item& item) { ++begin[item.step + 1]; });
  for (size_t s = 1; s < begin.size(); ++s) begin[s] += begin[s - 1];
  std::vector<Item> items(begin.back());
  each([&](const Item& item) { items[begin[item.step]++] = item; });

  std::vector<uint32_t> teller(sync.signals.size());
  std::vector<uint32_t> waiter(sync.signals.size());
  for (const Item& item : items) {
    if (item.kind == 0) {
      const TrafficMessage& m = traffic.messages[item.which];
      ends_[item.which].sender = turn_of(m.source, item.step);
      ends_[item.which].receiver = turn_of(m.destination, item.step);
      ++turns_[ends_[item.which].sender].messages;
      ++turns_[ends_[item.which].receiver].messages;
    } else if (item.kind == 1) {
      teller[item.which] = turn_of(sync.signals[item.which].from, item.step);
    } else {
      waiter[item.which] = turn_of(sync.signals[item.which].to, item.step);
      ++turns_[waiter[item.which]].signals;
    }
  }
  tells_begin_.assign(turns_.size() + 1, 0);
  for (const uint32_t t : teller) ++tells_begin_[t + 1];
  for (size_t t = 1; t < tells_begin_.size(); ++t) tells_begin_[t] += tells_begin_[t - 1];
  tells_.resize(teller.size());
  std::vector<uint32_t> at = tells_begin_;
  for (size_t s = 0; s < teller.size(); ++s) tells_[at[teller[s]]++] = waiter[s];

  first_message_.assign(size_t{nodes} + 1, 0);
  for (const TrafficMessage& m : traffic.messages) ++first_message_[index(m.source) + 1];
  for (size_t v = 1; v < first_message_.size(); ++v) first_message_[v] += first_message_[v - 1];
  turns_in_phase_.assign(barriers_.size() + 1, 0);
  for (const Turn& turn : turns_) ++turns_in_phase_[turn.phase];
}

NodePrograms::NodePrograms(const Traffic& traffic, const NodeTurns& turns, Stalls stalls,
                           SynchronisationCosts costs)
    : traffic_(traffic), turns_(turns), stalls_(stalls), costs_(costs), phase_left_(turns.turns_in_phase_) {
  nodes_.resize(traffic.network.num_nodes());
  messages_left_.reserve(turns.turns_.size());
  signals_left_.reserve(turns.turns_.size());
  for (const NodeTurns::Turn& turn : turns.turns_) {
    messages_left_.push_back(turn.messages);
    signals_left_.push_back(turn.signals);
  }
  for (uint32_t v = 0; v < nodes_.size(); ++v) {
    nodes_[v].turn = turns.first_turn_[v];
    nodes_[v].next_message = turns.first_message_[v];
    wakes_.emplace(0, v);
  }
  pass_barriers(0);
}

void NodePrograms::wake(uint64_t now) {
  while (!wakes_.empty() && wakes_.top().first <= now) {
    const auto [time, node] = wakes_.top();
    wakes_.pop();
    if (node < nodes_.size()) {
      advance(node, time);
      continue;
    }
    if (node != kBarrier) {  // a signal comes to the node of a turn
      const auto turn = static_cast<uint32_t>(node - nodes_.size());
      if (--signals_left_[turn] == 0) advance(static_cast<uint32_t>(index(turns_.turns_[turn].node)), time);
      continue;
    }
    barrier_is_due_ = false;
    ++open_phase_;
    pass_barriers(time);
    for (uint32_t v = 0; v < nodes_.size(); ++v) advance(v, time);
  }
}

void NodePrograms::delivered(uint32_t message, uint64_t now) {
  ++delivered_;
  const NodeTurns::Ends& ends = turns_.ends_[message];
  for (const uint32_t turn : {ends.sender, ends.receiver}) {
    if (--messages_left_[turn] == 0) advance(static_cast<uint32_t>(index(turns_.turns_[turn].node)), now);
  }
}

// Whether the node has started its turn by now.
bool NodePrograms::enter(NodeState& state, uint32_t node, uint64_t now) {
  const NodeTurns::Turn& turn = turns_.turns_[state.turn];
  if (!state.entered) {
    if (turn.phase > open_phase_ || signals_left_[state.turn] > 0) return false;
    state.entered = true;
    state.start = now + (turn.messages > 0 ? stalls_.of(NodeId{node}, turn.step) : 0);
    if (state.start > now) wakes_.emplace(state.start, node);
  }
  return state.start <= now;
}

void NodePrograms::advance(uint32_t node, uint64_t now) {
  to_advance_.assign(1, node);  // and whom signals take along
  for (size_t i = 0; i < to_advance_.size(); ++i) {
    const uint32_t v = to_advance_[i];
    NodeState& state = nodes_[v];
    while (state.turn != NodeTurns::kNone && enter(state, v, now)) {
      if (messages_left_[state.turn] > 0) {
        changed_.push_back(NodeId{v});
        break;
      }
      const uint32_t over = state.turn;
      state.turn = turns_.turns_[over].next;
      state.entered = false;
      finish_turn(over, now);
    }
  }
}

void NodePrograms::finish_turn(uint32_t turn, uint64_t now) {
  ++turns_over_;
  for (uint32_t i = turns_.tells_begin_[turn]; i < turns_.tells_begin_[turn + 1]; ++i) {
    const uint32_t told = turns_.tells_[i];
    if (costs_.signal > 0) {
      wakes_.emplace(now + costs_.signal, static_cast<uint32_t>(nodes_.size() + told));
      continue;
    }
    if (--signals_left_[told] == 0)
      to_advance_.push_back(static_cast<uint32_t>(index(turns_.turns_[told].node)));
  }
  if (--phase_left_[turns_.turns_[turn].phase] == 0) pass_barriers(now);
}

// The barrier behind the open phase opens when nobody has a turn left before it.
void NodePrograms::pass_barriers(uint64_t now) {
  if (barrier_is_due_ || open_phase_ + 1 >= phase_left_.size() || phase_left_[open_phase_] > 0) return;
  barrier_is_due_ = true;
  wakes_.emplace(now + costs_.barrier, kBarrier);
}

std::optional<uint32_t> NodePrograms::take(NodeId node, uint64_t now) {
  NodeState& state = nodes_[index(node)];
  if (state.turn == NodeTurns::kNone || !state.entered || state.start > now) return std::nullopt;
  if (state.next_message >= turns_.first_message_[index(node) + 1]) return std::nullopt;
  const TrafficMessage& next = traffic_.messages[state.next_message];
  if (next.step != turns_.turns_[state.turn].step) return std::nullopt;
  if (next.release > now) {
    if (state.asked_for != state.next_message)
      wakes_.emplace(next.release, static_cast<uint32_t>(index(node)));
    state.asked_for = state.next_message;
    return std::nullopt;
  }
  return state.next_message++;
}

std::vector<std::string> NodePrograms::who_waits(size_t most) const {
  std::vector<std::string> lines;
  for (uint32_t v = 0; v < nodes_.size() && lines.size() < most; ++v) {
    const NodeState& state = nodes_[v];
    if (state.turn == NodeTurns::kNone) continue;
    const NodeTurns::Turn& turn = turns_.turns_[state.turn];
    const std::string_view verb = state.entered ? "waits in" : "waits for";
    std::string what;
    if (state.entered) {
      what = fmt::format(": {} not over", plural(messages_left_[state.turn], "message"));
    } else if (signals_left_[state.turn] > 0) {
      what = fmt::format(": {} not heard", plural(signals_left_[state.turn], "signal"));
    } else {
      what = ": a barrier is not passed";
    }
    lines.push_back(
        fmt::format("node {} {} step {}{}", traffic_.network.label(NodeId{v}), verb, turn.step + 1, what));
  }
  return lines;
}

}  // namespace quadrille
