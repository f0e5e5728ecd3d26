#include "quadrille/mpi/node_run.h"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <optional>
#include <string>

#include "quadrille/base/input_error.h"
#include "quadrille/base/json/json.h"
#include "quadrille/base/text.h"
#include "quadrille/compile/local_choice.h"
#include "quadrille/mpi/agreement.h"
#include "quadrille/mpi/machine.h"
#include "quadrille/mpi/mpi_post.h"
#include "quadrille/program/program_digest.h"
#include "quadrille/runtime/job.h"
#include "quadrille/runtime/node_runner.h"

namespace quadrille {
namespace {

// What a rank keeps: its own part, and words for the report.
struct Part {
  NodeSeat seat;
  const LocalProgram* program = nullptr;
  std::string title;
  std::string sized;  // "blocks of 1,024 bytes"
  uint64_t chunk_bytes = 0;
  std::string collective;
  std::optional<Collective> what;
  std::string topology;
  uint32_t routers = 0;
};

void require_world(const Topology& topology) {
  if (static_cast<uint32_t>(num_ranks()) == topology.num_nodes()) return;
  throw InputError(fmt::format(
      "{} has {} nodes, {} of them routers, but {} MPI ranks were started; with --local every node is a rank, "
      "start them with -n {}",
      topology.name(), topology.num_nodes(), topology.num_nodes() - topology.num_endpoints(), num_ranks(),
      topology.num_nodes()));
}

// The network is read to find this node's own part, and is gone when this returns.
Part part_of(const RunOptions& options) {
  const auto problem = together([&] {
    Problem asked = options.local_problem();
    require_world(asked.topology());
    return asked;
  });
  std::string name = together([&] {
    if (my_rank() != 0) return std::string();
    return std::string(
        choose_local_program(problem, options.source.algorithm, chunk_bytes(problem, options.bytes()))
            .program->name);
  });
  name = text_of_rank_0(std::move(name));
  return together([&] {
    Part part;
    part.program = choose_local_program(problem, name).program;
    part.seat = seat_of(*part.program, problem, id_at<NodeId>(my_rank()));
    part.title = problem.title();
    part.collective = problem.collective().name();
    part.what = problem.collective();
    part.topology = problem.topology().name();
    part.sized = message_text(problem, options.bytes());
    part.chunk_bytes = chunk_bytes(problem, options.bytes());
    part.routers = problem.topology().num_nodes() - problem.topology().num_endpoints();
    return part;
  });
}

void agree_on_part(const Part& part, const RunOptions& options) {
  Digest digest;
  for (const std::string& word : {part.title, std::string(part.program->name)}) digest.add(word);
  digest.add(options.bytes());
  digest.add(options.iterations);
  agree_on(digest.value(), "what is run",
           fmt::format("{} by the nodes of {}, blocks of {} bytes, {} run(s)", part.title, part.program->name,
                       options.bytes(), options.iterations));
}

NodeResult added_up(NodeResult mine) {
  const auto all = [](uint64_t& value, MPI_Op operation) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, operation, MPI_COMM_WORLD);
  };
  for (uint64_t* sum :
       {&mine.messages, &mine.words, &mine.bytes_sent, &mine.bytes_checked, &mine.wrong_bytes})
    all(*sum, MPI_SUM);
  all(mine.most_stored, MPI_MAX);
  all(mine.table_bytes, MPI_MAX);
  MPI_Allreduce(MPI_IN_PLACE, mine.times.data(), static_cast<int>(mine.times.size()), MPI_DOUBLE, MPI_MAX,
                MPI_COMM_WORLD);
  return mine;
}

void print(const RunOptions& options, const Part& part, const NodeResult& all) {
  if (options.json) {
    Json out = Json::object();
    out.set("collective", part.collective)
        .set("topology", part.topology)
        .set("algorithm", part.program->name)
        .set("mpi", mpi_library())
        .set("nodes", num_ranks())
        .set("routers", part.routers)
        .set("tables", all.table_bytes)
        .set("stored", all.most_stored)
        .set("messages", all.messages)
        .set("words", all.words)
        .set("block_bytes", options.bytes())
        .set("chunk_bytes", part.chunk_bytes)
        .set("iterations", options.iterations)
        .set("bytes_moved", all.bytes_sent)
        .set("bytes_checked", all.bytes_checked)
        .set("wrong_bytes", all.wrong_bytes)
        .set("seconds", std::accumulate(all.times.begin(), all.times.end(), 0.0))
        .set("seconds_min", *std::min_element(all.times.begin(), all.times.end()))
        .set("seconds_median", median_of(all.times))
        .set("seconds_max", *std::max_element(all.times.begin(), all.times.end()));
    std::cout << out.text();
    return;
  }
  const auto row = [](std::string_view name, const std::string& value) {
    std::cout << fmt::format("{:<14} {}\n", name, value);
  };
  row("problem", part.title);
  row("algorithm", fmt::format("{}, by nodes that decide for themselves", part.program->name));
  row("nodes", fmt::format("{} processes, {} of them routers, {}", num_ranks(), part.routers, mpi_library()));
  row("tables", plural(all.table_bytes, "byte") + " at the node that knows most");
  row("stored", plural(all.most_stored, "block") + " of others at once, at most, at one node");
  row("messages", fmt::format("{} with {}", with_thousands(all.messages), part.sized));
  row("words", with_thousands(all.words) + " messages without a block");
  row("bytes moved", with_thousands(all.bytes_sent) + " between nodes");
  row("bytes checked", with_thousands(all.bytes_checked));
  row("wrong bytes", with_thousands(all.wrong_bytes));
  row("time", times_text(all.times));
  row("bandwidth", to_text(bandwidth_of(*part.what, options.bytes(), median_of(all.times))));
}

}  // namespace

int run_nodes_everywhere(const RunOptions& options) {
  Part part = part_of(options);
  const JobOptions job{.block_bytes = part.chunk_bytes, .iterations = options.iterations};
  agree_on_part(part, options);
  require_memory_everywhere(buffer_bytes(part.seat, job), job);
  NodeResult mine;
  {
    MpiPost post(MPI_COMM_WORLD);
    mine = run_node(std::move(part.seat), job, post);
  }
  const NodeResult all = added_up(mine);
  if (my_rank() == 0) print(options, part, all);
  if (all.wrong_bytes == 0) return kRight;
  if (my_rank() == 0)
    std::cerr << "error: bytes arrived wrong; this is a bug in Quadrille, please report it\n";
  return kOurBug;
}

}  // namespace quadrille
