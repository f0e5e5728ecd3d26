// Own cards by time: which of a problem's own cards takes least time for a message, and in how many pieces.
//
// A card says in what pieces it is good (Algorithm::chunks): these are tried, twice as many, and so on as long as that
// helps; of vectors that stream through the network any number, and as many as there are ranks.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "quadrille/compile/choice.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// What the choice takes for a message of so many bytes, in the pieces of its problem; infinitely long where a figure is
/// not known.
[[nodiscard]] double time_for(const Choice& choice, uint64_t message_bytes);

/// Whether the first is the better one: less time, or as much in fewer pieces. Both have plans.
[[nodiscard]] bool is_faster(const Choice& a, const Choice& b, uint64_t message_bytes);

struct OwnCards {
  uint32_t pieces = 0;      ///< these and no others; 0: any
  double least = 0.0;       ///< no plan takes less
  double limit = kNever;    ///< what takes longer is of no use
  unsigned threads = 1;     ///< at most that many
  bool all_efforts = true;  ///< or of those alone whose prediction takes a moment
};

/// `problem` is in one piece. The best of each card that serves it and says its figures, the best of all first. Cards that take work are not asked where another reaches the bound.
[[nodiscard]] std::vector<Choice> own_by_time(const Problem& problem, uint64_t message_bytes,
                                              const OwnCards& wanted);

}  // namespace quadrille
