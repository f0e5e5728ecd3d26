// Worm spans: from the linear spans of a few vectors to the whole torus. The scheme of Wang and Tseng (2000).
//
// The torus has k dimensions of n nodes. With v_i = e_1 + e_(k-i+1) for i < k and v_k = e_1, stage i starts
// from a copy of the message at every node of U_(i-1), the span of v_1 .. v_(i-1), and ends with one at every
// node of U_i. U_i has n^i nodes whatever n is, because the vectors have determinant 1 or -1. A stage first
// carries a translate of U_(i-1) to each of the n places along a ring (worm_broadcast/ring_strips.h), in
// ceil(log_(2k+1) n) steps, all nodes of a translate doing the same; then it shifts the translates into
// place, in one step that the last stage does not need.
//
//     k ceil(log_(2k+1) n) + (k-1) steps for n >= 4, k for n = 2 and n = 3, where every copy lands in place.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "quadrille/algorithms/worm_broadcast/worm_plan.h"

namespace quadrille {

/// What is done in a stage, by the positions 0, 1, -1, 2, .. along its ring of translates: everybody in the
/// translate at a position does the same.
struct SpanStage {
  struct Send {
    int64_t from;
    int64_t to;
    std::vector<int32_t> hops;
  };
  using Offsets = std::map<int64_t, std::vector<int32_t>>;

  std::vector<std::vector<Send>> steps;  ///< along the ring
  Offsets landed;                        ///< by position: the translate is the span, moved by that
  /// The aligning step: by position the hops, where there are any. The translate is at landed + shift after
  /// it.
  Offsets shifts;
};

/// All stages; they depend on the side and the number of dimensions alone.
[[nodiscard]] std::vector<SpanStage> span_stages(const GridShape& square_torus);

/// From place 0, without repeats.
[[nodiscard]] WormPlan worm_spans(const GridShape& square_torus);
[[nodiscard]] uint32_t worm_spans_steps(const GridShape& square_torus);

}  // namespace quadrille
