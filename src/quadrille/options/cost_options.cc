#include "quadrille/options/cost_options.h"

#include <fmt/format.h>

#include <initializer_list>
#include <tuple>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/model/loggp.h"
#include "quadrille/model/machine.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/wishes_options.h"
#include "quadrille/topology/link_rates.h"

namespace quadrille {

bool CostOptions::any_constant() const {
  return !ts.empty() || !tx.empty() || !tl.empty() || !rho.empty() || !to.empty() || !loggp.empty();
}

// LogGP says all but the way and the memory.
void CostOptions::require_without_loggp() const {
  for (const auto& [name, text] :
       {std::pair("--machine", &machine), {"--ts", &ts}, {"--tx", &tx}, {"--to", &to}}) {
    if (text->empty()) continue;
    throw InputError(fmt::format(
        "--loggp and {}: L,o,g,G say what a start-up, a byte and a further message cost; only --tl and "
        "--rho go with them",
        name));
  }
}

bool CostOptions::replace_in(CostConstants& cost) const {
  bool has_unit = false;
  const auto read = [&has_unit](const std::string& text, const char* name, double& value, auto parse) {
    if (text.empty()) return;
    const Quantity given = parse(text, name);
    value = given.value;
    has_unit = has_unit || given.has_unit;
  };
  read(ts, "--ts", cost.ts, parse_time);
  read(tx, "--tx", cost.tx, parse_time_per_byte);
  read(tl, "--tl", cost.tl, parse_time);
  read(rho, "--rho", cost.rho, parse_time_per_byte);
  read(to, "--to", cost.to, parse_time);
  cost.in_microseconds = cost.in_microseconds || has_unit;
  return has_unit;
}

CostConstants CostOptions::constants(bool sized, const LinkRates* rates) const {
  CostConstants out;
  if (!loggp.empty()) {
    require_without_loggp();
    out = loggp_costs(parse_loggp(loggp, "--loggp"));
  }
  if (!machine.empty()) out = find_machine(machine).cost;
  if (!any() && sized) out = default_machine().cost;
  replace_in(out);
  // What nobody says the network's file may know.
  if (rates != nullptr && machine.empty() && loggp.empty()) {
    if (tx.empty() && rates->unit_bandwidth > 0) out.tx = 1 / rates->unit_bandwidth;
    if (ts.empty() && !rates->latency.empty()) out.ts = rates->slowest_latency();
    out.in_microseconds = true;
    if (rates->unit_bandwidth > 0) return out;
  }
  // What is not said is as it mostly is.
  if (sized && machine.empty() && loggp.empty() && out.in_microseconds && tx.empty())
    out.tx = default_machine().cost.tx;
  return out;
}

CostConstants CostOptions::constants_of_plan(const CostConstants& stated) const {
  if (!loggp.empty() || !machine.empty()) return constants(false);
  if (stated == CostConstants{}) return constants(true);
  CostConstants out = stated;
  const bool has_unit = replace_in(out);
  if (!has_unit || stated.in_microseconds) return out;
  for (const auto& [name, text, value] : {std::tuple("--ts", &ts, stated.ts),
                                          {"--tx", &tx, stated.tx},
                                          {"--tl", &tl, stated.tl},
                                          {"--rho", &rho, stated.rho},
                                          {"--to", &to, stated.to}}) {
    if (!text->empty() || value == 0) continue;
    throw InputError(fmt::format(
        "{0}: the plan states {1} for it, which has no unit, and others are given in units; give {0}, too, or --machine",
        name, value));
  }
  return out;
}

void require_size_counts(const CostConstants& cost, std::string_view asked_by) {
  if (cost.tx != 0 || cost.rho != 0) return;
  throw InputError(fmt::format(
      "{}: with these constants no time depends on the size of messages; give --tx or --rho, too, or leave "
      "out all constants",
      asked_by));
}

void add_cost_options(ArgumentParser& app, CostOptions& options) {
  const auto cost = [&app](const char* name, std::string& value, auto check) {
    app.add_option(name, value, "times: start-up (2us), byte (100Gbit/s, 0.08ns/B), hop, byte rearranged")
        ->type_name("T")
        ->checked_by(check)
        ->group(kCostGroup);
  };
  const auto time = [](std::string_view value, std::string_view name) {
    static_cast<void>(parse_time(value, name));
  };
  const auto per_byte = [](std::string_view value, std::string_view name) {
    static_cast<void>(parse_time_per_byte(value, name));
  };
  cost("--ts", options.ts, time);
  cost("--tx", options.tx, per_byte);
  cost("--tl", options.tl, time);
  cost("--rho", options.rho, per_byte);
  const char* const further = "a node's next message in a step; by LogGP: 1us,0.3us,0.4us,100Gbit/s";
  app.add_option("--to", options.to, further)->type_name("T")->checked_by(time)->group(further);
  app.add_option("--loggp", options.loggp, further)
      ->type_name("L,o,g,G")
      ->group(further)
      ->checked_by(
          [](std::string_view value, std::string_view name) { static_cast<void>(parse_loggp(value, name)); });
  add_machine_option(app, options.machine);
}

}  // namespace quadrille
