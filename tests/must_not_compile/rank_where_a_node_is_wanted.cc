// A rank is not the node that it lives on.
// expected: cannot convert 'quadrille::Rank' to 'quadrille::NodeId'
// expected: parameter of type 'quadrille::NodeId' with an lvalue of type 'quadrille::Rank'
#include "quadrille/topology/topology.h"

uint32_t degree_of(const quadrille::Topology& topology, quadrille::Rank rank) {
  return topology.out_degree(rank);
}
