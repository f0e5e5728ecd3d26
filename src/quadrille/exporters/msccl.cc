// msccl: the XML that MSCCL, its successor in NCCL and RCCL read. Out of place; steps wait for each other by the data that they
// share. What those programs allow is held to here, since they pass over a file that breaks a limit without a word.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "quadrille/base/input_error.h"
#include "quadrille/exporters/network_edges.h"
#include "quadrille/exporters/thread_blocks.h"

namespace quadrille::exporters {
namespace msccl_parts {
namespace {

using Kind = BlockStep::Kind;

constexpr size_t kMostSteps = 255;
constexpr size_t kMostBlocks = 216;
constexpr uint32_t kMostChannels = 32;
constexpr size_t kMostElements = 4096;  // of XML, that a rank looks at
constexpr size_t kMostGpus = 1024;      // elements within one
constexpr size_t kLongestName = 60;

std::string_view type_of(Kind kind) {
  switch (kind) {
    case Kind::kSend:
      return "s";
    case Kind::kReceive:
      return "r";
    case Kind::kReceiveReduce:
      return "rrc";
    case Kind::kCopy:
      return "cpy";
    case Kind::kReduce:
      return "re";
    case Kind::kNothing:
      break;
  }
  return "nop";
}

char letter_of(Buffer buffer) { return name_of(buffer)[0]; }

[[noreturn]] void too_many(size_t gpu, uint64_t count, std::string_view what, uint64_t most) {
  throw InputError(
      fmt::format("msccl: rank {} would have {} {}; MSCCL takes at most {}", gpu, count, what, most));
}

std::string words_of(const ThreadBlock& block) {
  if (block.send_to != ThreadBlock::kNobody) return fmt::format("sends to rank {}", block.send_to);
  if (block.receive_from != ThreadBlock::kNobody)
    return fmt::format("receives from rank {}", block.receive_from);
  return "copies";
}

// Where a rank talks to too many others, or at once on too many channels: the first message that is one too many.
[[noreturn]] void too_many_connections(size_t gpu, const ThreadBlock& first, uint64_t count,
                                       std::string_view what, uint64_t most) {
  throw InputError(fmt::format(
      "msccl: rank {} would have {} {}; MSCCL takes at most {}, and the one that {} in step {} of the plan is too many. "
      "Plans in which ranks talk to fewer others, or on a network with fewer neighbours, need fewer",
      gpu, count, what, most, words_of(first), first.steps.front().plan_step + 1));
}

void require_small(const std::vector<GpuProgram>& gpus) {
  if (gpus.size() > kMostGpus)
    throw InputError(fmt::format("msccl: {} ranks; MSCCL takes at most {}", gpus.size(), kMostGpus));
  for (size_t gpu = 0; gpu < gpus.size(); ++gpu) {
    const std::vector<ThreadBlock>& blocks = gpus[gpu].blocks;
    if (blocks.size() > kMostBlocks)
      too_many_connections(gpu, blocks[kMostBlocks], blocks.size(), "thread blocks", kMostBlocks);
    size_t elements = 1 + gpus.size() + blocks.size();
    for (const ThreadBlock& block : blocks) {
      elements += block.steps.size();
      if (block.channel >= kMostChannels)
        too_many_connections(gpu, block, block.channel + 1, "channels", kMostChannels);
      if (block.steps.size() <= kMostSteps) continue;
      throw InputError(fmt::format(
          "msccl: the thread block of rank {} that {} would have {} steps; MSCCL takes at most {}, and what it does in step "
          "{} of the plan is too many",
          gpu, words_of(block), block.steps.size(), kMostSteps, block.steps[kMostSteps].plan_step + 1));
    }
    if (elements > kMostElements) too_many(gpu, elements, "elements of XML", kMostElements);
  }
}

std::string step_text(const BlockStep& step, size_t number) {
  const auto or_minus = [](uint32_t value) {
    return value == UINT32_MAX ? std::string("-1") : fmt::format("{}", value);
  };
  // A sum that arrives is added to what is in its place.
  const bool in_place = step.kind == Kind::kReceiveReduce;
  const bool nothing = step.kind == Kind::kNothing;
  return fmt::format(
      "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"{}\" depid=\"{}\" "
      "deps=\"{}\" hasdep=\"{}\"/>\n",
      number, type_of(step.kind), letter_of(in_place ? step.target_buffer : step.source_buffer),
      nothing ? "-1" : fmt::format("{}", in_place ? step.target : step.source), letter_of(step.target_buffer),
      nothing ? "-1" : fmt::format("{}", step.target), step.count, or_minus(step.after_block),
      or_minus(step.after_step), step.is_waited_for ? 1 : 0);
}

std::string write(const ScheduleToExport& what) {
  const Problem& problem = what.schedule.problem();
  const Collective& collective = problem.collective();
  if (collective.kind() == CollectiveKind::kAlltoallv) {
    throw InputError(
        "msccl: alltoallv has a count for each pair of ranks, and a file is chosen by one count for all: the executor knows "
        "the name, and passes over every file of it");
  }
  const auto [name, gpus] = gpu_programs(what, {.what = "msccl", .gather_and_scatter = true});
  require_small(gpus);
  uint32_t channels = 1;
  for (const GpuProgram& gpu : gpus)
    for (const ThreadBlock& block : gpu.blocks) channels = std::max(channels, block.channel + 1);
  // Chunks of what a call's count means: of gather and scatter one rank's part, though the root has all; of allgather,
  // alltoall and reduce_scatter the executor multiplies.
  const bool per_rank = collective.kind() == CollectiveKind::kAllgather ||
                        collective.kind() == CollectiveKind::kAlltoall ||
                        collective.kind() == CollectiveKind::kReduceScatter;
  std::string out;
  auto to = std::back_inserter(out);
  fmt::format_to(
      to,
      "<algo name=\"{}\" proto=\"Simple\" nchannels=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" "
      "inplace=\"0\" outofplace=\"1\" minBytes=\"0\" maxBytes=\"1099511627776\">\n",
      xml_text(what.algorithm.substr(0, kLongestName)), channels,
      collective.pieces() * (per_rank ? collective.num_ranks() : 1), gpus.size(), name);
  for (size_t g = 0; g < gpus.size(); ++g) {
    fmt::format_to(to, "  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", g,
                   gpus[g].input_slots, gpus[g].output_slots, gpus[g].scratch_slots);
    for (size_t b = 0; b < gpus[g].blocks.size(); ++b) {
      const ThreadBlock& block = gpus[g].blocks[b];
      const auto peer = [](uint32_t of) { return of == ThreadBlock::kNobody ? -1 : int64_t{of}; };
      fmt::format_to(to, "    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", b, peer(block.send_to),
                     peer(block.receive_from), block.channel);
      for (size_t s = 0; s < block.steps.size(); ++s) out += step_text(block.steps[s], s);
      out += "    </tb>\n";
    }
    out += "  </gpu>\n";
  }
  return out + "</algo>\n";
}

}  // namespace
}  // namespace msccl_parts

extern const Exporter msccl;

constinit const Exporter msccl{.name = "msccl",
                               .summary = "what GPUs do, as the XML of MSCCL, its executor in NCCL, and RCCL",
                               .extension = ".xml",
                               .write = msccl_parts::write};

}  // namespace quadrille::exporters
