#include "quadrille/algorithms/cayley/coset_chain.h"

#include <algorithm>
#include <utility>

#include "quadrille/topology/cayley/group.h"

namespace quadrille {
namespace {

constexpr uint32_t kNoCoset = UINT32_MAX;

// A hop of all nodes within a stage: what they call coset `from` comes to be `to`.
struct CosetHop {
  uint32_t generator;
  uint32_t from;
  uint32_t to;
};
using CosetSteps = std::vector<std::vector<CosetHop>>;

// Each generator and its inverse, once.
std::vector<std::vector<uint32_t>> classes_of(const CayleyStructure& cayley) {
  std::vector<std::vector<uint32_t>> out;
  for (uint32_t k = 0; k < cayley.generators.size(); ++k) {
    const uint32_t inverse = cayley.inverses[k];
    if (inverse < k) continue;
    out.push_back({k});
    if (inverse != k) out.back().push_back(inverse);
  }
  return out;
}

class Chains {
 public:
  Chains(const CayleyStructure& cayley, uint64_t ports)
      : classes_(classes_of(cayley)), ports_(ports), order_(cayley.group->order()) {
    for (size_t k = 0; k < cayley.generators.size(); ++k) {
      std::vector<uint32_t>& right = right_.emplace_back(order_);
      cayley.group->right_translation(cayley.generators[k], right);
      std::vector<uint32_t>& left = left_.emplace_back(order_);
      const uint32_t inverse = cayley.group->inverse(cayley.generators[k]);
      for (uint32_t x = 0; x < order_; ++x) left[x] = cayley.group->multiply(inverse, x);
    }
    // From the smallest sets of generators on: the class that is best left out.
    const uint32_t sets = 1U << classes_.size();
    steps_.assign(sets, 0);
    left_out_.assign(sets, 0);
    for (uint32_t set = 1; set < sets; ++set) {
      uint64_t least = UINT64_MAX;
      for (uint32_t c = 0; c < classes_.size(); ++c) {
        if ((set >> c & 1U) == 0) continue;
        const uint64_t steps = steps_[set & ~(1U << c)] + stage(set, c).size();
        if (steps >= least) continue;
        least = steps;
        left_out_[set] = c;
      }
      steps_[set] = least;
    }
  }

  // From the smallest subgroup to the whole.
  [[nodiscard]] std::vector<CosetSteps> stages() {
    std::vector<CosetSteps> out;
    for (auto set = static_cast<uint32_t>(steps_.size() - 1); set != 0; set &= ~(1U << left_out_[set]))
      out.push_back(stage(set, left_out_[set]));
    std::reverse(out.begin(), out.end());
    return out;
  }

 private:
  [[nodiscard]] std::vector<uint32_t> generators(uint32_t set) const {
    std::vector<uint32_t> out;
    for (uint32_t c = 0; c < classes_.size(); ++c)
      if ((set >> c & 1U) != 0) out.insert(out.end(), classes_[c].begin(), classes_[c].end());
    return out;
  }

  // The left cosets of the smaller group in the larger: whom its generators join.
  uint32_t find_cosets(uint32_t set, uint32_t smaller) {
    coset_.assign(order_, kNoCoset);
    const std::vector<uint32_t> inside = generators(smaller);
    uint32_t cosets = 0;
    std::vector<uint32_t> found{0};
    std::vector<char> seen(order_, 0);
    seen[0] = 1;
    const std::vector<uint32_t> all = generators(set);
    for (size_t i = 0; i < found.size(); ++i) {
      for (const uint32_t k : all) {
        const uint32_t y = right_[k][found[i]];
        if (seen[y] != 0) continue;
        seen[y] = 1;
        found.push_back(y);
      }
    }
    std::vector<uint32_t> members;
    for (const uint32_t x : found) {
      if (coset_[x] != kNoCoset) continue;
      members.assign(1, x);
      coset_[x] = cosets;
      for (size_t i = 0; i < members.size(); ++i) {
        for (const uint32_t k : inside) {
          const uint32_t y = right_[k][members[i]];
          if (coset_[y] != kNoCoset) continue;
          coset_[y] = cosets;
          members.push_back(y);
        }
      }
      ++cosets;
    }
    return cosets;
  }

  // One coset over each generator and step, as many as can be.
  CosetSteps stage(uint32_t set, uint32_t without) {
    const uint32_t cosets = find_cosets(set, set & ~(1U << without));
    const std::vector<uint32_t> all = generators(set);
    std::vector<uint32_t> held{0};  // an element of each coset that has come, in order
    place_.assign(cosets, kNoCoset);
    place_[coset_[0]] = 0;
    CosetSteps out;
    while (held.size() < cosets) {
      std::vector<CosetHop>& step = out.emplace_back();
      by_.assign(cosets, kNoCoset);
      hops_.clear();
      for (const uint32_t k : all) {
        if (step.size() >= ports_) break;
        tried_.assign(cosets, 0);
        if (take(k, held)) step.push_back({k, 0, 0});
      }
      step.clear();
      for (uint32_t coset = 0; coset < cosets; ++coset) {
        if (by_[coset] == kNoCoset) continue;
        const CosetHop& hop = hops_[by_[coset]];
        place_[coset] = static_cast<uint32_t>(held.size());
        step.push_back({hop.generator, hop.from, place_[coset]});
        held.push_back(left_[hop.generator][held[hop.from]]);
      }
    }
    return out;
  }

  // A new coset over the generator; whoever had it may take another.
  bool take(uint32_t generator, const std::vector<uint32_t>& held) {
    for (uint32_t from = 0; from < held.size(); ++from) {
      const uint32_t coset = coset_[left_[generator][held[from]]];
      if (place_[coset] != kNoCoset || tried_[coset] != 0) continue;
      tried_[coset] = 1;
      if (by_[coset] != kNoCoset && !take(hops_[by_[coset]].generator, held)) continue;
      by_[coset] = static_cast<uint32_t>(hops_.size());
      hops_.push_back({generator, from, coset});
      return true;
    }
    return false;
  }

  std::vector<std::vector<uint32_t>> classes_;
  uint64_t ports_;
  uint32_t order_;
  std::vector<std::vector<uint32_t>> right_;  // per generator g and x: x g
  std::vector<std::vector<uint32_t>> left_;   // g^-1 x
  std::vector<uint64_t> steps_;               // per set of classes
  std::vector<uint32_t> left_out_;
  std::vector<uint32_t> coset_;  // per element
  std::vector<uint32_t> place_;  // per coset, among those that have come
  std::vector<uint32_t> by_;     // per coset: the hop of this step that brings it
  std::vector<CosetHop> hops_;
  std::vector<char> tried_;
};

}  // namespace

uint64_t CosetChain::work(const CayleyStructure& cayley) {
  const size_t classes = classes_of(cayley).size();
  if (classes > kMostClasses) return UINT64_MAX;
  return (uint64_t{cayley.group->order()} * cayley.generators.size() * classes) << classes;
}

std::optional<CosetChain::Steps> CosetChain::shortest(const CayleyStructure& cayley, uint64_t ports) {
  Steps out;
  uint32_t slots = 1;  // slot 0 is a node's own
  for (const CosetSteps& stage : Chains(cayley, ports).stages()) {
    // What is sent on by itself has a slot for itself; the rest of a stage has one together.
    uint32_t cosets = 1;
    for (const std::vector<CosetHop>& step : stage) cosets += static_cast<uint32_t>(step.size());
    std::vector<uint32_t> slot_of(cosets, 0);
    const uint32_t before = slots;
    for (const std::vector<CosetHop>& step : stage)
      for (const CosetHop& hop : step)
        if (hop.from != 0 && slot_of[hop.from] == 0) slot_of[hop.from] = slots++;
    bool has_rest = false;
    for (uint32_t place = 1; place < cosets; ++place) {
      if (slot_of[place] != 0) continue;
      slot_of[place] = slots;
      has_rest = true;
    }
    if (has_rest) ++slots;
    if (slots > SumSlots::kCount) return std::nullopt;
    const auto all_before = static_cast<uint32_t>((uint64_t{1} << before) - 1);
    for (const std::vector<CosetHop>& step : stage) {
      std::vector<Move>& moves = out.emplace_back();
      for (const CosetHop& hop : step)
        moves.push_back(
            {hop.generator, {hop.from == 0 ? all_before : 1U << slot_of[hop.from], slot_of[hop.to]}});
    }
  }
  return out;
}

}  // namespace quadrille
