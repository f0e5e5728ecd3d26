#include "quadrille/algorithms/torus_classes/torus_lattice.h"

#include <algorithm>
#include <numeric>

namespace quadrille {

TorusLattice::TorusLattice(const TorusClasses& torus, const std::vector<uint32_t>& generators) : nodes_{0} {
  const uint32_t n = torus.num_nodes();
  std::vector<bool> in(n, false);
  in[0] = true;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    for (const uint32_t g : generators) {
      const uint32_t next = torus.moved(nodes_[i], g);
      if (!in[next]) nodes_.push_back(next);
      in[next] = true;
    }
  }
  std::sort(nodes_.begin(), nodes_.end());
  cosets_.assign(n, UINT32_MAX);
  for (const uint32_t v : torus.by_length()) {
    if (cosets_[v] != UINT32_MAX) continue;
    for (const uint32_t h : nodes_) cosets_[torus.moved(v, h)] = num_cosets();
    nearest_.push_back(v);
    lengths_.push_back(torus.length(v));
  }
}

}  // namespace quadrille
