// Bandwidths and latencies of edges, as texts with units. Equal texts are read once: files have many edges and few speeds.
#include <fmt/format.h>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/base/text.h"
#include "quadrille/topology/graph_files/graph_tables.h"

namespace quadrille {
namespace {

std::string headline(std::string_view text) { return std::string(text.substr(0, text.find('\n'))); }

std::string take_bandwidth(GraphTables::Bandwidths& bandwidths, uint32_t& out, std::string_view value) {
  if (const auto known = bandwidths.known.find(value); known != bandwidths.known.end()) {
    out = known->second;
    return "";
  }
  const ExactBandwidth read = read_bandwidth(value);
  if (!read.wrong.empty()) return fmt::format("has bandwidth '{}': {}", value, read.wrong);
  out = static_cast<uint32_t>(bandwidths.microbits.size());
  bandwidths.microbits.push_back(read.microbits);
  bandwidths.known.emplace(value, out);
  return "";
}

std::string take_latency(GraphTables::Latencies& latencies, uint32_t& out, std::string_view value) {
  if (const auto known = latencies.known.find(value); known != latencies.known.end()) {
    out = known->second;
    return "";
  }
  const std::string what = fmt::format("has latency '{}'", value);
  try {
    const Quantity read = parse_time(value, what);
    if (!read.has_unit && read.value != 0) {
      return fmt::format("{}: without a unit it may be anything; a time such as 2us or 500ns is needed",
                         what);
    }
    out = static_cast<uint32_t>(latencies.microseconds.size());
    latencies.microseconds.push_back(read.value);
    latencies.known.emplace(value, out);
    return "";
  } catch (const InputError& error) {
    return headline(error.what());
  }
}

}  // namespace

std::string take_edge_attribute(GraphTables& tables, GraphTables::Edge& edge, std::string_view name,
                                std::string_view value) {
  value = trimmed(value);
  if (value.empty()) return "";
  if (name == "bandwidth") return take_bandwidth(tables.bandwidths, edge.bandwidth, value);
  if (name == "latency") return take_latency(tables.latencies, edge.latency, value);
  const auto known = tables.edge_others.find(name);
  if (known == tables.edge_others.end()) {
    tables.edge_others.emplace(name, 1);
  } else {
    ++known->second;
  }
  return "";
}

}  // namespace quadrille
