#include "quadrille/compile/plan_time.h"

#include <fmt/format.h>

#include "quadrille/base/text.h"

namespace quadrille {

bool rearranging_costs(const Problem& problem) { return problem.model().cost.rho > 0; }
bool hops_cost(const Problem& problem) { return problem.model().cost.tl > 0; }
bool messages_cost(const Problem& problem) { return problem.model().cost.to > 0; }
bool more_costs(const Problem& problem) {
  return rearranging_costs(problem) || hops_cost(problem) || messages_cost(problem);
}

uint64_t chunk_bytes(const Problem& problem, uint64_t message_bytes) {
  return chunk_bytes(message_bytes, problem.collective().pieces());
}

std::string message_text(const Problem& problem, uint64_t message_bytes) {
  const uint32_t pieces = problem.collective().pieces();
  std::string out = fmt::format("blocks of {}", plural(message_bytes, "byte"));
  if (pieces == 1) return out;
  const uint64_t chunk = chunk_bytes(message_bytes, pieces);
  out += fmt::format(" in {} pieces of {}", with_thousands(pieces), with_thousands(chunk));
  const uint64_t over = message_bytes % pieces;
  return over == 0 ? out : out + fmt::format(" (padded by {})", with_thousands(pieces - over));
}

Problem with_many_packets(const Problem& problem) {
  Model model = problem.model();
  model.packets = Packets::kMany;
  return {problem.topology(), problem.collective(), model};
}

PlanTime time_of(const Problem& problem, const Figures& figures, std::span<const Bound> bounds,
                 std::optional<uint64_t> rearranged, uint64_t message_bytes) {
  const CostConstants& cost = problem.model().cost;
  const uint64_t bytes = chunk_bytes(problem, message_bytes);
  PlanTime out;
  const auto time = [&](const TimedFigures& parts) { return time_of(cost, parts, bytes); };
  out.total = time({figures.start_ups, figures.critical_blocks, figures.critical_hops, rearranged.value_or(0),
                    figures.further_messages});
  out.latency = time({.start_ups = figures.start_ups});
  out.messages = time({.further_messages = figures.further_messages});
  out.propagation = time({.critical_hops = figures.critical_hops});
  out.transfer = time({.critical_blocks = figures.critical_blocks});
  if (rearranged || cost.rho == 0) out.rearrangement = time({.rearranged = rearranged.value_or(0)});
  out.bound = least_time(problem, message_bytes, bounds);
  out.least = out.bound.time;
  return out;
}

}  // namespace quadrille
