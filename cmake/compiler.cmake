# One set of flags for everything that is ours: quadrille_flags is linked privately and never installed.
add_library(quadrille_flags INTERFACE)
target_compile_options(quadrille_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Werror)

if(QUADRILLE_SANITIZE)
  # Frame pointers make the reports readable; no recovery makes undefined behaviour fail a test.
  target_compile_options(quadrille_flags INTERFACE
    -fsanitize=${QUADRILLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(quadrille_flags INTERFACE -fsanitize=${QUADRILLE_SANITIZE})
endif()

find_program(QUADRILLE_CCACHE ccache)
if(QUADRILLE_CCACHE AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${QUADRILLE_CCACHE})
endif()
