#include "quadrille/topology/graph_files/graph_rates.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/base/value_error.h"

namespace quadrille {
namespace {

// Beyond it the ratios are accidents of how the bandwidths were measured, and a plan would have as many slots.
constexpr int kMostDerived = 1000;
constexpr int kMostGiven = 1'000'000;
constexpr double kMicro = 1e6;
constexpr double kBitsPerByte = 8;

using Edge = GraphTables::Edge;

std::string text_of(Int128 microbits) { return bandwidth_text(static_cast<double>(microbits) / kMicro); }
double bytes_per_microsecond(Int128 microbits) {
  return static_cast<double>(microbits) / (kMicro * kMicro * kBitsPerByte);
}

Int128 greatest_divisor(Int128 a, Int128 b) {
  while (b != 0) {
    const Int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// Some have it and some have not: it is not for us to guess.
void require_on_all(const GraphTables& tables, uint32_t Edge::*what, std::string_view name,
                    const GraphText& text) {
  const auto has = [what](const Edge& edge) { return edge.*what != GraphTables::kNone; };
  const auto with = std::count_if(tables.edges.begin(), tables.edges.end(), has);
  const auto lacking = std::find_if_not(tables.edges.begin(), tables.edges.end(), has);
  if (with == 0 || lacking == tables.edges.end()) return;
  std::string others;  // the missing ones may be called otherwise
  for (const auto& [other, count] : tables.edge_others)
    others += (others.empty() ? "" : ", ") + std::string(other);
  if (!others.empty()) others = fmt::format("; what edges have besides means nothing here: {}", others);
  text.fail(tables, *lacking,
            fmt::format("has no {0}, and {1} of {2} edges have one; give a {0} to all of them, or to none{3}",
                        name, with, tables.edges.size(), others));
}

// What capacity 1 carries.
Int128 derived_unit(const GraphTables& tables, const GraphText& text) {
  const std::vector<Int128>& all = tables.bandwidths.microbits;
  Int128 unit = 0;
  for (const Int128 bandwidth : all) unit = greatest_divisor(unit, bandwidth);
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  if (*most / unit <= Int128{kMostDerived}) return unit;
  throw InputError(fmt::format(
      "{}: all bandwidths, from {} to {}, are multiples of {} only, so that capacities would go up to {}; say what "
      "capacity 1 is, such as --unit '{}', and the others are rounded down to multiples of it",
      text.source, text_of(*least), text_of(*most), text_of(unit), to_string(*most / unit), text_of(*least)));
}

Int128 given_unit(const std::string& step) {
  const ExactBandwidth read = read_bandwidth(step);
  if (read.wrong.empty()) return read.microbits;
  throw ValueError(fmt::format("unit '{}': {}", step, read.wrong), {.of = "unit", .given = step});
}

}  // namespace

void GraphText::fail(const GraphTables& tables, const Edge& edge, std::string_view why) const {
  const auto name = [&](uint32_t node) {
    return tables.nodes[node].name.empty() ? fmt::format("{}", node) : tables.nodes[node].name;
  };
  const std::string message = fmt::format("the edge from {} to {} {}", name(edge.tail), name(edge.head), why);
  if (edge.place == 0 || edge.place > content.size())
    throw InputError(fmt::format("{}: {}", source, message));
  throw input_error_at(source, content, edge.place - 1, 1, message);
}

std::shared_ptr<LinkRates> rate_edges(GraphTables& tables, const std::string& step, const GraphText& text) {
  require_on_all(tables, &Edge::bandwidth, "bandwidth", text);
  require_on_all(tables, &Edge::latency, "latency", text);
  const bool with_bandwidth = !tables.bandwidths.microbits.empty();
  const bool with_latency = !tables.latencies.microseconds.empty();
  if (!with_bandwidth && !step.empty()) {
    throw ValueError(
        fmt::format("unit {}: it is what a link of capacity 1 carries, and no edge of {} has a bandwidth",
                    step, text.source),
        {.of = "unit", .given = step});
  }
  if (!with_bandwidth && !with_latency) return nullptr;
  auto out = std::make_shared<LinkRates>();
  if (with_latency) {
    for (const Edge& edge : tables.edges) out->latency.push_back(tables.latencies.microseconds[edge.latency]);
  }
  if (!with_bandwidth) return out;
  const Int128 unit = step.empty() ? derived_unit(tables, text) : given_unit(step);
  for (Edge& edge : tables.edges) {
    if (edge.has_capacity)
      text.fail(tables, edge,
                "has a capacity and a bandwidth; capacities follow from bandwidths: leave one of them out");
    const Int128 bandwidth = tables.bandwidths.microbits[edge.bandwidth];
    const Int128 capacity = bandwidth / unit;
    if (capacity == 0)
      text.fail(tables, edge,
                fmt::format("carries {}, less than the {} of capacity 1; give a unit of at most that",
                            text_of(bandwidth), text_of(unit)));
    if (capacity > Int128{kMostGiven})
      text.fail(tables, edge,
                fmt::format("carries {}, more than {} times the {} of capacity 1; give a larger unit",
                            text_of(bandwidth), kMostGiven, text_of(unit)));
    out->rounded = out->rounded || bandwidth % unit != 0;
    edge.capacity = static_cast<uint32_t>(capacity);
    out->bandwidth.push_back(bytes_per_microsecond(bandwidth));
  }
  out->unit_bandwidth = bytes_per_microsecond(unit);
  return out;
}

std::shared_ptr<const LinkRates> rates_of_arcs(const LinkRates& of_edges, const GraphTables& tables,
                                               const Topology& net) {
  auto out = std::make_shared<LinkRates>();
  out->unit_bandwidth = of_edges.unit_bandwidth;
  out->rounded = of_edges.rounded;
  if (!of_edges.bandwidth.empty()) out->bandwidth.assign(net.num_arcs(), 0);
  if (!of_edges.latency.empty()) out->latency.assign(net.num_arcs(), 0);
  for (size_t e = 0; e < tables.edges.size(); ++e) {
    const NodeId tail{tables.edges[e].tail};
    const NodeId head{tables.edges[e].head};
    for (const bool backwards : {false, true}) {
      if (backwards && tables.directed) continue;
      const size_t arc = index(*net.find_arc(backwards ? head : tail, backwards ? tail : head));
      if (!out->bandwidth.empty()) out->bandwidth[arc] += of_edges.bandwidth[e];
      if (!out->latency.empty()) out->latency[arc] = std::max(out->latency[arc], of_edges.latency[e]);
    }
  }
  return out;
}

}  // namespace quadrille
