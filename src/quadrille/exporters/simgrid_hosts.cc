// simgrid-hosts: the host of each rank, in the order of ranks; without it SimGrid sorts hosts by their names as words.
#include "quadrille/exporters/simgrid_replay.h"

namespace quadrille::exporters {
namespace simgrid_hosts_parts {
namespace {

std::string write(const ScheduleToExport& what) {
  std::string out;
  for (const NodeId v : simgrid_replay(what).ranks) out += SimgridReplay::host(v) + "\n";
  return out;
}

}  // namespace
}  // namespace simgrid_hosts_parts

extern const Exporter simgrid_hosts;

constinit const Exporter simgrid_hosts{.name = "simgrid-hosts",
                                       .summary = "the host of each rank, for SimGrid's -hostfile",
                                       .extension = ".txt",
                                       .write = simgrid_hosts_parts::write};

}  // namespace quadrille::exporters
