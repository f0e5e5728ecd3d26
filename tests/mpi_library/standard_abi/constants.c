/* The numbers of src/quadrille_mpi/abi/mpi.h against the tables of the standard (MPI 5.0, 21.5): a handle as it stands there, in
 * bits 11 to 8, 7 to 3 and 2 to 0. It compiles, or it does not; there is nothing to run but what types of a fixed size say
 * of themselves. */
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define BITS(kind, category, which) ((kind) << 8 | (category) << 3 | (which))
/* Handles are pointers, which C compares when it runs. */
typedef struct {
  const char* name;
  const void* handle;
  int bits;
} entry;
static const entry table[] = {
    {"MPI_OP_NULL", MPI_OP_NULL, BITS(0, 4, 0)},
    {"MPI_SUM", MPI_SUM, BITS(0, 4, 1)},
    {"MPI_MIN", MPI_MIN, BITS(0, 4, 2)},
    {"MPI_MAX", MPI_MAX, BITS(0, 4, 3)},
    {"MPI_BOR", MPI_BOR, BITS(0, 5, 1)},
    {"MPI_MAXLOC", MPI_MAXLOC, BITS(0, 7, 1)},
    {"MPI_COMM_NULL", MPI_COMM_NULL, BITS(1, 0, 0)},
    {"MPI_COMM_WORLD", MPI_COMM_WORLD, BITS(1, 0, 1)},
    {"MPI_COMM_SELF", MPI_COMM_SELF, BITS(1, 0, 2)},
    {"MPI_WIN_NULL", MPI_WIN_NULL, BITS(1, 2, 0)},
    {"MPI_INFO_NULL", MPI_INFO_NULL, BITS(1, 6, 0)},
    {"MPI_ERRORS_RETURN", MPI_ERRORS_RETURN, BITS(1, 8, 3)},
    {"MPI_REQUEST_NULL", MPI_REQUEST_NULL, BITS(1, 16, 0)},
    {"MPI_DATATYPE_NULL", MPI_DATATYPE_NULL, BITS(2, 0, 0)},
    {"MPI_PACKED", MPI_PACKED, BITS(2, 0, 7)},
    {"MPI_SHORT", MPI_SHORT, BITS(2, 1, 0)},
    {"MPI_INT", MPI_INT, BITS(2, 1, 1)},
    {"MPI_LONG", MPI_LONG, BITS(2, 1, 2)},
    {"MPI_FLOAT", MPI_FLOAT, BITS(2, 2, 0)},
    {"MPI_DOUBLE", MPI_DOUBLE, BITS(2, 2, 4)},
    {"MPI_DOUBLE_INT", MPI_DOUBLE_INT, BITS(2, 5, 1)},
    {"MPI_CHAR", MPI_CHAR, BITS(2, 8, 3)},
    {"MPI_SIGNED_CHAR", MPI_SIGNED_CHAR, BITS(2, 8, 4)},
    {"MPI_BYTE", MPI_BYTE, BITS(2, 8, 7)},
    {"MPI_UINT32_T", MPI_UINT32_T, BITS(2, 10, 1)},
    {"MPI_INT64_T", MPI_INT64_T, BITS(2, 11, 0)},
};

/* 21.3: a status of 32 bytes, of which the first three ints are everybody's. */
_Static_assert(sizeof(MPI_Status) == 8 * sizeof(int), "a status has eight ints");
_Static_assert(offsetof(MPI_Status, MPI_SOURCE) == 0, "source");
_Static_assert(offsetof(MPI_Status, MPI_TAG) == sizeof(int), "tag");
_Static_assert(offsetof(MPI_Status, MPI_ERROR) == 2 * sizeof(int), "error");
_Static_assert(sizeof(MPI_Aint) == sizeof(void*) && sizeof(MPI_Count) == 8 && sizeof(MPI_Offset) == 8,
               "integers");

int main(void) {
  int wrong = 0;
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    const int found = (int)(intptr_t)table[i].handle;
    if (found == table[i].bits) continue;
    printf("%s is 0x%03x and should be 0x%03x\n", table[i].name, (unsigned)found, (unsigned)table[i].bits);
    ++wrong;
  }
  /* Types of a fixed size have its logarithm in bits 5 to 3 (table 33 and those behind it). */
  static const struct {
    const void* handle;
    size_t size;
  } fixed[] = {{MPI_BYTE, 1}, {MPI_CHAR, 1}, {MPI_SIGNED_CHAR, 1}, {MPI_UINT32_T, 4}, {MPI_INT64_T, 8}};
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; ++i)
    wrong += (size_t)1 << ((intptr_t)fixed[i].handle >> 3 & 7) != fixed[i].size;
  printf(wrong == 0 ? "all right\n" : "something is wrong\n");
  return wrong != 0;
}
