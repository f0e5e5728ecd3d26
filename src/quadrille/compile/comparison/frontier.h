// The trade-off curve: fewer start-ups against less that goes over links. In a total exchange of worms between the members
// of families; elsewhere between numbers of pieces, too, so that blocks are counted in messages (blocks / pieces).
//
//     start-ups  blocks  / bound  cheapest for ts/(b tx)  algorithm
//             8   1,024    2.000  16 and more             alltoall_wormhole_classes:2:tree
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/bounds/bound.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// One point of the front.
struct FrontierPoint {
  std::string algorithm{};  ///< as compile() and --algorithm take it
  uint64_t start_ups = 0;
  uint64_t blocks = 0;      ///< on the critical path; of several pieces, these
  uint32_t pieces = 1;      ///< in which a message is sent
  double over_bound = 0.0;  ///< blocks over their lower bound; 0 where there is no bound
  /// For which ratios of a start-up to the time of a block, ts/(b tx), no other point costs less; from > to:
  /// never.
  double from = 0.0;
  double to = 0.0;  ///< infinity: all larger ones
};

struct Frontier {
  std::vector<FrontierPoint> points{};  ///< by rising start-ups
  Bound start_ups{};                    ///< the best lower bound of each figure
  Bound blocks{};
  bool any_pieces = false;  ///< it is between numbers of pieces, too; `blocks` is of a message in one
};

/// Whether start-ups and blocks are traded for each other: in a total exchange by wormhole switching.
[[nodiscard]] bool trades_two_figures(const Problem& problem);

/// What is rearranged does not count, nor messages and hops. Throws InputError where no algorithm predicts both figures.
/// A problem in one piece, where start-ups and blocks are not traded for each other in it, stands for any number of them.
[[nodiscard]] Frontier frontier(const Problem& problem, unsigned threads = 1);

}  // namespace quadrille
