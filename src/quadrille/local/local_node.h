// LocalNode: what one node does by itself, from its own address and a small table.
//
// A plan is what an onlooker writes down who sees every node. The papers describe something else: nodes and
// routers that decide on the fly, from their address, from what they hold, and from a table of one factor. A
// LocalNode is one of them. It lives in ticks, all nodes alike:
//
//     node.start(own);                      // once: the blocks that this node has first, its own to itself left out
//     while (!node.done()) {
//       node.send(tick, out);               // what it says in this tick, knowing what it heard before
//       node.hears(tick, from);             // whom it will hear in this tick
//       for (each of them) node.receive(tick, neighbour, message);
//     }
//
// Nobody has a clock in common. A node waits in each tick for those whom it hears, and they must say
// something to it in that tick: a message, or a bare word where they have none (the null message of the
// papers). That alone keeps the ticks apart, so what nodes send does not depend on how fast they are:
// lockstep.h writes it down as a plan, runtime/ lets threads and processes do it.
//
// A node may hear from Anyone where it only waits to be told: it sleeps until something comes, and its next
// tick is the one after that in which it was sent. It must have nothing else to do meanwhile, and at most one
// neighbour may speak to it in a tick.
//
// What is refused: a look at the network, at other nodes, at the clock of the machine. Whoever makes a node
// gives it what it knows, and table_bytes() says how much that is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "quadrille/base/ids.h"

namespace quadrille {

/// The block of a bare word.
inline constexpr BlockId kNoBlock{UINT32_MAX};
/// For hears(): whoever speaks first.
inline constexpr NodeId kAnyone = kNoNode;

/// A message as a node has it: a block, whose number says where it comes from and where it goes, and one word
/// of header besides. A node passes on what it was given, and may write another word.
struct LocalMessage {
  BlockId block = kNoBlock;
  uint32_t word = 0;
  uint32_t place = 0;  ///< where this node has its bytes; for those who run it

  [[nodiscard]] bool is_word() const { return block == kNoBlock; }
};

/// What a node says in a tick. Keeps its memory from tick to tick.
class LocalOutbox {
 public:
  /// What becomes of the sender's own copy: the last one is given away.
  enum class Copy : uint8_t { kGiven, kKept };

  struct Letter {
    uint32_t route_end;
    uint32_t messages_end;
    Copy copy;
  };

  /// Over the link to a neighbour.
  void send(NodeId to, const LocalMessage& message, Copy copy = Copy::kGiven);
  /// Nothing but a word to a neighbour: no transfer of the plan.
  void say(NodeId to, uint32_t word = 0) { send(to, {kNoBlock, word, 0}); }
  /// A worm: along the nodes of the route, the last of which receives all the messages. With none it says
  /// nothing but that it came.
  void send_worm(std::span<const NodeId> route, std::span<const LocalMessage> messages,
                 Copy copy = Copy::kGiven);

  void clear();
  [[nodiscard]] size_t size() const { return letters_.size(); }
  [[nodiscard]] std::span<const NodeId> route(size_t i) const;
  [[nodiscard]] NodeId to(size_t i) const { return route_[letters_[i].route_end - 1]; }
  [[nodiscard]] std::span<const LocalMessage> messages(size_t i) const;
  [[nodiscard]] Copy copy(size_t i) const { return letters_[i].copy; }

 private:
  std::vector<Letter> letters_;
  std::vector<NodeId> route_;
  std::vector<LocalMessage> messages_;
};

class LocalNode {
 public:
  virtual ~LocalNode() = default;

  /// Of a node that has not started: another one, to start afresh.
  [[nodiscard]] virtual std::unique_ptr<LocalNode> copy() const = 0;
  virtual void start(std::span<const LocalMessage> own) = 0;
  virtual void send(uint64_t tick, LocalOutbox& out) = 0;
  /// Appends; asked once a tick, after send().
  virtual void hears(uint64_t tick, std::vector<NodeId>& from) const = 0;
  /// In the order of hears(), and of one letter in the order in which it was written. Words come, too.
  virtual void receive(uint64_t tick, NodeId from, const LocalMessage& message) = 0;
  /// Whether it will neither speak nor hear any more.
  [[nodiscard]] virtual bool done() const = 0;
  /// What it knows besides its address and a few numbers.
  [[nodiscard]] virtual size_t table_bytes() const = 0;

 protected:
  LocalNode() = default;
  LocalNode(const LocalNode&) = default;
  LocalNode& operator=(const LocalNode&) = default;
};

/// Bytes of a table that is an array.
template <typename Entry>
[[nodiscard]] size_t bytes_of(const std::vector<Entry>& table) {
  return table.size() * sizeof(Entry);
}

}  // namespace quadrille
