// Loaded before everything else (LD_PRELOAD), it refuses threads as a system does that has no more: the first
// QUADRILLE_THREADS of them are given, none if that is not set.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*start)(void*), void* argument) {
  static std::atomic<int> given{0};
  const char* const most = std::getenv("QUADRILLE_THREADS");
  if (given.fetch_add(1) >= (most == nullptr ? 0 : std::atoi(most))) return EAGAIN;
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  return create(thread, attributes, start, argument);
}
