/* Messages of more bytes than int can count, by many elements and by few of a long type, blocking and not:
 *
 *     large SET       2 ranks; 77 where this machine has not the memory for it, with what is needed
 *
 * Every 64-bit word of a message says where it is; all of them are looked at. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quadrille_mpi.h"

/* Both ranks together: two buffers each, a copy that a program or the MPI library may make, and what the latter maps besides. */
static const long long needed_mib = 16000;
static const size_t words_of_block = ((size_t)1 << 28) + ((size_t)1 << 20) + 3; /* 2 GiB and a little */

static int me, ranks, failures;

static long long available_mib(void) {
  char line[200];
  long long kib = 0;
  FILE* file = fopen("/proc/meminfo", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (sscanf(line, "MemAvailable: %lld", &kib) == 1) break;
  if (file != NULL) fclose(file);
  return kib / 1024;
}

static uint64_t word(int from, int to, size_t i) {
  return (uint64_t)i * 0x9e3779b97f4a7c15u + (uint64_t)from * 31u + (uint64_t)to;
}

static void fill(uint64_t* at, int from, int to, size_t words) {
  for (size_t i = 0; i < words; ++i) at[i] = word(from, to, i);
}

static void look(const char* what, const uint64_t* at, int from, int to, size_t words) {
  for (size_t i = 0; i < words; ++i) {
    if (at[i] == word(from, to, i)) continue;
    ++failures;
    printf("FAILED: rank %d: %s: word %zu of rank %d's is %llx\n", me, what, i, from,
           (unsigned long long)at[i]);
    return;
  }
}

static void wait_for(quadrille_request request) { quadrille_wait(&request); }

int main(int argc, char** argv) {
  quadrille_context* context;
  quadrille_request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  long long room = available_mib();
  MPI_Bcast(&room, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
  if (argc != 2 || ranks != 2 || room < needed_mib) {
    if (me == 0)
      printf("skipped: 2 ranks and %lld MiB of memory are needed, and %lld are there\n", needed_mib, room);
    MPI_Finalize();
    return 77;
  }
  if (quadrille_context_create(MPI_COMM_WORLD, NULL, argv[1], NULL, &context) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 2);
  const size_t n = words_of_block, half = n / 2 + 5; /* two halves are more than int counts */
  const MPI_Count bytes = (MPI_Count)(n * sizeof(uint64_t));
  uint64_t* a = malloc(2 * half * sizeof *a);
  uint64_t* b = malloc(2 * half * sizeof *b);
  if (a == NULL || b == NULL) MPI_Abort(MPI_COMM_WORLD, 2);
  /* A type of 1 MiB, of which there are more than 2 GiB. */
  MPI_Datatype page;
  MPI_Type_contiguous(1 << 17, MPI_UINT64_T, &page);
  MPI_Type_commit(&page);
  const size_t pages = n >> 17;

  /* Of this root there is no program. */
  if (me == 1) fill(a, 1, 0, n);
  quadrille_bcast(a, bytes, MPI_BYTE, 1, context);
  look("broadcast of bytes", a, 1, 0, n);
  memset(a, 0, n * sizeof *a);
  if (me == 0) fill(a, 0, 0, n);
  quadrille_ibcast(a, (MPI_Count)pages, page, 0, context, &request);
  wait_for(request);
  look("broadcast of long elements", a, 0, 0, pages << 17);

  /* One element of more than 2 GiB, of pages in the order of memory here, from the last to the first there. */
  MPI_Datatype whole, backwards;
  MPI_Type_contiguous((int)pages, page, &whole);
  MPI_Type_create_hvector((int)pages, 1, -((MPI_Aint)8 << 17), page, &backwards);
  MPI_Type_commit(&whole);
  MPI_Type_commit(&backwards);
  memset(a, 0, n * sizeof *a);
  for (size_t i = 0; i < pages << 17 && me == 0; ++i)
    a[((pages - 1 - (i >> 17)) << 17) + (i & ((1 << 17) - 1))] = word(0, 0, i);
  quadrille_bcast(me == 0 ? a + ((pages - 1) << 17) : a, 1, me == 0 ? backwards : whole, 0, context);
  if (me == 1) look("broadcast of one element", a, 0, 0, pages << 17);
  MPI_Type_free(&whole);
  MPI_Type_free(&backwards);

  for (int to = 0; to < 2; ++to) fill(a + (size_t)to * half, me, to, half);
  quadrille_alltoall(a, (MPI_Count)half, MPI_UINT64_T, b, (MPI_Count)half, MPI_UINT64_T, context);
  for (int from = 0; from < 2; ++from) look("alltoall", b + (size_t)from * half, from, me, half);
  memset(b, 0, 2 * half * sizeof *b);
  /* All to the other: blocks of more than 2 GiB and of few words. */
  const MPI_Count counts[2] = {me == 0 ? 7 : (MPI_Count)n, me == 0 ? (MPI_Count)n : 7};
  const MPI_Aint places[2] = {me == 0 ? 0 : 8, me == 0 ? 8 : 0};
  for (int to = 0; to < 2; ++to) fill(a + places[to], me, to, (size_t)counts[to]);
  quadrille_ialltoallv(a, counts, places, MPI_UINT64_T, b, counts, places, MPI_UINT64_T, context, &request);
  wait_for(request);
  for (int from = 0; from < 2; ++from) look("alltoallv", b + places[from], from, me, (size_t)counts[from]);
  memset(b, 0, 2 * half * sizeof *b);
  fill(a, me, 0, half);
  quadrille_allgather(a, (MPI_Count)half, MPI_UINT64_T, b, (MPI_Count)half, MPI_UINT64_T, context);
  for (int from = 0; from < 2; ++from) look("allgather", b + (size_t)from * half, from, 0, half);

  for (size_t i = 0; i < n; ++i) a[i] = i + (uint64_t)me;
  quadrille_allreduce(a, b, (MPI_Count)n, MPI_UINT64_T, MPI_SUM, context);
  for (size_t i = 0; i < n && failures == 0; ++i) failures += b[i] != 2 * i + 1;

  MPI_Type_free(&page);
  free(a);
  free(b);
  quadrille_statistics done;
  quadrille_context_statistics(context, &done);
  quadrille_context_free(&context);
  MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0)
    printf("%lld calls served, %lld passed on\n%s\n", done.served, done.passed,
           failures == 0 ? "all right" : "wrong");
  MPI_Finalize();
  return failures != 0;
}
