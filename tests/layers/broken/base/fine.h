// May talk about std::cout, exit(1) and #include <mpi.h>, and say "a; b[0] \ c".
#pragma once
#include "quadrille/base/other.h"
inline const char* text() { return "a; b[0] \\ c"; }
int snprintf_like(const char* text);
template <typename Door>
void leave(Door& door) {
  door.exit();
}
