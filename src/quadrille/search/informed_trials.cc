#include "quadrille/search/informed_trials.h"

#include <algorithm>
#include <bit>

#include "quadrille/base/check.h"
#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {
namespace {

constexpr uint64_t kSeed = 1;
constexpr size_t kMemory = 10;        // trials
constexpr uint32_t kLongest = 6'000;  // without success: another beginning is better
constexpr uint32_t kApart = 100;      // trials between what is found and found again
constexpr size_t kAimedOneIn = 8;     // more of them find what is easy sooner, and what is hard later

}  // namespace

InformedTrials::InformedTrials(const Topology& topology, MessageLimits limits)
    : net_(topology),
      nodes_(topology.num_nodes()),
      starts_(limits.starts.value_or(UINT32_MAX)),
      ends_(limits.ends.value_or(UINT32_MAX)),
      rng_(kSeed),
      into_(arcs_into(topology)) {
  QUADRILLE_CHECK(topology.num_endpoints() <= kMostRanks, "a bit for each rank");
  for (const ArcId arc : topology.arcs()) arcs_.push_back(arc);
}

void InformedTrials::push_step() {
  plan_.push_back({{},
                   std::vector<uint32_t>(net_.num_arcs(), 0),
                   std::vector<uint32_t>(nodes_, 0),
                   std::vector<uint32_t>(nodes_, 0)});
  const size_t s = plan_.size() - 1;
  worth_.clear();
  rng_.shuffle(arcs_);
  for (const ArcId arc : arcs_) {
    const int news = std::popcount(known_[s * nodes_ + index(net_.tail(arc))] &
                                   ~known_[s * nodes_ + index(net_.head(arc))]);
    worth_.emplace_back(-news, arc);
  }
  std::stable_sort(worth_.begin(), worth_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [news, arc] : worth_) {
    if (has_room(plan_.back(), arc)) put_in(plan_.back(), arc);
  }
  known_.resize((s + 2) * nodes_);
  follow(s);
}

std::optional<uint32_t> InformedTrials::hurry(uint32_t at_most) {
  plan_.clear();
  before_.clear();
  known_.assign(nodes_, 0);
  for (const NodeId v : net_.endpoints()) known_[index(v)] = uint64_t{1} << index(*net_.rank(v));
  while (heard() < goal()) {
    if (plan_.size() == at_most) return std::nullopt;
    push_step();
  }
  return static_cast<uint32_t>(plan_.size());
}

void InformedTrials::begin() {
  const size_t steps = plan_.size();
  plan_.clear();
  known_.assign(nodes_, 0);
  for (const NodeId v : net_.endpoints()) known_[index(v)] = uint64_t{1} << index(*net_.rank(v));
  while (plan_.size() < steps) push_step();
  current_ = heard();
  before_.assign(kMemory, current_);
  kept_ = known_;
  done_ = 0;
  found_.reset();
}

bool InformedTrials::find(uint32_t steps, uint32_t& left) {
  if (steps == 0) {
    plan_.clear();
    return goal() <= 1;
  }
  if (plan_.size() != steps || before_.empty()) {
    plan_.resize(steps);
    begin();
  }
  for (;;) {
    if (current_ == goal() && (!found_ || done_ >= *found_ + kApart)) {
      found_ = done_;
      return true;
    }
    if (left == 0 || arcs_.empty()) return false;
    --left;
    if (done_ == kLongest) {
      begin();
    } else {
      try_one();
    }
  }
}

MessagesOfSteps InformedTrials::messages() const {
  MessagesOfSteps out;
  for (const Step& step : plan_) out.push_back(step.sends);
  return out;
}

void InformedTrials::put_in(Step& step, ArcId arc) {
  step.sends.push_back(arc);
  step.places[index(arc)] = static_cast<uint32_t>(step.sends.size());
  ++step.starts[index(net_.tail(arc))];
  ++step.ends[index(net_.head(arc))];
}

bool InformedTrials::has_room(const Step& step, ArcId arc) const {
  return step.starts[index(net_.tail(arc))] < starts_ && step.ends[index(net_.head(arc))] < ends_;
}

void InformedTrials::follow(size_t from) {
  for (size_t s = from; s < plan_.size(); ++s) {
    const uint64_t* const before = &known_[s * nodes_];
    uint64_t* const after = &known_[(s + 1) * nodes_];
    std::copy(before, before + nodes_, after);
    for (const ArcId arc : plan_[s].sends) after[index(net_.head(arc))] |= before[index(net_.tail(arc))];
  }
}

uint64_t InformedTrials::heard() const {
  uint64_t sum = 0;
  for (const NodeId v : net_.endpoints())
    sum += static_cast<uint64_t>(std::popcount(known_[plan_.size() * nodes_ + index(v)]));
  return sum;
}

void InformedTrials::take_out(Step& step, ArcId arc) {
  const uint32_t place = std::exchange(step.places[index(arc)], 0);
  const ArcId last = step.sends.back();
  step.sends.pop_back();
  if (last != arc) {
    step.sends[place - 1] = last;
    step.places[index(last)] = place;
  }
  --step.starts[index(net_.tail(arc))];
  --step.ends[index(net_.head(arc))];
  gone_.push_back(arc);
}

// Of these arcs so many are sent over.
template <typename Arcs>
void InformedTrials::take_out_one_of(Step& step, const Arcs& arcs, uint32_t sent) {
  uint32_t before = sent == 1 ? 0 : drawn(sent);
  for (const ArcId arc : arcs) {
    if (step.places[index(arc)] == 0 || before-- > 0) continue;
    take_out(step, arc);
    return;
  }
}

void InformedTrials::fill(Step& step, std::vector<ArcId>& arcs) {
  std::erase_if(arcs, [&](ArcId arc) { return !has_room(step, arc); });
  rng_.shuffle(arcs);
  for (const ArcId arc : arcs) {
    if (step.places[index(arc)] == 0 && has_room(step, arc)) put_in(step, arc);
  }
}

// A message to somebody who misses a rank, from somebody who has heard of it in time.
InformedTrials::Aim InformedTrials::aimed() {
  const uint64_t* const last = &known_[plan_.size() * nodes_];
  const uint32_t ranks = net_.num_endpoints();
  const uint64_t all = ranks == kMostRanks ? ~uint64_t{0} : (uint64_t{1} << ranks) - 1;
  Aim aim{drawn(plan_.size()), arcs_[drawn(arcs_.size())]};
  if (current_ == goal()) return aim;
  uint32_t to = drawn(ranks);
  while (last[index(net_.endpoints()[to])] == all) to = (to + 1) % ranks;
  const NodeId v = net_.endpoints()[to];
  uint64_t missing = all & ~last[index(v)];
  for (uint32_t k = drawn(static_cast<size_t>(std::popcount(missing))); k > 0; --k) missing &= missing - 1;
  missing &= ~missing + 1;
  uint32_t seen = 0;
  for (size_t s = 0; s < plan_.size(); ++s) {
    for (const ArcId arc : into_[index(v)]) {
      if ((known_[s * nodes_ + index(net_.tail(arc))] & missing) == 0) continue;
      if (drawn(++seen) == 0) aim = {s, arc};
    }
  }
  return aim;
}

// Puts it in, and takes out what is in the way.
void InformedTrials::insert(Step& step, ArcId arc) {
  if (step.places[index(arc)] != 0) return;
  const NodeId tail = net_.tail(arc);
  const NodeId head = net_.head(arc);
  if (step.starts[index(tail)] >= starts_)
    take_out_one_of(step, net_.arcs_from(tail), step.starts[index(tail)]);
  if (step.ends[index(head)] >= ends_) take_out_one_of(step, into_[index(head)], step.ends[index(head)]);
  put_in(step, arc);
}

// Who loses a message sends, or hears, another; every other time two tell each other.
void InformedTrials::change(Step& step, ArcId arc) {
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

void InformedTrials::try_one() {
  const auto [s, arc] =
      drawn(kAimedOneIn) == 0 ? aimed() : Aim{drawn(plan_.size()), arcs_[drawn(arcs_.size())]};
  old_ = plan_[s];
  change(plan_[s], arc);
  follow(s);
  const uint64_t then = heard();
  const auto first_changed = [this](std::vector<uint64_t>& words, size_t step) {
    return words.begin() + static_cast<ptrdiff_t>((step + 1) * nodes_);
  };
  if (then >= std::min(current_, before_[done_ % kMemory])) {
    current_ = then;
    std::copy(first_changed(known_, s), known_.end(), first_changed(kept_, s));
  } else {
    std::swap(plan_[s], old_);
    std::copy(first_changed(kept_, s), kept_.end(), first_changed(known_, s));
  }
  before_[done_ % kMemory] = current_;
  ++done_;
}

std::optional<uint32_t> informed_within(const Topology& topology, MessageLimits limits, uint32_t at_least,
                                        uint32_t trials) {
  if (topology.num_endpoints() > InformedTrials::kMostRanks) return std::nullopt;
  InformedTrials looking(topology, limits);
  std::optional<uint32_t> enough = looking.hurry(2 * topology.num_nodes() + at_least);
  if (!enough) return std::nullopt;
  for (uint32_t left = trials; *enough > at_least && looking.find(*enough - 1, left); left = trials)
    --*enough;
  return std::max(*enough, at_least);
}

}  // namespace quadrille
