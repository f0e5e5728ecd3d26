#include "quadrille/runtime/node_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "quadrille/base/check.h"
#include "quadrille/runtime/test_pattern.h"

namespace quadrille {
namespace {

constexpr uint32_t kNowhere = UINT32_MAX;

// An empty block may be nowhere.
void copy_block(std::byte* into, const std::byte* from, size_t bytes) {
  if (bytes > 0) std::memcpy(into, from, bytes);
}

// The blocks that a node holds, by place. The first places are those of its input, then those of its output;
// the others are in letters.
class Store {
 public:
  Store(const std::optional<NodeBuffers>& buffers, size_t block_bytes, Bytes input, Bytes output)
      : buffers_(buffers),
        block_bytes_(block_bytes),
        output_(output),
        first_output_(buffers ? buffers->input_slots() : 0),
        first_letter_(first_output_ + (buffers ? buffers->output_slots() : 0)),
        places_(first_letter_) {
    for (uint32_t i = 0; i < first_output_; ++i) places_[i].bytes = input.data() + i * block_bytes;
    for (uint32_t i = first_output_; i < first_letter_; ++i)
      places_[i].bytes = output.data() + (i - first_output_) * block_bytes;
  }

  [[nodiscard]] const std::byte* bytes(const LocalMessage& message) const {
    return places_[message.place].bytes;
  }

  // A block that came in a letter: copied to the output if it is to end here, and kept if others may want it
  // from here.
  void keep(Letter& letter, LocalMessage& message, std::byte* bytes) {
    if (buffers_ && buffers_->has_output(message.block)) {
      const uint32_t slot = buffers_->output_slot(message.block);
      copy_block(output_.data() + slot * block_bytes_, bytes, block_bytes_);
      message.place = first_output_ + slot;
      return;
    }
    if (free_.empty()) {
      free_.push_back(static_cast<uint32_t>(places_.size()));
      places_.emplace_back();
    }
    message.place = free_.back();
    free_.pop_back();
    places_[message.place] = {bytes, &letter};
    ++letter.held;
    most_stored_ = std::max(most_stored_, ++stored_);
  }
  void take_over(Letter::Ptr letter) {
    if (letter->held == 0) {
      recycle(std::move(letter));
    } else {
      static_cast<void>(letter.release());  // its places own it
    }
  }
  void give(const LocalMessage& message) {
    if (message.place < first_letter_) return;
    Place& place = places_[message.place];
    if (--place.letter->held == 0) recycle(Letter::Ptr(place.letter));
    place = {};
    free_.push_back(message.place);
    --stored_;
  }

  // Memory for a letter: what a letter that was passed on has left, if that is large enough.
  Letter::Ptr memory(size_t wire_bytes) {
    if (!spare_ || spare_->capacity() < wire_bytes) return Letter::make(wire_bytes);
    return std::move(spare_);
  }
  void recycle(Letter::Ptr letter) {
    if (!spare_ || spare_->capacity() < letter->capacity()) spare_ = std::move(letter);
  }

  [[nodiscard]] uint64_t most_stored() const { return most_stored_; }

  ~Store() {
    for (Place& place : places_) {
      if (place.letter != nullptr && --place.letter->held == 0) Letter::Ptr{place.letter}.reset();
    }
  }
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

 private:
  struct Place {
    std::byte* bytes = nullptr;
    Letter* letter = nullptr;
  };

  const std::optional<NodeBuffers>& buffers_;
  size_t block_bytes_;
  Bytes output_;
  uint32_t first_output_;
  uint32_t first_letter_;
  std::vector<Place> places_;
  std::vector<uint32_t> free_;
  Letter::Ptr spare_;
  uint64_t stored_ = 0;
  uint64_t most_stored_ = 0;
};

class Run {
 public:
  Run(LocalNode& node, Store& store, size_t block_bytes, NodePost& post, NodeResult& result)
      : node_(node), store_(store), block_bytes_(block_bytes), post_(post), result_(result) {}

  void run() {
    for (uint64_t tick = 0; !node_.done(); ++tick) {
      out_.clear();
      node_.send(tick, out_);
      for (size_t i = 0; i < out_.size(); ++i) send(tick, i);
      from_.clear();
      node_.hears(tick, from_);
      for (const NodeId from : from_) hear(from, tick);
    }
  }

 private:
  void send(uint64_t tick, size_t i) {
    const std::span<const LocalMessage> messages = out_.messages(i);
    size_t blocks = 0;
    for (const LocalMessage& message : messages) blocks += message.is_word() ? 0 : 1;
    const bool given = out_.copy(i) == LocalOutbox::Copy::kGiven;
    Letter::Ptr letter = store_.memory(Letter::wire_bytes(messages.size(), blocks * block_bytes_));
    letter->begin(tick, static_cast<uint32_t>(messages.size()), blocks * block_bytes_);
    Letter::Item* item = letter->items().data();
    std::byte* bytes = letter->payload();
    for (const LocalMessage& message : messages) {
      *item++ = {message.block, message.word};
      if (message.is_word()) continue;
      copy_block(bytes, store_.bytes(message), block_bytes_);
      bytes += block_bytes_;
      if (given) store_.give(message);
    }
    ++(blocks > 0 ? result_.messages : result_.words);
    result_.bytes_sent += blocks * block_bytes_;
    post_.send(out_.to(i), std::move(letter));
  }

  // Who only waited for somebody is as far as the one who came.
  void hear(NodeId from, uint64_t& tick) {
    Letter::Ptr letter = post_.receive(from);
    QUADRILLE_CHECK(from == kAnyone ? letter->tick() >= tick : letter->tick() == tick,
                    fmt::format("node {} in tick {} hears what node {} sent in tick {}", index(post_.self()),
                                tick, index(letter->from), letter->tick()));
    tick = letter->tick();
    std::byte* bytes = letter->payload();
    for (const Letter::Item& item : letter->items()) {
      LocalMessage message{item.block, item.word, kNowhere};
      if (!message.is_word()) {
        store_.keep(*letter, message, bytes);
        bytes += block_bytes_;
      }
      node_.receive(tick, letter->from, message);
    }
    store_.take_over(std::move(letter));
  }

  LocalNode& node_;
  Store& store_;
  size_t block_bytes_;
  NodePost& post_;
  NodeResult& result_;
  LocalOutbox out_;
  std::vector<NodeId> from_;
};

// The blocks that a rank has first, in the places of its input; its own to itself it copies.
std::vector<LocalMessage> own_messages(const NodeBuffers& buffers, size_t block_bytes, ConstBytes input,
                                       Bytes output) {
  std::vector<LocalMessage> own;
  for (uint32_t slot = 0; slot < buffers.input_slots(); ++slot) {
    const BlockId block = buffers.input_block(slot);
    if (buffers.has_output(block)) {
      copy_block(output.data() + buffers.output_slot(block) * block_bytes, input.data() + slot * block_bytes,
                 block_bytes);
    }
    if (!buffers.has_output(block) || buffers.collective().delivers_to_all()) own.push_back({block, 0, slot});
  }
  return own;
}

}  // namespace

NodeSeat seat_of(const LocalProgram& program, const Problem& problem, NodeId node) {
  NodeSeat seat{program.node(problem, node), std::nullopt};
  if (const std::optional<Rank> rank = problem.topology().rank(node))
    seat.buffers.emplace(problem.collective(), *rank);
  return seat;
}

double buffer_bytes(const NodeSeat& seat, const JobOptions& options) {
  if (!seat.buffers) return 0;
  const uint64_t slots = uint64_t{seat.buffers->input_slots()} + seat.buffers->output_slots();
  return static_cast<double>(slots) * static_cast<double>(options.block_bytes);
}

NodeResult run_node(NodeSeat seat, const JobOptions& options, NodePost& post) {
  using Clock = std::chrono::steady_clock;
  const size_t block_bytes = options.block_bytes;
  const std::optional<NodeBuffers>& buffers = seat.buffers;
  std::vector<std::byte> input(buffers ? buffers->input_slots() * block_bytes : 0);
  std::vector<std::byte> output(buffers ? buffers->output_slots() * block_bytes : 0);
  const auto part = [block_bytes](std::vector<std::byte>& all, uint32_t slot) {
    return Bytes(all).subspan(slot * block_bytes, block_bytes);
  };
  NodeResult result;
  result.table_bytes = seat.program->table_bytes();
  try {
    for (uint32_t i = 0; i < options.iterations; ++i) {
      const std::unique_ptr<LocalNode> node =
          i + 1 < options.iterations ? seat.program->copy() : std::move(seat.program);
      for (uint32_t slot = 0; buffers && slot < buffers->input_slots(); ++slot)
        fill_block(buffers->rank(), buffers->input_block(slot), i, part(input, slot));
      for (uint32_t slot = 0; buffers && slot < buffers->output_slots(); ++slot)
        spoil_block(buffers->collective(), buffers->output_block(slot), i, part(output, slot));
      NodeResult once;
      Store store(buffers, block_bytes, input, output);
      Run run(*node, store, block_bytes, post, once);
      post.meet();
      const Clock::time_point start = Clock::now();
      node->start(buffers ? own_messages(*buffers, block_bytes, input, output) : std::vector<LocalMessage>{});
      run.run();
      post.meet();
      result.times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
      result.messages = once.messages;
      result.words = once.words;
      result.bytes_sent = once.bytes_sent;
      result.most_stored = store.most_stored();
      result.bytes_checked += output.size();
      for (uint32_t slot = 0; buffers && slot < buffers->output_slots(); ++slot) {
        result.wrong_bytes +=
            count_wrong_bytes_of(buffers->collective(), buffers->output_block(slot), i, part(output, slot));
      }
    }
  } catch (...) {
    post.give_up();
    throw;
  }
  return result;
}

}  // namespace quadrille
