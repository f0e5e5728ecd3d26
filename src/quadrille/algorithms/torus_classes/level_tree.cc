#include "quadrille/algorithms/torus_classes/level_tree.h"

#include <algorithm>

#include "quadrille/base/random.h"

namespace quadrille {
namespace {

// Nodes looked at in one search, for all its moves.
constexpr uint64_t kWork = uint64_t{1} << 24U;
constexpr uint64_t kMovesOfNode = 256;
// At the start, chances in kCertain of a move that makes the sum one hop longer; of two hops a quarter of it, and so on. It
// falls to nothing. Whole numbers: the same on every machine.
constexpr uint64_t kCertain = uint64_t{1} << 20U;
constexpr uint64_t kHot = kCertain / 2;

class LevelSearch {
 public:
  LevelSearch(const TorusClasses& torus, uint32_t levels)
      : torus_(torus), levels_(levels), level_(torus.num_nodes(), 0), near_(torus.num_nodes()) {
    for (uint32_t v = 0; v < torus.num_nodes(); ++v)
      for (const uint32_t direction : torus.directions()) neighbours_.push_back(torus.moved(v, direction));
  }

  [[nodiscard]] LevelTree find() {
    start();
    std::vector<uint32_t> best = level_;
    uint64_t cost = total();
    uint64_t least = cost;
    Rng rng(1);
    const uint64_t moves =
        levels_ < 2 ? 0 : std::min(kWork / (levels_ * neighbours_.size()), kMovesOfNode * level_.size());
    for (uint64_t move = 0; move < moves; ++move) {
      const uint64_t chance = kHot * (moves - move) / moves;
      const auto v = static_cast<uint32_t>(1 + rng.below(level_.size() - 1));
      const uint32_t old = level_[v];
      level_[v] = static_cast<uint32_t>(1 + rng.below(levels_));
      if (level_[v] == old) continue;
      const uint64_t now = total();
      const uint64_t luck = rng.below(kCertain);
      if (now > cost && luck >= chance >> std::min<uint64_t>(2 * (now - cost - 1), 40)) {
        level_[v] = old;
        continue;
      }
      cost = now;
      if (cost >= least) continue;
      least = cost;
      best = level_;
    }
    level_ = best;
    return tree();
  }

 private:
  // As far away as the levels reach, in equal shares.
  void start() {
    uint32_t farthest = 0;
    for (uint32_t v = 0; v < level_.size(); ++v) farthest = std::max(farthest, torus_.length(v));
    for (uint32_t v = 1; v < level_.size(); ++v)
      level_[v] = (torus_.length(v) * levels_ + farthest - 1) / farthest;
  }

  // Hops from every node to the nearest one below a level, and which that is.
  void look_below(uint32_t level) {
    queue_.clear();
    for (uint32_t v = 0; v < level_.size(); ++v) {
      near_[v] = {UINT32_MAX, v};
      if (level_[v] >= level) continue;
      near_[v].hops = 0;
      queue_.push_back(v);
    }
    const size_t degree = torus_.directions().size();
    for (size_t i = 0; i < queue_.size(); ++i) {
      for (size_t k = 0; k < degree; ++k) {
        const uint32_t w = neighbours_[queue_[i] * degree + k];
        if (near_[w].hops != UINT32_MAX) continue;
        near_[w] = {near_[queue_[i]].hops + 1, near_[queue_[i]].node};
        queue_.push_back(w);
      }
    }
  }

  [[nodiscard]] uint64_t total() {
    uint64_t sum = 0;
    for (uint32_t level = 1; level <= levels_; ++level) {
      look_below(level);
      for (uint32_t v = 0; v < level_.size(); ++v)
        if (level_[v] == level) sum += near_[v].hops;
    }
    return sum;
  }

  [[nodiscard]] LevelTree tree() {
    LevelTree out{.levels = levels_, .edges = {}};
    for (uint32_t level = 1; level <= levels_; ++level) {
      look_below(level);
      for (uint32_t v = 0; v < level_.size(); ++v)
        if (level_[v] == level) out.edges.push_back({level, near_[v].node, v});
    }
    return out;
  }

  struct Near {
    uint32_t hops;
    uint32_t node;
  };

  const TorusClasses& torus_;
  uint32_t levels_;
  std::vector<uint32_t> level_;
  std::vector<uint32_t> neighbours_;
  std::vector<Near> near_;
  std::vector<uint32_t> queue_;
};

}  // namespace

// Whoever asks for the trees of a torus asks again for other numbers of pieces: those of the last one are kept.
LevelTree level_tree(const TorusClasses& torus, uint32_t levels) {
  struct Kept {
    uint32_t nodes = 0;
    size_t directions = 0;
    std::vector<LevelTree> trees{};
  };
  thread_local Kept kept;
  if (kept.nodes != torus.num_nodes() || kept.directions != torus.directions().size())
    kept = {torus.num_nodes(), torus.directions().size(), {}};
  for (const LevelTree& tree : kept.trees) {
    if (tree.levels == levels) return tree;
  }
  kept.trees.push_back(LevelSearch(torus, levels).find());
  return kept.trees.back();
}

}  // namespace quadrille
