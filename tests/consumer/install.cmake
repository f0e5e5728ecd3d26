# Installs into an empty folder: what an earlier version left there would pass for ours.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BINARY} --prefix ${PREFIX} COMMAND_ERROR_IS_FATAL ANY)
