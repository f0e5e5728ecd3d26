/* Blocks of any datatype as plain bytes, in the order in which MPI would send them. */
#include <limits.h>
#include <string.h>

#include "context.h"

/* MPI_Pack counts with int. */
static const size_t most_at_once = (size_t)1 << 30;

QD_HOT int64_t qd_size_of(MPI_Datatype type) {
  int size = 0;
  if (type == MPI_DATATYPE_NULL) return 0;
  PMPI_Type_size(type, &size);
#ifndef QUADRILLE_SIMULATED
  /* More than int counts is MPI_UNDEFINED, which is below 0. */
  MPI_Count large = size;
  if (size < 0) PMPI_Type_size_x(type, &large);
  return (int64_t)large;
#else
  return size;
#endif
}

int qd_is_plain(MPI_Datatype type) {
  int integers, addresses, types, combiner;
  if (PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS) return 0;
  if (combiner != MPI_COMBINER_NAMED) {
    /* Another order of the same bytes would look as plain by its sizes alone. */
    if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) return 0;
    int count[1];
    MPI_Datatype inner;
    if (PMPI_Type_get_contents(type, integers, 0, 1, count, NULL, &inner) != MPI_SUCCESS) return 0;
    const int plain = qd_is_plain(inner);
    PMPI_Type_get_envelope(inner, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED) PMPI_Type_free(&inner);
    return plain;
  }
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(type, &lower, &extent);
  return lower == 0 && extent == qd_size_of(type);
}

/* Pieces that do not divide a block are filled up with copies of its last element, so that whatever is combined there is a
 * number. */
static void fill_up(const qd_operation* operation, char* block, size_t padded) {
  const size_t unit = operation->unit;
  for (size_t at = operation->block; at < padded; at += unit)
    memcpy(block + at, block + operation->block - unit, unit);
}

static size_t batch(int64_t size) {
  const size_t elements = size > 0 ? most_at_once / (size_t)size : most_at_once;
  return elements > 0 ? elements : 1;
}

/* Elements of a type that names addresses, seen from `here`: MPICH packs nothing from no place, which MPI_BOTTOM is there. */
static MPI_Datatype seen_from(const char* here, int count, MPI_Datatype type) {
  MPI_Aint place;
  MPI_Datatype out;
  PMPI_Get_address(here, &place);
  place = -place;
  PMPI_Type_create_hindexed(1, &count, &place, type, &out);
  PMPI_Type_commit(&out);
  return out;
}

/* One element of more bytes than MPI_Pack counts, as a message to this rank itself. */
static int send_to_self(const char* from, MPI_Datatype from_type, char* to, MPI_Datatype to_type,
                        MPI_Comm comm) {
  int rank;
  MPI_Request requests[2];
  PMPI_Comm_rank(comm, &rank);
  /* The roll, whose tag this is, goes to others. */
  int code = PMPI_Irecv(to, 1, to_type, rank, QD_ROLL_TAG, comm, &requests[0]);
  if (code == MPI_SUCCESS) code = PMPI_Isend(from, 1, from_type, rank, QD_ROLL_TAG, comm, &requests[1]);
  return code == MPI_SUCCESS ? PMPI_Waitall(2, requests, MPI_STATUSES_IGNORE) : code;
}

static int move_long(const char* from, char* to, MPI_Datatype type, char* plain, size_t bytes, int packs,
                     MPI_Comm comm) {
  MPI_Datatype whole;
  int code = qd_long_type(plain, bytes, &whole);
  if (code != MPI_SUCCESS) return code;
  code = packs ? send_to_self(from, type, MPI_BOTTOM, whole, comm)
               : send_to_self(MPI_BOTTOM, whole, to, type, comm);
  PMPI_Type_free(&whole);
  return code;
}

static int pack_batch(const char* from, int count, MPI_Datatype type, char* plain, int bytes, MPI_Comm comm) {
  int position = 0;
  if (from != NULL) return PMPI_Pack(from, count, type, plain, bytes, &position, comm);
  const char here = 0;
  MPI_Datatype seen = seen_from(&here, count, type);
  const int code = PMPI_Pack(&here, 1, seen, plain, bytes, &position, comm);
  PMPI_Type_free(&seen);
  return code;
}

static int unpack_batch(const char* plain, char* to, int count, MPI_Datatype type, int bytes, MPI_Comm comm) {
  int position = 0;
  if (to != NULL) return PMPI_Unpack(plain, bytes, &position, to, count, type, comm);
  char here = 0;
  MPI_Datatype seen = seen_from(&here, count, type);
  const int code = PMPI_Unpack(plain, bytes, &position, &here, 1, seen, comm);
  PMPI_Type_free(&seen);
  return code;
}

int qd_pack(const char* from, MPI_Count count, MPI_Datatype type, char* plain, MPI_Comm comm) {
  const int64_t size = qd_size_of(type);
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(type, &lower, &extent);
  for (MPI_Count done = 0; done < count;) {
    const MPI_Count left = count - done;
    const int now = (int)(left < (MPI_Count)batch(size) ? left : (MPI_Count)batch(size));
    const char* first = from + (MPI_Aint)done * extent;
    char* at = plain + (size_t)done * (size_t)size;
    const int code = size > INT_MAX ? move_long(first, NULL, type, at, (size_t)size, 1, comm)
                                    : pack_batch(first, now, type, at, now * (int)size, comm);
    if (code != MPI_SUCCESS) return code;
    done += now;
  }
  return MPI_SUCCESS;
}

int qd_unpack(const char* plain, char* to, MPI_Count count, MPI_Datatype type, MPI_Comm comm) {
  const int64_t size = qd_size_of(type);
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(type, &lower, &extent);
  for (MPI_Count done = 0; done < count;) {
    const MPI_Count left = count - done;
    const int now = (int)(left < (MPI_Count)batch(size) ? left : (MPI_Count)batch(size));
    char* first = to + (MPI_Aint)done * extent;
    const char* at = plain + (size_t)done * (size_t)size;
    const int code = size > INT_MAX ? move_long(NULL, first, type, (char*)at, (size_t)size, 0, comm)
                                    : unpack_batch(at, first, now, type, now * (int)size, comm);
    if (code != MPI_SUCCESS) return code;
    done += now;
  }
  return MPI_SUCCESS;
}

int qd_gather_blocks(const qd_operation* operation, const qd_end* end, char* plain, MPI_Comm comm) {
  const size_t padded = operation->slot * operation->served->head.pieces;
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(end->type, &lower, &extent);
  for (uint32_t b = 0; b < end->blocks; ++b) {
    char* block = plain + b * padded;
    const char* from = end->user + (MPI_Aint)b * (MPI_Aint)end->count * extent;
    if (end->is_plain) {
      memcpy(block, from, operation->block);
    } else {
      const int code = qd_pack(from, end->count, end->type, block, comm);
      if (code != MPI_SUCCESS) return code;
    }
    fill_up(operation, block, padded);
  }
  return MPI_SUCCESS;
}

int qd_scatter_blocks(const qd_operation* operation, const qd_end* end, const char* plain, MPI_Comm comm) {
  const size_t padded = operation->slot * operation->served->head.pieces;
  MPI_Aint lower, extent;
  PMPI_Type_get_extent(end->type, &lower, &extent);
  for (uint32_t b = 0; b < end->blocks; ++b) {
    const char* block = plain + b * padded;
    char* to = end->user + (MPI_Aint)b * (MPI_Aint)end->count * extent;
    if (end->is_plain) {
      memcpy(to, block, operation->block);
      continue;
    }
    const int code = qd_unpack(block, to, end->count, end->type, comm);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}
