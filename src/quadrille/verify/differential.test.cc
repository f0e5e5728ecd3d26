// Three judges, one verdict: good plans are spoilt in every way that we can think of (mutants.test.h), and
// the fast judge, the reference judge and examples/check_plan.py must say the same of every mutant.
//
// The two judges are held to the same findings, one by one, and to the same figures. The script says right or
// wrong only, and it knows neither limits on queues nor dimension order: where a plan breaks nothing else,
// and only there, it may pass what the judges do not.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/schedule/plan_json.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/schedule/plan_text.h"
#include "quadrille/testing/counted.test.h"
#include "quadrille/testing/sample.test.h"
#include "quadrille/testing/source_path.test.h"
#include "quadrille/topology/topology_spec.h"
#include "quadrille/verify/mutants.test.h"
#include "quadrille/verify/random_plans.test.h"
#include "quadrille/verify/reference.h"
#include "quadrille/verify/rule.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace differential_test {

using testing::kMutations;
using testing::LoosePlan;
using testing::Mutation;

// --- problems -------------------------------------------------------------------------------------------

// Small products, for dimension order.
const std::vector<Topology>& products() {
  static const std::vector<Topology> all = [] {
    std::vector<Topology> out;
    for (const std::string_view spec : {"mesh(2,2)", "mesh(3,2)", "torus(3,2)", "torus(2,4)", "mesh(2,2,2)",
                                        "product(line(3),complete(3))", "torus(5,2)"}) {
      out.push_back(parse_topology(spec));
    }
    return out;
  }();
  return all;
}

Topology random_network(Rng& rng, CollectiveKind kind) {
  const size_t shape = rng.below(8);
  if (shape == 0) {
    // Total exchange in more than six nodes would take most of the time and show nothing new.
    return products()[rng.below(
        kind == CollectiveKind::kAlltoall || kind == CollectiveKind::kAlltoallv ? 3 : products().size())];
  }
  const uint32_t nodes = 1 + static_cast<uint32_t>(rng.below(6));
  const bool routers = rng.below(3) == 0;
  return shape <= 2 ? testing::random_directed_topology(rng, nodes, routers)
                    : testing::random_topology(rng, nodes, routers);
}

// At most as many ports as some node has links: more are refused.
Ports random_ports(const Topology& net, bool receive, Rng& rng) {
  std::vector<uint32_t> links(net.num_nodes());
  for (const ArcId arc : net.arcs())
    links[index(receive ? net.head(arc) : net.tail(arc))] += net.capacity(arc);
  const uint32_t most = *std::max_element(links.begin(), links.end());
  return Ports{static_cast<uint32_t>(rng.below(std::min(most, 3U) + 1))};
}

Model random_model(const Topology& net, Rng& rng) {
  Model model;
  model.send = random_ports(net, false, rng);
  model.receive = random_ports(net, true, rng);
  model.switching = rng.below(2) == 0 ? Switching::kWormhole : Switching::kPacket;
  if (rng.below(3) == 0) {
    model.switching = rng.below(2) == 0 ? Switching::kShared : Switching::kPacket;
    if (!takes_paths(model)) model.packets = Packets::kMany;
  }
  if (rng.below(2) == 0) model.cost.to = 1.0;  // messages are counted
  model.duplex = rng.below(4) == 0 ? Duplex::kHalf : Duplex::kFull;
  if (model.switching == Switching::kPacket) return model;  // which has no paths to choose
  if (net.product() != nullptr && rng.below(2) == 0) {
    model.routing = Routing::kDimensionOrder;
  } else if (rng.below(3) == 0) {
    model.routing = Routing::kShortest;
  }
  return model;
}

Problem random_problem(CollectiveKind kind, Rng& rng) {
  const Topology net = random_network(rng, kind);
  const auto root = net.endpoint(Rank{static_cast<uint32_t>(rng.below(net.num_endpoints()))});
  const auto pieces = 1 + static_cast<uint32_t>(rng.below(2));
  const Model model = random_model(net, rng);
  return any_problem(net, kind, model, root, pieces);
}

// The problem with a rule that its plan may break: fewer ports, one direction at a time, or shorter queues.
Problem tightened(const Problem& problem, const Plan& plan, Rng& rng) {
  Model model = problem.model();
  switch (rng.below(6)) {
    case 2:
      if (problem.collective().flow() == Flow::kCombine) {
        model.combining = Operator::kOrdered;
        break;
      }
      [[fallthrough]];
    case 4:
      if (problem.collective().pieces() > 1) {
        model.chunks = Chunks::kInOrder;
        break;
      }
      [[fallthrough]];
    case 0:
      model.send = kOnePort;
      break;
    case 1:
      model.duplex = Duplex::kHalf;
      break;
    default: {
      if (problem.collective().flow() == Flow::kCombine) break;
      Judge judge(problem, {.threads = 1, .queues = true});
      plan.replay(judge);
      if (rng.below(2) == 0) model.queues_per = QueuesPer::kIncoming;
      const QueueFigures queues = judge.finish().queues.value();
      const uint64_t longest = model.queues_per == QueuesPer::kIncoming ? queues.incoming : queues.link;
      model.queue_limit = static_cast<uint32_t>(longest - std::min<uint64_t>(longest, rng.below(2)));
    }
  }
  return {problem.topology(), problem.collective(), model};
}

// --- judges ---------------------------------------------------------------------------------------------

bool same_places(const Verdict& a, const Verdict& b) {
  const auto same = [](const Finding& f, const Finding& g) {
    return f.rule == g.rule && f.step == g.step && f.transfer == g.transfer;
  };
  return a.total_findings == b.total_findings &&
         std::equal(a.findings.begin(), a.findings.end(), b.findings.begin(), b.findings.end(), same);
}

std::string words_of(const Verdict& verdict) {
  std::string out;
  for (const Finding& finding : verdict.findings) out += "\n  " + to_text(finding);
  return out.empty() ? "\n  nothing" : out;
}

Verdict judged(const Problem& problem, const Plan& plan, unsigned threads) {
  Judge judge(problem, {.max_findings = 100000, .threads = threads});
  plan.replay(judge);
  return judge.finish();
}

// What both judges say, or a failure with the plan as a text. Every eighth time the fast judge is several.
Verdict judged_by_both(const Problem& problem, const Plan& plan, uint64_t number) {
  const Verdict slow = reference_verify(problem, plan);
  const Verdict fast = judged(problem, plan, number % 8 == 0 ? 3 : 1);
  if (!same_places(fast, slow) || (slow.passed() && !(fast.figures == slow.figures))) {
    ADD_FAILURE() << testing::text_of(problem, plan) << "the judge finds:" << words_of(fast)
                  << "\nthe reference judge finds:" << words_of(slow);
  }
  return slow;
}

// The script does not know this rule.
bool beyond_the_script(const Problem& problem, const Finding& finding) {
  return finding.rule == "worm_routing" && problem.model().routing == Routing::kDimensionOrder;
}

// Plans that wait for the script: one run for all, for Python takes its time to start.
class Script {
 public:
  explicit Script(const std::string& name)
      : folder_(std::filesystem::path(::testing::TempDir()) /
                fmt::format("quadrille_differential_{}_{}", name, ::getpid())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    lines_.open(folder_ / "plans");
  }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  ~Script() { std::filesystem::remove_all(folder_); }

  void add(const Problem& problem, const Plan& plan, const Verdict& verdict) {
    std::string line = write_plan_json({{problem}, plan});
    std::erase(line, '\n');
    lines_ << line << '\n';
    const bool unknown = std::all_of(verdict.findings.begin(), verdict.findings.end(),
                                     [&](const Finding& f) { return beyond_the_script(problem, f); });
    expected_ += verdict.passed() ? 'r' : unknown ? '?' : 'w';
  }

  [[nodiscard]] size_t size() const { return expected_.size(); }

  // One letter a plan, r(ight) or w(rong), is what the script writes; a plan of which it says otherwise than
  // the judges is a failure.
  void compare() {
    lines_.close();
    const std::string command = fmt::format(
        "cd '{}' && PYTHONPATH='{}' PYTHONDONTWRITEBYTECODE=1 python3 -c 'import json, sys\n"
        "from check_plan import check\n"
        "for line in sys.stdin: sys.stdout.write(\"w\" if any(True for _ in check(json.loads(line))) else "
        "\"r\")' <plans >letters 2>errors",
        folder_.string(), source_path("examples"));
    const int status = std::system(command.c_str());
    const std::string errors = read("errors");
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << errors;
    const std::string letters = read("letters");
    ASSERT_EQ(letters.size(), expected_.size()) << errors;
    std::ifstream plans(folder_ / "plans");
    std::string line;
    for (size_t i = 0; std::getline(plans, line); ++i) {
      if (expected_[i] == '?' || expected_[i] == letters[i]) continue;
      const PlanFile file = read_plan_json(line, "mutant.json");
      ADD_FAILURE() << "check_plan.py says " << (letters[i] == 'r' ? "right" : "wrong")
                    << ", the judges do not:\n"
                    << write_plan_text(file) << words_of(reference_verify(file.problem, file.plan));
    }
  }

 private:
  [[nodiscard]] std::string read(const char* name) const {
    std::ifstream in(folder_ / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::filesystem::path folder_;
  std::ofstream lines_;
  std::string expected_;
};

// --- the comparison -------------------------------------------------------------------------------------

constexpr int kMutantsOfAPlan = 2 * kMutations;

// What a run has seen, so that a test can tell that it has seen enough.
struct Seen {
  uint64_t mutants = 0;
  uint64_t passed = 0;
  std::array<uint64_t, kMutations> caught{};
  std::set<std::string> rules{};
  std::set<CollectiveKind> kinds{};
};

// Every kind of mutation twice: alone, and after another one.
void judge_mutants(uint64_t seed, uint64_t for_script, Script& script, Seen& seen) {
  Rng rng(seed);
  const CollectiveKind kind = kEveryCollective[seed % kEveryCollective.size()];
  const Problem given = random_problem(kind, rng);
  const Plan good = testing::random_plan(given, rng);
  const Verdict verdict = judged_by_both(given, good, seed);
  ASSERT_TRUE(verdict.passed()) << testing::text_of(given, good) << words_of(verdict);
  const bool tighter = rng.below(3) == 0;
  const Problem problem = tighter ? tightened(given, good, rng) : given;
  const LoosePlan loose = testing::loosen(good);
  for (int m = 0; m < kMutantsOfAPlan; ++m) {
    const auto mutation = static_cast<Mutation>(m % kMutations);
    const bool twice = m >= kMutations;
    LoosePlan spoilt = loose;
    if (twice) testing::mutate(static_cast<Mutation>(rng.below(kMutations)), problem, spoilt, rng);
    testing::mutate(mutation, problem, spoilt, rng);
    const Plan mutant = testing::tighten(spoilt);
    const Verdict said = judged_by_both(problem, mutant, seen.mutants);
    if (!twice && good.num_transfers() > 0 && testing::is_surely_wrong(mutation, problem)) {
      EXPECT_FALSE(said.passed()) << testing::text_of(problem, mutant) << "mutation " << m;
    }
    if (seen.mutants % for_script == 0 && testing::can_be_written(problem, mutant))
      script.add(problem, mutant, said);
    ++seen.mutants;
    seen.passed += said.passed() ? 1 : 0;
    if (!said.passed()) ++seen.caught[static_cast<size_t>(mutation)];
    for (const Finding& finding : said.findings) seen.rules.emplace(finding.rule);
    seen.kinds.insert(kind);
  }
}

// The plans of one part. One mutant in `for_script` is for the script, too, if a file can hold it.
void compare_judges(const std::string& name, uint64_t part, uint64_t plans, uint64_t for_script) {
  Script script(fmt::format("{}_{}", name, part));
  Seen seen;
  for (uint64_t i = 0; i < plans && !::testing::Test::HasFailure(); ++i) {
    judge_mutants(part * plans + i, for_script, script, seen);
  }
  if (::testing::Test::HasFailure()) return;
  script.compare();
  EXPECT_EQ(seen.mutants, plans * kMutantsOfAPlan);
  EXPECT_GT(script.size(), seen.mutants / for_script * 3 / 4);
  EXPECT_GT(seen.passed, seen.mutants / 20) << "a mutant that is as good as before is a test, too";
  EXPECT_EQ(seen.kinds.size(), kEveryCollective.size());
  EXPECT_EQ(seen.rules.size(), rule_catalog().size()) << "every rule was broken somewhere";
  for (int m = 0; m < kMutations; ++m) {
    EXPECT_GT(seen.caught[static_cast<size_t>(m)], 0U) << "mutation " << m;
  }
}

TEST(DifferentialCorpus, TheScriptRejectsEveryBadPlanThatTheJudgesReject) {
  Script script("corpus");
  for (const auto& entry : std::filesystem::directory_iterator(source_path("testdata/bad_plans"))) {
    if (entry.path().extension() != ".plan") continue;
    const PlanFile file = read_plan(read_file(entry.path().string()), entry.path().stem().string());
    if (!testing::can_be_written(file.problem, file.plan)) continue;
    script.add(file.problem, file.plan, reference_verify(file.problem, file.plan));
  }
  EXPECT_GT(script.size(), 30U);
  script.compare();
}

// 25,600 mutants in four parts, or twice as many, so that shards can share them, all of them for the script, too.
class Differential : public ::testing::TestWithParam<uint64_t> {};

TEST_P(Differential, AllJudgesSayTheSameOfEveryMutant) { compare_judges("ci", GetParam(), 160, 1); }

INSTANTIATE_TEST_SUITE_P(Parts, Differential,
                         ::testing::Range(uint64_t{0}, uint64_t{Sample::whole() ? 8U : 4U}));

// 10,000,000 mutants, other ones; one in five for the script.
class DifferentialSlow : public ::testing::TestWithParam<uint64_t> {};

TEST_P(DifferentialSlow, AllJudgesSayTheSameOfEveryMutant) {
  compare_judges("slow", 1000 + GetParam(), 2500, 5);
}

INSTANTIATE_TEST_SUITE_P(Parts, DifferentialSlow, ::testing::Range(uint64_t{0}, uint64_t{100}));

}  // namespace differential_test
}  // namespace quadrille
