// NodePrograms: the nodes of a simulation as they go from step to step, without a common clock.
//
// A node has a turn for each step in which it sends, receives, or is told or tells something. It starts a turn when the
// last one is over, the barriers before it are passed and the signals that it waits for are there; and, where nodes
// stall, some time later. A turn is over when all of its own messages are: **a send is over when its message is
// delivered**, not when its last flit has left the node. (With the latter, signals that keep steps apart on every
// machine that completes sends at delivery would let worms meet.) A node whose turn is over tells those whom it has to
// signal; that takes no time unless it is said how much.
//
// What happens is a matter of times alone and not of the order in which a simulator looks at nodes: stalls are a
// function of seed, node and step, so all simulators see the same ones.
//
//     NodePrograms nodes(traffic, sync, {.most = 300, .seed = 7});
//     nodes.wake(0);
//     for (const NodeId v : nodes.changed()) while (auto m = nodes.take(v, now)) inject(*m);
//     nodes.delivered(m, now);                  // as messages arrive; wake(now) whenever next_wake() is due
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/schedule/plan_synchronisation.h"
#include "quadrille/sim/traffic.h"

namespace quadrille {

inline constexpr uint64_t kNever = UINT64_MAX;

/// How long nodes dawdle before each of their turns: 0 to `most` cycles, all equally likely.
struct Stalls {
  uint32_t most = 0;
  uint64_t seed = 1;
  [[nodiscard]] uint32_t of(NodeId node, uint32_t step) const;
};

/// Cycles from when all are there until all go on, and from when a node tells another one until that hears it.
struct SynchronisationCosts {
  uint64_t barrier = 0;
  uint64_t signal = 0;
};

/// What the nodes do, apart from when: made once, for any number of runs.
class NodeTurns {
 public:
  /// Barriers and signals of `sync` are obeyed; priorities are the network's.
  NodeTurns(const Traffic& traffic, const PlanSynchronisation& sync);

  /// A barrier between any two steps.
  [[nodiscard]] static PlanSynchronisation barriers_everywhere(uint32_t steps);

 private:
  friend class NodePrograms;
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Turn {
    NodeId node{0};
    uint32_t step = 0;
    uint32_t phase = 0;  // barriers before it
    uint32_t next = kNone;
    uint32_t messages = 0;
    uint32_t signals = 0;  // that it waits for
  };
  struct Ends {
    uint32_t sender = 0;
    uint32_t receiver = 0;
  };

  uint32_t turn_of(NodeId node, uint32_t step);

  std::vector<Turn> turns_{};
  std::vector<uint32_t> first_turn_{};  // of each node
  std::vector<uint32_t> last_turn_{};
  std::vector<Ends> ends_{};             // of each message
  std::vector<uint32_t> tells_begin_{};  // by turn
  std::vector<uint32_t> tells_{};        // turns that wait for it
  std::vector<uint32_t> first_message_{};
  std::vector<uint32_t> barriers_{};
  std::vector<uint64_t> turns_in_phase_{};
};

class NodePrograms {
 public:
  NodePrograms(const Traffic& traffic, const NodeTurns& turns, Stalls stalls,
               SynchronisationCosts costs = {});

  /// When a node or barrier does something by itself, kNever if all wait for messages.
  [[nodiscard]] uint64_t next_wake() const { return wakes_.empty() ? kNever : wakes_.top().first; }
  /// What is due by now happens.
  void wake(uint64_t now);
  /// The last flit of a message is there.
  void delivered(uint32_t message, uint64_t now);

  /// The next message that a node puts in, if it has one now.
  [[nodiscard]] std::optional<uint32_t> take(NodeId node, uint64_t now);
  /// Nodes that may have messages since the last clear_changed().
  [[nodiscard]] std::span<const NodeId> changed() const { return changed_; }
  void clear_changed() { changed_.clear(); }

  /// Every node is through with its last turn.
  [[nodiscard]] bool finished() const { return turns_over_ == turns_.turns_.size(); }
  [[nodiscard]] uint64_t messages_delivered() const { return delivered_; }
  /// "node (1,2) waits in step 3 for 2 messages", of the first nodes that are not through.
  [[nodiscard]] std::vector<std::string> who_waits(size_t most) const;

 private:
  struct NodeState {
    uint32_t turn = NodeTurns::kNone;
    bool entered = false;
    uint64_t start = 0;
    uint32_t next_message = 0;
    uint32_t asked_for = UINT32_MAX;  // it is woken when that may be sent
  };
  static constexpr uint32_t kBarrier = UINT32_MAX;

  void advance(uint32_t node, uint64_t now);
  [[nodiscard]] bool enter(NodeState& state, uint32_t node, uint64_t now);
  void finish_turn(uint32_t turn, uint64_t now);
  void pass_barriers(uint64_t now);

  const Traffic& traffic_;
  const NodeTurns& turns_;
  Stalls stalls_;
  SynchronisationCosts costs_;
  std::vector<NodeState> nodes_{};
  std::vector<uint32_t> messages_left_{};  // by turn
  std::vector<uint32_t> signals_left_{};
  std::vector<uint64_t> phase_left_{};
  uint32_t open_phase_ = 0;
  bool barrier_is_due_ = false;
  uint64_t turns_over_ = 0;
  uint64_t delivered_ = 0;
  std::vector<NodeId> changed_{};
  std::vector<uint32_t> to_advance_{};
  using Wake = std::pair<uint64_t, uint32_t>;
  std::priority_queue<Wake, std::vector<Wake>, std::greater<>> wakes_{};
};

}  // namespace quadrille
