// mscclpp: the execution plan, in JSON, of msccl++'s executor. Out of place, over port channels, which go within a machine and
// between machines.
//
// A put is of one side: a receiver signals that there is room, the sender puts and signals. The channels of two ranks
// belong to each other in the order in which both name them. Blocks of a GPU wait for each other by semaphores, one for every two of
// them, released in the order in which they are acquired. What one block may do is bounded: a longer one is parted, and its
// parts follow each other by a semaphore, too.
#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/base/json/json_text.h"
#include "quadrille/exporters/thread_blocks.h"

namespace quadrille::exporters {
namespace mscclpp_parts {
namespace {

using Kind = BlockStep::Kind;

constexpr size_t kMostOperations = 64;  // of a thread block (MAX_OPERATION)
constexpr size_t kMostSemaphores = 16;  // of an operation (MAX_DEVICE_SEMAPHORES)
constexpr uint32_t kMostRemote = 16;    // buffers that a thread block puts into (MAX_CHANNEL)
constexpr size_t kMostBlocks = 108;     // at once, since they wait for each other: multiprocessors of an A100
constexpr uint32_t kAlignment = 16;     // of buffers, in bytes
constexpr uint64_t kMostBytes = UINT32_MAX;  // offsets have 32 bits

constexpr std::string_view kNop = R"({"name":"nop"})";
constexpr std::string_view kOnChannel = R"("channel_ids":[0],"channel_type":"port")";

// The way of messages from one rank to another, in order.
struct Connection {
  uint32_t from = 0;
  uint32_t to = 0;
  uint32_t channel = 0;
  friend auto operator<=>(const Connection&, const Connection&) = default;
};

std::string joined(std::span<const uint32_t> numbers) { return fmt::format("{}", fmt::join(numbers, ",")); }

std::string chunk_of(Buffer buffer, uint32_t first, uint32_t count) {
  return fmt::format(R"({{"type":"{}","index":{},"size":{}}})", name_of(buffer)[0], first, count);
}

class GpuText {
 public:
  // `staging`: where sums that arrive over a connection wait to be added, at the receiver.
  GpuText(uint32_t id, const GpuProgram& gpu, const std::map<Connection, uint32_t>& staging)
      : id_(id), gpu_(gpu), staging_(staging), waiters_(gpu.blocks.size()) {
    std::vector<std::pair<uint32_t, Connection>> of_peer;
    for (const ThreadBlock& block : gpu.blocks)
      if (const auto one = connection(block)) of_peer.emplace_back(peer_of(block), *one);
    std::ranges::sort(of_peer);
    for (const auto& [peer, one] : of_peer) {
      channels_.emplace(one, static_cast<uint32_t>(peers_.size()));
      peers_.push_back(peer);
    }
    for (uint32_t b = 0; b < gpu.blocks.size(); ++b) {
      for (const BlockStep& step : gpu.blocks[b].steps) {
        if (step.after_block != UINT32_MAX) waiters_[step.after_block][step.after_step].push_back(b);
      }
    }
  }

  std::string text(uint32_t input, uint32_t output, uint32_t scratch) {
    for (uint32_t b = 0; b < gpu_.blocks.size(); ++b) write_block(b);
    if (parts_ > kMostBlocks) {
      throw InputError(fmt::format(
          "mscclpp: rank {} would have {} thread blocks of at most {} operations, which wait for each other; {} run at once",
          id_, parts_, kMostOperations, kMostBlocks));
    }
    std::string remote;
    for (const auto& [peer, buffer] : remote_)
      fmt::format_to(std::back_inserter(remote),
                     R"({}{{"rank":{},"type":"{}","access_channel_types":["port"]}})",
                     remote.empty() ? "" : ",", peer, name_of(buffer)[0]);
    std::string semaphores;
    for (uint32_t i = 0; i < num_semaphores_; ++i)
      semaphores += i == 0 ? R"({"init_value":0})" : R"(,{"init_value":0})";
    return fmt::format(
        R"({{"id":{},"input_chunks":{},"output_chunks":{},"scratch_chunks":{},"threadblocks":[{}],)"
        "\n"
        R"("channels":[{}],"remote_buffers":[{}],"semaphores":[{}]}})",
        id_, input, output, scratch, blocks_,
        peers_.empty() ? "" : fmt::format(R"({{"channel_type":"port","connected_to":[{}]}})", joined(peers_)),
        remote, semaphores);
  }

 private:
  using Group = std::vector<std::string>;  // operations that stay together

  static uint32_t peer_of(const ThreadBlock& block) { return std::min(block.send_to, block.receive_from); }
  [[nodiscard]] std::optional<Connection> connection(const ThreadBlock& block) const {
    if (block.send_to != ThreadBlock::kNobody) return Connection{id_, block.send_to, block.channel};
    if (block.receive_from != ThreadBlock::kNobody) return Connection{block.receive_from, id_, block.channel};
    return std::nullopt;
  }

  uint32_t semaphore(uint32_t from, uint32_t to) {
    const auto [at, is_new] = semaphores_.try_emplace({from, to}, num_semaphores_);
    if (is_new) ++num_semaphores_;
    return at->second;
  }
  static void add_semaphores(std::string_view name, std::span<const uint32_t> ids, Group& out) {
    for (size_t at = 0; at < ids.size(); at += kMostSemaphores) {
      const size_t count = std::min(kMostSemaphores, ids.size() - at);
      out.push_back(
          fmt::format(R"({{"name":"{}","semaphore_ids":[{}]}})", name, joined(ids.subspan(at, count))));
    }
  }

  // The place of a remote buffer among those that a thread block knows.
  uint32_t remote_buffer(uint32_t peer, Buffer buffer, std::vector<uint32_t>& known) {
    const std::pair<uint32_t, Buffer> wanted(peer, buffer);
    auto at = std::ranges::find(remote_, wanted);
    if (at == remote_.end()) at = remote_.insert(at, wanted);
    const auto id = static_cast<uint32_t>(at - remote_.begin());
    auto here = std::ranges::find(known, id);
    if (here == known.end()) here = known.insert(here, id);
    return static_cast<uint32_t>(here - known.begin());
  }

  std::string add_text(const BlockStep& step, Buffer source_buffer, uint32_t source) const {
    const std::string target = chunk_of(step.target_buffer, step.target, step.count);
    return fmt::format(R"({{"name":"re","src_buff":[{},{}],"dst_buff":[{}],"reduce_op":"sum"}})", target,
                       chunk_of(source_buffer, source, step.count), target);
  }

  Group group_of(const ThreadBlock& block, const BlockStep& step, std::span<const uint32_t> acquired,
                 std::vector<uint32_t>& known) {
    Group out;
    const auto acquire = [&] {
      add_semaphores("sem_acquire", acquired, out);
      if (!acquired.empty()) out.emplace_back(kNop);
    };
    const auto on_channel = [&](std::string_view name) {
      out.push_back(fmt::format(R"({{"name":"{}",{}}})", name, kOnChannel));
    };
    const auto staged = [&] {
      const auto at = staging_.find(*connection(block));
      return at == staging_.end() ? std::optional<uint32_t>() : at->second;
    };
    switch (step.kind) {
      case Kind::kSend: {
        acquire();
        on_channel("wait");
        out.emplace_back(kNop);
        const std::optional<uint32_t> place = staged();
        const uint32_t to =
            remote_buffer(block.send_to, place ? Buffer::kScratch : step.target_buffer, known);
        out.push_back(fmt::format(
            R"({{"name":"pwsf","src_buff":[{}],"dst_buff":[{{"buffer_id":{},"index":{},"size":{}}}],{}}})",
            chunk_of(step.source_buffer, step.source, step.count), to, place ? *place : step.target,
            step.count, kOnChannel));
        break;
      }
      case Kind::kReceive:
        if (!staged()) acquire();
        on_channel("signal");
        on_channel("wait");
        if (const std::optional<uint32_t> place = staged()) {
          acquire();
          out.emplace_back(kNop);
          out.push_back(copy_text(step, Buffer::kScratch, *place));
          out.emplace_back(kNop);
        }
        break;
      case Kind::kReceiveReduce:
        on_channel("signal");
        on_channel("wait");
        out.emplace_back(kNop);
        acquire();
        out.push_back(add_text(step, Buffer::kScratch, *staged()));
        out.emplace_back(kNop);
        break;
      case Kind::kCopy:
        acquire();
        out.push_back(copy_text(step, step.source_buffer, step.source));
        out.emplace_back(kNop);
        break;
      case Kind::kReduce:
        acquire();
        out.push_back(add_text(step, step.source_buffer, step.source));
        out.emplace_back(kNop);
        break;
      case Kind::kNothing:
        break;
    }
    return out;
  }

  static std::string copy_text(const BlockStep& step, Buffer source_buffer, uint32_t source) {
    return fmt::format(R"({{"name":"copy","src_buff":[{}],"dst_buff":[{}]}})",
                       chunk_of(source_buffer, source, step.count),
                       chunk_of(step.target_buffer, step.target, step.count));
  }

  void write_block(uint32_t b) {
    const ThreadBlock& block = gpu_.blocks[b];
    std::vector<uint32_t> known;
    std::vector<Group> groups;
    std::vector<uint32_t> acquired;
    for (uint32_t s = 0; s < block.steps.size(); ++s) {
      const BlockStep& step = block.steps[s];
      if (step.after_block != UINT32_MAX) acquired.push_back(semaphore(step.after_block, b));
      if (step.kind == Kind::kNothing) continue;
      Group group = group_of(block, step, acquired, known);
      acquired.clear();
      if (const auto waiting = waiters_[b].find(s); waiting != waiters_[b].end()) {
        std::vector<uint32_t> released;
        for (const uint32_t other : waiting->second) released.push_back(semaphore(b, other));
        if (group.back() != kNop) group.emplace_back(kNop);
        add_semaphores("sem_release", released, group);
      }
      groups.push_back(std::move(group));
    }
    write_parts(block, groups, known);
  }

  // As many groups in a part as there is room for, and two operations at either end for its neighbours.
  void write_parts(const ThreadBlock& block, std::span<const Group> groups, std::span<const uint32_t> known) {
    std::optional<uint32_t> after;
    for (size_t begin = 0; begin < groups.size();) {
      Group part;
      if (after) {
        add_semaphores("sem_acquire", std::span(&*after, 1), part);
        part.emplace_back(kNop);
      }
      size_t end = begin;
      while (end < groups.size() &&
             part.size() + groups[end].size() + (end + 1 < groups.size() ? 2 : 0) <= kMostOperations) {
        part.insert(part.end(), groups[end].begin(), groups[end].end());
        ++end;
      }
      if (end == begin)
        throw InputError(
            fmt::format("mscclpp: a step of rank {} waits for more than a thread block can wait for", id_));
      after.reset();
      if (end < groups.size()) {
        after = num_semaphores_++;
        part.emplace_back(kNop);
        add_semaphores("sem_release", std::span(&*after, 1), part);
      }
      write_part(block, part, known);
      begin = end;
    }
  }

  void write_part(const ThreadBlock& block, const Group& part, std::span<const uint32_t> known) {
    if (known.size() > kMostRemote)
      throw InputError(fmt::format("mscclpp: a thread block of rank {} puts into {} buffers; it may into {}",
                                   id_, known.size(), kMostRemote));
    const std::optional<Connection> one = connection(block);
    fmt::format_to(
        std::back_inserter(blocks_),
        "{}\n{{\"id\":{},\"ops\":[\n{}],\n\"channels\":[{}],\"remote_buffer_refs\":[{}]}}",
        parts_ == 0 ? "" : ",", parts_, fmt::join(part, ",\n"),
        one ? fmt::format(R"({{"channel_type":"port","channel_ids":[{}]}})", channels_.at(*one)) : "",
        known.empty()
            ? ""
            : fmt::format(R"({{"access_channel_type":"port","remote_buffer_ids":[{}]}})", joined(known)));
    ++parts_;
  }

  uint32_t id_;
  const GpuProgram& gpu_;
  const std::map<Connection, uint32_t>& staging_;
  std::vector<uint32_t> peers_{};  // of each channel
  std::map<Connection, uint32_t> channels_{};
  std::vector<std::pair<uint32_t, Buffer>> remote_{};
  std::vector<std::map<uint32_t, std::vector<uint32_t>>> waiters_;  // blocks that wait for a step of a block
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> semaphores_{};
  uint32_t num_semaphores_ = 0;
  std::string blocks_{};
  size_t parts_ = 0;
};

std::string write(const ScheduleToExport& what) {
  const auto [name, gpus] = gpu_programs(what, {.what = "mscclpp",
                                                .slots_of_a_step = std::numeric_limits<uint32_t>::max(),
                                                .peers_of_a_channel = std::numeric_limits<uint32_t>::max()});
  // All buffers of a kind are as long as the longest: an executor divides by their numbers of chunks.
  uint32_t input = 1;
  uint32_t output = 1;
  uint32_t most = 1;
  std::map<Connection, uint32_t> staging;
  std::vector<uint32_t> scratch;
  for (uint32_t g = 0; g < gpus.size(); ++g) {
    input = std::max(input, gpus[g].input_slots);
    output = std::max(output, gpus[g].output_slots);
    scratch.push_back(gpus[g].scratch_slots);
    for (const ThreadBlock& block : gpus[g].blocks) {
      uint32_t longest = 0;
      bool adds = false;
      for (const BlockStep& step : block.steps) {
        longest = std::max(longest, step.count);
        adds |= step.kind == Kind::kReceiveReduce;
      }
      if (!adds) continue;
      staging.emplace(Connection{block.receive_from, g, block.channel}, scratch.back());
      scratch.back() += longest;
    }
    most = std::max({most, input, output, scratch.back()});
  }
  std::string texts;
  for (uint32_t g = 0; g < gpus.size(); ++g) {
    texts += g == 0 ? "\n" : ",\n";
    texts += GpuText(g, gpus[g], staging).text(input, output, scratch[g]);
  }
  // Of allgather the size that counts is that of the output.
  const uint64_t chunks =
      what.schedule.problem().collective().kind() == CollectiveKind::kAllgather ? output : input;
  return fmt::format(
      R"({{"name":{},"collective":"{}","protocol":"Simple","inplace":false,"reuse_resources":false,"gpus":[{}],)"
      "\n"
      R"("num_threads_per_block":1024,"use_double_scratch_buffer":false,"buffer_alignment":{},"min_message_size":0,)"
      R"("max_message_size":{}}})"
      "\n",
      json_string(what.algorithm), name, texts, kAlignment, kMostBytes / most * chunks);
}

}  // namespace
}  // namespace mscclpp_parts

extern const Exporter mscclpp;

constinit const Exporter mscclpp{.name = "mscclpp",
                                 .summary = "what GPUs do, as the execution plan, in JSON, of msccl++",
                                 .extension = ".json",
                                 .write = mscclpp_parts::write};

}  // namespace quadrille::exporters
