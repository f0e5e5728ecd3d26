#include "quadrille/mpi/arguments.h"

#include <fmt/format.h>

#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/mpi/shared_command.h"

namespace quadrille {
namespace {

constexpr const char* kExample = R"--(
Start one process for every endpoint:
  mpirun -n 16 quadrille-mpi run alltoall "torus(4,4)" --bytes 65536
  mpirun -n 16 quadrille-mpi run --plan exchange.json)--";

std::string help_of(const ArgumentParser& run) {
  std::string out = fmt::format(
      "Runs a judged schedule over the ranks of an MPI program and checks every byte.\n\nUsage: {}\n\n",
      run.usage());
  for (const auto& [words, description] : run.help_lines())
    out += fmt::format("  {:<22}  {}\n", words, description);
  return out + kExample + "\n";
}

}  // namespace

MpiArguments::MpiArguments(std::span<const std::string> words) {
  add_run_options(parser_, options_);
  const bool wants_help = !words.empty() && (words[0] == "--help" || words[0] == "-h");
  if (!wants_help && (words.empty() || words[0] != "run")) {
    throw InputError(fmt::format(
        "{}; allowed are run, tune and, shared among the ranks, {}\n  quadrille-mpi run --help shows the arguments",
        words.empty() ? "quadrille-mpi was given no command"
                      : fmt::format("quadrille-mpi has no command '{}'", words[0]),
        join(std::vector<std::string>(shared_commands().begin(), shared_commands().end()))));
  }
  if (wants_help || !parser_.read(words.subspan(1))) help_ = help_of(parser_);
}

}  // namespace quadrille
