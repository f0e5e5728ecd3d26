// A node becomes an array position only through index(), which is easy to search for.
// expected: no match for 'operator[]'
// expected: no viable overloaded operator[]
#include <vector>

#include "quadrille/base/ids.h"

int load_of(const std::vector<int>& load, quadrille::NodeId node) { return load[node]; }
