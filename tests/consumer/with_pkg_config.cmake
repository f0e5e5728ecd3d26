# Compiles, links and runs SOURCE with nothing but a compiler and pkg-config.
cmake_minimum_required(VERSION 3.25)
set(ENV{PKG_CONFIG_PATH} ${PKGCONFIG_DIR})
execute_process(COMMAND pkg-config --cflags --libs quadrille
  OUTPUT_VARIABLE options OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(options UNIX_COMMAND "${options}")
execute_process(COMMAND ${COMPILER} -std=c++20 ${FLAGS} ${SOURCE} -o ${BINARY} ${options} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${BINARY} COMMAND_ERROR_IS_FATAL ANY)
