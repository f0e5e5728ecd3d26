// Refutations that are kept: tori on which a one-port broadcast in so many steps has been refuted, though no
// closed bound excludes it.
//
// Each is a file testdata/refutations/<name>.drat, a refutation (search/refutation.h) of the formula of
// OnePortBroadcast (search/one_port_broadcast.h) for that torus from node 0. The tests check every file;
// where one does not check, they leave a new one beside it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace quadrille {

struct KeptRefutation {
  std::string_view torus;  ///< its spec; sides ascending
  uint32_t steps;          ///< in which no broadcast is done
  std::string_view name;   ///< of the file
  uint64_t lemmas;
};

inline constexpr std::array kKeptRefutations = {
    KeptRefutation{"torus(3,3,9)", 7, "torus_3_3_9_in_7_steps", 1302},
    KeptRefutation{"torus(3,3,11)", 8, "torus_3_3_11_in_8_steps", 1535},
    KeptRefutation{"torus(3,3,13)", 9, "torus_3_3_13_in_9_steps", 1795},
    KeptRefutation{"torus(3,5,7)", 7, "torus_3_5_7_in_7_steps", 2339},
    KeptRefutation{"torus(7,7,7)", 10, "torus_7_7_7_in_10_steps", 6073},
};

}  // namespace quadrille
