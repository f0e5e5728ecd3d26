#include "quadrille/algorithms/worm_broadcast/worm_swarm.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/random.h"
#include "quadrille/base/search_limits.h"
#include "quadrille/base/threads/both_at_once.h"
#include "quadrille/topology/queries/arcs_into.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"

namespace quadrille {
namespace {

constexpr uint64_t kSwarmWork = 6'000'000;  // links looked at, in all tries
constexpr uint32_t kMostTries = 16;

using WormSteps = std::vector<std::vector<PieceWorm>>;

// What came of a try.
struct Try {
  // Before each of its steps: how many it takes at least, and how many links it has looked at.
  struct Check {
    size_t steps;
    uint64_t looked;
    [[nodiscard]] bool is_within(size_t most, uint64_t looks) const {
      return steps <= most && looked < looks;
    }
  };
  std::optional<WormSteps> found{};
  std::vector<Check> checks{};
  uint64_t looked = 0;

  // As if it had been made within these, which leave it no more room than it had. Returns how many links it looks at then.
  uint64_t keep_to(size_t most, uint64_t looks) {
    for (const Check& check : checks) {
      if (check.is_within(most, looks)) continue;
      found.reset();
      return std::min(looks, check.looked);
    }
    return std::min(looks, looked);
  }
};

// Puts what has the least key first, and leaves those of one key as they are: keys are small numbers.
class StableOrder {
 public:
  template <class T, class Key>
  void sort(std::vector<T>& all, const Key& key) {
    begin_.clear();
    for (const T& one : all) {
      const size_t at = size_t{key(one)} + 1;
      if (at >= begin_.size()) begin_.resize(at + 1, 0);
      ++begin_[at];
    }
    for (size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    sorted_.resize(all.size());
    for (const T& one : all) sorted_[begin_[key(one)]++] = static_cast<uint32_t>(one);
    for (size_t i = 0; i < all.size(); ++i) all[i] = T{sorted_[i]};
  }

 private:
  std::vector<uint32_t> begin_{};
  std::vector<uint32_t> sorted_{};
};

class WormSwarm {
 public:
  // Together: crowds shrink by one at a time, the largest first; else the smallest by as many as it can.
  WormSwarm(const Problem& problem, uint64_t seed, bool together)
      : net_(problem.topology()),
        root_(net_.endpoint(*problem.collective().root())),
        pieces_(problem.collective().pieces()),
        sends_(problem.model().send.unlimited() ? UINT32_MAX : problem.model().send.count),
        receives_(problem.model().receive.unlimited() ? UINT32_MAX : problem.model().receive.count),
        is_half_(problem.model().duplex == Duplex::kHalf),
        together_(together),
        rng_(seed),
        hops_(distances_from(net_, root_)),
        leaves_root_(std::max<uint64_t>(1, std::min<uint64_t>(kind_of(net_, root_).out, sends_))),
        into_(arcs_into(net_)),
        state_(size_t{pieces_} * net_.num_nodes(), kLeft),
        crowds_(pieces_, {net_.endpoints().begin(), net_.endpoints().end()}),
        next_(pieces_),
        onwards_(net_.num_nodes(), kNoArc),
        seen_(net_.num_nodes(), 0) {
    for (uint32_t piece = 0; piece < pieces_; ++piece)
      for (const NodeId v : net_.endpoints()) state(piece, v) = 0;
    for (const NodeId v : net_.endpoints()) farthest_ = std::max(farthest_, hops_[index(v)]);
    missing_ = uint64_t{pieces_} * (net_.num_endpoints() - 1);
    live_ = missing_ == 0 ? 0 : pieces_;
  }

  // Nothing is found where it takes more than `most` steps, or looks at so many links.
  Try run(const std::atomic<size_t>& most, uint64_t looks) {
    Try out;
    WormSteps steps;
    while (missing_ > 0) {
      // Of every piece that somebody else has one worm has yet to come to the root.
      out.checks.push_back({steps.size() + (live_ + leaves_root_ - 1) / leaves_root_, looked_});
      if (!out.checks.back().is_within(most, looks)) return out;
      steps.push_back(step());
      QUADRILLE_CHECK(!steps.back().empty(), net_.name());
    }
    std::reverse(steps.begin(), steps.end());
    out.found = std::move(steps);
    out.looked = looked_;
    return out;
  }

 private:
  // Of a node and a piece, beside how many worms with it the node sends in the step.
  static constexpr uint32_t kGoes = UINT32_MAX - 1;
  static constexpr uint32_t kLeft = UINT32_MAX;

  uint32_t& state(uint32_t piece, NodeId node) {
    return state_[size_t{piece} * net_.num_nodes() + index(node)];
  }

  std::vector<PieceWorm> step() {
    free_.assign(net_.num_arcs(), 0);
    for (const ArcId arc : net_.arcs()) free_[index(arc)] = net_.capacity(arc);
    sent_.assign(net_.num_nodes(), 0);
    received_.assign(net_.num_nodes(), 0);
    next_.assign(pieces_, 0);
    std::vector<uint32_t> order(pieces_);
    std::iota(order.begin(), order.end(), 0U);
    rng_.shuffle(order);
    sorting_.sort(order, [&](uint32_t piece) {
      const size_t crowd = crowds_[piece].size();
      return static_cast<uint32_t>(together_ ? net_.num_endpoints() - crowd : crowd);
    });
    for (std::vector<NodeId>& crowd : crowds_) {
      if (crowd.size() < 2) continue;
      rng_.shuffle(crowd);
      sorting_.sort(crowd, [&](NodeId v) { return farthest_ - hops_[index(v)]; });
    }
    std::vector<PieceWorm> out;
    while (!order.empty()) {
      std::erase_if(order, [&](uint32_t piece) {
        while (std::optional<WormPath> path = next_to_go(piece)) {
          out.push_back({piece, *std::move(path)});
          if (together_) return false;
        }
        return true;
      });
    }
    for (uint32_t piece = 0; piece < pieces_; ++piece) {
      std::erase_if(crowds_[piece], [&](NodeId v) {
        uint32_t& now = state(piece, v);
        now = now == kGoes ? kLeft : 0;
        return now == kLeft;
      });
    }
    live_ = static_cast<uint64_t>(
        std::ranges::count_if(crowds_, [](const std::vector<NodeId>& crowd) { return crowd.size() > 1; }));
    missing_ -= out.size();
    return out;
  }

  // Who finds no way finds none later in the step.
  std::optional<WormPath> next_to_go(uint32_t piece) {
    while (next_[piece] < crowds_[piece].size()) {
      const NodeId node = crowds_[piece][next_[piece]++];
      if (node == root_ || state(piece, node) != 0 || received_[index(node)] >= receives_) continue;
      if (std::optional<WormPath> path = way_to(piece, node)) return path;
    }
    return std::nullopt;
  }

  // The shortest free one from any who stays; of several near ones, from who sends most of it, then the nearest to the root.
  std::optional<WormPath> way_to(uint32_t piece, NodeId to) {
    ++search_;
    queue_.assign(1, to);
    seen_[index(to)] = search_;
    NodeId best = kNoNode;
    ++looked_;
    const auto is_better = [&](NodeId a, NodeId b) {
      if (state(piece, a) != state(piece, b)) return state(piece, a) > state(piece, b);
      return hops_[index(a)] < hops_[index(b)];
    };
    for (size_t i = 0, level = 1; i < queue_.size(); ++i) {
      if (i == level) {
        if (best != kNoNode) break;
        level = queue_.size();
      }
      for (const ArcId arc : into_[index(queue_[i])]) {
        ++looked_;
        const NodeId from = net_.tail(arc);
        if (seen_[index(from)] == search_ || !is_free(arc)) continue;
        seen_[index(from)] = search_;
        onwards_[index(from)] = arc;
        queue_.push_back(from);
        if (state(piece, from) >= kGoes || sent_[index(from)] >= sends_) continue;
        if (best == kNoNode || is_better(from, best)) best = from;
      }
    }
    if (best == kNoNode) return std::nullopt;
    return take(piece, best, to);
  }

  [[nodiscard]] bool is_free(ArcId arc) const {
    if (free_[index(arc)] == 0) return false;
    const ArcId back = is_half_ ? net_.reverse(arc) : kNoArc;
    return back == kNoArc || free_[index(back)] == net_.capacity(back);
  }

  WormPath take(uint32_t piece, NodeId from, NodeId to) {
    WormPath path;
    for (NodeId at = from; at != to; at = net_.head(path.back())) {
      path.push_back(onwards_[index(at)]);
      --free_[index(path.back())];
    }
    ++sent_[index(from)];
    ++received_[index(to)];
    ++state(piece, from);
    state(piece, to) = kGoes;
    return path;
  }

  const Topology& net_;
  NodeId root_;
  uint32_t pieces_;
  uint32_t sends_;
  uint32_t receives_;
  bool is_half_;
  bool together_;
  Rng rng_;
  std::vector<uint32_t> hops_;  // from the root
  uint32_t farthest_ = 0;       // of the endpoints
  uint64_t leaves_root_;        // worms of a step
  std::vector<std::vector<ArcId>> into_;
  std::vector<uint32_t> state_;              // [piece * nodes + node]
  std::vector<std::vector<NodeId>> crowds_;  // of every piece
  std::vector<size_t> next_;                 // of them, in the step
  uint64_t missing_ = 0;                     // who have still to go, of all crowds
  uint64_t live_ = 0;                        // crowds of more than the root
  uint64_t looked_ = 0;                      // at links
  StableOrder sorting_{};
  std::vector<uint32_t> free_{};  // lanes, per arc
  std::vector<uint32_t> sent_{};  // worms of the step, per node
  std::vector<uint32_t> received_{};
  std::vector<ArcId> onwards_;  // of a search
  std::vector<uint64_t> seen_;
  std::vector<NodeId> queue_{};
  uint64_t search_ = 0;
};

}  // namespace

// A try is made within what those before it leave, and one that is made beside the last of these is told as if it had come after
// it: so the same is found by one thread as by two.
WormSteps swarm_by_worms(const Problem& problem, uint64_t least, uint32_t tries_at_once) {
  static_assert(kMostTries % 2 == 0);
  uint64_t work = SearchLimits::work(kSwarmWork);
  WormSteps best;
  const auto looks_for = [&](uint32_t attempt) {
    // One of each kind is made to its end, whatever it takes.
    return attempt < 2 ? UINT64_MAX : work;
  };
  const auto most_steps = [&] { return best.empty() ? SIZE_MAX : best.size() - 1; };
  const auto take = [&](uint32_t attempt, Try& made) {
    work -= std::min(work, made.keep_to(most_steps(), looks_for(attempt)));
    if (made.found) best = *std::move(made.found);
    return best.size() <= least || (work == 0 && attempt > 0) || searches_are_stopped();
  };
  const auto run = [&](uint32_t attempt, const std::atomic<size_t>& most, uint64_t looks) {
    return WormSwarm(problem, attempt, attempt % 2 == 0).run(most, looks);
  };
  const bool is_beside = tries_at_once > 1;
  for (uint32_t attempt = 0; attempt < kMostTries; attempt += 2) {
    Try now;
    Try next;
    bool is_over = false;
    const std::atomic<size_t> most = most_steps();
    std::atomic<size_t> most_of_next = most_steps();
    const uint64_t looks = looks_for(attempt);
    const auto make = [&] {
      now = run(attempt, most, looks);
      is_over = take(attempt, now);
      most_of_next = is_over ? 0 : most_steps();
    };
    if (is_beside)
      both_at_once(make, [&] { next = run(attempt + 1, most_of_next, looks); });
    else
      make();
    if (is_over) break;
    if (!is_beside) next = run(attempt + 1, most_of_next, looks_for(attempt + 1));
    if (take(attempt + 1, next)) break;
  }
  return best;
}

}  // namespace quadrille
