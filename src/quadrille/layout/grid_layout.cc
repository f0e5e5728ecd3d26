#include "quadrille/layout/grid_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

namespace quadrille {
namespace {

constexpr uint32_t kLongestRow = 32;  // longer lines go to and fro

uint32_t apart(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

// --- which networks are grids --------------------------------------------------------------------------

std::optional<GridPlaces> places_of_product(const ProductStructure& product, uint32_t nodes) {
  GridPlaces out;
  for (const Topology& factor : product.factors) {
    if (!is_numbered_line(factor) && !is_numbered_ring(factor)) return std::nullopt;
    out.sides.push_back(factor.num_nodes());
  }
  out.coordinates.reserve(size_t{nodes} * out.sides.size());
  for (uint32_t v = 0; v < nodes; ++v)
    for (size_t i = 0; i < out.sides.size(); ++i) out.coordinates.push_back(product.coordinate(NodeId{v}, i));
  return out;
}

// "(1,3)" appended to `out`; false for anything else.
bool append_coordinates(std::string_view label, std::vector<uint32_t>& out) {
  if (label.size() < 3 || label.front() != '(' || label.back() != ')') return false;
  const char* at = label.data() + 1;
  const char* const end = label.data() + label.size() - 1;
  while (true) {
    uint32_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{}) return false;
    out.push_back(value);
    if (next == end) return true;
    if (*next != ',') return false;
    at = next + 1;
  }
}

bool mostly_steps(const Topology& topology, const GridPlaces& places) {
  uint32_t steps = 0;
  for (const ArcId arc : topology.arcs()) {
    uint32_t far = 0;
    for (size_t i = 0; i < places.dimensions(); ++i)
      far += apart(places.at(topology.tail(arc), i), places.at(topology.head(arc), i));
    steps += far == 1 ? 1 : 0;
  }
  return 5 * uint64_t{steps} >= 3 * uint64_t{topology.num_arcs()};
}

std::optional<GridPlaces> places_of_labels(const Topology& topology) {
  GridPlaces out;
  size_t dimensions = 0;
  for (const NodeId v : topology.nodes()) {
    const size_t before = out.coordinates.size();
    if (!append_coordinates(topology.label(v), out.coordinates)) return std::nullopt;
    const size_t found = out.coordinates.size() - before;
    if (before == 0) dimensions = found;
    if (found != dimensions) return std::nullopt;
  }
  out.sides.assign(dimensions, 0);
  for (size_t i = 0; i < out.coordinates.size(); ++i) {
    if (out.coordinates[i] > topology.num_nodes() * 4) return std::nullopt;
    out.sides[i % dimensions] = std::max(out.sides[i % dimensions], out.coordinates[i] + 1);
  }
  if (!mostly_steps(topology, out)) return std::nullopt;
  return out;
}

// --- where they are drawn ------------------------------------------------------------------------------

// Sides of one place say nothing.
std::vector<size_t> wide_dimensions(const GridPlaces& places) {
  std::vector<size_t> out;
  for (size_t i = 0; i < places.dimensions(); ++i)
    if (places.sides[i] > 1) out.push_back(i);
  return out;
}

void draw_row(const Topology& topology, const GridPlaces& places, size_t dimension, NetworkLayout& out) {
  const uint32_t side = places.sides[dimension];
  const auto width = side <= kLongestRow
                         ? side
                         : static_cast<uint32_t>(std::ceil(1.4 * std::sqrt(static_cast<double>(side))));
  for (const NodeId v : topology.nodes()) {
    const uint32_t at = places.at(v, dimension);
    const uint32_t row = at / width;
    const uint32_t column = row % 2 == 0 ? at % width : width - 1 - at % width;
    out.x[index(v)] = static_cast<float>(column);
    out.y[index(v)] = static_cast<float>(row);
  }
}

struct Direction {
  double x, y;
};

// Binary cubes: each further bit moves a picture of those before it. The third is aslant, as a cube is drawn; those of a cube of cubes
// are such that no two nodes are near each other and few links pass over nodes, by trial.
std::vector<Direction> cube_directions(size_t dimensions) {
  const Direction first[] = {{1, 0}, {0, 1}, {0.44, -0.38}};
  const Direction later[] = {{2.88, 0.45}, {-0.6, 2.51}, {1.76, -0.97}};
  std::vector<Direction> out;
  for (size_t i = 0; i < dimensions; ++i) {
    if (i < 3) {
      out.push_back(first[i]);
      continue;
    }
    const size_t times = i / 3 - 1;
    const double grown = std::pow(2.7, static_cast<double>(times));
    out.push_back({grown * later[i % 3].x, grown * later[i % 3].y});
  }
  return out;
}

// Grids of grids: dimensions from the last one on go right, down, right, down; those of a grid of grids aslant, so that their links do not
// run along rows.
std::vector<Direction> folded_directions(const GridPlaces& places, const std::vector<size_t>& wide) {
  std::vector<Direction> out;
  double across = 0;
  double down = 0;
  for (size_t j = 0; j < wide.size(); ++j) {
    const auto steps = static_cast<double>(places.sides[wide[wide.size() - 1 - j]] - 1);
    double& extent = j % 2 == 0 ? across : down;
    const double unit = j < 2 ? 1 : extent + 1.6;
    const double slant = j < 2 ? 0 : 0.35;
    out.push_back(j % 2 == 0 ? Direction{unit, slant} : Direction{slant, unit});
    extent += unit * steps;
  }
  return out;
}

void draw_along(const Topology& topology, const GridPlaces& places, const std::vector<size_t>& wide,
                const std::vector<Direction>& directions, NetworkLayout& out) {
  for (const NodeId v : topology.nodes()) {
    double x = 0;
    double y = 0;
    for (size_t j = 0; j < wide.size(); ++j) {
      const double at = places.at(v, wide[wide.size() - 1 - j]);
      x += at * directions[j].x;
      y += at * directions[j].y;
    }
    out.x[index(v)] = static_cast<float>(x);
    out.y[index(v)] = static_cast<float>(y);
  }
}

void draw_deep(const Topology& topology, const GridPlaces& places, const std::vector<size_t>& wide,
               NetworkLayout& out) {
  out.z.resize(topology.num_nodes());
  for (const NodeId v : topology.nodes()) {
    out.x[index(v)] = static_cast<float>(places.at(v, wide[2]));
    out.y[index(v)] = static_cast<float>(places.at(v, wide[1]));
    out.z[index(v)] = static_cast<float>(places.at(v, wide[0]));
  }
}

bool is_cube(const GridPlaces& places, const std::vector<size_t>& wide) {
  return wide.size() >= 3 &&
         std::all_of(wide.begin(), wide.end(), [&](size_t i) { return places.sides[i] == 2; });
}

// --- directions of arcs --------------------------------------------------------------------------------

std::string dimension_name(size_t from_last) {
  constexpr std::string_view kLetters = "xyzwvu";
  return from_last < kLetters.size() ? std::string(1, kLetters[from_last])
                                     : fmt::format("d{}", from_last + 1);
}

// The first coordinate in which the ends of an arc differ, and whether it goes up there, round the end perhaps.
void name_directions(const Topology& topology, const GridPlaces& places, NetworkLayout& out) {
  const std::vector<size_t> wide = wide_dimensions(places);
  const bool cube = is_cube(places, wide);
  for (size_t j = 0; j < wide.size(); ++j) {
    const size_t from_last = wide.size() - 1 - j;
    for (const char sign : {'+', '-'})
      out.group_names.push_back(cube ? fmt::format("bit {}", from_last) : dimension_name(from_last) + sign);
  }
  if (out.group_names.empty()) out.group_names.emplace_back("links");
  for (const ArcId arc : topology.arcs()) {
    size_t place = 0;
    bool up = true;
    for (size_t j = 0; j < wide.size(); ++j) {
      const uint32_t from = places.at(topology.tail(arc), wide[j]);
      const uint32_t to = places.at(topology.head(arc), wide[j]);
      if (from == to) continue;
      const bool round = places.sides[wide[j]] > 2 && apart(from, to) == places.sides[wide[j]] - 1;
      place = j;
      up = (to > from) != round;
      out.wraps[index(arc)] = round ? 1 : 0;
      break;
    }
    out.group[index(arc)] = static_cast<uint8_t>(2 * place + (up || cube ? 0 : 1));
  }
}

}  // namespace

bool is_numbered_line(const Topology& topology) {
  for (const ArcId arc : topology.arcs())
    if (apart(static_cast<uint32_t>(topology.tail(arc)), static_cast<uint32_t>(topology.head(arc))) != 1)
      return false;
  return true;
}

bool is_numbered_ring(const Topology& topology) {
  const uint32_t last = topology.num_nodes() - 1;
  if (last < 2) return false;
  bool closed = false;
  for (const ArcId arc : topology.arcs()) {
    const uint32_t far =
        apart(static_cast<uint32_t>(topology.tail(arc)), static_cast<uint32_t>(topology.head(arc)));
    if (far != 1 && far != last) return false;
    closed = closed || far == last;
  }
  return closed;
}

std::optional<GridPlaces> grid_places(const Topology& topology) {
  if (const ProductStructure* product = topology.product())
    return places_of_product(*product, topology.num_nodes());
  if (is_numbered_line(topology)) {
    GridPlaces out{.sides = {topology.num_nodes()}};
    for (uint32_t v = 0; v < topology.num_nodes(); ++v) out.coordinates.push_back(v);
    return out;
  }
  return places_of_labels(topology);
}

NetworkLayout grid_layout(const Topology& topology, const GridPlaces& places) {
  NetworkLayout out{.kind = LayoutKind::kGrid};
  out.x.resize(topology.num_nodes());
  out.y.resize(topology.num_nodes());
  out.wraps.resize(topology.num_arcs());
  out.group.resize(topology.num_arcs());
  const std::vector<size_t> wide = wide_dimensions(places);
  if (is_cube(places, wide)) {
    draw_along(topology, places, wide, cube_directions(wide.size()), out);
  } else if (wide.size() == 1) {
    draw_row(topology, places, wide[0], out);
  } else if (wide.size() == 3) {
    draw_deep(topology, places, wide, out);
  } else if (wide.size() >= 2) {
    draw_along(topology, places, wide, folded_directions(places, wide), out);
  }
  name_directions(topology, places, out);
  return out;
}

}  // namespace quadrille
