// LinkWatch: messages of threads hold the links of a model network, as worms do, so that it can be seen
// whether steps are kept apart.
//
//     LinkWatch watch(schedule, program, stated);
//     const std::unique_ptr<Transport> watched = watch.watch(transport);   // one a rank
//     ... run ...
//     watch.meetings().conflicts       // 0, if what is stated is enough and is obeyed
//
// A message is under way from when its sender starts it until its receiver has it; all that time it holds
// the links of its path and, where these are kept apart too, its receiver's port. When one starts and finds
// another of a different step on a link, they meet. Where the one of the earlier step is more urgent, as
// priorities state, the other is pushed aside: whoever receives it waits until the more urgent one has
// passed, which is what its channel would do. Otherwise it is a conflict: a worm of a later step may be in the
// way of an earlier one. Nothing else happens then: memory has no links, and all bytes arrive.
//
// A link and a port count as one, whatever their capacity and number, as in check_synchronisation().
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "quadrille/program/rank_program.h"
#include "quadrille/runtime/link_meetings.h"
#include "quadrille/runtime/transport.h"
#include "quadrille/schedule/plan_synchronisation.h"
#include "quadrille/verify/schedule.h"

namespace quadrille {

class LinkWatch {
 public:
  /// The program is one of the schedule. Throws InputError for a network with routers: what passes through
  /// them is no one message.
  LinkWatch(const Schedule& schedule, const Program& program, const PlanSynchronisation& stated);
  LinkWatch(const LinkWatch&) = delete;
  LinkWatch& operator=(const LinkWatch&) = delete;
  ~LinkWatch() = default;

  /// One end, over a transport that must outlive it.
  [[nodiscard]] std::unique_ptr<Transport> watch(Transport& inner);
  /// So far.
  [[nodiscard]] LinkMeetings meetings() const;

 private:
  friend class WatchedTransport;
  using MessageId = uint32_t;
  struct Message {
    uint32_t step = 0;
    uint32_t level = 1;
    bool under_way = false;
    std::vector<uint32_t> links{};  // ascending; ports come after the arcs
  };

  void start(MessageId message);
  void end(MessageId message);
  /// Returns when nothing that is more urgent, and earlier, holds a link of the message; false after
  /// give_up().
  [[nodiscard]] bool wait_until_clear(MessageId message);
  void give_up() noexcept;
  [[nodiscard]] bool gives_way(const Message& later, const Message& earlier) const;
  /// The messages of one rank to another, in order.
  [[nodiscard]] const std::vector<MessageId>& between(Rank from, Rank to) const;

  size_t num_ranks_;
  bool has_priorities_;
  std::vector<std::vector<MessageId>> pairs_;  // per sender and receiver
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Message> messages_;
  std::vector<std::vector<MessageId>> on_link_;  // per link and port: under way
  bool gave_up_ = false;
  LinkMeetings meetings_{};
};

}  // namespace quadrille
