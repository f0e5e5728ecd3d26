// A bare number is no node: say which numbering you mean.
// expected: cannot convert 'unsigned int' to 'quadrille::NodeId'
// expected: parameter of type 'quadrille::NodeId' with an rvalue of type 'unsigned int'
#include "quadrille/topology/topology.h"

uint32_t degree_of_first(const quadrille::Topology& topology) { return topology.out_degree(0U); }
