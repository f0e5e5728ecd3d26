#include "quadrille/topology/groups/among.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/whole_number.h"
#include "quadrille/topology/families/complete.h"
#include "quadrille/topology/families/line.h"
#include "quadrille/topology/families/ring.h"
#include "quadrille/topology/link_rates.h"
#include "quadrille/topology/products/cartesian_product.h"

namespace quadrille {
namespace among_parts {
namespace {

constexpr std::string_view kWords = "write ranks such as 0,3,8-15, every fourth 0-63:4, or labels of nodes";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// At commas and blanks that are not inside of brackets: labels have commas of their own.
std::vector<std::string_view> items_of(std::string_view text) {
  std::vector<std::string_view> out;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == ')' || text[i] == ']')) --depth;
    if (i < text.size() && ((text[i] != ',' && !is_blank(text[i])) || depth > 0)) continue;
    if (i > begin) out.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return out;
}

struct Range {
  uint64_t first = 0;
  uint64_t last = 0;
  uint64_t stride = 1;
};

// "7", "8-15", "0-63:4", ":4"; nothing for other words.
std::optional<Range> range_of(std::string_view item, uint32_t ranks) {
  Range out{.first = 0, .last = ranks - uint64_t{1}, .stride = 1};
  const size_t colon = item.find(':');
  if (colon != std::string_view::npos) {
    const std::optional<uint64_t> stride = whole_number(item.substr(colon + 1));
    if (!stride || *stride == 0) return std::nullopt;
    out.stride = *stride;
    if (colon == 0) return out;
  }
  const std::string_view ends = item.substr(0, colon);
  const size_t dash = ends.find('-');
  const std::optional<uint64_t> first = whole_number(ends.substr(0, dash));
  const std::optional<uint64_t> last =
      dash == std::string_view::npos ? first : whole_number(ends.substr(dash + 1));
  if (!first || !last) return std::nullopt;
  if (dash == std::string_view::npos && colon != std::string_view::npos) return std::nullopt;
  out.first = *first;
  out.last = *last;
  return out;
}

std::optional<NodeId> labelled(const Topology& whole, std::string_view label) {
  for (const NodeId v : whole.nodes())
    if (whole.label(v) == label) return v;
  return std::nullopt;
}

// Nodes that `from` reaches, or that reach it, over nodes that stay.
std::vector<char> reached(const Topology& whole, const std::vector<char>& stays, NodeId from, bool forwards) {
  std::vector<char> out(whole.num_nodes(), 0);
  std::vector<std::vector<NodeId>> into;
  if (!forwards) {
    into.resize(whole.num_nodes());
    for (const ArcId arc : whole.arcs()) into[index(whole.head(arc))].push_back(whole.tail(arc));
  }
  out[index(from)] = 1;
  std::vector<NodeId> queue{from};
  const auto take = [&](NodeId to) {
    if (stays[index(to)] == 0 || out[index(to)] != 0) return;
    out[index(to)] = 1;
    queue.push_back(to);
  };
  for (size_t i = 0; i < queue.size(); ++i) {
    if (forwards)
      for (const ArcId arc : whole.arcs_from(queue[i])) take(whole.head(arc));
    else
      for (const NodeId tail : into[index(queue[i])]) take(tail);
  }
  return out;
}

// The part of the network that these nodes are, ascending; numbered anew, without a structure.
Topology part(const Topology& whole, const std::vector<NodeId>& nodes, std::vector<NodeId> endpoints,
              const std::string& name, bool labelled) {
  std::vector<uint32_t> number(whole.num_nodes(), UINT32_MAX);
  for (size_t i = 0; i < nodes.size(); ++i) number[index(nodes[i])] = static_cast<uint32_t>(i);
  TopologyBuilder builder(name, nodes.size());
  for (const NodeId v : nodes) {
    for (const ArcId arc : whole.arcs_from(v)) {
      const uint32_t head = number[index(whole.head(arc))];
      if (head != UINT32_MAX) builder.arc(NodeId{number[index(v)]}, NodeId{head}, whole.capacity(arc));
    }
  }
  if (labelled) {
    std::vector<std::string> labels;
    labels.reserve(nodes.size());
    for (const NodeId v : nodes) labels.push_back(whole.label(v));
    builder.labels(std::move(labels));
  }
  for (NodeId& v : endpoints) v = NodeId{number[index(v)]};
  builder.endpoints(std::move(endpoints));
  return builder.build();
}

// A factor of a grid that is left, by its family where it has one.
std::optional<Topology> part_of_factor(const Topology& factor, const std::vector<uint32_t>& values) {
  if (values.size() == factor.num_nodes()) return factor;
  std::vector<NodeId> nodes;
  std::vector<char> stays(factor.num_nodes(), 0);
  for (const uint32_t value : values) {
    nodes.push_back(NodeId{value});
    stays[value] = 1;
  }
  for (const bool forwards : {true, false}) {
    const std::vector<char> there = reached(factor, stays, nodes[0], forwards);
    for (const NodeId v : nodes)
      if (there[index(v)] == 0) return std::nullopt;
  }
  const Topology left = part(factor, nodes, nodes, "part of " + factor.name(), true);
  for (const auto family : {line_topology, ring_topology, complete_graph_topology}) {
    Topology known = family(nodes.size());
    if (known.same_graph(left)) return known;
  }
  return left;
}

// A box of a product is a product of its factors' parts. Coordinates that do not vary are left out.
std::optional<Topology> box(const Topology& whole, std::span<const NodeId> chosen) {
  const ProductStructure* const product = whole.product();
  if (product == nullptr || whole.has_routers()) return std::nullopt;
  std::vector<Topology> factors;
  uint64_t nodes = 1;
  for (size_t d = 0; d < product->factors.size(); ++d) {
    std::vector<char> there(product->factors[d].num_nodes(), 0);
    for (const NodeId v : chosen) there[product->coordinate(v, d)] = 1;
    std::vector<uint32_t> values;
    for (uint32_t i = 0; i < there.size(); ++i)
      if (there[i] != 0) values.push_back(i);
    nodes *= values.size();
    if (nodes > chosen.size()) return std::nullopt;
    if (values.size() == 1) continue;
    std::optional<Topology> factor = part_of_factor(product->factors[d], values);
    if (!factor) return std::nullopt;
    factors.push_back(*std::move(factor));
  }
  if (nodes != chosen.size() || factors.empty()) return std::nullopt;
  return factors.size() == 1 ? factors[0] : cartesian_product("box", factors);
}

Topology named(const Topology& shape, const std::string& name, std::vector<std::string> labels) {
  TopologyBuilder builder(name, shape.num_nodes());
  builder.reserve_arcs(shape.num_arcs());
  for (const ArcId arc : shape.arcs()) builder.arc(shape.tail(arc), shape.head(arc), shape.capacity(arc));
  if (shape.product() != nullptr) builder.product(shape.product()->factors);
  if (shape.cayley() != nullptr) builder.also_cayley(shape.cayley()->group, shape.cayley()->generators);
  builder.labels(std::move(labels));
  return builder.build();
}

// What whoever described the whole network said of the links that are left.
Topology as_described(const Topology& whole, const Topology& left, std::span<const NodeId> original) {
  const LinkRates* const said = whole.link_rates();
  if (said == nullptr && whole.remarks().empty()) return left;
  std::shared_ptr<LinkRates> rates;
  if (said != nullptr) {
    rates = std::make_shared<LinkRates>(*said);
    rates->bandwidth.clear();
    rates->latency.clear();
    for (const ArcId arc : left.arcs()) {
      const std::optional<ArcId> old =
          whole.find_arc(original[index(left.tail(arc))], original[index(left.head(arc))]);
      QUADRILLE_CHECK(old.has_value(), left.name());
      if (!said->bandwidth.empty()) rates->bandwidth.push_back(said->bandwidth[index(*old)]);
      if (!said->latency.empty()) rates->latency.push_back(said->latency[index(*old)]);
    }
  }
  return left.with(std::move(rates), {whole.remarks().begin(), whole.remarks().end()});
}

Topology alone(const Topology& whole, const std::vector<NodeId>& chosen, const std::string& name) {
  if (const std::optional<Topology> shape = box(whole, chosen)) {
    std::vector<std::string> labels;
    labels.reserve(chosen.size());
    for (const NodeId v : chosen) labels.push_back(whole.label(v));
    return as_described(whole, named(*shape, name, std::move(labels)), chosen);
  }
  std::vector<char> stays(whole.num_nodes(), 0);
  for (const NodeId v : whole.nodes()) stays[index(v)] = whole.rank(v) ? 0 : 1;
  for (const NodeId v : chosen) stays[index(v)] = 1;
  const std::vector<char> to = reached(whole, stays, chosen[0], true);
  const std::vector<char> from = reached(whole, stays, chosen[0], false);
  for (const NodeId v : chosen) {
    if (to[index(v)] != 0 && from[index(v)] != 0) continue;
    const bool there = to[index(v)] == 0;
    throw InputError(fmt::format(
        "where only they pass messages on, {} does not reach {}; let the others relay, or choose ranks that are linked",
        whole.label(there ? chosen[0] : v), whole.label(there ? v : chosen[0])));
  }
  std::vector<NodeId> left;
  for (const NodeId v : whole.nodes())
    if (to[index(v)] != 0 && from[index(v)] != 0) left.push_back(v);
  return as_described(whole, part(whole, left, chosen, name, true), left);
}

}  // namespace
}  // namespace among_parts

std::vector<Rank> read_ranks(const Topology& whole, std::string_view text, std::string_view what,
                             Numbers numbers) {
  using among_parts::kWords;
  std::vector<std::pair<uint32_t, std::string_view>> named;
  const NodeNumbers known(whole, numbers);
  const uint32_t ranks = known.rank_count();
  for (const std::string_view item : among_parts::items_of(text)) {
    if (const std::optional<among_parts::Range> range = among_parts::range_of(item, ranks)) {
      // A label may look like a number: 2013.
      const std::optional<NodeId> other =
          range->last < ranks ? std::nullopt : among_parts::labelled(whole, item);
      if (!other) {
        if (range->last >= ranks)
          throw InputError(fmt::format("{}: '{}': there is no rank {}; {} has ranks 0 to {}", what, item,
                                       range->last, whole.name(), ranks - 1));
        if (range->last < range->first)
          throw InputError(fmt::format("{}: the range {} ends before it starts", what, item));
        for (uint64_t r = range->first; r <= range->last; r += range->stride) {
          const std::optional<Rank> rank = known.rank(r);
          if (!rank)
            throw InputError(
                fmt::format("{}: '{}': rank {} is not left of {}; the others keep the ranks that they had",
                            what, item, r, whole.name()));
          named.emplace_back(static_cast<uint32_t>(index(*rank)), item);
        }
        continue;
      }
    }
    const std::optional<NodeId> node = among_parts::labelled(whole, item);
    if (const std::optional<std::string> gone = node ? std::nullopt : known.gone(item))
      throw InputError(fmt::format("{}: {}", what, *gone));
    if (!node)
      throw InputError(
          fmt::format("{}: {} has no rank and no node '{}'; {}", what, whole.name(), item, kWords));
    const std::optional<Rank> rank = whole.rank(*node);
    if (!rank)
      throw InputError(
          fmt::format("{}: '{}' is a router of {} and has no rank; {}", what, item, whole.name(), kWords));
    named.emplace_back(static_cast<uint32_t>(index(*rank)), item);
  }
  if (named.empty()) throw InputError(fmt::format("{}: no rank is named; {}", what, kWords));
  std::stable_sort(named.begin(), named.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Rank> out;
  for (size_t i = 0; i < named.size(); ++i) {
    if (i > 0 && named[i].first == named[i - 1].first)
      throw InputError(fmt::format("{}: rank {} is named twice, by '{}' and by '{}'", what,
                                   known.number_of(Rank{named[i].first}), named[i - 1].second,
                                   named[i].second));
    out.push_back(Rank{named[i].first});
  }
  return out;
}

std::string ranks_text(std::span<const Rank> ranks) {
  std::string out;
  for (size_t i = 0; i < ranks.size();) {
    const size_t stride = i + 1 < ranks.size() ? index(ranks[i + 1]) - index(ranks[i]) : 1;
    size_t end = i + 1;
    while (end < ranks.size() && index(ranks[end]) - index(ranks[end - 1]) == stride) ++end;
    // Two are no range, and every other one of three might as well begin the next range.
    if (end - i < 3) end = i + 1;
    if (!out.empty()) out += ',';
    out += fmt::format("{}", index(ranks[i]));
    if (end - i > 1) out += fmt::format("-{}", index(ranks[end - 1]));
    if (end - i > 1 && stride > 1) out += fmt::format(":{}", stride);
    i = end;
  }
  return out;
}

Topology among(const Topology& whole, std::span<const Rank> ranks, Relay relay, const std::string& name) {
  if (ranks.size() == whole.num_endpoints()) return whole;
  std::vector<NodeId> chosen;
  chosen.reserve(ranks.size());
  for (const Rank rank : ranks) chosen.push_back(whole.endpoint(rank));
  if (relay == Relay::kNo) return among_parts::alone(whole, chosen, name);
  std::vector<NodeId> all(whole.num_nodes());
  for (uint32_t v = 0; v < whole.num_nodes(); ++v) all[v] = NodeId{v};
  return among_parts::as_described(whole, among_parts::part(whole, all, std::move(chosen), name, true), all);
}

}  // namespace quadrille
