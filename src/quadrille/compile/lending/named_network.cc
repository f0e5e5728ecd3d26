#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/compile/lending/loan.h"
#include "quadrille/topology/queries/isomorphism.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/transforms/relabel.h"

namespace quadrille {
namespace {

constexpr uint32_t kMostNodes = 512;

using Sides = std::vector<uint32_t>;

// All ways to write a number as a product of rising sides.
void factor(uint32_t number, uint32_t least, Sides& so_far, std::vector<Sides>& out) {
  for (uint32_t side = least; uint64_t{side} * side <= number; ++side) {
    if (number % side != 0) continue;
    so_far.push_back(side);
    factor(number / side, side, so_far, out);
    so_far.pop_back();
  }
  if (number < least) return;
  so_far.push_back(number);
  out.push_back(so_far);
  so_far.pop_back();
}

std::string joined(const Sides& sides, std::string_view between) {
  std::string out;
  for (const uint32_t side : sides) out += (out.empty() ? "" : std::string(between)) + std::to_string(side);
  return out;
}

uint64_t arcs_of(std::string_view family, const Sides& sides) {
  uint64_t nodes = 1;
  for (const uint32_t side : sides) nodes *= side;
  uint64_t out = 0;
  for (const uint32_t side : sides) {
    if (family == "mesh") out += nodes / side * 2 * (side - 1);
    if (family == "torus") out += nodes * (side == 2 ? 1 : 2);
    if (family == "generalized_hypercube") out += nodes * (side - 1);
  }
  return out;
}

struct Named {
  std::string word{};
  Topology topology;
  std::vector<NodeId> image{};  // of its nodes, in the network that has no name
};

// A torus of sides of 4 is a hypercube, too.
std::vector<Named> named(const Topology& topology) {
  std::vector<Named> out;
  const uint32_t nodes = topology.num_nodes();
  if (topology.product() != nullptr || topology.cayley() != nullptr || topology.tree() != nullptr ||
      topology.has_routers() || topology.is_directed() || nodes < 2 || nodes > kMostNodes)
    return out;
  std::vector<Sides> all;
  Sides so_far;
  factor(nodes, 2, so_far, all);
  for (const std::string_view family : {"torus", "mesh", "generalized_hypercube"}) {
    for (const Sides& sides : all) {
      if (arcs_of(family, sides) != topology.num_arcs()) continue;
      Topology known = parse_topology(fmt::format("{}({})", family, joined(sides, ",")));
      std::optional<std::vector<NodeId>> image = find_isomorphism(known, topology);
      if (image)
        out.push_back(
            {fmt::format("as_{}_{}", family, joined(sides, "x")), std::move(known), *std::move(image)});
    }
  }
  return out;
}

}  // namespace

std::vector<Loan> loans_by_name(const Problem& problem) {
  std::vector<Loan> out;
  if (problem.model().queue_limit || problem.model().routing == Routing::kDimensionOrder) return out;
  for (const Named& twin : named(problem.topology())) {
    std::vector<NodeId> back(twin.image.size());
    for (size_t v = 0; v < back.size(); ++v) back[index(twin.image[v])] = id_at<NodeId>(v);
    Problem lender = relabelled(problem, back, twin.topology);
    out.push_back(Loan{LoanKind::kNamed,
                       twin.word,
                       {lender},
                       [lender, image = twin.image](const Problem& ours, std::span<const Plan> plans) {
                         return std::optional(relabel(lender, plans[0], image, ours.topology()));
                       }});
  }
  return out;
}

}  // namespace quadrille
