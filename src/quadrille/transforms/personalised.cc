#include "quadrille/transforms/personalised.h"

#include <cstdint>
#include <vector>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

constexpr Rank kNoRank{UINT32_MAX};

// The first arrival of a block at a node.
struct Arrival {
  uint32_t from;
  uint32_t to;
  uint64_t carried;  // which of all blocks of all transfers of the plan
};

// The tree of one block, given the arrivals in the order of their steps: in `order` the nodes so that every
// subtree lies in one piece.
class Tree {
 public:
  explicit Tree(size_t nodes) : first_child_(nodes), sibling_(nodes), begin_(nodes), end_(nodes) {}

  void plant(uint32_t root, const std::vector<Arrival>& arrivals) {
    first_child_[root] = kNone;
    for (const Arrival& a : arrivals) first_child_[a.to] = kNone;
    for (const Arrival& a : arrivals) {
      sibling_[a.to] = first_child_[a.from];
      first_child_[a.from] = a.to;
    }
    order_.clear();
    stack_.assign(1, root);
    while (!stack_.empty()) {
      const uint32_t node = stack_.back();
      stack_.pop_back();
      if (node >= kLeave) {
        end_[node - kLeave] = order_.size();
        continue;
      }
      begin_[node] = order_.size();
      order_.push_back(node);
      stack_.push_back(node + kLeave);
      for (uint32_t child = first_child_[node]; child != kNone; child = sibling_[child])
        stack_.push_back(child);
    }
  }
  [[nodiscard]] std::span<const uint32_t> subtree(uint32_t node) const {
    return std::span(order_).subspan(begin_[node], end_[node] - begin_[node]);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static constexpr uint32_t kLeave = uint32_t{1} << 31U;

  std::vector<uint32_t> first_child_;
  std::vector<uint32_t> sibling_;
  std::vector<size_t> begin_;
  std::vector<size_t> end_;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> stack_;
};

std::vector<std::vector<Arrival>> first_arrivals(const Problem& problem, const Plan& plan) {
  const Topology& topology = problem.topology();
  const size_t blocks = problem.collective().num_blocks();
  std::vector<std::vector<Arrival>> out(blocks);
  std::vector<bool> has(topology.num_nodes() * blocks, false);
  for (size_t b = 0; b < blocks; ++b) has[index(problem.origin(id_at<BlockId>(b))) * blocks + b] = true;
  uint64_t carried = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      const NodeId from = topology.tail(step.arcs(t).front());
      const NodeId to = topology.head(step.arcs(t).back());
      for (const BlockId block : step.blocks(t)) {
        auto there = has[index(to) * blocks + index(block)];
        if (!there) {
          out[index(block)].push_back(
              {static_cast<uint32_t>(index(from)), static_cast<uint32_t>(index(to)), carried});
        }
        there = true;
        ++carried;
      }
    }
  }
  return out;
}

uint64_t all_carried(const Plan& plan) {
  uint64_t out = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) out += plan.step(s).all_blocks.size();
  return out;
}

// The rank of every node; of a router none.
std::vector<Rank> ranks_of(const Topology& topology) {
  std::vector<Rank> out(topology.num_nodes(), kNoRank);
  for (uint32_t r = 0; r < topology.num_endpoints(); ++r) out[index(topology.endpoint(Rank{r}))] = Rank{r};
  return out;
}

}  // namespace

Plan personalised(const Problem& copied, const Plan& plan, const Problem& personal) {
  const Topology& topology = copied.topology();
  const Collective& from = copied.collective();
  const Collective& to = personal.collective();
  const uint32_t pieces = from.pieces();
  QUADRILLE_CHECK(to.pieces() == pieces, personal.title());
  // What goes in place of every carried block: first counted, then filled in.
  const std::vector<std::vector<Arrival>> arrivals = first_arrivals(copied, plan);
  const uint64_t carried = all_carried(plan);
  const std::vector<Rank> ranks = ranks_of(topology);
  Tree tree(topology.num_nodes());
  std::vector<uint64_t> begin(carried + 1, 0);
  std::vector<BlockId> instead;
  const auto for_each_message = [&](auto use) {
    for (size_t b = 0; b < arrivals.size(); ++b) {
      const Rank origin = from.origin(id_at<BlockId>(b));
      tree.plant(static_cast<uint32_t>(index(topology.endpoint(origin))), arrivals[b]);
      for (const Arrival& a : arrivals[b]) {
        for (const uint32_t node : tree.subtree(a.to)) {
          const Rank rank = ranks[node];
          if (rank != kNoRank) use(a.carried, origin, rank, static_cast<uint32_t>(b % pieces));
        }
      }
    }
  };
  for_each_message([&](uint64_t at, Rank, Rank, uint32_t) { ++begin[at + 1]; });
  for (uint64_t i = 0; i < carried; ++i) begin[i + 1] += begin[i];
  instead.resize(begin[carried]);
  std::vector<uint64_t> next(begin.begin(), begin.end() - 1);
  for_each_message([&](uint64_t at, Rank origin, Rank rank, uint32_t piece) {
    instead[next[at]++] =
        to.kind() == CollectiveKind::kAlltoall ? to.block(origin, rank, piece) : to.block(rank, piece);
  });
  Plan out;
  StepBuilder builder;
  std::vector<BlockId> blocks;
  uint64_t i = 0;
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) {
      const uint64_t first = i;
      i += step.blocks(t).size();
      blocks.assign(instead.begin() + static_cast<std::ptrdiff_t>(begin[first]),
                    instead.begin() + static_cast<std::ptrdiff_t>(begin[i]));
      if (!blocks.empty()) builder.add(step.arcs(t), blocks);
    }
    if (!builder.empty()) builder.flush(out);
  }
  return out;
}

}  // namespace quadrille
