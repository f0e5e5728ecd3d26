#include "quadrille/topology/faults/node_numbers.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/whole_number.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/topology/faults/faulty_origin.h"
#include "quadrille/topology/spec_parser.h"

namespace quadrille {
namespace {

std::optional<uint32_t> place_of(const std::vector<uint32_t>& numbers, uint64_t number) {
  const auto at = std::ranges::lower_bound(numbers, number);
  if (at == numbers.end() || *at != number) return std::nullopt;
  return static_cast<uint32_t>(at - numbers.begin());
}

// What among(..) with relays stands around: its nodes are the same.
std::optional<Topology> relayed_by(const Topology& topology) {
  if (!topology.name().starts_with("among(without(") || topology.name().ends_with(";no_relay)"))
    return std::nullopt;
  try {
    Topology whole = build_topology(parse_spec(topology.name(), "topology").sections[0].args[0].call[0]);
    return whole.num_nodes() == topology.num_nodes() ? std::optional(std::move(whole)) : std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

NodeNumbers::NodeNumbers(const Topology& topology, Numbers numbers) : topology_(topology) {
  if (numbers == Numbers::kHere || topology.is_outline()) return;
  const std::optional<Topology> relayed = relayed_by(topology);
  std::optional<FaultyOrigin> origin;
  try {
    origin = faulty_origin(relayed ? *relayed : topology, OriginFiles::kOpened);
  } catch (const InputError&) {
    return;  // a name that somebody has made up
  }
  if (!origin || origin->original.size() == origin->whole.num_nodes()) return;
  lacks_some_ = true;
  node_count_ = origin->whole.num_nodes();
  rank_count_ = origin->whole.num_endpoints();
  for (const NodeId v : origin->original) {
    nodes_.push_back(static_cast<uint32_t>(index(v)));
    const std::optional<Rank> rank = origin->whole.rank(v);
    if (rank && !relayed) ranks_.push_back(static_cast<uint32_t>(index(*rank)));
  }
  for (const NodeId v : origin->whole.nodes()) {
    if (place_of(nodes_, index(v))) continue;
    gone_.push_back(static_cast<uint32_t>(index(v)));
    gone_labels_.push_back(origin->whole.label(v));
  }
}

std::optional<NodeId> NodeNumbers::node(uint64_t number) const {
  if (number >= node_count()) return std::nullopt;
  if (!lacks_some_) return id_at<NodeId>(number);
  const std::optional<uint32_t> place = place_of(nodes_, number);
  return place ? std::optional(NodeId{*place}) : std::nullopt;
}

std::optional<Rank> NodeNumbers::rank(uint64_t number) const {
  if (number >= rank_count()) return std::nullopt;
  if (ranks_.empty()) return id_at<Rank>(number);
  const std::optional<uint32_t> place = place_of(ranks_, number);
  return place ? std::optional(Rank{*place}) : std::nullopt;
}

uint32_t NodeNumbers::number_of(NodeId node) const {
  return lacks_some_ ? nodes_[index(node)] : static_cast<uint32_t>(index(node));
}

uint32_t NodeNumbers::number_of(Rank rank) const {
  return ranks_.empty() ? static_cast<uint32_t>(index(rank)) : ranks_[index(rank)];
}

std::optional<std::string> NodeNumbers::gone(std::string_view name) const {
  const std::optional<uint64_t> number = whole_number(name);
  std::optional<uint32_t> place = number ? place_of(gone_, *number) : std::nullopt;
  if (!place && !(number && *number < node_count())) {
    const auto at = std::ranges::find(gone_labels_, name);
    if (at != gone_labels_.end()) place = static_cast<uint32_t>(at - gone_labels_.begin());
  }
  if (!place) return std::nullopt;
  const std::string& label = gone_labels_[*place];
  const bool named = label != std::to_string(gone_[*place]);
  return fmt::format("node {}{} is not left of {}; the others keep the numbers that they had", gone_[*place],
                     named ? fmt::format(", {},", label) : "", topology_.name());
}

}  // namespace quadrille
