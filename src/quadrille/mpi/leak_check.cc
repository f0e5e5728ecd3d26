// What the MPI libraries never give back is not ours, and cannot be told from it: they unload their modules before
// they are done, and a leak of a module that is gone has no name that could be suppressed. So this program does not
// look for leaks; all that it calls is looked at in the other one.
#if defined(__SANITIZE_ADDRESS__)
#define QUADRILLE_LOOKS_FOR_LEAKS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define QUADRILLE_LOOKS_FOR_LEAKS
#endif
#endif

#ifdef QUADRILLE_LOOKS_FOR_LEAKS
// The name is the sanitizer's, which looks for such a function.
extern "C" int __lsan_is_turned_off();               // NOLINT(bugprone-reserved-identifier)
extern "C" int __lsan_is_turned_off() { return 1; }  // NOLINT(bugprone-reserved-identifier)
#endif
