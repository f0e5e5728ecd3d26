// The program `quadrille`: run_command() on the process's own streams.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "quadrille/base/memory/kept_heap.h"
#include "quadrille/cli/command.h"
#include "quadrille/cli/conventions/terminal_style.h"

namespace {

// A stream that the caller has closed would get its number again with the next file that is opened, and what
// is printed would land in that. So each is opened, the wrong way round: using it fails.
void fill_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    static_cast<void>(open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

// Nothing where standard output is no terminal; 0 where it does not say.
std::optional<size_t> columns_of_terminal() {
  if (isatty(STDOUT_FILENO) == 0) return {};
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

int main(int argc, char** argv) {
  fill_closed_streams();
  quadrille::keep_heap();
  // A file that grows beyond its limit is an error of writing, with its message, and not the end.
  static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  quadrille::set_terminal_style(
      quadrille::style_for(columns_of_terminal(), isatty(STDERR_FILENO) != 0, variable));
  quadrille::Console console{std::cin, std::cout, std::cerr, isatty(STDERR_FILENO) != 0};
  const std::vector<std::string> args(argv + (argc > 0 ? 1 : 0), argv + argc);
  return quadrille::run_command(args, console);
}
