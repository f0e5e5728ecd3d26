#include "quadrille/mpi/shared_program.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include "quadrille/mpi/agreement.h"
#include "quadrille/program/lowering/lower_rank.h"
#include "quadrille/program/program_digest.h"

namespace quadrille {
namespace {

constexpr uint64_t kWordsAtOnce = uint64_t{1} << 28U;  // words; MPI counts with an int
constexpr int kLengthTag = 1;
constexpr int kWordsTag = 2;
// Who waits for rank 0 must not take the core that it needs.
constexpr auto kNap = std::chrono::microseconds(200);

std::vector<uint32_t> words_of(const RankProgram& program) {
  std::vector<uint32_t> out{program.input_slots,
                            program.output_slots,
                            program.scratch_slots,
                            static_cast<uint32_t>(program.actions.size()),
                            static_cast<uint32_t>(program.runs.size()),
                            static_cast<uint32_t>(program.blocks.size()),
                            static_cast<uint32_t>(program.requests.size())};
  for (const Action& action : program.actions) {
    out.insert(out.end(), {static_cast<uint32_t>(action.kind), static_cast<uint32_t>(index(action.peer)),
                           action.step, action.begin, action.end, action.blocks_begin});
  }
  for (const SlotRun& run : program.runs)
    out.insert(out.end(), {static_cast<uint32_t>(run.buffer), run.first, run.count});
  for (const BlockId block : program.blocks) out.push_back(static_cast<uint32_t>(index(block)));
  out.insert(out.end(), program.requests.begin(), program.requests.end());
  return out;
}

RankProgram program_of(const std::vector<uint32_t>& words, Rank rank) {
  size_t at = 0;
  const auto next = [&] { return words.at(at++); };
  RankProgram out;
  out.rank = rank;
  out.input_slots = next();
  out.output_slots = next();
  out.scratch_slots = next();
  out.actions.resize(next());
  out.runs.resize(next());
  out.blocks.reserve(next());
  out.requests.resize(next());
  for (Action& action : out.actions) {
    action.kind = static_cast<ActionKind>(next());
    action.peer = Rank{next()};
    action.step = next();
    action.begin = next();
    action.end = next();
    action.blocks_begin = next();
  }
  for (SlotRun& run : out.runs) {
    run.buffer = static_cast<Buffer>(next());
    run.first = next();
    run.count = next();
  }
  for (size_t left = words.size() - at - out.requests.size(); left > 0; --left)
    out.blocks.push_back(BlockId{next()});
  for (uint32_t& request : out.requests) request = next();
  return out;
}

void send_words(std::vector<uint32_t> words, int rank) {
  uint64_t size = words.size();
  MPI_Send(&size, 1, MPI_UINT64_T, rank, kLengthTag, MPI_COMM_WORLD);
  for (uint64_t at = 0; at < size; at += kWordsAtOnce)
    MPI_Send(words.data() + at, static_cast<int>(std::min(kWordsAtOnce, size - at)), MPI_UINT32_T, rank,
             kWordsTag, MPI_COMM_WORLD);
}

std::vector<uint32_t> receive_words() {
  uint64_t size = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&size, 1, MPI_UINT64_T, 0, kLengthTag, MPI_COMM_WORLD, &request);
  for (int over = 0; over == 0;) {
    MPI_Test(&request, &over, MPI_STATUS_IGNORE);
    if (over == 0) std::this_thread::sleep_for(kNap);
  }
  std::vector<uint32_t> words(size);
  for (uint64_t at = 0; at < size; at += kWordsAtOnce)
    MPI_Recv(words.data() + at, static_cast<int>(std::min(kWordsAtOnce, size - at)), MPI_UINT32_T, 0,
             kWordsTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return words;
}

// Every rank from the plan that it has, and nobody more than its own.
Program lowered_alone(const Schedule& schedule, const JobOptions& job) {
  const Rank rank{static_cast<uint32_t>(my_rank())};
  Program out = together([&] {
    RankLowering lowering(schedule.problem(), rank);
    schedule.plan().replay(lowering);
    Program mine{schedule.problem().collective(), std::vector<RankProgram>(static_cast<size_t>(num_ranks()))};
    mine.ranks[index(rank)] = lowering.finish();
    return mine;
  });
  std::array<uint64_t, 2> blocks{out.blocks_sent(), out.blocks_moved_locally()};
  MPI_Allreduce(MPI_IN_PLACE, blocks.data(), 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  const uint64_t most = std::max({blocks[0], blocks[1], uint64_t{out.ranks[index(rank)].scratch_slots}});
  static_cast<void>(together([&] {
    require_countable(most, job);
    return true;
  }));
  return out;
}

}  // namespace

uint64_t digest_of_work(const Schedule& schedule, const JobOptions& job) {
  Digest digest;
  const Collective& collective = schedule.problem().collective();
  digest.add(schedule.problem().title());
  digest.add(collective.pieces());
  digest.add(collective.root() ? index(*collective.root()) + 1 : 0);
  const Plan& plan = schedule.plan();
  for (size_t s = 0; s < plan.num_steps(); ++s) {
    const StepView step = plan.step(s);
    digest.add(step.size());
    for (size_t t = 0; t < step.size(); ++t) {
      digest.add(step.arcs(t).size());
      for (const ArcId arc : step.arcs(t)) digest.add(index(arc));
      digest.add(step.blocks(t).size());
      for (const BlockId block : step.blocks(t)) digest.add(index(block));
      digest.add(static_cast<uint64_t>(step.op(t)));
      const SumSlots slots = step.slots_of(t);
      digest.add(uint64_t{slots.from} << 32U | slots.to);
    }
  }
  digest.add(job.synchronisation ? 1 + job.synchronisation->barriers.size() : 0);
  digest.add(job.synchronisation ? job.synchronisation->signals.size() : 0);
  return digest.value();
}

Program program_of_this_rank(const Schedule& schedule, const JobOptions& job) {
  if (job.arrays == nullptr && !job.synchronisation && !RankLowering::why_not(schedule.problem()))
    return lowered_alone(schedule, job);
  const Collective& collective = schedule.problem().collective();
  if (my_rank() != 0) {
    const std::vector<uint32_t> words = receive_words();
    meet_to_stop(std::nullopt);
    const Rank rank{static_cast<uint32_t>(my_rank())};
    Program out{collective, std::vector<RankProgram>(static_cast<size_t>(num_ranks()))};
    out.ranks[index(rank)] = program_of(words, rank);
    return out;
  }
  std::optional<Program> all;
  std::optional<Stop> stop;
  try {
    all = checked_program(schedule, job.arrays, job.synchronisation ? &*job.synchronisation : nullptr);
    static_cast<void>(measure_job(*all, job));  // refuses what cannot be counted
  } catch (...) {
    stop = reason_of(std::current_exception());
  }
  for (int rank = 1; rank < num_ranks(); ++rank)
    send_words(stop ? std::vector<uint32_t>() : words_of(all->ranks[static_cast<size_t>(rank)]), rank);
  meet_to_stop(stop);
  for (size_t rank = 1; rank < all->ranks.size(); ++rank) all->ranks[rank] = {};
  return *std::move(all);
}

}  // namespace quadrille
