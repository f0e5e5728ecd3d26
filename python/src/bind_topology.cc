// Networks.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "quadrille/schedule/stated_topology.h"
#include "quadrille/topology/link_rates.h"

namespace quadrille::python {
namespace {

using Numbers = py::array_t<uint64_t, py::array::c_style | py::array::forcecast>;

// Names of Python's own graphs would be read as specs.
constexpr const char* kNameless = "graph";

uint32_t id_of(uint64_t value) {
  if (value < kMaxIds) return static_cast<uint32_t>(value);
  throw InputError("a node's number or a link's capacity is " + std::to_string(value) +
                   "; allowed is up to " + std::to_string(kMaxIds - 1));
}

Topology from_arcs(uint64_t nodes, const Numbers& tails, const Numbers& heads, const Numbers& capacities,
                   const std::optional<std::vector<uint64_t>>& endpoints) {
  TopologyBuilder builder(kNameless, nodes);
  const auto tail = tails.unchecked<1>();
  const auto head = heads.unchecked<1>();
  const auto capacity = capacities.unchecked<1>();
  if (head.shape(0) != tail.shape(0) || capacity.shape(0) != tail.shape(0))
    throw InputError("tails, heads and capacities are not of one length");
  for (py::ssize_t i = 0; i < tail.shape(0); ++i)
    builder.arc(NodeId{id_of(tail(i))}, NodeId{id_of(head(i))}, id_of(capacity(i)));
  if (endpoints) {
    std::vector<NodeId> nodes_of;
    for (const uint64_t node : *endpoints) {
      if (node >= nodes) {
        const std::string allowed = "0 to " + std::to_string(nodes - 1);
        throw ValueError("endpoints has " + std::to_string(node) + "; allowed are nodes " + allowed,
                         {.of = "endpoints", .given = std::to_string(node), .allowed = {allowed}});
      }
      nodes_of.push_back(NodeId{id_of(node)});
    }
    builder.endpoints(std::move(nodes_of));
  }
  return builder.build();
}

Topology from_graphml(const std::string& content, const std::vector<std::string>& switches,
                      const std::string& unit) {
  const GraphReading reading{.switches = switches, .unit_bandwidth = unit};
  return read_graph(kNameless, kNameless, content, GraphFormat::kGraphMl, reading);
}

py::object optional_view(const std::vector<double>& values, const py::object& owner) {
  if (values.empty()) return py::none();
  return view<double>(std::span<const double>(values), owner);
}

NodeId checked(const Topology& topology, uint32_t node) {
  if (node < topology.num_nodes()) return NodeId{node};
  throw py::index_error("node " + std::to_string(node) + " of " + std::to_string(topology.num_nodes()));
}

// --- pickle --------------------------------------------------------------------------------------------

template <typename T, typename Item>
py::array_t<T> copied(std::span<const Item> items) {
  return py::array_t<T>(static_cast<py::ssize_t>(items.size()), reinterpret_cast<const T*>(items.data()));
}

// Its name, where that makes it again, structure and all; a graph, or a file that may be elsewhere then, is written out.
py::tuple kept(const Topology& topology) {
  if (topology.link_rates() == nullptr && name_suffices(topology)) return py::make_tuple(topology.name());
  std::vector<std::string> labels;
  for (const NodeId v : topology.nodes()) labels.push_back(topology.label(v));
  const LinkRates* const rates = topology.link_rates();
  return py::make_tuple(topology.name(), topology.num_nodes(), copied<uint32_t>(topology.tails()),
                        copied<uint32_t>(topology.heads()), copied<uint32_t>(topology.capacities()),
                        copied<uint32_t>(topology.endpoints()), labels,
                        rates == nullptr ? py::object(py::none())
                                         : py::object(py::make_tuple(rates->bandwidth, rates->unit_bandwidth,
                                                                     rates->rounded, rates->latency)),
                        std::vector<std::string>(topology.remarks().begin(), topology.remarks().end()));
}

Topology from_kept(const py::tuple& state) {
  if (state.size() == 1) return parse_topology(state[0].cast<std::string>());
  const auto nodes = state[1].cast<uint64_t>();
  TopologyBuilder builder(state[0].cast<std::string>(), nodes);
  const auto tails = state[2].cast<std::vector<uint32_t>>();
  const auto heads = state[3].cast<std::vector<uint32_t>>();
  const auto capacities = state[4].cast<std::vector<uint32_t>>();
  for (size_t arc = 0; arc < tails.size(); ++arc)
    builder.arc(NodeId{tails[arc]}, NodeId{heads.at(arc)}, capacities.at(arc));
  std::vector<NodeId> endpoints;
  for (const uint32_t node : state[5].cast<std::vector<uint32_t>>()) endpoints.push_back(NodeId{node});
  if (endpoints.size() != nodes) builder.endpoints(std::move(endpoints));
  builder.labels(state[6].cast<std::vector<std::string>>());
  std::shared_ptr<LinkRates> rates;
  if (!state[7].is_none()) {
    const auto parts = state[7].cast<py::tuple>();
    rates = std::make_shared<LinkRates>(LinkRates{.bandwidth = parts[0].cast<std::vector<double>>(),
                                                  .unit_bandwidth = parts[1].cast<double>(),
                                                  .rounded = parts[2].cast<bool>(),
                                                  .latency = parts[3].cast<std::vector<double>>()});
  }
  return builder.build().with(std::move(rates), state[8].cast<std::vector<std::string>>());
}

std::string text_of(const Topology& topology) {
  std::string out = "<Topology " + topology.name() + ": " + std::to_string(topology.num_nodes()) + " nodes";
  if (topology.has_routers()) out += " (" + std::to_string(topology.num_endpoints()) + " endpoints)";
  return out + ", " + std::to_string(topology.num_arcs()) + " links>";
}

}  // namespace

void bind_topology(py::module_& module) {
  py::class_<Topology>(module, "Topology",
                       R"(A network: nodes 0, 1, .. and links, each of which leads one way.

Links are numbered by tail, then by head. Made by topology(); it does not change.)")
      .def_property_readonly("name", &Topology::name,
                             "Its spec, such as 'torus(4,4)'; 'graph' of graphs and matrices.")
      .def_property_readonly("num_nodes", &Topology::num_nodes, "Endpoints and routers together.")
      .def_property_readonly("num_links", &Topology::num_arcs, "Links, each direction counted.")
      .def_property_readonly("num_endpoints", &Topology::num_endpoints,
                             "Nodes that take part in collectives.")
      .def_property_readonly(
          "endpoints",
          [](const py::object& self) {
            return view<uint32_t>(self.cast<const Topology&>().endpoints(), self);
          },
          "Their numbers, ascending: rank i is endpoints[i]. Read-only, uint32.")
      .def_property_readonly(
          "tails",
          [](const py::object& self) { return view<uint32_t>(self.cast<const Topology&>().tails(), self); },
          "Of each link, the node that it leaves. Read-only, uint32.")
      .def_property_readonly(
          "heads",
          [](const py::object& self) { return view<uint32_t>(self.cast<const Topology&>().heads(), self); },
          "Of each link, the node to which it leads. Read-only, uint32.")
      .def_property_readonly(
          "capacities",
          [](const py::object& self) {
            return view<uint32_t>(self.cast<const Topology&>().capacities(), self);
          },
          "Of each link, how many transfers may share it in one step. Read-only, uint32.")
      .def_property_readonly(
          "bandwidths",
          [](const py::object& self) -> py::object {
            const LinkRates* rates = self.cast<const Topology&>().link_rates();
            if (rates == nullptr) return py::none();
            return optional_view(rates->bandwidth, self);
          },
          "Of each link, in bytes a microsecond (MB/s); None where nobody said. Read-only, float64.")
      .def_property_readonly(
          "latencies",
          [](const py::object& self) -> py::object {
            const LinkRates* rates = self.cast<const Topology&>().link_rates();
            if (rates == nullptr) return py::none();
            return optional_view(rates->latency, self);
          },
          "Of each link, in microseconds; None where nobody said. Read-only, float64.")
      .def_property_readonly(
          "remarks",
          [](const Topology& self) {
            return std::vector<std::string>(self.remarks().begin(), self.remarks().end());
          },
          "What to know of how a graph was read: attributes that mean nothing here, perhaps.")
      .def(
          "label", [](const Topology& self, uint32_t node) { return self.label(checked(self, node)); },
          py::arg("node"), "How people call the node: '(1,3)', a name from a graph, or its number.")
      .def(
          "node",
          [](const Topology& self, const py::object& name) {
            return index(find_node(self, py::str(name).cast<std::string>(), "node"));
          },
          py::arg("name"), "The number of the node with that number or label. Raises InputError.")
      .def(
          "link",
          [](const Topology& self, uint32_t tail, uint32_t head) {
            const std::optional<ArcId> arc = self.find_arc(checked(self, tail), checked(self, head));
            if (!arc)
              throw InputError("no link leads from " + self.label(NodeId{tail}) + " to " +
                               self.label(NodeId{head}));
            return index(*arc);
          },
          py::arg("tail"), py::arg("head"), "The number of the link between two nodes. Raises InputError.")
      .def("to_svg", &network_picture, py::arg("width") = 245.0, py::call_guard<py::gil_scoped_release>(),
           "A picture of the network as SVG, `width` points wide (72 are an inch).")
      .def(
          "__eq__", [](const Topology& self, const Topology& other) { return self.same_graph(other); },
          py::is_operator())
      .def(py::pickle(&kept, &from_kept))
      .def("__repr__", &text_of);
  // Same nodes and links are equal, and mutable sets of them are of no use.
  module.attr("Topology").attr("__hash__") = py::none();
  copy_is_itself(module.attr("Topology"));

  module.def(
      "_parse_topology",
      [](const std::string& spec) {
        return by_words({{"topology", spec}}, [&] { return parse_topology(spec); });
      },
      py::call_guard<py::gil_scoped_release>());
  module.def("_from_arcs", &from_arcs);
  module.def("_from_graphml", &from_graphml, py::call_guard<py::gil_scoped_release>());
}

}  // namespace quadrille::python
