#include "quadrille/model/model.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <vector>

#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"

namespace quadrille {
namespace {

template <typename Value>
struct Word {
  std::string_view word;
  Value value;
};

constexpr std::array kSwitchings = {Word<Switching>{"packet", Switching::kPacket},
                                    Word<Switching>{"wormhole", Switching::kWormhole},
                                    Word<Switching>{"shared", Switching::kShared}};
constexpr std::array kPackets = {Word<Packets>{"one", Packets::kOne}, Word<Packets>{"many", Packets::kMany}};
constexpr std::array kDuplexes = {Word<Duplex>{"full", Duplex::kFull}, Word<Duplex>{"half", Duplex::kHalf}};
constexpr std::array kRoutings = {Word<Routing>{"any", Routing::kAny},
                                  Word<Routing>{"shortest", Routing::kShortest},
                                  Word<Routing>{"dimension_order", Routing::kDimensionOrder}};
constexpr std::array kQueuesPer = {Word<QueuesPer>{"outgoing", QueuesPer::kOutgoing},
                                   Word<QueuesPer>{"incoming", QueuesPer::kIncoming}};

constexpr std::array kChunkOrders = {Word<Chunks>{"any_order", Chunks::kAnyOrder},
                                     Word<Chunks>{"in_order", Chunks::kInOrder}};

constexpr std::array kOperators = {Word<Operator>{"commutative", Operator::kCommutative},
                                   Word<Operator>{"ordered", Operator::kOrdered}};

template <typename Words, typename Value>
std::string_view word_of(const Words& words, Value value) {
  for (const auto& w : words) {
    if (w.value == value) return w.word;
  }
  return "?";
}

template <typename Words>
auto parse_word(const Words& words, std::string_view what, std::string_view text, std::string_view of = {}) {
  std::vector<std::string_view> known;
  for (const auto& w : words) {
    if (w.word == text) return w.value;
    known.push_back(w.word);
  }
  throw ValueError(fmt::format("unknown {} '{}'; allowed are {}", what, text, join(known)),
                   {.of = std::string(of.empty() ? what : of),
                    .given = std::string(text),
                    .allowed = {known.begin(), known.end()}});
}

std::string describe_ports(Ports ports, std::string_view direction) {
  if (ports.unlimited()) return fmt::format("all {} ports", direction);
  return fmt::format("{} {} port{}", ports.count, direction, ports.count == 1 ? "" : "s");
}

// As the literature has it where sending and receiving are alike: "all-port", "one-port", "3-port".
std::string describe_ports(const Model& model) {
  if (model.send != model.receive) {
    return fmt::format("{}, {}", describe_ports(model.send, "send"),
                       describe_ports(model.receive, "receive"));
  }
  if (model.send == kOnePort) return "one-port";
  return fmt::format("{}-port", to_text(model.send));
}

std::string describe_queues(const Model& model) {
  if (!model.queue_limit) return "";
  return fmt::format(", queues of at most {}{}", *model.queue_limit,
                     model.queues_per == QueuesPer::kIncoming ? " per incoming link" : "");
}

}  // namespace

std::string to_text(Ports ports) { return ports.unlimited() ? "all" : fmt::format("{}", ports.count); }

Ports parse_ports(std::string_view text, std::string_view what) {
  if (text == "all") return kAllPorts;
  if (text == "one") return kOnePort;
  uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count == 0) {
    throw ValueError(
        fmt::format("{} is '{}'; allowed are one, all or a number from 1 to 4294967295", what, text),
        {.of = std::string(what), .given = std::string(text), .allowed = {"one", "all", "1 to 4294967295"}});
  }
  return Ports{count};
}

std::string_view to_text(Switching switching) { return word_of(kSwitchings, switching); }
Switching parse_switching(std::string_view text) { return parse_word(kSwitchings, "switching", text); }
std::string_view to_text(Packets packets) { return word_of(kPackets, packets); }
Packets parse_packets(std::string_view text) {
  return parse_word(kPackets, "number of packets", text, "packets");
}
std::string_view to_text(Duplex duplex) { return word_of(kDuplexes, duplex); }
Duplex parse_duplex(std::string_view text) { return parse_word(kDuplexes, "duplex", text); }
std::string_view to_text(Routing routing) { return word_of(kRoutings, routing); }
Routing parse_routing(std::string_view text) { return parse_word(kRoutings, "routing", text); }

std::string_view to_text(Operator combining) { return word_of(kOperators, combining); }
Operator parse_operator(std::string_view text) { return parse_word(kOperators, "operator", text); }

std::string_view to_text(Chunks chunks) { return word_of(kChunkOrders, chunks); }
Chunks parse_chunks(std::string_view text) {
  return parse_word(kChunkOrders, "order of chunks", text, "chunks");
}

std::string_view to_text(QueuesPer per) { return word_of(kQueuesPer, per); }
QueuesPer parse_queues_per(std::string_view text) {
  return parse_word(kQueuesPer, "link to count queues by", text, "queues-per");
}

double time_of(const CostConstants& cost, const TimedFigures& figures, uint64_t block_bytes) {
  const auto number = [](uint64_t value) { return static_cast<double>(value); };
  return number(figures.start_ups) * cost.ts + number(figures.further_messages) * cost.to +
         number(figures.critical_hops) * cost.tl +
         number(block_bytes) *
             (number(figures.critical_blocks) * cost.tx + number(figures.rearranged) * cost.rho);
}

std::string describe(const Model& model) {
  return fmt::format(
      "{}, {} switching{}, {} duplex{}{}{}{}", describe_ports(model), to_text(model.switching),
      model.packets == Packets::kMany ? ", many packets a step" : "", to_text(model.duplex),
      model.routing == Routing::kAny ? "" : fmt::format(", {} routing", to_text(model.routing)),
      describe_queues(model), model.combining == Operator::kOrdered ? ", ranks combined in order" : "",
      model.chunks == Chunks::kInOrder ? ", chunks in order" : "");
}

}  // namespace quadrille
