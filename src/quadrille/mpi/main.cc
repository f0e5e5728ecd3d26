// quadrille-mpi: the main job over the ranks of an MPI program. Every rank makes and judges the same plan
// (same problem, same bytes), runs its part, and checks its own output; rank 0 speaks.
//
// Exit status, of every rank: 0 every byte was right; 1 the plan is wrong; 2 bad input; 3 a bug of ours.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <exception>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "quadrille/algorithms/choice.h"
#include "quadrille/base/files.h"
#include "quadrille/base/input_error.h"
#include "quadrille/base/text.h"
#include "quadrille/bounds/bound.h"
#include "quadrille/mpi/arguments.h"
#include "quadrille/mpi/mpi_transport.h"
#include "quadrille/runtime/job.h"
#include "quadrille/schedule/plan_reader.h"
#include "quadrille/verify/verify.h"

namespace quadrille {
namespace {

enum ExitStatus : int { kRight = 0, kBadPlan = 1, kBadInput = 2, kOurBug = 3 };

// A bad input that rank 0 alone has seen, as the others hear of it.
constexpr uint64_t kUnreadable = UINT64_MAX;

int my_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int num_ranks() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

void require_world(const Problem& problem) {
  const uint32_t endpoints = problem.topology().num_endpoints();
  if (static_cast<uint32_t>(num_ranks()) == endpoints) return;
  throw InputError(fmt::format("{} has {} endpoints, but {} MPI ranks were started; start them with -n {}",
                               problem.topology().name(), endpoints, num_ranks(), endpoints));
}

// Rank 0 reads, so that the file need not be everywhere.
std::string read_everywhere(const std::string& path) {
  std::string text;
  uint64_t size = 0;
  std::exception_ptr error;
  if (my_rank() == 0) {
    try {
      text = read_file(path);
      size = text.size();
    } catch (const InputError&) {
      error = std::current_exception();
      size = kUnreadable;
    }
  }
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (error) std::rethrow_exception(error);
  if (size == kUnreadable) throw InputError("rank 0 cannot read " + path);
  text.resize(size);
  constexpr uint64_t kPart = uint64_t{1} << 30U;
  for (uint64_t at = 0; at < size; at += kPart) {
    MPI_Bcast(text.data() + at, static_cast<int>(std::min(kPart, size - at)), MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  return text;
}

PlanFile make_plan(const MpiArguments& arguments) {
  if (!arguments.plan_file.empty()) {
    PlanFile file = read_plan(read_everywhere(arguments.plan_file), arguments.plan_file);
    require_world(file.problem);
    return file;
  }
  const Problem problem = arguments.problem();
  require_world(problem);
  const auto fewest = static_cast<uint64_t>(best_bound(problem).value.ceil());
  const Choice choice = pick_algorithm(problem, arguments.algorithm, arguments.block_bytes, fewest);
  PlanFile file{{problem, choice.name(), {}, {}}, {}};
  choice.generate(problem, file.plan);
  return file;
}

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::string name(text.data(), static_cast<size_t>(length));
  name = name.substr(0, name.find_first_of(",\n"));
  std::ranges::replace(name, '\t', ' ');
  return name;
}

// Every rank throws the same InputError if any machine has less memory than the ranks on it need.
void require_memory_everywhere(const RankProgram& program, const JobOptions& options) {
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  double needed = buffer_bytes(program, options);
  double there = machine_bytes();
  MPI_Allreduce(MPI_IN_PLACE, &needed, 1, MPI_DOUBLE, MPI_SUM, machine);
  MPI_Comm_free(&machine);
  MPI_Allreduce(MPI_IN_PLACE, &needed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &there, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  require_memory(needed, there, options);
}

// The job as all ranks together see it.
JobResult run_everywhere(const Schedule& schedule, const JobOptions& options) {
  const Program program = checked_program(schedule);
  require_memory_everywhere(program.ranks[static_cast<size_t>(my_rank())], options);
  JobResult job = measure_job(program, options);
  RankResult mine;
  {
    MpiTransport transport(MPI_COMM_WORLD);
    mine = run_rank(program, options, transport);
  }
  MPI_Allreduce(&mine.bytes_checked, &job.bytes_checked, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&mine.wrong_bytes, &job.wrong_bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&mine.seconds, &job.seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return job;
}

void print_job(const MpiArguments& arguments, const PlanHead& head, const Figures& figures,
               const JobResult& job) {
  if (arguments.json) {
    const nlohmann::ordered_json out = {
        {"collective", head.problem.collective().name()},
        {"topology", head.problem.topology().name()},
        {"algorithm", head.algorithm},
        {"steps", figures.steps},
        {"mpi", mpi_library()},
        {"ranks", num_ranks()},
        {"messages", job.messages},
        {"block_bytes", arguments.block_bytes},
        {"iterations", arguments.iterations},
        {"bytes_moved", job.bytes_sent},
        {"bytes_local", job.bytes_local},
        {"bytes_checked", job.bytes_checked},
        {"wrong_bytes", job.wrong_bytes},
        {"seconds", job.seconds},
    };
    std::cout << out.dump(2) << "\n";
    return;
  }
  const auto row = [](std::string_view name, const std::string& value) {
    std::cout << fmt::format("{:<14} {}\n", name, value);
  };
  const double moved = static_cast<double>(job.bytes_sent) * arguments.iterations;
  row("problem", head.problem.title());
  row("algorithm", head.algorithm.empty() ? arguments.plan_file : head.algorithm);
  row("steps", with_thousands(figures.steps));
  row("ranks", fmt::format("{} processes, {}", num_ranks(), mpi_library()));
  row("messages", fmt::format("{} of blocks of {} bytes", with_thousands(job.messages),
                              with_thousands(arguments.block_bytes)));
  row("bytes moved", fmt::format("{} between ranks, {} within", with_thousands(job.bytes_sent),
                                 with_thousands(job.bytes_local)));
  row("bytes checked", with_thousands(job.bytes_checked));
  row("wrong bytes", with_thousands(job.wrong_bytes));
  row("time", fmt::format("{:.3g} ms for {} run(s), {:.3g} GB/s", job.seconds * 1e3, arguments.iterations,
                          job.seconds > 0 ? moved / job.seconds / 1e9 : 0));
}

void print_findings(const Verdict& verdict) {
  for (const Finding& finding : verdict.findings) std::cerr << to_text(finding) << "\n";
  const uint64_t rest = verdict.total_findings - verdict.findings.size();
  if (rest > 0) std::cerr << fmt::format("and {} more\n", rest);
}

int run(std::span<const std::string> words) {
  const bool speaks = my_rank() == 0;
  const ParsedArguments parsed = parse_arguments(words);
  if (!parsed.help.empty()) {
    if (speaks) std::cout << parsed.help;
    return kRight;
  }
  PlanFile file = make_plan(parsed.arguments);
  const PlanHead head = file;
  const Verification judged = verify(head.problem, std::move(file.plan));
  if (!judged.schedule) {
    if (speaks) print_findings(judged.verdict);
    return kBadPlan;
  }
  const JobOptions options{parsed.arguments.block_bytes, parsed.arguments.iterations};
  const JobResult job = run_everywhere(*judged.schedule, options);
  if (speaks) print_job(parsed.arguments, head, judged.schedule->figures(), job);
  if (job.correct()) return kRight;
  if (speaks) std::cerr << "error: bytes arrived wrong; this is a bug in Quadrille, please report it\n";
  return kOurBug;
}

// Bad input is the same on every rank, so all come to the same end and rank 0 says why. Anything else may
// have happened to one rank alone: it takes the others with it.
int run_caught(std::span<const std::string> words) {
  try {
    return run(words);
  } catch (const InputError& error) {
    if (my_rank() == 0) std::cerr << "error: " << error.what() << "\n";
    return kBadInput;
  } catch (const std::bad_alloc&) {
    std::cerr << fmt::format("error: rank {} has not enough memory for this\n", my_rank());
  } catch (const std::exception& error) {
    std::cerr << fmt::format(
        "internal error on rank {}: {}\nThis is a bug in Quadrille. Please report it with the "
        "command line that shows it.\n",
        my_rank(), error.what());
  }
  MPI_Abort(MPI_COMM_WORLD, kOurBug);
  return kOurBug;
}

}  // namespace
}  // namespace quadrille

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);  // the judge has threads of its own
  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const int status = quadrille::run_caught(words);
  std::cout.flush();
  MPI_Finalize();
  return status;
}
