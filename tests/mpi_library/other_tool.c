/* A tool of somebody else's that takes over a name of MPI: which calls does it see behind the shim? */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int seen;

__attribute__((visibility("default"))) int MPI_Allgather(const void* from, int m, MPI_Datatype from_type,
                                                         void* to, int n, MPI_Datatype to_type,
                                                         MPI_Comm comm) {
  ++seen;
  return PMPI_Allgather(from, m, from_type, to, n, to_type, comm);
}

__attribute__((destructor)) static void say(void) {
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (rank != NULL && strcmp(rank, "0") == 0) fprintf(stderr, "other tool: %d calls\n", seen);
}
