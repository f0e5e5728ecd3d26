#include "quadrille/algorithms/partial_sums/scheduled_sums.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <utility>
#include <vector>

namespace quadrille {
namespace scheduled_sums_parts {
namespace {

constexpr uint32_t kNever = UINT32_MAX;

class ScheduledSums {
 public:
  ScheduledSums(const Topology& topology, const MessagesOfSteps& messages, Rng& rng)
      : net_(topology), steps_(static_cast<uint32_t>(messages.size())), rng_(rng) {
    const uint32_t ranks = net_.num_endpoints();
    all_ = ranks == InformedTrials::kMostRanks ? ~uint64_t{0} : (uint64_t{1} << ranks) - 1;
    own_.assign(net_.num_nodes(), 0);
    for (const NodeId v : net_.endpoints()) own_[index(v)] = uint64_t{1} << index(*net_.rank(v));
    hear(messages);
    take_up(messages);
    say_what_may_be();
  }

  [[nodiscard]] std::optional<SumPlan> plan(ScheduledSumsBudget& budget) {
    budget_ = &budget;
    choices_ = budget.choices;
    states_.push_back(first_);
    if (!search(0)) return std::nullopt;
    return written_down();
  }

 private:
  struct Message {
    uint32_t step;  // from 0 on
    ArcId arc;
    NodeId tail;
    NodeId head;
    bool is_whole;
    std::vector<uint32_t> sources;  // messages of parts that came to its tail before
    size_t first_source;            // among all of them
  };
  // What is said of an earlier message in a later one of its receiver.
  enum class Taken : uint8_t { kOpen, kYes, kNo };
  struct State {
    std::vector<uint64_t> may;  // per message
    std::vector<uint64_t> must;
    std::vector<Taken> taken;  // per message and source
  };

  void hear(const MessagesOfSteps& messages);
  void take_up(const MessagesOfSteps& messages);
  void say_what_may_be();

  [[nodiscard]] bool search(size_t depth);
  [[nodiscard]] bool follow(State& state);
  [[nodiscard]] bool follow_node(State& state, NodeId v);
  [[nodiscard]] bool follow_message(State& state, uint32_t m);
  [[nodiscard]] uint64_t wanted(const State& state, NodeId v) const;
  [[nodiscard]] SumPlan written_down() const;

  [[nodiscard]] uint64_t known(uint32_t after, NodeId v) const {
    return known_[after * net_.num_nodes() + index(v)];
  }
  void put(uint64_t& word, uint64_t value) {
    if (word == value) return;
    word = value;
    has_changed_ = true;
  }

  const Topology& net_;
  uint32_t steps_;
  Rng& rng_;
  uint64_t all_ = 0;
  std::vector<uint64_t> own_;
  std::vector<uint64_t> known_;  // per step, from 0 on, and node: of whom it has heard

  std::vector<Message> messages_;            // by steps
  std::vector<std::vector<uint32_t>> into_;  // per node: messages of parts
  std::vector<std::vector<uint32_t>> from_;
  std::vector<uint32_t> given_;     // per node: the step in which it hears the whole sum
  std::vector<uint32_t> deadline_;  // per node: the first step in which it says the whole sum
  std::vector<uint64_t> needs_;     // per node: ranks that must come in messages of parts

  State first_;
  std::deque<State> states_;  // per depth; those that are there stay where they are
  ScheduledSumsBudget* budget_ = nullptr;
  uint32_t choices_ = 0;  // that are left
  bool has_changed_ = false;
};

void ScheduledSums::hear(const MessagesOfSteps& messages) {
  const size_t nodes = net_.num_nodes();
  known_ = own_;
  for (uint32_t s = 0; s < steps_; ++s) {
    known_.resize((s + 2) * nodes);
    std::copy_n(known_.begin() + static_cast<ptrdiff_t>(s * nodes), nodes,
                known_.begin() + static_cast<ptrdiff_t>((s + 1) * nodes));
    for (const ArcId arc : messages[s])
      known_[(s + 1) * nodes + index(net_.head(arc))] |= known(s, net_.tail(arc));
  }
}

// Who has heard of all tells the whole sum to whoever has not, and nobody tells them parts from then on.
void ScheduledSums::take_up(const MessagesOfSteps& messages) {
  const size_t nodes = net_.num_nodes();
  given_.assign(nodes, kNever);
  deadline_.assign(nodes, steps_);
  // A router is told if it tells others.
  std::vector<std::vector<bool>> is_whole(steps_);
  std::vector<bool> tells(nodes, false);
  for (uint32_t s = steps_; s-- > 0;) {
    for (const ArcId arc : messages[s]) {
      const NodeId head = net_.head(arc);
      is_whole[s].push_back(known(s, net_.tail(arc)) == all_ && known(s, head) != all_ &&
                            (own_[index(head)] != 0 || tells[index(head)]));
    }
    for (size_t i = 0; i < messages[s].size(); ++i) {
      if (is_whole[s][i]) tells[index(net_.tail(messages[s][i]))] = true;
    }
  }
  for (uint32_t s = 0; s < steps_; ++s) {
    for (size_t i = 0; i < messages[s].size(); ++i) {
      const ArcId arc = messages[s][i];
      const NodeId head = net_.head(arc);
      if (!is_whole[s][i] || given_[index(head)] != kNever) continue;
      const NodeId tail = net_.tail(arc);
      given_[index(head)] = s;
      if (given_[index(tail)] == kNever) deadline_[index(tail)] = std::min(deadline_[index(tail)], s);
      messages_.push_back({s, arc, tail, head, true, {}, 0});
    }
    for (size_t i = 0; i < messages[s].size(); ++i) {
      const ArcId arc = messages[s][i];
      const NodeId tail = net_.tail(arc);
      const NodeId head = net_.head(arc);
      if (is_whole[s][i] || given_[index(head)] != kNever || given_[index(tail)] < s) continue;
      messages_.push_back({s, arc, tail, head, false, {}, 0});
    }
  }
}

void ScheduledSums::say_what_may_be() {
  const size_t nodes = net_.num_nodes();
  needs_.assign(nodes, 0);
  for (const NodeId v : net_.nodes()) {
    const bool has_to_know = own_[index(v)] != 0 || deadline_[index(v)] < steps_;
    if (has_to_know && given_[index(v)] == kNever) needs_[index(v)] = all_ & ~own_[index(v)];
  }
  into_.assign(nodes, {});
  from_.assign(nodes, {});
  first_.may.assign(messages_.size(), 0);
  first_.must.assign(messages_.size(), 0);
  size_t sources = 0;
  for (uint32_t m = 0; m < messages_.size(); ++m) {
    Message& message = messages_[m];
    if (message.is_whole) continue;
    if (message.step < deadline_[index(message.head)])
      first_.may[m] = known(message.step, message.tail) & ~own_[index(message.head)];
    for (const uint32_t source : into_[index(message.tail)]) {
      if (messages_[source].step < message.step) message.sources.push_back(source);
    }
    message.first_source = sources;
    sources += message.sources.size();
    into_[index(message.head)].push_back(m);
    from_[index(message.tail)].push_back(m);
  }
  first_.taken.assign(sources, Taken::kOpen);
}

// Ranks that have to come to a node: by itself, or for a message that it sends.
uint64_t ScheduledSums::wanted(const State& state, NodeId v) const {
  uint64_t out = needs_[index(v)];
  for (const uint32_t m : from_[index(v)]) out |= state.must[m];
  return out & ~own_[index(v)];
}

// A rank comes once; what only one message may bring it must bring.
bool ScheduledSums::follow_node(State& state, NodeId v) {
  uint64_t any = 0;
  uint64_t twice = 0;
  uint64_t must = 0;
  for (const uint32_t m : into_[index(v)]) {
    twice |= any & state.may[m];
    any |= state.may[m];
    if ((must & state.must[m]) != 0) return false;
    must |= state.must[m];
  }
  const uint64_t want = wanted(state, v);
  if ((want & ~any) != 0) return false;
  const uint64_t once = any & ~twice & want;
  must |= once;
  for (const uint32_t m : into_[index(v)]) {
    put(state.must[m], state.must[m] | (state.may[m] & once));
    put(state.may[m], state.may[m] & (~must | state.must[m]));
  }
  return true;
}

// All of a part or nothing; what is said has come before.
bool ScheduledSums::follow_message(State& state, uint32_t m) {
  const Message& message = messages_[m];
  const uint64_t own = own_[index(message.tail)];
  uint64_t may = state.may[m];
  uint64_t must = state.must[m];
  uint64_t any = own;
  uint64_t twice = 0;
  for (size_t i = 0; i < message.sources.size(); ++i) {
    const uint32_t source = message.sources[i];
    Taken& taken = state.taken[message.first_source + i];
    if (taken == Taken::kOpen) {
      if ((must & state.must[source]) != 0) {
        taken = Taken::kYes;
        has_changed_ = true;
      } else if ((state.must[source] & ~may) != 0) {
        taken = Taken::kNo;
        has_changed_ = true;
      } else if ((state.may[source] & may) == 0) {
        taken = Taken::kNo;
      }
    }
    if (taken == Taken::kYes) {
      must |= state.must[source];
      put(state.may[source], state.may[source] & may);
    } else if (taken == Taken::kNo) {
      if ((state.must[source] & must) != 0) return false;
      put(state.may[source], state.may[source] & ~must);
      may &= ~state.must[source];
      continue;
    }
    twice |= any & state.may[source];
    any |= state.may[source];
  }
  may &= any;
  if ((must & ~may) != 0) return false;
  put(state.may[m], may);
  put(state.must[m], must);
  const uint64_t once = must & ~twice & ~own;
  for (size_t i = 0; i < message.sources.size() && once != 0; ++i) {
    const uint32_t source = message.sources[i];
    Taken& taken = state.taken[message.first_source + i];
    if (taken == Taken::kNo || (state.may[source] & once) == 0) continue;
    put(state.must[source], state.must[source] | (state.may[source] & once));
    if (taken == Taken::kOpen) has_changed_ = true;
    taken = Taken::kYes;
  }
  if (must == 0) return true;
  for (const uint32_t later : into_[index(message.tail)]) {
    if (messages_[later].step < message.step) continue;
    if ((state.must[later] & must) != 0) return false;
    put(state.may[later], state.may[later] & ~must);
  }
  return true;
}

bool ScheduledSums::follow(State& state) {
  const uint64_t looks = messages_.size() + state.taken.size();
  do {
    if (budget_->looks < looks) {
      budget_->looks = 0;
      return false;
    }
    budget_->looks -= looks;
    has_changed_ = false;
    for (const NodeId v : net_.nodes()) {
      if (!follow_node(state, v)) return false;
    }
    for (uint32_t m = 0; m < messages_.size(); ++m) {
      if (!messages_[m].is_whole && !follow_message(state, m)) return false;
    }
  } while (has_changed_);
  return true;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as there are choices
bool ScheduledSums::search(size_t depth) {
  State& state = states_[depth];
  if (!follow(state)) return false;
  // A rank that two messages may bring to a node, before those that more may.
  std::optional<NodeId> where;
  uint64_t which = 0;
  bool is_of_two = false;
  for (const NodeId v : net_.nodes()) {
    uint64_t must = 0;
    uint64_t two = 0;
    uint64_t three = 0;
    uint64_t any = 0;
    for (const uint32_t m : into_[index(v)]) {
      must |= state.must[m];
      three |= two & state.may[m];
      two |= any & state.may[m];
      any |= state.may[m];
    }
    const uint64_t open = wanted(state, v) & ~must;
    if (open == 0) continue;
    const uint64_t of_two = open & ~three;
    if (where && ((is_of_two && of_two == 0) || (is_of_two == (of_two != 0) && rng_.below(4) != 0))) continue;
    where = v;
    is_of_two = of_two != 0;
    which = is_of_two ? of_two : open;
  }
  if (!where) {
    // Nobody needs what only may be there.
    state.may = state.must;
    return follow(state);
  }
  for (size_t k = rng_.below(static_cast<size_t>(std::popcount(which))); k > 0; --k) which &= which - 1;
  which &= ~which + 1;
  std::vector<uint32_t> ways;
  for (const uint32_t m : into_[index(*where)]) {
    if ((state.may[m] & which) != 0) ways.push_back(m);
  }
  const size_t first = rng_.below(ways.size());
  for (size_t k = 0; k < ways.size(); ++k) {
    if (choices_ == 0 || budget_->looks == 0) return false;
    --choices_;
    if (states_.size() == depth + 1) states_.emplace_back();
    states_[depth + 1] = state;
    states_[depth + 1].must[ways[(first + k) % ways.size()]] |= which;
    if (!search(depth + 1)) continue;
    std::swap(state, states_[depth + 1]);
    return true;
  }
  return false;
}

SumPlan ScheduledSums::written_down() const {
  const std::vector<uint64_t>& said = states_.front().must;
  SumPlan plan(steps_);
  std::vector<uint32_t> number(messages_.size(), 0);
  std::vector<uint32_t> parts;
  for (uint32_t m = 0; m < messages_.size(); ++m) {
    const Message& message = messages_[m];
    parts.clear();
    if (!message.is_whole) {
      if (said[m] == 0) continue;
      if ((said[m] & own_[index(message.tail)]) != 0) parts.push_back(SumPlan::kOwn);
      for (const uint32_t source : message.sources) {
        if ((said[source] & said[m]) != 0) parts.push_back(number[source]);
      }
    }
    number[m] = plan.send(message.step + 1, message.arc, parts, message.is_whole);
  }
  return plan;
}

}  // namespace
}  // namespace scheduled_sums_parts

std::optional<SumPlan> scheduled_sums(const Topology& topology, const MessagesOfSteps& messages,
                                      ScheduledSumsBudget& budget, Rng& rng) {
  return scheduled_sums_parts::ScheduledSums(topology, messages, rng).plan(budget);
}

}  // namespace quadrille
