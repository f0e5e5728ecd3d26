// Quadrille: schedules for collective communication on interconnection networks, made, proved and run.
//
// This is the front door, and all that a program needs to include:
//
//     #include "quadrille/quadrille.h"
//     using namespace quadrille;
//
//     const Topology network = parse_topology("torus(4,4)");                       // where
//     const Problem problem = make_problem(network, CollectiveKind::kAlltoall);    // what, by which rules
//     const Compiled made = compile(problem);                                      // a plan, judged
//
// Three nouns. A **Problem** is a network, a collective, and what a node and a link may do in one step. A
// **Plan** is a proposal: anybody may make one. A **Schedule** is a fact: a plan that the judge has passed,
// and there is no other way to get one. Whatever runs, costs or synchronises takes a Schedule.
//
// compile() answers with
//
//     made.schedule                   the steps, proved; run_on_threads(*made.schedule, ..) moves real bytes
//     made.verdict.figures            what the judge counted: steps, start-ups, blocks on the busiest link
//     made.bounds                     what no plan can beat, each with its witness; made.optimal()
//     made.head.algorithm             who made the plan, and
//     made.reason                     why: what it predicts, how many applied, who came next
//
// What else may be wished for is in Wishes: an algorithm by name, the size of a block where time decides,
// steps that stream by and are never stored, queues, arrays that never need packing, somebody who is told of
// progress.
//
// The rest, by what is wanted:
//
//     a network of your own      TopologyBuilder (topology/topology.h), or a graph file:
//                                parse_topology("file(\"net.graphml\")"), or read_graph() of a text
//     other people's plans       judge_plan(read_plan_file("their.json")): findings, or a schedule
//     to choose for yourself     offers(problem): what every algorithm predicts, or why it does not apply;
//                                frontier(problem): fewer start-ups against fewer blocks;
//                                compare_at(problem, bytes, 2): all by time, beside what papers promise
//     plan files                 write_plan_file("mine.plan", ..), plan_writer(): docs/plan_format.md
//     a plan of your own making  push its steps into a Judge, or hand it to verify() (verify/verify.h)
//     no common clock            synchronise(schedule, {}): barriers, signals or priorities that keep steps
//                                apart; a job with such a .synchronisation obeys it
//     real bytes                 run_on_threads(schedule, {.block_bytes = 65536}), or a Transport of your own
//     nodes without a plan       choose_local_program(problem, "auto"), run_nodes_on_threads(): each decides from
//                                its address and a small table what it sends
//     pictures                   network_svg(load_scene(record, layout)), space_time_svg(), .. of what a StepRecord was
//                                shown (draw/schedule_pictures.h)
//     a page to step through     view_page() of page_plan(): what `quadrille view` writes (viewer/view_page.h)
//     facts of a network         checked_facts(parse_spec("torus(8,8)", "network"))
//
// Errors: InputError is the caller's, and its message says what was given, what is allowed, and where; in
// messages wishes are called as the options of the command line (--algorithm, --root). An InternalError is a
// bug of ours. Everything else a function has to say is in what it returns. The same input gives the same
// bytes, always.
//
// Nothing here needs another library's headers. Link quadrille::quadrille (find_package) or `pkg-config
// quadrille`.
#pragma once

// IWYU pragma: begin_exports
#include "quadrille/base/input_error.h"
#include "quadrille/compile/checked_facts.h"
#include "quadrille/compile/comparison/comparison.h"
#include "quadrille/compile/comparison/frontier.h"
#include "quadrille/compile/comparison/offers.h"
#include "quadrille/compile/compile.h"
#include "quadrille/compile/local_choice.h"
#include "quadrille/compile/make_problem.h"
#include "quadrille/compile/progress.h"
#include "quadrille/draw/schedule_pictures.h"
#include "quadrille/program/synchronisation.h"
#include "quadrille/runtime/job.h"
#include "quadrille/runtime/node_job.h"
#include "quadrille/schedule/counts/read_counts.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/topology/graph_files/graph_reader.h"
#include "quadrille/topology/link_rates.h"
#include "quadrille/topology/queries/node_names.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"
#include "quadrille/viewer/page_plan.h"
// IWYU pragma: end_exports
