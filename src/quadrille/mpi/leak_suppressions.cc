// What the MPI libraries never give back is not ours: with it, every run under LeakSanitizer would fail.
#if defined(__SANITIZE_ADDRESS__)
#define QUADRILLE_LOOKS_FOR_LEAKS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define QUADRILLE_LOOKS_FOR_LEAKS
#endif
#endif

#ifdef QUADRILLE_LOOKS_FOR_LEAKS
// The name is the sanitizer's, which looks for such a function. Libraries, by a part of their file's name.
extern "C" const char* __lsan_default_suppressions();   // NOLINT(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
  return "leak:libmpi\n"
         "leak:libmpich\n"
         "leak:libopen-pal\n"
         "leak:libopen-rte\n"
         "leak:libpmix\n"
         "leak:libevent\n"
         "leak:libhwloc\n"
         "leak:libfabric\n"
         "leak:libucp\n"
         "leak:libucs\n"
         "leak:mca_\n";
}
#endif
