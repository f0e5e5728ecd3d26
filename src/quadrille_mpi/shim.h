/* The calls that the shim takes over, for its Fortran half. */
#ifndef QUADRILLE_MPI_SHIM_H
#define QUADRILLE_MPI_SHIM_H

#include "context.h"

/* Runs a program for the call where there is one: 1, with the code. Collective and blocking, as the call is. */
int qd_shim_serve(const qd_call* call, MPI_Comm comm, int* code);
/* The same for calls with a size for each block: counts and displacements as MPI has them, null where a call has none. */
int qd_shim_serve_varying(qd_call* call, const int* from_counts, const int* from_places, const int* to_counts,
                          const int* to_places, MPI_Comm comm, int* code);

#endif
