#include "quadrille/schedule/stated_topology.h"

#include <fmt/format.h>

#include <algorithm>

#include "quadrille/base/input_error.h"
#include "quadrille/schedule/plan_file.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

constexpr uint64_t kMaxLinks = uint64_t{1} << 24U;

using Part = StatedTopologyError::Part;

[[noreturn]] void contradiction(Part part, std::string_view what) {
  throw StatedTopologyError(part, fmt::format("this is a plan for another topology: {}", what));
}

// What `act` finds wrong is wrong with that part.
template <typename Act>
auto in_part(Part part, std::optional<size_t> link, Act act) {
  try {
    return act();
  } catch (const InputError& error) {
    throw StatedTopologyError(part, error.what(), link);
  }
}

std::string arc_text(const Topology& topology, uint32_t arc) {
  const ArcId a{arc};
  return fmt::format("{}>{} of capacity {}", index(topology.tail(a)), index(topology.head(a)),
                     topology.capacity(a));
}

// Both lists of arcs are sorted: the first difference tells most.
void require_same_arcs(const Topology& named, const Topology& linked) {
  const uint32_t common = std::min(named.num_arcs(), linked.num_arcs());
  uint32_t a = 0;
  while (a < common && named.tails()[a] == linked.tails()[a] && named.heads()[a] == linked.heads()[a] &&
         named.capacities()[a] == linked.capacities()[a]) {
    ++a;
  }
  if (a == named.num_arcs() && a == linked.num_arcs()) return;
  contradiction(Part::kLinks, fmt::format("arc {} of {} is {}, in the list of links it is {}", a,
                                          named.name(), a < named.num_arcs() ? arc_text(named, a) : "missing",
                                          a < linked.num_arcs() ? arc_text(linked, a) : "missing"));
}

void require_same_endpoints(const Topology& named, std::vector<NodeId> listed) {
  std::sort(listed.begin(), listed.end());
  if (std::ranges::equal(named.endpoints(), listed)) return;
  std::vector<NodeId> different;
  std::ranges::set_symmetric_difference(named.endpoints(), listed, std::back_inserter(different));
  if (different.empty()) throw StatedTopologyError(Part::kEndpoints, "an endpoint is listed twice");
  const NodeId node = different.front();
  const bool ours = std::ranges::binary_search(named.endpoints(), node);
  contradiction(Part::kEndpoints,
                fmt::format("node {} is {} of {}, but {} in the list of endpoints", index(node),
                            ours ? "an endpoint" : "no endpoint", named.name(), ours ? "not" : "it is"));
}

// Of every node: its number where nothing else is said.
std::vector<std::string> all_labels(const std::vector<StatedTopology::Label>& stated, uint64_t count) {
  std::vector<std::string> out(count);
  for (size_t i = 0; i < stated.size(); ++i) {
    const StatedTopology::Label& label = stated[i];
    if (label.node >= count) {
      throw StatedTopologyError(
          Part::kLabels, fmt::format("node {} does not exist: the nodes are 0 to {}", label.node, count - 1),
          i);
    }
    if (label.text.empty()) {
      throw StatedTopologyError(Part::kLabels, fmt::format("the label of node {} is empty", label.node), i);
    }
    if (!out[label.node].empty()) {
      throw StatedTopologyError(
          Part::kLabels, fmt::format("node {} has a label already, '{}'", label.node, out[label.node]), i);
    }
    out[label.node] = plain_name(label.text);
  }
  for (size_t v = 0; v < out.size(); ++v) {
    if (out[v].empty()) out[v] = std::to_string(v);
  }
  return out;
}

// A spec of ten bytes can name a graph that fills the memory: its size is asked for before it is built.
class NamedTopology {
 public:
  // Says nothing yet of what the call means.
  NamedTopology(std::string_view spec, std::string_view source, SpecPlace place)
      : call_(parse_spec(spec, source, place)), file_(call_that_opens_a_file(call_)) {}
  NamedTopology(const NamedTopology&) = delete;
  NamedTopology& operator=(const NamedTopology&) = delete;

  [[nodiscard]] bool has_file() const { return file_ != nullptr; }
  /// A call of a family of ours is no name that strangers give.
  [[nodiscard]] bool is_ours() const { return family_catalog().find(call_.name) != nullptr; }
  void find_facts() {
    if (file_ == nullptr) facts_ = topology_facts(call_);
  }
  [[noreturn]] void refuse_file() const {
    throw file_->error(file_->where,
                       "a plan opens no file unless that is allowed (--allow-files); it can list the links "
                       "of the topology instead");
  }
  [[nodiscard]] bool may_have_nodes(uint64_t nodes) const {
    return !facts_ || facts_->nodes == Int128{nodes};
  }
  [[nodiscard]] std::string nodes_text() const { return facts_ ? to_string(facts_->nodes) : "other"; }
  [[nodiscard]] Topology build(size_t bytes) const {
    if (facts_ && facts_->links > Int128{std::max<uint64_t>(kMaxLinks, bytes)}) {
      throw StatedTopologyError(Part::kSpec,
                                fmt::format("{} has {} links; a file of {} bytes cannot hold a plan for it",
                                            facts_->spec, to_string(facts_->links), bytes));
    }
    return build_topology(call_);
  }

 private:
  SpecCall call_;
  const SpecCall* file_;  // in call_: what opens a file
  std::optional<TopologyFacts> facts_;
};

}  // namespace

Topology StatedTopology::from_links() const {
  uint64_t count = nodes.value_or(1);
  if (!nodes) {
    for (const Link& link : *links) count = std::max<uint64_t>({count, link.tail + 1ULL, link.head + 1ULL});
  }
  // Refused before anything is stored for the nodes, so that a short file cannot ask for much memory.
  if (count > links->size() + 1) {
    throw StatedTopologyError(
        nodes ? Part::kNodes : Part::kLinks,
        fmt::format("{} nodes cannot be connected by {} arc(s): at least {} are needed{}", count,
                    links->size(), count - 1, nodes ? "" : " (give \"nodes\" if numbers are left out)"));
  }
  const std::string name = spec ? plain_name(*spec) : std::string(kNamelessTopology);
  auto builder = in_part(Part::kNodes, {}, [&] { return TopologyBuilder(name, count); });
  builder.reserve_arcs(links->size());
  size_t done = 0;
  try {
    for (const Link& link : *links) {
      builder.arc(NodeId{link.tail}, NodeId{link.head}, link.capacity);
      ++done;
    }
  } catch (const InputError& error) {
    throw StatedTopologyError(Part::kLinks, error.what(), done);
  }
  if (endpoints) in_part(Part::kEndpoints, {}, [&] { builder.endpoints(*endpoints); });
  if (!labels.empty()) builder.labels(all_labels(labels, count));
  return in_part(Part::kLinks, {}, [&] { return builder.build(); });
}

Topology StatedTopology::resolve(std::string_view source, SpecPlace place, size_t bytes,
                                 GraphFiles files) const {
  if (!spec && !links)
    throw StatedTopologyError(Part::kSpec, "the topology is missing: give its spec, or its links");
  if (!spec) return from_links();
  std::optional<NamedTopology> name;
  std::optional<Topology> named;
  try {
    const std::string called = place.text.empty() ? fmt::format("{}: topology", source) : std::string(source);
    name.emplace(*spec, called, place);
    if (name->has_file() && files == GraphFiles::kRefused) name->refuse_file();
    name->find_facts();
    if (!links) named = name->build(bytes);
  } catch (const InputError&) {
    if (!links || (name && name->is_ours() && !name->has_file())) throw;
    return from_links();
  }
  if (!links) {
    require_same_nodes(*named);
    if (!name->has_file()) require_no_labels(*named);
    return *named;
  }
  Topology linked = from_links();
  if (!name->may_have_nodes(linked.num_nodes())) {
    contradiction(nodes ? Part::kNodes : Part::kLinks,
                  fmt::format("{} has {} nodes, in the file there are {}", *spec, name->nodes_text(),
                              linked.num_nodes()));
  }
  try {
    named = name->build(bytes);
  } catch (const InputError&) {
    if (name->has_file()) return linked;
    throw;
  }
  require_same_nodes(*named);
  require_same_arcs(*named, linked);
  if (!name->has_file()) require_no_labels(*named);
  return *named;
}

void StatedTopology::require_no_labels(const Topology& named) const {
  if (labels.empty()) return;
  throw StatedTopologyError(Part::kLabels,
                            fmt::format("{} names its nodes itself: only those of a network whose "
                                        "links are listed can be given labels",
                                        named.name()),
                            0);
}

void StatedTopology::require_same_nodes(const Topology& named) const {
  if (nodes && *nodes != named.num_nodes()) {
    contradiction(Part::kNodes, fmt::format("{} has {} nodes, in the file there are {}", named.name(),
                                            named.num_nodes(), *nodes));
  }
  if (endpoints) require_same_endpoints(named, *endpoints);
}

bool names_a_file(const Topology& topology) {
  try {
    return call_that_opens_a_file(parse_spec(topology.name(), "topology")) != nullptr;
  } catch (const SpecError&) {
    return false;  // somebody's own name
  }
}

std::vector<std::string> labels_to_state(const Topology& topology) {
  std::vector<std::string> out;
  if (name_suffices(topology)) return out;
  bool numbers = true;
  out.reserve(topology.num_nodes());
  for (const NodeId v : topology.nodes()) {
    out.push_back(plain_name(topology.label(v)));
    numbers = numbers && out.back() == std::to_string(index(v));
  }
  if (numbers) out.clear();
  return out;
}

bool name_suffices(const Topology& topology) {
  try {
    NamedTopology name(topology.name(), "topology", {});
    name.find_facts();
    return !name.has_file() && name.may_have_nodes(topology.num_nodes()) &&
           name.build(topology.num_arcs()).same_graph(topology);
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace quadrille
