#include "quadrille/verify/load_meter.h"

#include <algorithm>

namespace quadrille {

LoadMeter::LoadMeter(const Problem& problem) : problem_(problem), load_(problem.topology().num_arcs(), 0) {
  if (!shares_arcs(problem.model()) && problem.model().cost.to == 0) return;
  const size_t nodes = problem.topology().num_nodes();
  sharing_.emplace(Sharing{std::vector<Sharing::OnArc>(load_.size()), StepCount(nodes), StepCount(nodes),
                           Messages(problem)});
}

void LoadMeter::measure(const JudgedStep& step) {
  const StepView& view = step.view;
  sums_.steps += 1;
  sums_.start_ups += view.size() == 0 ? 0 : 1;
  sums_.transfers += view.size();
  if (sharing_) return measure_messages(step);
  if (view.is_unit()) {
    sums_.block_hops += view.size();
    sums_.critical_blocks += view.size() == 0 ? 0 : 1;
    sums_.critical_hops += view.size() == 0 ? 0 : 1;
    for (const ArcId arc : view.all_arcs) load_[index(arc)] += 1;
    return;
  }
  size_t most = 0;
  size_t farthest = 0;
  for (size_t t = 0; t < view.size(); ++t) {
    const size_t blocks = view.blocks(t).size();
    most = std::max(most, blocks);
    farthest = std::max(farthest, view.arcs(t).size());
    sums_.block_hops += blocks * view.arcs(t).size();
    for (const ArcId arc : view.arcs(t)) load_[index(arc)] += blocks;
  }
  sums_.critical_blocks += most;
  sums_.critical_hops += farthest;
}

void LoadMeter::measure_messages(const JudgedStep& step) {
  const StepView& view = step.view;
  const Topology& topology = problem_.topology();
  sharing_->messages.look_at(step);
  const bool shares = shares_arcs(problem_.model());
  uint64_t rounds = 0;
  uint64_t messages = 0;
  size_t farthest = 0;
  for (size_t t = 0; t < view.size(); ++t) {
    const uint64_t blocks = view.blocks(t).size();
    const auto path = view.arcs(t);
    farthest = std::max(farthest, path.size());
    if (!shares) rounds = std::max(rounds, blocks);
    sums_.block_hops += blocks * path.size();
    for (const ArcId arc : path) {
      load_[index(arc)] += blocks;
      if (!shares) continue;
      Sharing::OnArc& on_arc = sharing_->on_arc[index(arc)];
      if (on_arc.step != step.number) on_arc = {step.number, 0};
      on_arc.blocks += blocks;
      const uint64_t capacity = topology.capacity(arc);
      rounds = std::max(rounds, (on_arc.blocks + capacity - 1) / capacity);
    }
    if (!sharing_->messages.is_new(t)) continue;
    const uint64_t started = sharing_->started.increment(index(topology.tail(path.front())), step.number);
    const uint64_t ended = sharing_->ended.increment(index(topology.head(path.back())), step.number);
    messages = std::max({messages, started, ended});
  }
  sums_.messages = std::max(sums_.messages, messages);
  sums_.further_messages += messages > 1 ? messages - 1 : 0;
  sums_.critical_blocks += rounds;
  sums_.critical_hops += farthest;
}

void LoadMeter::take(const LoadMeter& other) {
  for (size_t a = 0; a < load_.size(); ++a) load_[a] += other.load_[a];
  sums_.steps += other.sums_.steps;
  sums_.start_ups += other.sums_.start_ups;
  sums_.transfers += other.sums_.transfers;
  sums_.block_hops += other.sums_.block_hops;
  sums_.critical_blocks += other.sums_.critical_blocks;
  sums_.critical_hops += other.sums_.critical_hops;
  sums_.messages = std::max(sums_.messages, other.sums_.messages);
  sums_.further_messages += other.sums_.further_messages;
}

Figures LoadMeter::figures() const {
  Figures out = sums_;
  if (load_.empty()) return out;
  const auto busiest = std::max_element(load_.begin(), load_.end());
  out.busiest_link = *busiest;
  if (*busiest > 0) out.busiest_arc = id_at<ArcId>(busiest - load_.begin());
  return out;
}

}  // namespace quadrille
