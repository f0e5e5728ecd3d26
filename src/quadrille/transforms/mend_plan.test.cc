#include "quadrille/transforms/mend_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "quadrille/base/input_error.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/testing/error_of.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace mend_plan_test {

using ::testing::HasSubstr;

PlanFile made(std::string_view network, CollectiveKind kind, const Model& model = {}, uint32_t pieces = 1,
              const char* algorithm = "auto") {
  const Problem problem = make_problem(parse_topology(network), kind, model, "", pieces);
  const Compiled compiled = compile(problem, {.algorithm = algorithm});
  return {{problem, compiled.head.algorithm}, compiled.schedule->plan()};
}

// The delta makes a plan that is good for what is left, and comes back from its text as it was.
PlanFile judged(const PlanFile& base, const PlanDelta& delta) {
  const std::string text = write_plan_delta(base.problem, delta);
  const PlanDelta again = read_plan_delta(text, "x.delta", base);
  EXPECT_EQ(write_plan_delta(base.problem, again), text);
  PlanFile out = with_delta(base, again);
  EXPECT_EQ(out, with_delta(base, delta));
  const Verdict verdict = verify(out.problem, out.plan).verdict;
  EXPECT_TRUE(verdict.passed()) << out.problem.title() << "\n"
                                << (verdict.findings.empty() ? "" : to_text(verdict.findings[0]));
  EXPECT_EQ(out.problem.topology().name().substr(0, 8), "without(");
  return out;
}

TEST(MendPlan, EveryCollectiveOutlivesALinkANodeAndBoth) {
  for (const char* const network : {"torus(3,4)", "hypercube(3)", "random_regular(10,3;1)", "clos(4)"}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      const PlanFile base = made(network, kind);
      const Topology& whole = base.problem.topology();
      const std::string link = link_fault(whole, ArcId{5});
      const std::string node = "node " + whole.label(whole.endpoint(Rank{whole.num_endpoints() - 1}));
      for (const std::vector<std::string>& faults :
           {std::vector{link}, std::vector{node}, std::vector{link, node}}) {
        if (network == std::string("clos(4)") && faults[0] == link &&
            whole.arcs_from(whole.tail(ArcId{5})).size() == 1)
          continue;
        SCOPED_TRACE(base.problem.title() + " without " + faults.back());
        const PlanDelta delta = mend_plan(base, faults);
        const PlanFile mended = judged(base, delta);
        EXPECT_LT(nodes_changed(whole, delta), whole.num_nodes() + 1);
      }
    }
  }
}

TEST(MendPlan, PortsWormsAndHalfDuplexAreKept) {
  Model one;
  one.send = one.receive = kOnePort;
  Model half;
  half.duplex = Duplex::kHalf;
  Model worms = one;
  worms.switching = Switching::kWormhole;
  for (const Model& model : {one, half, worms}) {
    for (const CollectiveKind kind : {CollectiveKind::kAlltoall, CollectiveKind::kAllgather,
                                      CollectiveKind::kReduce, CollectiveKind::kAllreduce}) {
      const PlanFile base = made("torus(4,4)", kind, model);
      static_cast<void>(judged(base, mend_plan(base, {"link 0 1"})));
    }
  }
}

TEST(MendPlan, MostNodesKeepTheirProgram) {
  const PlanFile base = made("torus(8,8)", CollectiveKind::kBroadcast);
  const PlanDelta delta = mend_plan(base, {"link 9 10"});
  static_cast<void>(judged(base, delta));
  EXPECT_LE(nodes_changed(base.problem.topology(), delta), 8U);
}

// Every link was busy in every step, so that detours alone come behind the plan's end: 77, 74, 69 and 34 steps.
TEST(MendPlan, SlotsAreExchangedWithBlocksThatAreNotHit) {
  struct Known {
    const char* network;
    const char* fault;
    size_t most;
  };
  for (const Known& known : {Known{"torus(8,8)", "link 9 10", 71}, Known{"torus(8,8)", "node 27", 69},
                             Known{"mesh(6,6)", "link 14 15", 66}, Known{"clos(4)", "link 16 24", 32}}) {
    const PlanFile base = made(known.network, CollectiveKind::kAlltoall);
    const PlanDelta delta = mend_plan(base, {known.fault});
    EXPECT_EQ(mend_plan(base, {known.fault}), delta);
    EXPECT_LE(judged(base, delta).plan.num_steps(), known.most) << base.problem.title() << known.fault;
  }
}

// Sums that come together at one node each, and go out from there: in pieces, as a rule. Blocks that are not hit stay where they are.
TEST(MendPlan, OfAnAllreduceMostTransfersStay) {
  struct Known {
    const char* network;
    uint32_t pieces;
    size_t most;
  };
  for (const Known& known : {Known{"torus(4,4)", 16, 12}, Known{"torus(8,8)", 64, 42}}) {
    SCOPED_TRACE(known.network);
    const PlanFile base = made(known.network, CollectiveKind::kAllreduce, {}, known.pieces);
    const PlanDelta delta = mend_plan(base, {"link 0 1"});
    EXPECT_EQ(mend_plan(base, {"link 0 1"}), delta);
    EXPECT_LE(judged(base, delta).plan.num_steps(), known.most);
    EXPECT_LT(delta.dropped.num_transfers(), base.plan.num_transfers() / 10);
  }
}

// A switch whose hosts are all reached otherwise has nothing to add up; sums may take longer to come together than the plan does.
TEST(MendPlan, WhoHasNothingSendsNothing) {
  Model worms;
  worms.switching = Switching::kWormhole;
  Model half = worms;
  half.duplex = Duplex::kHalf;
  struct Case {
    const char* network;
    CollectiveKind kind;
    Model model;
    const char* algorithm;
    const char* fault;
  };
  for (const Case& one : {Case{"clos(2,2,2)", CollectiveKind::kReduce, {}, "auto", "link 5 6"},
                          Case{"clos(2,2,2)", CollectiveKind::kReduceScatter, {}, "auto", "link 5 7"},
                          Case{"dragonfly(1,2,1)", CollectiveKind::kReduceScatter, {}, "auto", "node 3"},
                          Case{"gpu_box(4,2)", CollectiveKind::kReduceScatter, {}, "auto", "link 2 5"},
                          Case{"ring(8)", CollectiveKind::kAllreduce, worms, "allreduce_centres", "arc 0 1"},
                          Case{"ring(9)", CollectiveKind::kAllreduce, worms, "allreduce_centres", "link 0 1"},
                          Case{"mesh(4,4)", CollectiveKind::kAllreduce, worms, "auto", "link 5 6"},
                          Case{"gpu_box(4,2;3)", CollectiveKind::kReduceScatter, half, "auto", "node 4"}}) {
    SCOPED_TRACE(one.network);
    const PlanFile base = made(one.network, one.kind, one.model, 2, one.algorithm);
    static_cast<void>(judged(base, mend_plan(base, {one.fault})));
  }
}

// What worms carry together goes on together.
TEST(MendPlan, PiecesThatGoTogetherAreMendedAsOne) {
  Model worms;
  worms.switching = Switching::kWormhole;
  for (const CollectiveKind kind :
       {CollectiveKind::kAllreduce, CollectiveKind::kBroadcast, CollectiveKind::kAlltoall}) {
    const auto steps = [&](uint32_t pieces) {
      const PlanFile base = made("torus(3,5)", kind, worms, pieces);
      return judged(base, mend_plan(base, {"arc 6 7"})).plan.num_steps();
    };
    EXPECT_LE(steps(64), 2 * steps(1)) << name_of(kind);
  }
}

// Where links are shared a step takes as much over each as over its busiest one.
TEST(MendPlan, SharedLinksTakeAsMuchAsTheBusiestOne) {
  Model many;
  many.packets = Packets::kMany;
  Model shared;
  shared.switching = Switching::kShared;
  for (const Model& model : {many, shared}) {
    for (const CollectiveKind kind : kCollectiveKinds) {
      for (const char* const network : {"torus(4,4)", "clos(2,2,2)", "hypercube(3)"}) {
        SCOPED_TRACE(network);
        const PlanFile base = made(network, kind, model, 4);
        const Topology& whole = base.problem.topology();
        const ArcId arc{whole.has_routers() ? whole.num_arcs() - 1 : 5};
        static_cast<void>(judged(base, mend_plan(base, {link_fault(whole, arc)})));
      }
    }
  }
  // 15 rounds in 4 steps; whoever has lost a link of four gets 60 blocks over three: 20 at least.
  const PlanFile base = made("torus(4,4)", CollectiveKind::kAllgather, many, 4);
  const PlanFile mended = judged(base, mend_plan(base, {"link 0 1"}));
  EXPECT_LE(verify(mended.problem, mended.plan).verdict.figures.critical_blocks, 24U);
  EXPECT_EQ(base.plan.num_steps(), 4U);
  EXPECT_LE(mended.plan.num_steps(), base.plan.num_steps() + 4);
}

// Where two nodes exchange sums nobody has them first: these go up and down a tree instead. A switch without anything to send sends nothing.
TEST(MendPlan, SumsThatAreExchangedComeTogetherElsewhere) {
  for (const char* const network : {"hypercube(3)", "torus(3,4)", "clos(4)", "xgft(2,4,4;1,2,2)"}) {
    const PlanFile base = made(network, CollectiveKind::kAllreduce);
    const Topology& whole = base.problem.topology();
    for (const ArcId arc : whole.arcs()) {
      if (whole.arcs_from(whole.tail(arc)).size() == 1 || whole.arcs_from(whole.head(arc)).size() == 1)
        continue;
      SCOPED_TRACE(link_fault(whole, arc));
      static_cast<void>(judged(base, mend_plan(base, {link_fault(whole, arc)})));
    }
  }
}

TEST(MendPlan, WhatTheFaultDoesNotTouchIsNoDifference) {
  const PlanFile base = read_plan(
      "quadrille-plan 1\ntopology ring(4)\ncollective scatter root=0\nstep\n0>1: 0-2\n0>3: 0-3\nstep\n0>1: 0-1\n1>2: 0-2\n",
      "x.plan");
  const PlanDelta delta = mend_plan(base, {"arc 2 3"});
  EXPECT_EQ(delta.dropped.num_transfers() + delta.added.num_transfers(), 0U);
  EXPECT_EQ(judged(base, delta).plan.num_steps(), 2U);
  const PlanDelta other = mend_plan(base, {"link 1 2"});
  EXPECT_THAT(
      write_plan_delta(base.problem, other),
      HasSubstr(
          "without link 1 2\nstep 1\n- 0>1: 0-2\n- 0>3: 0-3\n+ 0>3: 0-2\nstep 2\n- 1>2: 0-2\n+ 3>2: 0-2\n+ 0>3: 0-3\n"));
}

TEST(MendPlan, WhatCannotBeMendedIsSaid) {
  const auto error = [](const PlanFile& base, const char* fault) {
    return error_of([&] { static_cast<void>(mend_plan(base, {fault})); });
  };
  const PlanFile broadcast = made("line(4)", CollectiveKind::kBroadcast);
  EXPECT_THAT(error(broadcast, "node 0"), HasSubstr("the root, 0, is dead"));
  EXPECT_THAT(error(broadcast, "link 0 1"), HasSubstr("0 is cut off from the others"));
  EXPECT_THAT(error(broadcast, "link 0 2"), HasSubstr("has no link from 0 to 2"));
  Model ordered;
  ordered.combining = Operator::kOrdered;
  EXPECT_THAT(error(made("ring(4)", CollectiveKind::kAllreduce, ordered), "link 0 1"),
              HasSubstr("a plan that keeps an order is not mended"));
}

TEST(PlanDelta, EveryMistakeHasItsWords) {
  const PlanFile base = made("ring(4)", CollectiveKind::kBroadcast);
  const std::string head = "quadrille-delta 1\nbase " + [&] {
    const std::string text = write_plan_delta(base.problem, {.base = digest_of(base.problem, base.plan)});
    return text.substr(text.find("base ") + 5);
  }();
  const auto error = [&](const std::string& text) {
    return error_of([&] { static_cast<void>(with_delta(base, read_plan_delta(text, "x.delta", base))); });
  };
  EXPECT_THAT(error("quadrille-plan 1\n"), HasSubstr("starts with the line 'quadrille-delta 1'"));
  EXPECT_THAT(error("quadrille-delta 1\nwithout link 0 1\n"), HasSubstr("the line 'base' is missing"));
  EXPECT_THAT(error("quadrille-delta 1\nbase 12\n"), HasSubstr("this delta is for another plan"));
  EXPECT_THAT(error("quadrille-delta 1\nbase xyz\n"), HasSubstr("16 hexadecimal digits"));
  EXPECT_THAT(error(head), HasSubstr("a line 'without' is missing"));
  EXPECT_THAT(error(head + "without link 0 2\n"), HasSubstr("has no link from 0 to 2"));
  EXPECT_THAT(error(head + "wihout link 0 1\n"), HasSubstr("cannot start with 'wihout'"));
  EXPECT_THAT(error(head + "without link 0 1\nlater 99999\n"),
              HasSubstr("so many steps are not in this delta"));
  EXPECT_THAT(error(head + "without link 0 1\nstep 0\n"), HasSubstr("counted from 1"));
  EXPECT_THAT(error(head + "without link 0 1\nstep 99999\n"), HasSubstr("the plan has 2 steps"));
  EXPECT_THAT(error(head + "without link 0 1\nstep 2\nstep 1\n"), HasSubstr("come in their order"));
  EXPECT_THAT(error(head + "without link 0 1\nstep 1\n0>1: 0\n"), HasSubstr("'- 0>1: 0-5'"));
  EXPECT_THAT(error(head + "without link 0 1\nstep 2\n- 0>1: 0\n"),
              HasSubstr("step 2: the plan does not send"));
  EXPECT_THAT(error(head + "without node 3\n"), HasSubstr("a transfer goes through 3, which is dead"));
}

}  // namespace mend_plan_test
}  // namespace quadrille
