#include "quadrille/search/informed_trials.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {
namespace informed_trials_parts {
namespace {

constexpr uint32_t kMostRanks = 64;
constexpr uint64_t kSeed = 1;
constexpr size_t kMemory = 10;  // trials

// What everybody has heard after each step of a plan, and who sends to whom in it.
class Hearing {
 public:
  Hearing(const Topology& topology, MessageLimits limits)
      : net_(topology),
        nodes_(topology.num_nodes()),
        starts_(limits.starts.value_or(UINT32_MAX)),
        ends_(limits.ends.value_or(UINT32_MAX)),
        rng_(kSeed),
        into_(arcs_into(topology)) {
    for (const ArcId arc : topology.arcs()) arcs_.push_back(arc);
  }

  // Steps of a plan in which every message is of the most that it can tell; nothing where that comes to an end too early.
  std::optional<uint32_t> greedy(uint32_t at_most);
  // Whether the plan without its last step comes to as much.
  bool do_without_a_step(uint32_t trials);
  [[nodiscard]] uint32_t steps() const { return steps_; }

 private:
  struct Step {
    std::vector<ArcId> sends;
    std::vector<uint32_t> starts;  // per node
    std::vector<uint32_t> ends;
  };

  void push_step() {
    plan_.push_back({{}, std::vector<uint32_t>(nodes_, 0), std::vector<uint32_t>(nodes_, 0)});
  }
  void put_in(Step& step, ArcId arc) {
    step.sends.push_back(arc);
    ++step.starts[index(net_.tail(arc))];
    ++step.ends[index(net_.head(arc))];
  }
  template <typename IsInTheWay>
  void take_out_one(Step& step, const IsInTheWay& is_in_the_way);
  void fill(Step& step, std::vector<ArcId>& arcs);
  struct Aim {
    size_t step;
    ArcId arc;
  };
  [[nodiscard]] Aim aimed();
  void insert(Step& step, ArcId arc);
  void change(Step& step, ArcId arc);
  void follow(size_t from);
  [[nodiscard]] uint64_t heard() const;
  [[nodiscard]] uint64_t goal() const { return uint64_t{net_.num_endpoints()} * net_.num_endpoints(); }
  [[nodiscard]] uint32_t drawn(size_t below) { return static_cast<uint32_t>(rng_.below(below)); }

  const Topology& net_;
  size_t nodes_;
  uint32_t starts_;
  uint32_t ends_;
  Rng rng_;
  std::vector<std::vector<ArcId>> into_;
  std::vector<ArcId> arcs_;
  uint32_t steps_ = 0;
  std::vector<Step> plan_;
  std::vector<uint64_t> known_;  // per step, from 0 on, and node
  std::vector<ArcId> gone_;
  std::vector<ArcId> near_;
};

std::optional<uint32_t> Hearing::greedy(uint32_t at_most) {
  known_.assign(nodes_, 0);
  for (const NodeId v : net_.endpoints()) known_[index(v)] = uint64_t{1} << index(*net_.rank(v));
  std::vector<std::pair<int, ArcId>> worth;
  while (heard() < goal()) {
    if (steps_ == at_most) return std::nullopt;
    const uint64_t* const now = &known_[steps_ * nodes_];
    worth.clear();
    rng_.shuffle(arcs_);
    for (const ArcId arc : arcs_) {
      const int news = std::popcount(now[index(net_.tail(arc))] & ~now[index(net_.head(arc))]);
      worth.emplace_back(-news, arc);
    }
    std::stable_sort(worth.begin(), worth.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    push_step();
    near_.clear();
    for (const auto& [news, arc] : worth) near_.push_back(arc);
    for (const ArcId arc : near_) {
      if (plan_.back().starts[index(net_.tail(arc))] < starts_ &&
          plan_.back().ends[index(net_.head(arc))] < ends_)
        put_in(plan_.back(), arc);
    }
    ++steps_;
    known_.resize((steps_ + 1) * nodes_);
    follow(steps_ - 1);
  }
  return steps_;
}

void Hearing::follow(size_t from) {
  for (size_t s = from; s < steps_; ++s) {
    const uint64_t* const before = &known_[s * nodes_];
    uint64_t* const after = &known_[(s + 1) * nodes_];
    std::copy(before, before + nodes_, after);
    for (const ArcId arc : plan_[s].sends) after[index(net_.head(arc))] |= before[index(net_.tail(arc))];
  }
}

uint64_t Hearing::heard() const {
  uint64_t sum = 0;
  for (const NodeId v : net_.endpoints())
    sum += static_cast<uint64_t>(std::popcount(known_[steps_ * nodes_ + index(v)]));
  return sum;
}

template <typename IsInTheWay>
void Hearing::take_out_one(Step& step, const IsInTheWay& is_in_the_way) {
  const size_t first = drawn(step.sends.size());
  for (size_t k = 0; k < step.sends.size(); ++k) {
    const size_t i = (first + k) % step.sends.size();
    const ArcId arc = step.sends[i];
    if (!is_in_the_way(arc)) continue;
    gone_.push_back(arc);
    step.sends[i] = step.sends.back();
    step.sends.pop_back();
    --step.starts[index(net_.tail(arc))];
    --step.ends[index(net_.head(arc))];
    return;
  }
}

void Hearing::fill(Step& step, std::vector<ArcId>& arcs) {
  rng_.shuffle(arcs);
  for (const ArcId arc : arcs) {
    if (step.starts[index(net_.tail(arc))] >= starts_ || step.ends[index(net_.head(arc))] >= ends_) continue;
    if (std::find(step.sends.begin(), step.sends.end(), arc) == step.sends.end()) put_in(step, arc);
  }
}

// A message to somebody who misses a rank, from somebody who has heard of it in time.
Hearing::Aim Hearing::aimed() {
  const uint64_t* const last = &known_[steps_ * nodes_];
  const uint32_t ranks = net_.num_endpoints();
  const uint64_t all = ranks == kMostRanks ? ~uint64_t{0} : (uint64_t{1} << ranks) - 1;
  uint32_t to = drawn(ranks);
  while (last[index(net_.endpoints()[to])] == all) to = (to + 1) % ranks;
  const NodeId v = net_.endpoints()[to];
  uint64_t missing = all & ~last[index(v)];
  for (uint32_t k = drawn(static_cast<size_t>(std::popcount(missing))); k > 0; --k) missing &= missing - 1;
  missing &= ~missing + 1;
  Aim aim{drawn(steps_), arcs_[drawn(arcs_.size())]};
  uint32_t seen = 0;
  for (size_t s = 0; s < steps_; ++s) {
    for (const ArcId arc : into_[index(v)]) {
      if ((known_[s * nodes_ + index(net_.tail(arc))] & missing) == 0) continue;
      if (drawn(++seen) == 0) aim = {s, arc};
    }
  }
  return aim;
}

// Puts it in, and takes out what is in the way.
void Hearing::insert(Step& step, ArcId arc) {
  if (std::find(step.sends.begin(), step.sends.end(), arc) != step.sends.end()) return;
  const NodeId tail = net_.tail(arc);
  const NodeId head = net_.head(arc);
  if (step.starts[index(tail)] >= starts_)
    take_out_one(step, [&](ArcId other) { return net_.tail(other) == tail; });
  if (step.ends[index(head)] >= ends_)
    take_out_one(step, [&](ArcId other) { return net_.head(other) == head; });
  put_in(step, arc);
}

// Who loses a message sends, or hears, another; every other time two tell each other.
void Hearing::change(Step& step, ArcId arc) {
  gone_.clear();
  insert(step, arc);
  if (drawn(2) == 0) {
    for (const ArcId back : net_.arcs_from(net_.head(arc))) {
      if (net_.head(back) == net_.tail(arc)) insert(step, back);
    }
  }
  near_.clear();
  for (const ArcId lost : gone_) {
    for (const ArcId other : net_.arcs_from(net_.tail(lost))) near_.push_back(other);
    for (const ArcId other : into_[index(net_.head(lost))]) near_.push_back(other);
  }
  fill(step, near_);
}

bool Hearing::do_without_a_step(uint32_t trials) {
  if (steps_ == 0) return false;
  --steps_;
  plan_.pop_back();
  uint64_t current = heard();
  std::vector<uint64_t> before(kMemory, current);
  std::vector<uint64_t> kept = known_;
  Step old;
  for (uint32_t i = 0; i < trials && current < goal() && steps_ > 0; ++i) {
    const auto [s, arc] = drawn(2) == 0 ? aimed() : Aim{drawn(steps_), arcs_[drawn(arcs_.size())]};
    old = plan_[s];
    change(plan_[s], arc);
    follow(s);
    const uint64_t then = heard();
    if (then >= std::min(current, before[i % kMemory])) {
      current = then;
      kept = known_;
    } else {
      plan_[s] = old;
      known_ = kept;
    }
    before[i % kMemory] = current;
  }
  return current == goal();
}

}  // namespace
}  // namespace informed_trials_parts

std::optional<uint32_t> informed_within(const Topology& topology, MessageLimits limits, uint32_t at_least,
                                        uint32_t trials) {
  if (topology.num_endpoints() > informed_trials_parts::kMostRanks) return std::nullopt;
  informed_trials_parts::Hearing hearing(topology, limits);
  const std::optional<uint32_t> at_first = hearing.greedy(2 * topology.num_nodes() + at_least);
  if (!at_first) return std::nullopt;
  uint32_t enough = *at_first;
  while (enough > at_least && hearing.do_without_a_step(trials)) enough = hearing.steps();
  return std::max(enough, at_least);
}

}  // namespace quadrille
