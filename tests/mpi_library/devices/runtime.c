/* The runtime of a device that is not there: what the MPI library asks of CUDA (compiled with FAKE_CUDA) or HIP, about memory that
 * fake_device_memory() gave away. Memory that is guarded may be touched by nobody but the runtime. */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

/* All of it is for whoever loads this. */
#pragma GCC visibility push(default)

enum { most = 64 };
static struct {
  char* at;
  size_t bytes;
  int guarded;
} known[most];
static int num_known;

void* fake_device_memory(size_t bytes, int guarded);
void* fake_device_memory(size_t bytes, int guarded) {
  bytes = (bytes + 4095) / 4096 * 4096;
  if (num_known == most) return NULL;
  void* at =
      mmap(NULL, bytes, guarded ? PROT_NONE : PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return NULL;
  known[num_known].at = at;
  known[num_known].bytes = bytes;
  known[num_known++].guarded = guarded;
  return at;
}

static int find(const void* at) {
  for (int i = 0; i < num_known; ++i)
    if ((const char*)at >= known[i].at && (const char*)at < known[i].at + known[i].bytes) return i;
  return -1;
}

static void guard(const void* at, int protection) {
  const int i = find(at);
  if (i >= 0 && known[i].guarded) mprotect(known[i].at, known[i].bytes, protection);
}

static void move(void* to, const void* from, size_t bytes) {
  guard(to, PROT_READ | PROT_WRITE);
  guard(from, PROT_READ | PROT_WRITE);
  memcpy(to, from, bytes);
  guard(to, PROT_NONE);
  guard(from, PROT_NONE);
}

#ifdef FAKE_CUDA
int cuPointerGetAttribute(void* data, int attribute, uintptr_t pointer);
int cuPointerGetAttribute(void* data, int attribute, uintptr_t pointer) {
  enum { memory_type = 2, device = 2, invalid_value = 1 };
  if (attribute != memory_type || find((void*)pointer) < 0) return invalid_value;
  *(unsigned*)data = device;
  return 0;
}
int cuMemcpy(uintptr_t to, uintptr_t from, size_t bytes);
int cuMemcpy(uintptr_t to, uintptr_t from, size_t bytes) {
  move((void*)to, (void*)from, bytes);
  return 0;
}
#else
int hipRuntimeGetVersion(int* version);
int hipRuntimeGetVersion(int* version) {
  *version = 60000000;
  return 0;
}
int hipPointerGetAttributes(void* attributes, const void* pointer);
int hipPointerGetAttributes(void* attributes, const void* pointer) {
  enum { unregistered = 0, device = 2 };
  *(int*)attributes = find(pointer) < 0 ? unregistered : device;
  return 0;
}
int hipMemcpy(void* to, const void* from, size_t bytes, int kind);
int hipMemcpy(void* to, const void* from, size_t bytes, int kind) {
  enum { by_address = 4, invalid_value = 1 };
  if (kind != by_address) return invalid_value;
  move(to, from, bytes);
  return 0;
}
#endif
