#include "quadrille/compile/local_choice.h"

#include <fmt/format.h>

#include <optional>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/local_programs/catalog.h"

namespace quadrille {
namespace {

CollectiveKind collective_of(const LocalProgram& program) {
  return algorithm_catalog().find(program.name)->collective;
}

LocalChoice named(const Problem& problem, const std::string& asked) {
  const LocalProgram* program = local_program_catalog().find(asked);
  if (program == nullptr) {
    const std::vector<std::string_view> names = local_program_catalog().names();
    const std::string_view near = nearest_name(asked, names);
    // No family of plans has a program: what stands after a colon names a member of one.
    const bool is_algorithm = algorithm_catalog().find(asked.substr(0, asked.find(':'))) != nullptr;
    throw InputError(fmt::format("--algorithm: {}; {}local programs: {}",
                                 is_algorithm ? fmt::format("the nodes of {} cannot run by themselves", asked)
                                              : fmt::format("there is no algorithm '{}'", asked),
                                 near.empty() || is_algorithm ? "" : fmt::format("did you mean '{}'? ", near),
                                 join(names)));
  }
  if (collective_of(*program) != problem.collective().kind()) {
    throw InputError(fmt::format("--algorithm: {} is for {}, not for {}", asked,
                                 name_of(collective_of(*program)), problem.collective().name()));
  }
  if (const Applicability fits = serves(*program, problem); !fits.applies) {
    throw InputError(
        fmt::format("the nodes of {} cannot run {} by themselves: {}", asked, problem.title(), fits.reason));
  }
  return {program, "asked for"};
}

}  // namespace

LocalChoice choose_local_program(const Problem& problem, const std::string& asked, uint64_t block_bytes) {
  if (asked != "auto") return named(problem, asked);
  std::vector<const LocalProgram*> serving;
  std::string refusals;
  for (const LocalProgram* program : local_program_catalog()) {
    if (collective_of(*program) != problem.collective().kind()) continue;
    const Applicability fits = serves(*program, problem);
    if (fits.applies) {
      serving.push_back(program);
    } else {
      refusals += fmt::format("\n  {}: {}", program->name, fits.reason);
    }
  }
  if (serving.empty()) {
    throw InputError(refusals.empty()
                         ? fmt::format("no local program is for {}: its nodes cannot run by themselves",
                                       problem.collective().name())
                         : fmt::format("the nodes of {} cannot run {} by themselves:{}",
                                       problem.topology().name(), problem.collective().name(), refusals));
  }
  if (serving.size() == 1) return {serving.front(), "the only local program that serves"};
  std::vector<PreparedPlan> best;
  std::vector<const LocalProgram*> whose;
  for (const LocalProgram* program : serving) {
    const Preparation ready = prepare(*algorithm_catalog().find(program->name), problem);
    if (!ready.fits.applies) continue;
    best.push_back(cheapest(ready.plans, block_bytes));
    whose.push_back(program);
  }
  const PreparedPlan& chosen = cheapest(best, block_bytes);
  for (size_t i = 0; i < best.size(); ++i) {
    if (best[i] != chosen) continue;
    const std::optional<uint64_t> steps = chosen->prediction().steps;
    return {whose[i],
            fmt::format("{}best of {} local programs that serve",
                        steps ? fmt::format("{} steps, ", with_thousands(*steps)) : "", best.size())};
  }
  return {serving.front(), "serves"};
}

}  // namespace quadrille
