#include "quadrille/layout/network_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/layout/bends.h"
#include "quadrille/layout/circle_layout.h"
#include "quadrille/layout/grid_layout.h"
#include "quadrille/layout/group_layout.h"
#include "quadrille/layout/level_layout.h"
#include "quadrille/layout/spring_layout.h"
#include "quadrille/layout/view_angle.h"
#include "quadrille/topology/structure/recognition.h"

namespace quadrille {
namespace {

constexpr double kMostWithinLevels =
    0.1;  // more of their links within levels, and routers are drawn by themselves

constexpr double kMostOfEndpoints = 0.25;  // more links between endpoints, and there are no levels

// --- which picture -------------------------------------------------------------------------------------

bool is_circular(const Topology& topology) {
  const CayleyStructure* cayley = topology.cayley();
  return (cayley != nullptr && cayley->group->cyclic_moduli().size() == 1) || is_numbered_ring(topology);
}

NetworkLayout sketch(const Topology& topology, bool recognise);

// Drawn as the member of a family that it is under another numbering.
std::optional<NetworkLayout> as_recognised(const Topology& topology) {
  const std::vector<Recognised> known = recognised_as(topology);
  if (known.empty()) return std::nullopt;
  const NetworkLayout there = sketch(known[0].topology, false);
  NetworkLayout out = there;
  for (size_t v = 0; v < there.x.size(); ++v) {
    const size_t ours = index(known[0].image[v]);
    out.x[ours] = there.x[v];
    out.y[ours] = there.y[v];
    if (!there.is_flat()) out.z[ours] = there.z[v];
  }
  for (const ArcId arc : known[0].topology.arcs()) {
    const std::optional<ArcId> ours = topology.find_arc(known[0].image[index(known[0].topology.tail(arc))],
                                                        known[0].image[index(known[0].topology.head(arc))]);
    QUADRILLE_CHECK(ours.has_value(), known[0].topology.name());
    out.wraps[index(*ours)] = there.wraps[index(arc)];
    out.group[index(*ours)] = there.group[index(arc)];
  }
  return out;
}

NetworkLayout switched(const Topology& topology) {
  if (share_of_endpoints(topology) > kMostOfEndpoints) return spring_layout(topology);
  if (share_within_levels(topology) <= kMostWithinLevels) return level_layout(topology);
  const std::optional<Topology> fabric = fabric_of(topology);
  return fabric ? hosts_around(topology, layout_of(*fabric), *fabric) : level_layout(topology);
}

NetworkLayout sketch(const Topology& topology, bool recognise) {
  if (const TreeStructure* tree = topology.tree()) return tree_layout(topology, *tree);
  if (topology.num_nodes() > 2 && is_circular(topology)) return circle_layout(topology);
  if (const std::optional<GridPlaces> places = grid_places(topology)) return grid_layout(topology, *places);
  if (const ProductStructure* product = topology.product()) return product_layout(topology, *product);
  if (const auto columns = columns_of_two_halves(topology)) return two_rows_layout(topology, *columns);
  if (topology.cayley() != nullptr) {
    if (auto cycles = cayley_cycles(topology)) return group_layout(topology, std::move(*cycles), false);
    return circle_layout(topology);
  }
  if (recognise)
    if (std::optional<NetworkLayout> known = as_recognised(topology)) return std::move(*known);
  if (topology.has_routers()) return switched(topology);
  if (const auto groups = close_groups(topology)) return group_layout(topology, members_of(*groups), true);
  if (std::optional<NetworkLayout> turned = rotation_layout(topology)) return std::move(*turned);
  return spring_layout(topology);
}

// --- what every picture has ----------------------------------------------------------------------------

constexpr float kSteps = 64;  // positions are multiples of a 64th

struct Spot {
  float x, y, z;
  auto operator<=>(const Spot&) const = default;
};

Spot spot(const NetworkLayout& layout, size_t v) {
  return {layout.x[v], layout.y[v], layout.is_flat() ? 0 : layout.z[v]};
}

// How far the nearest other node is, typically: the median. Nodes are looked at from left to right.
double typical_gap(const NetworkLayout& layout) {
  const size_t nodes = layout.x.size();
  if (nodes < 2) return 1;
  std::vector<size_t> order(nodes);
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(),
            [&](size_t a, size_t b) { return spot(layout, a) < spot(layout, b); });
  std::vector<double> gaps;
  for (size_t i = 0; i < nodes; ++i) {
    const Spot at = spot(layout, order[i]);
    double least = HUGE_VAL;
    const auto look = [&](size_t j) {
      const Spot other = spot(layout, order[j]);
      const double dx = std::abs(other.x - at.x);
      if (dx >= least) return false;
      const double dy = other.y - at.y;
      const double dz = other.z - at.z;
      least = std::min(least, std::sqrt(dx * dx + dy * dy + dz * dz));
      return true;
    };
    for (size_t j = i + 1; j < nodes && look(j); ++j) continue;
    for (size_t j = i; j-- > 0 && look(j);) continue;
    gaps.push_back(least);
  }
  std::nth_element(gaps.begin(), gaps.begin() + static_cast<ptrdiff_t>(nodes / 2), gaps.end());
  return gaps[nodes / 2];
}

void scale(NetworkLayout& layout, double by) {
  for (std::vector<float>* axis : {&layout.x, &layout.y, &layout.z})
    for (float& value : *axis) value = static_cast<float>(value * by);
}

void round_places(NetworkLayout& layout) {
  for (std::vector<float>* axis : {&layout.x, &layout.y, &layout.z})
    for (float& value : *axis) value = std::round(value * kSteps) / kSteps + 0.0F;  // + 0: no -0
}

// Where springs put two nodes on one place, the later one moves aside.
void part_nodes(NetworkLayout& layout) {
  std::set<Spot> taken;
  for (size_t v = 0; v < layout.x.size(); ++v) {
    for (int side = 1; !taken.insert(spot(layout, v)).second; ++side)
      layout.x[v] += (side % 2 == 0 ? -0.25F : 0.25F) * static_cast<float>(side);
  }
}

void drop_empty_groups(NetworkLayout& layout) {
  std::vector<uint8_t> used(layout.group_names.size());
  for (const uint8_t g : layout.group) used[g] = 1;
  std::vector<uint8_t> number(layout.group_names.size());
  std::vector<std::string> names;
  for (size_t g = 0; g < used.size(); ++g) {
    if (used[g] == 0) continue;
    number[g] = static_cast<uint8_t>(names.size());
    names.push_back(layout.group_names[g]);
  }
  for (uint8_t& g : layout.group) g = number[g];
  layout.group_names = std::move(names);
}

}  // namespace

std::string_view name_of(LayoutKind kind) {
  switch (kind) {
    case LayoutKind::kGrid:
      return "grid";
    case LayoutKind::kCircle:
      return "circle";
    case LayoutKind::kLevels:
      return "levels";
    case LayoutKind::kGroups:
      return "groups";
    case LayoutKind::kSprings:
      return "springs";
  }
  return "";
}

NetworkLayout layout_of(const Topology& topology) {
  NetworkLayout out = sketch(topology, true);
  if (out.kind == LayoutKind::kSprings) {
    const double gap = typical_gap(out);
    if (gap > 0) scale(out, 1 / gap);
  }
  round_places(out);
  part_nodes(out);
  out.pitch = static_cast<float>(typical_gap(out));
  bend_round_nodes(topology, out);
  choose_view(topology, out);
  drop_empty_groups(out);
  return out;
}

std::vector<ArcId> rows_of(const NetworkLayout& layout) {
  std::vector<ArcId> out;
  out.reserve(layout.group.size());
  for (size_t g = 0; g < layout.group_names.size(); ++g)
    for (size_t arc = 0; arc < layout.group.size(); ++arc)
      if (layout.group[arc] == g) out.push_back(id_at<ArcId>(arc));
  return out;
}

}  // namespace quadrille
