/* Buffers of one rank are on a device, those of the others are not: nobody hangs, results are right, and who did the calls is as
 * docs/mpi_library.md has it.
 *
 *     mpirun -n 4 devices known FOLDER RUNTIME    the last rank loads the runtime before the context is made: its calls are passed on
 *     mpirun -n 4 devices late FOLDER RUNTIME     it loads it afterwards: calls are served, from memory that nobody else may touch
 *     mpirun -n 4 devices plain - RUNTIME         MPI's own calls, for the shim */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quadrille_mpi.h"

enum { kCount = 60 };
static int me, ranks, failures, checks;
static void* runtime;
static void* (*device_memory)(size_t, int);
/* Moves bytes between any two places. */
static int (*cuda_copy)(uintptr_t, uintptr_t, size_t);
static int (*hip_copy)(void*, const void*, size_t, int);

static void load(const char* path) {
  runtime = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (runtime == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  *(void**)&device_memory = dlsym(runtime, "fake_device_memory");
  *(void**)&cuda_copy = dlsym(runtime, "cuMemcpy");
  *(void**)&hip_copy = dlsym(runtime, "hipMemcpy");
}

static void move(void* to, const void* from, size_t bytes) {
  if (cuda_copy != NULL)
    cuda_copy((uintptr_t)to, (uintptr_t)from, bytes);
  else if (hip_copy != NULL)
    hip_copy(to, from, bytes, 4);
  else
    memcpy(to, from, bytes);
}

static void check(int good, const char* what) {
  ++checks;
  if (!good && failures++ < 5) printf("FAILED: rank %d: %s\n", me, what);
}

/* Ints at both ends, on the device where this rank has one. */
static int *from, *to, *there;
static size_t bytes;
static void fill(void) {
  for (int i = 0; i < kCount * ranks; ++i) there[i] = 1000 * me + i;
  move(from, there, bytes);
  for (int i = 0; i < kCount * ranks; ++i) there[i] = -1;
  move(to, there, bytes);
}
static const int* result(void) {
  move(there, to, bytes);
  return there;
}

static void check_exchange(void) {
  const int* got = result();
  int good = 1;
  for (int i = 0; i < kCount * ranks; ++i) good &= got[i] == i / kCount * 1000 + me * kCount + i % kCount;
  check(good, "alltoall");
}
static void check_sum(int begin, int count) {
  const int* got = result();
  int good = 1;
  for (int i = 0; i < count; ++i) good &= got[i] == 500 * ranks * (ranks - 1) + ranks * (begin + i);
  /* Nothing beyond. */
  for (int i = count; i < kCount * ranks; ++i) good &= got[i] == -1;
  check(good, "sum");
}

/* How many of the calls since then were served. */
static long long served_since(quadrille_context* context, const quadrille_statistics* before) {
  quadrille_statistics now;
  quadrille_context_statistics(context, &now);
  return now.served - before->served;
}

static void use(quadrille_context* context, int nodes, int expected) {
  quadrille_statistics before;
  quadrille_context_statistics(context, &before);
  int calls = 0;
  fill();
  quadrille_alltoall(from, kCount, MPI_INT, to, kCount, MPI_INT, context);
  check_exchange();
  fill();
  quadrille_allreduce(from, to, kCount, MPI_INT, MPI_SUM, context);
  check_sum(0, kCount);
  fill();
  quadrille_reduce_scatter_block(from, to, kCount, MPI_INT, MPI_SUM, context);
  check_sum(me * kCount, kCount);
  /* In place, and at the root alone. */
  fill();
  quadrille_allreduce(MPI_IN_PLACE, from, kCount * ranks, MPI_INT, MPI_SUM, context);
  move(to, from, bytes);
  check_sum(0, kCount * ranks);
  fill();
  quadrille_gather(from, kCount, MPI_INT, me == 0 ? to : NULL, kCount, MPI_INT, 0, context);
  quadrille_scatter(me == 0 ? to : NULL, kCount, MPI_INT, me == 0 ? MPI_IN_PLACE : (void*)to, kCount, MPI_INT,
                    0, context);
  if (me != 0) check(result()[0] == 1000 * me && result()[kCount - 1] == 1000 * me + kCount - 1, "scatter");
  calls = 6;
  check(served_since(context, &before) == (expected ? calls : 0), "who does blocking calls");
  if (nodes) return;
  /* With counts, later and often. */
  quadrille_context_statistics(context, &before);
  MPI_Count* counts = malloc((size_t)ranks * sizeof *counts);
  for (int r = 0; r < ranks; ++r) counts[r] = kCount;
  fill();
  quadrille_allgatherv(from, kCount, MPI_INT, to, counts, NULL, MPI_INT, context);
  check(result()[kCount * ranks - 1] == 1000 * (ranks - 1) + kCount - 1, "allgatherv");
  fill();
  quadrille_alltoallv(from, counts, NULL, MPI_INT, to, counts, NULL, MPI_INT, context);
  check_exchange();
  fill();
  quadrille_reduce_scatter(from, to, counts, MPI_INT, MPI_SUM, context);
  check_sum(me * kCount, kCount);
  check(served_since(context, &before) == (expected ? 3 : 0), "who does calls with counts");
  quadrille_context_statistics(context, &before);
  quadrille_request request;
  fill();
  quadrille_ialltoall(from, kCount, MPI_INT, to, kCount, MPI_INT, context, &request);
  quadrille_wait(&request);
  check_exchange();
  fill();
  quadrille_ialltoallv(from, counts, NULL, MPI_INT, to, counts, NULL, MPI_INT, context, &request);
  quadrille_wait(&request);
  check_exchange();
  quadrille_alltoall_init(from, kCount, MPI_INT, to, kCount, MPI_INT, context, MPI_INFO_NULL, &request);
  for (int turn = 0; turn < 3; ++turn) {
    fill();
    quadrille_start(&request);
    quadrille_wait(&request);
    check_exchange();
  }
  quadrille_request_free(&request);
  check(served_since(context, &before) == (expected ? 5 : 0), "who does calls that go on");
  free(counts);
}

static void use_mpi(void) {
  fill();
  MPI_Alltoall(from, kCount, MPI_INT, to, kCount, MPI_INT, MPI_COMM_WORLD);
  check_exchange();
  fill();
  MPI_Allreduce(from, to, kCount, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  check_sum(0, kCount);
  int* counts = malloc(2 * (size_t)ranks * sizeof *counts);
  for (int r = 0; r < ranks; ++r) counts[r] = kCount;
  for (int r = 0; r < ranks; ++r) counts[ranks + r] = r * kCount;
  fill();
  MPI_Allgatherv(from, kCount, MPI_INT, to, counts, counts + ranks, MPI_INT, MPI_COMM_WORLD);
  check(result()[kCount * ranks - 1] == 1000 * (ranks - 1) + kCount - 1, "allgatherv");
  free(counts);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc != 4) return MPI_Abort(MPI_COMM_WORLD, 2);
  const char* mode = argv[1];
  const int is_late = strcmp(mode, "late") == 0, has_device = me == ranks - 1;
  const char* each = getenv("QUADRILLE_RANKS_PER_NODE");
  quadrille_context* context = NULL;
  bytes = kCount * (size_t)ranks * sizeof(int);
  if (!is_late && has_device) load(argv[3]);
  if (strcmp(mode, "plain") != 0) quadrille_context_create(MPI_COMM_WORLD, NULL, argv[2], NULL, &context);
  there = malloc(bytes);
  int* host[2] = {malloc(bytes), malloc(bytes)};
  from = host[0];
  to = host[1];
  if (context != NULL && !is_late) {
    /* The runtime is there, and no buffer on its device: who can do a call at once does it. */
    quadrille_statistics before;
    quadrille_context_statistics(context, &before);
    fill();
    quadrille_alltoall(from, kCount, MPI_INT, to, kCount, MPI_INT, context);
    check_exchange();
    check(served_since(context, &before) == 1, "a call from the host");
  }
  if (is_late && has_device) load(argv[3]);
  if (has_device) {
    from = device_memory(bytes, is_late);
    to = device_memory(bytes, is_late);
  }
  if (context == NULL)
    use_mpi();
  else
    use(context, each != NULL, is_late);
  int sum[2] = {failures, checks};
  MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (me == 0) printf(sum[0] == 0 && sum[1] > 0 ? "all right\n" : "something is wrong\n");
  if (context != NULL) quadrille_context_free(&context);
  free(there);
  free(host[0]);
  free(host[1]);
  MPI_Finalize();
  return 0;
}
