# One set of flags for everything that is ours: quadrille_flags is linked privately and never installed.
add_library(quadrille_flags INTERFACE)
target_compile_options(quadrille_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Werror)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release")
  # Once g++ 12 inlines at -O3 it reports these falsely inside the standard library and fmt (GCC bugs 105329, 105651,
  # 108197); the dev preset keeps them.
  target_compile_options(quadrille_flags INTERFACE
    -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread -Wno-free-nonheap-object -Wno-array-bounds
    -Wno-maybe-uninitialized)
endif()

if(QUADRILLE_SANITIZE)
  # Frame pointers make the reports readable; no recovery makes undefined behaviour fail a test.
  target_compile_options(quadrille_flags INTERFACE
    -fsanitize=${QUADRILLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(QUADRILLE_SANITIZE_NOT)
    target_compile_options(quadrille_flags INTERFACE -fno-sanitize=${QUADRILLE_SANITIZE_NOT})
  endif()
  target_link_options(quadrille_flags INTERFACE -fsanitize=${QUADRILLE_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Sanitized, g++ 12 takes what a std::variant does not hold for uninitialised (GCC bug 105562); the quick preset
    # keeps the warning.
    target_compile_options(quadrille_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

# ccache, told to see through precompiled headers and through where the tree lies, so that two checkouts share
# what they have in common. The two compilers each need a flag for the former. What a file depends on it learns from
# the compiler (CCACHE_DEPEND): to preprocess each file once more would cost a fifth of a build from nothing.
find_program(QUADRILLE_CCACHE ccache)
if(QUADRILLE_CCACHE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${QUADRILLE_CCACHE})
  target_compile_options(quadrille_flags INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess> "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
