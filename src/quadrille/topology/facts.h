// What is known about a topology without building it: closed forms, so that torus(1000,1000,1000) with its
// 10^9 nodes can be described as quickly as torus(4,4).
//
//     const TopologyFacts facts = topology_facts(parse_spec("torus(1000,1000,1000)", "topology"));
//     facts.nodes                  // 10^9
//     *facts.diameter              // 1500
//     *facts.average_distance()    // exact
//
// Distances are counted in hops between endpoints; the status of an endpoint is the sum of its distances to
// all others. A figure that the family has no closed form for is empty; complete_facts.h finds it
// by search where the graph is small enough, and says so. Every closed form is held against a search in the
// tests.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/base/rational.h"

namespace quadrille {

/// A cut that parts the endpoints in two halves whose sizes differ by at most one.
struct Bisection {
  Int128 capacity = 0;   ///< of its arcs, in one direction
  bool proved = false;   ///< nothing cheaper exists; otherwise the best cut that is known
  std::string reason{};  ///< which cut, and who proved it

  /// The number of nodes is odd and one node, the middle, may be on either side at the same price. Products
  /// cut through the middle this way.
  bool free_middle = false;
};

struct TopologyFacts {
  std::string spec{};  ///< canonical
  Int128 nodes = 0;
  Int128 endpoints = 0;
  Int128 links = 0;  ///< pairs of arcs to and fro; in a directed graph an arc without reverse counts as one
  std::optional<Int128> min_degree{};
  std::optional<Int128> max_degree{};
  std::optional<Int128> diameter{};
  std::optional<Int128> min_status{};
  std::optional<Int128> max_status{};
  std::optional<Rational> average_status{};
  std::optional<Bisection> bisection{};
  std::optional<bool> node_symmetric{};  ///< some automorphism takes any node to any other; empty: not known
  std::string group{};                   ///< of the Cayley graph, empty where none is known

  /// If every endpoint sends one unit to every other over fractional paths: the load of the busiest arc, for
  /// the best routing that is known. It proves that a bisection cannot be cheaper than pairs / load.
  std::optional<Rational> exchange_load{};

  /// Names of the figures that were found by search and not by a closed form.
  std::vector<std::string_view> searched{};

  /// Over all ordered pairs of different endpoints; nothing when there is only one endpoint.
  [[nodiscard]] std::optional<Rational> average_distance() const;
  /// True when all endpoints have the same status.
  [[nodiscard]] bool one_status() const { return min_status && min_status == max_status; }
};

/// Figures of a graph that looks the same from every node.
void set_symmetric(TopologyFacts& facts, Int128 degree, std::optional<Int128> diameter,
                   std::optional<Int128> status, std::string group);

/// The facts of the Cartesian product: degrees, diameters and relative statuses add up, and the cuts of the
/// factors are lifted.
[[nodiscard]] TopologyFacts product_facts(std::string spec, const std::vector<TopologyFacts>& factors);

/// Marks the bisection as proved where exchange_load shows that nothing is cheaper.
void prove_by_exchange(TopologyFacts& facts);

/// a * b, or a part of the figure called `what`: "number of nodes". Throws InputError beyond 2^120, so that sums
/// of a few products still fit.
[[nodiscard]] Int128 checked_product(Int128 a, Int128 b, std::string_view what);

}  // namespace quadrille
