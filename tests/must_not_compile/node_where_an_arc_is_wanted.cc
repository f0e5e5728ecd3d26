// Nodes and arcs are different things, although both are numbers.
// expected: cannot convert 'quadrille::NodeId' to 'quadrille::ArcId'
// expected: parameter of type 'quadrille::ArcId' with an lvalue of type 'quadrille::NodeId'
#include "quadrille/topology/topology.h"

quadrille::NodeId head_of(const quadrille::Topology& topology, quadrille::NodeId node) {
  return topology.head(node);
}
