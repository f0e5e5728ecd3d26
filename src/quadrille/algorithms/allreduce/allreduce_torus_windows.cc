// Allreduce for short vectors on tori where paths may share links: windows of nodes that grow to both sides, in sums that
// are kept apart.
//
// On a ring a node's window is itself and as many to either side. In a step it gets the windows of the nodes on both sides
// of it that begin where its own ends: three times as many. What came in one message lies in a slot of its own, so that
// the last step can take just those slots that are missing: ceil(log3 n) steps over short ways. Where no union of slots
// fits, windows grow to one side (allreduce_windows), over longer ways. A torus goes through its dimensions one after
// the other, with a class of the pieces that begins with each: no node sends more messages than it has links.
//
// Squares of few nodes need fewer steps: four messages a step reach 5, 25, 125 nodes. Which slots go where was
// found by a search: the first two steps turned into all four directions, the last one any four messages.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/algorithms/graphs/exchange_conditions.h"
#include "quadrille/algorithms/graphs/graph_shapes.h"

namespace quadrille::algorithms {

extern const Algorithm allreduce_torus_windows;

namespace allreduce_torus_windows_parts {
namespace {

// What every node sends to the node so many hops up in each dimension.
struct Message {
  std::vector<int32_t> hops;
  uint32_t from;  // slots
  uint32_t to;    // slot
  uint32_t klass;
};

struct Program {
  TorusShape torus;
  uint32_t classes = 1;
  std::vector<std::vector<Message>> steps{};
};

// --- one ring ---------------------------------------------------------------------------------------------

// Sums of windows: slot i has the nodes from `first` to `last`, seen from its node.
struct Window {
  int32_t first;
  int32_t last;
};

struct RingMessage {
  int32_t hops;
  std::vector<uint32_t> windows;  // which of those that are there; 0 is the own
};

using RingSteps = std::vector<std::vector<RingMessage>>;

int32_t nearest_way(int32_t hops, int32_t n) {
  hops %= n;
  if (2 * hops > n) return hops - n;
  return 2 * hops < -n ? hops + n : hops;
}

// The windows that lie side by side from one to another, by the nodes in them: of every number the nearest.
std::map<int32_t, RingMessage> unions(std::vector<Window> windows, int32_t reach, bool from_right,
                                      int32_t n) {
  std::vector<uint32_t> order(windows.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return windows[a].first < windows[b].first; });
  std::map<int32_t, RingMessage> out;
  for (size_t i = 0; i < order.size(); ++i) {
    for (size_t j = i; j < order.size(); ++j) {
      const int32_t first = windows[order[i]].first;
      const int32_t last = windows[order[j]].last;
      // From the right: they come to lie from reach + 1 on; from the left: to -reach - 1.
      const int32_t sender = from_right ? reach + 1 - first : -(reach + 1 + last);
      RingMessage message{nearest_way(-sender, n),
                          {order.begin() + static_cast<std::ptrdiff_t>(i),
                           order.begin() + static_cast<std::ptrdiff_t>(j) + 1}};
      const auto [at, is_new] = out.try_emplace(last - first + 1, message);
      if (!is_new && std::abs(message.hops) < std::abs(at->second.hops)) at->second = message;
    }
  }
  return out;
}

// To both sides; nothing where no unions fill the rest.
std::optional<RingSteps> both_sides(int32_t n) {
  std::vector<Window> windows{{0, 0}};
  RingSteps out;
  int32_t size = 1;
  for (; 3 * size < n; size *= 3) {
    std::vector<uint32_t> all(windows.size());
    for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    out.push_back({{-size, all}, {size, all}});
    const int32_t reach = size / 2;
    windows.push_back({reach + 1, reach + size});
    windows.push_back({-reach - size, -reach - 1});
  }
  const int32_t reach = size / 2;
  const std::map<int32_t, RingMessage> right = unions(windows, reach, true, n);
  const std::map<int32_t, RingMessage> left = unions(windows, reach, false, n);
  std::optional<std::vector<RingMessage>> best;
  int32_t least = 0;
  for (int32_t nodes = 0; nodes <= n - size; ++nodes) {
    std::vector<RingMessage> step;
    int32_t farthest = 0;
    const auto take = [&](const std::map<int32_t, RingMessage>& from, int32_t count) {
      const auto at = from.find(count);
      if (count > 0 && at == from.end()) return false;
      if (count > 0) step.push_back(at->second);
      if (count > 0) farthest = std::max(farthest, std::abs(at->second.hops));
      return true;
    };
    if (!take(right, nodes) || !take(left, n - size - nodes) || (best && farthest >= least)) continue;
    best = step;
    least = farthest;
  }
  if (!best) return std::nullopt;
  out.push_back(*best);
  return out;
}

// To one side: windows of m become 3m, 3m + 1 or 3m + 2.
RingSteps one_side(int32_t n) {
  std::vector<int32_t> digits;
  for (int32_t rest = n - 1; rest > 0; rest /= 3) digits.insert(digits.begin(), rest % 3);
  RingSteps out;
  std::vector<uint32_t> window;  // all but the own
  int32_t size = 0;
  uint32_t next = 1;
  for (const int32_t digit : digits) {
    std::vector<RingMessage> step;
    int32_t covered = size;
    for (int32_t j = 0; j < 2; ++j) {
      std::vector<uint32_t> windows = window;
      if (j < digit) windows.push_back(0);
      if (windows.empty()) continue;
      step.push_back({nearest_way(-(covered + (j < digit ? 1 : 0)), n), windows});
      covered += size + (j < digit ? 1 : 0);
    }
    for (size_t i = 0; i < step.size(); ++i) window.push_back(next++);
    size = covered;
    out.push_back(step);
  }
  return out;
}

RingSteps ring_steps(uint32_t side) {
  const auto n = static_cast<int32_t>(side);
  return both_sides(n).value_or(one_side(n));
}

// --- tori ---------------------------------------------------------------------------------------------------

std::optional<Program> by_dimensions(const TorusShape& torus) {
  const size_t dimensions = torus.sides.size();
  Program out{torus, static_cast<uint32_t>(dimensions)};
  std::vector<RingSteps> rings;
  for (const uint32_t side : torus.sides) rings.push_back(ring_steps(side));
  for (uint32_t klass = 0; klass < out.classes; ++klass) {
    size_t at = 0;
    uint32_t own = 1;  // slots whose sum is what the ring begins with
    uint32_t next = 1;
    for (size_t turn = 0; turn < dimensions; ++turn) {
      const size_t d = (klass + turn) % dimensions;
      std::vector<uint32_t> slots{own};  // of every window
      for (const std::vector<RingMessage>& step : rings[d]) {
        if (out.steps.size() == at) out.steps.emplace_back();
        for (const RingMessage& message : step) {
          uint32_t from = 0;
          for (const uint32_t window : message.windows) from |= slots[window];
          std::vector<int32_t> hops(dimensions, 0);
          hops[d] = message.hops;
          if (next >= SumSlots::kCount) return std::nullopt;
          out.steps[at].push_back({hops, from, next++, klass});
        }
        for (size_t i = step.size(); i > 0; --i) slots.push_back(1U << (next - static_cast<uint32_t>(i)));
        ++at;
      }
      for (const uint32_t slot : slots) own |= slot;
    }
  }
  return out;
}

// --- squares ------------------------------------------------------------------------------------------------

struct Sent {
  int32_t up;
  int32_t right;
  std::vector<uint32_t> slots;
};
struct Square {
  uint32_t side;
  std::vector<std::vector<Sent>> steps;
};

// What comes by the i-th message lies in the next slot; turned: four messages, each a quarter turn after the one
// before, which carry slots 1 to 4 turned, too.
std::vector<Sent> turned(int32_t length, const std::vector<uint32_t>& numbers) {
  std::vector<Sent> out{{0, length, {}}, {-length, 0, {}}, {0, -length, {}}, {length, 0, {}}};
  for (uint32_t i = 0; i < 4; ++i) {
    if (numbers.empty()) out[i].slots = {0};
    for (const uint32_t j : numbers) out[i].slots.push_back(1 + (j + i) % 4);
  }
  return out;
}

const std::vector<Square>& squares() {
  static const std::vector<Square> all = {
      {4, {turned(1, {}), {{1, 2, {0, 1, 2, 3, 4}}, {-2, 1, {0, 3, 4}}, {-1, -2, {0, 1}}, {2, -1, {0}}}}},
      {6,
       {turned(1, {}),
        turned(1, {3}),
        {{0, 2, {0, 1, 2, 4, 5, 6}},
         {0, -1, {3, 7, 8}},
         {3, 1, {0, 1, 2, 3, 4, 5, 6, 7, 8}},
         {-3, -2, {0, 1, 2, 3, 4, 5, 6, 7, 8}}}}},
      {7,
       {turned(1, {}),
        turned(1, {0, 3}),
        {{1, 3, {0, 3, 4, 5, 6, 8}},
         {3, -1, {0, 2, 3, 5, 7, 8}},
         {-3, 1, {0, 1, 4, 5, 6, 7}},
         {-1, -3, {0, 1, 2, 6, 7, 8}}}}},
      {8,
       {turned(1, {}),
        turned(2, {0, 1, 3}),
        {{0, 4, {2, 4, 6, 8}},
         {3, -4, {1, 2, 3, 4, 5, 6, 7, 8}},
         {-4, 0, {1, 3, 5, 7}},
         {-1, 0, {1, 2, 3, 5, 6, 7, 8}}}}},
  };
  return all;
}

std::optional<Program> by_square(const TorusShape& torus) {
  if (torus.sides.size() != 2 || torus.sides[0] != torus.sides[1]) return std::nullopt;
  for (const Square& square : squares()) {
    if (square.side != torus.sides[0]) continue;
    Program out{torus, 1};
    uint32_t next = 1;
    for (const std::vector<Sent>& step : square.steps) {
      std::vector<Message>& messages = out.steps.emplace_back();
      for (const Sent& sent : step) {
        uint32_t from = 0;
        for (const uint32_t slot : sent.slots) from |= 1U << slot;
        messages.push_back({{sent.up, sent.right}, from, next++, 0});
      }
    }
    return out;
  }
  return std::nullopt;
}

// --- plans --------------------------------------------------------------------------------------------------

uint64_t pieces_of(const Problem& problem, const Program& program, uint32_t klass) {
  const uint32_t pieces = problem.collective().pieces();
  return pieces / program.classes + (klass < pieces % program.classes ? 1 : 0);
}

// All nodes do the same, so all links of a direction carry the same.
Prediction predicted(const Problem& problem, const Program& program) {
  Prediction out{.steps = program.steps.size(), .start_ups = 0, .critical_blocks = 0, .critical_hops = 0};
  for (const std::vector<Message>& step : program.steps) {
    std::map<std::pair<size_t, bool>, uint64_t> loads;
    uint64_t farthest = 0;
    for (const Message& message : step) {
      const uint64_t pieces = pieces_of(problem, program, message.klass);
      uint64_t length = 0;
      for (size_t d = 0; d < message.hops.size(); ++d) {
        const auto hops = static_cast<uint64_t>(std::abs(message.hops[d]));
        loads[{d, message.hops[d] < 0 && program.torus.sides[d] > 2}] += hops * pieces;
        length += hops;
      }
      if (pieces > 0) farthest = std::max(farthest, length);
    }
    uint64_t most = 0;
    for (const auto& [direction, load] : loads) most = std::max(most, load);
    *out.start_ups += most > 0 ? 1 : 0;
    *out.critical_blocks += most;
    *out.critical_hops += farthest;
  }
  return out;
}

void generate(const Problem& problem, const Program& program, StepSink& sink) {
  const Topology& net = problem.topology();
  const TorusShape& torus = program.torus;
  // A node one up or down in a dimension.
  const auto neighbour = [&](NodeId v, size_t d, bool up) {
    const uint32_t side = torus.sides[d];
    const uint32_t x = static_cast<uint32_t>(index(v)) / torus.strides[d] % side;
    const uint32_t to = up ? (x + 1) % side : (x + side - 1) % side;
    const auto node = static_cast<uint32_t>(index(v)) + to * torus.strides[d] - x * torus.strides[d];
    return NodeId{node};
  };
  StepBuilder builder;
  std::vector<BlockId> blocks;
  std::vector<ArcId> path;
  for (const std::vector<Message>& step : program.steps) {
    for (const Message& message : step) {
      blocks.clear();
      for (uint32_t piece = message.klass; piece < problem.collective().pieces(); piece += program.classes)
        blocks.push_back(BlockId{piece});
      if (blocks.empty()) continue;
      for (const NodeId from : net.nodes()) {
        path.clear();
        NodeId at = from;
        for (size_t d = 0; d < message.hops.size(); ++d) {
          for (int32_t hop = 0; hop < std::abs(message.hops[d]); ++hop) {
            const NodeId next = neighbour(at, d, message.hops[d] > 0);
            path.push_back(*net.find_arc(at, next));
            at = next;
          }
        }
        builder.add(path, blocks, TransferOp::kDefault, {message.from, message.to});
      }
    }
    builder.flush(sink);
  }
}

size_t most_messages(const Program& program) {
  size_t out = 0;
  for (const std::vector<Message>& step : program.steps) out = std::max(out, step.size());
  return out;
}

Applicability applies(const Problem& problem) {
  const Model& model = problem.model();
  if (problem.model().switching == Switching::kPacket) return on_shared_links(problem);
  if (model.duplex == Duplex::kHalf)
    return Applicability::no("it uses both directions of a link in one step; the links are half duplex");
  const std::optional<TorusShape> torus = as_torus(problem.topology());
  if (!torus || torus->sides.empty())
    return Applicability::no(
        fmt::format("it needs a torus; {} is not known to be one", problem.topology().name()));
  for (const Ports ports : {model.send, model.receive}) {
    if (!ports.unlimited() && ports.count < most_messages(by_dimensions(*torus).value_or(Program{*torus})))
      return Applicability::no(
          "a node sends two messages in every dimension in one step; the model limits its ports");
  }
  if (!by_dimensions(*torus)) return Applicability::no("it needs more than 32 slots for partial sums");
  return on_shared_links(problem);
}

Preparation prepare(const Problem& problem) {
  const TorusShape torus = *as_torus(problem.topology());
  Preparation out;
  out.plans.push_back(kept(problem, *by_dimensions(torus), predicted, generate, "dimensions"));
  if (std::optional<Program> square = by_square(torus))
    out.plans.push_back(kept(problem, std::move(*square), predicted, generate, "square"));
  return out;
}

// As many as there are classes.
Chunking chunks(const Problem& problem) {
  const std::optional<TorusShape> torus = as_torus(problem.topology());
  return {.unit = torus ? std::max(1U, static_cast<uint32_t>(torus->sides.size())) : 1U};
}

}  // namespace
}  // namespace allreduce_torus_windows_parts

constinit const Algorithm allreduce_torus_windows = {
    .name = "allreduce_torus_windows",
    .collective = CollectiveKind::kAllreduce,
    .summary = "windows of nodes three times as large in every step, ring by ring, in sums kept apart",
    .source = "ours; partial sums as in arXiv 2602.17254",
    .remarks =
        "any torus, shared links, as many ports as links; ceil(log3 n) steps in every dimension, and 3 in all on 6 x 6 to 8 x 8",
    .applies = allreduce_torus_windows_parts::applies,
    .chunks = allreduce_torus_windows_parts::chunks,
    .prepare = allreduce_torus_windows_parts::prepare,
};

}  // namespace quadrille::algorithms
