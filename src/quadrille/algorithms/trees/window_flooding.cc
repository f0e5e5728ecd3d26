#include "quadrille/algorithms/trees/window_flooding.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "quadrille/base/random.h"
#include "quadrille/base/threads/thread_team.h"
#include "quadrille/topology/queries/arcs_into.h"

namespace quadrille {
namespace {

constexpr size_t kTries = 6;
// Of which so many are made at once, but on small networks.
constexpr size_t kAtOnce = 2;
constexpr uint32_t kSoonFlooded = 64;

class Flood {
 public:
  Flood(const Topology& topology, const DisjointTrees& trees, uint32_t pieces, bool after_others,
        uint64_t seed)
      : net_(topology),
        trees_(trees),
        pieces_(pieces),
        after_others_(after_others),
        rng_(seed),
        into_(arcs_into(topology)),
        words_((size_t{pieces} + 63) / 64),
        has_(topology.num_nodes() * words_, 0),
        lacks_(topology.num_nodes(), pieces),
        holders_(pieces, 1) {
    for (uint32_t p = 0; p < pieces; ++p) get(trees.root, p);
    lacks_[index(trees.root)] = 0;
    waiting_ = uint64_t{net_.num_endpoints() - (net_.rank(trees.root) ? 1U : 0U)} * pieces;
  }

  // The steps that it takes; nothing if it takes more than `most`.
  std::optional<LastBatches> run(uint32_t batches, uint32_t most) {
    LastBatches out{batches, 0, {}};
    for (uint32_t s = 1; waiting_ > 0; ++s) {
      if (s > most) return std::nullopt;
      const size_t before = out.sends.size();
      for (const NodeId v : net_.nodes()) {
        if (lacks_[index(v)] > 0) serve(v, s, out.sends);
      }
      for (size_t i = before; i < out.sends.size(); ++i) {
        const NodeId v = net_.head(out.sends[i].arc);
        get(v, out.sends[i].piece);
        --lacks_[index(v)];
        if (net_.rank(v)) --waiting_;
      }
      out.steps = s;
    }
    return out;
  }

 private:
  [[nodiscard]] const uint64_t* words(NodeId v) const { return &has_[index(v) * words_]; }
  [[nodiscard]] bool has(NodeId v, uint32_t piece) const {
    return (words(v)[piece / 64] >> piece % 64 & 1U) != 0;
  }
  void get(NodeId v, uint32_t piece) { has_[index(v) * words_ + piece / 64] |= uint64_t{1} << piece % 64; }

  // Channels of an arc that earlier batches have left in step s.
  [[nodiscard]] uint32_t free_channels(ArcId arc, uint32_t s) const {
    uint32_t used = 0;
    const size_t v = index(net_.head(arc));
    for (size_t j = 0; j < trees_.size() && after_others_; ++j) {
      if (trees_.arcs[j][v] == arc && trees_.depths[j][v] > s) ++used;
    }
    return net_.capacity(arc) - used;
  }
  // A matching of its channels with pieces: the rarest piece chooses first, and others give way.
  void serve(NodeId v, uint32_t s, std::vector<LastBatches::Send>& sends) {
    channels_.clear();
    for (const ArcId arc : into_[index(v)]) {
      if (lacks_[index(net_.tail(arc))] == pieces_) continue;
      for (uint32_t c = free_channels(arc, s); c > 0; --c) channels_.push_back(arc);
    }
    if (channels_.empty()) return;
    for (size_t i = channels_.size(); i > 1; --i) std::swap(channels_[i - 1], channels_[rng_.below(i)]);
    offered_.assign(words_, 0);
    for (const ArcId arc : channels_)
      for (size_t w = 0; w < words_; ++w) offered_[w] |= words(net_.tail(arc))[w];
    order_.clear();
    for (uint32_t p = 0; p < pieces_; ++p) {
      if (has(v, p)) continue;
      const uint64_t luck = rng_.below(16);
      if ((offered_[p / 64] >> p % 64 & 1U) != 0) order_.emplace_back(holders_[p] * 16 + luck, p);
    }
    std::ranges::sort(order_);
    taken_.assign(channels_.size(), UINT32_MAX);
    size_t matched = 0;
    for (const auto& [rarity, piece] : order_) {
      if (matched == channels_.size()) break;
      tried_.assign(channels_.size(), false);
      if (place(piece)) ++matched;
    }
    for (size_t i = 0; i < channels_.size(); ++i) {
      if (taken_[i] == UINT32_MAX) continue;
      sends.push_back({s, taken_[i], channels_[i]});
      ++holders_[taken_[i]];
    }
  }
  bool place(uint32_t piece) {
    for (size_t i = 0; i < channels_.size(); ++i) {
      if (tried_[i] || !has(net_.tail(channels_[i]), piece)) continue;
      tried_[i] = true;
      if (taken_[i] != UINT32_MAX && !place(taken_[i])) continue;
      taken_[i] = piece;
      return true;
    }
    return false;
  }

  const Topology& net_;
  const DisjointTrees& trees_;
  uint32_t pieces_;
  bool after_others_;
  Rng rng_;
  std::vector<std::vector<ArcId>> into_;
  size_t words_;
  std::vector<uint64_t> has_;  // by node, a bit each
  std::vector<uint32_t> lacks_;
  std::vector<uint64_t> holders_;
  uint64_t waiting_ = 0;
  // Of one node in one step.
  std::vector<ArcId> channels_;
  std::vector<uint64_t> offered_;
  std::vector<std::pair<uint64_t, uint32_t>> order_;
  std::vector<uint32_t> taken_;
  std::vector<bool> tried_;
};

}  // namespace

std::optional<LastBatches> flood_window(const Topology& topology, const DisjointTrees& trees,
                                        uint32_t batches, uint32_t pieces, uint32_t most, bool after_others) {
  // Of those that take fewest steps the first.
  std::optional<LastBatches> best;
  ThreadTeam team(topology.num_nodes() > kSoonFlooded ? kAtOnce : 1);
  for (size_t i = 0; i < kTries && most > 0; i += kAtOnce) {
    std::array<std::optional<LastBatches>, kAtOnce> found;
    team.for_each(kAtOnce, [&](size_t k) {
      found[k] = Flood(topology, trees, pieces, after_others, i + k).run(batches, most);
    });
    for (std::optional<LastBatches>& one : found) {
      if (!one || one->steps > most) continue;
      most = one->steps - 1;
      best = std::move(one);
    }
  }
  if (best) keep_what_is_needed(topology, trees.root, pieces, *best);
  return best;
}

}  // namespace quadrille
