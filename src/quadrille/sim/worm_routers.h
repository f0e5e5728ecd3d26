// The network of a WormSimulator: its state, and what happens in a cycle (worm_simulator.h, docs/simulation.md).
//
// A router has lanes: one for each virtual channel that comes in, then one for each injection port. Sets of lanes are
// bits. An output keeps the lanes that have something for it, in two sets: those whose head waits for a VC, and those
// that could send now. Both are kept as things change and not looked for, so a cycle costs what moves in it.
//
// Where messages are of several levels of urgency, each level has channels of its own, and at every router its own
// outputs: those of a level choose when all that are more urgent have, among what these leave of links and input ports.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "quadrille/sim/node_programs.h"
#include "quadrille/sim/packed/lane_set.h"
#include "quadrille/sim/urgency.h"
#include "quadrille/sim/worm_simulator.h"

namespace quadrille {

class WormRouters {
 public:
  WormRouters(const Traffic& traffic, const WormParameters& parameters, const WormRun& run,
              NodePrograms& nodes);
  [[nodiscard]] WormResult run();

 private:
  static constexpr uint32_t kNoChannel = UINT32_MAX;
  static constexpr uint32_t kDraining = UINT32_MAX - 1;

  enum class State : uint8_t {
    kIdle,   // no message in front
    kAsks,   // its head wants a VC
    kSends,  // it has one
  };
  // A lane of a router: a VC with its buffer, or an injection port.
  struct Channel {
    uint32_t flits = 0;           // here
    uint32_t left = 0;            // of the message in front, still to be sent
    uint32_t credits = 0;         // places that whoever sends to here may use
    uint32_t next = kNoChannel;   // where it sends to; none: to a receive port
    uint32_t owner = kNoChannel;  // who sends to here
    uint32_t message = 0;
    uint32_t output = 0;
    uint32_t router = 0;
    uint32_t lane = 0;
    uint32_t port = 0;
    uint32_t vc = 0;  // of the next link
    uint32_t queue_begin = 0;
    uint32_t queue_end = 0;
    State state = State::kIdle;
    uint64_t at = 0;     // the hop that comes next
    uint64_t asked = 0;  // since when
    uint64_t granted = 0;
  };
  struct Entry {
    uint64_t at = 0;
    uint32_t message = 0;
  };
  struct Port {
    ArcId arc = kNoArc;  // kNoArc: injection
    uint32_t first_lane = 0;
    uint32_t lanes = 1;
    uint32_t lanes_of_level = 1;
    uint32_t rate = 1;
    uint32_t sent = 0;  // in that cycle
    uint32_t last_message = UINT32_MAX;
    uint64_t cycle = kNever;
  };
  struct Output {
    ArcId arc = kNoArc;  // kNoArc: the receive ports
    uint32_t router = 0;
    uint32_t level = 0;
    uint32_t vcs = 1;  // of the level
    uint32_t rate = 1;
    uint32_t wire = 0;   // in wires_: what all levels share
    uint32_t lanes = 0;  // where its words begin in ready_ and waiting_
    uint32_t free = 0;   // and in free_
    uint32_t switch_turn = 0;
    uint32_t channel_turn = 0;
  };
  // A link, or the receive ports of a node, in a cycle.
  struct Wire {
    uint64_t cycle = kNever;
    uint32_t sent = 0;
    uint64_t wanted_in =
        kNever;  // half duplex: somebody could send in that cycle, the most urgent of that level
    uint32_t wanted_level = 0;
  };
  struct Router {
    uint32_t first_channel = 0;
    uint32_t injection = 0;  // the first lane that is a port of the node
    uint32_t lanes = 0;
    uint32_t words = 1;
    uint32_t first_output = 0;
    uint32_t outputs = 0;        // of each level
    uint32_t ready_outputs = 0;  // where its words begin
    uint32_t output_words = 1;
  };
  struct Range {
    uint32_t begin = 0;
    uint32_t end = 0;
  };

  [[nodiscard]] uint32_t queue_length() const;
  void lay_out_inputs();
  void lay_out_outputs();

  void arrive();
  void inject(uint32_t r);
  void find_fronts();
  void take_front(uint32_t id);
  void ask(uint32_t id);
  [[nodiscard]] Range allowed(const Channel& c) const;
  void allocate_channels();
  [[nodiscard]] bool grant_channel(uint32_t o, uint32_t id);
  [[nodiscard]] uint32_t holder(uint32_t o, uint32_t vc) const;
  void evaluate(uint32_t r);
  void evaluate_level(uint32_t r, uint32_t level);
  void serve(uint32_t o);
  void see_who_wants();
  [[nodiscard]] bool other_direction_goes(const Output& out) const;
  void use_port(const Router& router, uint32_t lane);
  void send(uint32_t id);
  void send_tail(uint32_t id, const Output& out);
  void free_channel(uint32_t id);
  [[nodiscard]] uint32_t output_of(ArcId arc) const;
  [[nodiscard]] bool has_room(const Channel& c) const {
    return c.next == kNoChannel || channels_[c.next].credits > 0;
  }
  void set_ready(const Channel& c);
  void mark(uint32_t o);
  [[nodiscard]] uint64_t next_cycle(uint64_t t) const;

  void note(Contention::What what, const Output& out, uint32_t winner, uint32_t loser);
  void note_blocked(const Output& out, const Router& router);
  void check_conservation() const;
  [[nodiscard]] uint32_t waits_for(const Channel& c) const;
  void diagnose();
  [[nodiscard]] const uint64_t* no_lanes() const { return none_.data(); }

  const Traffic& traffic_;
  const Topology& network_;
  const WormParameters parameters_;
  const WormRun& options_;
  const Urgency urgency_;
  NodePrograms& nodes_;
  WormResult result_{};
  uint64_t now_ = 0;
  bool sent_ = false;

  std::vector<Channel> channels_{};
  std::vector<uint32_t> vc0_{};  // the channel of an arc's first VC
  std::vector<Port> ports_{};
  std::vector<Router> routers_{};
  std::vector<Output> outputs_{};
  std::vector<Wire> wires_{};
  std::vector<uint64_t> ready_{};
  std::vector<uint64_t> waiting_{};
  std::vector<uint64_t> free_{};
  std::vector<uint64_t> ready_outputs_{};
  std::vector<uint64_t> active_{};
  std::vector<uint64_t> used_{};         // lanes that cannot send any more in this cycle
  std::vector<uint64_t> used_before_{};  // by more urgent messages
  std::vector<uint64_t> none_{};
  std::vector<uint8_t> is_dirty_{};
  std::vector<uint32_t> dirty_{};
  std::vector<uint32_t> tails_{};
  std::vector<Entry> queue_{};
  uint32_t queue_mask_ = 0;
  // What is on its way, by the cycle in which it is due.
  uint32_t slot_mask_ = 0;
  std::vector<std::vector<uint32_t>> arrivals_{};
  std::vector<std::vector<uint32_t>> credits_{};
  std::vector<std::vector<uint32_t>> deliveries_{};
};

}  // namespace quadrille
