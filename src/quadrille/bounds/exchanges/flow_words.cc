#include "quadrille/bounds/exchanges/flow_words.h"

#include <fmt/format.h>

#include "quadrille/base/text.h"

namespace quadrille {

std::string flow_in_words(const std::vector<SuccessivePaths::Length>& lengths, std::string_view where,
                          uint64_t steps, uint64_t count, std::string_view noun) {
  constexpr uint64_t kShown = 8;
  std::string hops;
  uint64_t paths = 0;
  uint64_t brought = 0;
  for (const auto& [length, capacity] : lengths) {
    for (uint64_t i = 0; i < capacity && paths + i < kShown; ++i)
      hops += (paths + i == 0 ? "" : ", ") + std::to_string(length);
    paths += capacity;
    if (steps > length) brought += capacity * (steps - length);
  }
  if (paths > kShown) hops += ", ..";
  return fmt::format("over the best {} {}, of {} hop{}, {} bring{} {} of {}",
                     paths == 1 ? "path" : "disjoint paths", where, hops, hops == "1" ? "" : "s",
                     plural(steps - 1, "step"), steps == 2 ? "s" : "", brought, plural(count, noun));
}

}  // namespace quadrille
