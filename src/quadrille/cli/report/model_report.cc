#include "quadrille/cli/report/model_report.h"

#include <fmt/format.h>

#include "quadrille/model/machine.h"

namespace quadrille {

Json model_json(const Model& model) {
  Json out = Json::object();
  out.set("send_ports", to_text(model.send))
      .set("receive_ports", to_text(model.receive))
      .set("switching", to_text(model.switching))
      .set("packets", to_text(model.packets))
      .set("duplex", to_text(model.duplex))
      .set("routing", to_text(model.routing));
  if (model.combining != Operator::kCommutative) out.set("operator", to_text(model.combining));
  if (model.chunks != Chunks::kAnyOrder) out.set("chunks", to_text(model.chunks));
  if (model.queue_limit) out.set("queues", *model.queue_limit).set("queues_per", to_text(model.queues_per));
  return out;
}

Json costs_json(const CostConstants& cost) {
  Json out = Json::object();
  out.set("ts", cost.ts).set("tx", cost.tx).set("tl", cost.tl).set("rho", cost.rho).set("to", cost.to);
  return out;
}

Json machine_json(const CostConstants& cost) {
  const Machine* const machine = machine_with(cost);
  return machine == nullptr ? Json() : Json(machine->name);
}

Json time_unit_json(const CostConstants& cost) { return cost.in_microseconds ? Json("us") : Json(); }

std::string machine_text(const CostConstants& cost) {
  const Machine* const machine = machine_with(cost);
  return (machine == nullptr ? "" : std::string(machine->name) + ": ") + to_text(cost);
}

void report_machine(const CostConstants& cost, std::string_view label, Report& report) {
  if (cost.in_microseconds) report.add(label, machine_text(cost), machine_json(cost));
}

std::string_view model_csv_header() {
  return "send_ports,receive_ports,switching,packets,duplex,routing,operator,chunks,machine,ts,tx,tl,rho,to,time_unit";
}

std::string model_csv(const Model& model) {
  const CostConstants& cost = model.cost;
  const Machine* const machine = machine_with(cost);
  return fmt::format("{},{},{},{},{},{},{},{},{},{:.12g},{:.12g},{:.12g},{:.12g},{:.12g},{}",
                     to_text(model.send), to_text(model.receive), to_text(model.switching),
                     to_text(model.packets), to_text(model.duplex), to_text(model.routing),
                     to_text(model.combining), to_text(model.chunks),
                     machine == nullptr ? std::string_view() : machine->name, cost.ts, cost.tx, cost.tl,
                     cost.rho, cost.to, cost.in_microseconds ? "us" : "");
}

}  // namespace quadrille
