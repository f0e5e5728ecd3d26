// quadrille-search lattice: how an allreduce on a torus with equal sides collects, exchanges and spreads in so many steps,
// by levels that change at falling temperature.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "arguments.h"
#include "quadrille/algorithms/torus_classes/lattice_library.h"
#include "quadrille/algorithms/torus_classes/lattice_search.h"
#include "quadrille/base/input_error.h"
#include "quadrille/topology/topology_spec.h"
#include "searches.h"

namespace quadrille::search_tool {
namespace {

constexpr std::array<std::string_view, 3> kWithValue = {"--work", "--lattices", "--starts"};
constexpr std::array<std::string_view, 1> kWithout = {"--near"};

Made make(std::span<const std::string> words) {
  const Arguments arguments(words, kWithValue, kWithout);
  const std::vector<uint32_t> sides = whole_numbers(arguments.word(0, "SIDES"), "SIDES", 2);
  const uint32_t steps = whole_number(arguments.word(1, "STEPS"), "STEPS", 1, 1000);
  const bool near = arguments.has("--near");
  const uint32_t work = arguments.number("--work", 16);
  const uint32_t lattices = arguments.number("--lattices", 4);
  const uint32_t starts = arguments.number("--starts", 2);
  const std::string torus = fmt::format("{}", fmt::join(sides, ","));
  const std::optional<TorusClasses> classes =
      TorusClasses::of(parse_topology(fmt::format("torus({})", torus)));
  if (!classes || !classes->is_even()) throw InputError("the sides of the torus must be equal");
  const std::string command =
      fmt::format("quadrille-search lattice {} {}{} --work {} --lattices {} --starts {}", torus, steps,
                  near ? " --near" : "", work, lattices, starts);
  const std::optional<LatticeDesign> found = LatticeSearch(*classes, near)
                                                 .find(steps, {.glance = uint64_t{work} << 17U,
                                                               .glances = 4 * size_t{lattices},
                                                               .search = uint64_t{work} << 20U,
                                                               .searches = lattices,
                                                               .starts = starts,
                                                               .per_node = UINT32_MAX});
  if (!found) throw NothingFound(fmt::format("no design found: {}", command));
  const std::vector<std::pair<std::string_view, std::string>> fields = {
      {"torus", torus},
      {"steps", std::to_string(steps)},
      {"messages", near ? "near" : "any"},
      {"tile", std::to_string(found->lattice.num_cosets())},
      {"hops", std::to_string(found->load(*classes))},
      {"made-by", command},
      {"solver", "simulated annealing"},
      {"verified", "by the judge: test LatticeLibrary.EveryDesignPassesTheJudge"}};
  return {write_stored_entry(stored_lattice_kind(), fields, write_lattice(*found)), {}};
}

std::string falls_short(const StoredEntry& stored, const StoredEntry& made) {
  const StoredLattice old(stored);
  const StoredLattice now(made);
  if (now.steps() != old.steps() || now.near() != old.near()) return "it answers another question";
  if (now.hops() * old.tile() > old.hops() * now.tile())
    return fmt::format("{} hops for {} nodes, not {} for {}", now.hops(), now.tile(), old.hops(), old.tile());
  return "";
}

}  // namespace

const Search lattice_search = {
    .name = "lattice",
    .usage = R"(lattice SIDES STEPS       an allreduce by tiles of a torus with equal sides, in so many steps
      --near                  no more messages of a node in a step than it has links
      --work N                the effort for each lattice (16)
      --lattices N            how many are searched long (4)
      --starts N              how often each (2)
)",
    .kind = stored_lattice_kind,
    .make = make,
    .falls_short = falls_short,
};

}  // namespace quadrille::search_tool
