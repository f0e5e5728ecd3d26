// Model: what the machine may do in one step, and what it costs. Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quadrille {

/// How many messages a node may start (or end) in one step. Routers have the same ports as endpoints; a worm
/// that passes through a node uses none. Where transfers may share an arc, those of a step that take the same
/// path are one message; elsewhere each is.
struct Ports {
  static constexpr uint32_t kAll = 0;
  uint32_t count = kAll;  ///< kAll: as many as it has arcs

  [[nodiscard]] bool unlimited() const { return count == kAll; }
  friend bool operator==(const Ports&, const Ports&) = default;
};
inline constexpr Ports kOnePort{1};
inline constexpr Ports kAllPorts{Ports::kAll};

enum class Switching : uint8_t {
  kPacket,    ///< store and forward: a transfer takes one arc, and carries as many blocks as Packets says
  kWormhole,  ///< a transfer takes a whole path, holds all of it for the step, and carries any number of
              ///< blocks
  kShared,    ///< the same, but paths may share arcs: the blocks over an arc are added up
};

/// How many packets may go over an arc in one step of packet switching.
enum class Packets : uint8_t {
  kOne,   ///< one for each unit of its capacity
  kMany,  ///< any number, one after another: a step has as many rounds as its busiest arc needs
};

/// Whether both directions of a link can be used in one step.
enum class Duplex : uint8_t { kFull, kHalf };

/// Which paths worms may take.
enum class Routing : uint8_t {
  kAny,
  kShortest,        ///< as long as the distance
  kDimensionOrder,  ///< in a product: coordinate after coordinate, first to last, each the short way in one
                    ///< direction
};

/// Whether contributions may be combined in any order, or those of lower ranks stay on the left of those of higher
/// ones: what MPI asks for where an operator does not commute.
enum class Operator : uint8_t { kCommutative, kOrdered };

/// Whether the pieces of a block may come to a node in any order, or one after the other, so that a receiver can use
/// what it has so far.
enum class Chunks : uint8_t { kAnyOrder, kInOrder };

/// By which link blocks that wait are counted: the one that they wait for, or the one that they came on.
enum class QueuesPer : uint8_t { kOutgoing, kIncoming };

/// The cost constants of the field, in microseconds or in one unit of time that the user chooses. The models that
/// have names are these: constant (ts), linear or Hockney's (ts, tx), LogGP (loggp_costs(): ts, tx, to), by distance
/// (tl), with rearrangement (rho).
struct CostConstants {
  double ts = 1.0;   ///< start-up of a transfer
  double tx = 0.0;   ///< per byte
  double tl = 0.0;   ///< per hop: propagation
  double rho = 0.0;  ///< per byte rearranged in memory between phases
  double to =
      0.0;  ///< overhead of a message: of each that a node starts, or ends, in a step beyond its first
  bool in_microseconds = false;

  friend bool operator==(const CostConstants&, const CostConstants&) = default;
};

/// What the time of a plan is made of.
struct TimedFigures {
  uint64_t start_ups = 0;
  uint64_t critical_blocks = 0;  ///< the rounds of each step, added up (verify/verdict.h)
  uint64_t critical_hops = 0;    ///< the most hops of one transfer of each step, added up
  uint64_t rearranged = 0;       ///< blocks that the busiest node moves in its memory
  /// Of each step the messages that one node starts, or ends, beyond its first, added up.
  uint64_t further_messages = 0;
};

/// Its time for blocks of so many bytes: start_ups ts + further_messages to + critical_hops tl +
/// bytes (critical_blocks tx + rearranged rho).
[[nodiscard]] double time_of(const CostConstants& cost, const TimedFigures& figures, uint64_t block_bytes);

struct Model {
  Ports send = kAllPorts;
  Ports receive = kAllPorts;
  Switching switching = Switching::kPacket;
  Packets packets = Packets::kOne;  ///< kMany: with packet switching only
  Duplex duplex = Duplex::kFull;
  Routing routing = Routing::kAny;
  CostConstants cost{};
  /// Most blocks that may wait for one link at the end of a step; 0: every block that arrives is sent on in
  /// the next step. Nothing: queues may have any length.
  std::optional<uint32_t> queue_limit{};
  /// Whether that counts those that wait for one link or those that came on one.
  QueuesPer queues_per = QueuesPer::kOutgoing;
  /// Of a reduction.
  Operator combining = Operator::kCommutative;
  Chunks chunks = Chunks::kAnyOrder;

  friend bool operator==(const Model&, const Model&) = default;
};

/// Whether a transfer takes a path of any length, not one arc.
[[nodiscard]] constexpr bool takes_paths(const Model& model) { return model.switching != Switching::kPacket; }
/// Whether a transfer carries any number of blocks, not one.
[[nodiscard]] constexpr bool carries_many(const Model& model) {
  return takes_paths(model) || model.packets == Packets::kMany;
}
/// Whether any number of transfers of a step may go over an arc. Then a step has as many rounds as the busiest
/// arc carries blocks for a unit of its capacity, and transfers on the same path are one message.
[[nodiscard]] constexpr bool shares_arcs(const Model& model) {
  return model.switching == Switching::kShared || model.packets == Packets::kMany;
}
/// Whether it is one packet for one arc, the oldest model of all.
[[nodiscard]] constexpr bool sends_single_packets(const Model& model) { return !carries_many(model); }

/// "one" and "all" or a number; "1" and "one" are the same. The parsers throw InputError naming what is
/// allowed; `what` is the option or field that the text was given for.
[[nodiscard]] std::string to_text(Ports ports);
[[nodiscard]] Ports parse_ports(std::string_view text, std::string_view what);
[[nodiscard]] std::string_view to_text(Switching switching);
[[nodiscard]] Switching parse_switching(std::string_view text);
[[nodiscard]] std::string_view to_text(Packets packets);
[[nodiscard]] Packets parse_packets(std::string_view text);
[[nodiscard]] std::string_view to_text(Duplex duplex);
[[nodiscard]] Duplex parse_duplex(std::string_view text);
[[nodiscard]] std::string_view to_text(Routing routing);
[[nodiscard]] Routing parse_routing(std::string_view text);
[[nodiscard]] std::string_view to_text(QueuesPer per);
[[nodiscard]] QueuesPer parse_queues_per(std::string_view text);

[[nodiscard]] std::string_view to_text(Operator combining);
[[nodiscard]] Operator parse_operator(std::string_view text);

[[nodiscard]] std::string_view to_text(Chunks chunks);
[[nodiscard]] Chunks parse_chunks(std::string_view text);

/// One line for people: "1 send port, 1 receive port, packet switching, full duplex".
[[nodiscard]] std::string describe(const Model& model);

}  // namespace quadrille
