// Flow words: what a quickest flow (topology/queries/successive_paths.h) says, in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/topology/queries/successive_paths.h"

namespace quadrille {

/// "over the best disjoint paths to (4,4), of 8, 8, 8, 8 hops, 10 steps bring 12 of 16 pieces": `where` is "to (4,4)", and `steps` one more
/// than these bring.
[[nodiscard]] std::string flow_in_words(const std::vector<SuccessivePaths::Length>& lengths,
                                        std::string_view where, uint64_t steps, uint64_t count,
                                        std::string_view noun);

}  // namespace quadrille
