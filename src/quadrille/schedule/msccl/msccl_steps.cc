#include "quadrille/schedule/msccl/msccl_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "quadrille/base/input_error.h"
#include "quadrille/schedule/stated_topology.h"

namespace quadrille::msccl {
namespace {

constexpr uint32_t kNobody = UINT32_MAX;
// Who comes before whom is known of each thread block and each other one.
constexpr size_t kMostBlocks = 8192;
constexpr uint64_t kFreeChunks = uint64_t{1} << 20U;

using Ranks = std::vector<uint64_t>;  // a bit each

// What lies in a chunk.
struct Value {
  BlockId block{0};
  bool is_there = false;
  bool is_replaced = false;  // the judge's node has it no more: a whole sum took the place of its parts
  uint32_t slots = 1;        // of a reduction: the sums of these slots together
  uint32_t ranks = 0;        // whose contributions: which of Run::sums_
};

struct Transfer {
  uint32_t from = 0;
  uint32_t to = 0;
  std::vector<BlockId> blocks{};
  bool is_copy = false;
  SumSlots slots{};
};

class Run {
 public:
  Run(const File& file, std::string_view text, std::string_view source)
      : file_(file), text_(text), source_(source), problem_(problem_of()), in_place_(works_in_place()) {
    require_small();
    number_blocks();
    fill();
    count_reads();
  }

  PlanFile plan() {
    std::deque<uint32_t> todo;
    for (uint32_t t = 0; t < blocks_.size(); ++t) todo.push_back(t);
    while (!todo.empty()) {
      const uint32_t t = todo.front();
      todo.pop_front();
      while (advance(t, todo)) {
      }
    }
    for (const Running& one : blocks_) {
      if (one.at < one.block->steps.size())
        fail(one, fmt::format("{} waits for ever", place_text(one.gpu, one.number, one.at)));
    }
    for (const Running& one : blocks_) {
      if (!one.inbox.empty())
        fail_at(one.inbox.front().where, fmt::format("gpu {} never receives this", one.gpu));
    }
    check_places();
    return finish();
  }

 private:
  using Clock = std::vector<uint32_t>;  // by thread block, how many of its steps are over

  struct Message {
    std::vector<Value> values{};
    uint64_t when = 0;
    size_t where = 0;  // the send, in the text
    Clock clock{};
  };
  struct Running {
    const ThreadBlock* block = nullptr;
    uint32_t gpu = 0;
    uint32_t number = 0;        // within the GPU
    uint32_t first = 0;         // of the GPU's thread blocks
    uint32_t sender = kNobody;  // thread blocks at the other ends
    uint32_t receiver = kNobody;
    size_t at = 0;
    bool has_received = false;     // of a step that receives and sends
    std::vector<Value> carried{};  // what it then sends
    uint64_t time = 0;             // the first step of the plan that is open to it
    Clock clock{};
    std::map<size_t, std::pair<Clock, uint64_t>>
        kept{};  // of steps that others wait for: clock, and when it is over
    std::vector<uint32_t> waiters{};
    std::deque<Message> inbox{};
  };
  struct Access {
    uint32_t block = kNobody;
    size_t step = 0;
  };
  struct Use {
    Access writer{};
    std::vector<Access> readers{};
  };

  [[noreturn]] void fail_at(size_t where, std::string_view why) const {
    throw input_error_at(source_, text_, std::min(where, text_.size()), 1, why);
  }
  [[noreturn]] void fail(const Running& one, std::string_view why) const { fail_at(step_of(one).where, why); }
  static const Step& step_of(const Running& one) { return one.block->steps[one.at]; }

  // --- before it runs ----------------------------------------------------------------------------------

  [[nodiscard]] bool comes_together() const {
    return file_.kind == CollectiveKind::kReduce || file_.kind == CollectiveKind::kGather;
  }

  // Who alone never receives, or never sends; else the first.
  [[nodiscard]] uint32_t root() const {
    for (uint32_t g = 0; g < file_.gpus.size(); ++g) {
      const auto& blocks = file_.gpus[g].blocks;
      const bool works =
          std::ranges::any_of(blocks, [](const ThreadBlock& one) { return !one.steps.empty(); });
      const bool other_way = std::ranges::any_of(blocks, [this](const ThreadBlock& one) {
        return (comes_together() ? one.send_to : one.receive_from) != kNobody;
      });
      if (works && !other_way) return g;
    }
    return 0;
  }

  [[nodiscard]] Problem problem_of() const {
    const auto gpus = static_cast<uint32_t>(file_.gpus.size());
    TopologyBuilder builder(std::string(kNamelessTopology), gpus);
    std::map<std::pair<uint32_t, uint32_t>, bool> linked;
    for (uint32_t g = 0; g < gpus; ++g) {
      for (const ThreadBlock& one : file_.gpus[g].blocks) {
        for (const uint32_t peer : {one.send_to, one.receive_from}) {
          if (peer != kNobody && linked.emplace(std::minmax(g, peer), true).second)
            builder.link(NodeId{g}, NodeId{peer});
        }
      }
    }
    try {
      Model model;
      model.packets = Packets::kMany;
      Problem out(builder.build(), Collective::standard(file_.kind, gpus, Rank{root()}, file_.pieces), model);
      check_plan_size(out, text_.size());
      return out;
    } catch (const InputError& wrong) {
      throw InputError(fmt::format("{}: {}", source_, wrong.what()));
    }
  }

  [[nodiscard]] bool works_in_place() const {
    const auto lacks = [this](Place place) {
      return std::ranges::all_of(
          file_.gpus, [place](const Gpu& gpu) { return gpu.sizes[static_cast<size_t>(place)] == 0; });
    };
    return file_.in_place || lacks(Place::kInput) || lacks(Place::kOutput);
  }

  // A chunk's place among all of its GPU: input, output, scratch; in place the first two are one.
  [[nodiscard]] size_t number_of(uint32_t gpu, Place place, uint32_t at) const {
    const size_t whole = file_.whole();
    if (place == Place::kScratch) return (in_place_ ? 1 : 2) * whole + at;
    if (!in_place_) return (place == Place::kInput ? 0 : whole) + at;
    return (file_.is_part(place) ? size_t{gpu} * file_.pieces : 0) + at;
  }

  void require_small() const {
    uint64_t chunks = 0;
    size_t blocks = 0;
    for (const Gpu& gpu : file_.gpus) {
      chunks += 2 * uint64_t{file_.whole()} + gpu.sizes[2];
      blocks += gpu.blocks.size();
    }
    if (chunks > kFreeChunks + text_.size())
      throw InputError(fmt::format("{}: {} chunks in a text of {} bytes: most of them are never used",
                                   source_, chunks, text_.size()));
    if (blocks > kMostBlocks)
      throw InputError(
          fmt::format("{}: {} thread blocks; {} are followed at most", source_, blocks, kMostBlocks));
  }

  void number_blocks() {
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> senders;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> receivers;
    for (uint32_t g = 0; g < file_.gpus.size(); ++g) {
      const auto first = static_cast<uint32_t>(blocks_.size());
      for (uint32_t b = 0; b < file_.gpus[g].blocks.size(); ++b) {
        const ThreadBlock& one = file_.gpus[g].blocks[b];
        const auto number = static_cast<uint32_t>(blocks_.size());
        if (one.send_to != kNobody) senders[{g, one.send_to, one.channel}] = number;
        if (one.receive_from != kNobody) receivers[{one.receive_from, g, one.channel}] = number;
        blocks_.emplace_back();
        blocks_.back().block = &one;
        blocks_.back().gpu = g;
        blocks_.back().number = b;
        blocks_.back().first = first;
      }
    }
    for (const auto& [ends, number] : senders) {
      if (const auto other = receivers.find(ends); other != receivers.end()) {
        blocks_[number].receiver = other->second;
        blocks_[other->second].sender = number;
      }
    }
    for (Running& one : blocks_) {
      for (const Step& step : one.block->steps) {
        if (step.after_block != kNobody) blocks_[one.first + step.after_block].kept[step.after_step];
      }
    }
  }

  // What everybody has first. A piece of a reduction is there once, with its rank's contribution.
  void fill() {
    const auto gpus = static_cast<uint32_t>(file_.gpus.size());
    const Collective& all = problem_.collective();
    memory_.resize(gpus);
    uses_.resize(gpus);
    for (uint32_t g = 0; g < gpus; ++g) {
      memory_[g].resize((in_place_ ? 1 : 2) * size_t{file_.whole()} + file_.gpus[g].sizes[2]);
      uses_[g].resize(memory_[g].size());
      Ranks own((gpus + 63) / 64);
      own[g / 64] = uint64_t{1} << (g % 64);
      sums_.push_back(std::move(own));
      const bool has_input =
          (file_.kind != CollectiveKind::kBroadcast && file_.kind != CollectiveKind::kScatter) ||
          Rank{g} == all.root();
      const uint32_t inputs = file_.chunks_in(Place::kInput);
      for (uint32_t c = 0; has_input && c < inputs; ++c) {
        BlockId block{c};
        if (file_.is_part(Place::kInput)) block = all.block(Rank{g}, c);
        if (file_.kind == CollectiveKind::kScatter)
          block = all.block(Rank{c / file_.pieces}, c % file_.pieces);
        if (file_.kind == CollectiveKind::kAlltoall)
          block = all.block(Rank{g}, Rank{c / file_.pieces}, c % file_.pieces);
        put(g, number_of(g, Place::kInput, c), {.block = block, .is_there = true, .slots = 1, .ranks = g});
      }
    }
  }

  void count_reads() {
    reads_.resize(memory_.size());
    for (uint32_t g = 0; g < memory_.size(); ++g) {
      reads_[g].assign(memory_[g].size(), 0);
      for (const ThreadBlock& one : file_.gpus[g].blocks) {
        for (const Step& step : one.steps) {
          for (uint32_t i = 0; i < step.count; ++i) {
            if (reads_source(step)) ++reads_[g][number_of(g, step.source.place, step.source.at + i)];
            if (adds_to_target(step)) ++reads_[g][number_of(g, step.target.place, step.target.at + i)];
          }
        }
      }
    }
    for_each_wanted([this](uint32_t gpu, size_t chunk, BlockId) { ++reads_[gpu][chunk]; });
  }

  static bool reads_source(const Step& step) {
    return (step.sends && !step.receives) || step.reduces || (!step.receives && step.stores);
  }
  static bool adds_to_target(const Step& step) { return step.reduces && !step.receives; }

  template <typename Visit>
  void for_each_wanted(Visit&& visit) const {
    const Collective& all = problem_.collective();
    for (uint32_t g = 0; g < file_.gpus.size(); ++g) {
      if (comes_together() && Rank{g} != all.root()) continue;
      const uint32_t outputs = file_.chunks_in(Place::kOutput);
      for (uint32_t c = 0; c < outputs; ++c) {
        BlockId block{c};
        if (file_.is_part(Place::kOutput)) block = all.block(Rank{g}, c);
        if (file_.kind == CollectiveKind::kGather)
          block = all.block(Rank{c / file_.pieces}, c % file_.pieces);
        if (file_.kind == CollectiveKind::kAlltoall)
          block = all.block(Rank{c / file_.pieces}, Rank{g}, c % file_.pieces);
        visit(g, number_of(g, Place::kOutput, c), block);
      }
    }
  }

  // --- running -----------------------------------------------------------------------------------------

  [[nodiscard]] bool may_begin(const Running& one) const {
    if (one.at >= one.block->steps.size()) return false;
    const Step& step = step_of(one);
    return step.after_block == kNobody || blocks_[one.first + step.after_block].at > step.after_step;
  }
  // One thing that the thread block does; false if it cannot.
  bool advance(uint32_t number, std::deque<uint32_t>& todo) {
    Running& one = blocks_[number];
    if (one.at >= one.block->steps.size()) return false;
    if (!may_begin(one)) {
      blocks_[one.first + step_of(one).after_block].waiters.push_back(number);
      return false;
    }
    const Step& step = step_of(one);
    if (step.receives && !one.has_received) {
      if (one.sender == kNobody)
        fail(one, fmt::format("gpu {} sends nothing on this channel", one.block->receive_from));
      if (one.inbox.empty()) return false;
      receive(number, todo);
      return true;
    }
    if (step.sends) {
      if (one.receiver == kNobody)
        fail(one, fmt::format("gpu {} receives nothing on this channel", one.block->send_to));
      send(number, todo);
      return true;
    }
    begin(one);
    do_local(number, step);
    end(number, one.time, todo);
    return true;
  }

  // The clock of a step, and when it can be.
  void begin(Running& one) {
    const Step& step = step_of(one);
    if (step.after_block == kNobody) return;
    const auto& [clock, time] = blocks_[one.first + step.after_block].kept.at(step.after_step);
    merge(one.clock, clock);
    one.time = std::max(one.time, time);
  }

  static void merge(Clock& into, const Clock& other) {
    into.resize(std::max(into.size(), other.size()));
    for (size_t i = 0; i < other.size(); ++i) into[i] = std::max(into[i], other[i]);
  }

  // `known` is when those that wait for the step may go on.
  void end(uint32_t number, uint64_t known, std::deque<uint32_t>& todo) {
    Running& one = blocks_[number];
    one.clock.resize(std::max<size_t>(one.clock.size(), number + 1));
    one.clock[number] = static_cast<uint32_t>(one.at + 1);
    if (const auto kept = one.kept.find(one.at); kept != one.kept.end()) kept->second = {one.clock, known};
    ++one.at;
    one.has_received = false;
    one.carried.clear();
    todo.insert(todo.end(), one.waiters.begin(), one.waiters.end());
    one.waiters.clear();
  }

  void send(uint32_t number, std::deque<uint32_t>& todo) {
    Running& one = blocks_[number];
    const Step& step = step_of(one);
    begin(one);
    if (!step.receives) one.carried = read(number, step.source, step.count);
    const uint64_t when = one.time;
    one.time = when + 1;
    Message message{.values = std::move(one.carried), .when = when, .where = step.where};
    const uint32_t receiver = one.receiver;
    // What is written where this was read may come in the same step: all transfers of a step see what was before.
    end(number, step.receives ? when + 1 : when, todo);
    message.clock = one.clock;
    blocks_[receiver].inbox.push_back(std::move(message));
    todo.push_back(receiver);
  }

  void receive(uint32_t number, std::deque<uint32_t>& todo) {
    Running& one = blocks_[number];
    const Step& step = step_of(one);
    const Message message = std::move(one.inbox.front());
    one.inbox.pop_front();
    if (message.values.size() != step.count)
      fail(one, fmt::format("{} chunks are awaited, and {} are sent", step.count, message.values.size()));
    begin(one);
    merge(one.clock, message.clock);
    if (steps_.size() <= message.when) steps_.resize(message.when + 1);
    one.carried = problem_.collective().flow() == Flow::kCombine ? arrive_summed(number, message)
                                                                 : arrive(number, message);
    one.time = std::max(one.time, message.when + 1);
    if (step.sends) {
      one.has_received = true;
    } else {
      end(number, one.time, todo);
    }
  }

  std::vector<Value> arrive(uint32_t to, const Message& message) {
    Running& receiver = blocks_[to];
    const Step& step = step_of(receiver);
    if (step.reduces) fail(receiver, "nothing is added up in this collective");
    Transfer transfer{.from = receiver.block->receive_from, .to = receiver.gpu};
    for (uint32_t i = 0; i < step.count; ++i) {
      transfer.blocks.push_back(message.values[i].block);
      write(to, step.target, i, message.values[i]);
    }
    steps_[message.when].push_back(std::move(transfer));
    return message.values;
  }

  std::vector<Value> arrive_summed(uint32_t to, const Message& message) {
    Running& receiver = blocks_[to];
    const Step& step = step_of(receiver);
    const uint32_t gpu = receiver.gpu;
    // What comes before its receiver is ready is kept apart until then.
    const bool is_early = receiver.time > message.when;
    std::vector<Value> here;
    if (step.reduces) here = read(to, step.source, step.count);
    std::vector<Value> out;
    for (uint32_t i = 0; i < step.count; ++i) {
      Value value = message.values[i];
      Transfer transfer{.from = receiver.block->receive_from,
                        .to = gpu,
                        .blocks = {value.block},
                        .slots = {.from = value.slots}};
      if (step.reduces) {
        if (here[i].block != value.block) unlike(receiver, here[i], value);
        transfer.slots.to =
            is_early ? free_slot(receiver, value.block) : slot_to_add_to(receiver, here[i], i);
        value.ranks = together(here[i].ranks, value.ranks);
        value.slots = here[i].slots | uint32_t{1} << transfer.slots.to;
      } else if (is_whole(value)) {
        transfer.is_copy = true;
        value.slots = 1;
        replace_parts(gpu, value.block);
      } else {
        transfer.slots.to = free_slot(receiver, value.block);
        value.slots = uint32_t{1} << transfer.slots.to;
      }
      has_slots_ = has_slots_ || transfer.slots.to != 0;
      used_slots_[{gpu, index(value.block)}] |= value.slots;
      steps_[message.when].push_back(std::move(transfer));
      if (step.stores) write(to, step.target, i, value);
      out.push_back(value);
    }
    return out;
  }

  void do_local(uint32_t number, const Step& step) {
    if (!step.stores) return;
    Running& one = blocks_[number];
    const std::vector<Value> source = read(number, step.source, step.count);
    std::vector<Value> target;
    if (step.reduces) {
      if (problem_.collective().flow() != Flow::kCombine) fail(one, "nothing is added up in this collective");
      target = read(number, step.target, step.count);
    }
    for (uint32_t i = 0; i < step.count; ++i) {
      Value value = source[i];
      if (step.reduces) {
        if (target[i].block != value.block) unlike(one, target[i], value);
        for (size_t w = 0; w < sums_[value.ranks].size(); ++w) {
          if ((sums_[value.ranks][w] & sums_[target[i].ranks][w]) != 0)
            fail(one, "a contribution that is in both chunks would be added twice");
        }
        value.ranks = together(value.ranks, target[i].ranks);
        value.slots |= target[i].slots;
      }
      write(number, step.target, i, value);
    }
  }

  // --- chunks ------------------------------------------------------------------------------------------

  void require_order(const Running& one, uint32_t number, const Access& other, size_t chunk) const {
    if (other.block == kNobody || other.block == number) return;
    if (other.block < one.clock.size() && one.clock[other.block] > other.step) return;
    const Running& there = blocks_[other.block];
    fail(one, fmt::format("{} and {} touch the same chunk ({}), and nothing says which of them comes first",
                          place_text(one.gpu, one.number, one.at),
                          place_text(there.gpu, there.number, other.step), chunk_text(one.gpu, chunk)));
  }

  [[nodiscard]] std::string chunk_text(uint32_t gpu, size_t chunk) const {
    const size_t whole = file_.whole();
    (void)gpu;
    const size_t scratch = (in_place_ ? 1 : 2) * whole;
    if (chunk >= scratch) return fmt::format("s[{}]", chunk - scratch);
    if (in_place_) return fmt::format("number {} of what is worked on in place", chunk);
    return chunk < whole ? fmt::format("i[{}]", chunk) : fmt::format("o[{}]", chunk - whole);
  }

  std::vector<Value> read(uint32_t number, const Chunk& from, uint32_t count) {
    Running& one = blocks_[number];
    std::vector<Value> out;
    for (uint32_t i = 0; i < count; ++i) {
      const size_t chunk = number_of(one.gpu, from.place, from.at + i);
      Use& use = uses_[one.gpu][chunk];
      require_order(one, number, use.writer, chunk);
      use.readers.push_back({number, one.at});
      --reads_[one.gpu][chunk];
      const Value& value = memory_[one.gpu][chunk];
      if (!value.is_there)
        fail(one, fmt::format("{} reads {} of gpu {}, where nothing is yet",
                              place_text(one.gpu, one.number, one.at), chunk_text(one.gpu, chunk), one.gpu));
      if (value.is_replaced)
        fail(one, fmt::format("{} of gpu {} is a part of a sum that came there whole before",
                              chunk_text(one.gpu, chunk), one.gpu));
      out.push_back(value);
    }
    return out;
  }

  void write(uint32_t number, const Chunk& to, uint32_t offset, const Value& value) {
    Running& one = blocks_[number];
    const size_t chunk = number_of(one.gpu, to.place, to.at + offset);
    Use& use = uses_[one.gpu][chunk];
    require_order(one, number, use.writer, chunk);
    for (const Access& reader : use.readers) require_order(one, number, reader, chunk);
    use = {{number, one.at}, {}};
    put(one.gpu, chunk, value);
  }

  void put(uint32_t gpu, size_t chunk, const Value& value) {
    memory_[gpu][chunk] = value;
    if (problem_.collective().flow() == Flow::kCombine) holders_[{gpu, index(value.block)}].push_back(chunk);
  }

  // --- sums --------------------------------------------------------------------------------------------

  [[noreturn]] void unlike(const Running& one, const Value& here, const Value& there) const {
    fail(one, fmt::format("{} adds what belongs to chunk {} to what belongs to chunk {}",
                          place_text(one.gpu, one.number, one.at), index(there.block), index(here.block)));
  }

  uint32_t together(uint32_t a, uint32_t b) {
    Ranks out = sums_[a];
    for (size_t w = 0; w < out.size(); ++w) out[w] |= sums_[b][w];
    sums_.push_back(std::move(out));
    return static_cast<uint32_t>(sums_.size() - 1);
  }

  [[nodiscard]] bool is_whole(const Value& value) const {
    size_t count = 0;
    for (const uint64_t word : sums_[value.ranks]) count += static_cast<size_t>(__builtin_popcountll(word));
    return count == file_.gpus.size();
  }

  // A slot of the sum that is nobody else's, or a new one, beside it.
  uint32_t slot_to_add_to(const Running& one, const Value& here, uint32_t i) {
    const Step& step = step_of(one);
    const size_t source = number_of(one.gpu, step.source.place, step.source.at + i);
    const size_t target = step.stores ? number_of(one.gpu, step.target.place, step.target.at + i) : SIZE_MAX;
    uint32_t others = 0;
    for (const size_t chunk : holders_[{one.gpu, index(here.block)}]) {
      const Value& value = memory_[one.gpu][chunk];
      if (chunk == target || value.block != here.block || !value.is_there || value.is_replaced) continue;
      if (reads_[one.gpu][chunk] > 0 || chunk == source)
        others |= reads_[one.gpu][chunk] > 0 ? value.slots : 0;
    }
    for (uint32_t slot = 0; slot < SumSlots::kCount; ++slot) {
      if ((here.slots >> slot & 1U) != 0 && (others >> slot & 1U) == 0) return slot;
    }
    return free_slot(one, here.block);
  }

  uint32_t free_slot(const Running& one, BlockId block) {
    const uint32_t used = used_slots_[{one.gpu, index(block)}];
    for (uint32_t slot = 1; slot < SumSlots::kCount; ++slot) {
      if ((used >> slot & 1U) == 0) return slot;
    }
    fail(one, fmt::format("gpu {} would keep a sum in more than {} parts", one.gpu, SumSlots::kCount));
  }

  void replace_parts(uint32_t gpu, BlockId block) {
    for (const size_t chunk : holders_[{gpu, index(block)}]) {
      Value& value = memory_[gpu][chunk];
      if (value.block != block || !value.is_there) continue;
      if (is_whole(value))
        value.slots = 1;
      else
        value.is_replaced = true;
    }
  }

  // --- in the end --------------------------------------------------------------------------------------

  // The judge knows who holds what, and not where.
  void check_places() const {
    const bool sums = problem_.collective().flow() == Flow::kCombine;
    for_each_wanted([&](uint32_t gpu, size_t chunk, BlockId block) {
      const Value& value = memory_[gpu][chunk];
      const bool is_right = value.is_there && value.block == block;
      const auto elsewhere = [&] {
        return std::ranges::any_of(memory_[gpu], [&](const Value& other) {
          return other.is_there && other.block == block && (!sums || is_whole(other));
        });
      };
      if (is_right || (!value.is_there && !elsewhere())) return;
      throw InputError(fmt::format("{}: in the end {} of gpu {} {}, and {} belongs there", source_,
                                   chunk_text(gpu, chunk), gpu,
                                   value.is_there ? fmt::format("holds {}", problem_.block_label(value.block))
                                                  : std::string("holds nothing"),
                                   problem_.block_label(block)));
    });
  }

  PlanFile finish() const {
    PlanFile out{{problem_, plain_name(file_.name), {}, {}, {}}, {}};
    StepBuilder builder;
    for (const std::vector<Transfer>& step : steps_) {
      for (const Transfer& one : step) {
        const ArcId arc = *problem_.topology().find_arc(NodeId{one.from}, NodeId{one.to});
        builder.add(std::span(&arc, 1), one.blocks, one.is_copy ? TransferOp::kCopy : TransferOp::kDefault,
                    has_slots_ ? one.slots : SumSlots{});
      }
      builder.flush(out.plan);
    }
    return out;
  }

  const File& file_;
  std::string_view text_;
  std::string_view source_;
  Problem problem_;
  bool in_place_;
  bool has_slots_ = false;
  std::vector<Running> blocks_{};
  std::vector<std::vector<Value>> memory_{};  // by GPU
  std::vector<std::vector<Use>> uses_{};
  std::vector<std::vector<uint32_t>> reads_{};  // that are still to come, and the last look
  std::vector<Ranks> sums_{};
  std::map<std::pair<uint32_t, size_t>, std::vector<size_t>>
      holders_{};  // chunks of a GPU that ever held a block
  std::map<std::pair<uint32_t, size_t>, uint32_t> used_slots_{};
  std::vector<std::vector<Transfer>> steps_{};
};

}  // namespace

PlanFile plan_of(const File& file, std::string_view text, std::string_view source) {
  return Run(file, text, source).plan();
}

}  // namespace quadrille::msccl
