#include <mpi.h>

#include "quadrille/program/takes_a_plan.h"
void speak() { std::puts("may"); }
