// Letter: what one node sends another in one tick, as one piece of memory: the tick, the messages, and the
// bytes of their blocks, one after another.
//
// The sender writes it, the receiver keeps it for as long as it holds one of the blocks. Threads hand it over;
// MPI sends its wire() and receives it into a letter of the same size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "quadrille/base/ids.h"
#include "quadrille/local/local_node.h"
#include "quadrille/runtime/transport.h"

namespace quadrille {

class Letter {
 public:
  struct Item {
    BlockId block;
    uint32_t word;
  };
  struct Delete {
    void operator()(Letter* letter) const noexcept {
      letter->~Letter();
      ::operator delete(letter);
    }
  };
  using Ptr = std::unique_ptr<Letter, Delete>;

  [[nodiscard]] static size_t wire_bytes(size_t items, size_t payload_bytes) {
    return sizeof(Front) + items * sizeof(Item) + payload_bytes;
  }
  /// With room for so many bytes on the wire.
  [[nodiscard]] static Ptr make(size_t wire_bytes) {
    return Ptr(new (::operator new(sizeof(Letter) + wire_bytes)) Letter(wire_bytes));
  }

  [[nodiscard]] size_t capacity() const { return capacity_; }
  /// Begins a letter in this memory. The blocks' bytes start where the items end.
  void begin(uint64_t tick, uint32_t items, size_t payload_bytes) {
    front().tick = tick;
    front().items = items;
    wire_size_ = wire_bytes(items, payload_bytes);
  }

  [[nodiscard]] uint64_t tick() const { return front().tick; }
  [[nodiscard]] std::span<Item> items() { return {reinterpret_cast<Item*>(&front() + 1), front().items}; }
  [[nodiscard]] std::byte* payload() { return reinterpret_cast<std::byte*>(items().data() + items().size()); }
  /// All that is sent.
  [[nodiscard]] Bytes wire() { return {reinterpret_cast<std::byte*>(this + 1), wire_size_}; }
  /// For who receives it by its wire.
  void set_wire_size(size_t bytes) { wire_size_ = bytes; }

  // For those who hold it.
  Letter* next = nullptr;  ///< in an inbox
  NodeId from = kNoNode;   ///< written where it is posted
  uint32_t held = 0;       ///< blocks of it that its receiver still needs

 private:
  struct Front {
    uint64_t tick = 0;
    uint32_t items = 0;
    uint32_t unused = 0;
  };

  explicit Letter(size_t capacity) : capacity_(capacity), wire_size_(capacity) { new (this + 1) Front(); }

  [[nodiscard]] Front& front() { return *reinterpret_cast<Front*>(this + 1); }
  [[nodiscard]] const Front& front() const { return *reinterpret_cast<const Front*>(this + 1); }

  size_t capacity_;
  size_t wire_size_;
};

/// How the letters of one node reach the others. Used by one thread.
class NodePost {
 public:
  NodePost() = default;
  NodePost(const NodePost&) = delete;
  NodePost& operator=(const NodePost&) = delete;
  virtual ~NodePost() = default;

  [[nodiscard]] virtual NodeId self() const = 0;
  virtual void send(NodeId to, Letter::Ptr letter) = 0;
  /// Waits for the next letter of that node, in the order in which it sent them; of kAnyone, for the next one
  /// of any. Throws if one cannot come any more, because somebody has given up.
  [[nodiscard]] virtual Letter::Ptr receive(NodeId from) = 0;
  /// Returns when every node has called it.
  virtual void meet() = 0;
  /// After an error: nobody waits for this node any more.
  virtual void give_up() noexcept = 0;
};

}  // namespace quadrille
