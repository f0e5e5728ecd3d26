#include "quadrille/algorithms/repair/detours.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "quadrille/base/check.h"

namespace quadrille {
namespace {

constexpr uint32_t kDrawn = 6;       // paths that are drawn for a block each time, shortest ones
constexpr uint32_t kDrawnAside = 3;  // and with a step aside first
constexpr float kOfHop = 0.002F;     // what a hop costs over an arc that nobody needs
constexpr float kBetter = 0.999F;    // what is no cheaper than that is no reason to move
constexpr float kNotReached = std::numeric_limits<float>::infinity();

class Pricing {
 public:
  explicit Pricing(std::span<const float> room)
      : load_(room.size(), 0), per_room_(room.size()), price_(room.size()) {
    for (size_t a = 0; a < room.size(); ++a) {
      per_room_[a] = 1.0F / std::max(room[a], 1.0F);
      set(a);
    }
  }

  [[nodiscard]] float of(ArcId arc) const { return price_[index(arc)]; }
  [[nodiscard]] float of(std::span<const ArcId> path) const {
    float sum = 0;
    for (const ArcId arc : path) sum += of(arc);
    return sum;
  }
  void add(std::span<const ArcId> path, int count) {
    for (const ArcId arc : path) {
      load_[index(arc)] += count;
      set(index(arc));
    }
  }

 private:
  // Of one block more.
  void set(size_t a) {
    const float r = static_cast<float>(load_[a] + 1) * per_room_[a];
    const float r2 = r * r;
    price_[a] = kOfHop + r2 * r2 * r2;
  }

  std::vector<int> load_;
  std::vector<float> per_room_;
  std::vector<float> price_;
};

class Drawing {
 public:
  Drawing(const LivingPart& part, const Pricing& pricing, Rng& rng)
      : part_(part), topology_(part.topology()), pricing_(pricing), rng_(rng) {}

  // A path along which the distance falls; with `aside` its first hop goes anywhere.
  void draw(NodeId from, std::span<const uint32_t> hops, bool aside, uint32_t wildness,
            std::vector<ArcId>& out) {
    out.clear();
    NodeId v = from;
    if (aside) v = take(any_arc(v), out);
    while (hops[index(v)] != 0) v = take(next(v, hops, wildness), out);
  }

 private:
  NodeId take(ArcId arc, std::vector<ArcId>& out) {
    out.push_back(arc);
    return topology_.head(arc);
  }
  ArcId any_arc(NodeId v) {
    const IdRange<ArcId> arcs = topology_.arcs_from(v);
    for (size_t i = rng_.below(arcs.size());; i = i + 1 == arcs.size() ? 0 : i + 1) {
      const ArcId arc = arcs[static_cast<uint32_t>(i)];
      if (part_.lives(arc)) return arc;
    }
  }
  // The cheapest of those that lead on, give or take chance: the wilder, the less prices count.
  ArcId next(NodeId v, std::span<const uint32_t> hops, uint32_t wildness) {
    ArcId best = kNoArc;
    float least = 0;
    uint64_t chance = rng_.next();
    for (const ArcId arc : topology_.arcs_from(v)) {
      if (hops[index(topology_.head(arc))] + 1 != hops[index(v)] || !part_.lives(arc)) continue;
      const auto luck = static_cast<float>(chance & 255U);
      chance = (chance >> 8U) | (chance << 56U);
      const float price = wildness == 0   ? pricing_.of(arc) * (224.0F + luck * 0.125F)
                          : wildness == 1 ? pricing_.of(arc) * (8.0F + luck)
                                          : luck;
      if (best != kNoArc && price >= least) continue;
      best = arc;
      least = price;
    }
    QUADRILLE_CHECK(best != kNoArc, "a living way leads on");
    return best;
  }

  const LivingPart& part_;
  const Topology& topology_;
  const Pricing& pricing_;
  Rng& rng_;
};

// Cheapest ways of all lengths to one node after another, by the prices at that time.
class CheapestWays {
 public:
  CheapestWays(const LivingPart& part, const Pricing& pricing)
      : part_(part),
        pricing_(pricing),
        cost_(part.topology().num_nodes()),
        over_(cost_.size()),
        wanted_(cost_.size(), 0) {}

  // From these nodes; more may be known then.
  void find(NodeId target, std::span<const NodeId> from) {
    size_t missing = 0;
    for (const NodeId v : from) missing += std::exchange(wanted_[index(v)], 1) == 0 ? 1 : 0;
    std::ranges::fill(cost_, kNotReached);
    cost_[index(target)] = 0;
    over_[index(target)] = kNoArc;
    heap_.assign(1, {0, target});
    while (missing > 0) {
      std::ranges::pop_heap(heap_, std::greater<>());
      const auto [cost, v] = heap_.back();
      heap_.pop_back();
      if (cost > cost_[index(v)]) continue;
      if (std::exchange(wanted_[index(v)], 0) != 0) --missing;
      for (const ArcId arc : part_.arcs_to(v)) {
        if (!part_.lives(arc)) continue;
        const NodeId u = part_.topology().tail(arc);
        const float then = cost + pricing_.of(arc);
        if (then >= cost_[index(u)]) continue;
        cost_[index(u)] = then;
        over_[index(u)] = arc;
        heap_.emplace_back(then, u);
        std::ranges::push_heap(heap_, std::greater<>());
      }
    }
  }
  [[nodiscard]] float cost_from(NodeId v) const { return cost_[index(v)]; }
  void way_from(NodeId v, std::vector<ArcId>& out) const {
    out.clear();
    for (; over_[index(v)] != kNoArc; v = part_.topology().head(over_[index(v)]))
      out.push_back(over_[index(v)]);
  }

 private:
  const LivingPart& part_;
  const Pricing& pricing_;
  std::vector<float> cost_;
  std::vector<ArcId> over_;
  std::vector<char> wanted_;
  std::vector<std::pair<float, NodeId>> heap_;
};

}  // namespace

Detours find_detours(const LivingPart& part, std::span<const BlockId> moved, std::span<const float> room,
                     uint32_t passes, Rng& rng) {
  const Problem& whole = part.whole();
  Pricing pricing(room);
  Drawing drawing(part, pricing, rng);
  LivingDistances distances(part);
  Detours before;
  Detours now;
  std::vector<ArcId> drawn;
  std::vector<ArcId> best;
  for (uint32_t pass = 0; pass < passes; ++pass) {
    now = {};
    now.arcs.reserve(before.arcs.size());
    NodeId target = kNoNode;
    std::span<const uint32_t> hops;
    for (size_t i = 0; i < moved.size(); ++i) {
      const NodeId from = whole.origin(moved[i]);
      if (whole.destination(moved[i]) != target) {
        target = whole.destination(moved[i]);
        hops = distances.to(target);
      }
      float least = 0;
      best.clear();
      if (pass > 0) {
        const std::span<const ArcId> old = before.path(i);
        pricing.add(old, -1);
        best.assign(old.begin(), old.end());
        least = pricing.of(best) * kBetter;
      }
      for (uint32_t k = 0; k < kDrawn + kDrawnAside; ++k) {
        drawing.draw(from, hops, k >= kDrawn, k % 3, drawn);
        const float price = pricing.of(drawn);
        if (!best.empty() && price >= least) continue;
        std::swap(best, drawn);
        least = price;
      }
      pricing.add(best, 1);
      now.arcs.insert(now.arcs.end(), best.begin(), best.end());
      now.begin.push_back(now.arcs.size());
    }
    std::swap(before, now);
  }
  return before;
}

Detours balance_detours(const LivingPart& part, std::span<const BlockId> moved, std::span<const float> room,
                        const Detours& before) {
  const Problem& whole = part.whole();
  Pricing pricing(room);
  for (size_t i = 0; i < moved.size(); ++i) pricing.add(before.path(i), 1);
  CheapestWays ways(part, pricing);
  Detours now;
  now.arcs.reserve(before.arcs.size());
  std::vector<NodeId> from;
  std::vector<ArcId> way;
  for (size_t i = 0; i < moved.size();) {
    const NodeId target = whole.destination(moved[i]);
    from.clear();
    for (size_t k = i; k < moved.size() && whole.destination(moved[k]) == target; ++k)
      from.push_back(whole.origin(moved[k]));
    ways.find(target, from);
    for (const NodeId source : from) {
      std::span<const ArcId> path = before.path(i++);
      if (ways.cost_from(source) < pricing.of(path) * kBetter) {
        ways.way_from(source, way);
        pricing.add(path, -1);
        if (pricing.of(way) < pricing.of(path) * kBetter) path = way;
        pricing.add(path, 1);
      }
      now.arcs.insert(now.arcs.end(), path.begin(), path.end());
      now.begin.push_back(now.arcs.size());
    }
  }
  return now;
}

}  // namespace quadrille
