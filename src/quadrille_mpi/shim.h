/* The calls that the shim takes over, for its Fortran half. */
#ifndef QUADRILLE_MPI_SHIM_H
#define QUADRILLE_MPI_SHIM_H

#include "context.h"

/* Runs a program for the call where there is one: 1, with the code. Collective and blocking, as the call is. */
int qd_shim_serve(const qd_call* call, MPI_Comm comm, int* code);

#endif
