#include "quadrille/algorithms/fat_trees/fat_tree_windows.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/rational.h"
#include "quadrille/base/work_count.h"

namespace quadrille {
namespace {

// A flow has as many edges as there are pairs of leaves in two subtrees, and there are as many flows as
// steps.
constexpr uint32_t kMostByFlow = 256;

}  // namespace

std::vector<uint32_t> leaves_in_turn(const FatTree& tree, uint32_t level) {
  std::vector<uint32_t> out(tree.below(level));
  for (uint32_t number = 0; number < out.size(); ++number) {
    uint32_t rest = number;
    for (uint32_t l = level; l > 0; --l) {
      out[number] += rest % tree.arity(l) * tree.below(l - 1);
      rest /= tree.arity(l);
    }
  }
  return out;
}

namespace {

uint64_t rounded_up(uint64_t amount, uint64_t by) { return (amount + by - 1) / by; }

// What one subtree sends, and what it gets from its sisters, over each of its branches in one step. Branches
// of level j are numbered by the leaves' numbers modulo how many there are.
class Loads {
 public:
  Loads(const FatTree& tree, const LevelExchange& exchange) : turn_(exchange.leaves) {
    for (uint32_t u = 0; u < exchange.leaves; ++u) turn_[exchange.leaf[u]] = u;
    for (uint32_t j = 1; j <= exchange.level; ++j) {
      const uint32_t branches = exchange.leaves / tree.below(j - 1);
      levels_.push_back({branches, tree.capacity(j), std::vector<uint64_t>(2 * size_t{branches}, 0)});
    }
  }

  void clear() {
    for (Level& level : levels_) std::fill(level.load.begin(), level.load.end(), 0);
  }
  // False when a branch is overloaded.
  bool add(uint32_t from, uint32_t to) {
    bool fits = true;
    for (Level& level : levels_) {
      fits = ++level.load[turn_[from] % level.branches] <= level.capacity && fits;
      fits = ++level.load[level.branches + turn_[to] % level.branches] <= level.capacity && fits;
    }
    return fits;
  }

 private:
  struct Level {
    uint32_t branches;
    uint32_t capacity;
    std::vector<uint64_t> load;  // up, then down
  };
  std::vector<uint32_t> turn_;
  std::vector<Level> levels_;
};

bool windows_fit(const FatTree& tree, const LevelExchange& exchange) {
  Loads loads(tree, exchange);
  bool fits = true;
  uint64_t step = 0;
  uint64_t sent = 0;
  exchange.for_each_message([&](uint32_t, uint32_t from, uint32_t to) {
    if (sent == exchange.sent(step)) {
      ++step;
      loads.clear();
    }
    fits = loads.add(from, to) && fits;
    ++sent;
  });
  return fits;
}

}  // namespace

uint64_t LevelExchange::steps() const {
  const uint64_t run = uint64_t{leaves} * sisters;
  return windows == Windows::kCut ? leaves * rounded_up(run, window) : rounded_up(messages(), window);
}

uint64_t LevelExchange::sent(uint64_t step) const {
  if (windows == Windows::kFull) return std::min(messages(), (step + 1) * window);
  if (windows != Windows::kCut) {
    return static_cast<uint64_t>(UInt128{messages()} * (step + 1) / steps());
  }
  const uint64_t run = uint64_t{leaves} * sisters;
  const uint64_t steps_per_run = rounded_up(run, window);
  return step / steps_per_run * run + std::min(run, (step % steps_per_run + 1) * window);
}

LevelExchange level_exchange(const FatTree& tree, uint32_t level) {
  LevelExchange out;
  out.level = level;
  out.leaves = tree.below(level - 1);
  out.sisters = tree.arity(level) - 1;
  for (uint32_t j = 0; j < level; ++j) out.blocks.push_back(tree.below(j));
  out.leaf = leaves_in_turn(tree, level - 1);
  for (uint32_t j = level; j > 0; --j) {
    const uint32_t branches = out.leaves / tree.below(j - 1);
    const uint64_t width = uint64_t{branches} * tree.capacity(j);
    if (j != level && width > out.window) continue;
    out.window = width;
    out.group = branches;
  }
  if (out.window <= uint64_t{out.leaves} * out.sisters + out.group || windows_fit(tree, out)) return out;
  out.group = 1;
  out.windows = Windows::kEven;
  if (!windows_fit(tree, out)) out.windows = out.leaves <= kMostByFlow ? Windows::kFlow : Windows::kCut;
  return out;
}

std::vector<LevelExchange> level_exchanges(const FatTree& tree) {
  count_work(Work::kSearching);
  std::vector<LevelExchange> out;
  for (uint32_t l = tree.height(); l > 0; --l) out.push_back(level_exchange(tree, l));
  return out;
}

std::string special_windows(const std::vector<LevelExchange>& exchanges) {
  std::vector<std::string> parts;
  for (const LevelExchange& exchange : exchanges) {
    if (exchange.windows == Windows::kFull) continue;
    const std::string_view how = exchange.windows == Windows::kEven
                                     ? "windows of equal lengths"
                                     : (exchange.windows == Windows::kFlow
                                            ? "no window fits its capacities and each step is found by a flow"
                                            : "no window fits its capacities and shorter ones cost steps");
    parts.push_back(fmt::format("level {}: {}", exchange.level, how));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace quadrille
