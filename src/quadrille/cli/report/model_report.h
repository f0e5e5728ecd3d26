// How a model is named where figures follow from it: who sends how, what anything costs, and in which unit.
//
//     "model": {"send_ports": "one", ..., "switching": "packet", ...},
//     "machine": "links_100g",
//     "costs": {"ts": 1, "tx": 8e-05, "tl": 0, "rho": 0, "to": 0},
//     "time_unit": "us"
//
// ts, tl and to are in that unit, tx and rho in that unit a byte; without one they are what the user means by them.
#pragma once

#include <string>
#include <string_view>

#include "quadrille/base/json/json.h"
#include "quadrille/cli/report/report.h"
#include "quadrille/model/model.h"

namespace quadrille {

[[nodiscard]] Json model_json(const Model& model);
[[nodiscard]] Json costs_json(const CostConstants& cost);
/// The name of the machine that has these constants; null where none has.
[[nodiscard]] Json machine_json(const CostConstants& cost);
/// "us", or null where the constants have no unit.
[[nodiscard]] Json time_unit_json(const CostConstants& cost);

/// "links_100g: 1 us a start-up, 0.08 ns a byte (100 Gbit/s)".
[[nodiscard]] std::string machine_text(const CostConstants& cost);
/// Where times are in microseconds: whose.
void report_machine(const CostConstants& cost, std::string_view label, Report& report);

/// The columns that say all this in every row, without a comma at either end.
[[nodiscard]] std::string_view model_csv_header();
[[nodiscard]] std::string model_csv(const Model& model);

}  // namespace quadrille
