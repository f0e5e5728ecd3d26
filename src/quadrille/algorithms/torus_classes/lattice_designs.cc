#include "quadrille/algorithms/torus_classes/lattice_designs.h"

#include <map>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "quadrille/algorithms/torus_classes/lattice_library.h"
#include "quadrille/algorithms/torus_classes/lattice_search.h"

namespace quadrille {
namespace {

// Nodes of tori that are searched here; others have what is stored, and what needs no search.
constexpr uint32_t kMostSearched = 128;

double volume(const LatticeDesign& design, const TorusClasses& torus) {
  return static_cast<double>(design.load(torus)) / design.lattice.num_cosets();
}

std::vector<LatticeDesign> designs(const TorusClasses& torus, bool near) {
  std::map<uint64_t, LatticeDesign> by_steps;
  for (const StoredLattice& stored : lattice_library())
    if (stored.near() == near && stored.is_for(torus)) by_steps.emplace(stored.steps(), stored.design(torus));
  if (by_steps.empty() && (!near || torus.is_even())) {
    LatticeSearchEffort effort;
    if (torus.num_nodes() > kMostSearched) effort = {.glance = 0, .search = 0};
    const LatticeSearch search(torus, near);
    for (const uint64_t steps : search.steps()) {
      std::optional<LatticeDesign> found = search.find(steps, effort);
      if (found) by_steps.emplace(steps, std::move(*found));
    }
  }
  std::vector<LatticeDesign> out;
  for (auto& entry : by_steps) {
    if (out.empty() || volume(entry.second, torus) < volume(out.back(), torus))
      out.push_back(std::move(entry.second));
  }
  return out;
}

}  // namespace

uint64_t LatticeDesign::load(const TorusClasses& torus) const {
  uint64_t out = 2 * tile.load(torus);
  for (const std::vector<uint32_t>& step : exchanges) out += torus.load(step);
  return out;
}

// Whoever asks once asks again, for other numbers of pieces.
const std::vector<LatticeDesign>& lattice_designs(const TorusClasses& torus, bool near) {
  static std::mutex guard;
  static std::map<std::tuple<std::vector<uint32_t>, std::vector<uint32_t>, bool>, std::vector<LatticeDesign>>
      kept;
  const std::lock_guard lock(guard);
  const std::tuple key(torus.sides(), torus.strides(), near);
  const auto found = kept.find(key);
  return found != kept.end() ? found->second : kept.emplace(key, designs(torus, near)).first->second;
}

}  // namespace quadrille
