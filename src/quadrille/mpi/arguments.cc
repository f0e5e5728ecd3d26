#include "quadrille/mpi/arguments.h"

#include <fmt/format.h>

#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/base/whole_number.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

constexpr const char* kExample = R"--(
Start one process for every endpoint:
  mpirun -n 16 quadrille-mpi run alltoall "torus(4,4)" --bytes 65536
  mpirun -n 16 quadrille-mpi run --plan exchange.json)--";

void declare(ArgumentParser& run, MpiArguments& out) {
  run.add_option("COLLECTIVE", out.collective, "alltoall, broadcast, ...");
  run.add_option("TOPOLOGY", out.topology, "such as \"torus(4,4)\"");
  run.add_option("--plan", out.plan_file, "run the plan of this file, text or JSON")->type_name("FILE");
  run.add_flag("--allow-files", out.allow_files,
               "let that plan name a graph file, file(\"net.gml\"), to be opened");
  run.add_option("--ports", out.ports,
                 "transfers a node may start and end in one step: one, all (default), a number");
  run.add_option("--send-ports", out.send_ports, "the same for sending alone");
  run.add_option("--receive-ports", out.receive_ports, "the same for receiving alone");
  run.add_option("--switching", out.switching, "packet (default) or wormhole");
  run.add_option("--duplex", out.duplex, "full (default) or half");
  run.add_option("--root", out.root, "number of the node that has, or gets, all")
      ->check(whole_number_error)
      ->type_name("NODE");
  run.add_option("--pieces", out.pieces, "split every block into so many (default 1)")
      ->check(whole_number_error);
  run.add_option("--algorithm", out.algorithm, "auto (default), a name, or NAME:MEMBER of a family")
      ->type_name("NAME");
  run.add_option("--bytes", out.block_bytes, "size of a block (default 1024)")
      ->check(whole_number_error)
      ->type_name("B");
  run.add_option("--iterations", out.iterations, "how often to run it (default 1)")
      ->check(whole_number_error)
      ->type_name("K");
  run.add_flag("--json", out.json, "print all figures as JSON");
}

std::string help_of(const ArgumentParser& run) {
  std::string out = fmt::format(
      "Runs a judged schedule over the ranks of an MPI program and checks every byte.\n\nUsage: {}\n\n",
      run.usage());
  for (const auto& [words, description] : run.help_lines())
    out += fmt::format("  {:<20}  {}\n", words, description);
  return out + kExample + "\n";
}

}  // namespace

Problem MpiArguments::problem() const {
  const CollectiveKind kind = parse_collective_kind(collective);
  Model model;
  model.send = send_ports.empty() ? parse_ports(ports, "--ports") : parse_ports(send_ports, "--send-ports");
  model.receive =
      receive_ports.empty() ? parse_ports(ports, "--ports") : parse_ports(receive_ports, "--receive-ports");
  model.switching = parse_switching(switching);
  model.duplex = parse_duplex(duplex);
  return standard_problem(parse_topology(topology), kind, model, root ? NodeId{*root} : kNoNode, pieces);
}

ParsedArguments parse_arguments(std::span<const std::string> words) {
  ParsedArguments out;
  const bool wants_help = !words.empty() && (words[0] == "--help" || words[0] == "-h");
  if (!wants_help && (words.empty() || words[0] != "run")) {
    throw InputError(fmt::format("{}; allowed is run\n  quadrille-mpi run --help shows the arguments",
                                 words.empty() ? "quadrille-mpi was given no command"
                                               : fmt::format("quadrille-mpi has no command '{}'", words[0])));
  }
  ArgumentParser run("quadrille-mpi run");
  declare(run, out.arguments);
  if (wants_help || !run.read(words.subspan(1))) {
    out.help = help_of(run);
    return out;
  }
  const MpiArguments& given = out.arguments;
  const bool has_problem = !given.collective.empty() && !given.topology.empty();
  if (given.plan_file.empty() && !has_problem) {
    throw InputError("what to run? give a COLLECTIVE and a TOPOLOGY, or --plan FILE");
  }
  if (!given.plan_file.empty() && !given.collective.empty()) {
    throw InputError(fmt::format("--plan: {} says itself what it is a plan for; leave '{}' out",
                                 given.plan_file, given.collective));
  }
  if (given.plan_file.empty() && given.allow_files) {
    throw InputError("--allow-files is for the plan of a file: add --plan FILE");
  }
  if (given.iterations == 0) throw InputError("--iterations: must be at least 1");
  return out;
}

}  // namespace quadrille
