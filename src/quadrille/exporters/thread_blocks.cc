#include "quadrille/exporters/thread_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "quadrille/base/check.h"
#include "quadrille/base/input_error.h"
#include "quadrille/exporters/program_of_schedule.h"

namespace quadrille {
namespace {

using Kind = BlockStep::Kind;

struct Slot {
  Buffer buffer = Buffer::kInput;
  uint32_t at = 0;
};

// A message with blocks, as its two ends see it.
struct Message {
  uint32_t from = 0;
  uint32_t to = 0;
  std::vector<Slot> source{};
  std::vector<Slot> target{};
  uint64_t waited = 0;  // when the receiver waits for it, among all that it waits for
  uint32_t channel = 0;
};

std::vector<Slot> slots_of(const RankProgram& rank, const Action& action) {
  std::vector<Slot> out;
  for (const SlotRun& run : rank.runs_of(action))
    for (uint32_t i = 0; i < run.count; ++i) out.push_back({run.buffer, run.first + i});
  return out;
}

// All messages, and which one each send and receive of a rank is; kNone for bare words.
class Messages {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  Messages(const Program& program, const ThreadBlockLimits& limits) {
    const auto ranks = static_cast<uint32_t>(program.ranks.size());
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> of_pair;
    of_request_.resize(ranks);
    for (uint32_t r = 0; r < ranks; ++r) add_sends(program.ranks[r], r, of_pair);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> received;
    for (uint32_t r = 0; r < ranks; ++r) add_receives(program.ranks[r], r, of_pair, received);
    uint32_t most = 1;
    for (const auto& [pair, messages] : of_pair) most = std::max(most, assign_channels(messages));
    // Peers at like distances share a group of channels, at both ends.
    for (Message& message : all_) {
      const uint32_t distance = (message.to + ranks - message.from) % ranks;
      message.channel += (distance - 1) / limits.peers_of_a_channel * most;
    }
  }

  [[nodiscard]] const Message& operator[](uint32_t message) const { return all_[message]; }
  [[nodiscard]] uint32_t of_request(uint32_t rank, uint32_t request) const {
    return of_request_[rank][request];
  }

 private:
  using Pairs = std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>>;

  void add_sends(const RankProgram& rank, uint32_t r, Pairs& of_pair) {
    for (const Action& action : rank.actions) {
      if (!starts_request(action.kind)) continue;
      of_request_[r].push_back(kNone);
      if (action.kind != ActionKind::kSend) continue;
      const auto peer = static_cast<uint32_t>(index(action.peer));
      std::vector<Slot> slots = slots_of(rank, action);
      const bool is_bare = slots.empty();
      of_pair[{r, peer}].push_back(is_bare ? kNone : static_cast<uint32_t>(all_.size()));
      if (is_bare) continue;
      of_request_[r].back() = static_cast<uint32_t>(all_.size());
      all_.push_back({.from = r, .to = peer, .source = std::move(slots)});
    }
  }

  void add_receives(const RankProgram& rank, uint32_t r, const Pairs& of_pair,
                    std::map<std::pair<uint32_t, uint32_t>, uint32_t>& received) {
    uint32_t request = 0;
    uint64_t waited = 0;
    for (const Action& action : rank.actions) {
      if (action.kind == ActionKind::kWait) {
        for (const uint32_t one : rank.requests_of(action)) {
          ++waited;
          if (const uint32_t message = of_request_[r][one]; message != kNone && all_[message].to == r)
            all_[message].waited = waited;
        }
      }
      if (!starts_request(action.kind)) continue;
      if (action.kind != ActionKind::kSend) {
        const std::pair<uint32_t, uint32_t> pair(static_cast<uint32_t>(index(action.peer)), r);
        const uint32_t message = of_pair.at(pair).at(received[pair]++);
        of_request_[r][request] = message;
        if (message != kNone) {
          all_[message].target = slots_of(rank, action);
          QUADRILLE_CHECK(all_[message].target.size() == all_[message].source.size(),
                          "a message of two lengths");
        }
      }
      ++request;
    }
  }

  // On one channel messages are waited for in the order in which they are sent. Returns how many channels there are.
  uint32_t assign_channels(const std::vector<uint32_t>& messages) {
    std::vector<uint64_t> last;
    for (const uint32_t message : messages) {
      if (message == kNone) continue;
      Message& one = all_[message];
      const auto fits = std::ranges::find_if(last, [&one](uint64_t before) { return before < one.waited; });
      one.channel = static_cast<uint32_t>(fits - last.begin());
      if (fits == last.end()) last.push_back(0);
      last[one.channel] = one.waited;
    }
    return static_cast<uint32_t>(last.size());
  }

  std::vector<Message> all_{};
  std::vector<std::vector<uint32_t>> of_request_{};
};

// Writes the thread blocks of one rank.
class GpuWriter {
 public:
  GpuWriter(const RankProgram& rank, const Messages& messages, const ThreadBlockLimits& limits)
      : rank_(rank), messages_(messages), limits_(limits) {
    out_.input_slots = rank.input_slots;
    out_.output_slots = rank.output_slots;
    out_.scratch_slots = rank.scratch_slots;
    uses_.resize(size_t{rank.input_slots} + rank.output_slots + rank.scratch_slots);
  }

  GpuProgram write() {
    const auto r = static_cast<uint32_t>(index(rank_.rank));
    std::vector<const Action*> started;
    for (const Action& action : rank_.actions) {
      if (starts_request(action.kind)) started.push_back(&action);
      switch (action.kind) {
        case ActionKind::kSend: {
          const uint32_t message = messages_.of_request(r, static_cast<uint32_t>(started.size() - 1));
          if (message != Messages::kNone) add_message(messages_[message], Kind::kSend, action.step);
          break;
        }
        case ActionKind::kWait:
          for (const uint32_t request : rank_.requests_of(action)) {
            const uint32_t message = messages_.of_request(r, request);
            const ActionKind kind = started[request]->kind;
            if (message == Messages::kNone || kind == ActionKind::kSend) continue;
            add_message(messages_[message],
                        kind == ActionKind::kReceive ? Kind::kReceive : Kind::kReceiveReduce, action.step);
          }
          break;
        case ActionKind::kCopy:
        case ActionKind::kReduce:
          add_local(action);
          break;
        case ActionKind::kReduceBefore:
          throw InputError(fmt::format(
              "{}: sums in the order of ranks (--operator ordered); GPUs add in any order", limits_.what));
        case ActionKind::kReceive:
        case ActionKind::kReceiveReduce:  // when they are waited for
        case ActionKind::kBarrier:
          break;
      }
    }
    return std::move(out_);
  }

 private:
  // By thread block, how many of its steps are over.
  using Clock = std::vector<uint32_t>;
  struct Place {
    uint32_t block = UINT32_MAX;
    uint32_t step = 0;
  };
  struct Use {
    Place writer{};
    std::vector<Place> readers{};  // since then
  };

  Use& use(Buffer buffer, uint32_t slot) {
    const uint32_t begin = buffer == Buffer::kInput    ? 0
                           : buffer == Buffer::kOutput ? rank_.input_slots
                                                       : rank_.input_slots + rank_.output_slots;
    return uses_[begin + slot];
  }

  uint32_t block_for(uint32_t send_to, uint32_t receive_from, uint32_t channel) {
    const auto [at, is_new] =
        numbers_.try_emplace({send_to, receive_from, channel}, static_cast<uint32_t>(out_.blocks.size()));
    if (is_new) {
      out_.blocks.push_back({.send_to = send_to, .receive_from = receive_from, .channel = channel});
      clocks_.emplace_back();
    }
    return at->second;
  }

  // One piece after another, each contiguous at both ends.
  void add_message(const Message& message, Kind kind, uint32_t plan_step) {
    const bool sends = kind == Kind::kSend;
    const uint32_t block = block_for(sends ? message.to : ThreadBlock::kNobody,
                                     sends ? ThreadBlock::kNobody : message.from, message.channel);
    const size_t slots = message.source.size();
    for (size_t begin = 0; begin < slots;) {
      size_t end = begin + 1;
      const auto follows = [&](const std::vector<Slot>& of) {
        return of[end].buffer == of[begin].buffer && of[end].at == of[begin].at + (end - begin);
      };
      while (end < slots && end - begin < limits_.slots_of_a_step && follows(message.source) &&
             follows(message.target))
        ++end;
      add(block, {.kind = kind,
                  .source_buffer = message.source[begin].buffer,
                  .target_buffer = message.target[begin].buffer,
                  .source = message.source[begin].at,
                  .target = message.target[begin].at,
                  .count = static_cast<uint32_t>(end - begin),
                  .plan_step = plan_step});
      begin = end;
    }
  }

  void add_local(const Action& action) {
    const SlotRun target = rank_.runs_of(action)[0];
    const SlotRun source = rank_.runs_of(action)[1];
    const uint32_t block = block_for(ThreadBlock::kNobody, ThreadBlock::kNobody, 0);
    for (uint32_t at = 0; at < target.count; at += limits_.slots_of_a_step) {
      add(block, {.kind = action.kind == ActionKind::kCopy ? Kind::kCopy : Kind::kReduce,
                  .source_buffer = source.buffer,
                  .target_buffer = target.buffer,
                  .source = source.first + at,
                  .target = target.first + at,
                  .count = std::min(limits_.slots_of_a_step, target.count - at),
                  .plan_step = action.step});
    }
  }

  void add(uint32_t block, const BlockStep& step) {
    if (++steps_ > limits_.steps_of_a_rank) {
      throw InputError(fmt::format(
          "{}: rank {} would have more than {} sends, receives and copies, which is the most that a file has here, and step {} of the "
          "plan is not the last; --packets many, fewer pieces or fewer ranks need less",
          limits_.what, index(rank_.rank), limits_.steps_of_a_rank, step.plan_step + 1));
    }
    const bool reads_source =
        step.kind == Kind::kSend || step.kind == Kind::kCopy || step.kind == Kind::kReduce;
    const bool writes = step.kind != Kind::kSend;
    std::vector<Place> before;
    for (uint32_t i = 0; i < step.count; ++i) {
      if (reads_source) before.push_back(use(step.source_buffer, step.source + i).writer);
      if (!writes) continue;
      const Use& target = use(step.target_buffer, step.target + i);
      before.push_back(target.writer);
      before.insert(before.end(), target.readers.begin(), target.readers.end());
    }
    add_after(block, step, needed(block, std::move(before)));
    const Place here{block, static_cast<uint32_t>(out_.blocks[block].steps.size() - 1)};
    for (uint32_t i = 0; i < step.count; ++i) {
      if (reads_source) use(step.source_buffer, step.source + i).readers.push_back(here);
      if (writes) use(step.target_buffer, step.target + i) = {here, {}};
    }
  }

  // Of the steps that must be over those that nobody else waits for already.
  std::vector<Place> needed(uint32_t block, std::vector<Place> before) const {
    std::erase_if(before,
                  [block](const Place& place) { return place.block == UINT32_MAX || place.block == block; });
    std::ranges::sort(before, [](const Place& a, const Place& b) {
      return a.block != b.block ? a.block < b.block : a.step > b.step;
    });
    const auto same_block = [](const Place& a, const Place& b) { return a.block == b.block; };
    before.erase(std::unique(before.begin(), before.end(), same_block), before.end());
    std::vector<Place> out;
    for (const Place& place : before) {
      const bool known =
          is_over(clocks_[block].empty() ? Clock() : clocks_[block].back(), place) ||
          std::ranges::any_of(before, [&](const Place& other) {
            return other.block != place.block && is_over(clocks_[other.block][other.step], place);
          });
      if (!known) out.push_back(place);
    }
    return out;
  }

  static bool is_over(const Clock& clock, const Place& place) {
    return place.block < clock.size() && clock[place.block] > place.step;
  }

  // A step waits for one other: the rest goes before it, on steps that do nothing.
  void add_after(uint32_t block, BlockStep step, const std::vector<Place>& before) {
    Clock clock = clocks_[block].empty() ? Clock() : clocks_[block].back();
    std::vector<BlockStep>& steps = out_.blocks[block].steps;
    for (size_t i = 0; i < std::max<size_t>(before.size(), 1); ++i) {
      const bool is_last = i + 1 >= before.size();
      BlockStep one = is_last ? step : BlockStep{.kind = Kind::kNothing, .plan_step = step.plan_step};
      if (i < before.size()) {
        one.after_block = before[i].block;
        one.after_step = before[i].step;
        out_.blocks[before[i].block].steps[before[i].step].is_waited_for = true;
        const Clock& other = clocks_[before[i].block][before[i].step];
        clock.resize(std::max(clock.size(), other.size()));
        for (size_t b = 0; b < other.size(); ++b) clock[b] = std::max(clock[b], other[b]);
      }
      steps.push_back(one);
      clock.resize(std::max<size_t>(clock.size(), block + 1));
      clock[block] = static_cast<uint32_t>(steps.size());
      clocks_[block].push_back(clock);
    }
  }

  const RankProgram& rank_;
  const Messages& messages_;
  const ThreadBlockLimits& limits_;
  GpuProgram out_{};
  uint64_t steps_ = 0;
  std::vector<Use> uses_{};
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> numbers_{};
  std::vector<std::vector<Clock>> clocks_{};  // of each step of each thread block
};

std::string_view collective_name(CollectiveKind kind, bool gather_and_scatter) {
  switch (kind) {
    case CollectiveKind::kAllreduce:
      return "allreduce";
    case CollectiveKind::kAllgather:
      return "allgather";
    case CollectiveKind::kAlltoall:
      return "alltoall";
    case CollectiveKind::kReduceScatter:
      return "reducescatter";
    case CollectiveKind::kBroadcast:
      return "broadcast";
    case CollectiveKind::kReduce:
      return "reduce";
    case CollectiveKind::kScatter:
      return gather_and_scatter ? "scatter" : "";
    case CollectiveKind::kGather:
      return gather_and_scatter ? "gather" : "";
    case CollectiveKind::kAlltoallv:
      break;
  }
  return "";
}

}  // namespace

std::vector<GpuProgram> thread_blocks(const Program& program, const ThreadBlockLimits& limits) {
  const Messages messages(program, limits);
  std::vector<GpuProgram> out;
  for (const RankProgram& rank : program.ranks) out.push_back(GpuWriter(rank, messages, limits).write());
  return out;
}

GpuCollective gpu_programs(const ScheduleToExport& what, const ThreadBlockLimits& limits) {
  const Collective& collective = what.schedule.problem().collective();
  const std::string_view name = collective_name(collective.kind(), limits.gather_and_scatter);
  if (name.empty()) {
    throw InputError(fmt::format(
        "{}: {} is none of its collectives, which are allreduce, allgather, alltoall, reduce_scatter, broadcast, reduce{}",
        limits.what, collective.name(), limits.gather_and_scatter ? ", gather, scatter" : ""));
  }
  const ProgramFile file = program_of_schedule(what);
  if (file.in_order)
    throw InputError(fmt::format("{}: sums in the order of ranks (--operator ordered); GPUs add in any order",
                                 limits.what));
  return {.name = name, .gpus = thread_blocks(file.program, limits)};
}

}  // namespace quadrille
