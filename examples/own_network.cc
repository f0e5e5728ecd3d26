// A network of your own, with switches: six hosts on two switches, and two cables between these. Or one from
// a file, GraphML, GML, DOT or a list of edges:
//
//     own_network rack.graphml
#include <quadrille/quadrille.h>

#include <iostream>
#include <string>
#include <vector>

using namespace quadrille;

namespace {

Topology two_switches() {
  TopologyBuilder builder("two_switches", 8);
  builder.labels({"a", "b", "c", "d", "e", "f", "left", "right"});
  const NodeId left{6};
  const NodeId right{7};
  for (const uint32_t host : {0U, 1U, 2U}) builder.link(NodeId{host}, left);
  for (const uint32_t host : {3U, 4U, 5U}) builder.link(NodeId{host}, right);
  builder.link(left, right, 2);  // two messages at once, in each direction
  builder.endpoints({NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}, NodeId{4}, NodeId{5}});
  return builder.build();
}

}  // namespace

int main(int argc, char** argv) try {
  const Topology network =
      argc > 1 ? parse_topology("file(\"" + std::string(argv[1]) + "\")") : two_switches();
  std::cout << network.name() << ": " << network.num_endpoints() << " hosts, "
            << network.num_nodes() - network.num_endpoints() << " switches\n";
  for (const CollectiveKind kind :
       {CollectiveKind::kBroadcast, CollectiveKind::kAllgather, CollectiveKind::kAlltoall}) {
    const Compiled made = compile(make_problem(network, kind));
    std::cout << name_of(kind) << ": " << made.verdict.figures.steps << " steps by " << made.head.algorithm
              << ", at least " << made.least_steps().value.ceil() << "\n";
  }
} catch (const InputError& error) {  // what was given, what is allowed, and where
  std::cerr << "error: " << error.what() << "\n";
  return 2;
}
