/* What Fortran programs call. MPICH's bindings call the C functions, which the shim has; Open MPI's call PMPI_ straight,
 * so the Fortran names themselves are taken over: those of mpif.h and `use mpi`, and those of `use mpi_f08`. */
#include <dlfcn.h>

#include "shim.h"

#ifdef OPEN_MPI

#pragma GCC visibility push(default)

/* Fortran's MPI_IN_PLACE and MPI_BOTTOM are variables, by address. */
static void* buffer(void* given) {
  static void *in_place, *bottom;
  static int looked;
  if (!looked) {
    in_place = dlsym(RTLD_DEFAULT, "mpi_fortran_in_place_");
    bottom = dlsym(RTLD_DEFAULT, "mpi_fortran_bottom_");
    looked = 1;
  }
  if (given != NULL && given == in_place) return MPI_IN_PLACE;
  if (given != NULL && given == bottom) return MPI_BOTTOM;
  return given;
}

/* Both names of a call. The error may be left out in mpi_f08. */
#define QD_FORTRAN(name, c_name, parameters, arguments, call_c) \
  void mpi_##name##_ parameters;                                \
  void mpi_##name##_f08_ parameters;                            \
  void mpi_##name##_ parameters {                               \
    const int code = MPI_##c_name call_c;                       \
    if (ierror != NULL) *ierror = code;                         \
  }                                                             \
  void mpi_##name##_f08_ parameters { mpi_##name##_ arguments; }

#define QD_T(type) PMPI_Type_f2c(*(type))
#define QD_C PMPI_Comm_f2c(*comm)

QD_FORTRAN(bcast, Bcast,
           (void* to, MPI_Fint* n, MPI_Fint* type, MPI_Fint* root, MPI_Fint* comm, MPI_Fint* ierror),
           (to, n, type, root, comm, ierror), (buffer(to), *n, QD_T(type), *root, QD_C))
QD_FORTRAN(scatter, Scatter,
           (void* from, MPI_Fint* m, MPI_Fint* from_type, void* to, MPI_Fint* n, MPI_Fint* to_type,
            MPI_Fint* root, MPI_Fint* comm, MPI_Fint* ierror),
           (from, m, from_type, to, n, to_type, root, comm, ierror),
           (buffer(from), *m, QD_T(from_type), buffer(to), *n, QD_T(to_type), *root, QD_C))
QD_FORTRAN(gather, Gather,
           (void* from, MPI_Fint* m, MPI_Fint* from_type, void* to, MPI_Fint* n, MPI_Fint* to_type,
            MPI_Fint* root, MPI_Fint* comm, MPI_Fint* ierror),
           (from, m, from_type, to, n, to_type, root, comm, ierror),
           (buffer(from), *m, QD_T(from_type), buffer(to), *n, QD_T(to_type), *root, QD_C))
QD_FORTRAN(allgather, Allgather,
           (void* from, MPI_Fint* m, MPI_Fint* from_type, void* to, MPI_Fint* n, MPI_Fint* to_type,
            MPI_Fint* comm, MPI_Fint* ierror),
           (from, m, from_type, to, n, to_type, comm, ierror),
           (buffer(from), *m, QD_T(from_type), buffer(to), *n, QD_T(to_type), QD_C))
QD_FORTRAN(alltoall, Alltoall,
           (void* from, MPI_Fint* m, MPI_Fint* from_type, void* to, MPI_Fint* n, MPI_Fint* to_type,
            MPI_Fint* comm, MPI_Fint* ierror),
           (from, m, from_type, to, n, to_type, comm, ierror),
           (buffer(from), *m, QD_T(from_type), buffer(to), *n, QD_T(to_type), QD_C))
QD_FORTRAN(reduce, Reduce,
           (void* from, void* to, MPI_Fint* n, MPI_Fint* type, MPI_Fint* op, MPI_Fint* root, MPI_Fint* comm,
            MPI_Fint* ierror),
           (from, to, n, type, op, root, comm, ierror),
           (buffer(from), buffer(to), *n, QD_T(type), PMPI_Op_f2c(*op), *root, QD_C))
QD_FORTRAN(reduce_scatter_block, Reduce_scatter_block,
           (void* from, void* to, MPI_Fint* n, MPI_Fint* type, MPI_Fint* op, MPI_Fint* comm,
            MPI_Fint* ierror),
           (from, to, n, type, op, comm, ierror),
           (buffer(from), buffer(to), *n, QD_T(type), PMPI_Op_f2c(*op), QD_C))
QD_FORTRAN(allreduce, Allreduce,
           (void* from, void* to, MPI_Fint* n, MPI_Fint* type, MPI_Fint* op, MPI_Fint* comm,
            MPI_Fint* ierror),
           (from, to, n, type, op, comm, ierror),
           (buffer(from), buffer(to), *n, QD_T(type), PMPI_Op_f2c(*op), QD_C))
QD_FORTRAN(allgatherv, Allgatherv,
           (void* from, MPI_Fint* m, MPI_Fint* from_type, void* to, MPI_Fint* n, MPI_Fint* at,
            MPI_Fint* to_type, MPI_Fint* comm, MPI_Fint* ierror),
           (from, m, from_type, to, n, at, to_type, comm, ierror),
           (buffer(from), *m, QD_T(from_type), buffer(to), n, at, QD_T(to_type), QD_C))
QD_FORTRAN(alltoallv, Alltoallv,
           (void* from, MPI_Fint* m, MPI_Fint* from_at, MPI_Fint* from_type, void* to, MPI_Fint* n,
            MPI_Fint* to_at, MPI_Fint* to_type, MPI_Fint* comm, MPI_Fint* ierror),
           (from, m, from_at, from_type, to, n, to_at, to_type, comm, ierror),
           (buffer(from), m, from_at, QD_T(from_type), buffer(to), n, to_at, QD_T(to_type), QD_C))
QD_FORTRAN(reduce_scatter, Reduce_scatter,
           (void* from, void* to, MPI_Fint* n, MPI_Fint* type, MPI_Fint* op, MPI_Fint* comm,
            MPI_Fint* ierror),
           (from, to, n, type, op, comm, ierror),
           (buffer(from), buffer(to), n, QD_T(type), PMPI_Op_f2c(*op), QD_C))

#pragma GCC visibility pop

#else
/* ISO C wants something in every source. */
typedef int qd_nothing_for_fortran;
#endif
