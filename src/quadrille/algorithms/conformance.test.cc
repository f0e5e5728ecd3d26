// The conformance suite: every card of the catalog, on every small topology and in every model where it
// applies, must keep what it predicts; and it must have been tried on enough of them for that to say
// something.
//
// A new card is in it by its line in the catalog, a new family by its samples. A new check is one function
// and one line in kChecks. What was counted for a card are the properties of its test in the XML report.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/program/arrays/array_layout.h"
#include "quadrille/runtime/job.h"
#include "quadrille/schedule/counts/stated_counts.h"
#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/plan_text.h"
#include "quadrille/testing/counted.test.h"
#include "quadrille/testing/judged_steps.test.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/queue_meter.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace conformance_test {

// --- the checks -----------------------------------------------------------------------------------------

struct Made {
  const Algorithm& card;
  Prepared& prepared;
  const Problem& problem;
  const Plan& plan;
  const Verification& verification;

  [[nodiscard]] const Figures& figures() const { return verification.verdict.figures; }
};

void passes_the_judge(const Made& made) {
  const Verdict& verdict = made.verification.verdict;
  ASSERT_TRUE(verdict.passed()) << verdict.total_findings
                                << " findings, the first: " << to_text(verdict.findings.front());
}

void keeps(const Prediction& prediction, const Figures& figures) {
  if (prediction.steps) {
    EXPECT_EQ(figures.steps, *prediction.steps);
  }
  if (prediction.start_ups) {
    EXPECT_EQ(figures.start_ups, *prediction.start_ups);
  }
  if (prediction.busiest_link) {
    EXPECT_EQ(figures.busiest_link, *prediction.busiest_link);
  }
  if (prediction.critical_blocks) {
    EXPECT_EQ(figures.critical_blocks, *prediction.critical_blocks);
  }
  if (prediction.critical_hops) {
    EXPECT_EQ(figures.critical_hops, *prediction.critical_hops);
  }
}

enum class Checked : uint8_t { kTested, kOnlyReadOff, kNothing };

// Whether the judge's figures say something about the card: a prediction that was read off the plan says of
// the first three only that it was read right.
Checked how_checked(const Prediction& prediction) {
  const bool by_three = prediction.steps || prediction.start_ups || prediction.critical_blocks;
  if ((by_three && !prediction.measured) || prediction.busiest_link || prediction.queue)
    return Checked::kTested;
  return by_three ? Checked::kOnlyReadOff : Checked::kNothing;
}

void measures_what_it_predicts(const Made& made) {
  const Prediction prediction = made.prepared.prediction();
  keeps(prediction, made.figures());
  if (prediction.queue) {
    const QueueFigures queues = measure_queues(*made.verification.schedule);
    EXPECT_EQ(queues.link, *prediction.queue);
    EXPECT_EQ(queues.link == 0, queues.incoming == 0);
    if (prediction.queue_incoming) {
      EXPECT_EQ(queues.incoming, *prediction.queue_incoming);
    }
  }
}

void rearranges_what_it_predicts(const Made& made) {
  const std::optional<uint64_t> predicted = made.prepared.prediction().rearranged;
  if (!predicted) return;
  const ArrayLayout layout = lay_out_arrays(*made.verification.schedule);
  EXPECT_EQ(layout.rearranged(), *predicted);
  EXPECT_TRUE(check_array_layout(*made.verification.schedule, layout).empty());
}

void every_member_keeps_what_it_predicts(const Made& made) {
  const Preparation ready = prepare(made.card, made.problem);
  if (!ready.is_family()) return;
  for (const PreparedPlan& plan : ready.plans) {
    SCOPED_TRACE(plan->member());
    EXPECT_EQ(ready.find(plan->member()), plan) << "two members of one name";
    Judge judge(made.problem);
    plan->generate(judge);
    const Verdict verdict = judge.finish();
    ASSERT_TRUE(verdict.passed()) << to_text(verdict.findings.front());
    keeps(plan->prediction(), verdict.figures);
    EXPECT_LE(plan->least_start_ups(), verdict.figures.start_ups);
  }
}

void takes_what_it_says_at_least(const Made& made) {
  EXPECT_LE(made.prepared.least_start_ups(), made.figures().start_ups);
}

void is_not_below_any_bound(const Made& made) {
  for (const Bound& bound : all_bounds(made.problem)) {
    const Figures& figures = made.figures();
    const uint64_t measured = bound.on == BoundOn::kSteps ? figures.steps : figures.critical_blocks;
    EXPECT_GE(static_cast<int64_t>(measured), bound.value.ceil())
        << "bound on " << name_of(bound.on) << ", " << bound.name << ": " << bound.witness;
  }
}

// The reference is slow by intent, and half of this suite if let; larger plans of all kinds come before both
// judges in verify/differential.test.cc.
constexpr uint64_t kMostHopsForReference = 120;

void both_judges_agree(const Made& made) {
  if (made.figures().block_hops > kMostHopsForReference) return;
  const Verdict reference = reference_verify(made.problem, made.plan);
  EXPECT_TRUE(reference.passed());
  EXPECT_EQ(reference.figures, made.figures());
}

// By the same prepared plan, and by another one that is not asked for its prediction before.
void is_made_the_same_again(const Made& made) {
  Plan again;
  made.prepared.generate(again);
  EXPECT_TRUE(again == made.plan);
  Plan unasked;
  made.card.plan_for(made.problem)->generate(unasked);
  EXPECT_TRUE(unasked == made.plan);
}

void survives_its_text_form(const Made& made) {
  const PlanFile file{{made.problem}, made.plan};
  EXPECT_TRUE(read_plan_text(write_plan_text(file), "plan") == file);
}

void survives_its_json_form(const Made& made) {
  const PlanFile file{{made.problem}, made.plan};
  EXPECT_TRUE(read_plan_json(write_plan_json(file), "plan") == file);
}

void moves_every_byte_to_its_place(const Made& made) {
  if (made.problem.topology().num_nodes() > 8) return;  // a thread for every rank
  const JobResult result = run_on_threads(*made.verification.schedule, {.block_bytes = 24, .iterations = 1});
  EXPECT_TRUE(result.correct()) << result.wrong_bytes << " wrong bytes";
  EXPECT_GT(result.bytes_checked, 0U);
}

struct Check {
  void (*run)(const Made&);
  bool slow;  // not for large plans, nor for every model: the others would tell nothing new
};

constexpr std::array kChecks = {
    Check{passes_the_judge, false},
    Check{measures_what_it_predicts, false},
    Check{is_not_below_any_bound, false},
    Check{both_judges_agree, false},
    Check{is_made_the_same_again, false},
    Check{survives_its_text_form, true},
    Check{rearranges_what_it_predicts, false},
    Check{every_member_keeps_what_it_predicts, false},
    Check{takes_what_it_says_at_least, false},
    Check{survives_its_json_form, true},
    Check{moves_every_byte_to_its_place, true},
};
constexpr uint64_t kMostHopsForSlowChecks = 200;

// --- what it is tried on --------------------------------------------------------------------------------

// Which networks a model is tried on. Only the main ones come with the slow checks.
enum class Tried : uint8_t { kOnAll, kOnSmall, kOnSpecial };

struct NamedModel {
  std::string_view name;
  Model model;
  Tried tried = Tried::kOnSmall;

  [[nodiscard]] bool main() const { return tried == Tried::kOnAll; }
};

Model half(Model model) {
  model.duplex = Duplex::kHalf;
  return model;
}

Model worms(Model model, Routing routing = Routing::kAny) {
  model.switching = Switching::kWormhole;
  model.routing = routing;
  return model;
}

Model shared(Model model, Routing routing = Routing::kAny) {
  model.switching = Switching::kShared;
  model.routing = routing;
  return model;
}

Model many(Model model) {
  model.packets = Packets::kMany;
  return model;
}

Model ordered(Model model) {
  model.combining = Operator::kOrdered;
  return model;
}

std::vector<NamedModel> models() {
  return {
      {"ordered, all ports", ordered(ports(0, 0)), Tried::kOnAll},
      {"ordered, one port", ordered(ports(1, 1))},
      {"ordered worms, one port", ordered(worms(ports(1, 1)))},
      {"one port", ports(1, 1), Tried::kOnAll},
      {"two ports", ports(2, 2)},
      {"all ports", ports(0, 0), Tried::kOnAll},
      {"one send port", ports(1, 0)},
      {"one receive port", ports(0, 1)},
      {"one port, half duplex", half(ports(1, 1))},
      {"all ports, half duplex", half(ports(0, 0))},
      {"worms, one port", worms(ports(1, 1)), Tried::kOnAll},
      {"worms, all ports, dimension order", worms(ports(0, 0), Routing::kDimensionOrder), Tried::kOnAll},
      {"worms, all ports, half duplex, shortest", half(worms(ports(0, 0), Routing::kShortest))},
      {"worms, two ports, dimension order", worms(ports(2, 2), Routing::kDimensionOrder)},
      {"worms, one port, dimension order", worms(ports(1, 1), Routing::kDimensionOrder)},
      {"worms, all ports", worms(ports(0, 0)), Tried::kOnSpecial},
      {"worms, all ports, shortest", worms(ports(0, 0), Routing::kShortest), Tried::kOnSpecial},
      {"worms, two ports", worms(ports(2, 2)), Tried::kOnSpecial},
      {"worms, two ports, shortest", worms(ports(2, 2), Routing::kShortest), Tried::kOnSpecial},
      {"worms, three ports, dimension order", worms(ports(3, 3), Routing::kDimensionOrder),
       Tried::kOnSpecial},
      {"worms, one port, shortest", worms(ports(1, 1), Routing::kShortest), Tried::kOnSpecial},
      {"shared links, all ports", shared(ports(0, 0))},
      {"shared links, one port", shared(ports(1, 1))},
      {"shared links, all ports, shortest", shared(ports(0, 0), Routing::kShortest), Tried::kOnSpecial},
      {"many packets, all ports", many(ports(0, 0))},
  };
}

Topology petersen() {
  TopologyBuilder builder("petersen", 10);
  for (uint32_t i = 0; i < 5; ++i) {
    builder.link(NodeId{i}, NodeId{(i + 1) % 5});
    builder.link(NodeId{i}, NodeId{i + 5});
    builder.link(NodeId{i + 5}, NodeId{(i + 2) % 5 + 5});
  }
  return builder.build();
}

// A one-way ring with two short cuts.
Topology one_way() {
  TopologyBuilder builder("one_way", 7);
  for (uint32_t i = 0; i < 7; ++i) builder.arc(NodeId{i}, NodeId{(i + 1) % 7});
  builder.arc(NodeId{0}, NodeId{4}, 2);
  builder.arc(NodeId{5}, NodeId{2});
  return builder.build();
}

// Endpoints 1, 3, 4 and 6; node 0 is a router that leads nowhere.
Topology with_routers() {
  TopologyBuilder builder("with_routers", 8);
  builder.link(NodeId{0}, NodeId{2});
  builder.link(NodeId{1}, NodeId{2}, 2);
  builder.link(NodeId{2}, NodeId{5}, 3);
  builder.link(NodeId{3}, NodeId{2});
  builder.link(NodeId{4}, NodeId{5});
  builder.link(NodeId{4}, NodeId{7});
  builder.link(NodeId{7}, NodeId{1});
  builder.link(NodeId{6}, NodeId{5});
  builder.endpoints({NodeId{1}, NodeId{3}, NodeId{4}, NodeId{6}});
  return builder.build();
}

// Beyond the families' samples: sizes that are odd, even, 2 modulo 4, powers of two and not, and not square.
constexpr std::array<std::string_view, 16> kMoreSpecs = {
    "ring(2)",
    "ring(5)",
    "ring(6)",
    "ring(9)",
    "ring(10)",
    "line(2)",
    "line(7)",
    "complete(6)",
    "mesh(3,5)",
    "mesh(2,3,2)",
    "torus(4,4)",
    "torus(3,5)",
    "torus(6,2)",
    "torus(3,3,3)",
    "fat_tree(2^3;exponential)",
    "product(line(3),complete(4))",
};

constexpr uint32_t kMostNodes = 36;
constexpr uint32_t kMostNodesInEveryModel = 16;

const std::map<std::string, Topology>& topologies() {
  static const std::map<std::string, Topology> all = [] {
    std::map<std::string, Topology> out;
    const auto add = [&out](const Topology& topology) {
      if (topology.num_nodes() <= kMostNodes) out.emplace(topology.name(), topology);
    };
    // Of a family whose members have no structure that a card could know, the first three, if they are small.
    for (const Family* family : family_catalog()) {
      size_t without_structure = 0;
      for (const std::string_view sample : family->samples) {
        const Topology topology = parse_topology(sample);
        const bool has_structure =
            topology.product() != nullptr || topology.cayley() != nullptr || topology.tree() != nullptr;
        if (has_structure || (topology.num_nodes() <= 10 && without_structure++ < 3)) add(topology);
      }
    }
    for (const std::string_view spec : kMoreSpecs) add(parse_topology(spec));
    for (const Topology& topology : {petersen(), one_way(), with_routers()}) add(topology);
    return out;
  }();
  return all;
}

// Of what few of the networks above are, and what is too large to try every card on: tried in every model and
// every number of pieces by the cards whose name holds the word.
struct Special {
  std::string_view word;
  std::vector<std::string_view> specs;
};

const std::vector<Special>& specials() {
  static const std::vector<Special> all = {
      {"fat_tree", {"fat_tree(2^2;exponential)",   "fat_tree(5;exponential)",     "fat_tree(2,5;exponential)",
                    "fat_tree(5,2;exponential)",   "fat_tree(2^4;exponential)",   "fat_tree(2^5;exponential)",
                    "fat_tree(3^2;exponential)",   "fat_tree(3^3;exponential)",   "fat_tree(4^2;exponential)",
                    "fat_tree(5^2;exponential)",   "fat_tree(6^2;exponential)",   "fat_tree(2,3;exponential)",
                    "fat_tree(3,2;exponential)",   "fat_tree(2,4;exponential)",   "fat_tree(4,2;exponential)",
                    "fat_tree(2,3,2;exponential)", "fat_tree(2,2,3;exponential)", "fat_tree(3,5;exponential)",
                    "fat_tree(7;exponential)",     "fat_tree(2^3;constant)",      "fat_tree(3^2;constant)",
                    "fat_tree(2,3,4;constant)"}},
      {"alltoall_mesh_longest_first", {"mesh(2,3,2)", "mesh(2,2,3)", "mesh(4,2,2)"}},
      {"alltoall_clos_shifts",
       {"clos(2)", "clos(4)", "clos(1,1,3)", "clos(2,2,2)", "clos(2,2,3)", "clos(3,2,2)", "clos(3,3,2)",
        "clos(4,2,3)", "xgft(2,3,2;1,2,3)", "xgft(2,2,1;1,2,2)", "xgft(3,2;1,3)", "xgft(4;1)", "xgft(2;1)",
        "gpu_box(5,1)", "gpu_box(6,1;2)"}},
      {"alltoall_cayley_ports", {"hypercube(3)", "torus(3,4)"}},
      {"alltoall_repaired",
       {"without(torus(4,4);\"link (0,0) (0,1)\")", "without(torus(3,3,3);\"node (1,1,1)\")",
        "without(mesh(4,5);\"link (1,1) (1,2)\",\"link (2,1) (2,2)\")", "without(hypercube(5);\"link 0 1\")",
        "without(ring(8);\"link 0 1\")"}},
      {"alltoall_wormhole_c64", {"torus(4,4,4)", "torus(4,4,8)", "torus(8,4,4)"}},
      {"alltoall_wormhole_dp2d", {"torus(4,4)", "torus(4,8)", "torus(8,4)"}},
      {"alltoall_wormhole_dp3d", {"torus(8,8,8)"}},
      {"alltoall_wormhole_t2d2", {"torus(8,8)", "torus(8,16)"}},
      {"alltoall_wormhole_t3d2", {"torus(8,8,8)"}},
      {"broadcast_spread_align_expand",
       {"torus(3,3)", "torus(4,4)", "torus(5,5)", "torus(6,6)", "torus(7,7)", "torus(4,4,4)"}},
      {"_levels",
       {"ring(5)", "ring(8)", "torus(3,3)", "torus(4,4)", "torus(3,3,3)", "hypercube(4)", "ring(2)",
        "ring(3)", "ring(4)", "torus(5,5)"}},
      {"_nested_groups",
       {"mesh(2,3)", "mesh(5,4)", "torus(3,4)", "line(7)", "random_regular(12,3;2)", "dragonfly(2,2,1)",
        "clos(2,2,3)", "kautz(2,2)", "edges(\"0 1 3, 1 2, 2 3 2, 3 0, 1 4\")", "hyperx(3,4)",
        "without(torus(3,3);\"link 0 1\")"}},
      {"_halves",
       {"mesh(2,3)", "mesh(5,4)", "torus(3,4)", "line(7)", "random_regular(12,3;2)", "dragonfly(2,2,1)",
        "clos(2,2,3)", "kautz(2,2)", "edges(\"0 1 3, 1 2, 2 3 2, 3 0, 1 4\")", "hyperx(3,4)",
        "without(torus(3,3);\"link 0 1\")"}},
      {"_just_in_time",
       {"mesh(2,3)", "mesh(5,4)", "torus(3,4)", "line(7)", "random_regular(12,3;2)", "dragonfly(2,2,1)",
        "clos(2,2,3)", "kautz(2,2)", "edges(\"0 1 3, 1 2, 2 3 2, 3 0, 1 4\")", "hyperx(3,4)",
        "without(torus(3,3);\"link 0 1\")", "xgft(2,3;1,2)"}},
      {"_linear", {"ring(4)", "ring(5)", "torus(3,3)", "hypercube(3)", "complete(5)", "mesh(2,3)"}},
      {"_scattered", {"ring(4)", "ring(5)", "torus(3,3)", "hypercube(3)", "complete(6)", "mesh(2,3)"}},
      {"_scheduled",
       {"line(3)", "ring(5)", "mesh(2,3)", "torus(3,3)", "complete(6)", "dragonfly(2,2,1)", "kautz(2,2)",
        "edges(\"0 1 3, 1 2, 2 3 2, 3 0, 1 4\")", "tree(2,2)"}},
      {"_lattice",
       {"ring(5)", "ring(8)", "torus(3,3)", "torus(4,4)", "torus(3,3,3)", "hypercube(4)", "ring(2)",
        "ring(3)", "ring(4)", "torus(5,5)"}},
      {"_torus_windows",
       {"ring(2)", "ring(3)", "ring(8)", "ring(16)", "ring(26)", "torus(3,3)", "torus(4,4)", "torus(2,5)",
        "torus(5,7)", "torus(8,8)", "torus(2,3,4)", "hypercube(3)"}},
      {"_combs", {"mesh(2,2)", "mesh(3,3)", "mesh(2,4)", "mesh(5,3)", "mesh(4,4)", "mesh(2,5)"}},
      {"broadcast_wormhole_ports", {"torus(3,3)", "torus(4,4)", "torus(5,2)", "mesh(3,4)", "torus(2,2,3)"}},
  };
  return all;
}

struct Network {
  Topology topology;
  bool special = false;
};

std::vector<Network> networks_for(const Algorithm& card) {
  std::map<std::string, Network> out;
  for (const Special& special : specials()) {
    if (card.name.find(special.word) == std::string_view::npos) continue;
    for (const std::string_view spec : special.specs) {
      const Topology topology = parse_topology(spec);
      out.emplace(topology.name(), Network{topology, true});
    }
  }
  for (const auto& [name, topology] : topologies()) out.emplace(name, Network{topology});
  std::vector<Network> networks;
  for (auto& entry : out) networks.push_back(std::move(entry.second));
  return networks;
}

// Pieces that a block is cut into: one, three, and as many as there are ranks. What is counted has other
// counts for each of these.
enum class Cut : uint8_t { kOne, kThree, kRanks };
constexpr std::array kCuts = {Cut::kOne, Cut::kThree, Cut::kRanks};

constexpr std::string_view name_of(Cut cut) {
  constexpr std::array<std::string_view, 3> kNames = {"1", "3", "N"};
  return kNames[static_cast<size_t>(cut)];
}

uint32_t pieces_of(Cut cut, const Topology& topology) {
  if (cut == Cut::kOne) return 1;
  return cut == Cut::kThree ? 3 : static_cast<uint32_t>(topology.endpoints().size());
}

constexpr uint32_t kMostNodesInThree = 12;
constexpr uint32_t kMostNodesInRanks = 9;
constexpr uint32_t kMostNodesOfSpecialInRanks = 64;

// Two cuts into the same number are one problem.
bool is_cut(const Network& network, const NamedModel& model, Cut cut) {
  if (cut == Cut::kOne) return true;
  const uint32_t nodes = network.topology.num_nodes();
  if (cut == Cut::kThree) return network.special || nodes <= kMostNodesInThree;
  const uint32_t ranks = pieces_of(cut, network.topology);
  if (ranks == 1 || ranks == 3) return false;
  return network.special ? nodes <= kMostNodesOfSpecialInRanks : model.main() && nodes <= kMostNodesInRanks;
}

// A problem with more ports than any node has links is refused. (Each sample has as many links out as in.)
bool has_links_for(const Topology& topology, Ports ports) {
  if (ports.unlimited() || ports.count == 1) return true;
  for (const NodeId v : topology.nodes()) {
    uint64_t links = 0;
    for (const ArcId arc : topology.arcs_from(v)) links += topology.capacity(arc);
    if (links >= ports.count) return true;
  }
  return false;
}

bool fits(const Network& network, const NamedModel& m) {
  const Topology& topology = network.topology;
  if (m.model.routing == Routing::kDimensionOrder && topology.product() == nullptr) return false;
  if (m.tried == Tried::kOnSpecial && !network.special) return false;
  if (!m.main() && !network.special && topology.num_nodes() > kMostNodesInEveryModel) return false;
  return has_links_for(topology, m.model.send) && has_links_for(topology, m.model.receive);
}

// --- what is counted ------------------------------------------------------------------------------------

// Problems of one card, each of another network, model or number of pieces.
struct Count {
  int verified = 0;
  uint64_t block_hops = 0;
  std::map<std::string_view, int> by_model{};
  std::map<Cut, int> by_cut{};
  std::map<Cut, int> refused{};  ///< of those that it takes in one piece
  std::string refusal{};         ///< the first
  std::map<Checked, int> by_prediction{
      {Checked::kTested, 0}, {Checked::kOnlyReadOff, 0}, {Checked::kNothing, 0}};
};

// Verifies the card on one problem and says whether it applies.
bool try_one(const Algorithm& card, const Problem& problem, bool slow_checks, Count& count,
             std::string& refusal) {
  const Preparation ready = prepare(card, problem);
  if (!ready.fits.applies) {
    EXPECT_GT(ready.fits.reason.size(), 20U) << "a reason is a sentence: " << ready.fits.reason;
    refusal = ready.fits.reason;
    return false;
  }
  const PreparedPlan prepared = cheapest(ready.plans);
  Plan plan;
  prepared->generate(plan);
  const Verification verification = verify(problem, plan);
  const bool slow = slow_checks && verification.verdict.figures.block_hops <= kMostHopsForSlowChecks;
  for (const Check& check : kChecks) {
    if (check.slow && !slow) continue;
    check.run({card, *prepared, problem, plan, verification});
    if (!verification.schedule) return true;
  }
  ++count.verified;
  count.block_hops += verification.verdict.figures.block_hops;
  ++count.by_prediction[how_checked(prepared->prediction())];
  return true;
}

// Of a card for large counts every count is as large as it asks for.
Problem problem_for(const Algorithm& card, const Topology& topology, const Model& model, NodeId root,
                    uint32_t pieces) {
  Problem problem = any_problem(topology, card.collective, model, root, pieces);
  if (card.name != "alltoallv_streams") return problem;
  const Counts& counts = *problem.collective().counts();
  std::vector<Counts::Entry> entries(counts.entries().begin(), counts.entries().end());
  const uint64_t each = 8'192 / std::max<uint64_t>(1, counts.moved()) + 256;
  for (Counts::Entry& entry : entries) entry.count *= static_cast<uint32_t>(each);
  return counted_problem(topology, Counts(counts.num_ranks(), std::move(entries)), model);
}

// All cuts in one model, the whole first: only of a card that takes it whole it is news that it refuses
// pieces.
void try_cuts(const Algorithm& card, const Network& network, const NamedModel& m, Count& count) {
  const Topology& topology = network.topology;
  bool whole = false;
  for (const Cut cut : kCuts) {
    if (!is_cut(network, m, cut)) continue;
    const uint32_t pieces = pieces_of(cut, topology);
    SCOPED_TRACE(fmt::format("{} on {}, {}, {} piece(s)", card.name, topology.name(), m.name, pieces));
    const NodeId root = cut == Cut::kOne ? topology.endpoints().back() : kNoNode;
    std::string refusal;
    if (try_one(card, problem_for(card, topology, m.model, root, pieces), m.main(), count, refusal)) {
      if (::testing::Test::HasFailure()) return;
      ++count.by_model[m.name];
      ++count.by_cut[cut];
      if (cut == Cut::kOne) whole = true;
    } else if (whole) {
      ++count.refused[cut];
      if (count.refusal.empty()) count.refusal = refusal;
    }
  }
}

constexpr int kLeastVerified = 20;

// A card that has been tried so often, in all cuts, is tried on some of the other problems only.
constexpr int kManyVerified = 60;

// Their smallest network has 512 ranks: of as many pieces 134 million blocks.
bool is_too_large_for_ranks(const Algorithm& card) {
  return card.name == "alltoall_wormhole_dp3d" || card.name == "alltoall_wormhole_t3d2";
}

// A card that is hardly ever verified passes every check. One that refuses a cut must do so on every problem,
// and say that it is the pieces.
void is_verified_often_enough(const Algorithm& card, const Count& count) {
  EXPECT_GE(count.verified, kLeastVerified) << card.name << " needs more networks that it applies to";
  for (const Cut cut : {Cut::kThree, Cut::kRanks}) {
    if (count.by_cut.contains(cut) || (cut == Cut::kRanks && is_too_large_for_ranks(card))) continue;
    EXPECT_TRUE(count.refused.contains(cut))
        << card.name << " was never tried with " << name_of(cut) << " pieces";
    EXPECT_NE(count.refusal.find("piece"), std::string::npos)
        << card.name << " takes no pieces, and says instead: " << count.refusal;
  }
}

bool is_tried_enough(const Algorithm& card, const Count& count) {
  const auto met = [&](Cut cut) { return count.by_cut.contains(cut) || count.refused.contains(cut); };
  if (is_too_large_for_ranks(card)) return count.verified >= kLeastVerified && met(Cut::kThree);
  return count.verified >= kManyVerified && met(Cut::kThree) && met(Cut::kRanks);
}

void record(const Count& count) {
  using ::testing::Test;
  Test::RecordProperty("verified", count.verified);
  Test::RecordProperty("block_hops", fmt::format("{}", count.block_hops));
  Test::RecordProperty("predictions_tested", count.by_prediction.at(Checked::kTested));
  Test::RecordProperty("predictions_only_read_off", count.by_prediction.at(Checked::kOnlyReadOff));
  Test::RecordProperty("without_prediction", count.by_prediction.at(Checked::kNothing));
  for (const auto& [cut, problems] : count.by_cut)
    Test::RecordProperty(fmt::format("pieces_{}", name_of(cut)), problems);
  for (const auto& [model, problems] : count.by_model)
    Test::RecordProperty(fmt::format("model: {}", model), problems);
  if (!count.refusal.empty()) Test::RecordProperty("refuses_pieces", count.refusal);
}

// What a long search finds on larger networks is for tests of its own.
uint32_t most_nodes_for(const Algorithm& card) {
  if (card.name == "allgather_gossip") return 6;
  const bool searches_long = card.name == "allgather_swarm" || card.name == "allreduce_search" ||
                             card.name == "alltoallv_balanced_paths" || card.name == "alltoallv_direct" ||
                             card.name == "alltoallv_streams";
  return searches_long ? 8 : UINT32_MAX;
}

// One test per card, so that each is counted within one process however the tests are shared out.
class Conformance : public ::testing::TestWithParam<const Algorithm*> {};

std::string card_name(const ::testing::TestParamInfo<const Algorithm*>& info) {
  return std::string(info.param->name);
}

TEST_P(Conformance, KeepsWhatItPredictsOnEnoughProblems) {
  const Algorithm& card = *GetParam();
  Count count;
  Sample further(31);
  for (const Network& network : networks_for(card)) {
    if (network.topology.num_nodes() > most_nodes_for(card)) continue;
    for (const NamedModel& m : models()) {
      if (m.model.combining == Operator::kOrdered && !card.may_keep_order) continue;
      if (!fits(network, m) || (is_tried_enough(card, count) && !further.takes())) continue;
      try_cuts(card, network, m, count);
      if (HasFailure()) return;
    }
  }
  record(count);
  is_verified_often_enough(card, count);
}

INSTANTIATE_TEST_SUITE_P(Catalog, Conformance,
                         ::testing::ValuesIn(algorithm_catalog().begin(), algorithm_catalog().end()),
                         card_name);

}  // namespace conformance_test
}  // namespace quadrille
