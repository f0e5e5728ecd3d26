// Defines a type that its neighbour defines, too, for the test of dev/check_groups.py. Nothing compiles it.
#pragma once

namespace quadrille {

struct Twin {
  long two;
};

}  // namespace quadrille
