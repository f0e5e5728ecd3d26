// Time bound: what no plan takes less than, for a message of so many bytes in however many pieces it is sent.
//
// A bound on the steps of a plan is one for that many pieces. Two things hold for any number:
//
//   start-ups  S >= what one piece needs: the transfers of the first piece alone are a plan for it.
//   rounds     R >= r pieces, where r messages must go over some link, through some port or across some cut, for
//              each unit of its capacity. Bounds that count so are in proportion to the pieces (BoundCard::in_proportion);
//              a piece has at least bytes / pieces.
//
// So time >= S ts + bytes r tx. Where a step carries one piece over a link (packet switching) it has one round, and more
// pieces cost more steps: T steps bring at most F(T) of them from a node to another, a flow over time
// (topology/queries/successive_paths.h), and
//
//   time >= the least, over all T, of T (ts + bytes tx / F(T)).
//
// This is said of broadcast and reduce, from the root, and of allreduce, in which the values of every rank must reach every
// other, too: of two nodes that are far apart. F(T) is no more than what all nodes together can send in T steps, either
// (bounds/spreading/most_deliveries.h): with few ports that is far less. Where messages cost (to), fewer steps need more of them: whoever knows of a
// value can tell as many others as it starts messages, so that N ranks know of it after steps of m_1, m_2, ... messages
// only if (1 + m_1) (1 + m_2) ... >= N.
//
// Where a step may carry any part of a message, start-ups and rounds of a broadcast, reduce or allreduce are bounded together:
//
//   time >= the least, over all S, of S ts + bytes tx R(S),
//
// where R(S) is the least that must go over links and through ports for a message to spread in S steps
// (bounds/spreading/rounds_to_spread.h).
//
// Where a step takes a part one hop, few start-ups are no more than hops, and the same is said of the way to a node that is far
// (bounds/spreading/rounds_over_hops.h).
//
// In a total exchange few start-ups send blocks by others, so that R(S) is more than one message for each
// (bounds/spreading/relayed_rounds.h).
//
// Where transfers take paths, few start-ups cost hops, in allgather and reduce_scatter: the first deliveries of a block form a
// tree with N-1 transfers, and the way to the rank farthest from its own, e hops away, has at most S of them; so all have
// N-1 + max(0, e-S) hops or more, and R >= the sum of these over all links. On tori with equal sides, hypercubes and complete
// graphs what no tree of S levels beats, no plan in S start-ups does: one tree, turned, is the best plan.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quadrille/base/rational.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/bounds/spreading/most_deliveries.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class RoundsOverHops;
class TreeHops;

struct TimeBound {
  double time = 0.0;  ///< in the model's unit

  uint64_t start_ups = 0;  ///< of any plan, in any number of pieces
  std::string start_ups_by{};
  Rational rounds{};  ///< messages for each unit of capacity
  std::string rounds_by{};
  /// Of a node in a step beyond its first, added up, where they cost.
  uint64_t further_messages = 0;
  /// Where pieces that follow each other cost steps, and that says more: the steps that take the least time, the pieces
  /// that they can bring at most, and where.
  struct Stream {
    uint64_t steps = 0;
    uint64_t pieces = 0;
    std::string to{};  ///< empty: to all, whatever the way
  };
  std::optional<Stream> stream{};
  /// Where fewer start-ups need longer ways, and that says more: the start-ups that take the least time, and the messages
  /// over a link that trees of so few levels need.
  struct Tree {
    uint64_t start_ups = 0;
    Rational rounds{};
  };
  std::optional<Tree> tree{};
  /// Where a message that spreads in fewer start-ups needs more rounds, and that says more: the start-ups that take the least
  /// time, and the messages over a link or through a port that they need.
  struct Spread {
    uint64_t start_ups = 0;
    double rounds = 0.0;
  };
  std::optional<Spread> spread{};
  /// The same of the way to the farthest nodes, which each part takes hop by hop.
  std::optional<Spread> over_hops{};
  /// The same of a total exchange, whose blocks go by others in few start-ups.
  std::optional<Spread> relayed{};

  /// "4 start-ups (distance) and 0.46875 messages over a link (average_status)";
  /// "52 steps, which bring at most 180 pieces to (4,4) (quickest_flow)"; "7 steps, which bring at most 2 pieces to all
  /// (links and ports)";
  /// "6 start-ups, with which a link must carry 16.25 messages (trees of so few levels)";
  /// "6 start-ups, with which a link or port must carry 1.86533 messages (spreading in so few steps)";
  /// "62 start-ups, with which a link or port must carry 2 messages (over so many hops in so few steps)";
  /// "8 start-ups, with which a link or port must carry 145 messages (relayed in so few steps)".
  [[nodiscard]] std::string to_text() const;
};

/// What no plan for a problem takes less than, for messages of any size.
class LeastTime {
 public:
  /// `bounds`: all of the problem (all_bounds). What the problem's own number of pieces is does not matter.
  LeastTime(const Problem& problem, std::span<const Bound> bounds);
  [[nodiscard]] TimeBound operator()(uint64_t message_bytes) const;

 private:
  // Pieces that follow each other to a node.
  struct Path {
    uint64_t hops;
    uint64_t capacity;
  };
  struct Stream {
    std::vector<Path> paths;
    std::string to;

    [[nodiscard]] uint64_t pieces(uint64_t steps) const;
  };

  [[nodiscard]] double time_of_steps(uint64_t steps) const;
  // Hops of the trees of all blocks in so many levels, over all links.
  [[nodiscard]] Rational rounds_of_trees(uint64_t levels) const;
  [[nodiscard]] double time_of_stream(const TimeBound::Stream& stream, double byte_time) const;
  [[nodiscard]] TimeBound::Stream least(const Stream& stream, double byte_time) const;
  [[nodiscard]] TimeBound::Stream pieces_of(const Stream& stream, uint64_t steps) const;
  [[nodiscard]] std::optional<TimeBound::Spread> least_spread(double byte_time) const;
  [[nodiscard]] std::optional<TimeBound::Spread> least_relayed(double byte_time) const;

  CostConstants cost_;
  uint64_t ranks_;
  TimeBound whole_;  // of one piece
  std::vector<Stream> streams_;
  std::optional<MostDeliveries> deliveries_;  // where there are streams
  std::shared_ptr<const TreeHops> trees_;     // null where that is no trade
  uint64_t links_ = 0;
  std::vector<double>
      spread_;  // rounds in whole_.start_ups steps, and in one more each; empty where no part may be sent
  std::shared_ptr<const RoundsOverHops> over_hops_;  // null where a step may bring a part all its way
  std::vector<double> relayed_;  // the same of a total exchange, as long as that says more
};

/// The same for one size.
[[nodiscard]] TimeBound least_time(const Problem& problem, uint64_t message_bytes,
                                   std::span<const Bound> bounds);

/// Messages that some link or port carries for each unit of its capacity, in any number of pieces, by what is known in a moment;
/// `problem` is in one piece.
[[nodiscard]] Rational least_rounds(const Problem& problem);

}  // namespace quadrille
