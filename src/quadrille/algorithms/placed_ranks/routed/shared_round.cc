#include "quadrille/algorithms/placed_ranks/routed/shared_round.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <utility>

namespace quadrille {
namespace {

// The length of a link that carries nothing, and what it is longer when it carries what all will in the mean.
constexpr uint32_t kLength = 16;
constexpr uint32_t kLonger = 64;
constexpr uint32_t kMostLength = 512;
constexpr size_t kLookedAtFirst = 16;  // blocks
constexpr uint32_t kNobody = UINT32_MAX;

// Shortest ways from several ranks at once: lengths are small numbers, and what is next to be looked at lies in buckets by length.
class NearestHolders {
 public:
  explicit NearestHolders(const Topology& topology)
      : topology_(topology),
        length_(topology.num_arcs(), kLength),
        far_(topology.num_nodes()),
        came_over_(topology.num_nodes()),
        is_wanted_(topology.num_nodes(), 0),
        buckets_(kBuckets) {}

  void look(const SharedRound::Spread& spread) {
    std::ranges::fill(far_, UINT32_MAX);
    size_t open = spread.wanting.size();
    for (const uint32_t rank : spread.wanting) is_wanted_[node(rank)] = 1;
    for (const uint32_t rank : spread.holders) reach(node(rank), 0, ArcId{kNobody});
    uint32_t now = 0;
    for (; open > 0; ++now) {
      std::vector<uint32_t>& bucket = buckets_[now % kBuckets];
      for (size_t at = 0; at < bucket.size() && open > 0; ++at) {
        const uint32_t u = bucket[at];
        if (far_[u] != now) continue;
        if (is_wanted_[u] != 0) {
          is_wanted_[u] = 0;
          --open;
        }
        for (const ArcId arc : topology_.arcs_from(NodeId{u})) {
          const auto v = static_cast<uint32_t>(index(topology_.head(arc)));
          if (now + length_[index(arc)] < far_[v]) reach(v, now + length_[index(arc)], arc);
        }
      }
      bucket.clear();
    }
    for (uint32_t left = 0; left <= kMostLength; ++left) buckets_[(now + left) % kBuckets].clear();
  }

  /// Of a rank that was wanted; from its end to its beginning.
  void way_back(uint32_t rank, std::vector<ArcId>& out) const {
    out.clear();
    for (size_t v = node(rank); came_over_[v] != ArcId{kNobody}; v = index(topology_.tail(out.back())))
      out.push_back(came_over_[v]);
  }

  /// The link over which the rank's way comes to a node, and what is before it; false: the way begins there.
  [[nodiscard]] bool came_over(size_t v, ArcId& arc) const {
    arc = came_over_[v];
    return arc != ArcId{kNobody};
  }
  [[nodiscard]] size_t node(uint32_t rank) const { return index(topology_.endpoint(Rank{rank})); }

  void set_length(ArcId arc, uint32_t length) { length_[index(arc)] = std::min(length, kMostLength); }

 private:
  static constexpr uint32_t kBuckets = std::bit_ceil(kMostLength + 1);  // a division by which takes no time

  void reach(size_t v, uint32_t far, ArcId over) {
    far_[v] = far;
    came_over_[v] = over;
    buckets_[far % kBuckets].push_back(static_cast<uint32_t>(v));
  }

  const Topology& topology_;
  std::vector<uint32_t> length_;  // of arcs
  std::vector<uint32_t> far_;
  std::vector<ArcId> came_over_;
  std::vector<char> is_wanted_;
  std::vector<std::vector<uint32_t>> buckets_;
};

// Messages by their ways: a table half full at most, where one that finds its place taken goes to the next.
class ByWay {
 public:
  /// The message whose way `is_same`, of those that were added with the same hash, or nothing: then `message` is added.
  template <typename IsSame>
  std::optional<uint32_t> find_or_add(uint64_t hash, uint32_t message, IsSame is_same) {
    if (2 * (size_ + 1) > places_.size()) grow();
    const auto high = static_cast<uint32_t>(hash >> 32U);
    size_t at = place_of(high);
    for (; places_[at].message != kNobody; at = (at + 1) & (places_.size() - 1))
      if (places_[at].high == high && is_same(places_[at].message)) return places_[at].message;
    places_[at] = {high, message};
    ++size_;
    return std::nullopt;
  }

 private:
  struct Place {
    uint32_t high = 0;  // half of the hash
    uint32_t message = kNobody;
  };

  [[nodiscard]] size_t place_of(uint32_t high) const { return high & (places_.size() - 1); }
  void grow() {
    std::vector<Place> before(std::max<size_t>(1024, 2 * places_.size()));
    std::swap(before, places_);
    for (const Place& place : before) {
      if (place.message == kNobody) continue;
      size_t at = place_of(place.high);
      while (places_[at].message != kNobody) at = (at + 1) & (places_.size() - 1);
      places_[at] = place;
    }
  }

  std::vector<Place> places_{};
  size_t size_ = 0;
};

}  // namespace

SharedRound::SharedRound(const Topology& topology, std::span<const Spread> spreads) {
  NearestHolders nearest(topology);
  std::vector<ArcId> way;
  // What links will carry in the mean.
  uint64_t hops = 0;
  const size_t samples = std::min(spreads.size(), kLookedAtFirst);
  for (size_t s = 0; s < samples; ++s) {
    const Spread& spread = spreads[s * spreads.size() / samples];
    nearest.look(spread);
    for (const uint32_t rank : spread.wanting) {
      nearest.way_back(rank, way);
      hops += way.size();
    }
  }
  uint64_t room = 0;
  for (const ArcId arc : topology.arcs()) room += topology.capacity(arc);
  const uint64_t all_hops = samples == 0 ? 0 : hops * spreads.size() / samples;

  std::vector<uint32_t> carried(topology.num_arcs(), 0);
  ByWay by_way;
  std::vector<const Spread*> set_by(topology.num_arcs(), nullptr);  // lengths: for which of them
  std::vector<uint32_t> message_of;
  std::vector<uint32_t> block_of;
  for (const Spread& spread : spreads) {
    if (spread.wanting.empty()) continue;
    nearest.look(spread);
    for (const uint32_t rank : spread.wanting) {
      nearest.way_back(rank, way);
      std::ranges::reverse(way);
      uint64_t hash = 0;
      for (const ArcId arc : way) {
        hash = (hash ^ (index(arc) + 1)) * 0x9e3779b97f4a7c15U;
        ++carried[index(arc)];
      }
      const auto next = static_cast<uint32_t>(num_messages());
      const std::optional<uint32_t> same =
          by_way.find_or_add(hash, next, [&](uint32_t m) { return std::ranges::equal(path(m), way); });
      message_of.push_back(same.value_or(next));
      if (!same) {
        arcs_.insert(arcs_.end(), way.begin(), way.end());
        path_ends_.push_back(arcs_.size());
        longest_ = std::max<uint64_t>(longest_, way.size());
      }
      block_of.push_back(spread.block);
    }
    // Ways of a block are a tree: what one has been set for has been for all that is before it.
    for (const uint32_t rank : spread.wanting) {
      ArcId arc{};
      for (size_t v = nearest.node(rank); nearest.came_over(v, arc) && set_by[index(arc)] != &spread;
           v = index(topology.tail(arc))) {
        set_by[index(arc)] = &spread;
        const uint64_t share = uint64_t{carried[index(arc)]} * room / topology.capacity(arc);
        nearest.set_length(
            arc, static_cast<uint32_t>(
                     kLength +
                     std::min<uint64_t>(kMostLength, kLonger * share / std::max<uint64_t>(1, all_hops))));
      }
    }
  }
  for (const ArcId arc : topology.arcs())
    busiest_ = std::max<uint64_t>(
        busiest_, (carried[index(arc)] + topology.capacity(arc) - 1) / topology.capacity(arc));
  // Blocks message by message.
  block_ends_.assign(num_messages() + 1, 0);
  for (const uint32_t m : message_of) ++block_ends_[m + 1];
  std::partial_sum(block_ends_.begin(), block_ends_.end(), block_ends_.begin());
  std::vector<size_t> next(block_ends_.begin(), block_ends_.end() - 1);
  blocks_.resize(block_of.size());
  for (size_t i = 0; i < block_of.size(); ++i) blocks_[next[message_of[i]]++] = block_of[i];
}

}  // namespace quadrille
