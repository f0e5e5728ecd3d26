#include "quadrille/compile/lending/loan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/lending/pieces_in_turn.h"
#include "quadrille/compile/lending/plan_rounds.h"
#include "quadrille/compile/lending/worms_with_room.h"
#include "quadrille/model/needless_ports.h"
#include "quadrille/topology/queries/distances.h"
#include "quadrille/topology/queries/link_counts.h"
#include "quadrille/topology/queries/symmetry.h"
#include "quadrille/transforms/concatenate.h"
#include "quadrille/transforms/half_duplex.h"
#include "quadrille/transforms/merge_steps.h"
#include "quadrille/transforms/needed_part.h"
#include "quadrille/transforms/personalised.h"
#include "quadrille/transforms/relabel.h"
#include "quadrille/transforms/reverse.h"
#include "quadrille/transforms/side_by_side.h"
#include "quadrille/transforms/split_blocks.h"
#include "quadrille/transforms/without_waste.h"

namespace quadrille {
namespace {

Problem with_model(const Problem& problem, const Model& model) {
  return {problem.topology(), problem.collective(), model};
}

Problem with_kind(const Problem& problem, CollectiveKind kind, uint32_t pieces, Rank root) {
  Collective collective = Collective::standard(kind, problem.collective().num_ranks(), root, pieces);
  Model model = problem.model();
  if (collective.flow() != Flow::kCombine) model.combining = Operator::kCommutative;
  return {problem.topology(), std::move(collective), model};
}

// Where the other collective would have more blocks than can be numbered there is nothing to lend.
bool can_be_numbered(const Problem& problem, CollectiveKind kind) {
  const uint64_t ranks = problem.collective().num_ranks();
  const uint64_t pieces = problem.collective().pieces();
  return kind != CollectiveKind::kAlltoall || ranks * ranks <= kMaxIds / pieces;
}

Loan as_it_is(LoanKind kind, std::string name, Problem lender) {
  return {kind, std::move(name), {std::move(lender)}, [](const Problem&, std::span<const Plan> plans) {
            return std::optional(plans[0]);
          }};
}

uint32_t most_messages(const Topology& topology, const Model& model, bool send) {
  const bool together = model.switching == Switching::kPacket && model.packets == Packets::kMany;
  if (!together || !has_wide_arcs(topology)) {
    const uint64_t links = send ? most_links_out(topology) : most_links_in(topology);
    return static_cast<uint32_t>(std::min<uint64_t>(links, UINT32_MAX - 1));
  }
  std::vector<uint32_t> arcs(topology.num_nodes(), 0);
  for (const ArcId arc : topology.arcs()) ++arcs[index(send ? topology.tail(arc) : topology.head(arc))];
  return std::ranges::max(arcs);
}

std::string word(Ports ports) { return ports.unlimited() ? "all" : fmt::format("{}", ports.count); }

std::string ports_name(const Model& model) {
  if (model.send == model.receive) return "ports_" + word(model.send);
  return fmt::format("ports_{}x{}", word(model.send), word(model.receive));
}

Loan with_ports(const Problem& problem, Ports send, Ports receive, LoanKind kind = LoanKind::kWeaker) {
  Model model = problem.model();
  model.send = send;
  model.receive = receive;
  return as_it_is(kind, ports_name(model), with_model(problem, model));
}

// Of many ports, or some on a large network, each next number would be asked for all that it has: these are what endpoints
// have links, where switches have more, then by halves or by what lets one rank inform all others in a step more, as long as
// there are more than a few.
uint32_t next_fewer(const Topology& topology, uint32_t ports) {
  constexpr uint32_t kNodesThatAskAll = 64;
  const uint32_t few_ports = topology.num_nodes() <= kNodesThatAskAll ? 8 : 4;
  if (ports <= few_ports) return ports - 1;
  if (const uint64_t links = links_of_endpoints(topology).second; links > 0 && links < ports)
    return static_cast<uint32_t>(links);
  const auto steps = [&](uint64_t growth) {
    uint32_t out = 0;
    for (uint64_t know = 1; know < topology.num_endpoints(); know *= growth) ++out;
    return out;
  };
  // The most that take a step more than now.
  const uint32_t now = steps(ports);
  uint32_t fewer = 1;
  uint32_t enough = ports;
  while (enough - fewer > 1) {
    const uint32_t middle = fewer + (enough - fewer) / 2;
    (steps(middle) == now ? enough : fewer) = middle;
  }
  return std::max({few_ports, ports / 2, fewer});
}

// The next machine that has fewer; first the two numbers become equal.
std::optional<Loan> fewer_ports(const Problem& problem) {
  const Topology& topology = problem.topology();
  const uint32_t send = port_limit(topology, problem.model(), true);
  const uint32_t receive = port_limit(topology, problem.model(), false);
  const uint32_t less = send != receive ? std::min(send, receive)
                        : send == 0     ? 0
                                        : next_fewer(topology, send);
  if (std::min(send, receive) == 0 || less == 0) return std::nullopt;
  return with_ports(problem, Ports{less}, Ports{less});
}

// The same machine, said otherwise.
std::optional<Loan> all_ports(const Problem& problem) {
  const Model& model = problem.model();
  // Where paths share links a node with all ports starts more messages than it has links.
  if (model.switching == Switching::kShared) return std::nullopt;
  const Ports send = without_needless_count(problem.topology(), model, true);
  const Ports receive = without_needless_count(problem.topology(), model, false);
  if (send == model.send && receive == model.receive) return std::nullopt;
  return with_ports(problem, send, receive, LoanKind::kSame);
}
std::optional<Loan> counted_ports(const Problem& problem) {
  const Model& model = problem.model();
  const Ports send{port_limit(problem.topology(), model, true)};
  const Ports receive{port_limit(problem.topology(), model, false)};
  if (send == model.send && receive == model.receive) return std::nullopt;
  if (send.count < 2 || receive.count < 2) return std::nullopt;
  return with_ports(problem, send, receive, LoanKind::kSame);
}

Problem with_single_packets(const Problem& problem) {
  Model model = problem.model();
  model.switching = Switching::kPacket;
  model.packets = Packets::kOne;
  model.routing = Routing::kAny;
  return with_model(problem, model);
}

// Transfers of one arc and one block are good everywhere; worms are good where paths may share arcs.
std::optional<Loan> packets(const Problem& problem) {
  if (sends_single_packets(problem.model())) return std::nullopt;
  return as_it_is(LoanKind::kWeaker, "packet", with_single_packets(problem));
}
std::optional<Loan> worms(const Problem& problem) {
  if (problem.model().switching != Switching::kShared) return std::nullopt;
  Model model = problem.model();
  model.switching = Switching::kWormhole;
  return as_it_is(LoanKind::kWeaker, "wormhole", with_model(problem, model));
}

// Messages of many blocks over an arc are worms, too, but for sums that share it.
std::optional<Loan> packets_in_messages(const Problem& problem) {
  if (!takes_paths(problem.model()) || problem.model().queue_limit) return std::nullopt;
  Model model = with_single_packets(problem).model();
  model.packets = Packets::kMany;
  Loan loan = as_it_is(LoanKind::kWeaker, "packets", with_model(problem, model));
  if (shares_arcs(problem.model())) return loan;
  loan.make = [](const Problem& worms, std::span<const Plan> plans) -> std::optional<Plan> {
    try {
      Plan out;
      WormsWithRoom with_room(worms, out);
      plans[0].replay(with_room);
      return out;
    } catch (const InputError&) {
      return std::nullopt;
    }
  };
  loan.stream = [](const Problem& worms, const std::function<void(size_t, StepSink&)>& lender,
                   StepSink& sink) {
    WormsWithRoom with_room(worms, sink);
    lender(0, with_room);
  };
  loan.of_any_size = true;
  return loan;
}

bool copies(const Problem& problem) { return problem.collective().flow() == Flow::kCopy; }

// By copies that replace, or in slots: what cannot be read backwards.
bool treats_sums_apart(const Plan& plan) {
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    if (!plan.step(s).slots.empty()) return true;
    const std::span<const TransferOp> ops = plan.step(s).ops;
    if (std::find(ops.begin(), ops.end(), TransferOp::kCopy) != ops.end()) return true;
  }
  return false;
}

std::optional<Loan> backwards(const Problem& problem) {
  std::optional<Problem> lender = reversed_for_loan(problem);
  if (!lender) return std::nullopt;
  const auto waste_left_out = [of = *lender](const Plan& plan, StepSink& to) {
    if (copies(of) && of.topology().has_routers())
      reverse(of, without_waste(of, plan), to);
    else
      reverse(of, plan, to);
  };
  Loan out{LoanKind::kReversed,
           "reversed",
           {*lender},
           [waste_left_out](const Problem&, std::span<const Plan> plans) -> std::optional<Plan> {
             if (treats_sums_apart(plans[0])) return std::nullopt;
             Plan made;
             waste_left_out(plans[0], made);
             return made;
           }};
  // One that treats sums apart is refused.
  out.stream = [waste_left_out](const Problem&, const std::function<void(size_t, StepSink&)>& generate,
                                StepSink& sink) {
    Plan plan;
    generate(0, plan);
    waste_left_out(plan, sink);
  };
  return out;
}

std::optional<Loan> part_of(const Problem& problem, CollectiveKind whole) {
  if (!holds(whole, problem.collective().kind()) || !can_be_numbered(problem, whole)) return std::nullopt;
  Problem lender =
      with_kind(problem, whole, problem.collective().pieces(), problem.collective().root().value_or(Rank{0}));
  return Loan{LoanKind::kPart,
              fmt::format("from_{}", name_of(whole)),
              {lender},
              [lender](const Problem& part, std::span<const Plan> plans) {
                return needed_part(lender, plans[0], part);
              }};
}

bool carries_any_number(const Problem& problem) { return carries_many(problem.model()); }

std::optional<Loan> along_copies(const Problem& problem) {
  const Collective& collective = problem.collective();
  if (!carries_any_number(problem)) return std::nullopt;
  CollectiveKind kind = CollectiveKind::kBroadcast;
  if (collective.kind() == CollectiveKind::kAlltoall) {
    kind = CollectiveKind::kAllgather;
  } else if (collective.kind() != CollectiveKind::kScatter) {
    return std::nullopt;
  }
  Problem lender = with_kind(problem, kind, collective.pieces(), collective.root().value_or(Rank{0}));
  return Loan{LoanKind::kPersonalised,
              "personalised",
              {lender},
              [lender](const Problem& personal, std::span<const Plan> plans) {
                return std::optional(personalised(lender, plans[0], personal));
              }};
}

std::optional<Loan> in_one_piece(const Problem& problem) {
  const Collective& collective = problem.collective();
  if (!carries_any_number(problem) || collective.pieces() == 1) return std::nullopt;
  Problem lender = with_kind(problem, collective.kind(), 1, collective.root().value_or(Rank{0}));
  return Loan{LoanKind::kTogether,
              "together",
              {lender},
              [lender, pieces = collective.pieces()](const Problem&, std::span<const Plan> plans) {
                return std::optional(split_blocks(lender, plans[0], pieces));
              }};
}

Loan sum_of(const Problem& first, const Problem& second) {
  Loan out{LoanKind::kSum, "", {first, second}, [first, second](const Problem&, std::span<const Plan> plans) {
             return std::optional(concatenate(first, plans[0], second, plans[1]));
           }};
  out.stream = [first, second](const Problem&, const std::function<void(size_t, StepSink&)>& generate,
                               StepSink& sink) { concatenate(first, second, generate, sink); };
  return out;
}

std::vector<Loan> sums(const Problem& problem) {
  const Collective& collective = problem.collective();
  const uint32_t pieces = collective.pieces();
  const uint32_t ranks = collective.num_ranks();
  const Rank root = collective.root().value_or(Rank{0});
  const auto other = [&](CollectiveKind kind, uint32_t of) { return with_kind(problem, kind, of, root); };
  std::vector<Loan> out;
  if (collective.kind() == CollectiveKind::kAllreduce) {
    // Through any rank. The middle is near to all; with few ports a stream is slower from there than from an end.
    constexpr uint32_t kNodesWithAMiddle = 256;
    const Topology& net = problem.topology();
    const bool has_middle = problem.model().send.unlimited() && problem.model().receive.unlimited() &&
                            net.num_nodes() <= kNodesWithAMiddle;
    const Rank through = has_middle ? middle_rank(net) : Rank{0};
    out.push_back(sum_of(with_kind(problem, CollectiveKind::kReduce, pieces, through),
                         with_kind(problem, CollectiveKind::kBroadcast, pieces, through)));
    if (pieces % ranks == 0) {
      out.push_back(sum_of(other(CollectiveKind::kReduceScatter, pieces / ranks),
                           other(CollectiveKind::kAllgather, pieces / ranks)));
    }
  } else if (collective.kind() == CollectiveKind::kReduceScatter &&
             problem.model().combining == Operator::kOrdered && uint64_t{pieces} * ranks < kMaxIds) {
    out.push_back(
        sum_of(other(CollectiveKind::kReduce, pieces * ranks), other(CollectiveKind::kScatter, pieces)));
  } else if (collective.kind() == CollectiveKind::kBroadcast && pieces % ranks == 0) {
    out.push_back(sum_of(other(CollectiveKind::kScatter, pieces / ranks),
                         other(CollectiveKind::kAllgather, pieces / ranks)));
  } else if (collective.kind() == CollectiveKind::kAllgather && carries_any_number(problem) &&
             uint64_t{pieces} * ranks < kMaxIds) {
    out.push_back(
        sum_of(other(CollectiveKind::kGather, pieces), other(CollectiveKind::kBroadcast, pieces * ranks)));
  }
  return out;
}

std::optional<Loan> parted(const Problem& problem) {
  if (problem.model().duplex != Duplex::kHalf) return std::nullopt;
  return Loan{
      LoanKind::kHalfDuplex,
      "half_duplex",
      {with_full_duplex(problem)},
      [](const Problem& half, std::span<const Plan> plans) { return on_half_duplex_links(half, plans[0]); }};
}

// What uses no link both ways at once. Of worms it takes much work, and none is known that is shorter.
std::optional<Loan> one_way(const Problem& problem) {
  if (problem.model().duplex != Duplex::kFull || !sends_single_packets(problem.model())) return std::nullopt;
  return as_it_is(LoanKind::kOneWay, "one_way", with_half_duplex(problem));
}

// Whether no node starts, or ends, more messages over links than it has ports.
bool has_ports(const Problem& problem, const Plan& plan) {
  const Topology& net = problem.topology();
  const Model& model = problem.model();
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    std::vector<ArcId> used(step.all_arcs.begin(), step.all_arcs.end());
    std::ranges::sort(used);
    if (shares_arcs(model)) used.erase(std::unique(used.begin(), used.end()), used.end());
    std::vector<uint32_t> sent(net.num_nodes(), 0);
    std::vector<uint32_t> received(net.num_nodes(), 0);
    for (const ArcId arc : used) {
      const uint32_t out = ++sent[index(net.tail(arc))];
      const uint32_t in = ++received[index(net.head(arc))];
      if (!model.send.unlimited() && out > model.send.count) return false;
      if (!model.receive.unlimited() && in > model.receive.count) return false;
    }
  }
  return true;
}

constexpr uint32_t kMostMirrored = 128;

// With the mirror image that leaves the fewest rounds; nothing where none takes fewer than the plan does twice.
std::optional<Plan> beside_mirror_image(const Problem& whole, const Problem& half, const Plan& plan) {
  constexpr size_t kMostImages = 16;
  const std::optional<Rank> root = half.collective().root();
  const auto fixed = root ? std::optional(half.topology().endpoint(*root)) : std::nullopt;
  std::optional<Plan> best;
  std::pair<uint64_t, size_t> least{2 * rounds_of(half.topology(), plan), SIZE_MAX};
  for (const std::vector<NodeId>& image : some_symmetries(half.topology(), fixed, kMostImages)) {
    std::optional<Plan> both = side_by_side(whole, plan, relabel(half, plan, image));
    if (!both) continue;
    const std::pair<uint64_t, size_t> takes{rounds_of(whole.topology(), *both), both->num_steps()};
    if (takes >= least) continue;
    least = takes;
    best = std::move(both);
  }
  return best;
}

Loan ourselves(const Problem& problem) { return as_it_is(LoanKind::kCompacted, "compacted", problem); }

std::optional<Ports> parse_count(std::string_view text) {
  if (text == "all") return kAllPorts;
  uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size() || count == 0) return std::nullopt;
  return Ports{count};
}

// Whether every plan for the first does for the second.
bool are_fewer(const Topology& topology, const Model& fewer, const Model& than) {
  return port_limit(topology, fewer, true) <= port_limit(topology, than, true) &&
         port_limit(topology, fewer, false) <= port_limit(topology, than, false);
}

}  // namespace

uint32_t port_limit(const Topology& topology, const Model& model, bool send) {
  const Ports ports = send ? model.send : model.receive;
  return ports.unlimited() ? most_messages(topology, model, send) : ports.count;
}

Ports without_needless_count(const Topology& topology, const Model& model, bool send) {
  return without_needless_count(send ? model.send : model.receive, most_messages(topology, model, send));
}

bool goes_outwards(CollectiveKind kind) {
  return kind != CollectiveKind::kGather && kind != CollectiveKind::kReduce &&
         kind != CollectiveKind::kReduceScatter;
}

std::optional<Problem> reversed_for_loan(const Problem& problem) {
  if (problem.collective().kind() == CollectiveKind::kAllreduce) return std::nullopt;
  if (problem.collective().counts() != nullptr) return std::nullopt;  // no card is better backwards
  if (problem.model().routing == Routing::kDimensionOrder) return std::nullopt;
  return reversed(problem);
}

std::vector<Loan> loans_for(const Problem& problem) {
  std::vector<Loan> out;
  // The cards for counts take any ports, both switchings and half duplex themselves.
  if (problem.model().queue_limit || problem.collective().counts() != nullptr) return out;
  const auto add = [&out](std::optional<Loan> loan) {
    if (loan) out.push_back(std::move(*loan));
  };
  add(ourselves(problem));
  add(all_ports(problem));
  add(counted_ports(problem));
  add(packets(problem));
  add(worms(problem));
  add(fewer_ports(problem));
  add(backwards(problem));
  for (const CollectiveKind whole :
       {CollectiveKind::kAlltoall, CollectiveKind::kAllgather, CollectiveKind::kAllreduce})
    add(part_of(problem, whole));
  add(along_copies(problem));
  add(in_one_piece(problem));
  if (problem.model().chunks == Chunks::kInOrder) add(in_turn_loan(problem, 1));
  add(mirrored_loan(problem));
  add(merged_loan(problem, 0));
  add(through_ports_loan(problem, 0));
  for (Loan& sum : sums(problem)) out.push_back(std::move(sum));
  add(parted(problem));
  add(one_way(problem));
  return out;
}

std::optional<Loan> mirrored_loan(const Problem& problem) {
  const uint32_t pieces = problem.collective().pieces();
  if (pieces % 2 != 0 || problem.topology().num_nodes() > kMostMirrored) return std::nullopt;
  const std::optional<Rank> root = problem.collective().root();
  Problem lender = with_kind(problem, problem.collective().kind(), pieces / 2, root.value_or(Rank{0}));
  return Loan{
      LoanKind::kMirrored, "mirrored", {lender}, [lender](const Problem& whole, std::span<const Plan> plans) {
        return beside_mirror_image(whole, lender, plans[0]);
      }};
}

std::optional<Loan> merged_loan(const Problem& problem, uint32_t packets) {
  if (sends_single_packets(problem.model()) || problem.model().routing == Routing::kDimensionOrder)
    return std::nullopt;
  return Loan{LoanKind::kMerged,
              packets == 0 ? "merged" : fmt::format("merged_{}", packets),
              {with_single_packets(problem)},
              [packets](const Problem& many, std::span<const Plan> plans) {
                return std::optional(merge_steps(many, plans[0], packets));
              }};
}

std::optional<Loan> through_ports_loan(const Problem& problem, uint32_t packets) {
  const Model& model = problem.model();
  if (sends_single_packets(model) || model.routing == Routing::kDimensionOrder) return std::nullopt;
  if (without_needless_count(problem.topology(), model, true).unlimited() &&
      without_needless_count(problem.topology(), model, false).unlimited())
    return std::nullopt;
  Model lender = with_single_packets(problem).model();
  lender.send = lender.receive = kAllPorts;
  return Loan{LoanKind::kThroughPorts,
              packets == 0 ? "through_ports" : fmt::format("through_ports_{}", packets),
              {with_model(problem, lender)},
              [packets](const Problem& few, std::span<const Plan> plans) -> std::optional<Plan> {
                Plan out = merge_steps(few, plans[0], packets);
                // An exchange of contributions is not parted.
                return has_ports(few, out) ? std::optional(std::move(out)) : std::nullopt;
              }};
}

std::optional<Loan> find_loan(const Problem& problem, std::string_view name) {
  for (Loan& loan : loans_for(problem)) {
    if (!loan.name.empty() && loan.name == name) return std::move(loan);
  }
  if (name == "packets") return packets_in_messages(problem);
  if (std::optional<Loan> in_turn = find_in_turn_loan(problem, name)) return in_turn;
  if (name.starts_with("as_")) {
    for (Loan& loan : loans_by_name(problem))
      if (loan.name == name) return std::move(loan);
    return std::nullopt;
  }
  for (const auto& [word, loan_of] :
       {std::pair("merged_", &merged_loan), std::pair("through_ports_", &through_ports_loan)}) {
    if (!name.starts_with(word)) continue;
    const std::optional<Ports> packets = parse_count(name.substr(std::string_view(word).size()));
    if (problem.model().queue_limit || !packets || packets->unlimited()) return std::nullopt;
    return loan_of(problem, packets->count);
  }
  constexpr std::string_view kPorts = "ports_";
  if (problem.model().queue_limit || !name.starts_with(kPorts)) return std::nullopt;
  name.remove_prefix(kPorts.size());
  const size_t by = name.find('x');
  const std::optional<Ports> send = parse_count(name.substr(0, by));
  const std::optional<Ports> receive = by == std::string_view::npos ? send : parse_count(name.substr(by + 1));
  if (!send || !receive) return std::nullopt;
  Model model = problem.model();
  model.send = *send;
  model.receive = *receive;
  if (!are_fewer(problem.topology(), model, problem.model())) return std::nullopt;
  return with_ports(problem, *send, *receive);
}

}  // namespace quadrille
