// Allgather on a fat tree by flooding with one buffer for each incoming branch and back-pressure.
//
// A router stores, for each of its branches, at most one block that came on it, with the branches on which it
// still owes it: at first all but that one. In each step every branch offers one block that is owed on it:
// one that came from the parent before others, then the oldest, then the leftmost child's. An offer is
// carried out if the buffer at the other end is empty, or becomes empty in this very step; which offers are,
// is the largest set that agrees with itself. Leaves always accept.
//
// Blocks that go down depend on nothing but blocks that go down, so there is no deadlock. With three or more
// children everywhere it took exactly n steps wherever it was tried, which is optimal: the queues of plain
// flooding buy nothing.
#include <algorithm>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/fat_trees/fat_tree_problem.h"
#include "quadrille/algorithms/measured_plan.h"

namespace quadrille::algorithms {

extern const Algorithm allgather_fat_tree_one_buffer;

namespace allgather_fat_tree_one_buffer_parts {
namespace {

// No formula is proved: up to this many leaves the prediction is counted out.
constexpr uint32_t kMostCounted = 512;

class BackPressure {
 public:
  explicit BackPressure(const Problem& problem)
      : topology_(problem.topology()),
        tree_(topology_),
        buffers_(topology_.num_arcs()),
        offers_(topology_.num_arcs()),
        own_(tree_.leaves(), true) {
    const uint64_t arcs = topology_.num_arcs();
    for (uint64_t a = 0; a < arcs; ++a) {
      const NodeId head = topology_.head(id_at<ArcId>(a));
      if (index(head) >= tree_.leaves()) buffers_[a].owed.assign(topology_.out_degree(head), 0);
    }
    missing_ = uint64_t{tree_.leaves()} * (tree_.leaves() - 1);
  }

  void run(StepSink& sink) {
    StepBuilder step;
    for (now_ = 1; missing_ > 0; ++now_) {
      make_offers();
      strike_offers();
      for (size_t a = 0; a < offers_.size(); ++a) {
        if (offers_[a].stands) step.add(id_at<ArcId>(a), offers_[a].block);
      }
      carry_out();
      step.flush(sink);
    }
  }

 private:
  // What came over an arc and is stored at its head.
  struct Buffer {
    BlockId block{};
    uint64_t arrived = 0;
    uint32_t debts = 0;         // arcs of the head that owe it; 0: empty
    uint32_t unmet = 0;         // those of them over which it does not go in this step
    std::vector<uint8_t> owed;  // for each arc of the head
  };
  struct Offer {
    BlockId block{};
    ArcId buffer = kNoArc;  // whose block it is; none: the leaf's own
    bool stands = false;
  };

  void make_offers() {
    for (uint32_t leaf = 0; leaf < tree_.leaves(); ++leaf) {
      offers_[index(tree_.up(0, leaf))] = {BlockId{leaf}, kNoArc, own_[leaf]};
    }
    for (auto v = tree_.leaves(); v < topology_.num_nodes(); ++v) {
      const IdRange<ArcId> arcs = topology_.arcs_from(NodeId{v});
      for (const ArcId arc : arcs) {
        Buffer& buffer = buffers_[index(topology_.reverse(arc))];
        buffer.unmet = buffer.debts;
      }
      for (uint32_t i = 0; i < arcs.size(); ++i) offers_[index(arcs[i])] = best_offer(arcs, i);
    }
  }

  // The last arc of a router below the root leads to its parent.
  Offer best_offer(const IdRange<ArcId>& arcs, uint32_t out) {
    Offer best;
    uint64_t oldest = UINT64_MAX;
    for (uint32_t in = 0; in < arcs.size(); ++in) {
      const ArcId came = topology_.reverse(arcs[in]);
      const Buffer& buffer = buffers_[index(came)];
      if (buffer.debts == 0 || buffer.owed[out] == 0) continue;
      const bool from_parent = topology_.tail(came) > topology_.head(came);
      const uint64_t age = from_parent ? 0 : buffer.arrived;
      if (age >= oldest) continue;
      oldest = age;
      best = {buffer.block, came, true};
    }
    if (best.stands) --buffers_[index(best.buffer)].unmet;
    return best;
  }

  // Starts from all offers; striking one may leave a buffer full, and so strike what was to come into it.
  void strike_offers() {
    struck_.clear();
    for (size_t a = 0; a < offers_.size(); ++a) strike_if_full(a);
    while (!struck_.empty()) {
      const ArcId buffer = offers_[struck_.back()].buffer;
      struck_.pop_back();
      if (buffer == kNoArc) continue;
      ++buffers_[index(buffer)].unmet;
      strike_if_full(index(buffer));
    }
  }

  void strike_if_full(size_t arc) {
    if (!offers_[arc].stands || buffers_[arc].unmet == 0) return;
    offers_[arc].stands = false;
    struck_.push_back(arc);
  }

  void carry_out() {
    for (size_t a = 0; a < offers_.size(); ++a) {
      const Offer& offer = offers_[a];
      if (!offer.stands) continue;
      if (offer.buffer == kNoArc) {
        own_[index(offer.block)] = false;
        continue;
      }
      Buffer& buffer = buffers_[index(offer.buffer)];
      const IdRange<ArcId> arcs = topology_.arcs_from(topology_.tail(id_at<ArcId>(a)));
      buffer.owed[a - index(arcs[0])] = 0;
      --buffer.debts;
    }
    for (size_t a = 0; a < offers_.size(); ++a) {
      if (!offers_[a].stands) continue;
      Buffer& buffer = buffers_[a];
      if (buffer.owed.empty()) {
        --missing_;
        continue;
      }
      const ArcId back = topology_.reverse(id_at<ArcId>(a));
      const IdRange<ArcId> arcs = topology_.arcs_from(topology_.tail(back));
      buffer.block = offers_[a].block;
      buffer.arrived = now_;
      buffer.debts = arcs.size() - 1;
      std::fill(buffer.owed.begin(), buffer.owed.end(), 1);
      buffer.owed[index(back) - index(arcs[0])] = 0;
    }
  }

  const Topology& topology_;
  FatTree tree_;
  std::vector<Buffer> buffers_;  // per arc, at its head
  std::vector<Offer> offers_;    // per arc, at its tail
  std::vector<bool> own_;        // per leaf: its own block has not been sent
  std::vector<size_t> struck_;
  uint64_t missing_ = 0;
  uint64_t now_ = 1;
};

void generate(const Problem& problem, StepSink& sink) { BackPressure(problem).run(sink); }

Prediction predicted(const Problem& problem, Once<MeasuredPlan>& plan) {
  const uint32_t n = problem.topology().num_endpoints();
  Prediction prediction{.busiest_link = n - 1};
  if (n > kMostCounted) return prediction;
  prediction.steps = prediction.start_ups = plan.get().prediction().steps;
  prediction.measured = true;
  return prediction;
}

}  // namespace
}  // namespace allgather_fat_tree_one_buffer_parts

constinit const Algorithm allgather_fat_tree_one_buffer = {
    .name = "allgather_fat_tree_one_buffer",
    .collective = CollectiveKind::kAllgather,
    .summary =
        "floods all blocks through a fat tree whose routers buffer one block per incoming branch; a full buffer stalls its senders",
    .source = "answers the question after figure 6.10 of the collective communication dissertation 1996",
    .remarks =
        "any fat tree, all ports, no use of wider branches; n steps with three or more children wherever "
        "tried, which is optimal if one link joins a leaf to its router",
    .applies = fits_multiport_fat_tree,
    .prepare = by_measuring<allgather_fat_tree_one_buffer_parts::predicted,
                            allgather_fat_tree_one_buffer_parts::generate, Effort::kLittle>,
};

}  // namespace quadrille::algorithms
