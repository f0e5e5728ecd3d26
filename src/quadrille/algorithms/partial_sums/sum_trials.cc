#include "quadrille/algorithms/partial_sums/sum_trials.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {
namespace sum_trials_parts {
namespace {

constexpr uint32_t kMostRanks = 64;
constexpr uint32_t kMostPartsKept = 32;  // of a node that are sent on: as many as there are slots
constexpr uint64_t kSeed = 1;

// A message of a step; the parts of these numbers are kept back.
struct Send {
  ArcId arc;
  uint32_t but = 0;
};

class Trials {
 public:
  Trials(const Problem& problem, uint32_t steps)
      : net_(problem.topology()),
        model_(problem.model()),
        steps_(steps),
        all_(net_.num_endpoints() == kMostRanks ? ~uint64_t{0} : (uint64_t{1} << net_.num_endpoints()) - 1),
        is_half_(model_.duplex == Duplex::kHalf),
        rng_(kSeed),
        sends_(steps),
        starts_(steps * net_.num_nodes(), 0),
        ends_(steps * net_.num_nodes(), 0) {
    for (const NodeId v : net_.nodes()) {
      const std::optional<Rank> rank = net_.rank(v);
      own_.push_back(rank ? uint64_t{1} << index(*rank) : 0);
    }
    into_ = arcs_into(net_);
    for (const std::vector<ArcId>& arcs : into_) most_in_ = std::max(most_in_, arcs.size());
  }

  [[nodiscard]] std::optional<SumPlan> plan(uint32_t trials);

 private:
  // What nodes have after each step: parts in the order of their arrival, so that those of an earlier step come first.
  struct Followed {
    std::vector<uint64_t> parts;  // per node, step and number
    std::vector<uint32_t> count;  // per node and step: how many
    std::vector<uint64_t> total;  // per node and step
    std::vector<uint8_t> given;   // per node and step: whether it was given the whole
  };

  void begin();
  struct Aim {
    uint32_t step;
    ArcId arc;
  };
  [[nodiscard]] Aim aimed();
  void change(uint32_t step, ArcId arc);
  void insert(uint32_t step, ArcId arc, std::vector<Send>& gone);
  void fill(uint32_t step, std::vector<ArcId>& arcs);
  void fill_about(uint32_t step, const std::vector<Send>& gone);
  void take_out(uint32_t step, size_t i);
  void put_in(uint32_t step, ArcId arc);
  [[nodiscard]] bool has_room(uint32_t step, ArcId arc) const;
  void count_ports(uint32_t step);
  template <typename OnMessage>
  void follow(uint32_t from, const OnMessage& on_message);
  [[nodiscard]] uint64_t heard() const;
  [[nodiscard]] SumPlan written_down();

  [[nodiscard]] size_t at(NodeId v, uint32_t after) const { return index(v) * (steps_ + 1) + after; }
  [[nodiscard]] uint64_t* parts_of(NodeId v) { return &now_.parts[index(v) * most_parts()]; }
  [[nodiscard]] size_t most_parts() const { return 1 + size_t{steps_} * most_in_; }
  [[nodiscard]] uint32_t& starts(uint32_t step, NodeId v) {
    return starts_[step * net_.num_nodes() + index(v)];
  }
  [[nodiscard]] uint32_t& ends(uint32_t step, NodeId v) { return ends_[step * net_.num_nodes() + index(v)]; }
  [[nodiscard]] uint32_t drawn(size_t below) { return static_cast<uint32_t>(rng_.below(below)); }

  const Topology& net_;
  const Model& model_;
  uint32_t steps_;
  uint64_t all_;
  bool is_half_;
  Rng rng_;
  std::vector<uint64_t> own_;
  std::vector<std::vector<ArcId>> into_;
  size_t most_in_ = 0;
  std::vector<std::vector<Send>> sends_;  // per step, counted from 0
  std::vector<uint32_t> starts_;
  std::vector<uint32_t> ends_;
  Followed now_;
};

bool Trials::has_room(uint32_t step, ArcId arc) const {
  const size_t tail = step * net_.num_nodes() + index(net_.tail(arc));
  const size_t head = step * net_.num_nodes() + index(net_.head(arc));
  if (!model_.send.unlimited() && starts_[tail] >= model_.send.count) return false;
  if (!model_.receive.unlimited() && ends_[head] >= model_.receive.count) return false;
  return std::none_of(sends_[step].begin(), sends_[step].end(), [&](const Send& send) {
    return send.arc == arc ||
           (is_half_ && net_.tail(send.arc) == net_.head(arc) && net_.head(send.arc) == net_.tail(arc));
  });
}

void Trials::put_in(uint32_t step, ArcId arc) {
  sends_[step].push_back({arc});
  ++starts(step, net_.tail(arc));
  ++ends(step, net_.head(arc));
}

void Trials::take_out(uint32_t step, size_t i) {
  const ArcId arc = sends_[step][i].arc;
  sends_[step].erase(sends_[step].begin() + static_cast<ptrdiff_t>(i));
  --starts(step, net_.tail(arc));
  --ends(step, net_.head(arc));
}

void Trials::fill(uint32_t step, std::vector<ArcId>& arcs) {
  rng_.shuffle(arcs);
  for (const ArcId arc : arcs) {
    if (has_room(step, arc)) put_in(step, arc);
  }
}

void Trials::begin() {
  std::vector<ArcId> arcs;
  for (const ArcId arc : net_.arcs()) arcs.push_back(arc);
  for (uint32_t step = 0; step < steps_; ++step) {
    sends_[step].clear();
    count_ports(step);
    fill(step, arcs);
  }
  now_.parts.assign(net_.num_nodes() * most_parts(), 0);
  now_.count.assign(net_.num_nodes() * (steps_ + 1), 0);
  now_.total.assign(net_.num_nodes() * (steps_ + 1), 0);
  now_.given.assign(net_.num_nodes() * (steps_ + 1), 0);
  for (const NodeId v : net_.nodes()) {
    if (own_[index(v)] == 0) continue;
    parts_of(v)[0] = own_[index(v)];
    now_.count[at(v, 0)] = 1;
    now_.total[at(v, 0)] = own_[index(v)];
  }
}

void Trials::count_ports(uint32_t step) {
  const auto first = static_cast<ptrdiff_t>(size_t{step} * net_.num_nodes());
  std::fill_n(starts_.begin() + first, net_.num_nodes(), 0);
  std::fill_n(ends_.begin() + first, net_.num_nodes(), 0);
  for (const Send& send : sends_[step]) {
    ++starts(step, net_.tail(send.arc));
    ++ends(step, net_.head(send.arc));
  }
}

// Who lost a message sends, or hears, another.
void Trials::fill_about(uint32_t step, const std::vector<Send>& gone) {
  std::vector<ArcId> arcs;
  for (const Send& send : gone) {
    for (const ArcId arc : net_.arcs_from(net_.tail(send.arc))) arcs.push_back(arc);
    for (const ArcId arc : into_[index(net_.head(send.arc))]) arcs.push_back(arc);
  }
  std::erase_if(arcs, [&](ArcId arc) {
    return std::any_of(gone.begin(), gone.end(), [arc](const Send& send) { return send.arc == arc; });
  });
  fill(step, arcs);
}

// A message to somebody who misses a rank, from somebody who has it in time.
Trials::Aim Trials::aimed() {
  const uint32_t first = drawn(net_.num_endpoints());
  NodeId v = net_.endpoints()[first];
  for (uint32_t i = 0; now_.total[at(v, steps_)] == all_; ++i)
    v = net_.endpoints()[(first + i) % net_.num_endpoints()];
  uint64_t missing = all_ & ~now_.total[at(v, steps_)];
  for (uint32_t k = drawn(static_cast<size_t>(std::popcount(missing))); k > 0; --k) missing &= missing - 1;
  missing &= ~missing + 1;
  Aim aim{drawn(steps_), ArcId{drawn(net_.num_arcs())}};
  uint32_t seen = 0;
  for (uint32_t s = 0; s < steps_; ++s) {
    for (const ArcId arc : into_[index(v)]) {
      if ((now_.total[at(net_.tail(arc), s)] & missing) == 0) continue;
      if (drawn(++seen) == 0) aim = {s, arc};
    }
  }
  return aim;
}

void Trials::change(uint32_t step, ArcId arc) {
  std::vector<Send>& sends = sends_[step];
  const auto there =
      std::find_if(sends.begin(), sends.end(), [arc](const Send& send) { return send.arc == arc; });
  std::vector<Send> gone;
  if (there != sends.end()) {
    const uint32_t what = drawn(4);
    if (what < 2) {
      const uint32_t has = now_.count[at(net_.tail(arc), step)];
      if (has > 0) there->but ^= 1U << drawn(std::min(has, kMostPartsKept));
    } else if (what == 2) {
      std::rotate(there, there + 1, sends.end());  // what comes later leaves out what overlaps
    } else {
      gone.push_back(*there);
      take_out(step, static_cast<size_t>(there - sends.begin()));
      fill_about(step, gone);
    }
    return;
  }
  insert(step, arc, gone);
  // Two that have told each other know the same, and so need each other no longer.
  if (!is_half_ && drawn(2) == 0) {
    for (const ArcId back : net_.arcs_from(net_.head(arc))) {
      if (net_.head(back) != net_.tail(arc)) continue;
      if (std::none_of(sends.begin(), sends.end(), [back](const Send& send) { return send.arc == back; }))
        insert(step, back, gone);
    }
  }
  if (!gone.empty()) fill_about(step, gone);
}

// Puts it in, and takes out what is in the way.
void Trials::insert(uint32_t step, ArcId arc, std::vector<Send>& gone) {
  std::vector<Send>& sends = sends_[step];
  const auto displace = [&](const auto& is_in_the_way) {
    const size_t first = sends.empty() ? 0 : drawn(sends.size());
    for (size_t k = 0; k < sends.size(); ++k) {
      const size_t i = (first + k) % sends.size();
      if (!is_in_the_way(sends[i].arc)) continue;
      gone.push_back(sends[i]);
      take_out(step, i);
      return;
    }
  };
  const NodeId tail = net_.tail(arc);
  const NodeId head = net_.head(arc);
  if (is_half_) displace([&](ArcId a) { return net_.tail(a) == head && net_.head(a) == tail; });
  if (!model_.send.unlimited() && starts(step, tail) >= model_.send.count)
    displace([&](ArcId a) { return net_.tail(a) == tail; });
  if (!model_.receive.unlimited() && ends(step, head) >= model_.receive.count)
    displace([&](ArcId a) { return net_.head(a) == head; });
  put_in(step, arc);
}

template <typename OnMessage>
void Trials::follow(uint32_t from, const OnMessage& on_message) {
  for (uint32_t s = from; s < steps_; ++s) {
    for (const NodeId v : net_.nodes()) {
      now_.count[at(v, s + 1)] = now_.count[at(v, s)];
      now_.total[at(v, s + 1)] = now_.total[at(v, s)];
      now_.given[at(v, s + 1)] = now_.given[at(v, s)];
    }
    for (const Send& send : sends_[s]) {
      const NodeId head = net_.head(send.arc);
      if (now_.total[at(net_.tail(send.arc), s)] != all_ || now_.total[at(head, s + 1)] == all_) continue;
      now_.total[at(head, s + 1)] = all_;
      now_.given[at(head, s + 1)] = 1;
      on_message(s, send, true, 0);
    }
    for (const Send& send : sends_[s]) {
      const NodeId tail = net_.tail(send.arc);
      const NodeId head = net_.head(send.arc);
      if (now_.total[at(tail, s)] == all_ || now_.given[at(head, s + 1)] != 0) continue;
      uint64_t& total = now_.total[at(head, s + 1)];
      uint64_t sum = 0;
      uint32_t taken = 0;
      const uint64_t* const parts = parts_of(tail);
      const uint32_t count = std::min(now_.count[at(tail, s)], kMostPartsKept);
      for (uint32_t i = 0; i < count; ++i) {
        if ((parts[i] & total) != 0 || (send.but >> i & 1U) != 0) continue;
        sum |= parts[i];
        taken |= 1U << i;
      }
      if (sum == 0) continue;
      total |= sum;
      parts_of(head)[now_.count[at(head, s + 1)]++] = sum;
      on_message(s, send, false, taken);
    }
  }
}

uint64_t Trials::heard() const {
  uint64_t sum = 0;
  for (const NodeId v : net_.endpoints())
    sum += static_cast<uint64_t>(std::popcount(now_.total[at(v, steps_)]));
  return sum;
}

// The messages that say something, with their parts by number. A node's own sum is its first part.
SumPlan Trials::written_down() {
  SumPlan plan(steps_);
  std::vector<std::vector<uint32_t>> number(net_.num_nodes());
  for (const NodeId v : net_.nodes()) {
    if (own_[index(v)] != 0) number[index(v)].push_back(SumPlan::kOwn);
  }
  std::vector<uint32_t> parts;
  follow(0, [&](uint32_t step, const Send& send, bool whole, uint32_t taken) {
    parts.clear();
    const std::vector<uint32_t>& there = number[index(net_.tail(send.arc))];
    for (uint32_t i = 0; i < std::min<size_t>(there.size(), kMostPartsKept); ++i) {
      if ((taken >> i & 1U) != 0) parts.push_back(there[i]);
    }
    const uint32_t m = plan.send(step + 1, send.arc, parts, whole);
    if (!whole) number[index(net_.head(send.arc))].push_back(m);
  });
  return plan;
}

std::optional<SumPlan> Trials::plan(uint32_t trials) {
  constexpr uint32_t kLongest = 3'000;  // without success: another beginning is better
  size_t memory = 10;                   // trials ago; some networks like more of it
  const auto nothing = [](uint32_t, const Send&, bool, uint32_t) {};
  const uint64_t goal = uint64_t{net_.num_endpoints()} * net_.num_endpoints();
  for (uint32_t done = 0; done < trials;) {
    begin();
    follow(0, nothing);
    uint64_t current = heard();
    std::vector<uint64_t> before(memory, current);
    Followed kept = now_;
    for (uint32_t i = 0; i < kLongest && done < trials && current < goal; ++i, ++done) {
      const Aim aim = drawn(2) == 0 ? aimed() : Aim{drawn(steps_), ArcId{drawn(net_.num_arcs())}};
      const std::vector<Send> old = sends_[aim.step];
      change(aim.step, aim.arc);
      follow(aim.step, nothing);
      const uint64_t then = heard();
      if (then >= std::min(current, before[i % memory])) {
        current = then;
        kept = now_;
      } else {
        sends_[aim.step] = old;
        count_ports(aim.step);
        now_ = kept;
      }
      before[i % memory] = current;
    }
    if (current == goal) return written_down();
    memory = memory == 10 ? 20 : 10;
  }
  return std::nullopt;
}

}  // namespace
}  // namespace sum_trials_parts

std::optional<SumPlan> try_sums(const Problem& problem, uint32_t steps, uint32_t trials) {
  if (problem.topology().num_endpoints() > sum_trials_parts::kMostRanks || steps == 0) return std::nullopt;
  return sum_trials_parts::Trials(problem, steps).plan(trials);
}

}  // namespace quadrille
