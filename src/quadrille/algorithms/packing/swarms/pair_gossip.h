// Pair gossip: who talks to whom in each step so that all nodes of any graph soon have heard from all, a few partners at a time.
//
// In every step those arcs are taken whose head lacks most of what their tail has, as far as ports go, and everything new goes over
// them in one message. As long as partners know different things what a node knows grows (k+1)-fold with k ports: on random regular
// graphs of 64 to 1,024 nodes one port takes 1.3 to 1.6 log2 N steps. Ties are drawn; the shortest of some tries is kept.
//
// Where a step may have so many blocks a message and no more, those go that fewest nodes have: more steps, and fewer rounds.
//
// Whatever reaches a node first reaches it over one arc: per origin that is a tree, down which blocks for single nodes can go, too.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "quadrille/algorithms/prepared.h"
#include "quadrille/base/rational.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

class PairGossip {
 public:
  struct Message {
    ArcId arc;
    uint32_t begin = 0;  ///< of what is new in it
    uint32_t end = 0;
  };

  /// Of a network without routers, links of full duplex, with the ports of the model. Nothing is new to a single node.
  /// `most`: nodes whose news a message has.
  explicit PairGossip(const Problem& problem, uint32_t most = UINT32_MAX);

  [[nodiscard]] uint32_t num_steps() const { return static_cast<uint32_t>(steps_.size()) - 1; }
  [[nodiscard]] std::span<const Message> messages(uint32_t step) const {
    return std::span(messages_).subspan(steps_[step], steps_[step + 1] - steps_[step]);
  }
  /// Nodes whose news it is.
  [[nodiscard]] std::span<const uint32_t> origins(const Message& message) const {
    return std::span(origins_).subspan(message.begin, message.end - message.begin);
  }
  /// What the largest messages of all steps have, added up.
  [[nodiscard]] uint64_t rounds() const;

 private:
  std::vector<size_t> steps_{0};
  std::vector<Message> messages_;
  std::vector<uint32_t> origins_;
};

/// Partners that talk both ways in messages of many blocks, and not too many links, of which all are looked at in every step (on a
/// complete network of so many Bruck's algorithms are the best).
[[nodiscard]] Applicability gossip_applies(const Problem& problem);

/// Gossip serves an allgather and a total exchange, packets and worms: that which was asked for last is kept.
[[nodiscard]] std::shared_ptr<const PairGossip> kept_gossip(const Problem& problem);
/// With so many news a message at most.
[[nodiscard]] std::shared_ptr<const PairGossip> kept_gossip_of(const Problem& problem, uint32_t most);

/// No plan in which all hear from all takes fewer steps: what a node knows grows (k+1)-fold at most, and a hop a step.
[[nodiscard]] uint64_t gossip_at_least(const Problem& problem);
/// Nor fewer rounds, if so many blocks come to, or through, a node.
[[nodiscard]] uint64_t rounds_at_least(const Problem& problem, const Rational& blocks);

}  // namespace quadrille
