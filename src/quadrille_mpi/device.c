/* Buffers in the memory of a device. Programs move bytes by memcpy and combine them by MPI_Reduce_local, neither of which is for
 * such memory; the MPI library may know how to send it. So a call in which any rank has a buffer on a device is the MPI library's,
 * and since no rank knows of the others, they agree before each call that a program would do: in contexts that were made when
 * at least one rank had the runtime of a device in its process, and nowhere else. A runtime that comes later is seen, too:
 * whoever then has a buffer on a device works on a copy, and nobody else need know.
 *
 * No device is needed to compile this: runtimes are asked by name, where they are loaded. */
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "context.h"

/* --- runtimes --------------------------------------------------------------------------------------------- */

/* CUDA driver API: cuPointerGetAttribute(data, CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2, pointer); CU_MEMORYTYPE_HOST = 1. HIP:
 * hipPointerGetAttributes(attributes, pointer), whose first int is the kind of memory: hipMemoryTypeHost is 1 from version 6 on,
 * where memory that HIP knows nothing of is 0; before it was 0, and the latter an error. */
typedef int cuda_attribute(void* data, int attribute, uintptr_t pointer);
typedef int cuda_copy(uintptr_t to, uintptr_t from, size_t bytes);
typedef int hip_attributes(void* attributes, const void* pointer);
typedef int hip_version(int* version);
typedef int hip_copy(void* to, const void* from, size_t bytes, int kind);

static struct {
  cuda_attribute* cuda_attribute;
  cuda_copy* cuda_copy;
  hip_attributes* hip_attributes;
  hip_copy* hip_copy;
  int hip_host; /* what HIP calls memory of the host */
} runtime;
static _Atomic int has_runtime;
static _Atomic unsigned long long looked_after; /* that many libraries had been loaded */

static void* from_library(void* library, const char* name) {
  return library == NULL ? NULL : dlsym(library, name);
}

/* A library that the process has already; it is not loaded. */
static void* loaded(const char* const* names) {
  void* out = NULL;
  while (out == NULL && *names != NULL) out = dlopen(*names++, RTLD_LAZY | RTLD_NOLOAD);
  return out;
}

static void look_for_runtimes(void) {
  static const char* const cuda_names[] = {"libcuda.so.1", NULL};
  static const char* const hip_names[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", NULL};
  static atomic_flag lock = ATOMIC_FLAG_INIT;
  while (atomic_flag_test_and_set(&lock)) continue;
  /* Another thread has found one meanwhile, and asks it already. */
  if (atomic_load(&has_runtime)) {
    atomic_flag_clear(&lock);
    return;
  }
  void* cuda = loaded(cuda_names);
  *(void**)&runtime.cuda_copy = from_library(cuda, "cuMemcpy");
  *(void**)&runtime.cuda_attribute = from_library(cuda, "cuPointerGetAttribute");
  void* hip = loaded(hip_names);
  hip_version* get_version;
  *(void**)&get_version = from_library(hip, "hipRuntimeGetVersion");
  int version = 0;
  if (get_version != NULL && get_version(&version) != 0) version = 0;
  runtime.hip_host = version >= 60000000;
  *(void**)&runtime.hip_copy = from_library(hip, "hipMemcpy");
  *(void**)&runtime.hip_attributes = from_library(hip, "hipPointerGetAttributes");
  const int cuda_is_there = runtime.cuda_attribute != NULL && runtime.cuda_copy != NULL;
  const int hip_is_there = runtime.hip_attributes != NULL && runtime.hip_copy != NULL;
  atomic_store(&has_runtime, cuda_is_there | hip_is_there << 1);
  atomic_flag_clear(&lock);
}

static int count_loads(struct dl_phdr_info* info, size_t size, void* out) {
  (void)size;
  *(unsigned long long*)out = info->dlpi_adds;
  return 1;
}

/* A runtime is loaded by whoever first needs one, so it is looked for again whenever the process has loaded something. */
int qd_has_device_runtime(void) {
  if (atomic_load_explicit(&has_runtime, memory_order_acquire)) return 1;
  unsigned long long loads = 0;
  dl_iterate_phdr(count_loads, &loads);
  if (loads != atomic_load(&looked_after)) {
    look_for_runtimes();
    atomic_store(&looked_after, loads);
  }
  return atomic_load(&has_runtime) != 0;
}

/* Managed memory is a device's, too: the host may touch it, but moves it away from where it is wanted. */
static int is_on_device(const void* at) {
  if (at == NULL || at == MPI_IN_PLACE || !qd_has_device_runtime()) return 0;
  const int which = atomic_load(&has_runtime);
  unsigned kind = 0;
  if ((which & 1) && runtime.cuda_attribute(&kind, 2, (uintptr_t)at) == 0 && kind != 1) return 1;
  /* Longer than any version's attributes. */
  int attributes[64] = {0};
  return (which & 2) && runtime.hip_attributes(attributes, at) == 0 && attributes[0] != runtime.hip_host &&
         (runtime.hip_host == 0 || attributes[0] != 0);
}

/* 0 where it cannot be copied. Both runtimes find out by the addresses which way. */
static int copy(void* to, const void* from, size_t bytes) {
  const int which = atomic_load(&has_runtime);
  enum { hip_by_address = 4 };
  if ((which & 1) && runtime.cuda_copy((uintptr_t)to, (uintptr_t)from, bytes) == 0) return 1;
  return (which & 2) && runtime.hip_copy(to, from, bytes, hip_by_address) == 0;
}

/* --- calls ------------------------------------------------------------------------------------------------ */

/* What means nothing on this rank may point anywhere. */
static int reads(const quadrille_context* context, const qd_call* call) {
  return call->collective != QD_BROADCAST && (call->collective != QD_SCATTER || context->rank == call->root);
}
static int writes(const quadrille_context* context, const qd_call* call) {
  return (call->collective != QD_GATHER && call->collective != QD_REDUCE) || context->rank == call->root;
}

static int is_on_device_here(const quadrille_context* context, const qd_call* call) {
  return call->collective != QD_BARRIER_CALL && ((reads(context, call) && is_on_device(call->from)) ||
                                                 (writes(context, call) && is_on_device(call->to)));
}

int qd_leaves_devices(quadrille_context* context, const qd_call* call, int is_now, int* code) {
  if (context->devices <= 0 || !is_now) return context->devices > 0;
  int64_t all = is_on_device_here(context, call);
  qd_error error;
  if (qd_reduce_in_time(context, context->comm, &all, 1, MPI_MAX, context->timeout,
                        "the question whose buffers are on a device", &error))
    return all != 0;
  context->broken = 1;
  *code = qd_raise(context, MPI_COMM_NULL, &error);
  return -1;
}

int qd_read_devices(int* devices, qd_error* error) {
  const char* text = qd_setting("QUADRILLE_DEVICE");
  *devices = 0;
  if (text == NULL) return 1;
  if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0)
    return qd_fail(error, "quadrille: QUADRILLE_DEVICE is '%s'; allowed are 0 and 1", text);
  *devices = text[0] == '1' ? 1 : -1;
  return 1;
}

int qd_agree_on_devices(MPI_Comm comm, int told) {
#ifdef QUADRILLE_SIMULATED
  if (told == 0) return -1;
#endif
  int found = told != 0 ? told : qd_has_device_runtime();
  if (told == 0) qd_allreduce(&found, 1, MPI_INT, MPI_MAX, comm);
  return found;
}

/* --- copies on the host ----------------------------------------------------------------------------------- */

/* Bytes that an end of a call covers, from `first` on, by the displacements of its blocks. */
typedef struct {
  MPI_Aint first, bytes;
} span;

static span span_of(const MPI_Count* counts, const MPI_Aint* places, MPI_Count count, int blocks,
                    MPI_Datatype type) {
  MPI_Aint lower, extent, true_lower, true_extent, behind = 0, begin = 0, end = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  PMPI_Type_get_true_extent(type, &true_lower, &true_extent);
  int is_first = 1;
  for (int b = 0; b < blocks; ++b) {
    const MPI_Aint n = (MPI_Aint)(counts == NULL ? count : counts[b]);
    const MPI_Aint at = (places == NULL ? behind : places[b]) * extent;
    behind += n;
    if (n <= 0) continue;
    const MPI_Aint last = at + (n - 1) * extent;
    const MPI_Aint low = (last < at ? last : at) + true_lower;
    const MPI_Aint high = (last < at ? at : last) + true_lower + true_extent;
    if (is_first || low < begin) begin = low;
    if (is_first || high > end) end = high;
    is_first = 0;
  }
  return (span){begin, end - begin};
}

static int sends_by_rank(int collective) {
  return collective == QD_ALLTOALL || collective == QD_SCATTER || collective == QD_REDUCE_SCATTER;
}
static int gets_by_rank(int collective) {
  return collective == QD_ALLTOALL || collective == QD_GATHER || collective == QD_ALLGATHER;
}

static span span_of_from(const quadrille_context* context, const qd_call* call) {
  return span_of(call->from_counts, call->from_places, call->from_count,
                 sends_by_rank(call->collective) ? context->size : 1, call->from_type);
}
static span span_of_to(const quadrille_context* context, const qd_call* call) {
  /* What is combined in place is all there. */
  const int in_place = call->from == MPI_IN_PLACE && call->collective == QD_REDUCE_SCATTER;
  if (in_place) return span_of(call->from_counts, NULL, call->to_count, context->size, call->to_type);
  return span_of(call->to_counts, call->to_places, call->to_count,
                 gets_by_rank(call->collective) ? context->size : 1, call->to_type);
}

/* A copy of what an end covers; its address as the call would have it. */
static void* copy_of(const void* user, span of, char** memory) {
  *memory = malloc((size_t)of.bytes + 1);
  if (*memory != NULL && of.bytes > 0 && !copy(*memory, (const char*)user + of.first, (size_t)of.bytes)) {
    free(*memory);
    *memory = NULL;
  }
  return *memory == NULL ? NULL : *memory - of.first;
}

const qd_call* qd_on_host(const quadrille_context* context, const qd_call* call, qd_host_copy* of,
                          qd_error* error) {
  of->from = of->to = NULL;
  if (context->devices != 0 || !qd_has_device_runtime() || !is_on_device_here(context, call)) return call;
  of->original = of->call = *call;
  int good = 1;
  if (reads(context, call) && is_on_device(call->from)) {
    of->call.from = copy_of(call->from, span_of_from(context, call), &of->from);
    good = of->from != NULL;
  }
  if (good && writes(context, call) && is_on_device(call->to)) {
    /* With what lies between its elements, which must come back as it was. */
    of->call.to = copy_of(call->to, span_of_to(context, call), &of->to);
    good = of->to != NULL;
  }
  if (good) return &of->call;
  free(of->from);
  of->from = of->to = NULL;
  qd_fail(error, "quadrille: rank %d: a buffer on a device cannot be copied to the host", context->rank);
  return NULL;
}

int qd_back_to_device(const quadrille_context* context, qd_host_copy* of, int code) {
  if (of->to != NULL) {
    const span to = span_of_to(context, &of->original);
    char* user = (char*)of->original.to + to.first;
    if (code == MPI_SUCCESS && to.bytes > 0 && !copy(user, of->to, (size_t)to.bytes)) code = MPI_ERR_OTHER;
  }
  free(of->from);
  free(of->to);
  of->from = of->to = NULL;
  return code;
}
