#include "quadrille/topology/queries/fat_tree.h"

#include <fmt/format.h>

#include <algorithm>

namespace quadrille {

FatTree::FatTree(const Topology& topology)
    : arity_(topology.tree()->arity),
      capacity_(topology.tree()->capacity),
      below_{1},
      first_(topology.tree()->first) {
  for (const uint32_t k : arity_) below_.push_back(below_.back() * k);
  up_.reserve(size_t{height()} * leaves());
  down_.reserve(size_t{height()} * leaves());
  for (uint32_t l = 0; l < height(); ++l) {
    for (uint32_t leaf = 0; leaf < leaves(); ++leaf) {
      if (leaf % below_[l] != 0) {
        up_.push_back(up_.back());
        down_.push_back(down_.back());
        continue;
      }
      const ArcId arc = *topology.find_arc(ancestor(l, leaf), ancestor(l + 1, leaf));
      up_.push_back(arc);
      down_.push_back(topology.reverse(arc));
    }
  }
}

uint32_t FatTree::level(uint32_t a, uint32_t b) const {
  uint32_t l = 0;
  while (a / below_[l] != b / below_[l]) ++l;
  return l;
}

uint32_t FatTree::displaced(uint32_t leaf, uint32_t displacement) const {
  uint32_t out = 0;
  for (uint32_t l = 0; l < height() && (leaf != 0 || displacement != 0); ++l) {
    const uint32_t k = arity_[l];
    out += (leaf % k + displacement % k) % k * below_[l];
    leaf /= k;
    displacement /= k;
  }
  return out;
}

bool FatTree::is_uniform() const {
  return std::all_of(arity_.begin(), arity_.end(), [this](uint32_t k) { return k == arity_.front(); });
}

bool FatTree::has_unit_capacities() const {
  return std::all_of(capacity_.begin(), capacity_.end(), [](uint32_t c) { return c == 1; });
}

std::string why_no_fat_tree(const Topology& topology) {
  const TreeStructure* tree = topology.tree();
  if (tree == nullptr) {
    return fmt::format("it needs a fat tree, fat_tree(k1,..,kh;c1,..,ch); {} is none", topology.name());
  }
  if (topology.num_endpoints() != tree->first[1]) {
    return fmt::format(
        "it needs a fat tree, in which only the leaves are processors; in {} every node is one",
        topology.name());
  }
  for (size_t l = 0; l < tree->arity.size(); ++l) {
    if (tree->arity[l] != 1) continue;
    return fmt::format(
        "it needs at least two children below every router; routers of level {} of {} have one", l + 1,
        topology.name());
  }
  return {};
}

}  // namespace quadrille
