#include "quadrille/schedule/msccl/msccl_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>

#include "quadrille/base/input_error.h"

namespace quadrille::msccl {
namespace room_parts {
namespace {

constexpr uint32_t kNoBlock = UINT32_MAX;

// A thread block under way.
struct Running {
  const ThreadBlock* block = nullptr;
  uint32_t gpu = 0;
  uint32_t number = 0;
  uint32_t first = 0;  // of the thread blocks of its GPU
  uint32_t sender = kNoBlock;
  uint32_t receiver = kNoBlock;
  uint32_t waiting = 0;  // messages for it that are under way
  size_t at = 0;
  std::vector<uint32_t> followers{};  // which wait for some step of it
};

class Room {
 public:
  explicit Room(const File& file) : most_(file.messages_of_a_connection) {
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> receivers;
    for (uint32_t g = 0; g < file.gpus.size(); ++g) {
      const auto first = static_cast<uint32_t>(blocks_.size());
      for (const ThreadBlock& block : file.gpus[g].blocks) {
        const auto number = static_cast<uint32_t>(blocks_.size());
        if (block.receive_from != kNoBlock) receivers[{block.receive_from, g, block.channel}] = number;
        blocks_.push_back({.block = &block, .gpu = g, .number = number - first, .first = first});
      }
    }
    for (uint32_t number = 0; number < blocks_.size(); ++number) {
      Running& one = blocks_[number];
      for (const Step& step : one.block->steps) {
        if (step.after_block != kNoBlock) blocks_[one.first + step.after_block].followers.push_back(number);
      }
      if (one.block->send_to == kNoBlock) continue;
      const auto other = receivers.find({one.gpu, one.block->send_to, one.block->channel});
      if (other == receivers.end()) continue;
      one.receiver = other->second;
      blocks_[other->second].sender = number;
    }
    for (Running& one : blocks_) {
      std::ranges::sort(one.followers);
      one.followers.erase(std::unique(one.followers.begin(), one.followers.end()), one.followers.end());
    }
  }

  // The first thread block that cannot go on for want of room, when nothing goes on.
  const Running* stuck() {
    std::deque<uint32_t> todo;
    for (uint32_t number = 0; number < blocks_.size(); ++number) todo.push_back(number);
    while (!todo.empty()) {
      const uint32_t number = todo.front();
      todo.pop_front();
      Running& one = blocks_[number];
      bool moved = false;
      for (; may_go_on(one); moved = true) go_on(one);
      if (!moved) continue;
      if (one.receiver != kNoBlock) todo.push_back(one.receiver);
      if (one.sender != kNoBlock) todo.push_back(one.sender);
      todo.insert(todo.end(), one.followers.begin(), one.followers.end());
    }
    for (const Running& one : blocks_) {
      if (one.at < one.block->steps.size() && comes(one) && !has_room(one)) return &one;
    }
    return nullptr;
  }

 private:
  static const Step& step_of(const Running& one) { return one.block->steps[one.at]; }
  [[nodiscard]] bool comes(const Running& one) const {
    const Step& step = step_of(one);
    const bool is_time =
        step.after_block == kNoBlock || blocks_[one.first + step.after_block].at > step.after_step;
    return is_time && (!step.receives || one.waiting > 0);
  }
  [[nodiscard]] bool has_room(const Running& one) const {
    return !step_of(one).sends || one.receiver == kNoBlock || blocks_[one.receiver].waiting < most_;
  }
  [[nodiscard]] bool may_go_on(const Running& one) const {
    return one.at < one.block->steps.size() && comes(one) && has_room(one);
  }
  void go_on(Running& one) {
    const Step& step = step_of(one);
    if (step.receives) --one.waiting;
    if (step.sends && one.receiver != kNoBlock) ++blocks_[one.receiver].waiting;
    ++one.at;
  }

  uint32_t most_;
  std::vector<Running> blocks_{};
};

}  // namespace
}  // namespace room_parts

void require_room(const File& file, std::string_view text, std::string_view source) {
  room_parts::Room room(file);
  const room_parts::Running* stuck = room.stuck();
  if (stuck == nullptr) return;
  const size_t where = stuck->block->steps[stuck->at].where;
  throw input_error_at(
      source, text, std::min(where, text.size()), 1,
      fmt::format(
          "{} waits for room for ever: a connection holds {} messages with this protocol, and gpu {} receives none "
          "of those before",
          place_text(stuck->gpu, stuck->number, stuck->at), file.messages_of_a_connection,
          stuck->block->send_to));
}

}  // namespace quadrille::msccl
