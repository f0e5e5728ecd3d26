#include "quadrille/options/problem_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "quadrille/base/files.h"
#include "quadrille/base/ids.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/memory/memory_limit.h"
#include "quadrille/base/numbers/units.h"
#include "quadrille/base/numbers/whole_number.h"
#include "quadrille/base/text.h"
#include "quadrille/base/value_error.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/options/argument_parser.h"
#include "quadrille/options/fault_words.h"
#include "quadrille/options/wishes_options.h"
#include "quadrille/schedule/counts/read_counts.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/topology/families/read_graph_facts.h"
#include "quadrille/topology/groups/among.h"
#include "quadrille/topology/link_rates.h"
#include "quadrille/topology/topology_spec.h"

namespace quadrille {
namespace {

uint32_t parse_queue_limit(std::string_view text) {
  const std::optional<uint64_t> limit = whole_number(text);
  if (limit && *limit < kMaxIds) return static_cast<uint32_t>(*limit);
  const std::string numbers = fmt::format("a whole number from 0 to {}", kMaxIds - 1);
  throw ValueError(fmt::format("--queues: '{}' is given; allowed is any or {}", text, numbers),
                   {.of = "--queues", .given = std::string(text), .allowed = {"any", numbers}});
}

std::optional<SpecCall> call_in(std::string_view spec) {
  try {
    return parse_spec(spec, "topology");
  } catch (const InputError&) {
    return std::nullopt;  // said by whoever reads the whole spec
  }
}

bool lacks_nodes(std::string_view spec) {
  const std::optional<SpecCall> call = call_in(spec);
  if (!call) return false;
  const Family* const family = family_catalog().find(call->name);
  return family != nullptr && family->name == "without";
}

// Faults of a network with faults are more faults, so that numbers mean the nodes of the whole one.
std::string spec_without(const std::string& spec, const std::string& faults) {
  if (!lacks_nodes(spec)) return fmt::format("without({};{})", spec, faults);
  std::string out = spec;
  out.insert(call_in(spec)->where.end - 1, "," + faults);
  return out;
}

}  // namespace

Model ModelOptions::model(bool sized, const LinkRates* rates) const {
  Model out;
  out.send =
      parse_ports(send_ports.empty() ? ports : send_ports, send_ports.empty() ? "--ports" : "--send-ports");
  out.receive = parse_ports(receive_ports.empty() ? ports : receive_ports,
                            receive_ports.empty() ? "--ports" : "--receive-ports");
  out.switching = parse_switching(switching);
  if (!packets.empty()) out.packets = parse_packets(packets);
  out.duplex = parse_duplex(duplex);
  out.routing = parse_routing(routing);
  out.combining = parse_operator(combining);
  out.chunks = parse_chunks(chunks);
  if (out.packets == Packets::kMany && takes_paths(out)) {
    throw InputError(fmt::format(
        "--packets many: it is for packet switching; messages of {} switching carry any number of "
        "blocks anyway",
        switching));
  }
  if (out.routing != Routing::kAny && !takes_paths(out)) {
    throw InputError(
        fmt::format("--routing {}: only worms have paths to choose; add --switching wormhole", routing));
  }
  out.cost = cost.constants(sized, rates);
  if (wants_queues() && queues != "any") out.queue_limit = parse_queue_limit(queues);
  out.queues_per = parse_queues_per(queues_per);
  if (out.queues_per != QueuesPer::kOutgoing && !out.queue_limit)
    throw InputError("--queues-per says what --queues N counts: give a number, too");
  return out;
}

void add_model_options(ArgumentParser& app, ModelOptions& options) {
  app.add_option("--ports", options.ports,
                 "messages a node starts, and ends, in a step: one, all (default), N")
      ->type_name("PORTS");
  app.add_option("--send-ports", options.send_ports, "the same for sending alone")->type_name("PORTS");
  app.add_option("--receive-ports", options.receive_ports, "the same for receiving alone")
      ->type_name("PORTS")
      ->offers("one all");
  app.add_option("--switching", options.switching,
                 "packet (default): one link; wormhole: disjoint paths; shared: any paths")
      ->type_name("HOW")
      ->offers("packet wormhole shared");
  app.add_option("--packets", options.packets,
                 "packets a link and step: one, many; default: one, with --bytes the faster")
      ->type_name("N")
      ->offers("one many");
  const char* const ways = "duplex full (or half); worms: any paths (or shortest, dimension_order)";
  app.add_option("--duplex", options.duplex, ways)->type_name("HOW")->group(ways)->offers("full half");
  app.add_option("--routing", options.routing, ways)
      ->type_name("HOW")
      ->group(ways)
      ->offers("any shortest dimension_order");
  add_cost_options(app, options.cost);
  const char* const order = "commutative or ordered (ranks); any_order or in_order (pieces of a link)";
  app.add_option("--operator", options.combining, order)
      ->type_name("HOW")
      ->group(order)
      ->offers("commutative ordered");
  app.add_option("--chunks", options.chunks, order)
      ->type_name("HOW")
      ->group(order)
      ->offers("any_order in_order");
  const char* const queues = "measure queues; N: at most N blocks wait for a link, outgoing or incoming";
  app.add_option("--queues", options.queues, queues)->type_name("N")->group(queues);
  app.add_option("--queues-per", options.queues_per, queues)
      ->type_name("LINK")
      ->group(queues)
      ->offers("outgoing incoming");
}

void add_collective_options(ArgumentParser& app, CollectiveOptions& options) {
  const char* const who = "node that has, or gets, all (default: first); file of alltoallv's counts";
  app.add_option("--root", options.root, who)->type_name("NODE")->group(who);
  app.add_option("--counts", options.counts, who)->type_name("FILE")->group(who);
  app.add_option("--pieces", options.pieces,
                 "send blocks in so many; auto (default with --bytes): for least time")
      ->word("auto", kAutoPieces)
      ->range(1, kMaxIds - 1)
      ->type_name("P")
      ->offers("auto");
}

void add_part_options(ArgumentParser& app, ProblemOptions& options) {
  app.add_option("--without", options.without,
                 "\"link A B\" or \"node A\" is dead; again for more; @FILE: one a line")
      ->repeated()
      ->type_name("FAULT");
  add_network_options(app, options.network_options);
  const char* const some = "only ranks 0,3,8-15 or 0-63:4 or @FILE; others pass messages on: yes, no";
  app.add_option("--ranks", options.ranks, some)->type_name("R")->group(some);
  app.add_option("--relay", options.relay, some)->type_name("R")->group(some)->offers("yes no");
}

void add_problem_options(ArgumentParser& app, ProblemOptions& options, bool required) {
  app.add_option("COLLECTIVE", options.collective, "alltoall, broadcast, ...: `quadrille list collectives`")
      ->required(required);
  app.add_option("TOPOLOGY", options.topology, "such as \"torus(8,8)\": `quadrille list topologies`")
      ->required(required);
  add_part_options(app, options);
  add_model_options(app, options.model);
  add_collective_options(app, options.rest);
}

// An alltoall with counts is an alltoallv.
std::optional<Problem> CollectiveOptions::counted(const Topology& topology, CollectiveKind kind,
                                                  const Model& model) const {
  if (kind == CollectiveKind::kAlltoallv && counts.empty())
    throw InputError("alltoallv: how many blocks go from whom to whom? give a matrix: --counts FILE");
  if (counts.empty()) return std::nullopt;
  if (kind != CollectiveKind::kAlltoallv && kind != CollectiveKind::kAlltoall)
    throw InputError(fmt::format("--counts {}: {} has no counts; alltoallv has", counts, name_of(kind)));
  if (!root.empty())
    throw InputError(
        fmt::format("--root {}: alltoallv has no root, the counts say it all; leave it out", root));
  if (pieces && *pieces != 1)
    throw InputError("--pieces: alltoallv counts whole blocks, which are not split; count in smaller units");
  // How they were read is told with how the network was.
  std::vector<std::string> remarks(topology.remarks().begin(), topology.remarks().end());
  Counts read = read_counts(topology, read_file(counts), counts, &remarks);
  if (remarks.size() == topology.remarks().size()) return make_problem(topology, std::move(read), model);
  const auto kept = std::make_shared<const Topology>(topology);  // its rates live as long
  std::shared_ptr<const LinkRates> rates;
  if (topology.link_rates() != nullptr) rates = {kept, kept->link_rates()};
  return make_problem(topology.with(std::move(rates), std::move(remarks)), std::move(read), model);
}

Problem CollectiveOptions::problem(const Topology& topology, CollectiveKind kind, const Model& model) const {
  if (std::optional<Problem> by_counts = counted(topology, kind, model)) return *std::move(by_counts);
  return make_problem(topology, kind, model, root, first_pieces());
}

Problem CollectiveOptions::problem_for_figures(const Topology& topology, CollectiveKind kind,
                                               const Model& model) const {
  if (std::optional<Problem> by_counts = counted(topology, kind, model)) return *std::move(by_counts);
  return make_problem_for_figures(topology, kind, model, root, first_pieces());
}

void CollectiveOptions::require_size(bool sized) const {
  if (!sized && pieces == kAutoPieces)
    throw InputError(
        "--pieces auto: how many take least time depends on the size of messages; give --bytes, too");
}

std::string ProblemOptions::network_of(const std::string& given) const {
  ProblemOptions part = *this;
  part.topology = given;
  return part.network();
}

std::string ProblemOptions::network() const {
  std::vector<std::string> faults;
  for (const std::string& fault : fault_words(without)) faults.push_back(in_quotes(fault));
  const std::string spec = network_options.spec_of(topology);
  std::string left = faults.empty() ? spec : spec_without(spec, join(faults, ","));
  if (!relay.empty() && relay != "yes" && relay != "no")
    throw InputError(fmt::format("--relay: '{}' is given; allowed is yes or no", relay));
  if (ranks.empty()) {
    if (relay.empty()) return left;
    throw InputError(
        "--relay says what becomes of those who do not take part; say who does: --ranks 0,3,8-15");
  }
  std::string who = ranks;
  if (who.starts_with("@")) {
    who = join(lines_of_file(who.substr(1)), ",");
    if (who.empty()) throw InputError(fmt::format("--ranks {}: the file names no rank", ranks));
  }
  if (lacks_nodes(left)) {
    // A spec counts the ranks of what stands in it; the user counts those of the whole network.
    const Topology net = parse_topology(left);
    who = ranks_text(read_ranks(net, who, "--ranks", Numbers::kWhole));
  }
  return fmt::format("among({};{}{})", left, in_quotes(who), relay == "no" ? ";no_relay" : "");
}

std::optional<uint64_t> ProblemOptions::message_bytes() const {
  if (bytes.empty()) return std::nullopt;
  return parse_bytes(bytes, "--bytes");
}

bool ProblemOptions::any_packets() const {
  return !bytes.empty() && model.packets.empty() && !model.wants_queues() &&
         parse_switching(model.switching) == Switching::kPacket;
}

namespace {

// Whether this machine follows the blocks of a plan, if it can list the links.
bool is_followed(const Topology& net, CollectiveKind kind, uint32_t pieces) {
  if (kind == CollectiveKind::kAlltoallv) return true;
  const Problem counted = quadrille::problem_for_figures(net, kind, {}, kNoNode, pieces);
  return counted.collective().block_count() < kMaxIds && judge_bytes(counted) <= Int128{memory_limit().bytes};
}

// In outline where no plan can be made: where the links are too many to be listed, or the blocks too many to be followed.
Topology network_of_plan(const std::string& spec, CollectiveKind kind, uint32_t pieces) {
  const SpecCall call = parse_typed_spec(spec);
  Topology net = topology_for_figures(call);
  if (!net.is_outline() || !is_followed(net, kind, pieces)) return net;
  try {
    return build_topology(call);
  } catch (const InputError&) {
    return net;
  }
}

}  // namespace

Problem ProblemOptions::problem_for_figures(bool makes_plan) const {
  const CollectiveKind kind = parse_collective_kind(collective);
  rest.require_size(!bytes.empty());
  Model chosen = model.model(!bytes.empty());
  const Topology net = makes_plan ? network_of_plan(network(), kind, rest.first_pieces())
                                  : parse_topology_for_figures(network());
  if (net.link_rates() != nullptr) chosen.cost = model.cost.constants(!bytes.empty(), net.link_rates());
  return rest.problem_for_figures(net, kind, chosen);
}

Problem ProblemOptions::problem() const {
  const CollectiveKind kind = parse_collective_kind(collective);
  rest.require_size(!bytes.empty());
  Model chosen = model.model(!bytes.empty());
  const Topology net = parse_topology(network());
  if (net.link_rates() != nullptr) chosen.cost = model.cost.constants(!bytes.empty(), net.link_rates());
  return rest.problem(net, kind, chosen);
}

}  // namespace quadrille
