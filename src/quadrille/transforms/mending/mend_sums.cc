#include "quadrille/transforms/mending/mend_sums.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "quadrille/topology/transposed.h"
#include "quadrille/transforms/mending/dead_parts.h"
#include "quadrille/transforms/mending/mended_copies.h"
#include "quadrille/transforms/mending/mended_hops.h"
#include "quadrille/transforms/mending/shared_widths.h"
#include "quadrille/transforms/step_reservations.h"

namespace quadrille {
namespace mend_sums_parts {
namespace {

constexpr uint32_t kNever = UINT32_MAX;

// How a block is summed up: what is added on the way to the root, which has the sum from a step on, and what is copied from there.
struct Tree {
  NodeId root = kNoNode;
  uint32_t summed = 0;
  std::vector<MendedHop> together{};
  std::vector<MendedHop> out{};
};

std::vector<uint32_t> numbers_of(const Tree& tree) {
  std::vector<uint32_t> out = {static_cast<uint32_t>(index(tree.root)), tree.summed};
  for (const std::vector<MendedHop>* const hops : {&tree.together, &tree.out}) {
    const std::vector<uint32_t> numbers = quadrille::numbers_of(*hops);
    out.push_back(static_cast<uint32_t>(numbers.size()));
    out.insert(out.end(), numbers.begin(), numbers.end());
  }
  return out;
}

Problem turned(const Problem& problem) {
  Model model = problem.model();
  std::swap(model.send, model.receive);
  return Problem(transposed(problem.topology()), problem.collective(), model);
}

class SumMender {
 public:
  SumMender(const Problem& problem, const Plan& plan, const Faults& faults)
      : topology_(problem.topology()),
        plan_(plan),
        problem_(problem),
        turned_(turned(problem)),
        dead_(topology_, faults),
        turned_arc_(turned_arcs(topology_, turned_.topology())),
        arc_of_turned_(turned_arcs(turned_.topology(), topology_)) {
    Faults backwards{.nodes = faults.nodes, .arcs = {}};
    for (const ArcId arc : faults.arcs) backwards.arcs.push_back(turned_arc_[index(arc)]);
    turned_dead_.emplace(turned_.topology(), backwards);
  }

  void mend(PlanDelta& delta) {
    collect();
    Bundles bundles;
    for (const auto& [block, hops] : before_) {
      Tree tree = tree_of(hops);
      if (problem_.model().switching != Switching::kWormhole || bundles.is_first(block, numbers_of(tree)))
        trees_[block] = std::move(tree);
    }
    const uint32_t later = mend_together();
    delta.later = later;
    mend_out(later);
    bundles.unpack(now_);
    for (auto& [block, hops] : before_)
      for (MendedHop& hop : hops) hop.step += later;
    write_changes(before_, now_, carries_many(problem_.model()), delta);
  }

 private:
  void collect() {
    std::vector<char> hit(problem_.collective().num_blocks(), 0);
    const auto for_all = [this](auto act) {
      for (uint32_t s = 0; s < plan_.num_steps(); ++s) {
        const StepView step = plan_.step(s);
        for (size_t t = 0; t < step.size(); ++t) act(s, step, t);
      }
    };
    for_all([&](uint32_t, const StepView& step, size_t t) {
      if (!dead_.on(step.arcs(t))) return;
      for (const BlockId block : step.blocks(t)) hit[index(block)] = 1;
    });
    for_all([&](uint32_t s, const StepView& step, size_t t) {
      const std::span<const ArcId> arcs = step.arcs(t);
      size_t stays = 0;
      for (const BlockId block : step.blocks(t)) {
        if (hit[index(block)] == 0) {
          ++stays;
        } else {
          before_[block].push_back(
              {s, {arcs.begin(), arcs.end()}, step.op(t), step.slots_of(t), static_cast<uint32_t>(t)});
        }
      }
      for (size_t i = counted(problem_, stays); i > 0; --i)
        untouched_.push_back({s, {arcs.begin(), arcs.end()}});
    });
  }

  // Hops that are a tree towards the root and one away from it; otherwise there are none, and the root is a new one.
  [[nodiscard]] Tree tree_of(const std::vector<MendedHop>& hops) {
    Tree out;
    std::vector<uint32_t> sent_in(topology_.num_nodes(), kNever);
    const auto tail = [this](const MendedHop& hop) { return topology_.tail(hop.path.front()); };
    const auto head = [this](const MendedHop& hop) { return topology_.head(hop.path.back()); };
    for (const MendedHop& hop : hops) {
      if (hop.slots != SumSlots{}) return new_tree();
      if (hop.op == TransferOp::kCopy) {
        out.out.push_back(hop);
        continue;
      }
      // Each node sends its sum once, and nothing comes to it later.
      if (sent_in[index(tail(hop))] != kNever || sent_in[index(head(hop))] <= hop.step) return new_tree();
      sent_in[index(tail(hop))] = hop.step;
      out.summed = hop.step + 1;
      out.together.push_back(hop);
    }
    if (out.together.empty()) return new_tree();
    out.root = head(out.together.back());
    for (const MendedHop& hop : out.together)
      if (sent_in[index(head(hop))] == kNever && head(hop) != out.root) return new_tree();
    if (sent_in[index(out.root)] != kNever || dead_.has(out.root)) return new_tree();
    std::vector<uint32_t> has(topology_.num_nodes(), kNever);
    has[index(out.root)] = out.summed;
    for (const MendedHop& hop : out.out) {
      if (has[index(tail(hop))] > hop.step || has[index(head(hop))] != kNever) return new_tree();
      has[index(head(hop))] = hop.step + 1;
    }
    std::ranges::reverse(out.together);  // as it is mended
    return out;
  }

  // From the living endpoint that is nearest to all.
  [[nodiscard]] Tree new_tree() {
    if (!center_) {
      for (const NodeId v : topology_.endpoints()) {
        if (dead_.has(v)) continue;
        const uint32_t radius = radius_of(v);
        if (!center_ || radius < center_->second) center_ = {v, radius};
      }
    }
    const auto middle = static_cast<uint32_t>(plan_.num_steps() / 2);
    // Where it takes longer than the plan to come there, the first steps come before the plan's.
    const auto last = static_cast<uint32_t>(plan_.num_steps());
    return {.root = center_->first, .summed = std::min(last, std::max(middle, center_->second))};
  }

  [[nodiscard]] uint32_t radius_of(NodeId from) const {
    std::vector<uint32_t> hops(topology_.num_nodes(), kNever);
    hops[index(from)] = 0;
    std::vector<NodeId> queue{from};
    for (size_t i = 0; i < queue.size(); ++i) {
      for (const ArcId arc : topology_.arcs_from(queue[i])) {
        const NodeId to = topology_.head(arc);
        if (dead_.has(arc) || hops[index(to)] != kNever) continue;
        hops[index(to)] = hops[index(queue[i])] + 1;
        queue.push_back(to);
      }
    }
    uint32_t out = 0;
    for (const NodeId v : topology_.endpoints())
      if (!dead_.has(v)) out = std::max(out, hops[index(v)]);
    return out;
  }

  // --- backwards -----------------------------------------------------------------------------------------------------

  // Of so many steps the last one is number 0 then.
  static MendedHop turned_hop(const MendedHop& hop, const std::vector<ArcId>& turned_arc, uint32_t steps) {
    MendedHop out{.step = steps - 1 - hop.step};
    for (size_t i = hop.path.size(); i-- > 0;) out.path.push_back(turned_arc[index(hop.path[i])]);
    return out;
  }
  [[nodiscard]] MendedHop turned_hop(const MendedHop& hop) const {
    return turned_hop(hop, turned_arc_, static_cast<uint32_t>(plan_.num_steps()));
  }

  // How many steps come before the plan's first.
  uint32_t mend_together() {
    std::vector<uint32_t> widths = widths_of(problem_, plan_);
    std::ranges::reverse(widths);
    StepReservations machine(turned_, std::move(widths));
    for (const MendedHop& hop : untouched_) {
      const MendedHop there = turned_hop(hop);
      machine.use(there.path, there.step);
    }
    // What is copied is mended later, but where it needs nobody dead its step is taken.
    keep_copies();
    for (const auto& [block, hops] : now_) {
      for (const MendedHop& hop : hops) {
        const MendedHop there = turned_hop(hop);
        machine.use(there.path, there.step);
      }
    }
    MendedCopies backwards(turned_.topology(), *turned_dead_, machine);
    HopsOfBlocks before;
    HopsOfBlocks now;
    const auto origin = [this](const Tree& tree) {
      return MendedCopies::Origin{tree.root, static_cast<uint32_t>(plan_.num_steps()) - tree.summed};
    };
    for (const auto& [block, tree] : trees_) {
      for (const MendedHop& hop : tree.together) before[block].push_back(turned_hop(hop));
      now[block] = backwards.undamaged(origin(tree), before[block]);
    }
    uint32_t end = static_cast<uint32_t>(plan_.num_steps());
    for (const auto& [block, tree] : trees_) {
      std::vector<MendedHop>& hops = now[block];
      backwards.complete(origin(tree), before[block], hops);
      backwards.drop_dead_ends(hops);
      for (const MendedHop& hop : hops) end = std::max(end, hop.step + 1);
    }
    for (auto& [block, hops] : now) {
      std::ranges::stable_sort(hops, std::greater<>(), &MendedHop::step);
      for (const MendedHop& hop : hops) together_[block].push_back(turned_hop(hop, arc_of_turned_, end));
    }
    return end - static_cast<uint32_t>(plan_.num_steps());
  }

  void keep_copies() {
    StepReservations nobody(problem_, widths_of(problem_, plan_));
    MendedCopies copies(topology_, dead_, nobody);
    for (const auto& [block, tree] : trees_)
      now_[block] = copies.undamaged({tree.root, tree.summed}, tree.out);
  }

  // --- forwards ------------------------------------------------------------------------------------------------------

  void mend_out(uint32_t later) {
    std::vector<uint32_t> widths = widths_of(problem_, plan_);
    if (!widths.empty()) widths.insert(widths.begin(), later, std::ranges::max(widths));
    StepReservations machine(problem_, std::move(widths));
    for (const MendedHop& hop : untouched_) machine.use(hop.path, hop.step + later);
    for (const auto& [block, hops] : together_)
      for (const MendedHop& hop : hops) machine.use(hop.path, hop.step);
    MendedCopies copies(topology_, dead_, machine);
    const auto origin = [later](const Tree& tree) {
      return MendedCopies::Origin{tree.root, tree.summed + later};
    };
    for (auto& [block, tree] : trees_) {
      for (MendedHop& hop : tree.out) hop.step += later;
      now_[block] = copies.undamaged(origin(tree), tree.out);
    }
    for (const auto& [block, tree] : trees_) {
      std::vector<MendedHop>& hops = now_[block];
      copies.complete(origin(tree), tree.out, hops);
      for (MendedHop& hop : hops) hop.op = TransferOp::kCopy;
      const std::vector<MendedHop>& first = together_[block];
      hops.insert(hops.begin(), first.begin(), first.end());
    }
  }

  const Topology& topology_;
  const Plan& plan_;
  const Problem& problem_;
  Problem turned_;
  DeadParts dead_;
  std::optional<DeadParts> turned_dead_{};
  std::vector<ArcId> turned_arc_;
  std::vector<ArcId> arc_of_turned_;
  std::vector<MendedHop> untouched_{};  // transfers of blocks that are not hit
  HopsOfBlocks before_{};
  std::map<BlockId, Tree> trees_{};
  HopsOfBlocks together_{};  // mended
  HopsOfBlocks now_{};
  std::optional<std::pair<NodeId, uint32_t>> center_{};  // and how far the others are
};

}  // namespace
}  // namespace mend_sums_parts

void mend_sums(const Problem& problem, const Plan& plan, const Faults& faults, PlanDelta& delta) {
  mend_sums_parts::SumMender(problem, plan, faults).mend(delta);
}

}  // namespace quadrille
