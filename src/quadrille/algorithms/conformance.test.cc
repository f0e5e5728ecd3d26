// The conformance suite: every card of the catalog, on every small topology and in every model where it
// applies, must keep what it claims.
//
// A new card is in it by its line in the catalog, a new family by its samples. A new check is one function
// and one line in kChecks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "quadrille/algorithms/algorithm.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/program/array_layout.h"
#include "quadrille/runtime/job.h"
#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/plan_text.h"
#include "quadrille/topology/catalog.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/queue_meter.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

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
}

// Whether the judge's figures say something about the card: a prediction that was read off the plan says of these
// three only that it was read right.
bool is_tested_by_the_judge(const Prediction& prediction) {
  const bool by_three = prediction.steps || prediction.start_ups || prediction.critical_blocks;
  return (by_three && !prediction.measured) || prediction.busiest_link || prediction.queue;
}

void measures_what_it_claims(const Made& made) {
  const Prediction prediction = made.prepared.prediction();
  keeps(prediction, made.figures());
  if (prediction.queue) {
    EXPECT_EQ(measure_queues(*made.verification.schedule).link, *prediction.queue);
  }
}

void rearranges_what_it_claims(const Made& made) {
  const std::optional<uint64_t> predicted = made.prepared.prediction().rearranged;
  if (!predicted) return;
  const ArrayLayout layout = lay_out_arrays(*made.verification.schedule);
  EXPECT_EQ(layout.rearranged(), *predicted);
  EXPECT_TRUE(check_array_layout(*made.verification.schedule, layout).empty());
}

void every_member_keeps_what_it_claims(const Made& made) {
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
  }
}

void is_not_below_any_bound(const Made& made) {
  for (const Bound& bound : all_bounds(made.problem)) {
    const Figures& figures = made.figures();
    const uint64_t measured = bound.on == BoundOn::kSteps ? figures.steps : figures.critical_blocks;
    EXPECT_GE(static_cast<int64_t>(measured), bound.value.ceil())
        << "bound on " << name_of(bound.on) << ", " << bound.name << ": " << bound.witness;
  }
}

void both_judges_agree(const Made& made) {
  if (made.figures().block_hops > 1200) return;
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
    Check{passes_the_judge, false},          Check{measures_what_it_claims, false},
    Check{is_not_below_any_bound, false},    Check{both_judges_agree, false},
    Check{is_made_the_same_again, false},    Check{survives_its_text_form, true},
    Check{rearranges_what_it_claims, false}, Check{every_member_keeps_what_it_claims, false},
    Check{survives_its_json_form, true},     Check{moves_every_byte_to_its_place, true},
};
constexpr uint64_t kMostHopsForSlowChecks = 200;

// --- what it is tried on --------------------------------------------------------------------------------

struct NamedModel {
  std::string_view name;
  Model model;
  bool main = false;  ///< tried on the larger topologies too, and with the slow checks
};

Model ports(uint32_t send, uint32_t receive) {
  Model model;
  model.send = Ports{send};
  model.receive = Ports{receive};
  return model;
}

Model half(Model model) {
  model.duplex = Duplex::kHalf;
  return model;
}

Model worms(Model model, Routing routing = Routing::kAny) {
  model.switching = Switching::kWormhole;
  model.routing = routing;
  return model;
}

std::vector<NamedModel> models() {
  return {
      {"one port", ports(1, 1), true},
      {"two ports", ports(2, 2)},
      {"all ports", ports(0, 0), true},
      {"one send port", ports(1, 0)},
      {"one receive port", ports(0, 1)},
      {"one port, half duplex", half(ports(1, 1))},
      {"all ports, half duplex", half(ports(0, 0))},
      {"worms, one port", worms(ports(1, 1)), true},
      {"worms, all ports, dimension order", worms(ports(0, 0), Routing::kDimensionOrder), true},
      {"worms, all ports, half duplex, shortest", half(worms(ports(0, 0), Routing::kShortest))},
      {"worms, two ports, dimension order", worms(ports(2, 2), Routing::kDimensionOrder)},
      {"worms, one port, dimension order", worms(ports(1, 1), Routing::kDimensionOrder)},
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
    for (const Family* family : family_catalog()) {
      for (const std::string_view sample : family->samples) add(parse_topology(sample));
    }
    for (const std::string_view spec : kMoreSpecs) add(parse_topology(spec));
    for (const Topology& topology : {petersen(), one_way(), with_routers()}) add(topology);
    return out;
  }();
  return all;
}

struct Case {
  const Algorithm* card;
  std::string topology;

  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.card->name << " on " << c.topology; }
};

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const Algorithm* card : algorithm_catalog()) {
    for (const auto& entry : topologies()) out.push_back({card, entry.first});
  }
  return out;
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = fmt::format("{}_on_{}_{}", info.param.card->name, info.param.topology, info.index);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

class Conformance : public ::testing::TestWithParam<Case> {};

// Problems on which a card was judged: with a prediction that could have been wrong, and with none.
struct Counts {
  int tested = 0;
  int only_read_off = 0;
};

void try_one(const Algorithm& card, const Problem& problem, bool slow_checks, Counts& counts) {
  const Preparation ready = prepare(card, problem);
  if (!ready.fits.applies) {
    EXPECT_GT(ready.fits.reason.size(), 20U) << "a reason is a sentence: " << ready.fits.reason;
    return;
  }
  const PreparedPlan prepared = cheapest(ready.plans);
  (is_tested_by_the_judge(prepared->prediction()) ? counts.tested : counts.only_read_off) += 1;
  Plan plan;
  prepared->generate(plan);
  const Verification verification = verify(problem, plan);
  const bool slow = slow_checks && verification.verdict.figures.block_hops <= kMostHopsForSlowChecks;
  for (const Check& check : kChecks) {
    if (check.slow && !slow) continue;
    check.run({card, *prepared, problem, plan, verification});
    if (!verification.schedule) return;
  }
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

TEST_P(Conformance, KeepsWhatItClaims) {
  const Algorithm& card = *GetParam().card;
  const Topology& topology = topologies().at(GetParam().topology);
  Counts counts;
  for (const NamedModel& m : models()) {
    if (m.model.routing == Routing::kDimensionOrder && topology.product() == nullptr) continue;
    if (!m.main && topology.num_nodes() > kMostNodesInEveryModel) continue;
    if (!has_links_for(topology, m.model.send) || !has_links_for(topology, m.model.receive)) continue;
    const NodeId last = topology.endpoints().back();
    for (const uint32_t pieces : {1U, 3U}) {
      if (pieces > 1 && topology.num_nodes() > 12) continue;
      SCOPED_TRACE(fmt::format("{} on {}, {}, {} piece(s)", card.name, topology.name(), m.name, pieces));
      try_one(card, standard_problem(topology, card.collective, m.model, pieces > 1 ? kNoNode : last, pieces),
              m.main, counts);
      if (HasFailure()) return;
    }
  }
  RecordProperty("claims_tested", counts.tested);
  RecordProperty("claims_only_read_off", counts.only_read_off);
}

INSTANTIATE_TEST_SUITE_P(Catalog, Conformance, ::testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace quadrille
