// Shortest ways: several shortest paths from rank to rank, to choose from.
//
// Way 0 follows graphs/next_hops.h: in a product, coordinate after coordinate. Through routers, where a path may be any, it
// lets the digits of the destination's number choose among equally short next hops: on folded Clos networks of full
// bisection, whose hosts are numbered switch by switch, no two messages of a shift of all ranks then share an arc (d-mod-k:
// Zahavi, Fat-tree routing and node ordering providing contention free traffic for MPI global collectives, 2012). Where
// worms may take any path there are more of them: the reverse of the way back, and some that turn where a fixed sequence
// of random numbers says. Ways may be equal.
//
//     const ShortestPaths ways(problem, 8);
//     for (uint32_t w = 0; w < ways.count(from, to); ++w) ways.find(from, to, w, path);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "quadrille/algorithms/graphs/next_hops.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class ShortestPaths {
 public:
  /// At most so many for each pair.
  ShortestPaths(const Problem& problem, uint32_t most);

  [[nodiscard]] uint32_t most() const { return most_; }
  /// Arcs of every way.
  [[nodiscard]] uint32_t length(Rank from, Rank to) const;
  /// At least one; only one where no other is allowed.
  [[nodiscard]] uint32_t count(Rank from, Rank to) const;
  /// Whether there is no other shortest path than way 0.
  [[nodiscard]] bool is_only(Rank from, Rank to) const;
  /// Fills `path` with way `w`.
  void find(Rank from, Rank to, uint32_t w, std::vector<ArcId>& path) const;

 private:
  void follow(Rank from, Rank to, std::vector<ArcId>& path) const;
  [[nodiscard]] bool turn_back(std::vector<ArcId>& path) const;
  void wander(Rank from, Rank to, uint32_t w, std::vector<ArcId>& path) const;
  void spread(Rank from, Rank to, std::vector<ArcId>& path) const;
  // The nearest arcs towards a rank, one of which `choose` takes: choose(number of them).
  template <typename Choose>
  void turn(Rank from, Rank to, Choose choose, std::vector<ArcId>& path) const;

  const Topology topology_;
  uint32_t most_;
  std::shared_ptr<const NextHops> hops_;
  bool spreads_;  // by the digits of destinations
};

}  // namespace quadrille
