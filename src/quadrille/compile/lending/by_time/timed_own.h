// Own cards by time: which of a problem's own cards takes least time for a message, and in how many pieces.
//
// A card says in what pieces it is good (Algorithm::chunks): these are tried, twice as many, and so on as long as that
// helps; of vectors that stream through the network any number, and as many as there are ranks.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/algorithms/graphs/worth_making.h"
#include "quadrille/compile/choice.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// What the choice takes for a message of so many bytes, in the pieces of its problem; infinitely long where a figure is
/// not known.
[[nodiscard]] double time_for(const Choice& choice, uint64_t message_bytes);

/// "3 start-ups and 5 rounds in 4 pieces".
[[nodiscard]] std::string figures_in_words(const Choice& choice);

/// What takes less time than the limit, for a message of so many bytes, in the pieces of the problem.
[[nodiscard]] WorthMaking::LessTime less_time(const Problem& problem, uint64_t message_bytes, double limit);

/// Whether the first is the better one: less time, or as much in fewer pieces. Both have plans.
[[nodiscard]] bool is_faster(const Choice& a, const Choice& b, uint64_t message_bytes);

/// What the cards have said of a problem already, in so many pieces: that does not depend on the size of a message, and is
/// asked once for all sizes. Large plans are not kept, only what they predict.
class SaidByCards {
 public:
  struct Said {
    Prediction prediction{};
    bool completed = false;
    PreparedPlan plan{};
  };
  /// Of one card in one number of pieces, by its members; none where it does not apply.
  struct Plans {
    bool asked = false;
    std::vector<std::optional<Said>> members{};
  };

  /// Of the card with that number, for nobody else to write at the same time. Called before the others are.
  void make_room(size_t cards);
  [[nodiscard]] Plans& of(size_t card, uint64_t pieces) { return cards_[card][pieces]; }
  /// Whether the card has been asked, and has plans in so many pieces; 0: in any number.
  [[nodiscard]] bool is_served_by(size_t card, uint32_t pieces) const;

 private:
  std::vector<std::map<uint64_t, Plans>> cards_{};
};

/// Numbers of pieces around one that was good, in quarters of it: where every eighth number was asked, and where every second was.
using QuartersOfPieces = std::array<uint64_t, 4>;
inline constexpr QuartersOfPieces kBetweenEighths{1, 2, 8, 16};
inline constexpr QuartersOfPieces kBetweenHalves{3, 5, 6, 7};
/// Times the fastest that is known: where between two such numbers something may be faster yet.
inline constexpr double kNearTheFastest = 1.25;

struct OwnCards {
  uint32_t pieces = 0;        ///< these and no others; 0: any
  double least = 0.0;         ///< no plan takes less
  double least_rounds = 0.0;  ///< and none has fewer rounds of the whole message
  double limit = kNever;      ///< what takes longer is of no use
  unsigned threads = 1;       ///< at most that many
  bool all_efforts =
      true;  ///< or of those alone whose prediction takes a moment, or some work, in fewer numbers of pieces
  bool searches = true;         ///< else those alone whose prediction takes a moment
  bool asks_last = true;        ///< else not those that are asked last (Algorithm::is_asked_last)
  bool all_named = false;       ///< each card that serves it is wanted, not the fastest alone
  SaidByCards* said = nullptr;  ///< where it is kept, of this problem
  const SaidByCards* alike =
      nullptr;  ///< of the problem in other words: cards that serve it are not asked again
};

/// `problem` is in one piece. The best of each card that serves it and says its figures, the best of all first. Cards that take work are not asked where another reaches the bound.
[[nodiscard]] std::vector<Choice> own_by_time(const Problem& problem, uint64_t message_bytes,
                                              const OwnCards& wanted);

}  // namespace quadrille
