// Node-invariant queues (dissertation, figure 4.5): every node of a Cayley graph runs the same algorithm
// (f, w), and so all send along the same generator in the same tick.
//
// f selects the next message of the queue, w the neighbour: the one along W(r), where r is what the message
// has still to travel; after that hop W(r)^-1 r is left. W is the one table, the same at every node. The word
// of a message is its r.
//
// Every node's queue holds the same r's in the same order, so nobody needs to say whom it will send to: a
// node that sends along g hears from the node that has it along g.
#pragma once

#include <cstdint>
#include <memory>

#include "quadrille/local/local_node.h"
#include "quadrille/schedule/problem.h"

namespace quadrille {

/// f: which message goes next.
enum class QueueOrder : uint8_t {
  kWindow,    ///< first in, first out; own messages join only while the queue is shorter than kQueueWindow
  kFurthest,  ///< the most hops left; of those the one that came first
  kClosest,   ///< the fewest hops left: a message that has begun goes all its way
};
inline constexpr size_t kQueueWindow = 16;

/// The node with the table W of shortest ways of cayley/relative_messages.h.
[[nodiscard]] std::unique_ptr<LocalNode> node_invariant_queue(const Problem& problem, NodeId self,
                                                              QueueOrder order);

}  // namespace quadrille
