#include "quadrille/algorithms/trees/scattering/just_in_time.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace quadrille {

JustInTime::JustInTime(const Problem& problem, SpanningTree tree, Limits limits) : tree_(std::move(tree)) {
  const Topology& topology = problem.topology();
  const Ports ports = problem.model().send;
  std::vector<uint64_t> waiting(topology.num_nodes(), 0);
  uint64_t left = 0;
  for (const NodeId v : tree_.order) {
    if (v == tree_.root || !topology.rank(v)) continue;
    waiting[index(v)] = problem.collective().pieces();
    left += waiting[index(v)];
  }
  std::vector<uint64_t> over(topology.num_nodes(), 0);  // blocks that have gone to the parent
  std::vector<uint32_t> farthest(topology.num_nodes(),
                                 0);                   // depth of whoever has some, at the node or below it
  std::vector<uint64_t> all(topology.num_nodes(), 0);  // blocks of a node and of all below it
  for (size_t i = tree_.order.size(); i-- > 1;) {
    const NodeId v = tree_.order[i];
    all[index(v)] += waiting[index(v)];
    all[index(topology.tail(tree_.arc[index(v)]))] += all[index(v)];
  }
  uint64_t few = 0;  // of those that a parent chooses from
  const auto to_come = [&](NodeId v) { return all[index(v)] - over[index(v)]; };
  const auto goes_before = [&](NodeId a, NodeId b) {
    const auto [near, far] = std::pair(farthest[index(a)], farthest[index(b)]);
    const auto [mine, yours] = std::pair(waiting[index(a)], waiting[index(b)]);
    switch (limits.first) {
      case First::kFarthest:
        return std::tuple(near, mine) > std::tuple(far, yours);
      case First::kNearest:
        return std::tuple(near, yours) < std::tuple(far, mine);
      case First::kMost:
        return mine > yours;
      case First::kSmall:
        break;
    }
    return std::tuple(to_come(a) > few, yours) < std::tuple(to_come(b) > few, mine);
  };
  std::vector<NodeId> served;
  uint64_t steps = 0;
  uint64_t rounds = 0;
  uint64_t further = 0;
  while (left > 0) {
    if (steps++ == limits.most_steps) return;
    if (!ports.unlimited()) {
      for (const NodeId v : tree_.order)
        farthest[index(v)] = waiting[index(v)] > 0 ? tree_.depth[index(v)] : 0;
      for (size_t i = tree_.order.size(); i-- > 1;) {
        const NodeId v = tree_.order[i];
        uint32_t& above = farthest[index(topology.tail(tree_.arc[index(v)]))];
        above = std::max(above, farthest[index(v)]);
      }
    }
    const size_t begin = sends_.size();
    uint64_t fullest = 0;
    size_t most_messages = 0;
    for (const NodeId v : tree_.order) {
      served.clear();
      for (const NodeId child : tree_.children(v))
        if (waiting[index(child)] > 0) served.push_back(child);
      if (!ports.unlimited() && served.size() > ports.count) {
        had_to_choose_ = true;
        few = UINT64_MAX;
        for (const NodeId child : served) few = std::min(few, 2 * to_come(child));
        std::ranges::stable_sort(served, [&](NodeId a, NodeId b) { return goes_before(a, b); });
        served.resize(ports.count);
      }
      most_messages = std::max(most_messages, served.size());
      for (const NodeId child : served) {
        const uint64_t capacity = topology.capacity(tree_.arc[index(child)]);
        const uint64_t most =
            limits.most_rounds > UINT64_MAX / capacity ? UINT64_MAX : limits.most_rounds * capacity;
        const uint64_t blocks = std::min(waiting[index(child)], most);
        sends_.push_back({child, blocks});
        fullest = std::max(fullest, (blocks + capacity - 1) / capacity);
      }
    }
    for (size_t i = begin; i < sends_.size(); ++i) {
      const auto [child, blocks] = sends_[i];
      const NodeId parent = topology.tail(tree_.arc[index(child)]);
      waiting[index(child)] -= blocks;
      over[index(child)] += blocks;
      if (parent == tree_.root)
        left -= blocks;
      else
        waiting[index(parent)] += blocks;
    }
    sends_end_.push_back(sends_.size());
    rounds += fullest;
    fullest_ = std::max(fullest_, fullest);
    further += most_messages - 1;
  }
  is_done_ = true;
  figures_ = {.steps = steps,
              .start_ups = steps,
              .busiest_link = *std::ranges::max_element(over),
              .critical_blocks = rounds,
              .further_messages = further};
}

void JustInTime::generate(const Problem& problem, StepSink& sink) const {
  const Topology& topology = problem.topology();
  const Collective& collective = problem.collective();
  // What a node has had, in the order in which it came, and how many of these have gone on.
  std::vector<std::vector<BlockId>> had(topology.num_nodes());
  std::vector<size_t> gone(topology.num_nodes(), 0);
  for (const NodeId v : tree_.order) {
    const auto rank = topology.rank(v);
    if (v == tree_.root || !rank) continue;
    for (uint32_t piece = 0; piece < collective.pieces(); ++piece)
      had[index(v)].push_back(collective.block(*rank, piece));
  }
  std::vector<size_t> first(sends_.size());  // of what goes, where it stands in `had`
  size_t begin = 0;
  for (const size_t end : sends_end_) {
    for (size_t i = begin; i < end; ++i) {
      const size_t child = index(sends_[i].from);
      first[i] = gone[child];
      gone[child] += sends_[i].blocks;
    }
    for (size_t i = begin; i < end; ++i) {
      const NodeId child = sends_[i].from;
      const NodeId parent = topology.tail(tree_.arc[index(child)]);
      if (parent == tree_.root) continue;
      for (uint64_t k = 0; k < sends_[i].blocks; ++k)
        had[index(parent)].push_back(had[index(child)][first[i] + k]);
    }
    begin = end;
  }
  StepBuilder step;
  for (size_t s = sends_end_.size(); s-- > 0;) {
    for (size_t i = s == 0 ? 0 : sends_end_[s - 1]; i < sends_end_[s]; ++i) {
      const size_t child = index(sends_[i].from);
      step.add(std::span(&tree_.arc[child], 1),
               std::span<const BlockId>(had[child]).subspan(first[i], sends_[i].blocks));
    }
    step.flush(sink);
  }
}

}  // namespace quadrille
