// Loan: how plans for other problems become one of ours.
//
//     packet(X)            a packet plan is one of one-arc worms
//     packets(X)           the same of messages of any number of packets; asked for by name, and on large networks
//     wormhole(X)          a plan of worms, where paths may share arcs
//     ports_1(X)           a plan for fewer ports (ports_1x2: send, receive)
//     reversed(X)          read backwards on the network with its arcs turned round
//     from_alltoall(X)     what we need of a plan for a harder collective; from_allgather, from_allreduce
//     personalised(X)      a scatter along a broadcast, an alltoall along an allgather, where messages may carry
//                          any number of blocks
//     together(X)          a plan for blocks in one piece, with all pieces of a block in one message
//     in_turn_4(X)         a plan for four pieces of every block, for four after four; in_turn(X): for one after another
//     merged(X)            a plan of single packets, several steps of it as one of messages of any number of packets; or of up
//                          to so many, merged_4(X)
//     through_ports_4(X)   a plan of single packets for nodes with all ports, in messages of up to so many of which as few go at
//                          a time as there are ports; through_ports(X): of any number
//     mirrored(X)          a plan for half of the pieces of every block, and beside it its mirror image for the others: the
//                          symmetry of the network with which both take least
//     X + Y                one after the other: an allreduce is a reduce and then a broadcast
//     compacted(X)         our own plan, every transfer as early as there is room
//     half_duplex(X)       a plan for full duplex, parted
//     one_way(X)           a plan for half duplex
//     as_torus_4x4(X)      a plan for a network of a known family that is the same one, numbered differently
//
// These words are the names of what is lent: they nest, reports print them, and --algorithm takes them
// (lent_name.h). Whatever was lent has its steps compacted where that takes a moment, and so compacts what it is
// made of. Nothing here asks whether a loan is worth it: lending.h does.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quadrille/schedule/plan.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

enum class LoanKind : uint8_t {
  kWeaker,  ///< packets, fewer ports: the plan serves as it is
  kSame,    ///< the same machine, its ports said otherwise
  kReversed,
  kPart,
  kPersonalised,
  kTogether,
  kInTurn,
  kMirrored,      ///< by time alone
  kMerged,        ///< of single packets; by time alone
  kThroughPorts,  ///< of single packets through all ports; by time alone
  kSum,
  kCompacted,
  kHalfDuplex,
  kOneWay,
  kNamed,
};

struct Loan {
  LoanKind kind = LoanKind::kWeaker;
  std::string name{};  ///< the word before the brackets; of a sum nothing
  std::vector<Problem> lenders{};
  /// The plan of `problem`, given good ones of the lenders; nothing where this one will not do.
  std::function<std::optional<Plan>(const Problem& problem, std::span<const Plan> plans)> make{};
  /// Where ours need not be stored: makes the plan of the lender of that number, or of one after the other, and pushes our steps.
  std::function<void(const Problem& problem, const std::function<void(size_t, StepSink&)>& lender,
                     StepSink& sink)>
      stream{};
  /// Of a name: whether whoever goes by it need ask nobody else, since all that is known of the network is known there.
  bool settles = true;
  /// The lender's steps are taken over one by one, however many.
  bool of_any_size = false;
};

/// All loans that a problem can take, except that from ports each number below its own is one: only the next.
/// With a limit on queues there are none: what is lent may queue longer.
[[nodiscard]] std::vector<Loan> loans_for(const Problem& problem);

/// Of a network without structure that is one of a family after all (topology/structure/recognition.h), where the family has
/// one: a torus, a star graph, a fat tree; a product of anything; a Cayley graph of a group that was found.
[[nodiscard]] std::vector<Loan> loans_by_name(const Problem& problem);
/// Whether a network without a structure, of more than some nodes, is a member of a family under other numbers, and so is planned as
/// that member and not by itself as well: it gets what the name gets, in its time.
[[nodiscard]] bool goes_by_plain_name(const Topology& topology);

/// Nothing in an odd number of pieces.
[[nodiscard]] std::optional<Loan> mirrored_loan(const Problem& problem);
/// Messages of up to so many packets; 0: of any number. Nothing where a step carries single packets.
[[nodiscard]] std::optional<Loan> merged_loan(const Problem& problem, uint32_t packets);

/// The same of a plan for nodes with all ports; nothing where there are no fewer.
[[nodiscard]] std::optional<Loan> through_ports_loan(const Problem& problem, uint32_t packets);

/// The loan of that name: any number of ports, or of packets. Sums are found by loans_for() alone.
[[nodiscard]] std::optional<Loan> find_loan(const Problem& problem, std::string_view name);

/// The reversed problem, where plans may be read backwards: not an allreduce, and not worms that must keep to the
/// order of dimensions.
[[nodiscard]] std::optional<Problem> reversed_for_loan(const Problem& problem);

/// Of a problem and its reversed one, whether it is the one that copies or sends out; an alltoall and an allreduce are.
[[nodiscard]] bool goes_outwards(CollectiveKind kind);

/// How many ports there are: those that are said, or of all, as many as any node has links; where a link carries any number of
/// packets as one message, its width does not count.
[[nodiscard]] uint32_t port_limit(const Topology& topology, const Model& model, bool send);
/// The ports that no node has more of: kAll says the same.
[[nodiscard]] Ports without_needless_count(const Topology& topology, const Model& model, bool send);

}  // namespace quadrille
