// The cards of all bounds, for the catalog and for the files that define them; bound.h has the functions.
#pragma once

#include "quadrille/bounds/bound.h"

namespace quadrille::bounds {

#define QUADRILLE_BOUND(name) extern const BoundCard name;
#include "quadrille/bounds/catalog.inc"
#undef QUADRILLE_BOUND

}  // namespace quadrille::bounds
