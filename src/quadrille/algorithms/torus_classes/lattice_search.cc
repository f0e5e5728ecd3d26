#include "quadrille/algorithms/torus_classes/lattice_search.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace quadrille {
namespace {

constexpr uint32_t kMostExchanges = 4;
// Lattices of one number of exchanges that others are built on.
constexpr size_t kMostChains = 48;
// Lattices one in another, with what it takes to exchange through them.
struct Chain {
  std::vector<uint32_t> generators{};
  TorusLattice lattice;
  std::vector<std::vector<uint32_t>> exchanges{};
  uint64_t load = 0;  // of a link
};

// Two lattices that look alike from 0 are taken for one.
std::vector<uint32_t> look_of(const TorusLattice& lattice) {
  std::vector<uint32_t> out;
  for (uint32_t c = 0; c < lattice.num_cosets(); ++c) out.push_back(lattice.length(c));
  return out;
}

// The exchange that leads from one lattice to a larger one: a displacement into every new coset. Near: displacements that
// turn into each other, or none.
std::optional<std::vector<uint32_t>> exchange(const TorusClasses& torus, const TorusLattice& from,
                                              const TorusLattice& to, bool near) {
  std::set<uint32_t> wanted;
  for (const uint32_t h : to.nodes())
    if (from.coset(h) != 0) wanted.insert(from.coset(h));
  std::vector<uint32_t> out;
  if (!near) {
    for (const uint32_t coset : wanted) out.push_back(from.nearest(coset));
    return out;
  }
  if (wanted.size() > torus.directions().size()) return std::nullopt;
  for (const uint32_t first : torus.by_length()) {
    if (!wanted.contains(from.coset(first))) continue;
    std::set<uint32_t> missing = wanted;
    out.clear();
    for (uint32_t k = 0; k < torus.classes(); ++k)
      if (missing.erase(from.coset(torus.turned(first, k))) > 0) out.push_back(torus.turned(first, k));
    if (missing.empty()) return out;
  }
  return std::nullopt;
}

using Chains = std::map<std::vector<uint32_t>, Chain>;

void extend(const TorusClasses& torus, const Chain& chain, bool near, Chains& longer) {
  for (uint32_t coset = 1; coset < chain.lattice.num_cosets(); ++coset) {
    const uint32_t g = chain.lattice.nearest(coset);
    for (const uint32_t turns : std::set<uint32_t>{1, std::min(2U, torus.classes()), torus.classes()}) {
      Chain next{chain.generators, chain.lattice, chain.exchanges, chain.load};
      for (uint32_t k = 0; k < turns; ++k) next.generators.push_back(torus.turned(g, k));
      next.lattice = TorusLattice(torus, next.generators);
      if (near && next.lattice.order() / chain.lattice.order() > torus.directions().size() + 1) continue;
      std::optional<std::vector<uint32_t>> step = exchange(torus, chain.lattice, next.lattice, near);
      if (!step) continue;
      next.load += torus.load(*step);
      next.exchanges.push_back(std::move(*step));
      auto [at, is_new] = longer.try_emplace(look_of(next.lattice), next);
      if (!is_new && next.load < at->second.load) at->second = std::move(next);
    }
  }
}

// The cheapest for every look of a lattice and number of exchanges.
std::vector<Chain> chains(const TorusClasses& torus, bool near) {
  std::vector<Chain> out{{{}, TorusLattice(torus, {}), {}, 0}};
  size_t begin = 0;
  for (uint32_t exchanges = 1; exchanges <= (near ? kMostExchanges : 1); ++exchanges) {
    Chains longer;
    for (size_t i = begin; i < out.size(); ++i) extend(torus, out[i], near, longer);
    begin = out.size();
    for (auto& [look, chain] : longer)
      if (out.size() - begin < kMostChains) out.push_back(std::move(chain));
  }
  return out;
}

struct Candidate {
  const Chain* chain;
  uint32_t levels;
  uint64_t least;    // load of any such tree
  LevelTree tile{};  // the best one seen
  uint64_t tile_load = UINT64_MAX;

  [[nodiscard]] uint64_t steps() const { return 2 * uint64_t{levels} + chain->exchanges.size(); }
  // Over a link, in parts of the vector.
  [[nodiscard]] double volume(uint64_t load) const {
    return (2 * static_cast<double>(load) + static_cast<double>(chain->load)) / chain->lattice.num_cosets();
  }
  [[nodiscard]] double best() const {
    return volume(tile_load == UINT64_MAX ? 1000 * least + 1000 : tile_load);
  }
};

}  // namespace

struct LatticeSearch::Candidates {
  Candidates(TorusClasses of, bool is_near) : torus(std::move(of)), near(is_near), all(chains(torus, near)) {
    const uint64_t diameter = torus.length(torus.by_length().back());
    for (const Chain& chain : all) {
      const uint32_t m = chain.lattice.num_cosets();
      const uint32_t radius = chain.lattice.radius();
      if (m == 1) add({&chain, 0, 0});
      uint64_t reached = 1;
      for (uint32_t levels = 1; levels <= radius; ++levels) {
        // A node sends no more messages than that in a level.
        reached = std::min<uint64_t>(reached * (torus.directions().size() + 1), m);
        if (2 * levels + chain.exchanges.size() > 2 * diameter) break;
        if (near && reached < m) continue;
        uint64_t least = m - 1 + radius - levels;
        if (levels == 1) {
          least = 0;
          for (uint32_t c = 0; c < m; ++c) least += chain.lattice.length(c);
        }
        // Over all directions, of which some may carry more.
        const uint64_t directions = torus.directions().size();
        add({&chain, levels, (least * torus.classes() + directions - 1) / directions});
      }
    }
    for (auto& [steps, candidates] : by_steps) {
      std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.volume(a.least) < b.volume(b.least);
      });
    }
  }

  void add(Candidate candidate) { by_steps[candidate.steps()].push_back(std::move(candidate)); }

  void search(Candidate& candidate, LevelSearchEffort effort) const {
    if (candidate.tile_load == candidate.least) return;
    std::optional<LevelTree> tree;
    // Of as many levels as the radius every edge is one hop: these turn into each other.
    if (candidate.levels == 0) {
      tree.emplace();
    } else if (candidate.levels == candidate.chain->lattice.radius()) {
      tree = level_tree(torus, candidate.chain->lattice, candidate.levels, {.moves = 0, .starts = 1});
    } else if (near) {
      tree = near_level_tree(torus, candidate.chain->lattice, candidate.levels, effort);
    } else {
      tree = level_tree(torus, candidate.chain->lattice, candidate.levels, effort);
    }
    if (!tree || tree->load(torus) >= candidate.tile_load) return;
    candidate.tile_load = tree->load(torus);
    candidate.tile = std::move(*tree);
  }

  TorusClasses torus;
  bool near;
  std::vector<Chain> all;
  std::map<uint64_t, std::vector<Candidate>> by_steps{};
};

LatticeSearch::LatticeSearch(TorusClasses torus, bool near)
    : candidates_(std::make_unique<Candidates>(std::move(torus), near)) {}

LatticeSearch::~LatticeSearch() = default;

std::vector<uint64_t> LatticeSearch::steps() const {
  std::vector<uint64_t> out;
  for (const auto& entry : candidates_->by_steps) out.push_back(entry.first);
  return out;
}

std::optional<LatticeDesign> LatticeSearch::find(uint64_t steps, const LatticeSearchEffort& effort) const {
  const auto found = candidates_->by_steps.find(steps);
  if (found == candidates_->by_steps.end()) return std::nullopt;
  std::vector<Candidate> candidates = found->second;
  double best = 1e300;
  const auto look = [&](size_t most, uint64_t work, uint32_t starts) {
    for (size_t i = 0; i < std::min(most, candidates.size()); ++i) {
      Candidate& candidate = candidates[i];
      if (candidate.volume(candidate.least) >= best) continue;
      const uint64_t cosets = candidate.chain->lattice.num_cosets();
      candidates_->search(candidate,
                          {.moves = std::min(work / cosets, effort.per_node * cosets), .starts = starts});
      best = std::min(best, candidate.best());
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.best() < b.best(); });
  };
  look(effort.glances, effort.glance, effort.starts);
  look(effort.searches, effort.search, effort.starts);
  const Candidate& first = candidates.front();
  if (first.tile_load == UINT64_MAX) return std::nullopt;
  return LatticeDesign{first.chain->lattice, first.chain->exchanges, first.tile};
}

}  // namespace quadrille
