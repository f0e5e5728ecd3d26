// Least of lenders: what whoever is asked to lend takes at least, known in a moment and before it is asked.
//
// A vector takes its rounds over links and through ports, an exchange the hops of all its blocks, others what a node sends or receives.
// Each is found once for a machine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "quadrille/compile/lending/asked_key.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// Links that all blocks of an exchange cross at least, and those of them that routers send over.
struct ExchangeHops {
  uint64_t all = 0;
  uint64_t of_routers = 0;
};

class LeastOfLenders {
 public:
  /// Of lenders on a network, and on the same one turned round.
  explicit LeastOfLenders(const Topology& topology) : topology_(topology) {}

  /// In the unit of the model, for messages of so many bytes, whole or in pieces.
  [[nodiscard]] double time(const Problem& lender, uint64_t bytes);
  /// What another one has found for the same network.
  void take_over(LeastOfLenders& from);

 private:
  [[nodiscard]] const ExchangeHops& hops();
  [[nodiscard]] double of_exchange(const Problem& lender, uint64_t bytes);
  [[nodiscard]] double of_vector(const Problem& lender, uint64_t bytes);

  Topology topology_;
  std::optional<ExchangeHops> hops_{};
  std::map<AskedKey, double> rounds_{};  // of vectors
};

}  // namespace quadrille
