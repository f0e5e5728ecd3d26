// docs/plan_format.md and examples/check_plan.py against what they describe.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "quadrille/base/files.h"
#include "quadrille/base/random.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/compile/compile.h"
#include "quadrille/program/check_synchronisation.h"
#include "quadrille/schedule/plan_forms.test.h"
#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/testing/counted.test.h"
#include "quadrille/testing/source_path.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/verify.h"
#include "quadrille/verify/witnesses/proved_by.h"

namespace quadrille {
namespace plan_format_test {

const std::string kSource = source_path(".");

// The fenced blocks of one language.
std::vector<std::string> fenced_blocks(const std::string& page, const std::string& language) {
  const std::string open = "\n```" + language + "\n";
  std::vector<std::string> out;
  for (size_t at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    at += open.size();
    out.push_back(page.substr(at, page.find("\n```", at) + 1 - at));
  }
  return out;
}

std::vector<std::string> documented_plans() {
  const std::string page = read_file(kSource + "/docs/plan_format.md");
  std::vector<std::string> out = fenced_blocks(page, "plan");
  for (std::string& json : fenced_blocks(page, "json")) out.push_back(std::move(json));
  return out;
}

bool judge_passes(const PlanFile& file) { return verify(file.problem, file.plan).verdict.passed(); }

// What check_plan.py says of a plan, with its output.
struct Opinion {
  bool passes = false;
  std::string words;
};

// One run for all: Python takes its time to start.
std::vector<Opinion> second_opinions(const std::vector<PlanFile>& files) {
  // Of this process alone: shards of the tests run at the same time.
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / fmt::format("quadrille_second_opinions.{}", ::getpid());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  std::string names;
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string name = fmt::format("{}.json", i);
    write_plan_file((folder / name).string(), files[i]);
    names += " " + name;
  }
  const std::string command =
      fmt::format("cd '{}' && python3 -E -s -B '{}/examples/check_plan.py'{} >words 2>&1", folder.string(),
                  kSource, names);
  const int status = std::system(command.c_str());
  const std::string words = read_file((folder / "words").string());
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) <= 1) << words;
  EXPECT_THAT(words, ::testing::Not(::testing::HasSubstr("Traceback")));
  std::vector<Opinion> out;
  bool all_pass = true;
  for (size_t i = 0, at = 0; i < files.size(); ++i) {
    const size_t end = words.find('\n', at);
    const std::string line = words.substr(at, end - at);
    out.push_back({line.starts_with(fmt::format("{}.json: right: ", i)), line});
    all_pass = all_pass && out.back().passes;
    at = end + 1;
  }
  EXPECT_EQ(status == 0, all_pass);
  return out;
}

// A good plan of every flow and switching, small.
std::vector<PlanFile> good_plans() {
  std::vector<PlanFile> out;
  for (const std::string& text : documented_plans()) out.push_back(read_plan(text, "example"));
  for (const std::string_view text :
       {"quadrille-plan 1\ntopology mesh(2,2)\ncollective broadcast root=3\nmodel ports=1 duplex=half\nstep\n"
        "3>1: 3\nstep\n3>2: 3\n1>0: 3\n",
        "quadrille-plan 1\ntopology ring(4)\ncollective allgather\nmodel ports=1\nstep\n0>1: 0\n1>2: 1\n"
        "2>3: 2\n3>0: 3\nstep\n0>1: 3\n1>2: 0\n2>3: 1\n3>0: 2\nstep\n0>1: 2\n1>2: 3\n2>3: 0\n3>0: 1\n",
        "quadrille-plan 1\ntopology line(3)\ncollective gather\n"
        "model ports=1 switching=wormhole routing=shortest\nstep\n2>1>0: 2-0\nstep\nstep\n1>0: 1-0\n",
        "quadrille-plan 1\ntopology line(3)\ncollective reduce root=1 pieces=2\nstep\n0>1: 1.0\n2>1: 1.0\n"
        "step\n0>1: 1.1\n2>1: 1.1\n",
        "quadrille-plan 1\ntopology ring(3)\ncollective reduce_scatter\nmodel ports=1\nstep\n0>1: 1\n1>2: 2\n"
        "2>0: 0\nstep\n0>2: 2\n1>0: 0\n2>1: 1\n"}) {
    out.push_back(read_plan(text, "good.plan"));
  }
  return out;
}

TEST(PlanFormat, EveryExampleInTheDocumentIsReadAndJudgedGood) {
  const std::vector<std::string> plans = documented_plans();
  EXPECT_EQ(plans.size(), 6U);
  for (const std::string& text : plans) EXPECT_TRUE(judge_passes(read_plan(text, "example"))) << text;
}

TEST(PlanFormat, TheSynchronisationInTheDocumentIsEnoughAndNothingOfItIsTooMuch) {
  const PlanFile file = read_plan(documented_plans().at(3), "example");
  const Schedule schedule = verify(file.problem, file.plan).schedule.value();
  ASSERT_EQ(file.synchronisation.value().signals.size(), 1U);
  EXPECT_TRUE(check_synchronisation(schedule, *file.synchronisation, {}).passed());
  EXPECT_FALSE(check_synchronisation(schedule, {}, {}).passed());
}

// What a stranger has to read: a program of some fifty lines, and rooms of as many or a few more.
TEST(PlanFormat, TheCheckerAndEachOfItsRoomsIsReadInOneSitting) {
  const auto lines = [](const std::string& path) {
    const std::string script = read_file(path);
    return std::count(script.begin(), script.end(), '\n');
  };
  EXPECT_LE(lines(kSource + "/examples/check_plan.py"), 65);
  size_t rooms = 0;
  for (const auto& room : std::filesystem::directory_iterator(kSource + "/examples/checker")) {
    if (room.path().extension() != ".py") continue;
    EXPECT_LE(lines(room.path()), 90) << room.path();
    ++rooms;
  }
  EXPECT_EQ(rooms, 15U);
}

TEST(PlanFormat, TheCheckerSaysWhetherAPlanIsOptimalAndWhatProvesIt) {
  const std::string head = "quadrille-plan 1\ntopology line(3)\ncollective broadcast root=1\n";
  const std::string steps = "step\n1>0: 1\nstep\n1>2: 1\n";
  const std::vector<Opinion> opinions = second_opinions(
      {read_plan(head + "model ports=1\nbound doubling 2\nwitness informed 1 0\n" + steps, "best"),
       read_plan(head + "bound doubling 1\nwitness informed 1 0\n" + steps, "slow"),
       read_plan(head + steps, "alone")});
  EXPECT_EQ(opinions[0].words, "0.json: right: 2 steps, and none takes fewer");
  EXPECT_EQ(opinions[1].words, "1.json: right: 2 steps, and every plan takes 1");
  EXPECT_EQ(opinions[2].words, "2.json: right: 2 steps, and no bound is proved");
}

TEST(PlanFormat, TheCheckerPassesGoodPlans) {
  const std::vector<PlanFile> plans = good_plans();
  const std::vector<Opinion> opinions = second_opinions(plans);
  for (size_t i = 0; i < plans.size(); ++i) {
    EXPECT_TRUE(judge_passes(plans[i])) << write_plan_text(plans[i]);
    EXPECT_TRUE(opinions[i].passes) << opinions[i].words << write_plan_text(plans[i]);
  }
}

// What a plan is held against, spoilt: one node more in a cut or less, another node, other weights, a lemma less.
// Of what is spoilt some is still true.
std::vector<PlanFile> with_spoilt_witnesses(const PlanFile& file, Rng& rng) {
  std::vector<PlanFile> out;
  const Topology& net = file.problem.topology();
  const auto any_node = [&] { return id_at<NodeId>(rng.below(net.num_nodes())); };
  for (size_t b = 0; b < file.bounds.size(); ++b) {
    if (!file.bounds[b].witness) continue;
    for (int i = 0; i < 3; ++i) {
      PlanFile spoilt = file;
      BoundWitness& witness = *spoilt.bounds[b].witness;
      if (auto* cut = std::get_if<CutWitness>(&witness)) {
        const NodeId v = any_node();
        if (std::erase(cut->nodes, v) == 0) cut->nodes.push_back(v);
        std::ranges::sort(cut->nodes);
      } else if (auto* at = std::get_if<NodeWitness>(&witness)) {
        at->node = any_node();
      } else if (auto* news = std::get_if<InformedWitness>(&witness)) {
        if (rng.below(2) == 0) {
          news->hops += 1;
        } else {
          news->node = any_node();
        }
      } else if (auto* weights = std::get_if<WeightsWitness>(&witness)) {
        for (auto* side : {&weights->senders, &weights->receivers}) {
          if (!side->empty())
            (*side)[rng.below(side->size())].weight += 1 + static_cast<uint32_t>(rng.below(9));
        }
        if (!weights->links.empty()) weights->links[rng.below(weights->links.size())].weight *= 5;
      } else if (auto* among = std::get_if<BetweenWitness>(&witness)) {
        const NodeId v = any_node();
        if (std::erase(among->nodes, v) == 0) among->nodes.push_back(v);
        std::ranges::sort(among->nodes);
      } else if (auto* order = std::get_if<OrderWitness>(&witness)) {
        if (rng.below(2) == 0) {
          order->cut += 1;
        } else {
          std::swap(order->sides.front(), order->sides.back());
        }
      } else if (auto* sends = std::get_if<SendsWitness>(&witness)) {
        sends->steps = sends->steps + 1 - std::min(sends->steps, 2 * static_cast<uint32_t>(rng.below(2)));
      } else if (auto* cut_in_time = std::get_if<TimesWitness>(&witness)) {
        uint32_t& time = cut_in_time->times[rng.below(cut_in_time->times.size())];
        time = rng.below(2) == 0 ? time + 1 : time - std::min(time, 1U);
      } else {
        auto& lemmas = std::get<RefutationWitness>(witness).lemmas;
        lemmas.erase(lemmas.begin() + static_cast<std::ptrdiff_t>(rng.below(lemmas.size())));
      }
      if (!find_mistake(witness, net)) out.push_back(std::move(spoilt));
    }
  }
  return out;
}

PlanFile as_file(const Problem& problem) {
  Compiled made = compile(problem);
  return {made.head, made.schedule->plan()};
}

TEST(PlanFormat, TheCheckerAndTheJudgeProveTheSameFromWitnesses) {
  Rng rng(23);
  std::vector<PlanFile> plans;
  for (const std::string_view spec :
       {"line(5)", "tree(2,2)", "mesh(3,4)", "torus(5,5)", "star(3)", "cube_connected_cycles(3)"}) {
    for (const CollectiveKind kind : kEveryCollective) {
      for (const uint32_t count : {0U, 1U}) {
        Model model;
        model.send = model.receive = Ports{count};
        if (rng.below(3) == 0) model.duplex = Duplex::kHalf;
        Compiled made = compile(any_problem(parse_topology(spec), kind, model));
        PlanFile file{made.head, made.schedule->plan()};
        for (PlanFile& spoilt : with_spoilt_witnesses(file, rng)) plans.push_back(std::move(spoilt));
        plans.push_back(std::move(file));
      }
    }
  }
  // What rests on fat trees, on the order of coordinates and on useful sends: every such bound with its witness, and stated too high.
  std::map<std::string_view, size_t> held;
  const auto hold = [&](const Problem& problem) {
    PlanFile file = as_file(problem);
    for (const std::string_view name : {"fat_tree_leaf_times", "fat_tree_exponential", "fat_tree_routers",
                                        "dimension_order", "useful_sends"}) {
      for (const Bound& bound : bounds_of(*bound_catalog().find(name), problem)) {
        file.bounds = {{std::string(name), bound.value, bound.evidence}};
        plans.push_back(file);
        for (PlanFile& spoilt : with_spoilt_witnesses(file, rng)) plans.push_back(std::move(spoilt));
        file.bounds[0].value = Rational(bound.value.ceil() + 2);
        plans.push_back(file);
        ++held[name];
      }
    }
  };
  for (const std::string_view spec : {"fat_tree(2^3)", "fat_tree(3,2;exponential)"}) {
    for (const CollectiveKind kind : {CollectiveKind::kAlltoall, CollectiveKind::kAllgather})
      hold(any_problem(parse_topology(spec), kind, Model{.send = kOnePort, .receive = kOnePort}));
  }
  const Model ordered{.switching = Switching::kWormhole, .routing = Routing::kDimensionOrder};
  for (const std::string_view spec : {"torus(5,5)", "mesh(3,2,3)"}) {
    for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kGather})
      hold(any_problem(parse_topology(spec), kind, ordered));
  }
  for (const std::string_view spec : {"mesh(3,4)", "jellyfish(6,3,2;1)", "kautz(2,2)", "star(3)"}) {
    for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kReduce,
                                      CollectiveKind::kAllgather, CollectiveKind::kReduceScatter}) {
      for (const uint32_t count : {1U, 2U})
        hold(any_problem(parse_topology(spec), kind, Model{.send = Ports{count}, .receive = Ports{count}}));
    }
  }
  EXPECT_EQ(held.size(), 5U);
  const std::vector<Opinion> opinions = second_opinions(plans);
  size_t refused = 0;
  for (size_t i = 0; i < plans.size(); ++i) {
    bool proved = true;
    for (const PlanBound& bound : plans[i].bounds) {
      if (bound.witness)
        proved = proved && proved_by(plans[i].problem, *bound.witness).ceil() >= bound.value.ceil();
    }
    EXPECT_EQ(opinions[i].passes, proved) << opinions[i].words << "\n" << write_plan_text(plans[i]);
    refused += proved ? 0 : 1;
  }
  EXPECT_GT(refused, 60U);
  EXPECT_LT(refused * 5, plans.size() * 4);
}

// Breaks a plan somewhere: a transfer dropped, doubled, moved to the step before, sent elsewhere, or with
// another block; or the steps swapped.
PlanFile mutant(const PlanFile& good, Rng& rng) {
  const size_t steps = good.plan.num_steps();
  size_t step = rng.below(steps);
  while (good.plan.step(step).size() == 0) step = rng.below(steps);
  const size_t victim = rng.below(good.plan.step(step).size());
  const size_t kind = rng.below(5);
  PlanFile out = good;
  out.plan = Plan();
  StepBuilder builder;
  for (size_t s = 0; s < steps; ++s) {
    const StepView view = good.plan.step(s);
    for (size_t t = 0; t < view.size(); ++t) {
      const bool here = s == step && t == victim;
      if (here && kind == 0) continue;
      std::vector<ArcId> arcs(view.arcs(t).begin(), view.arcs(t).end());
      std::vector<BlockId> blocks(view.blocks(t).begin(), view.blocks(t).end());
      if (here && kind == 2) arcs.back() = id_at<ArcId>(rng.below(good.problem.topology().num_arcs()));
      if (here && kind == 3) blocks[0] = id_at<BlockId>(rng.below(good.problem.collective().num_blocks()));
      builder.add(arcs, blocks, view.op(t));
      if (here && kind == 1) builder.add(arcs, blocks, view.op(t));
    }
    if (!(kind == 4 && s == step)) builder.flush(out.plan);
  }
  if (!builder.empty()) builder.flush(out.plan);
  return out;
}

TEST(PlanFormat, TheCheckerAgreesWithTheJudgeOnBrokenPlans) {
  Rng rng(7);
  std::vector<PlanFile> mutants;
  for (const PlanFile& good : good_plans()) {
    for (int i = 0; i < 6; ++i) mutants.push_back(mutant(good, rng));
  }
  const std::vector<Opinion> opinions = second_opinions(mutants);
  size_t bad = 0;
  for (size_t i = 0; i < mutants.size(); ++i) {
    const bool passes = judge_passes(mutants[i]);
    EXPECT_EQ(opinions[i].passes, passes) << opinions[i].words << write_plan_text(mutants[i]);
    bad += passes ? 0 : 1;
  }
  EXPECT_GE(bad, 20U);
}

}  // namespace plan_format_test
}  // namespace quadrille
