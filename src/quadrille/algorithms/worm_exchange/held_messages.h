// The messages that every node holds during a total exchange in which blocks are combined into worms.
//
// A message is a pair (source, destination): all pieces of its block. At first every node holds its own; a
// send takes the messages that it wants out of the sender's list, in their order there, and puts them at the
// end of the receiver's when the step is over:
//
//     HeldMessages held(problem);
//     held.send(step, from, to, path, HeldMessages::From::kAll, [&](const Message& message) { .. });
//     ..                                     // the other worms of the step
//     held.arrive();
//     step.flush(sink);
//
// Every node must be an endpoint, so that nodes and ranks have the same numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/base/numbers/fast_divider.h"
#include "quadrille/schedule/problem.h"
#include "quadrille/schedule/step.h"

namespace quadrille {

class HeldMessages {
 public:
  struct Message {
    uint32_t source;
    uint32_t destination;
  };
  /// Which of the sender's messages are looked at: in a row of steps in which nodes pass on what they do not
  /// keep, only what arrived last can still have to go on.
  enum class From : uint8_t { kAll, kLatest };

  explicit HeldMessages(const Problem& problem);

  /// Adds the worm of the messages for which wanted(message) is true; none if there are none.
  template <typename Wanted>
  void send(StepBuilder& step, NodeId from, NodeId to, std::span<const ArcId> path, From which,
            const Wanted& wanted) {
    std::vector<uint32_t>& list = held_[index(from)];
    const size_t begin = which == From::kAll ? 0 : latest_[index(from)];
    sent_.clear();
    size_t kept = begin;
    for (size_t i = begin; i < list.size(); ++i) {
      if (wanted(message_at(list[i]))) {
        sent_.push_back(list[i]);
      } else {
        list[kept++] = list[i];
      }
    }
    list.resize(kept);
    if (!sent_.empty()) add_worm(step, to, path);
  }

  /// The end of a step: what was sent is held by its receivers.
  void arrive();

 private:
  struct Arrival {
    NodeId at = kNoNode;
    size_t begin = 0;  // in arriving_
    size_t end = 0;
  };

  [[nodiscard]] Message message_at(uint32_t number) const {
    return {divider_.quotient(number), divider_.remainder(number)};
  }
  void add_worm(StepBuilder& step, NodeId to, std::span<const ArcId> path);

  const Collective& collective_;
  FastDivider divider_;
  uint32_t ranks_;
  std::vector<std::vector<uint32_t>> held_;  // per node: source * ranks + destination
  std::vector<size_t> latest_;               // per node: where what arrived last begins
  std::vector<uint32_t> sent_;
  std::vector<uint32_t> arriving_;
  std::vector<Arrival> arrivals_;
  std::vector<BlockId> blocks_;
};

}  // namespace quadrille
