#include "quadrille/mpi/shared_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <sstream>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/whole_number.h"
#include "quadrille/cli/command.h"
#include "quadrille/mpi/agreement.h"
#include "quadrille/mpi/mpi_crew.h"
#include "quadrille/program/program_digest.h"
#include "quadrille/verify/holdings/memory_needed.h"

namespace quadrille {
namespace {

constexpr std::array<std::string_view, 6> kShared = {"compare",   "faults",   "plan",
                                                     "reproduce", "simulate", "verify"};

std::chrono::milliseconds silence() {
  constexpr uint64_t kSeconds = 60;
  const char* const given = std::getenv("QUADRILLE_TIMEOUT");
  if (given == nullptr || *given == 0) return std::chrono::seconds(kSeconds);
  const std::optional<uint64_t> seconds = whole_number(given);
  if (!seconds || *seconds == 0)
    throw InputError(fmt::format(
        "QUADRILLE_TIMEOUT: '{}' is given; allowed is a whole number of seconds from 1 on", given));
  return std::chrono::seconds(*seconds);
}

// Of rank 0, everywhere: whoever runs the command may read it.
std::string standard_input(std::span<const std::string> words) {
  if (std::ranges::find(words, "-") == words.end()) return "";
  return text_of_rank_0(
      together([&] { return my_rank() == 0 ? read_stream(std::cin, "standard input") : std::string(); }));
}

}  // namespace

std::span<const std::string_view> shared_commands() { return kShared; }

bool is_shared_command(std::span<const std::string> words) {
  return !words.empty() && std::ranges::find(kShared, words[0]) != kShared.end();
}

int run_shared_command(std::span<const std::string> words) {
  Digest asked;
  for (const std::string& word : words) asked.add(word);
  agree_on(asked.value(), "the arguments", fmt::format("{}", fmt::join(words, " ")));
  const auto patience = together(silence);
  std::istringstream in(standard_input(words));
  MpiCrew crew(patience);
  judge_on_machines(crew.machines());
  std::ostringstream unseen;
  std::ostringstream errors;
  const bool speaks = crew.me() == 0;
  if (!speaks) write_files_nowhere();
  // Under mpirun the terminal is out of sight.
  const bool shows = speaks && (isatty(STDERR_FILENO) != 0 || std::getenv("QUADRILLE_PROGRESS") != nullptr);
  Console console{in, speaks ? std::cout : unseen, speaks ? std::cerr : errors, shows, &crew};
  const int status = run_command(words, console);
  return crew.end(status, errors.str());
}

}  // namespace quadrille
