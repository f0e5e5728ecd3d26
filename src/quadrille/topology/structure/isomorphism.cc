#include "quadrille/topology/structure/isomorphism.h"

#include <algorithm>
#include <cstdint>

#include "quadrille/topology/structure/factorisation.h"
#include "quadrille/topology/structure/same_looks.h"

namespace quadrille {
namespace isomorphism_parts {
namespace {

constexpr uint64_t kMostLooks = 10'000'000;
// Smaller networks are put upon each other at once, larger ones factor by factor.
constexpr uint32_t kMostNodesAtOnce = 32;

// The prime factors of one network are those of the other.
std::optional<std::vector<NodeId>> by_factors(const Topology& from, const Factorisation& ours,
                                              const Topology& to, const Factorisation& theirs) {
  const size_t count = ours.factors.size();
  if (theirs.factors.size() != count) return std::nullopt;
  std::vector<size_t> partner(count);
  std::vector<std::vector<NodeId>> image(count);
  std::vector<bool> taken(count, false);
  for (size_t i = 0; i < count; ++i) {
    size_t j = 0;
    for (; j < count; ++j) {
      if (taken[j] || ours.factors[i].num_nodes() != theirs.factors[j].num_nodes()) continue;
      std::optional<std::vector<NodeId>> found =
          image_by_looks(ours.factors[i], theirs.factors[j], kMostLooks);
      if (!found) continue;
      image[i] = std::move(*found);
      break;
    }
    if (j == count) return std::nullopt;
    taken[j] = true;
    partner[i] = j;
  }
  std::vector<uint64_t> stride(count, 1);
  for (size_t j = count - 1; j > 0; --j) stride[j - 1] = stride[j] * theirs.factors[j].num_nodes();
  std::vector<NodeId> at(to.num_nodes(), kNoNode);
  for (const NodeId v : to.nodes()) {
    uint64_t place = 0;
    for (size_t j = 0; j < count; ++j) place += stride[j] * theirs.coordinate(v, j);
    at[place] = v;
  }
  std::vector<NodeId> out(from.num_nodes());
  for (const NodeId v : from.nodes()) {
    uint64_t place = 0;
    for (size_t i = 0; i < count; ++i) place += stride[partner[i]] * index(image[i][ours.coordinate(v, i)]);
    out[index(v)] = at[place];
  }
  return out;
}

}  // namespace
}  // namespace isomorphism_parts

std::optional<std::vector<NodeId>> find_isomorphism(const Topology& from, const Topology& to) {
  namespace parts = isomorphism_parts;
  if (from.is_directed() != to.is_directed() || from.num_nodes() != to.num_nodes() ||
      from.num_arcs() != to.num_arcs() || from.num_endpoints() != to.num_endpoints())
    return std::nullopt;
  if (from.num_nodes() > parts::kMostNodesAtOnce) {
    const Factorisation ours = prime_factors(from);
    if (ours.factors.size() > 1) return parts::by_factors(from, ours, to, prime_factors(to));
  }
  return image_by_looks(from, to, parts::kMostLooks);
}

}  // namespace quadrille
