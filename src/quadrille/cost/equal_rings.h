// Conditions of published costs on tori with equal sides, all ports and worms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/schedule/problem.h"

namespace quadrille {

struct EqualRings {
  uint64_t dimensions = 0;
  uint64_t side = 0;
};

/// The sides of a torus in the order of its dimensions, each at least 3; empty if it is none.
[[nodiscard]] std::vector<uint64_t> torus_sides(const Topology& topology);
/// If these are all equal.
[[nodiscard]] std::optional<EqualRings> equal_rings(const Topology& topology);
/// p, if n = base^p.
[[nodiscard]] std::optional<uint64_t> exact_log(uint64_t base, uint64_t n);
/// ceil(log_base n).
[[nodiscard]] uint64_t ceil_log(uint64_t base, uint64_t n);

/// Why a cost for all-port worms does not hold for a problem, whatever the topology. `ordered`: the worms of
/// the algorithm go in dimension order.
[[nodiscard]] std::optional<std::string> refuses_all_port_worms(const Problem& problem, bool ordered);

}  // namespace quadrille
