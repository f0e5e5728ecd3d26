// Starved ends: what routers cannot sell in the first and in the last steps of an exchange.
//
// A router has nothing of its own. Before step t it has been sent no more than its links from others, over which something can have
// come by then, carry in t - 1 steps; and all routers together hold no more than the links from endpoints to routers carry in
// t - 1 steps, since a block that is at a router has last left an endpoint over one of them. So of what links out of routers
// could sell in step t at their weights, they sell no more than the dearest of each router, and of all of them, that there are
// blocks for. Read backwards in time and direction the same holds for links into routers in the last steps: whoever is at a router
// then has yet to enter an endpoint, for a block that moves ends at one.
//
// If T steps sell T S in all, and blocks pay P at least, then of T >= 2 k steps the first k and the last k are different ones, and
//
//     T S - (what is not sold in the first k) - (what is not sold in the last k)  >=  P.
//
// Let V be the T at which both sides are equal. A plan of fewer than V steps, with idle steps put to its end until it has 2 k, would
// have fewer than V if 2 k < V, and sell too little; so V bounds T wherever V > 2 k. With hosts of one link, p at a switch of r
// links to others, that is one step and 1 - p / r of another at either end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "quadrille/base/rational.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// For full duplex; single packets, of which each moves from one endpoint to another.
class StarvedEnds {
 public:
  explicit StarvedEnds(const Topology& topology);

  /// The best V, of weights of links (per arc): blocks pay `paid`, a step sells `sold`, which has capacity times weight of every
  /// link in it, and is not 0.
  [[nodiscard]] Rational steps(Int128 paid, Int128 sold, std::span<const uint32_t> weights);

 private:
  // One end: links that routers are short of blocks for. Backwards they are those into routers.
  struct End {
    std::vector<ArcId> arcs;     // that are starved: each router's in a row
    std::vector<size_t> begin;   // of each router's, one more at the end
    std::vector<uint64_t> held;  // held[t * routers + i]: what router i can have been sent before step t + 1
    uint64_t entering = 0;       // links between endpoints and routers, per step
    size_t steps = 0;            // that are starved
  };

  [[nodiscard]] End end_of(bool backwards) const;
  [[nodiscard]] Int128 unsold(const End& end, size_t step, std::span<const uint32_t> weights);

  const Topology& topology_;
  End first_;
  End last_;
  std::vector<std::pair<uint32_t, uint64_t>> dearest_;  // weights, and how many links have each
  std::vector<std::pair<uint32_t, uint64_t>> of_one_;
};

}  // namespace quadrille
