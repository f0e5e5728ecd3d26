// What is said of a simulated run, as it is written: `--flit 16 --cycle 1ns --sync signals --stall 2us`.
#pragma once

#include <cstdint>
#include <string>

#include "quadrille/compile/compile.h"
#include "quadrille/sim/worm_simulator.h"

namespace quadrille {

class ArgumentParser;

/// How the steps of a plan are kept apart, and what that is called.
struct KeptApart {
  PlanSynchronisation sync{};
  std::string text{};
};

struct SimulationOptions {
  WormParameters worms{};
  std::string flit = "16";
  std::string cycle = "1ns";
  std::string sync{};
  std::string stall{};
  uint64_t seed = 1;
  uint64_t seeds = 0;
  SynchronisationCosts costs{};
  bool store_and_forward = false;

  /// Each throws InputError for what makes no sense, with the name of the option.
  void require_sound() const;
  [[nodiscard]] double cycle_ns() const;
  [[nodiscard]] uint64_t flit_bytes() const;
  [[nodiscard]] uint32_t stall_cycles() const;  ///< from "300cycles" or a time; 0: none stalls

  /// Of a plan that the judge has passed: what it states, or barriers, or as `sync` has it.
  [[nodiscard]] KeptApart kept_apart(const Compiled& judged, uint32_t steps) const;
  /// The messages of such a plan, of which each carries `message_bytes` as MPI counts them.
  [[nodiscard]] Traffic traffic(const Compiled& judged, uint64_t message_bytes) const;
  [[nodiscard]] WormRun run(KeptApart apart) const;
};

void add_simulation_options(ArgumentParser& app, SimulationOptions& options);

}  // namespace quadrille
