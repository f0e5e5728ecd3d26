// quadrille-search refutation: that a one-port broadcast on a torus takes a step more, by a formula and
// CaDiCaL.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cadical.hpp>
#include <utility>
#include <vector>

#include "arguments.h"
#include "quadrille/base/input_error.h"
#include "quadrille/bounds/kept/kept_refutations.h"
#include "quadrille/search/one_port_broadcast.h"
#include "quadrille/search/refutation.h"
#include "quadrille/search/solve.h"
#include "quadrille/topology/topology_spec.h"
#include "searches.h"

namespace quadrille::search_tool {
namespace {

constexpr uint32_t kConflicts = 1'000'000;
constexpr std::array<std::string_view, 2> kWithValue = {"--conflicts", "--seed"};

Made make(std::span<const std::string> words) {
  const Arguments arguments(words, kWithValue, {});
  const std::vector<uint32_t> sides = whole_numbers(arguments.word(0, "SIDES"), "SIDES", 3);
  const uint32_t steps = whole_number(arguments.word(1, "STEPS"), "STEPS", 1, 1000);
  const uint32_t conflicts = arguments.number("--conflicts", kConflicts);
  const uint32_t seed = arguments.number("--seed", 0);
  if (!std::is_sorted(sides.begin(), sides.end()))
    throw InputError("the sides of a refutation are written in rising order");
  std::string command = fmt::format("quadrille-search refutation {} {}", fmt::join(sides, ","), steps);
  if (seed != 0) command += fmt::format(" --seed {}", seed);
  if (conflicts != kConflicts) command += fmt::format(" --conflicts {}", conflicts);

  const OnePortBroadcast question(parse_topology(fmt::format("torus({})", fmt::join(sides, ","))), NodeId{0},
                                  steps);
  const SearchAnswer answer =
      solve(question.formula(),
            {.conflicts = conflicts, .focus = SearchFocus::kProofs, .seed = seed, .want_proof = true});
  if (answer.satisfiable()) throw NothingFound(fmt::format("there is such a broadcast: {}", command));
  if (!answer.unsatisfiable())
    throw NothingFound(fmt::format("not refuted within {} conflicts: {}", conflicts, command));
  Made made;
  made.proof = trimmed(question.formula(), answer.proof);
  const RefutationCheck check = check_refutation(question.formula(), made.proof);
  const std::string name = fmt::format("torus_{}_in_{}_steps.drat", fmt::join(sides, "_"), steps);
  const std::vector<std::pair<std::string_view, std::string>> fields = {
      {"torus", fmt::format("{}", fmt::join(sides, ","))},
      {"steps", std::to_string(steps)},
      {"lemmas", std::to_string(check.lemmas)},
      {"proof", name},
      {"made-by", command},
      {"solver", fmt::format("CaDiCaL {}", CaDiCaL::Solver::version())},
      {"verified", "by the checker of refutations (search/refutation.h): test KeptRefutations.Check"}};
  made.entry = write_stored_entry(kept_refutation_kind(), fields, "");
  return made;
}

std::string falls_short(const StoredEntry& stored, const StoredEntry& made) {
  const KeptRefutation old(stored);
  const KeptRefutation now(made);
  return old.sides == now.sides && old.steps == now.steps ? "" : "it refutes something else";
}

}  // namespace

const Search refutation_search = {
    .name = "refutation",
    .usage = R"(refutation SIDES STEPS    that no one-port broadcast on the torus takes so few steps
      --conflicts N           the effort, at most (1000000)
      --seed N                in another order (0)
      --proof FILE            where the proof goes; without it only the entry is printed
)",
    .kind = kept_refutation_kind,
    .make = make,
    .falls_short = falls_short,
};

}  // namespace quadrille::search_tool
