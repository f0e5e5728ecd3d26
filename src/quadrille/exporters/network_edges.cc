#include "quadrille/exporters/network_edges.h"

#include <fmt/format.h>

#include "quadrille/topology/link_rates.h"

namespace quadrille {
namespace {

bool is_as_good_back(const Topology& network, ArcId arc) {
  const ArcId back = network.reverse(arc);
  if (back == kNoArc || network.capacity(back) != network.capacity(arc)) return false;
  const LinkRates* rates = network.link_rates();
  if (rates == nullptr) return true;
  const auto same = [&](const std::vector<double>& of) {
    return of.empty() || of[index(arc)] == of[index(back)];
  };
  return same(rates->bandwidth) && same(rates->latency);
}

}  // namespace

NetworkEdges network_edges(const Topology& network) {
  NetworkEdges out;
  for (const ArcId arc : network.arcs()) out.directed = out.directed || !is_as_good_back(network, arc);
  const LinkRates* rates = network.link_rates();
  for (const ArcId arc : network.arcs()) {
    const NodeId tail = network.tail(arc);
    const NodeId head = network.head(arc);
    if (!out.directed && index(head) < index(tail)) continue;
    NetworkEdge edge{.tail = tail, .head = head, .capacity = network.capacity(arc)};
    if (rates != nullptr && !rates->bandwidth.empty())
      edge.bandwidth = fmt::format("{}MB/s", rates->bandwidth[index(arc)]);
    if (rates != nullptr && !rates->latency.empty())
      edge.latency = fmt::format("{}us", rates->latency[index(arc)]);
    out.edges.push_back(std::move(edge));
  }
  return out;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < ' ' ? '_' : c;
    }
  }
  return out;
}

}  // namespace quadrille
