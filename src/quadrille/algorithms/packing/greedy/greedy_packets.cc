#include "quadrille/algorithms/packing/greedy/greedy_packets.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "quadrille/algorithms/graphs/next_hops.h"
#include "quadrille/algorithms/packing/link_use.h"
#include "quadrille/base/work_count.h"
#include "quadrille/collective/counts.h"
#include "quadrille/topology/last_answers.h"
#include "quadrille/topology/queries/distances.h"

namespace quadrille {
namespace {

// A waiting block: its way left, then its number, so that a larger key goes first.
using Key = uint64_t;
Key key_of(uint32_t left, BlockId block) { return (Key{left} << 32U) | (kMaxIds - index(block)); }
uint32_t left_of(Key key) { return static_cast<uint32_t>(key >> 32U); }
BlockId block_of(Key key) { return id_at<BlockId>(kMaxIds - (key & kMaxIds)); }

class GreedyPackets {
 public:
  explicit GreedyPackets(const Problem& problem)
      : problem_(problem),
        topology_(problem.topology()),
        hops_(next_hops_of(topology_, Routing::kShortest)),
        waiting_(topology_.num_arcs()),
        use_(problem) {
    const Collective& collective = problem.collective();
    for (uint32_t b = 0; b < collective.num_blocks(); ++b) {
      const NodeId origin = problem.origin(BlockId{b});
      const Rank to = collective.destination(BlockId{b});
      if (origin == topology_.endpoint(to)) continue;
      const uint32_t left = hops_->length(to, origin);
      longest_ = std::max(longest_, left);
      waiting_[index(hops_->arc(to, origin))].push_back(key_of(left, BlockId{b}));
      ++undelivered_;
    }
    for (std::vector<Key>& queue : waiting_) std::make_heap(queue.begin(), queue.end());
  }

  void run(StepSink& sink) {
    StepBuilder step;
    for (size_t s = 0; undelivered_ > 0; ++s) {
      order_arcs(s);
      for (const ArcId arc : order_) {
        std::vector<Key>& queue = waiting_[index(arc)];
        while (!queue.empty() && use_.take(arc)) {
          std::pop_heap(queue.begin(), queue.end());
          moved_.push_back({arc, queue.back()});
          queue.pop_back();
        }
      }
      for (const Moved& m : moved_) {
        step.add(m.arc, block_of(m.key));
        arrive(m);
      }
      moved_.clear();
      use_.next_step();
      step.flush(sink);
    }
  }

 private:
  struct Moved {
    ArcId arc;
    Key key;
  };

  // The arcs with work, longest way first; for equal ways the first arc moves on with each step.
  void order_arcs(size_t step) {
    const size_t arcs = waiting_.size();
    const size_t first = step * 7919 % arcs;
    const auto place_of = [&](size_t a) { return longest_ - left_of(waiting_[a].front()); };
    place_.assign(size_t{longest_} + 1, 0);
    size_t busy = 0;
    for (size_t a = 0; a < arcs; ++a) {
      if (waiting_[a].empty()) continue;
      ++place_[place_of(a) + 1];
      ++busy;
    }
    for (size_t i = 1; i < place_.size(); ++i) place_[i] += place_[i - 1];
    order_.resize(busy);
    for (size_t i = 0; i < arcs; ++i) {
      const size_t a = first + i < arcs ? first + i : first + i - arcs;
      if (!waiting_[a].empty()) order_[place_[place_of(a)]++] = id_at<ArcId>(a);
    }
  }

  void arrive(const Moved& m) {
    const uint32_t left = left_of(m.key) - 1;
    if (left == 0) {
      --undelivered_;
      return;
    }
    const BlockId block = block_of(m.key);
    const ArcId next = hops_->arc(problem_.collective().destination(block), topology_.head(m.arc));
    std::vector<Key>& queue = waiting_[index(next)];
    queue.push_back(key_of(left, block));
    std::push_heap(queue.begin(), queue.end());
  }

  const Problem& problem_;
  const Topology& topology_;
  std::shared_ptr<const NextHops> hops_;
  std::vector<std::vector<Key>> waiting_;  // per arc, a heap
  LinkUse use_;
  uint32_t longest_ = 0;
  uint64_t undelivered_ = 0;
  std::vector<size_t> place_;
  std::vector<ArcId> order_;
  std::vector<Moved> moved_;
};

// What the ways of all blocks load: sends and receptions of nodes, and arcs. Along the hops to one destination the
// loads of a node are its own block and what comes to it.
uint64_t least_steps_of(const Problem& problem, const NextHops& hops) {
  const Topology& topology = problem.topology();
  const uint32_t n = topology.num_nodes();
  std::vector<uint64_t> carried(topology.num_arcs(), 0);
  std::vector<uint64_t> waiting(n);
  std::vector<uint32_t> by_distance(n);
  const Counts* counts = problem.collective().counts();
  std::vector<Counts::Entry> by_destination;
  if (counts != nullptr) by_destination.assign(counts->entries().begin(), counts->entries().end());
  std::ranges::stable_sort(by_destination, {}, &Counts::Entry::to);
  size_t next = 0;
  for (size_t r = 0; r < topology.num_endpoints(); ++r) {
    const Rank to{static_cast<uint32_t>(r)};
    std::iota(by_distance.begin(), by_distance.end(), 0U);
    std::sort(by_distance.begin(), by_distance.end(), [&](uint32_t a, uint32_t b) {
      return hops.length(to, NodeId{a}) > hops.length(to, NodeId{b});
    });
    for (uint32_t v = 0; v < n; ++v) waiting[v] = counts == nullptr && topology.rank(NodeId{v}) ? 1 : 0;
    if (counts != nullptr) {
      for (; next < by_destination.size() && by_destination[next].to == to; ++next)
        waiting[index(topology.endpoint(by_destination[next].from))] = by_destination[next].count;
    }
    for (const uint32_t v : by_distance) {
      if (waiting[v] == 0 || NodeId{v} == topology.endpoint(to)) continue;
      const ArcId arc = hops.arc(to, NodeId{v});
      carried[index(arc)] += waiting[v];
      waiting[index(topology.head(arc))] += waiting[v];
    }
  }
  std::vector<uint64_t> sends(n, 0);
  std::vector<uint64_t> receives(n, 0);
  uint64_t most = 0;
  const auto hold = [&](uint64_t blocks, uint64_t a_step) {
    most = std::max(most, (blocks + a_step - 1) / a_step);
  };
  for (const ArcId arc : topology.arcs()) {
    hold(carried[index(arc)], topology.capacity(arc));
    sends[index(topology.tail(arc))] += carried[index(arc)];
    receives[index(topology.head(arc))] += carried[index(arc)];
  }
  for (uint32_t v = 0; v < n; ++v) {
    if (!problem.model().send.unlimited()) hold(sends[v], problem.model().send.count);
    if (!problem.model().receive.unlimited()) hold(receives[v], problem.model().receive.count);
  }
  return most;
}

}  // namespace

uint64_t greedy_packets_at_least(const Problem& problem) {
  const auto find = [&] {
    return least_steps_of(problem, *next_hops_of(problem.topology(), Routing::kShortest));
  };
  if (problem.collective().counts() != nullptr) return find();
  // Machines of single packets and of many ask for the same.
  static LastAnswers<std::pair<Ports, Ports>, uint64_t> kept(4);
  return problem.collective().pieces() *
         kept.of(problem.topology(), {problem.model().send, problem.model().receive}, find);
}

uint64_t shortest_ways_at_least(const Problem& problem) {
  const Topology& topology = problem.topology();
  const Rational all = distance_summary(topology).average_status * Rational(topology.num_endpoints());
  const auto hops = static_cast<uint64_t>(all.numerator());
  uint64_t lanes = 0;
  for (const uint32_t capacity : topology.capacities()) lanes += capacity;
  return lanes == 0 ? 0 : (hops * problem.collective().pieces() + lanes - 1) / lanes;
}

void greedy_packets(const Problem& problem, StepSink& sink) {
  count_work(Work::kSearching);
  GreedyPackets(problem).run(sink);
}

}  // namespace quadrille
