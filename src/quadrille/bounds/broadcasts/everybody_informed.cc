// Everybody informed: in an allreduce every rank must have heard from all others, and with few ports that takes longer
// than the longest way, or than doubling.
//
// Small graphs are asked on the spot, by a formula (search/everybody_informed.h), with a limit on the effort; the refutation is
// checked on the spot. Says nothing where distance or doubling say as much.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/search/everybody_informed.h"

namespace quadrille::bounds {

extern const BoundCard distance;
extern const BoundCard doubling;
extern const BoundCard everybody_informed;

namespace everybody_informed_parts {
namespace {

constexpr uint64_t kMostVariables = 30'000;
constexpr uint32_t kConflicts = 2'000;

uint32_t known(const Problem& problem) {
  int64_t out = 0;
  for (const BoundCard* card : {&distance, &doubling}) {
    if (const std::optional<Bound> bound = card->evaluate(problem)) out = std::max(out, bound->value.ceil());
  }
  return static_cast<uint32_t>(out);
}

std::optional<uint32_t> messages(Ports ports) {
  return ports.unlimited() ? std::nullopt : std::optional(ports.count);
}

// Whether ports are fewer than the links of some node.
bool has_few_ports(const Problem& problem) {
  const Topology& net = problem.topology();
  uint32_t most = 0;
  for (const NodeId v : net.nodes()) most = std::max(most, net.out_degree(v));
  return (!problem.model().send.unlimited() && problem.model().send.count < most) ||
         (!problem.model().receive.unlimited() && problem.model().receive.count < most);
}

// Every card of a collective is held against the bounds of its problem: the last answers are kept.
struct Asked {
  Topology topology;
  Ports send;
  Ports receive;
  InformedFloor floor;
};

InformedFloor floor_of(const Problem& problem) {
  constexpr size_t kMostKept = 256;
  thread_local std::deque<Asked> kept;
  const Model& model = problem.model();
  for (const Asked& asked : kept) {
    if (asked.send == model.send && asked.receive == model.receive &&
        asked.topology.same_graph(problem.topology()))
      return asked.floor;
  }
  InformedFloor floor = informed_floor(problem.topology(), {messages(model.send), messages(model.receive)},
                                       known(problem), kConflicts);
  kept.push_front({problem.topology(), model.send, model.receive, floor});
  if (kept.size() > kMostKept) kept.pop_back();
  return floor;
}

std::optional<Bound> evaluate(const Problem& problem) {
  if (problem.collective().kind() != CollectiveKind::kAllreduce ||
      problem.model().switching != Switching::kPacket || !has_few_ports(problem))
    return std::nullopt;
  const Topology& net = problem.topology();
  const uint64_t variables = uint64_t{net.num_arcs()} * net.num_endpoints() * known(problem);
  if (variables > kMostVariables) return std::nullopt;
  const InformedFloor floor = floor_of(problem);
  if (floor.lemmas == 0) return std::nullopt;
  return Bound{everybody_informed.name, Rational(static_cast<int64_t>(floor.steps)),
               fmt::format("that all can have heard from all after {} is refuted by a proof that was checked",
                           plural(floor.steps - 1, "step"))};
}

}  // namespace
}  // namespace everybody_informed_parts

constinit const BoundCard everybody_informed = {
    .name = "everybody_informed",
    .summary = "few ports: a solver shows that with one step fewer somebody would not have heard from all",
    .source = "ours; the refutations are found by CaDiCaL and checked by ours",
    .takes_long = true,
    .evaluate = everybody_informed_parts::evaluate,
};

}  // namespace quadrille::bounds
