// Options that say more of a graph from a file than the file does: which nodes are switches, and what a step carries.
//
//     quadrille plan allgather 'file("net.graphml")' --switches type=switch --unit 100Gbit/s
//
// They become part of the network's spec, file("net.graphml";"switches type=switch","unit 100Gbit/s"), so that
// a plan's file names the same network.
#pragma once

#include <string>
#include <vector>

namespace quadrille {

class ArgumentParser;

struct NetworkOptions {
  std::vector<std::string> switches{};  ///< "type=switch", "spine*"
  std::string unit_bandwidth{};         ///< "100Gbit/s"

  /// The spec with these. Throws InputError where there are some and the spec names no graph from a file.
  [[nodiscard]] std::string spec_of(const std::string& topology) const;
};

void add_network_options(ArgumentParser& app, NetworkOptions& options);

}  // namespace quadrille
