# Writes what `quadrille --version` says, if it is not what the file says already: run with every build, since a commit
# changes no source. cmake -DSOURCE=.. -DVERSION=.. -DOUTPUT=.. -P version.cmake
set(commit "")
find_program(git git)
if(git AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${git} -C ${SOURCE} rev-parse --short=10 HEAD
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "\"${VERSION}\", \"${commit}\"\n")
