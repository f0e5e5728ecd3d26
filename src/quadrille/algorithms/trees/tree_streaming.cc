#include "quadrille/algorithms/trees/tree_streaming.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "quadrille/algorithms/graphs/worth_making.h"
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
constexpr uint32_t kConflictsWide = 10'000;      // where two batches or more are searched for
constexpr uint64_t kSmallPlainFormula = 20'000;  // beyond, without a symmetry:
constexpr uint32_t kConflictsPlain = 5'000;
constexpr uint32_t kConflictsPlainWide = 2'000;
constexpr uint32_t kStepsAbove = 2;  // searched for in one step more than the flow takes, and so on

uint32_t over(uint64_t pieces, uint32_t batch) { return static_cast<uint32_t>((pieces + batch - 1) / batch); }

// What was found out about a root. A number of pieces asks the same of trees and windows as the next one does: that is
// answered once, also where nothing was found. For several threads.
class KnownTrees {
 public:
  // Trees, height, window, its steps and pieces; which symmetry, and conflicts.
  using Question = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t, uint32_t>;

  KnownTrees(Topology topology, NodeId root) : net_(std::move(topology)), root_(root) {}

  [[nodiscard]] bool are_of(const Topology& topology, NodeId root) const {
    return root == root_ && net_.is_copy_of(topology);
  }

  uint32_t most_disjoint() {
    return known(most_disjoint_, 0, [&] { return count_disjoint(); });
  }
  const std::vector<TreeSymmetry>& symmetries() {
    return known(symmetries_, 0, [&] { return symmetries_about(net_, root_); });
  }
  uint64_t quickest(uint64_t pieces) {
    return known(quickest_, pieces, [&] { return quickest_to_all(net_, root_, false, pieces).steps; });
  }
  const std::optional<TreeStreams>& search(const TreeStreamQuestion& q, size_t symmetry, uint32_t conflicts) {
    const Question question{q.trees, q.height, q.window, q.window_steps, q.pieces, symmetry, conflicts};
    return known(searched_, question,
                 [&] { return search_tree_streams(net_, root_, q, symmetries()[symmetry], conflicts); });
  }
  const std::optional<DisjointTrees>& packed(uint32_t trees) {
    return known(packed_, trees, [&] { return packed_trees(net_, root_, trees); });
  }

 private:
  // A map's entries stay where they are. Two threads that ask at the same time find the same.
  template <typename Key, typename Value, typename Make>
  const Value& known(std::map<Key, Value>& values, const Key& key, const Make& make) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto at = values.find(key); at != values.end()) return at->second;
    }
    Value made = make();
    const std::lock_guard lock(mutex_);
    return values.try_emplace(key, std::move(made)).first->second;
  }

  [[nodiscard]] uint32_t count_disjoint() const {
    // Where all nodes look alike there are as many as links (Mader 1971, Watkins 1970).
    const auto capacities = net_.capacities();
    if (net_.cayley() != nullptr && !net_.has_routers() &&
        std::ranges::all_of(capacities, [&](uint32_t capacity) { return capacity == capacities[0]; }))
      return net_.out_degree(root_) * capacities[0];
    uint64_t fewest = UINT64_MAX;
    SuccessivePaths paths(net_, root_, false);
    for (const NodeId v : net_.endpoints()) {
      if (v != root_) fewest = std::min(fewest, paths.disjoint(v, fewest));
    }
    return static_cast<uint32_t>(std::min<uint64_t>(fewest, UINT32_MAX));
  }

  Topology net_;
  NodeId root_;
  std::mutex mutex_;
  std::map<int, uint32_t> most_disjoint_;
  std::map<int, std::vector<TreeSymmetry>> symmetries_;
  std::map<uint64_t, uint64_t> quickest_;
  std::map<Question, std::optional<TreeStreams>> searched_;
  std::map<uint32_t, std::optional<DisjointTrees>> packed_;
};

// Kept until another root is asked for.
std::shared_ptr<KnownTrees> known_trees(const Topology& topology, NodeId root) {
  static std::mutex mutex;
  static std::shared_ptr<KnownTrees> last;
  const std::lock_guard lock(mutex);
  if (!last || !last->are_of(topology, root)) last = std::make_shared<KnownTrees>(topology, root);
  return last;
}

class Streaming {
 public:
  Streaming(const Topology& topology, NodeId root, uint32_t pieces)
      : known_(known_trees(topology, root)),
        net_(topology),
        root_(root),
        pieces_(pieces),
        batch_(known_->most_disjoint()),
        batches_(over(pieces, batch_)),
        least_(known_->quickest(pieces)),
        least_full_(known_->quickest(uint64_t{batches_} * batch_)),
        symmetries_(known_->symmetries()) {}

  // All pieces alike: of the trees that are found the lowest.
  TreeStreams best_in_order() {
    count_work(Work::kSearching);
    in_order_ = true;
    take_formulas();
    search_trees();
    if (trees_.size() == 0) pack_trees();
    return *std::move(best_);
  }

  TreeStreams best() {
    count_work(Work::kSearching);
    take_formulas();
    const auto is_wanted = [](uint64_t steps) { return WorthMaking::is_any_of(steps, steps); };
    for (uint64_t steps = least_; steps <= least_ + kStepsAbove && steps < reached() && is_wanted(steps);
         ++steps)
      search_in(steps);
    if (reached() <= least_ + 1) return *std::move(best_);
    if (trees_.size() == 0 && is_wanted(least_)) search_trees();
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
    if (!in_order_ && reached() > least_ && !net_.has_routers())
      offer({batch_, paired(trees), std::nullopt, true});
    trees_ = std::move(trees);
  }

  void take_formulas() {
    for (const auto by_formula : {mesh_trees, complete_trees})
      if (auto trees = by_formula(net_, root_); trees && trees->size() == batch_) take(*std::move(trees));
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

  // What is found at all is found soon where there is no symmetry.
  [[nodiscard]] uint32_t conflicts_for(const TreeStreamQuestion& question,
                                       const TreeSymmetry& symmetry) const {
    const bool is_one = question.window == 1;
    if (symmetry.order > 1 || formula_size(net_, question, symmetry) <= kSmallPlainFormula)
      return is_one ? kConflicts : kConflictsWide;
    return is_one ? kConflictsPlain : kConflictsPlainWide;
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
      for (size_t i = 0; i < symmetries_.size(); ++i) {
        const TreeSymmetry& symmetry = symmetries_[i];
        const bool whole = symmetry.order > 1 || steps >= least_full_;
        if (whole && steps < least_full_) continue;
        question.pieces = whole ? window * batch_ : in_window(window);
        if (!affords(question, symmetry)) continue;
        const uint32_t conflicts = conflicts_for(question, symmetry);
        if (const auto& found = known_->search(question, i, conflicts)) {
          offer(*found);
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
      for (size_t i = 0; i < symmetries_.size(); ++i) {
        if (!affords(question, symmetries_[i])) continue;
        if (const auto& found = known_->search(question, i, kConflicts)) return take(found->trees);
        break;
      }
    }
  }

  // Always possible: where routers have fewer paths, with fewer trees.
  void pack_trees() {
    for (uint32_t trees = batch_; trees > 0; --trees) {
      const std::optional<DisjointTrees>& packed = known_->packed(trees);
      if (!packed) continue;
      // What was found with more trees stays as good as it is.
      if (trees < batch_ && best_) return;
      batch_ = trees;
      batches_ = over(pieces_, batch_);
      return take(*packed);
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

  std::shared_ptr<KnownTrees> known_;
  const Topology& net_;
  NodeId root_;
  uint32_t pieces_;
  uint32_t batch_;
  uint32_t batches_;
  uint64_t least_;       // steps that any plan takes
  uint64_t least_full_;  // ... if the last batch is a whole one
  const std::vector<TreeSymmetry>& symmetries_;
  std::optional<TreeStreams> best_;
  bool in_order_ = false;
  DisjointTrees trees_;              // by themselves, if any were made
  uint64_t effort_ = kMostFormulas;  // that is left
};

}  // namespace

uint32_t most_disjoint_trees(const Topology& topology, NodeId root) {
  return known_trees(topology, root)->most_disjoint();
}

TreeStreams best_tree_streams(const Topology& topology, NodeId root, uint32_t pieces, LastPieces last) {
  Streaming streaming(topology, root, pieces);
  return last == LastPieces::kInOrder ? streaming.best_in_order() : streaming.best();
}

}  // namespace quadrille
