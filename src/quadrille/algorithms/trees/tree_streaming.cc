#include "quadrille/algorithms/trees/tree_streaming.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "quadrille/algorithms/trees/tree_packing.h"
#include "quadrille/algorithms/trees/tree_stream_search.h"
#include "quadrille/algorithms/trees/window_flooding.h"
#include "quadrille/base/check.h"
#include "quadrille/base/work_count.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/successive_paths.h"

namespace quadrille {
namespace {

constexpr uint32_t kWidestWindow = 4;   // batches, where it is searched for
constexpr uint32_t kWidestFlood = 4;    // ... and where it is flooded
constexpr uint32_t kMostFlooded = 128;  // pieces, where all are flooded
constexpr uint64_t kLargestFormula = 150'000;
constexpr uint64_t kLargestPlainFormula = 60'000;  // without a symmetry
constexpr uint64_t kMostFormulas = 300'000;        // added up
constexpr uint32_t kConflicts = 20'000;
constexpr uint32_t kConflictsWide = 10'000;  // where two batches or more are searched for
constexpr uint32_t kStepsAbove = 2;          // searched for in one step more than the flow takes, and so on

uint32_t over(uint64_t pieces, uint32_t batch) { return static_cast<uint32_t>((pieces + batch - 1) / batch); }

class Streaming {
 public:
  Streaming(const Topology& topology, NodeId root, uint32_t pieces)
      : net_(topology),
        root_(root),
        pieces_(pieces),
        batch_(most_disjoint_trees(topology, root)),
        batches_(over(pieces, batch_)),
        least_(quickest_to_all(topology, root, false, pieces).steps),
        least_full_(quickest_to_all(topology, root, false, uint64_t{batches_} * batch_).steps),
        symmetries_(symmetries_about(topology, root)) {}

  TreeStreams best() {
    count_work(Work::kSearching);
    if (auto trees = mesh_trees(net_, root_); trees && trees->size() == batch_) take(*std::move(trees));
    for (uint64_t steps = least_; steps <= least_ + kStepsAbove && steps < reached(); ++steps)
      search_in(steps);
    if (reached() <= least_ + 1) return *std::move(best_);
    if (trees_.size() == 0) search_trees();
    if (trees_.size() == 0) pack_trees();
    flood();
    return *std::move(best_);
  }

 private:
  [[nodiscard]] uint64_t reached() const { return best_ ? best_->steps(pieces_) : UINT64_MAX; }
  [[nodiscard]] uint32_t in_window(uint32_t window) const { return pieces_ - (batches_ - window) * batch_; }

  void offer(TreeStreams streams) {
    if (streams.last) {
      auto& last = *streams.last;
      const uint32_t there = in_window(last.batches);
      std::erase_if(last.sends, [&](const LastBatches::Send& send) { return send.piece >= there; });
      last.steps = last.sends.empty() ? 0 : last.sends.back().step;
      if (batches_ > last.batches) last.steps = std::max(last.steps, streams.trees.height() - 1);
    }
    if (streams.steps(pieces_) < reached()) best_ = std::move(streams);
  }

  // Trees by themselves, in batches and two by two.
  void take(DisjointTrees trees) {
    offer({batch_, trees, std::nullopt, false});
    // A router would be sent pieces that it need not pass on.
    if (reached() > least_ && !net_.has_routers()) offer({batch_, paired(trees), std::nullopt, true});
    trees_ = std::move(trees);
  }

  // The two come together whose depths, added up, are small at every node.
  [[nodiscard]] DisjointTrees paired(const DisjointTrees& trees) const {
    const auto deepest = [&](size_t a, size_t b) {
      uint32_t sum = 0;
      for (size_t v = 0; v < trees.depths[a].size(); ++v)
        sum = std::max(sum, trees.depths[a][v] + trees.depths[b][v]);
      return sum;
    };
    DisjointTrees out{trees.root, {}, {}};
    std::vector<size_t> left(trees.size());
    for (size_t j = 0; j < left.size(); ++j) left[j] = j;
    while (!left.empty()) {
      const size_t a = left.back();
      left.pop_back();
      const auto move_over = [&](size_t j) {
        out.arcs.push_back(trees.arcs[j]);
        out.depths.push_back(trees.depths[j]);
      };
      move_over(a);
      if (left.empty()) break;
      const auto b = std::ranges::min_element(left, {}, [&](size_t j) { return deepest(a, j); });
      move_over(*b);
      left.erase(b);
    }
    return out;
  }

  // Whether a formula of that size may still be solved.
  [[nodiscard]] bool affords(const TreeStreamQuestion& question, const TreeSymmetry& symmetry) {
    const uint64_t size = formula_size(net_, question, symmetry);
    if (size > (symmetry.order > 1 ? kLargestFormula : kLargestPlainFormula) || size > effort_) return false;
    effort_ -= size;
    return true;
  }

  // Trees and window at once.
  void search_in(uint64_t steps) {
    for (uint32_t window = 1; window <= std::min(kWidestWindow, batches_); ++window) {
      if (steps <= batches_ - window) continue;
      TreeStreamQuestion question;
      question.trees = batch_;
      question.window = window;
      question.window_steps = static_cast<uint32_t>(steps) - (batches_ - window);
      question.height = batches_ > window ? question.window_steps + 1 : 0;
      for (const TreeSymmetry& symmetry : symmetries_) {
        const bool whole = symmetry.order > 1 || steps >= least_full_;
        if (whole && steps < least_full_) continue;
        question.pieces = whole ? window * batch_ : in_window(window);
        if (!affords(question, symmetry)) continue;
        const uint32_t conflicts = window == 1 ? kConflicts : kConflictsWide;
        if (auto found = search_tree_streams(net_, root_, question, symmetry, conflicts)) {
          offer(*std::move(found));
          return;
        }
      }
    }
  }

  // Trees alone, of small height.
  void search_trees() {
    effort_ = kMostFormulas;
    const std::vector<uint32_t> hops = distances_from(net_, root_);
    uint32_t farthest = 0;
    for (const NodeId v : net_.endpoints()) farthest = std::max(farthest, hops[index(v)]);
    for (const uint32_t more : {1U, 2U, 4U, 8U}) {
      TreeStreamQuestion question;
      question.trees = batch_;
      question.height = farthest + more;
      for (const TreeSymmetry& symmetry : symmetries_) {
        if (!affords(question, symmetry)) continue;
        if (auto found = search_tree_streams(net_, root_, question, symmetry, kConflicts))
          return take(std::move(found->trees));
        break;
      }
    }
  }

  // Always possible: where routers have fewer paths, with fewer trees.
  void pack_trees() {
    for (uint32_t trees = batch_; trees > 0; --trees) {
      auto packed = packed_trees(net_, root_, trees);
      if (!packed) continue;
      // What was found with more trees stays as good as it is.
      if (trees < batch_ && best_) return;
      batch_ = trees;
      batches_ = over(pieces_, batch_);
      return take(*std::move(packed));
    }
  }

  void flood() {
    for (uint32_t window = 1; window <= batches_ && reached() > least_; ++window) {
      if (window > kWidestFlood) {
        if (pieces_ > kMostFlooded) return;
        window = batches_;
      }
      // Fewer steps than so far; the batches before must be done, too.
      if (reached() <= batches_ - window + 1) continue;
      const uint64_t most = reached() - 1 - (batches_ - window);
      if (batches_ > window && most + 1 < trees_.height()) continue;
      auto last = flood_window(net_, trees_, window, in_window(window), static_cast<uint32_t>(most),
                               batches_ > window);
      if (last) offer({batch_, trees_, std::move(last), false});
    }
  }

  const Topology& net_;
  NodeId root_;
  uint32_t pieces_;
  uint32_t batch_;
  uint32_t batches_;
  uint64_t least_;       // steps that any plan takes
  uint64_t least_full_;  // ... if the last batch is a whole one
  std::vector<TreeSymmetry> symmetries_;
  std::optional<TreeStreams> best_;
  DisjointTrees trees_;              // by themselves, if any were made
  uint64_t effort_ = kMostFormulas;  // that is left
};

}  // namespace

uint32_t most_disjoint_trees(const Topology& topology, NodeId root) {
  // Where all nodes look alike there are as many as links (Mader 1971, Watkins 1970).
  const auto capacities = topology.capacities();
  if (topology.cayley() != nullptr && !topology.has_routers() &&
      std::ranges::all_of(capacities, [&](uint32_t capacity) { return capacity == capacities[0]; }))
    return topology.out_degree(root) * capacities[0];
  uint64_t fewest = UINT64_MAX;
  SuccessivePaths paths(topology, root, false);
  for (const NodeId v : topology.endpoints()) {
    if (v != root) fewest = std::min(fewest, paths.disjoint(v, fewest));
  }
  return static_cast<uint32_t>(std::min<uint64_t>(fewest, UINT32_MAX));
}

TreeStreams best_tree_streams(const Topology& topology, NodeId root, uint32_t pieces) {
  return Streaming(topology, root, pieces).best();
}

}  // namespace quadrille
