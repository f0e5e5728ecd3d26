#include "quadrille/topology/faults/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/whole_number.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/families/read_graph_facts.h"
#include "quadrille/topology/link_rates.h"
#include "quadrille/topology/queries/arcs_into.h"
#include "quadrille/topology/queries/node_names.h"

namespace quadrille {
namespace {

constexpr std::string_view kWords = "write \"link A B\", \"arc A B\" (one direction) or \"node A\"";

std::optional<NodeId> node_if_any(const Topology& whole, std::string_view text, Numbers numbers) {
  try {
    return find_node(whole, text, "", numbers);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// Names may have blanks: the first place that leaves a node on either side.
std::pair<NodeId, NodeId> two_nodes(const Topology& whole, std::string_view text, std::string_view fault,
                                    Numbers numbers) {
  for (size_t at = text.find_first_of(" \t"); at != std::string_view::npos;
       at = text.find_first_of(" \t", at + 1)) {
    const std::optional<NodeId> a = node_if_any(whole, trimmed(text.substr(0, at)), numbers);
    const std::optional<NodeId> b = a ? node_if_any(whole, trimmed(text.substr(at)), numbers) : std::nullopt;
    if (b) return {*a, *b};
  }
  const size_t blank = text.find_first_of(" \t");
  if (blank == std::string_view::npos)
    throw InputError(fmt::format("the fault '{}' names one node; {}", fault, kWords));
  const std::string what = fmt::format("the fault '{}'", fault);
  return {find_node(whole, trimmed(text.substr(0, blank)), what, numbers),
          find_node(whole, trimmed(text.substr(blank)), what, numbers)};
}

// The label, unless it is the number of another.
std::string name_of(const Topology& whole, NodeId node) {
  std::string label = whole.label(node);
  const std::optional<uint64_t> number = whole_number(label);
  if (!number) return label;
  const NodeNumbers numbers(whole, Numbers::kWhole);
  const bool others = *number < numbers.node_count() && *number != numbers.number_of(node);
  return others ? fmt::format("{}", numbers.number_of(node)) : label;
}

// Nodes that one node reaches over living arcs, or that reach it.
std::vector<char> reached(const Topology& whole, const std::vector<char>& dead_node,
                          const std::vector<char>& dead_arc, NodeId from, bool forwards) {
  std::vector<std::vector<ArcId>> into;
  if (!forwards) into = arcs_into(whole);
  std::vector<char> out(whole.num_nodes(), 0);
  out[index(from)] = 1;
  std::vector<NodeId> queue{from};
  const auto take = [&](ArcId arc, NodeId to) {
    if (dead_arc[index(arc)] != 0 || dead_node[index(to)] != 0 || out[index(to)] != 0) return;
    out[index(to)] = 1;
    queue.push_back(to);
  };
  for (size_t i = 0; i < queue.size(); ++i) {
    if (forwards) {
      for (const ArcId arc : whole.arcs_from(queue[i])) take(arc, whole.head(arc));
    } else {
      for (const ArcId arc : into[index(queue[i])]) take(arc, whole.tail(arc));
    }
  }
  return out;
}

// The nodes that stay: those of the part, all of whose nodes reach each other, with the most endpoints.
std::vector<char> largest_part(const Topology& whole, const std::vector<char>& dead_node,
                               const std::vector<char>& dead_arc) {
  std::vector<char> seen(dead_node);
  std::vector<char> best;
  size_t most = 0;
  for (const NodeId from : whole.endpoints()) {
    if (seen[index(from)] != 0) continue;
    std::vector<char> part = reached(whole, dead_node, dead_arc, from, true);
    const std::vector<char> back = reached(whole, dead_node, dead_arc, from, false);
    size_t endpoints = 0;
    for (const NodeId v : whole.nodes()) {
      part[index(v)] = static_cast<char>(part[index(v)] != 0 && back[index(v)] != 0);
      if (part[index(v)] != 0) seen[index(v)] = 1;
      endpoints += part[index(v)] != 0 && whole.rank(v) ? 1 : 0;
    }
    if (endpoints <= most) continue;
    most = endpoints;
    best = std::move(part);
  }
  return best;
}

// Those of the arcs that are left; null where there are none.
std::shared_ptr<const LinkRates> rates_left(const Topology& whole, const Topology& left,
                                            const std::vector<NodeId>& original) {
  if (whole.link_rates() == nullptr) return nullptr;
  const LinkRates& rates = *whole.link_rates();
  auto out = std::make_shared<LinkRates>(rates);
  out->bandwidth.clear();
  out->latency.clear();
  for (const ArcId arc : left.arcs()) {
    const size_t before =
        index(*whole.find_arc(original[index(left.tail(arc))], original[index(left.head(arc))]));
    if (!rates.bandwidth.empty()) out->bandwidth.push_back(rates.bandwidth[before]);
    if (!rates.latency.empty()) out->latency.push_back(rates.latency[before]);
  }
  return out;
}

}  // namespace

void add_fault(const Topology& whole, std::string_view text, Faults& faults, Numbers numbers) {
  const std::string_view fault = trimmed(text);
  const size_t blank = fault.find_first_of(" \t");
  const std::string_view word = fault.substr(0, blank);
  const std::string_view rest =
      blank == std::string_view::npos ? std::string_view() : trimmed(fault.substr(blank));
  if (rest.empty() || (word != "link" && word != "arc" && word != "node"))
    throw InputError(fmt::format("'{}' is no fault; {}", fault, kWords));
  if (word == "node") {
    faults.nodes.push_back(find_node(whole, rest, fmt::format("the fault '{}'", fault), numbers));
    return;
  }
  const auto [a, b] = two_nodes(whole, rest, fault, numbers);
  const size_t before = faults.arcs.size();
  if (const std::optional<ArcId> arc = whole.find_arc(a, b)) faults.arcs.push_back(*arc);
  if (word == "link") {
    if (const std::optional<ArcId> arc = whole.find_arc(b, a)) faults.arcs.push_back(*arc);
  }
  if (faults.arcs.size() > before) return;
  throw InputError(fmt::format("the fault '{}': {} has no {} from {} to {}", fault, whole.name(), word,
                               whole.label(a), whole.label(b)));
}

std::string link_fault(const Topology& whole, ArcId arc) {
  return fmt::format("link {} {}", name_of(whole, whole.tail(arc)), name_of(whole, whole.head(arc)));
}

std::string node_fault(const Topology& whole, NodeId node) {
  return fmt::format("node {}", name_of(whole, node));
}

std::string name_without(std::string_view whole, std::span<const std::string> faults) {
  const bool has_some = whole.starts_with("without(") && whole.ends_with(")");
  std::string out =
      has_some ? fmt::format("{},", whole.substr(0, whole.size() - 1)) : fmt::format("without({};", whole);
  for (size_t i = 0; i < faults.size(); ++i) out += (i == 0 ? "" : ",") + in_quotes(faults[i]);
  return out + ")";
}

FaultyNetwork without(const Topology& whole, const Faults& faults, const std::string& name) {
  std::vector<char> dead_node(whole.num_nodes(), 0);
  std::vector<char> dead_arc(whole.num_arcs(), 0);
  for (const NodeId v : faults.nodes) dead_node[index(v)] = 1;
  for (const ArcId arc : faults.arcs) dead_arc[index(arc)] = 1;
  const std::vector<char> stays = largest_part(whole, dead_node, dead_arc);
  if (stays.empty()) throw InputError(fmt::format("{}: no endpoint of {} is left", name, whole.name()));

  std::vector<NodeId> original;
  std::vector<NodeId> cut_off;
  std::vector<uint32_t> number(whole.num_nodes(), 0);
  std::vector<NodeId> endpoints;
  std::vector<std::string> labels;
  for (const NodeId v : whole.nodes()) {
    if (stays[index(v)] == 0) {
      if (dead_node[index(v)] == 0) cut_off.push_back(v);
      continue;
    }
    number[index(v)] = static_cast<uint32_t>(original.size());
    if (whole.rank(v)) endpoints.push_back(NodeId{number[index(v)]});
    original.push_back(v);
    labels.push_back(whole.label(v));
  }
  TopologyBuilder builder(name, original.size());
  builder.reserve_arcs(whole.num_arcs());
  for (const ArcId arc : whole.arcs()) {
    const NodeId tail = whole.tail(arc);
    const NodeId head = whole.head(arc);
    if (dead_arc[index(arc)] != 0 || stays[index(tail)] == 0 || stays[index(head)] == 0) continue;
    builder.arc(NodeId{number[index(tail)]}, NodeId{number[index(head)]}, whole.capacity(arc));
  }
  builder.endpoints(std::move(endpoints));
  builder.labels(std::move(labels));
  Topology left = builder.build();
  if (whole.link_rates() != nullptr || !whole.remarks().empty())
    left = left.with(rates_left(whole, left, original), {whole.remarks().begin(), whole.remarks().end()});
  return {std::move(left), std::move(original), std::move(cut_off)};
}

}  // namespace quadrille
