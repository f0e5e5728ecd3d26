#include "quadrille/layout/level_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace quadrille {
namespace {

constexpr double kWidthToHeight = 2.2;  // of a picture of levels
constexpr int kSweeps = 6;              // of putting rows in order
constexpr double kNearestHosts = 0.65;  // around routers; these move apart where hosts of two would be nearer
constexpr int kMostWider = 6;
constexpr uint32_t kMostInARow = 200;  // leaves of a tree; more stand in a circle

using Rows = std::vector<std::vector<NodeId>>;

std::vector<uint32_t> hops_from_endpoints(const Topology& topology) {
  std::vector<uint32_t> hops(topology.num_nodes(), UINT32_MAX);
  std::vector<NodeId> queue(topology.endpoints().begin(), topology.endpoints().end());
  for (const NodeId v : queue) hops[index(v)] = 0;
  for (size_t i = 0; i < queue.size(); ++i) {
    const NodeId from = queue[i];
    for (const ArcId arc : topology.arcs_from(from)) {
      const NodeId to = topology.head(arc);
      if (hops[index(to)] != UINT32_MAX) continue;
      hops[index(to)] = hops[index(from)] + 1;
      queue.push_back(to);
    }
  }
  return hops;
}

Rows rows_by(const std::vector<uint32_t>& level) {
  Rows rows(*std::max_element(level.begin(), level.end()) + size_t{1});
  for (size_t v = 0; v < level.size(); ++v) rows[level[v]].push_back(id_at<NodeId>(v));
  return rows;
}

// Names rows of arcs by the lower of their levels and their direction.
void name_levels(const Topology& topology, const std::vector<uint32_t>& level, NetworkLayout& out) {
  const uint32_t height = *std::max_element(level.begin(), level.end());
  for (uint32_t l = 0; l <= height; ++l) {
    const uint32_t shown = std::min(l, 60U);
    if (l != shown) break;
    out.group_names.push_back(fmt::format("up {}", l + 1));
    out.group_names.push_back(fmt::format("down {}", l + 1));
    out.group_names.push_back(fmt::format("level {}", l));
  }
  for (const ArcId arc : topology.arcs()) {
    const uint32_t from = level[index(topology.tail(arc))];
    const uint32_t to = level[index(topology.head(arc))];
    const uint32_t low = std::min({from, to, 60U});
    out.group[index(arc)] = static_cast<uint8_t>(3 * low + (from == to ? 2 : from < to ? 0 : 1));
  }
}

NetworkLayout empty_layout(const Topology& topology) {
  NetworkLayout out{.kind = LayoutKind::kLevels};
  out.x.resize(topology.num_nodes());
  out.y.resize(topology.num_nodes());
  out.wraps.resize(topology.num_arcs());
  out.group.resize(topology.num_arcs());
  return out;
}

double row_height(size_t widest, size_t levels) {
  const double steps = levels > 1 ? static_cast<double>(levels - 1) : 1;
  return std::max(1.0, static_cast<double>(widest) / (kWidthToHeight * steps));
}

void spread(const std::vector<NodeId>& row, double width, std::vector<double>& x) {
  const double each = width / static_cast<double>(row.size());
  for (size_t i = 0; i < row.size(); ++i) x[index(row[i])] = (static_cast<double>(i) + 0.5) * each;
}

// The mean of the places of a node's neighbours on other levels; its own where it has none.
double pulled_to(const Topology& topology, const std::vector<uint32_t>& level, const std::vector<double>& x,
                 NodeId v) {
  double sum = 0;
  uint32_t count = 0;
  for (const ArcId arc : topology.arcs_from(v)) {
    const NodeId to = topology.head(arc);
    if (level[index(to)] == level[index(v)]) continue;
    sum += x[index(to)];
    ++count;
  }
  return count == 0 ? x[index(v)] : sum / count;
}

bool passes_others(const Topology& topology, const std::vector<NodeId>& row, double each,
                   const std::vector<uint32_t>& level, const std::vector<double>& x) {
  for (const NodeId v : row)
    for (const ArcId arc : topology.arcs_from(v)) {
      const NodeId to = topology.head(arc);
      if (level[index(to)] == level[index(v)] && std::abs(x[index(to)] - x[index(v)]) > 1.5 * each)
        return true;
    }
  return false;
}

bool any_nearer(const NetworkLayout& layout, double least) {
  std::vector<std::pair<float, float>> places;
  for (size_t v = 0; v < layout.x.size(); ++v) places.emplace_back(layout.x[v], layout.y[v]);
  std::sort(places.begin(), places.end());
  for (size_t i = 0; i < places.size(); ++i)
    for (size_t j = i + 1; j < places.size() && places[j].first - places[i].first < least; ++j)
      if (std::hypot(places[j].first - places[i].first, places[j].second - places[i].second) < least)
        return true;
  return false;
}

}  // namespace

NetworkLayout tree_layout(const Topology& topology, const TreeStructure& tree) {
  NetworkLayout out = empty_layout(topology);
  const uint32_t leaves = tree.first[1];
  const double height = row_height(leaves, tree.height() + size_t{1});
  std::vector<uint32_t> level(topology.num_nodes());
  double below = 1;
  for (uint32_t l = 0; l <= tree.height(); ++l) {
    if (l > 0) below *= tree.arity[l - 1];
    for (uint32_t v = tree.first[l]; v < tree.first[l + 1]; ++v) {
      level[v] = l;
      const double along = (static_cast<double>(v - tree.first[l]) + 0.5) * below;
      if (leaves <= kMostInARow) {
        out.x[v] = static_cast<float>(along);
        out.y[v] = static_cast<float>((tree.height() - l) * height);
        continue;
      }
      const double angle = (2 * along / leaves - 0.5) * std::numbers::pi;
      const double radius = leaves / (2 * std::numbers::pi) * (tree.height() - l) / tree.height();
      out.x[v] = static_cast<float>(radius * std::cos(angle));
      out.y[v] = static_cast<float>(radius * std::sin(angle));
    }
  }
  if (leaves > kMostInARow) out.kind = LayoutKind::kCircle;
  name_levels(topology, level, out);
  return out;
}

NetworkLayout level_layout(const Topology& topology) {
  NetworkLayout out = empty_layout(topology);
  const std::vector<uint32_t> level = hops_from_endpoints(topology);
  Rows rows = rows_by(level);
  const size_t widest = std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
                          return a.size() < b.size();
                        })->size();
  const auto width = static_cast<double>(widest);
  std::vector<double> x(topology.num_nodes());
  for (const std::vector<NodeId>& row : rows) spread(row, width, x);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (size_t l = 1; l < rows.size(); ++l) {
      std::vector<std::pair<double, NodeId>> wanted;
      for (const NodeId v : rows[l]) wanted.emplace_back(pulled_to(topology, level, x, v), v);
      std::sort(wanted.begin(), wanted.end());
      for (size_t i = 0; i < wanted.size(); ++i) rows[l][i] = wanted[i].second;
      spread(rows[l], width, x);
    }
  }
  const double height = row_height(widest, rows.size());
  for (size_t l = 0; l < rows.size(); ++l) {
    const double each = width / static_cast<double>(rows[l].size());
    const double bend = passes_others(topology, rows[l], each, level, x) ? 0.3 * height : 0;
    for (const NodeId v : rows[l]) {
      const double t = x[index(v)] / width;
      // The lowest row bends down, the others up: away from the links between rows.
      const double bent = bend * 4 * t * (1 - t) * (l == 0 ? -1 : 1);
      out.x[index(v)] = static_cast<float>(x[index(v)]);
      out.y[index(v)] = static_cast<float>(static_cast<double>(rows.size() - 1 - l) * height - bent);
    }
  }
  name_levels(topology, level, out);
  return out;
}

double share_within_levels(const Topology& topology) {
  const std::vector<uint32_t> level = hops_from_endpoints(topology);
  uint64_t within = 0;
  uint64_t all = 0;
  for (const ArcId arc : topology.arcs()) {
    const uint32_t from = level[index(topology.tail(arc))];
    const uint32_t to = level[index(topology.head(arc))];
    if (from == 0 || to == 0) continue;
    ++all;
    within += from == to ? 1 : 0;
  }
  return all == 0 ? 0 : static_cast<double>(within) / static_cast<double>(all);
}

double share_of_endpoints(const Topology& topology) {
  uint64_t links = 0;
  for (const ArcId arc : topology.arcs())
    if (topology.rank(topology.tail(arc)) && topology.rank(topology.head(arc))) ++links;
  return static_cast<double>(links) / static_cast<double>(std::max(1U, topology.num_arcs()));
}

std::optional<Topology> fabric_of(const Topology& topology) {
  std::vector<uint32_t> number(topology.num_nodes(), UINT32_MAX);
  std::vector<std::string> labels;
  uint32_t routers = 0;
  for (const NodeId v : topology.nodes()) {
    if (topology.rank(v)) {
      if (topology.out_degree(v) != 1 || topology.rank(topology.head(topology.arcs_from(v)[0])))
        return std::nullopt;
      continue;
    }
    number[index(v)] = routers++;
    labels.push_back(topology.label(v));
  }
  if (routers == 0) return std::nullopt;
  TopologyBuilder builder(fmt::format("routers of {}", topology.name()), routers);
  for (const ArcId arc : topology.arcs()) {
    const uint32_t from = number[index(topology.tail(arc))];
    const uint32_t to = number[index(topology.head(arc))];
    if (from == UINT32_MAX || to == UINT32_MAX) continue;
    builder.arc(NodeId{from}, NodeId{to}, topology.capacity(arc));
  }
  // Endpoints that hang on one router pass nothing on: the routers reach each other without them.
  builder.labels(std::move(labels));
  return builder.build();
}

NetworkLayout hosts_around(const Topology& topology, const NetworkLayout& routers, const Topology& fabric) {
  NetworkLayout out = empty_layout(topology);
  out.kind = routers.kind;
  std::vector<NodeId> router_of;  // in the network, by its number in the fabric
  std::vector<uint32_t> number(topology.num_nodes(), UINT32_MAX);
  for (const NodeId v : topology.nodes()) {
    if (topology.rank(v)) continue;
    number[index(v)] = static_cast<uint32_t>(router_of.size());
    router_of.push_back(v);
  }
  std::vector<std::vector<NodeId>> hosts(router_of.size());
  for (const NodeId host : topology.endpoints())
    hosts[number[index(topology.head(topology.arcs_from(host)[0]))]].push_back(host);
  size_t most = 1;
  for (const auto& some : hosts) most = std::max(most, some.size());
  const double spread_over =
      routers.kind == LayoutKind::kGrid ? 0.4 * std::numbers::pi : 0.9 * std::numbers::pi;
  // Below routers in a row there is room for a row of hosts.
  const bool in_a_row = routers.is_flat() && std::all_of(routers.y.begin(), routers.y.end(),
                                                         [&](float y) { return y == routers.y[0]; });
  const double radius = in_a_row ? std::max(1.2, 0.4 * static_cast<double>(most))
                                 : std::max(0.8, 0.75 * static_cast<double>(most) / spread_over);
  double scale = in_a_row ? static_cast<double>(most) + 0.6
                          : (routers.kind == LayoutKind::kGrid ? 1.3 : 1) * (radius + 1.2);
  double middle[2] = {0, 0};
  for (size_t r = 0; r < router_of.size(); ++r) {
    middle[0] += routers.x[r] / static_cast<double>(router_of.size());
    middle[1] += routers.y[r] / static_cast<double>(router_of.size());
  }
  if (!routers.is_flat()) out.z.resize(topology.num_nodes());
  const auto place = [&](size_t r) {
    const size_t v = index(router_of[r]);
    out.x[v] = static_cast<float>(routers.x[r] * scale);
    out.y[v] = static_cast<float>(routers.y[r] * scale);
    if (!routers.is_flat()) out.z[v] = static_cast<float>(routers.z[r] * scale);
    // Away from where its links go; in a grid between the links.
    double away[2] = {routers.x[r] - middle[0], routers.y[r] - middle[1]};
    for (const ArcId arc : fabric.arcs_from(id_at<NodeId>(r))) {
      const size_t to = index(fabric.head(arc));
      const double far = std::hypot(routers.x[to] - routers.x[r], routers.y[to] - routers.y[r]);
      if (far == 0) continue;
      away[0] -= 2 * (routers.x[to] - routers.x[r]) / far;
      away[1] -= 2 * (routers.y[to] - routers.y[r]) / far;
    }
    const double towards =
        routers.kind == LayoutKind::kGrid ? std::numbers::pi / 4 : std::atan2(away[1], away[0]);
    for (size_t i = 0; i < hosts[r].size(); ++i) {
      const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(hosts[r].size()) - 0.5;
      const double angle = towards + share * spread_over;
      const size_t host = index(hosts[r][i]);
      if (in_a_row) {
        out.x[host] = static_cast<float>(out.x[v] + share * static_cast<double>(hosts[r].size()));
        out.y[host] = static_cast<float>(out.y[v] + radius);
        continue;
      }
      out.x[host] = static_cast<float>(out.x[v] + radius * std::cos(angle));
      out.y[host] = static_cast<float>(out.y[v] + radius * std::sin(angle));
      if (!routers.is_flat()) out.z[host] = out.z[v];
    }
  };
  const bool may_meet = !in_a_row && routers.is_flat() && routers.kind != LayoutKind::kGrid;
  for (int wider = 0;; ++wider) {
    for (size_t r = 0; r < router_of.size(); ++r) place(r);
    if (!may_meet || wider == kMostWider || !any_nearer(out, kNearestHosts)) break;
    scale *= 1.15;
  }
  out.group_names = {"up", "down"};
  for (const std::string& name : routers.group_names) out.group_names.push_back(name);
  for (const ArcId arc : topology.arcs()) {
    const uint32_t from = number[index(topology.tail(arc))];
    const uint32_t to = number[index(topology.head(arc))];
    if (from == UINT32_MAX || to == UINT32_MAX) {
      out.group[index(arc)] = from == UINT32_MAX ? 0 : 1;
      continue;
    }
    const ArcId inner = *fabric.find_arc(NodeId{from}, NodeId{to});
    out.group[index(arc)] = static_cast<uint8_t>(2 + routers.group[index(inner)]);
    out.wraps[index(arc)] = routers.wraps[index(inner)];
  }
  return out;
}

}  // namespace quadrille
