// quadrille-mpi: the main job over the ranks of an MPI program, the tuner (tune.h), and commands of `quadrille` whose work the ranks
// share (shared_command.h). Of the main job: Every rank makes and judges the same plan,
// all agree that it is the same, and each runs its part and checks its own output; rank 0 speaks.
//
// Exit status, of every rank: 0 every byte was right; 1 the plan is wrong; 2 bad input; 3 a bug of ours.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/json/json.h"
#include "quadrille/base/text.h"
#include "quadrille/compile/compile.h"
#include "quadrille/mpi/agreement.h"
#include "quadrille/mpi/arguments.h"
#include "quadrille/mpi/machine.h"
#include "quadrille/mpi/mpi_transport.h"
#include "quadrille/mpi/node_run.h"
#include "quadrille/mpi/shared_command.h"
#include "quadrille/mpi/shared_program.h"
#include "quadrille/mpi/tune.h"
#include "quadrille/options/run_options.h"
#include "quadrille/program/buffer_layout.h"
#include "quadrille/program/program_digest.h"
#include "quadrille/runtime/job.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille_mpi/tune.h"

namespace quadrille {
namespace {

void require_world(const Problem& problem) {
  const uint32_t endpoints = problem.topology().num_endpoints();
  if (static_cast<uint32_t>(num_ranks()) == endpoints) return;
  throw InputError(fmt::format("{} has {} endpoints, but {} MPI ranks were started; start them with -n {}",
                               problem.topology().name(), endpoints, num_ranks(), endpoints));
}

// Rank 0 reads, so that the file need not be everywhere.
std::string read_everywhere(const std::string& path) {
  std::string text = together([&] { return my_rank() == 0 ? read_file(path) : std::string(); });
  return text_of_rank_0(std::move(text));
}

// The job as all ranks together see it.
JobResult run_everywhere(const Program& program, const JobOptions& options) {
  require_memory_everywhere(buffer_bytes(program.ranks[static_cast<size_t>(my_rank())], options), options);
  // Each rank has its own part alone.
  JobResult job = measure_job(program, options);
  for (uint64_t* count : {&job.messages, &job.null_messages, &job.bytes_sent, &job.bytes_local})
    MPI_Allreduce(MPI_IN_PLACE, count, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  for (uint64_t* most : {&job.barriers, &job.scratch_bytes})
    MPI_Allreduce(MPI_IN_PLACE, most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  RankResult mine;
  {
    MpiTransport transport(MPI_COMM_WORLD,
                           options.synchronisation ? SendsAre::kSynchronous : SendsAre::kStandard);
    mine = run_rank(program, BufferLayout(program.collective), options, transport);
  }
  MPI_Allreduce(&mine.bytes_checked, &job.bytes_checked, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&mine.wrong_bytes, &job.wrong_bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&mine.error, &job.error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  job.times.resize(mine.times.size());
  MPI_Allreduce(mine.times.data(), job.times.data(), static_cast<int>(mine.times.size()), MPI_DOUBLE, MPI_MAX,
                MPI_COMM_WORLD);
  job.seconds = std::accumulate(job.times.begin(), job.times.end(), 0.0);
  return job;
}

// What a rank is to run: made and judged by itself alone.
struct Work {
  Compiled judged;
  JobOptions job;
};

std::string obeyed_text(const RunOptions& options, const Work& work) {
  const PlanSynchronisation& sync = *work.job.synchronisation;
  std::vector<std::string> parts;
  if (!sync.barriers.empty()) parts.push_back(plural(sync.barriers.size(), "barrier") + " (MPI_Barrier)");
  if (!sync.signals.empty()) parts.push_back(plural(sync.signals.size(), "signal"));
  std::string out = parts.empty() ? "nothing" : join(parts, " and ");
  const std::optional<PlanSynchronisation> asked = options.job(work.judged).synchronisation;
  if (asked && !asked->priorities.empty()) out += ", for priorities, which MPI has not";
  return out;
}

void print_job(const RunOptions& options, const Work& work, const JobResult& job) {
  const Compiled& judged = work.judged;
  const PlanHead& head = judged.head;
  const Figures& figures = judged.verdict.figures;
  if (options.json) {
    Json out = Json::object();
    out.set("collective", head.problem.collective().name())
        .set("topology", head.problem.topology().name())
        .set("algorithm", head.algorithm)
        .set("steps", figures.steps)
        .set("mpi", mpi_library())
        .set("ranks", num_ranks())
        .set("messages", job.messages)
        .set("block_bytes", options.bytes())
        .set("chunk_bytes", chunk_bytes(head.problem, options.bytes()))
        .set("iterations", options.iterations)
        .set("bytes_moved", job.bytes_sent)
        .set("bytes_local", job.bytes_local)
        .set("bytes_checked", job.bytes_checked)
        .set("wrong_bytes", job.wrong_bytes)
        .set("seconds", job.seconds)
        .set("seconds_min", *std::min_element(job.times.begin(), job.times.end()))
        .set("seconds_median", median_of(job.times))
        .set("seconds_max", *std::max_element(job.times.begin(), job.times.end()));
    if (work.job.elements)
      out.set("elements", elements_text(head.problem, options.bytes(), work.job)).set("error", job.error);
    if (judged.arrays) out.set("rearranged", judged.arrays->rearranged());
    if (const auto& queues = judged.verdict.queues)
      out.set("queues", Json::object()
                            .set("link", queues->link)
                            .set("incoming", queues->incoming)
                            .set("node", queues->node));
    if (work.job.synchronisation) {
      out.set("obeyed", obeyed_text(options, work))
          .set("null_messages", job.null_messages)
          .set("barriers", job.barriers);
    }
    std::cout << out.text();
    return;
  }
  const auto row = [](std::string_view name, const std::string& value) {
    std::cout << fmt::format("{:<14} {}\n", name, value);
  };
  row("problem", head.problem.title());
  row("algorithm", maker_of(options.source, judged));
  row("steps", with_thousands(figures.steps));
  if (judged.verdict.queues)
    row("queues", fmt::format("at most {} for one link, {} from one",
                              plural(judged.verdict.queues->link, "block"), judged.verdict.queues->incoming));
  if (judged.arrays) row("rearranged", plural(judged.arrays->rearranged(), "block") + " by the busiest node");
  row("ranks", fmt::format("{} processes, {}", num_ranks(), mpi_library()));
  row("messages",
      fmt::format("{} of {}", with_thousands(job.messages), message_text(head.problem, options.bytes())));
  row("bytes moved", fmt::format("{} between ranks, {} within", with_thousands(job.bytes_sent),
                                 with_thousands(job.bytes_local)));
  if (work.job.synchronisation) {
    row("obeyed", obeyed_text(options, work));
    row("null messages", with_thousands(job.null_messages));
  }
  if (work.job.elements) row("elements", elements_text(head.problem, options.bytes(), work.job));
  row("bytes checked", with_thousands(job.bytes_checked));
  row("wrong bytes", with_thousands(job.wrong_bytes));
  if (work.job.elements) row("error", error_text(*work.job.elements, job));
  row("time", times_text(job.times));
  row("bandwidth", to_text(bandwidth_of(head.problem.collective(), options.bytes(), median_of(job.times))));
}

// What is wrong with a plan, and with what it states of itself.
std::string faults_of(const Compiled& judged) {
  const Verdict& verdict = judged.verdict;
  std::string out;
  for (const Finding& finding : verdict.findings) out += to_text(finding) + "\n";
  const uint64_t rest = verdict.total_findings - verdict.findings.size();
  if (rest > 0) out += fmt::format("and {} more\n", rest);
  if (judged.synchronised) {
    for (const Finding& finding : judged.synchronised->findings) out += to_text(finding) + "\n";
    const uint64_t more = judged.synchronised->total_findings - judged.synchronised->findings.size();
    if (more > 0) out += fmt::format("and {} more\n", more);
  }
  for (const std::string& falsehood : judged.stated.falsehoods) out += falsehood + "\n";
  if (!out.empty()) out.pop_back();
  return out;
}

Work prepare(const RunOptions& options, const std::string& plan_text) {
  PlanSource source = plan_source(
      options.plan_options(), "run",
      [&plan_text](const std::string& path, GraphFiles files) { return read_plan(plan_text, path, files); });
  require_world(problem_of(source));
  static_cast<void>(options.job(problem_of(source)));  // refuses what makes no sense before a plan is made
  Compiled judged = compile(std::move(source), options.wishes());
  if (!judged.good()) throw Stop(kBadPlan, faults_of(judged));
  JobOptions job = options.job(judged);
  // MPI has no priorities.
  if (job.synchronisation) job.synchronisation = without_priorities(*judged.schedule, *job.synchronisation);
  job.arrays = nullptr;  // what is judged moves away
  return {std::move(judged), std::move(job)};
}

// Ranks may be other programs on other machines: with other words, versions, or graph files of the same name.
void agree_on_program(const Work& work, const RunOptions& options) {
  Digest digest;
  digest.add(digest_of_work(*work.judged.schedule, work.job));
  digest.add(work.judged.arrays ? 1 : 0);
  digest.add(options.bytes());
  digest.add(options.iterations);
  digest.add(options.type + " " + options.op);
  const PlanHead& head = work.judged.head;
  const std::string maker = head.algorithm.empty() ? "" : " by " + head.algorithm;
  const std::optional<Rank> root = head.problem.collective().root();
  const std::string from = root ? fmt::format(", root {}", index(*root)) : "";
  agree_on(digest.value(), "what is run",
           fmt::format("{}{}{}, {} steps, blocks of {} bytes, {} run(s), plan {:016x}", head.problem.title(),
                       from, maker, work.judged.verdict.figures.steps, options.bytes(), options.iterations,
                       digest.value()));
}

int run(std::span<const std::string> words) {
  const bool speaks = my_rank() == 0;
  if (is_tune(words)) return tune_everywhere(words.subspan(1));
  if (is_shared_command(words)) return run_shared_command(words);
  const auto arguments = together([&] { return std::make_unique<MpiArguments>(words); });
  const RunOptions& options = arguments->options();
  const std::string& plan = options.source.plan;
  // Who waits for a plan to be read waits for all.
  Digest asked;
  asked.add(arguments->help().empty() ? "" : "--help");
  asked.add(plan);
  asked.add(options.local ? "--local" : "");
  agree_on(asked.value(), "the arguments", fmt::format("{}", fmt::join(words, " ")));
  if (!arguments->help().empty()) {
    if (speaks) std::cout << arguments->help();
    return kRight;
  }
  if (options.local) return run_nodes_everywhere(options);
  const std::string plan_text = plan.empty() ? "" : read_everywhere(plan);
  Work work = together([&] { return prepare(options, plan_text); });
  agree_on_program(work, options);
  work.job.arrays = work.judged.arrays ? &*work.judged.arrays : nullptr;
  const Program program = program_of_this_rank(*work.judged.schedule, work.job);
  work.job.arrays = nullptr;
  const JobResult job = run_everywhere(program, work.job);
  if (speaks) print_job(options, work, job);
  if (job.correct()) return kRight;
  if (speaks) std::cerr << "error: bytes arrived wrong; this is a bug in Quadrille, please report it\n";
  return kOurBug;
}

// Up to the moment when data moves all ranks come to the same end, and rank 0 says why. What happens after
// that to one rank alone takes the others with it.
int run_caught(std::span<const std::string> words) {
  try {
    return run(words);
  } catch (const Stop& agreed) {
    if (my_rank() == 0) std::cerr << agreed.what() << "\n";
    return agreed.status();
  } catch (...) {
    end_all_for(std::current_exception());
  }
}

}  // namespace
}  // namespace quadrille

namespace {

// By what launchers tell a process: whether some ranks are not on this machine. Where they say nothing there is one.
bool may_have_several_machines() {
  constexpr std::array<std::array<const char*, 2>, 2> kNames{
      {{"OMPI_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_SIZE"}, {"MPI_LOCALNRANKS", "PMI_SIZE"}}};
  return std::any_of(kNames.begin(), kNames.end(), [](const auto& names) {
    const char* here = std::getenv(names[0]);
    const char* all = std::getenv(names[1]);
    return here != nullptr && all != nullptr && std::string_view(here) != all;
  });
}

// Whoever plans, judges or simulates together says little, and on one machine needs no network of any kind: looking for one is half of
// the time that Open MPI takes to start. What is set already stays. What is run or tuned is measured as users have it.
void start_without_networks(std::span<const std::string> words) {
  const char* here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
  const char* all = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (here == nullptr || all == nullptr || std::string_view(here) != all) return;
  if (!quadrille::is_shared_command(words) || std::getenv("OMPI_MCA_pml") != nullptr) return;
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self,vader", 0);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (quadrille::is_tune(words)) qd_before_init();
  // The judge has threads of its own; those of a pulse between machines speak MPI.
  const bool is_shared = may_have_several_machines() && !quadrille::is_tune(words);
  start_without_networks(words);
  MPI_Init_thread(&argc, &argv, is_shared ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
  const int status = quadrille::run_caught(words);
  std::cout.flush();
  MPI_Finalize();
  return status;
}
