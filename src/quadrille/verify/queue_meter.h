// Queues: how many blocks wait on their way, and where.
//
// A block that arrives in one step and is sent on in the next does not wait. A block that arrived at a node
// in step r and is sent on over a link in step s > r + 1 waits for that link at the end of the steps r + 1 ..
// s - 1: it is there, and it could have gone. Said otherwise, a queue is what is left when the sends of a
// step have been made and before its arrivals are put in. A schedule is queue-free when no block ever waits.
//
// Storage may also be counted by the link on which blocks came: a router that has a buffer on each incoming
// link must hold there what came on it and waits, for whatever link; once, also where several copies of it
// are still to go.
//
// Blocks wait in transit only. Not counted are a block that has not left its origin, and what has come to
// stay: a moving block at its destination, and a copy at an endpoint, which keeps it anyway. Where blocks are
// copied a router's copy waits for every link over which it is still to go; at the node it counts once, until
// it has gone over the last. In reductions messages merge and nothing is counted.
//
//     const QueueFigures queues = measure_queues(schedule);
//     queues.link, queues.arc, queues.link_step       // the longest queue for one link, where and when
//
// The rule queue_limit holds a plan against a limit that the model sets. Neither costs anything where it is
// not asked for; where it is, memory is one entry for every wait, and for every block (for copies, every
// block at every router).
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/schedule/problem.h"
#include "quadrille/verify/judged_step.h"
#include "quadrille/verify/schedule.h"
#include "quadrille/verify/verdict.h"

namespace quadrille {

/// A time during which more blocks than allowed wait for a link, or came on it and wait.
struct QueueExcess {
  ArcId arc;
  uint64_t step;   ///< the first, 0-based
  uint64_t count;  ///< blocks that wait at its end
};

class QueueMeter {
 public:
  explicit QueueMeter(const Problem& problem);

  void measure(const JudgedStep& step);
  /// After the last step.
  [[nodiscard]] QueueFigures figures() const;
  /// Every time at which a queue grows beyond the limit, by arc and step.
  [[nodiscard]] std::vector<QueueExcess> excesses(uint32_t limit, QueuesPer per) const;

 private:
  static constexpr uint32_t kNoRouter = UINT32_MAX;

  // Steps, first and last, at the end of which a block waits; 1-based.
  struct Wait {
    uint32_t first;
    uint32_t last;
  };
  // Where a block is, on which link and when it came, and when it was last sent from there; kNoNode before it
  // arrives anywhere.
  struct Place {
    NodeId node = kNoNode;
    ArcId over = kNoArc;
    uint32_t arrived = 0;
    uint32_t last_sent = 0;
  };

  [[nodiscard]] Place* place(NodeId node, BlockId block);
  void leave(uint32_t step, ArcId arc, BlockId block);
  void arrive(uint32_t step, ArcId arc, BlockId block);
  [[nodiscard]] std::vector<std::vector<Wait>> waits_on_links() const;

  const Problem& problem_;
  bool moves_;
  bool counts_;                              // not in reductions
  std::vector<Place> places_;                // per block; for copies per router and block
  std::vector<uint32_t> router_;             // per node: its number among the routers
  std::vector<std::vector<Wait>> for_link_;  // per arc
  std::vector<std::vector<Wait>> on_link_;   // per arc on which they came: of blocks that have moved on
};

/// The queues of a schedule.
[[nodiscard]] QueueFigures measure_queues(const Schedule& schedule);

}  // namespace quadrille
