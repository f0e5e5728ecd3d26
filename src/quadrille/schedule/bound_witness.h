// BoundWitness: what proves a lower bound on the steps of any plan, as data, so that whoever doubts the bound
// can check it with the problem alone.
//
// A plan file carries one beside the bound that its plan is held against (docs/plan_format.md says what each
// proves, and how); the judge's own check of them is verify/proved_by.h, and examples/check_plan.py has
// another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "quadrille/base/ids.h"
#include "quadrille/topology/topology.h"

namespace quadrille {

/// Some nodes, and what must cross between them and the others.
struct CutWitness {
  std::vector<NodeId> nodes{};  ///< ascending
  friend bool operator==(const CutWitness&, const CutWitness&) = default;
};

/// A node, and what it must send and receive: its own, and what can only go through it.
struct NodeWitness {
  NodeId node{};
  friend bool operator==(const NodeWitness&, const NodeWitness&) = default;
};

/// A node, and how many can have heard of it (in a reduction: of how many it can have heard) over paths of at
/// least so many hops.
struct InformedWitness {
  NodeId node{};
  uint32_t hops = 0;
  friend bool operator==(const InformedWitness&, const InformedWitness&) = default;
};

/// Weights of links, of sending and of receiving: a block needs the weight of its lightest way, and a step
/// carries no more than all that can be used in it.
struct WeightsWitness {
  struct Link {
    NodeId tail{};
    NodeId head{};
    uint32_t weight = 0;
    friend bool operator==(const Link&, const Link&) = default;
  };
  struct Node {
    NodeId node{};
    uint32_t weight = 0;
    friend bool operator==(const Node&, const Node&) = default;
  };
  std::vector<Link> links{};      ///< by tail, then head; a link that is not listed weighs nothing
  std::vector<Node> senders{};    ///< per transfer that starts at a node, ascending
  std::vector<Node> receivers{};  ///< per transfer that ends at a node, ascending
  friend bool operator==(const WeightsWitness&, const WeightsWitness&) = default;
};

/// That a one-port broadcast in so many steps is impossible: lemmas that end in a contradiction, each of which
/// follows from the formula "it is possible" and those before it by unit propagation. A literal is 2 v, or
/// 2 v + 1 for not v. With T the steps, and nodes and arcs counted from 0 in their order: v is (T + 1) node + t
/// for "the node is informed by the end of step t", and (T + 1) nodes + arc for "the head of the arc is
/// informed over it".
struct RefutationWitness {
  uint32_t steps = 0;
  std::vector<std::vector<uint32_t>> lemmas{};  ///< the last one is empty
  friend bool operator==(const RefutationWitness&, const RefutationWitness&) = default;
};

/// A cut through nodes and steps, of a broadcast: per node the step after which it is on the near side. Who
/// has a time of more than T is still on the far side at the end of T steps. What reaches it until then must
/// cross, and a link from v to w can do that only in the steps after the time of v and before that of w. In a
/// reduction the same backwards, in time and direction.
struct TimesWitness {
  std::vector<uint32_t> times{};  ///< per node; 0 for the root
  friend bool operator==(const TimesWitness&, const TimesWitness&) = default;
};

/// Endpoints of an exchange, and what each of them has for the others: so many sends and so many receptions a step, and a
/// reception as many steps after its send as there are hops between.
struct BetweenWitness {
  std::vector<NodeId> nodes{};  ///< ascending
  friend bool operator==(const BetweenWitness&, const BetweenWitness&) = default;
};

/// A cut of the dimensions, for worms that correct their coordinates first to last. Nodes are numbered in row-major order by
/// the sides, and a link changes one coordinate. What spreads from a node leaves its subtorus over ports of the first `cut`
/// dimensions; what comes together at one enters over ports of the last.
struct OrderWitness {
  uint32_t cut = 1;
  std::vector<uint32_t> sides{};
  friend bool operator==(const OrderWitness&, const OrderWitness&) = default;
};

/// So many steps of a broadcast, an allgather, or of these backwards: too few for all transfers that bring a block to
/// somebody for the first time.
struct SendsWitness {
  uint32_t steps = 0;
  friend bool operator==(const SendsWitness&, const SendsWitness&) = default;
};

using BoundWitness = std::variant<CutWitness, NodeWitness, InformedWitness, WeightsWitness, RefutationWitness,
                                  TimesWitness, BetweenWitness, OrderWitness, SendsWitness>;

/// What a witness may be, for messages: "cut, node, ..".
inline constexpr std::string_view kWitnessKinds =
    "cut, node, informed, weights, refutation, times, between, order, sends";

/// What makes it no witness for any problem on the topology: nodes and links that do not exist or come twice,
/// a cut with nothing on one side. Nothing if all is well; what it proves is another question.
[[nodiscard]] std::optional<std::string> find_mistake(const BoundWitness& witness, const Topology& topology);

}  // namespace quadrille
