// Arguments of Python as the options of the command line.
#include "quadrille/options/problem_options.h"
#include "quadrille/options/wishes_options.h"

#include <charconv>

#include "bindings.h"

namespace quadrille::python {
namespace {

uint32_t pieces_of(const std::string& text) {
  if (text == "auto") return kAutoPieces;
  uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc{} && stop == end && value > 0 && value < kMaxIds) return value;
  const std::string numbers = "whole numbers from 1 to " + std::to_string(kMaxIds - 1);
  throw ValueError("pieces is '" + text + "'; allowed are auto and " + numbers,
                   {.of = "pieces", .given = text, .allowed = {"auto", numbers}});
}

struct Read {
  ProblemOptions problem{};
  SearchOptions search{};
  std::string algorithm = "auto";
};

Read read(const Words& words) {
  Read out;
  ModelOptions& model = out.problem.model;
  CollectiveOptions& rest = out.problem.rest;
  const std::map<std::string_view, std::string*> fields = {
      {"ports", &model.ports},
      {"send_ports", &model.send_ports},
      {"receive_ports", &model.receive_ports},
      {"switching", &model.switching},
      {"packets", &model.packets},
      {"duplex", &model.duplex},
      {"routing", &model.routing},
      {"operator", &model.combining},
      {"chunks", &model.chunks},
      {"queues", &model.queues},
      {"machine", &model.cost.machine},
      {"ts", &model.cost.ts},
      {"tx", &model.cost.tx},
      {"tl", &model.cost.tl},
      {"rho", &model.cost.rho},
      {"to", &model.cost.to},
      {"root", &rest.root},
      {"counts", &rest.counts},
      {"bytes", &out.problem.bytes},
      {"algorithm", &out.algorithm},
      {"gap", &out.search.gap_text},
      {"effort", &out.search.effort_text},
  };
  for (const auto& [name, text] : words) {
    if (name == "pieces") {
      rest.pieces = pieces_of(text);
      continue;
    }
    const auto field = fields.find(name);
    if (field == fields.end()) throw py::type_error("there is no argument " + name);
    *field->second = text;
  }
  return out;
}

}  // namespace

Wanted wanted(const std::string& collective, const Topology& topology, const Words& words) {
  const Read said = read(words);
  const CollectiveKind kind = parse_collective_kind(collective);
  const ProblemOptions& options = said.problem;
  const bool sized = !options.bytes.empty();
  options.rest.require_size(sized);
  const Model model = options.model.model(sized, topology.link_rates());
  return {.problem = options.rest.problem(topology, kind, model),
          .wishes = {.algorithm = said.algorithm,
                     .bytes = options.message_bytes(),
                     .any_pieces = options.any_pieces(),
                     .any_packets = options.any_packets(),
                     .gap = said.search.gap(),
                     .effort = said.search.effort(),
                     .queues = options.model.wants_queues()}};
}

}  // namespace quadrille::python
