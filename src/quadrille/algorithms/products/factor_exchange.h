// The total exchange of one factor, as products of it need: the best plan that any of the given cards has.
//
//     const auto exchange = factor_exchange(line, factor_candidates());
//     exchange->num_steps();     // known at once
//     exchange->plan();          // made when it is first asked for, and kept
//     exchange->replay(sink);    // made again each time where it is too large to keep
//
// What a product predicts follows from these figures. The plan of a line of 2,048 nodes takes 23 GB: nobody makes it
// for a prediction.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
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

/// What is known of it, and its steps when they are asked for. Several threads may ask.
class FactorExchange {
 public:
  /// The steps are what `prepared` generates; what it does not predict is read off them.
  explicit FactorExchange(PreparedPlan prepared);
  /// The steps are there.
  FactorExchange(const Topology& factor, Plan plan);

  [[nodiscard]] uint64_t num_steps() const { return steps_; }
  /// The most transfers over one arc; nothing of a large factor where nobody predicts it.
  [[nodiscard]] std::optional<uint64_t> busiest_link() const;
  /// All steps; an InputError where they take more memory than there is.
  [[nodiscard]] const Plan& plan() const;
  /// Pushes every step: from memory, or where that takes much, as the card makes them.
  void replay(StepSink& sink) const;

 private:
  void measure() const;
  [[nodiscard]] uint64_t bytes() const;  // of all steps

  Topology factor_;
  PreparedPlan prepared_;
  uint64_t steps_ = 0;
  mutable std::recursive_mutex asked_;
  mutable std::optional<uint64_t> busiest_link_;
  mutable std::optional<Plan> plan_;
};

/// A total exchange of blocks in that many pieces. The candidate that predicts the fewest steps makes it, of
/// equals the first; where that one is not known to be optimal, and none was measured, a greedy plan is made
/// too, and the shorter one wins. Of a large factor, whose plan takes long to make, nobody is asked who would make
/// it in order to predict, as long as others serve it.
[[nodiscard]] std::shared_ptr<const FactorExchange> factor_exchange(
    const Topology& factor, std::span<const FactorCandidate> candidates, uint32_t pieces = 1,
    const Model& model = {});

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
  [[nodiscard]] std::shared_ptr<const FactorExchange> of(const Topology& factor, uint32_t pieces);

 private:
  std::span<const FactorCandidate> candidates_;
  std::vector<std::tuple<Topology, uint32_t, std::shared_ptr<const FactorExchange>>> made_;
};

}  // namespace quadrille
