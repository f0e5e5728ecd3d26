// Global links: how groups of switches are joined, each group by the same number of ports.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace quadrille {

/// The most groups that `ports` ports a group can join pairwise.
[[nodiscard]] constexpr uint64_t most_groups(uint64_t ports) { return ports + 1; }

/// Between groups 0 .. groups-1, `ports` ports each: for every link calls link(group, port, group, port). Port i of group
/// x leads to group x + i + 1, round the circle of groups (so that of groups - 1 ports each meets another group);
/// fewer groups are joined again and again, and a port that finds no partner in the last round stays free.
template <typename Link>
void for_each_global_link(uint64_t groups, uint64_t ports, Link link) {
  if (groups < 2) return;
  for (uint64_t first = 0; first < ports; first += groups - 1) {
    // How far the ports of this round lead, ascending: with an offset its opposite, the way back.
    std::vector<uint64_t> offsets;
    uint64_t left = std::min(ports - first, groups - 1);
    for (uint64_t offset = 1; 2 * offset < groups && left >= 2; ++offset, left -= 2) {
      offsets.push_back(offset);
      offsets.push_back(groups - offset);
    }
    if (left > 0 && groups % 2 == 0) offsets.push_back(groups / 2);
    std::sort(offsets.begin(), offsets.end());
    for (uint64_t x = 0; x < groups; ++x) {
      for (uint64_t i = 0; i < offsets.size(); ++i) {
        const uint64_t y = (x + offsets[i]) % groups;
        if (x < y) link(x, first + i, y, first + offsets.size() - 1 - i);
      }
    }
  }
}

}  // namespace quadrille
