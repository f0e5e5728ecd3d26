// The program `quadrille`: run_command() on the process's own streams.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <iostream>
#include <string>
#include <vector>

#include "quadrille/cli/command.h"

namespace {

// A stream that the caller has closed would get its number again with the next file that is opened, and what
// is printed would land in that. So each is opened, the wrong way round: using it fails.
void fill_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

}  // namespace

int main(int argc, char** argv) {
  fill_closed_streams();
  // A file that grows beyond its limit is an error of writing, with its message, and not the end.
  static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  quadrille::Console console{std::cin, std::cout, std::cerr, isatty(STDERR_FILENO) != 0};
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  return quadrille::run_command(args, console);
}
