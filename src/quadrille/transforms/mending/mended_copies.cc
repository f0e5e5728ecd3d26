#include "quadrille/transforms/mending/mended_copies.h"

#include <algorithm>
#include <optional>

#include "quadrille/transforms/mending/earliest_way.h"

namespace quadrille {
namespace {

constexpr uint32_t kNever = UINT32_MAX;

}  // namespace

std::vector<uint32_t> MendedCopies::times(const Origin& origin, const std::vector<MendedHop>& hops) const {
  std::vector<uint32_t> has(topology_.num_nodes(), kNever);
  has[index(origin.node)] = origin.from;
  for (const MendedHop& hop : hops) has[index(topology_.head(hop.path.back()))] = hop.step + 1;
  return has;
}

std::vector<MendedHop> MendedCopies::undamaged(const Origin& origin, const std::vector<MendedHop>& hops) {
  std::vector<uint32_t> has = times(origin, {});
  std::vector<MendedHop> kept;
  for (const MendedHop& hop : hops) {
    if (dead_.on(hop.path) || has[index(topology_.tail(hop.path.front()))] > hop.step) continue;
    has[index(topology_.head(hop.path.back()))] = hop.step + 1;
    machine_.use(hop.path, hop.step);
    kept.push_back(hop);
  }
  return kept;
}

void MendedCopies::complete(const Origin& origin, const std::vector<MendedHop>& before,
                            std::vector<MendedHop>& now) {
  std::vector<uint32_t> has = times(origin, now);
  const std::vector<MendedHop> first = now;
  const auto lacks = [&](NodeId v) { return !dead_.has(v) && has[index(v)] == kNever; };
  const auto take = [&](const MendedHop& hop) {
    has[index(topology_.head(hop.path.back()))] = hop.step + 1;
    machine_.use(hop.path, hop.step);
    now.push_back(hop);
  };
  const auto get = [&](NodeId v) {
    sources_.clear();
    for (const NodeId u : topology_.nodes())
      if (has[index(u)] != kNever) sources_.emplace_back(has[index(u)], u);
    const std::optional<std::vector<MendedHop>> way = earliest_way(
        topology_, dead_, machine_, sources_, v, [&](ArcId arc) { return lacks(topology_.head(arc)); });
    for (const MendedHop& hop : *way) take(hop);
  };
  for (const MendedHop& hop : before) {
    if (std::ranges::find(first, hop) != first.end()) continue;
    const NodeId from = topology_.tail(hop.path.front());
    const NodeId to = topology_.head(hop.path.back());
    if (!lacks(to)) continue;
    if (!dead_.on(hop.path) && has[index(from)] <= hop.step &&
        machine_.first_free(hop.path, hop.step) == hop.step) {
      take(hop);
    } else if (topology_.rank(to)) {
      get(to);
    }
  }
  for (const NodeId v : topology_.endpoints())
    if (lacks(v)) get(v);
}

void MendedCopies::drop_dead_ends(std::vector<MendedHop>& hops) const {
  std::vector<uint32_t> passed_on(topology_.num_nodes(), 0);
  for (const MendedHop& hop : hops) ++passed_on[index(topology_.tail(hop.path.front()))];
  const auto is_dead_end = [&](const MendedHop& hop) {
    const NodeId to = topology_.head(hop.path.back());
    if (topology_.rank(to) || passed_on[index(to)] > 0) return false;
    --passed_on[index(topology_.tail(hop.path.front()))];
    return true;
  };
  while (std::erase_if(hops, is_dead_end) > 0) continue;
}

}  // namespace quadrille
