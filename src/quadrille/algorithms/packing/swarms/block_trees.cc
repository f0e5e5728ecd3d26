#include "quadrille/algorithms/packing/swarms/block_trees.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "quadrille/algorithms/graphs/urgent_links.h"
#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"

namespace quadrille {
namespace block_tree_parts {
namespace {

constexpr int kPasses = 10;
constexpr double kFirstSharpness = 8;
constexpr double kLastSharpness = 150;
constexpr double kPriceUnit = 1'048'576.0;
constexpr uint64_t kHop = 4'096;  // so that ways of no price are short
constexpr uint64_t kNoise = 1'024;
constexpr int64_t kStaggers[] = {0, 1, 3, 10, 30};
constexpr int kTurnsInVain = 4;
constexpr int kMostTurns = 24;

// What nodes and links have to do in all trees, each with so much of it in a step.
class Loads {
 public:
  explicit Loads(const SwarmTask& task) : net_(task.net) {
    for (const ArcId arc : net_.arcs()) can_.push_back(net_.capacity(arc));
    const auto of_nodes = [&](Ports ports) {
      const size_t first = can_.size();
      can_.resize(first + net_.num_nodes(), ports.unlimited() ? UINT32_MAX : ports.count);
      return first;
    };
    sends_ = of_nodes(task.send);
    receives_ = of_nodes(task.receive);
    load_.assign(can_.size(), 0);
    price_.assign(can_.size(), 1);
  }

  void count(ArcId arc, int by) {
    for (const size_t r : of(arc)) {
      load_[r] += by;
      set_price(r);
    }
  }
  [[nodiscard]] uint64_t price(ArcId arc) const {
    uint64_t sum = kHop;
    for (const size_t r : of(arc)) sum += price_[r];
    return sum;
  }
  // Steps that the fullest needs.
  [[nodiscard]] uint64_t fullest() const {
    uint64_t most = 0;
    for (size_t r = 0; r < can_.size(); ++r)
      most = std::max(most, (static_cast<uint64_t>(load_[r]) + can_[r] - 1) / can_[r]);
    return most;
  }
  void set_prices(double sharpness, double level) {
    sharpness_ = sharpness;
    level_ = level;
    for (size_t r = 0; r < can_.size(); ++r) set_price(r);
  }

 private:
  [[nodiscard]] std::array<size_t, 3> of(ArcId arc) const {
    return {index(arc), sends_ + index(net_.tail(arc)), receives_ + index(net_.head(arc))};
  }
  // Rounded, so that the last digit of a machine's exp() does not matter.
  void set_price(size_t r) {
    const double over = double(load_[r]) / (double(can_[r]) * level_) - 1.0;
    price_[r] =
        static_cast<uint64_t>(std::llround(kPriceUnit * std::exp(sharpness_ * std::clamp(over, -1.0, 0.2))));
  }

  const Topology& net_;
  size_t sends_ = 0;
  size_t receives_ = 0;
  double sharpness_ = 1;
  double level_ = 1;
  std::vector<uint32_t> can_{};
  std::vector<int64_t> load_{};
  std::vector<uint64_t> price_{};
};

// The arcs of a tree, parents first.
using Tree = std::vector<ArcId>;

class Forest {
 public:
  Forest(const SwarmTask& task, uint64_t least)
      : task_(task), net_(task.net), least_(least), loads_(task), trees_(task.origins.size()) {}

  std::vector<Tree> grow() {
    std::vector<Tree> best;
    uint64_t fewest = UINT64_MAX;
    // What is good enough decides when to stop and nothing else, so that whoever knows a better bound finds no other trees.
    auto level = static_cast<double>(trees_.size());
    std::vector<uint32_t> order(trees_.size());
    std::iota(order.begin(), order.end(), 0U);
    for (int pass = 0; pass < kPasses && fewest > least_ && !searches_are_stopped(); ++pass) {
      loads_.set_prices(
          kFirstSharpness * std::pow(kLastSharpness / kFirstSharpness, pass / double{kPasses - 1}), level);
      rng_.shuffle(order);
      for (const uint32_t b : order) {
        for (const ArcId arc : trees_[b]) loads_.count(arc, -1);
        grow(b);
        for (const ArcId arc : trees_[b]) loads_.count(arc, 1);
      }
      const uint64_t now = loads_.fullest();
      level = 0.999 * static_cast<double>(now);
      if (now >= fewest) continue;
      fewest = now;
      best = trees_;
    }
    return best.empty() ? trees_ : best;
  }

 private:
  void grow(uint32_t b) {
    Tree& tree = trees_[b];
    tree.clear();
    cost_.assign(net_.num_nodes(), UINT64_MAX);
    over_.assign(net_.num_nodes(), kNoArc);
    is_in_.assign(net_.num_nodes(), 0);
    uint64_t missing = net_.num_endpoints();
    const auto join = [&](NodeId v) {
      is_in_[index(v)] = 1;
      cost_[index(v)] = 0;
      queue_.emplace(0, v);
      if (net_.rank(v)) --missing;
    };
    join(task_.origins[b]);
    while (missing > 0) {
      const auto [cost, v] = queue_.top();
      queue_.pop();
      if (cost != cost_[index(v)]) continue;
      if (net_.rank(v) && is_in_[index(v)] == 0) {
        const size_t first = tree.size();
        for (NodeId w = v; is_in_[index(w)] == 0; w = net_.tail(over_[index(w)])) {
          tree.push_back(over_[index(w)]);
          join(w);
        }
        std::reverse(tree.begin() + static_cast<ptrdiff_t>(first), tree.end());
        continue;
      }
      for (const ArcId arc : net_.arcs_from(v)) {
        const size_t w = index(net_.head(arc));
        const uint64_t then = cost + loads_.price(arc) + rng_.below(kNoise);
        if (then >= cost_[w]) continue;
        cost_[w] = then;
        over_[w] = arc;
        queue_.emplace(then, net_.head(arc));
      }
    }
    queue_ = {};
  }

  const SwarmTask& task_;
  const Topology& net_;
  uint64_t least_;
  Loads loads_;
  Rng rng_{1};
  std::vector<Tree> trees_;
  std::vector<uint64_t> cost_{};
  std::vector<ArcId> over_{};
  std::vector<char> is_in_{};
  using Item = std::pair<uint64_t, NodeId>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_{};
};

constexpr uint32_t kNone = UINT32_MAX;

// A block over an arc of its tree.
struct Send {
  ArcId arc;
  uint32_t block;
  uint32_t after;         // the send by which the block comes to the tail
  uint32_t children = 0;  // sends that come after it
  uint32_t height = 0;    // of the longest chain of them
};

// Sends in an order that is given by keys, forward or backward in time, where all arcs run the other way.
class Timetable {
 public:
  Timetable(const SwarmTask& task, const std::vector<Tree>& trees)
      : net_(task.net), links_(task.net, task.send, task.receive) {
    std::vector<uint32_t> into(net_.num_nodes(), kNone);
    for (uint32_t b = 0; b < trees.size(); ++b) {
      into[index(task.origins[b])] = kNone;
      for (const ArcId arc : trees[b]) {
        into[index(net_.head(arc))] = static_cast<uint32_t>(sends_.size());
        sends_.push_back({arc, b, into[index(net_.tail(arc))]});
      }
    }
    next_.resize(sends_.size());
    for (uint32_t i = static_cast<uint32_t>(sends_.size()); i-- > 0;) {
      if (sends_[i].after == kNone) continue;
      Send& before = sends_[sends_[i].after];
      ++before.children;
      before.height = std::max(before.height, sends_[i].height + 1);
      next_[sends_[i].after].push_back(i);
    }
  }

  [[nodiscard]] const std::vector<Send>& sends() const { return sends_; }

  // The steps taken, the step of every send in `step_of`.
  uint32_t run(bool backwards, const std::vector<int64_t>& keys, std::vector<uint32_t>& step_of) {
    queues_.assign(net_.num_arcs(), {});
    step_of.assign(sends_.size(), 0);
    std::vector<uint32_t> waits(sends_.size());
    for (uint32_t i = 0; i < sends_.size(); ++i) {
      waits[i] = backwards ? sends_[i].children : static_cast<uint32_t>(sends_[i].after != kNone);
      if (waits[i] == 0) queues_[index(sends_[i].arc)].emplace(keys[i], i);
    }
    const auto done = [&](uint32_t i) {
      if (--waits[i] == 0) queues_[index(sends_[i].arc)].emplace(keys[i], i);
    };
    uint32_t steps = 0;
    for (size_t left = sends_.size(); left > 0; ++steps) {
      choose();
      left -= taken_.size();
      for (const uint32_t i : taken_) {
        step_of[i] = steps;
        if (!backwards) {
          for (const uint32_t next : next_[i]) done(next);
        } else if (sends_[i].after != kNone) {
          done(sends_[i].after);
        }
      }
    }
    return steps;
  }

 private:
  void choose() {
    waiting_.clear();
    by_urgency_.clear();
    taken_.clear();
    for (const ArcId arc : net_.arcs())
      if (!queues_[index(arc)].empty()) waiting_.emplace_back(queues_[index(arc)].top(), arc);
    std::ranges::sort(waiting_);
    for (const auto& [key, arc] : waiting_) by_urgency_.push_back(arc);
    const auto sent = links_.choose(by_urgency_, [&](ArcId arc) { return queues_[index(arc)].size(); });
    for (const ArcId arc : net_.arcs()) {
      for (uint32_t c = sent[index(arc)]; c > 0; --c) {
        taken_.push_back(queues_[index(arc)].top().second);
        queues_[index(arc)].pop();
      }
    }
  }

  const Topology& net_;
  UrgentLinks links_;
  std::vector<Send> sends_{};
  std::vector<std::vector<uint32_t>> next_{};
  using Waiting = std::pair<int64_t, uint32_t>;
  std::vector<std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>>> queues_{};
  std::vector<std::pair<Waiting, ArcId>> waiting_{};
  std::vector<ArcId> by_urgency_{};
  std::vector<uint32_t> taken_{};
};

struct Times {
  uint32_t steps = 0;
  std::vector<uint32_t> step_of{};
};

// Forward by what is still to come after a send, late blocks some tenths of a send behind early ones; then backward and forward in the
// order of the last one.
void search_times(Timetable& table, int64_t stagger, size_t most, uint64_t least,
                  std::optional<Times>& best) {
  std::vector<int64_t> keys;
  for (const Send& send : table.sends()) keys.push_back(stagger * send.block - 10 * int64_t{send.height});
  std::vector<uint32_t> times;
  int in_vain = 0;
  for (int turn = 0; turn < kMostTurns && in_vain < kTurnsInVain && !searches_are_stopped(); ++turn) {
    const bool backwards = turn % 2 == 1;
    const uint32_t steps = table.run(backwards, keys, times);
    for (size_t i = 0; i < times.size(); ++i) keys[i] = -int64_t{times[i]};
    ++in_vain;
    if (steps > (best ? best->steps - 1 : most)) continue;
    in_vain = 0;
    if (backwards)
      for (uint32_t& time : times) time = steps - 1 - time;
    best = Times{steps, times};
    if (steps <= least) break;
  }
}

}  // namespace
}  // namespace block_tree_parts

std::optional<SwarmSteps> send_down_block_trees(const SwarmTask& task, size_t most, uint64_t least) {
  namespace parts = block_tree_parts;
  parts::Timetable table(task, parts::Forest(task, least).grow());
  std::optional<parts::Times> found;
  for (const int64_t stagger : parts::kStaggers)
    if (!found || found->steps > least) parts::search_times(table, stagger, most, least, found);
  if (!found) return std::nullopt;
  SwarmSteps out(found->steps);
  for (size_t i = 0; i < table.sends().size(); ++i)
    out[found->step_of[i]].push_back({table.sends()[i].arc, table.sends()[i].block});
  return out;
}

}  // namespace quadrille
