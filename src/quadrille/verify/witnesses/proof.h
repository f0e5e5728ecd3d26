// Proof: what each kind of witness proves of a problem (proved_by.h).
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/base/rational.h"
#include "quadrille/collective/counts.h"
#include "quadrille/schedule/bound_witness.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class Proof {
 public:
  explicit Proof(const Problem& problem);

  Rational operator()(const CutWitness& cut) const;

  // The parts into which the others fall without the node.
  Rational operator()(const NodeWitness& at) const;

  Rational operator()(const InformedWitness& from) const;    // proof_by_spread.cc
  Rational operator()(const WeightsWitness& weights) const;  // proof_by_weights.cc
  Rational operator()(const RefutationWitness& refutation) const;

  // What reaches an endpoint of the largest time while it is on the far side has crossed before: all pieces, or what is for
  // such endpoints.
  Rational operator()(const TimesWitness& cut) const;
  Rational operator()(const BetweenWitness& among) const;
  Rational operator()(const SendsWitness& sends) const;
  Rational operator()(const OrderWitness& order) const;

 private:
  static Rational over(uint64_t blocks, uint64_t in_a_step);
  // From the nearest of some nodes, or to it; 0 where there is no way, and nothing to prove.
  [[nodiscard]] std::vector<uint32_t> hops(std::vector<NodeId> wave, bool backwards) const;
  // Of the blocks that a rank has, or that are for it: how far the farthest goes, and how soon so many others can have
  // been informed, or heard from.
  [[nodiscard]] Rational by_blocks_of(const Counts& counts, Rank rank) const;
  // Steps until a node and so many others know, if each of them tells so many more in a step.
  [[nodiscard]] static uint64_t growing(uint64_t others, uint64_t a_step);
  // What is known at a node spreads, or to a node comes together.
  [[nodiscard]] uint64_t spreading(const InformedWitness& from, bool backwards) const;
  [[nodiscard]] uint64_t spreading_in_tree(NodeId root, bool backwards) const;
  [[nodiscard]] uint64_t spreading_at_best(NodeId root, bool backwards) const;
  // A transfer takes one arc; and it carries one block.
  [[nodiscard]] bool packets() const { return model_.switching == Switching::kPacket; }
  [[nodiscard]] bool single_packets() const { return packets() && model_.packets == Packets::kOne; }
  // Whom a node can send to in a step: neighbours, as many as there are channels, or anybody.
  [[nodiscard]] uint64_t ways_from(uint64_t neighbours, uint64_t channels) const;
  static uint64_t no_more_than(Ports ports, uint64_t number);
  [[nodiscard]] uint64_t starts(NodeId v) const { return no_more_than(model_.send, leaving_[index(v)]); }
  [[nodiscard]] uint64_t ends(NodeId v) const { return no_more_than(model_.receive, entering_[index(v)]); }

  // Transfers of a step from the nodes of a side to the others: no more than links, senders, or receivers
  // allow.
  [[nodiscard]] uint64_t most_across(const std::vector<uint32_t>& side, uint32_t from) const;
  // Half duplex: a link goes one way in a step.
  [[nodiscard]] uint64_t links_across(const std::vector<uint32_t>& side) const;

  const Problem& problem_;
  const Topology& net_;
  const Model& model_;
  std::vector<uint64_t> leaving_;
  std::vector<uint64_t> entering_;
};

}  // namespace quadrille
