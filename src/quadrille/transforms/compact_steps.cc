#include "quadrille/transforms/compact_steps.h"

#include <algorithm>
#include <unordered_map>

namespace quadrille {
namespace {

// What of the machine one step of the new plan uses.
class StepLoad {
 public:
  explicit StepLoad(const Topology& topology)
      : load_(topology.num_arcs(), 0), sent_(topology.num_nodes(), 0), received_(topology.num_nodes(), 0) {}

  [[nodiscard]] bool fits(const Problem& problem, std::span<const ArcId> path) const {
    const Topology& topology = problem.topology();
    const Model& model = problem.model();
    if (!model.send.unlimited() && sent_[index(topology.tail(path.front()))] >= model.send.count)
      return false;
    if (!model.receive.unlimited() && received_[index(topology.head(path.back()))] >= model.receive.count) {
      return false;
    }
    return std::all_of(path.begin(), path.end(), [&](ArcId arc) {
      const ArcId back = topology.reverse(arc);
      const bool one_way = model.duplex == Duplex::kHalf && back != kNoArc;
      return load_[index(arc)] < topology.capacity(arc) && !(one_way && load_[index(back)] > 0);
    });
  }

  void add(const Topology& topology, std::span<const ArcId> path) {
    for (const ArcId arc : path) ++load_[index(arc)];
    ++sent_[index(topology.tail(path.front()))];
    ++received_[index(topology.head(path.back()))];
  }

 private:
  std::vector<uint32_t> load_;
  std::vector<uint32_t> sent_;
  std::vector<uint32_t> received_;
};

// For a block at a node: the first step that may read it, add to it, or replace it.
struct Times {
  size_t read = 0;
  size_t add = 0;
  size_t replace = 0;
};

class Compactor {
 public:
  explicit Compactor(const Problem& problem) : problem_(problem) {}

  void place(std::span<const ArcId> path, std::span<const BlockId> blocks, TransferOp op) {
    const Topology& topology = problem_.topology();
    const NodeId from = topology.tail(path.front());
    const NodeId to = topology.head(path.back());
    const bool adds = problem_.collective().flow() == Flow::kCombine && op == TransferOp::kDefault;
    size_t step = 0;
    for (const BlockId block : blocks) {
      const Times& there = times_[key(to, block)];
      step = std::max({step, times_[key(from, block)].read, adds ? there.add : there.replace});
    }
    while (step < loads_.size() && !loads_[step].fits(problem_, path)) ++step;
    if (step == loads_.size()) {
      loads_.emplace_back(topology);
      steps_.emplace_back();
    }
    loads_[step].add(topology, path);
    steps_[step].add(path, blocks, op);
    for (const BlockId block : blocks) {
      // The sender's block may be changed from this step on: a step reads the state before it.
      Times& here = times_[key(from, block)];
      here.add = std::max(here.add, step);
      here.replace = std::max(here.replace, step);
      Times& there = times_[key(to, block)];
      there.read = std::max(there.read, step + 1);
      there.add = std::max(there.add, adds ? step : step + 1);
      there.replace = std::max(there.replace, step + 1);
    }
  }

  [[nodiscard]] Plan take() {
    Plan out;
    for (StepBuilder& step : steps_) step.flush(out);
    return out;
  }

 private:
  [[nodiscard]] uint64_t key(NodeId node, BlockId block) const {
    return uint64_t{index(node)} * problem_.collective().num_blocks() + index(block);
  }

  const Problem& problem_;
  std::unordered_map<uint64_t, Times> times_;  // looked up only, never walked: the order does not matter
  std::vector<StepLoad> loads_;
  std::vector<StepBuilder> steps_;
};

}  // namespace

Plan compact_steps(const Problem& problem, const Plan& plan) {
  Compactor compactor(problem);
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    for (size_t t = 0; t < step.size(); ++t) compactor.place(step.arcs(t), step.blocks(t), step.op(t));
  }
  return compactor.take();
}

}  // namespace quadrille
