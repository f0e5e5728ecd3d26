// WormSimulator: worms, flit by flit and cycle by cycle, through routers with virtual channels and credits.
//
//     const Traffic traffic = traffic_of(schedule, {.block_bytes = 1024, .flit_bytes = 16});
//     const WormResult result = simulate_worms(traffic, {.buffer = 8}, {.synchronisation = sync});
//     result.cycles                 // when the last message was there
//     result.deadlock               // who waits for whom, if nothing moves any more
//
// docs/simulation.md has the rules, exact to the cycle. Every link has virtual channels (VCs) with a buffer each at its
// end; a link of capacity c has c times as many and sends c flits a cycle. A cycle: what is due arrives; heads at the
// front of a buffer ask for a VC of their next link, and get one in turn; then every output sends a flit, in turn
// among those who have a VC, a flit and a credit, one from each input.
//
// Buffers hold no flits here but counts: flits in the buffer, flits of the front message still to come, credits of the
// next buffer. A message is one entry in a queue of each buffer that it goes through. Routers in which nothing is ready
// are not looked at, and cycles in which nothing is due are jumped over. Two engines do this: worm_routers.h one lane after
// the other on any network, packed_worms.h several routers at a time where these are small. naive_worms.test.h is the same,
// flit by flit, without any of this, and all must agree on the cycle of every delivery.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/sim/node_programs.h"
#include "quadrille/sim/traffic.h"

namespace quadrille {

struct WormParameters {
  uint32_t vcs = 2;           ///< virtual channels of a link of capacity 1
  uint32_t buffer = 8;        ///< flits that fit into the buffer of each
  uint32_t router_delay = 1;  ///< cycles from a router's input to its output, at least 1
  uint32_t link_delay = 0;    ///< cycles on a link
  uint32_t credit_delay = 1;  ///< cycles until a place that is free again can be used
  /// A VC goes to the next message only when its buffer is empty again.
  bool atomic = false;

  /// A flit that is sent in cycle t can be sent on in t + hop_delay().
  [[nodiscard]] uint32_t hop_delay() const { return router_delay + link_delay; }
  /// From the first cycle of a message alone in the network until it is delivered.
  [[nodiscard]] uint64_t zero_load(uint64_t hops, uint64_t flits) const {
    return hops * hop_delay() + flits - 1 + router_delay;
  }
};

/// Throws InputError for parameters that make no network, with the names of the options.
void require_sound(const WormParameters& parameters);

/// A message on a virtual channel of a link.
struct ChannelUse {
  uint32_t message = 0;
  ArcId arc = kNoArc;
  uint32_t vc = 0;
  uint64_t asked = 0;    ///< when its head wanted one
  uint64_t granted = 0;  ///< when it got it
  uint64_t tail = 0;     ///< when its last flit was sent
};

/// Two that do the same, cycle for cycle.
enum class WormEngine : uint8_t {
  kFastest,     ///< the second where it serves, else the first
  kLaneByLane,  ///< worm_routers.h: any network
  kPacked,      ///< packed_worms.h: small routers, several at a time
};

struct WormRun {
  PlanSynchronisation synchronisation{};
  Stalls stalls{};
  SynchronisationCosts costs{};
  size_t most_contentions = 20;  ///< how many are kept; all are counted
  /// Counts flits and credits of every buffer in every cycle, and throws an InternalError where one is lost.
  bool check_conservation = false;
  std::vector<ChannelUse>* uses = nullptr;  ///< gets all, as the tails are sent
  WormEngine engine = WormEngine::kFastest;
};

/// Two messages that wanted the same at once.
struct Contention {
  enum class What : uint8_t {
    kChannel,  ///< a VC of the link, or a receive port
    kSwitch,   ///< the link, or the input port of a router, in one cycle
  };
  What what = What::kChannel;
  uint64_t cycle = 0;
  NodeId node{0};
  ArcId arc = kNoArc;  ///< the link that was wanted; kNoArc: a receive port of the node
  uint32_t winner = UINT32_MAX;
  uint32_t loser = UINT32_MAX;
};

/// Where nothing moves any more.
struct Deadlock {
  uint64_t cycle = 0;
  struct Waiting {
    NodeId node{0};      ///< the router in which the worm waits
    ArcId arc = kNoArc;  ///< the link whose buffer it is in; kNoArc: its own node's
    uint32_t vc = 0;
    uint32_t message = 0;
  };
  /// Each waits for the next, the last for the first. Empty: no worm waits, but the nodes do.
  std::vector<Waiting> circle{};
  std::vector<std::string> nodes{};  ///< who is not through
};

struct WormResult {
  uint64_t cycles = 0;
  std::vector<uint64_t> delivered{};   ///< of each message
  std::vector<uint64_t> started{};     ///< when its head stood at its node's injection port
  std::vector<uint64_t> link_flits{};  ///< over each arc
  uint64_t flit_hops = 0;
  uint64_t channel_waits = 0;  ///< heads that did not get a VC in their first cycle
  uint64_t switch_conflicts =
      0;  ///< outputs, or inputs, that more flits wanted than could have them, each cycle
  std::vector<Contention> contentions{};
  /// Outputs, each cycle, of which flits had to wait for more urgent ones: where priorities are stated.
  uint64_t pushed_aside = 0;
  uint64_t evaluated = 0;  ///< cycles that were not jumped over
  std::optional<Deadlock> deadlock{};

  [[nodiscard]] uint64_t contention() const { return channel_waits + switch_conflicts; }
};

[[nodiscard]] WormResult simulate_worms(const Traffic& traffic, const WormParameters& parameters,
                                        const WormRun& run);

}  // namespace quadrille
