// The total exchange of one factor, as products of it need: the best plan that any of the given cards has.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/schedule/plan.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

struct FactorCandidate {
  const Algorithm* card = nullptr;
  bool is_optimal = false;                ///< with all ports, wherever it applies
  bool is_optimal_with_one_port = false;  ///< the same
  uint32_t most_nodes = UINT32_MAX;       ///< of a factor that it is asked for
};

/// Ports and duplex of a product, for one of its factors: no more ports than that has links.
[[nodiscard]] Model model_of_factor(const Problem& product, const Topology& factor);

/// A total exchange of blocks in that many pieces. The candidate that predicts the fewest steps makes it, of
/// equals the first; where that one is not known to be optimal, and none was measured, a greedy plan is made
/// too, and the shorter one wins.
[[nodiscard]] std::shared_ptr<const Plan> factor_exchange(const Topology& factor,
                                                          std::span<const FactorCandidate> candidates,
                                                          uint32_t pieces = 1, const Model& model = {});

/// While one lives, all that this thread asks factor_exchange() for is kept, and not made again: whoever asks
/// several cards about one problem has one, so that cards of products share the plans of their factors.
class SharedFactorExchanges {
 public:
  SharedFactorExchanges();
  ~SharedFactorExchanges();
  SharedFactorExchanges(const SharedFactorExchanges&) = delete;
  SharedFactorExchanges& operator=(const SharedFactorExchanges&) = delete;
};

/// Exchanges of many factors; equal factors with equal numbers of pieces share one.
class FactorExchanges {
 public:
  explicit FactorExchanges(std::span<const FactorCandidate> candidates) : candidates_(candidates) {}
  [[nodiscard]] std::shared_ptr<const Plan> of(const Topology& factor, uint32_t pieces);

 private:
  std::span<const FactorCandidate> candidates_;
  std::vector<std::tuple<Topology, uint32_t, std::shared_ptr<const Plan>>> made_;
};

/// The most transfers over one arc of the factor.
[[nodiscard]] uint64_t busiest_link(const Plan& plan, const Topology& factor);

}  // namespace quadrille
