#include "quadrille/algorithms/placed_ranks/shared_round.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

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
        is_wanted_(topology.num_nodes(), false),
        buckets_(kMostLength + 1) {}

  void look(const SharedRound::Spread& spread) {
    std::ranges::fill(far_, UINT32_MAX);
    size_t open = spread.wanting.size();
    for (const uint32_t rank : spread.wanting) is_wanted_[node(rank)] = true;
    for (const uint32_t rank : spread.holders) reach(node(rank), 0, ArcId{kNobody});
    for (uint32_t now = 0; open > 0; ++now) {
      std::vector<uint32_t>& bucket = buckets_[now % buckets_.size()];
      for (size_t at = 0; at < bucket.size() && open > 0; ++at) {
        const uint32_t u = bucket[at];
        if (far_[u] != now) continue;
        if (is_wanted_[u]) {
          is_wanted_[u] = false;
          --open;
        }
        for (const ArcId arc : topology_.arcs_from(NodeId{u})) {
          const auto v = static_cast<uint32_t>(index(topology_.head(arc)));
          if (now + length_[index(arc)] < far_[v]) reach(v, now + length_[index(arc)], arc);
        }
      }
      bucket.clear();
    }
    for (std::vector<uint32_t>& bucket : buckets_) bucket.clear();
  }

  /// Of a rank that was wanted; from its end to its beginning.
  void way_back(uint32_t rank, std::vector<ArcId>& out) const {
    out.clear();
    for (size_t v = node(rank); came_over_[v] != ArcId{kNobody}; v = index(topology_.tail(out.back())))
      out.push_back(came_over_[v]);
  }

  void set_length(ArcId arc, uint32_t length) { length_[index(arc)] = std::min(length, kMostLength); }

 private:
  [[nodiscard]] size_t node(uint32_t rank) const { return index(topology_.endpoint(Rank{rank})); }
  void reach(size_t v, uint32_t far, ArcId over) {
    far_[v] = far;
    came_over_[v] = over;
    buckets_[far % buckets_.size()].push_back(static_cast<uint32_t>(v));
  }

  const Topology& topology_;
  std::vector<uint32_t> length_;  // of arcs
  std::vector<uint32_t> far_;
  std::vector<ArcId> came_over_;
  std::vector<bool> is_wanted_;
  std::vector<std::vector<uint32_t>> buckets_;
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
  std::unordered_map<uint64_t, std::vector<uint32_t>> by_way;  // messages whose ways look alike
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
      std::vector<uint32_t>& alike = by_way[hash];
      const auto same =
          std::ranges::find_if(alike, [&](uint32_t m) { return std::ranges::equal(path(m), way); });
      if (same != alike.end()) {
        message_of.push_back(*same);
      } else {
        message_of.push_back(static_cast<uint32_t>(num_messages()));
        alike.push_back(message_of.back());
        arcs_.insert(arcs_.end(), way.begin(), way.end());
        path_ends_.push_back(arcs_.size());
        longest_ = std::max<uint64_t>(longest_, way.size());
      }
      block_of.push_back(spread.block);
    }
    for (const uint32_t rank : spread.wanting) {
      nearest.way_back(rank, way);
      for (const ArcId arc : way) {
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
