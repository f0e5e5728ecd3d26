// What was reached on rings before anything was searched for, by start-ups and blocks: tests hold what is built
// now against it.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/algorithms/worm_exchange/found_worms.h"

namespace quadrille {

struct ReferenceFront {
  uint32_t length = 0;
  std::vector<FoundCost> front{};
};

inline const std::vector<ReferenceFront>& reference_ring_fronts() {
  static const std::vector<ReferenceFront> table = {
      {5, {{5, 9}}},
      {6, {{3, 7}}},
      {7, {{5, 15}}},
      {8, {{3, 12}}},
      {9, {{6, 23}}},
      {10, {{5, 23}, {6, 19}}},
      {11, {{7, 37}, {8, 33}}},
      {12, {{4, 28}, {5, 24}}},
      {13, {{7, 42}}},
      {14, {{6, 37}}},
      {15, {{8, 58}}},
      {16, {{5, 40}}},
      {18, {{7, 59}}},
      {20, {{7, 76}, {8, 68}}},
      {24, {{6, 104}, {7, 92}, {9, 84}}},
      {28, {{7, 144}, {11, 136}}},
      {30, {{8, 165}, {11, 153}}},
      {31, {{10, 203}, {12, 191}}},
      {32, {{7, 160}, {9, 144}}},
      {40, {{9, 308}, {10, 272}, {11, 264}}},
      {48, {{8, 424}, {9, 376}, {11, 344}, {17, 312}}},
      {50, {{9, 491}, {13, 471}, {20, 397}}},
      {60, {{9, 624}, {11, 576}}},
      {63, {{12, 729}, {20, 671}}},
      {64, {{9, 656}, {11, 592}, {17, 544}}},
  };
  return table;
}

}  // namespace quadrille
