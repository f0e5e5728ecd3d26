// The program `quadrille`: run_command() on the process's own streams.
#include <unistd.h>

#include <iostream>
#include <string>
#include <vector>

#include "quadrille/cli/command.h"

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  quadrille::Console console{std::cin, std::cout, std::cerr, isatty(STDERR_FILENO) != 0};
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  return quadrille::run_command(args, console);
}
