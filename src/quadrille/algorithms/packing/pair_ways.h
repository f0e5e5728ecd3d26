// Pair ways: a way for each of many pairs of ranks, such that the busiest link has as little to do as can be found; for a million
// pairs, on networks of thousands of ranks.
//
//     const PairWays ways(topology);            // a block from every rank to every other one
//     ways.append(ways.pair(from, to), path);
//
// Prices of links grow with their loads, the more steeply the longer the search goes on, and a way is given up for a cheaper one
// only if that is still cheaper once it is taken (as in priced_paths.h, whose blocks have ports, too, and each a way of its own). Here
// all ways from a rank come out of one search, or few, so that a pass over a million pairs takes a fraction of a second. Of a Cayley
// graph on which all ranks send to all the ways of one are found, and those of the others are their translations; of a product they are
// ways of its factors, one after another, where those are as good as any.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Blocks that go one way together. Of a pair there may be several such parts.
struct RankPair {
  Rank from{};
  Rank to{};
  uint32_t blocks = 1;
};

class PairWays {
 public:
  /// One block from every rank to every other one. The network is listed, and every rank reaches every other one.
  explicit PairWays(const Topology& topology);
  PairWays(const Topology& topology, std::span<const RankPair> pairs);

  /// The number of a pair, where they are all.
  [[nodiscard]] size_t pair(Rank from, Rank to) const {
    return index(from) * size_t{topology_.num_endpoints()} + index(to);
  }
  /// Puts the way of a pair, by its number or its place among those that were given, after what is there.
  void append(size_t pair, std::vector<ArcId>& out) const;
  /// Rounds that the busiest link needs, if every block is so many: its blocks for each unit of its capacity.
  [[nodiscard]] uint64_t rounds(uint64_t pieces = 1) const;
  /// Blocks over any one link, at the most.
  [[nodiscard]] uint64_t busiest() const { return loads_.empty() ? 0 : *std::ranges::max_element(loads_); }

 private:
  friend class PairPricing;

  // From one rank, those of its pairs: links are arcs, or generators.
  struct FromRank {
    std::vector<uint32_t> begin{};
    std::vector<uint32_t> end{};
    std::vector<uint32_t> links{};  // and ways that were given up

    [[nodiscard]] std::span<const uint32_t> of(size_t pair) const {
      return std::span(links).subspan(begin[pair], end[pair] - begin[pair]);
    }
  };
  struct Place {
    uint32_t source = 0;
    uint32_t number = 0;  // of its pairs
  };

  bool follow_factors();
  void append_of_factors(NodeId from, NodeId to, std::vector<ArcId>& out) const;

  Topology topology_;
  bool is_translated_ = false;
  std::vector<FromRank> from_{};     // of each rank that sends, or of the first one for all
  std::vector<Place> places_{};      // of pairs; none where every rank has one for every other one
  std::vector<PairWays> factors_{};  // of a product that follows them
  std::vector<uint64_t> loads_{};    // of each link, or of each link of a factor
  std::vector<uint64_t> capacities_{};
};

/// Those of all pairs, which several ask for: of the network that was asked about last they are kept.
[[nodiscard]] std::shared_ptr<const PairWays> ways_of_all_pairs(const Topology& topology);

/// How long the shortest ways from every rank to every other one are together.
[[nodiscard]] uint64_t hops_of_all_pairs(const Topology& topology);

}  // namespace quadrille
