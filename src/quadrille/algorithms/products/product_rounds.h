// Product rounds: a total exchange of a product with all ports, made of total exchanges of its factors.
//
// Label the nodes of each factor Z_n, in any way. The blocks whose destination is d labels away from their
// origin, coordinate by coordinate, are a type: one block for every node. A block needs, in every dimension i
// with d_i != 0, one ride in a total exchange of its line, from its place p to p + d_i. A round of dimension
// i is one such exchange in all lines of the dimension at once; for every offset l it takes aboard one type
// with d_i = l. Which types ride when is the algorithm; carrying it out is here. Rounds of different
// dimensions overlap freely, as they use different links; rides of one type must not.
//
//     product_rounds(problem, {{plan, 1, 4, start, riders}, ..}, steps, sink);
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// A type aboard a round. Displacements are numbered like nodes.
struct Rider {
  uint32_t displacement = 0;
  uint32_t moved = 0;  ///< the displacement with only the coordinates that are corrected already
};

struct DimensionRounds {
  size_t dimension = 0;
  /// Of the factor, with blocks in `copies` pieces: each offset takes that many types aboard.
  const Plan* plan = nullptr;
  uint32_t copies = 1;
  uint64_t num_rounds = 0;
  std::function<uint64_t(uint64_t round)> start;  ///< its first step, from 0; a round ends before the next
  /// Fills in riders[copy * n + l] for l = 1 .. n-1, n nodes of the factor.
  std::function<void(uint64_t round, std::vector<Rider>& riders)> board;
};

/// Pushes `steps` steps for every piece of the problem's blocks. The rounds are all done by then.
void product_rounds(const Problem& problem, const std::vector<DimensionRounds>& dimensions, uint64_t steps,
                    StepSink& sink);

}  // namespace quadrille
